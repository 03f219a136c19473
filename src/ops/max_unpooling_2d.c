// SPDX-License-Identifier: Apache-2.0
// MaxUnpooling2D, two operators of one name: with float32 indices that of MediaPipe (places in windows), with int32 ones that of
// TFLite's perception kernels (places in the image). Options: TfLitePoolParams. Sources of the rules: mediapipe max_unpooling.cc,
// TFLite perception/max_unpooling_2d.cc.
#include "kernels/unpool.h"
#include "ops/raw_options.h"

static TfLiteStatus unpool_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *indices = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  pool_shape *s = node->user_data;
  TfLitePoolParams p;
  OP_CHECK(context, raw_pool_options(node, &p), "the options have %d bytes, those of a pool are needed",
           node->custom_initial_data_size);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, indices, "indices", OP_F32 | OP_I32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(input) == 4 && op_same_shape(input, indices), "input and indices must be of rank 4 and of one shape");
  OP_CHECK(context, p.padding != kTfLitePaddingUnknown, "unknown padding");
  OP_CHECK(context, p.filter_width > 0 && p.filter_height > 0 && p.stride_width > 0 && p.stride_height > 0,
           "a %d x %d window with strides %d and %d", p.filter_height, p.filter_width, p.stride_height, p.stride_width);
  int64_t rows = op_dim(input, 1), cols = op_dim(input, 2), height, width;
  if (indices->type == kTfLiteFloat32) {
    height = rows * p.filter_height;
    width = cols * p.filter_width;
  } else if (p.padding == kTfLitePaddingSame) {
    height = rows * p.stride_height;
    width = cols * p.stride_width;
  } else {
    height = (rows - 1) * p.stride_height + p.filter_height;
    width = (cols - 1) * p.stride_width + p.filter_width;
  }
  OP_CHECK(context,
           height <= INT32_MAX && width <= INT32_MAX && (int64_t)p.filter_height * p.filter_width <= 1 << 24 &&
               op_dim(input, 0) * rows <= INT32_MAX,
           "the output is too large");
  // How much the windows, side by side, are longer than the image; positions beyond it are left out.
  int64_t over_y = (rows - 1) * p.stride_height + p.filter_height - height,
          over_x = (cols - 1) * p.stride_width + p.filter_width - width;
  OP_CHECK(
      context,
      over_y <= INT32_MAX && over_x <= INT32_MAX && rows * p.stride_height <= INT32_MAX && cols * p.stride_width <= INT32_MAX,
      "the strides are too large");
  *s = (pool_shape){
      .batches = op_dim(input, 0),
      .channels = op_dim(input, 3),
      .y = {(int)height, (int)rows, p.filter_height, p.stride_height, 1, over_y > 0 ? (int)(over_y / 2) : 0},
      .x = {(int)width, (int)cols, p.filter_width, p.stride_width, 1, over_x > 0 ? (int)(over_x / 2) : 0},
      .z = POOL_FLAT,
  };
  return op_resize(context, output, 4, (int[]){s->batches, s->y.in, s->x.in, s->channels});
}

static TfLiteStatus unpool_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *indices = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  const pool_shape *s = node->user_data;
  if (op_count(output) == 0) return kTfLiteOk;
  if (indices->type == kTfLiteFloat32)
    unpool_taps_f32(s, input->data.f, indices->data.f, output->data.f);
  else
    OP_CHECK(context, unpool_pixels_f32(s, input->data.f, indices->data.i32, output->data.f), "an index is outside the output");
  return kTfLiteOk;
}

const op_descriptor arn_op_max_unpooling_2d = {
    OP_CUSTOM_ROW(MaxUnpooling2D),
    .state_size = sizeof(pool_shape),
    .prepare = unpool_prepare,
    .eval = unpool_eval,
};
