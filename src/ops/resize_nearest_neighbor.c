// SPDX-License-Identifier: Apache-2.0
// RESIZE_NEAREST_NEIGHBOR: moves values of 1, 2 or 4 bytes as they are.
#include "ops/resize_common.h"

static void resize_nearest_neighbor_parse(fb_table options, void *params) {
  TfLiteResizeNearestNeighborParams *p = params;
  p->align_corners = ResizeNearestNeighborOptions_align_corners(options);
  p->half_pixel_centers = ResizeNearestNeighborOptions_half_pixel_centers(options);
}

static TfLiteStatus resize_nearest_neighbor_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteResizeNearestNeighborParams *p = node->builtin_data;
  *(resize_state *)node->user_data = (resize_state){p->align_corners, p->half_pixel_centers};
  return resize_prepare(context, node, OP_TYPES_RESIZE_NEAREST_NEIGHBOR);
}

static TfLiteStatus resize_nearest_neighbor_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(resize_set_output(context, node));
  resize_shape s;
  if (!resize_shape_of(context, node, &s)) return kTfLiteOk;
  resize_nearest(&s, input->data.raw, output->data.raw, op_type_size(input->type), 0, s.batches * s.out_h);
  return kTfLiteOk;
}

const op_descriptor arn_op_resize_nearest_neighbor = {
    OP_ROW(RESIZE_NEAREST_NEIGHBOR),
    .state_size = sizeof(resize_state),
    .params_size = sizeof(TfLiteResizeNearestNeighborParams),
    .parse = resize_nearest_neighbor_parse,
    .prepare = resize_nearest_neighbor_prepare,
    .eval = resize_nearest_neighbor_eval,
};
