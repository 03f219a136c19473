// SPDX-License-Identifier: Apache-2.0
// Checks and shapes that the pooling operators share. Source of the rules: TFLite reference, pooling.cc.
#include "ops/pool_common.h"

static int pool_smaller(int a, int b) { return a < b ? a : b; }

TfLiteStatus pool_set_shape(TfLiteContext *context, const TfLitePoolParams *p, const TfLiteTensor *input, pool_shape *s) {
  OP_CHECK(context, op_rank(input) == 4, "the input has rank %d, 4 is needed", op_rank(input));
  *s = (pool_shape){
      .batches = op_dim(input, 0),
      .channels = op_dim(input, 3),
      .y = {.in = op_dim(input, 1), .taps = p->filter_height, .stride = p->stride_height, .dilation = 1},
      .x = {.in = op_dim(input, 2), .taps = p->filter_width, .stride = p->stride_width, .dilation = 1},
      .z = POOL_FLAT,
  };
  bool same = p->padding == kTfLitePaddingSame;
  OP_CHECK(context, same || p->padding == kTfLitePaddingValid, "unknown padding");
  OP_CHECK(context, window_fit(&s->y, same, NULL) && window_fit(&s->x, same, NULL),
           "a %d x %d window with strides %d and %d does not fit a %d x %d image", s->y.taps, s->x.taps, s->y.stride, s->x.stride,
           s->y.in, s->x.in);
  OP_CHECK(context, (int64_t)s->batches * s->y.out <= INT32_MAX, "too many output rows");
  OP_CHECK(context, (int64_t)pool_smaller(s->y.in, s->y.taps) * pool_smaller(s->x.in, s->x.taps) <= 1 << 30,
           "the window is too large");
  return kTfLiteOk;
}

TfLiteStatus pool_prepare(TfLiteContext *context, TfLiteNode *node, uint32_t types) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLitePoolParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  pool_state *state = node->user_data;
  OP_TRY(op_check_type(context, input, "input", types));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_TRY(pool_set_shape(context, p, input, &state->shape));
  if (input->type == kTfLiteFloat32)
    op_activation_range_f32(p->activation, &state->real_low, &state->real_high);
  else
    OP_TRY(op_activation_range(context, p->activation, output, &state->low, &state->high));
  const pool_shape *s = &state->shape;
  return op_resize(context, output, 4, (int[]){s->batches, s->y.out, s->x.out, s->channels});
}

void pool_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const pool_shape *s = &((const pool_state *)node->user_data)->shape;
  cost->macs = (uint64_t)op_count(op_output(context, node, 0)) * (uint64_t)s->y.taps * (uint64_t)s->x.taps * (uint64_t)s->z.taps;
}

void pool_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const window_axis *y = &((const pool_state *)node->user_data)->shape.y;
  op_share_rows(share, op_input(context, node, 0), op_output(context, node, 0), y->stride, y->pad, y->taps, y->dilation);
}
