// SPDX-License-Identifier: Apache-2.0
// What the RESIZE operators share: input [batches, height, width, depth], an int32 pair (new height, new width), output in the
// input's type.
#ifndef OPS_RESIZE_COMMON_H
#define OPS_RESIZE_COMMON_H

#include <limits.h>

#include "kernels/resize.h"
#include "ops/op.h"

typedef struct resize_state {
  bool align_corners, half_pixel_centers;
} resize_state;

// Gives the output its shape, from the sizes that the second input holds by now.
static inline TfLiteStatus resize_set_output(TfLiteContext *context, const TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  const int32_t *size = op_input(context, node, 1)->data.i32;
  OP_CHECK(context, size[0] > 0 && size[1] > 0, "size is %d x %d, not positive", (int)size[0], (int)size[1]);
  int dims[4] = {op_dim(input, 0), size[0], size[1], op_dim(input, 3)};
  OP_CHECK(context, dims[0] == 0 || (size[0] <= INT_MAX / dims[0] && op_dim(input, 1) <= INT_MAX / dims[0]), "too many rows");
  return op_resize(context, op_output(context, node, 0), 4, dims);
}

static inline TfLiteStatus resize_prepare(TfLiteContext *context, TfLiteNode *node, uint32_t types) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *size = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", types));
  OP_TRY(op_check_type(context, size, "size", OP_I32));
  OP_CHECK(context, op_rank(input) == 4, "input has rank %d, not 4", op_rank(input));
  OP_CHECK(context, op_rank(size) == 1 && op_dim(size, 0) == 2, "size is not a pair");
  OP_CHECK(context, (op_dim(input, 1) > 0 && op_dim(input, 2) > 0) || op_dim(input, 0) == 0 || op_dim(input, 3) == 0,
           "image of %d x %d pixels", op_dim(input, 1), op_dim(input, 2));
  output->type = input->type;
  if (!op_is_constant(size)) return op_make_dynamic(context, output);
  return resize_set_output(context, node);
}

// The sizes for the kernels; false when there is nothing to do.
static inline bool resize_shape_of(const TfLiteContext *context, const TfLiteNode *node, resize_shape *shape) {
  const TfLiteTensor *input = op_input(context, node, 0), *output = op_output(context, node, 0);
  const resize_state *state = node->user_data;
  *shape = (resize_shape){.batches = op_dim(input, 0),
                          .in_h = op_dim(input, 1),
                          .in_w = op_dim(input, 2),
                          .out_h = op_dim(output, 1),
                          .out_w = op_dim(output, 2),
                          .depth = op_dim(input, 3),
                          .align_corners = state->align_corners,
                          .half_pixel_centers = state->half_pixel_centers};
  return shape->batches > 0 && shape->depth > 0;
}

#endif
