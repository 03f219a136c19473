// SPDX-License-Identifier: Apache-2.0
// MediaPipe's Landmarks2TransformMatrix: the matrix [1, 4, 4] that maps pixels of an output image into the box around some
// landmarks (x, y, z), turned upright by the line from one landmark to another. Version 1: landmarks [1, 1, 1, 3 n] and the
// coordinates of a whole image; version 2: landmarks [1, n, 3]. Options: a FlexBuffers map.
#include <math.h>

#include "base/checked.h"
#include "kernels/planemap.h"
#include "ops/flex_options.h"

typedef struct landmarks_op {
  bool of_image;        // version 1
  int32_t left, right;  // landmarks on the line
  int32_t *subset;      // landmarks in the box
  size_t count, room;
  float scale[2];                      // of the box
  float target;                        // version 2: the angle of the line in the output
  int out_size[2], in_size[2], range;  // x, y; the last two version 1's
} landmarks_op;

// A landmark's index, checked.
static TfLiteStatus landmarks_index(TfLiteContext *context, const TfLiteTensor *landmarks, flex_value v, int32_t *index) {
  *index = flex_int32(v);
  OP_CHECK(context, *index >= 0 && (size_t)*index < op_count(landmarks) / 3, "landmark %d of %zu", (int)*index,
           op_count(landmarks) / 3);
  return kTfLiteOk;
}

static TfLiteStatus landmarks_subset(TfLiteContext *context, const TfLiteTensor *landmarks, flex_value list, landmarks_op *op) {
  size_t n = flex_count(list), bytes;
  if (op->of_image) n -= n % 2;  // indices come in pairs; version 2 takes an odd one too
  OP_CHECK(context, n > 0, "the subset is empty");
  OP_CHECK(context, checked_mul(n, sizeof(int32_t), &bytes), "the subset is too large");
  if (op->room < n) {
    op->subset = op_persistent(context, bytes);
    OP_CHECK(context, op->subset, "out of memory");
    op->room = n;
  }
  for (size_t i = 0; i < n; i++) OP_TRY(landmarks_index(context, landmarks, flex_at(list, i), &op->subset[i]));
  op->count = n;
  return kTfLiteOk;
}

static void landmarks_read_options(flex_value options, landmarks_op *op) {
  if (op->of_image) {
    flex_value in = flex_get(options, "input_hw"), out = flex_get(options, "output_hw");
    for (int i = 0; i < 2; i++) {
      op->in_size[i] = flex_int32(flex_at(in, (size_t)(1 - i)));
      op->out_size[i] = flex_int32(flex_at(out, (size_t)(1 - i)));
    }
    op->range = flex_int32(flex_get(options, "landmarks_range"));
    op->scale[0] = op->scale[1] = (float)flex_float(flex_get(options, "bbox_size_multiplier"));
  } else {
    op->out_size[0] = flex_int32(flex_get(options, "output_width"));
    op->out_size[1] = flex_int32(flex_get(options, "output_height"));
    op->scale[0] = (float)flex_float(flex_get(options, "scale_x"));
    op->scale[1] = (float)flex_float(flex_get(options, "scale_y"));
    op->target = (float)flex_float(flex_get(options, "target_rotation_radians"));
    op->in_size[0] = op->in_size[1] = op->range = 1;
  }
}

static TfLiteStatus landmarks_prepare(TfLiteContext *context, TfLiteNode *node) {
  landmarks_op *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *landmarks = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, landmarks, "landmarks", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(landmarks) == 3 || op_rank(landmarks) == 4, "landmarks have rank %d", op_rank(landmarks));
  op->of_image = op_rank(landmarks) == 4;
  flex_value options = flex_options(node);
  landmarks_read_options(options, op);
  int dims = op->of_image ? flex_int32(flex_get(options, "dimensions")) : op_dim(landmarks, 2);
  OP_CHECK(context, dims == 3, "landmarks have %d dimensions", dims);
  int least = op->of_image ? 2 : 1;  // version 1 divides by the size less one
  OP_CHECK(context, op->out_size[0] >= least && op->out_size[1] >= least, "the output is of %d x %d pixels", op->out_size[1],
           op->out_size[0]);
  OP_CHECK(context, op->in_size[0] > 0 && op->in_size[1] > 0 && op->range > 0, "input_hw %d x %d, landmarks_range %d",
           op->in_size[1], op->in_size[0], op->range);
  OP_CHECK(context, op->scale[0] > 0 && op->scale[1] > 0, "the box is scaled by %g x %g", (double)op->scale[0],
           (double)op->scale[1]);
  OP_TRY(landmarks_index(context, landmarks, flex_get(options, "left_rotation_idx"), &op->left));
  OP_TRY(landmarks_index(context, landmarks, flex_get(options, "right_rotation_idx"), &op->right));
  OP_TRY(landmarks_subset(context, landmarks, flex_get(options, op->of_image ? "subset" : "subset_idxs"), op));
  return op_resize(context, output, 3, (int[]){1, 4, 4});
}

static TfLiteStatus landmarks_eval(TfLiteContext *context, TfLiteNode *node) {
  const landmarks_op *op = node->user_data;
  const float *landmarks = op_input(context, node, 0)->data.f;
  const float *left = landmarks + 3 * op->left, *right = landmarks + 3 * op->right;
  float dx = right[0] - left[0], dy = right[1] - left[1];
  float angle = op->of_image ? -atanf(dy / dx) : op->target - atan2f(dy, dx);
  plane_box box = plane_bound(landmarks, op->subset, op->count, angle);
  float step[2], anchor[2], gain[2];
  for (int i = 0; i < 2; i++) {
    int unit = op->of_image ? 1 : 0;  // version 1 counts from the first pixel's centre to the last one's
    float extent = (float)(op->out_size[i] - unit);
    step[i] = op->scale[i] * box.size[i] / extent;
    anchor[i] = extent / 2;
    gain[i] = op->of_image ? (float)(op->in_size[i] - 1) / (float)op->range : 1.0f;
  }
  plane_crop(&box, step, anchor, gain, op_output(context, node, 0)->data.f);
  return kTfLiteOk;
}

const op_descriptor arn_op_landmarks_to_matrix = {
    OP_CUSTOM_ROW(Landmarks2TransformMatrix),
    .state_size = sizeof(landmarks_op),
    .prepare = landmarks_prepare,
    .eval = landmarks_eval,
};
