// SPDX-License-Identifier: Apache-2.0
// AveragePool3D and MaxPool3D, custom operators of float32, int8 and int16. Options: a FlexBuffers map. Source of the rules:
// TFLite pooling3d.cc.
#include "flatbuffer/flex_read.h"
#include "ops/pool_common.h"

// [1, depth, height, width, 1] of a map.
static bool pool_3d_sizes(flex_value map, const char *key, int sizes[3]) {
  flex_value v = flex_get(map, key);
  for (int i = 0; i < 3; i++) sizes[i] = flex_int32(flex_at(v, (size_t)i + 1));
  return flex_count(v) == 5 && flex_int32(flex_at(v, 0)) == 1 && flex_int32(flex_at(v, 4)) == 1;
}

static TfLiteStatus pool_3d_set_shape(TfLiteContext *context, const TfLiteNode *node, const TfLiteTensor *input, pool_shape *s) {
  flex_value map =
      flex_root(node->custom_initial_data, node->custom_initial_data_size > 0 ? (size_t)node->custom_initial_data_size : 0);
  flex_value padding = flex_get(map, "padding");
  bool same = flex_text_is(padding, "SAME");
  int window[3], stride[3];
  OP_CHECK(context, op_rank(input) == 5, "the input has rank %d, 5 is needed", op_rank(input));
  OP_CHECK(context, flex_text_is(flex_get(map, "data_format"), "NDHWC"), "data_format must be NDHWC");
  OP_CHECK(context, same || flex_text_is(padding, "VALID"), "unknown padding");
  OP_CHECK(context, pool_3d_sizes(map, "ksize", window) && pool_3d_sizes(map, "strides", stride),
           "ksize and strides must be [1, depth, height, width, 1]");
  *s = (pool_shape){
      .batches = op_dim(input, 0),
      .channels = op_dim(input, 4),
      .z = {.in = op_dim(input, 1), .taps = window[0], .stride = stride[0], .dilation = 1},
      .y = {.in = op_dim(input, 2), .taps = window[1], .stride = stride[1], .dilation = 1},
      .x = {.in = op_dim(input, 3), .taps = window[2], .stride = stride[2], .dilation = 1},
  };
  window_axis *axes[] = {&s->z, &s->y, &s->x};
  int64_t pixels = 1, rows = s->batches;
  for (int i = 0; i < 3; i++) {
    OP_CHECK(context, window_fit(axes[i], same, NULL), "a window of %d with stride %d does not fit dimension %d of %d", window[i],
             stride[i], i + 1, axes[i]->in);
    pixels *= axes[i]->in < axes[i]->taps ? axes[i]->in : axes[i]->taps;
    if (i < 2) rows *= axes[i]->out;
    OP_CHECK(context, pixels <= 1 << 30 && rows <= INT32_MAX, "the window or the output is too large");
  }
  return kTfLiteOk;
}

static TfLiteStatus pool_3d_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  OP_TRY(op_check_type(context, input, "input", OP_F32 | OP_I8 | OP_I16));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_TRY(pool_3d_set_shape(context, node, input, &state->shape));
  if (input->type == kTfLiteInt8) {
    float difference = op_scale(input) - op_scale(output);
    OP_CHECK(context, difference <= 1e-6f && difference >= -1e-6f, "input and output have different scales");
  }
  op_activation_range_f32(kTfLiteActNone, &state->real_low, &state->real_high);
  if (input->type != kTfLiteFloat32) OP_TRY(op_activation_range(context, kTfLiteActNone, output, &state->low, &state->high));
  return op_resize(context, output, 5, (int[]){s->batches, s->z.out, s->y.out, s->x.out, s->channels});
}

static TfLiteStatus pool_3d_average_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  const pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  int rows = s->batches * s->z.out * s->y.out;
  if (op_count(output) == 0) return kTfLiteOk;
  switch (input->type) {
    case kTfLiteFloat32: pool_average_f32(s, input->data.f, output->data.f, state->real_low, state->real_high, 0, rows); break;
    case kTfLiteInt8: pool_average_s8(s, input->data.int8, output->data.int8, state->low, state->high, 0, rows); break;
    default:
      pool_average_s16(s, input->data.i16, output->data.i16, state->low, state->high, 0, rows);  // prepare let only int16 through
  }
  return kTfLiteOk;
}

static TfLiteStatus pool_3d_max_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  const pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  int rows = s->batches * s->z.out * s->y.out;
  if (op_count(output) == 0) return kTfLiteOk;
  switch (input->type) {
    case kTfLiteFloat32: pool_max_f32(s, input->data.f, output->data.f, state->real_low, state->real_high, 0, rows); break;
    case kTfLiteInt8: pool_max_s8(s, input->data.int8, output->data.int8, state->low, state->high, 0, rows); break;
    default:
      pool_max_s16(s, input->data.i16, output->data.i16, state->low, state->high, 0, rows);  // prepare let only int16 through
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_average_pool_3d = {
    OP_CUSTOM_ROW(AveragePool3D),
    .state_size = sizeof(pool_state),
    .prepare = pool_3d_prepare,
    .eval = pool_3d_average_eval,
    .cost = pool_cost,
};
const op_descriptor arn_op_max_pool_3d = {
    OP_CUSTOM_ROW(MaxPool3D), .state_size = sizeof(pool_state), .prepare = pool_3d_prepare, .eval = pool_3d_max_eval,
    .cost = pool_cost,
};
