// SPDX-License-Identifier: Apache-2.0
// MediaPipe's TransformLandmarks: moves points by the first two rows of a matrix [.., 4, 4]. Version 1: points [n, h, w, k *
// dimensions], options dimensions and scale (of the matrix's shifts). Version 2: points [1, n, 2 or 3], no options.
#include "kernels/planemap.h"
#include "ops/flex_options.h"

typedef struct transform_landmarks {
  int dims;
  float scale;
} transform_landmarks;

static TfLiteStatus transform_landmarks_prepare(TfLiteContext *context, TfLiteNode *node) {
  transform_landmarks *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *points = op_input(context, node, 0), *matrix = op_input(context, node, 1);
  OP_TRY(op_check_type(context, points, "landmarks", OP_F32));
  OP_TRY(op_check_type(context, matrix, "matrix", OP_F32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_F32));
  OP_CHECK(context, op_count(matrix) == 16, "the matrix has %zu elements", op_count(matrix));
  OP_CHECK(context, op_rank(points) == 3 || op_rank(points) == 4, "landmarks have rank %d", op_rank(points));
  int last = op_dim(points, op_rank(points) - 1);
  op->dims = last;
  op->scale = 1;
  if (op_rank(points) == 4) {
    flex_value options = flex_options(node);
    flex_value dims = flex_get(options, "dimensions"), scale = flex_get(options, "scale");
    op->dims = flex_is_null(dims) ? 3 : flex_int32(dims);
    op->scale = flex_is_null(scale) ? 1 : (float)flex_float(scale);
  }
  OP_CHECK(context, op->dims == 2 || op->dims == 3, "landmarks have %d dimensions", op->dims);
  OP_CHECK(context, last % op->dims == 0, "%d numbers are not landmarks of %d", last, op->dims);
  OP_CHECK(context, op->scale < 0 || op->scale > 0, "scale is %g", (double)op->scale);
  return op_resize_like(context, op_output(context, node, 0), points);
}

static TfLiteStatus transform_landmarks_eval(TfLiteContext *context, TfLiteNode *node) {
  const transform_landmarks *op = node->user_data;
  const TfLiteTensor *points = op_input(context, node, 0);
  const float *matrix = op_input(context, node, 1)->data.f;
  float map[8];
  for (int i = 0; i < 8; i++) map[i] = i % 4 == 3 ? matrix[i] * op->scale : matrix[i];
  plane_points(map, points->data.f, op_count(points) / (size_t)op->dims, op->dims, op_output(context, node, 0)->data.f);
  return kTfLiteOk;
}

const op_descriptor arn_op_transform_landmarks = {
    OP_CUSTOM_ROW(TransformLandmarks),
    .state_size = sizeof(transform_landmarks),
    .prepare = transform_landmarks_prepare,
    .eval = transform_landmarks_eval,
};
