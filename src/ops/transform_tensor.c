// SPDX-License-Identifier: Apache-2.0
// MediaPipe's TransformTensorBilinear, and its first version TransformTensor: the part of an image [1, h, w, c] that a matrix
// [.., 4, 4] leads to, resampled. TransformTensor maps pixels' corners, TransformTensorBilinear their centres.
#include "kernels/planemap.h"
#include "ops/flex_options.h"

static TfLiteStatus transform_tensor_check(TfLiteContext *context, TfLiteNode *node, int rows, int columns) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *image = op_input(context, node, 0), *matrix = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, image, "image", OP_F32));
  OP_TRY(op_check_type(context, matrix, "matrix", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_count(matrix) == 16, "the matrix has %zu elements", op_count(matrix));
  OP_CHECK(context, op_rank(image) == 4 && op_dim(image, 0) == 1, "the image is not [1, rows, columns, channels]");
  OP_CHECK(context, rows > 0 && columns > 0, "the output is of %d x %d pixels", rows, columns);
  return op_resize(context, output, 4, (int[]){1, rows, columns, op_dim(image, 3)});
}

static TfLiteStatus transform_tensor_prepare(TfLiteContext *context, TfLiteNode *node) {
  flex_value options = flex_options(node), size = flex_get(options, "output_size"), mode = flex_get(options, "mode");
  OP_CHECK(context, flex_is_null(mode) || flex_text_is(mode, "bilinear"), "the mode is not bilinear");
  return transform_tensor_check(context, node, flex_int32(flex_at(size, 0)), flex_int32(flex_at(size, 1)));
}

static TfLiteStatus transform_tensor_bilinear_prepare(TfLiteContext *context, TfLiteNode *node) {
  flex_value options = flex_options(node);
  return transform_tensor_check(context, node, flex_int32(flex_get(options, "output_height")),
                                flex_int32(flex_get(options, "output_width")));
}

static void transform_tensor_run(TfLiteContext *context, TfLiteNode *node, const float *map) {
  const TfLiteTensor *image = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  plane_image shape = {op_dim(image, 1), op_dim(image, 2), op_dim(image, 3)};
  plane_sample(map, image->data.f, &shape, op_dim(output, 1), op_dim(output, 2), output->data.f);
}

static TfLiteStatus transform_tensor_eval(TfLiteContext *context, TfLiteNode *node) {
  transform_tensor_run(context, node, op_input(context, node, 1)->data.f);
  return kTfLiteOk;
}

static TfLiteStatus transform_tensor_bilinear_eval(TfLiteContext *context, TfLiteNode *node) {
  const float *matrix = op_input(context, node, 1)->data.f;
  float map[8];
  for (int i = 0; i < 8; i++) map[i] = matrix[i];
  for (int row = 0; row < 8; row += 4) map[row + 3] += 0.5f * map[row] + 0.5f * map[row + 1] - 0.5f;
  transform_tensor_run(context, node, map);
  return kTfLiteOk;
}

const op_descriptor arn_op_transform_tensor = {
    OP_CUSTOM_ROW(TransformTensor),
    .prepare = transform_tensor_prepare,
    .eval = transform_tensor_eval,
};
const op_descriptor arn_op_transform_tensor_bilinear = {
    OP_CUSTOM_ROW(TransformTensorBilinear),
    .prepare = transform_tensor_bilinear_prepare,
    .eval = transform_tensor_bilinear_eval,
};
