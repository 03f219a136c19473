// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D (MediaPipe): max pooling of a float32 image; the second output, float32 too, numbers each maximum's
// place in its window. Options: TfLitePoolParams. MaxPoolWithArgmax (TFLite perception kernels): the second output, int32,
// numbers its place in the image. Options: a FlexBuffers map. Sources of the rules: mediapipe max_pool_argmax.cc, TFLite
// perception/max_pool_with_argmax.cc.
#include "kernels/unpool.h"
#include "ops/flex_options.h"
#include "ops/pool_common.h"
#include "ops/raw_options.h"

static TfLiteStatus argmax_pool_set(TfLiteContext *context, TfLiteNode *node, const TfLitePoolParams *p, uint32_t index_type) {
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0), *indices = op_output(context, node, 1);
  pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_TRY(op_check_type(context, indices, "index output", index_type));
  OP_TRY(pool_set_shape(context, p, input, &state->shape));
  OP_CHECK(context, (int64_t)s->y.in * s->x.in <= INT32_MAX / (s->channels > 0 ? s->channels : 1), "the image is too large");
  op_activation_range_f32(p->activation, &state->real_low, &state->real_high);
  const int dims[] = {s->batches, s->y.out, s->x.out, s->channels};
  OP_TRY(op_resize(context, indices, 4, dims));
  return op_resize(context, output, 4, dims);
}

static TfLiteStatus argmax_pool_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0), *indices = op_output(context, node, 1);
  const pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  bool taps = indices->type == kTfLiteFloat32;
  if (op_count(output) == 0) return kTfLiteOk;
  unpool_max_f32(s, op_input(context, node, 0)->data.f, output->data.f, taps ? indices->data.f : NULL,
                 taps ? NULL : indices->data.i32, state->real_low, state->real_high, 0, s->batches * s->y.out);
  return kTfLiteOk;
}

static TfLiteStatus argmax_pool_prepare(TfLiteContext *context, TfLiteNode *node) {
  TfLitePoolParams p;
  OP_CHECK(context, raw_pool_options(node, &p), "the options have %d bytes, those of a pool are needed",
           node->custom_initial_data_size);
  return argmax_pool_set(context, node, &p, OP_F32);
}

const op_descriptor arn_op_max_pooling_with_argmax_2d = {
    OP_CUSTOM_ROW(MaxPoolingWithArgmax2D),
    .state_size = sizeof(pool_state),
    .prepare = argmax_pool_prepare,
    .eval = argmax_pool_eval,
    .cost = pool_cost,
};

// [1, height, width, 1] of a map.
static bool argmax_pool_window(flex_value map, const char *key, int *height, int *width) {
  flex_value v = flex_get(map, key);
  *height = flex_int32(flex_at(v, 1));
  *width = flex_int32(flex_at(v, 2));
  return flex_count(v) == 4 && flex_int32(flex_at(v, 0)) == 1 && flex_int32(flex_at(v, 3)) == 1;
}

static TfLiteStatus argmax_pool_flex_prepare(TfLiteContext *context, TfLiteNode *node) {
  flex_value map = flex_options(node), padding = flex_get(map, "padding");
  TfLitePoolParams p = {.padding = flex_text_is(padding, "SAME")    ? kTfLitePaddingSame
                                   : flex_text_is(padding, "VALID") ? kTfLitePaddingValid
                                                                    : kTfLitePaddingUnknown};
  OP_CHECK(context,
           argmax_pool_window(map, "ksize", &p.filter_height, &p.filter_width) &&
               argmax_pool_window(map, "strides", &p.stride_height, &p.stride_width),
           "ksize and strides must be [1, height, width, 1]");
  OP_CHECK(context, !flex_bool(flex_get(map, "include_batch_in_index")), "include_batch_in_index is not possible");
  return argmax_pool_set(context, node, &p, OP_I32);
}

const op_descriptor arn_op_max_pool_with_argmax = {
    OP_CUSTOM_ROW(MaxPoolWithArgmax),
    .state_size = sizeof(pool_state),
    .prepare = argmax_pool_flex_prepare,
    .eval = argmax_pool_eval,
    .cost = pool_cost,
};
