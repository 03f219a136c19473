// SPDX-License-Identifier: Apache-2.0
// L2_POOL_2D of float32: the root of the mean of squares. Source of the rules: TFLite reference, pooling.cc.
#include "ops/pool_common.h"

static TfLiteStatus pool_l2_prepare(TfLiteContext *context, TfLiteNode *node) {
  return pool_prepare(context, node, OP_TYPES_L2_POOL_2D);
}

static TfLiteStatus pool_l2_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  const pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  pool_l2_f32(s, op_input(context, node, 0)->data.f, output->data.f, state->real_low, state->real_high, 0, s->batches * s->y.out);
  return kTfLiteOk;
}

const op_descriptor arn_op_l2_pool_2d = {
    OP_ROW(L2_POOL_2D),  .state_size = sizeof(pool_state), .params_size = sizeof(TfLitePoolParams),
    .parse = pool_parse, .prepare = pool_l2_prepare,       .eval = pool_l2_eval,
    .cost = pool_cost,
};
