// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D of float32, uint8, int8 and int16. Source of the rules: TFLite reference, pooling.cc.
#include "ops/pool_common.h"

static TfLiteStatus pool_average_prepare(TfLiteContext *context, TfLiteNode *node) {
  return pool_prepare(context, node, OP_TYPES_AVERAGE_POOL_2D);
}

static TfLiteStatus pool_average_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  const pool_state *state = node->user_data;
  const pool_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  int rows = s->batches * s->y.out;
  for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) {
    switch (input->type) {
      case kTfLiteFloat32: pool_average_f32(s, input->data.f, output->data.f, state->real_low, state->real_high, w.first, w.end); break;
      case kTfLiteUInt8: pool_average_u8(s, input->data.uint8, output->data.uint8, state->low, state->high, w.first, w.end); break;
      case kTfLiteInt8: pool_average_s8(s, input->data.int8, output->data.int8, state->low, state->high, w.first, w.end); break;
      default:
        pool_average_s16(s, input->data.i16, output->data.i16, state->low, state->high, w.first, w.end);  // prepare let only int16 through
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_average_pool_2d = {
    OP_ROW(AVERAGE_POOL_2D), .state_size = sizeof(pool_state), .params_size = sizeof(TfLitePoolParams),
    .parse = pool_parse,     .prepare = pool_average_prepare,  .eval = pool_average_eval,
    .cost = pool_cost, .in_place = OP_ROWS, .share = pool_share,
};
