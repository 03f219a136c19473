// SPDX-License-Identifier: Apache-2.0
// Convolution2DTransposeBias (MediaPipe): transposed convolution of a float32 image; inputs are image, filter [out, height,
// width, in] and bias. Options: the head of TfLiteTransposeConvParams. Source of the rules: mediapipe transpose_conv_bias.cc.
#include <float.h>

#include "kernels/conv.h"
#include "ops/raw_options.h"

// The output's size from the image's: whole windows, less what SAME padding takes away. False when it leaves 31 bits.
static bool transpose_bias_fit(window_axis *axis, bool same) {
  if (axis->out < 1 || axis->taps < 1 || axis->stride < 1) return false;
  int64_t padding = same ? (int64_t)axis->taps - (axis->out - 1) % axis->stride - 1 : 0;
  if (padding < 0) padding = 0;
  int64_t size = (int64_t)axis->stride * (axis->out - 1) + axis->taps - padding;
  if (size > INT32_MAX / 2 || axis->taps > INT32_MAX / 2) return false;
  axis->in = (int)size;
  axis->pad = (int)(padding / 2);
  axis->dilation = 1;
  return true;
}

static TfLiteStatus transpose_bias_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *image = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_shape *s = node->user_data;
  int32_t options[3];  // padding, stride_width, stride_height
  OP_CHECK(context, raw_options(node, options, 3), "the options have %d bytes, 12 are needed", node->custom_initial_data_size);
  const TfLiteTensor *tensors[] = {image, filter, bias, output};
  for (int i = 0; i < 4; i++) OP_TRY(op_check_type(context, tensors[i], "a tensor", OP_F32));
  OP_CHECK(context, op_rank(image) == 4 && op_rank(filter) == 4 && op_rank(bias) == 1,
           "image, filter and bias have ranks %d, %d and %d; 4, 4 and 1 are needed", op_rank(image), op_rank(filter),
           op_rank(bias));
  OP_CHECK(context,
           op_dim(filter, 0) == op_dim(bias, 0) && op_dim(image, 3) == op_dim(filter, 3) && op_dim(filter, 0) > 0 &&
               op_dim(filter, 3) > 0,
           "channels of image, filter and bias do not fit");
  *s = (conv_shape){
      .batches = op_dim(image, 0),
      .in_c = op_dim(image, 3),
      .filter_c = op_dim(image, 3),
      .out_c = op_dim(filter, 0),
      .y = {.out = op_dim(image, 1), .taps = op_dim(filter, 1), .stride = options[2]},
      .x = {.out = op_dim(image, 2), .taps = op_dim(filter, 2), .stride = options[1]},
  };
  bool same = options[0] == kTfLitePaddingSame;
  OP_CHECK(context,
           transpose_bias_fit(&s->y, same) && transpose_bias_fit(&s->x, same) && (int64_t)s->batches * s->y.in <= INT32_MAX,
           "a %d x %d filter with strides %d and %d over a %d x %d image", s->y.taps, s->x.taps, s->y.stride, s->x.stride,
           s->y.out, s->x.out);
  return op_resize(context, output, 4, (int[]){s->batches, s->y.in, s->x.in, s->out_c});
}

static TfLiteStatus transpose_bias_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  const conv_shape *s = node->user_data;
  if (op_count(output) == 0) return kTfLiteOk;
  conv_f32_args a = {.input = op_input(context, node, 0)->data.f,
                     .filter = op_input(context, node, 1)->data.f,
                     .bias = op_input(context, node, 2)->data.f,
                     .output = output->data.f,
                     .low = -FLT_MAX,
                     .high = FLT_MAX};
  conv_transposed_f32(s, &a, 0, s->batches * s->y.in);
  return kTfLiteOk;
}

static void transpose_bias_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = (uint64_t)op_count(op_input(context, node, 0)) * op_count_between(filter, 0, 3);
}

const op_descriptor arn_op_convolution_2d_transpose_bias = {
    OP_CUSTOM_ROW(Convolution2DTransposeBias),
    .state_size = sizeof(conv_shape),
    .prepare = transpose_bias_prepare,
    .eval = transpose_bias_eval,
    .cost = transpose_bias_cost,
};
