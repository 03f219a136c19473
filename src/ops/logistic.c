// SPDX-License-Identifier: Apache-2.0
// LOGISTIC and TANH. Source of the rules: TFLite kernels/activations.cc (TanhPrepare, SigmoidPrepare and their reference
// evaluations).
#include "ops/unary_common.h"

typedef struct logistic_state {
  table_sigmoid sigmoid;  // int16
  void *table;            // 8-bit types
} logistic_state;

static float logistic_real(float x, const void *params) {
  (void)params;
  return 1.0f / (1.0f + expf(-x));
}
static float tanh_real(float x, const void *params) {
  (void)params;
  return tanhf(x);
}

static TfLiteStatus logistic_prepare_16(TfLiteContext *context, TfLiteNode *node, int doublings) {
  logistic_state *s = node->user_data;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  // Within a thousandth of an octave, as the reference compares scales to powers of two.
  OP_CHECK(context, fabsf(log2f(scales.out) + 15.0f) < 1e-3f, "a 16-bit output must have scale 1/32768");
  s->sigmoid = table_sigmoid_of_scale(scales.in, doublings);
  return kTfLiteOk;
}

static TfLiteStatus logistic_prepare(TfLiteContext *context, TfLiteNode *node) {
  logistic_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_LOGISTIC, kTfLiteNoType));
  const TfLiteTensor *output = op_output(context, node, 0);
  if (output->type == kTfLiteInt16) {
    OP_CHECK(context, op_scale(output) == 1.0f / 32768, "a 16-bit output must have scale 1/32768");
    return logistic_prepare_16(context, node, 0);
  }
  if (!elementwise_is_8bit((TfLiteType)output->type)) return kTfLiteOk;
  OP_CHECK(context, op_scale(output) == 1.0f / 256, "an 8-bit output must have scale 1/256");
  return unary_table_real(context, node, logistic_real, NULL, &s->table);
}

static TfLiteStatus tanh_prepare(TfLiteContext *context, TfLiteNode *node) {
  logistic_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_TANH, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type == kTfLiteInt16) return logistic_prepare_16(context, node, 1);
  return elementwise_is_8bit(type) ? unary_table_real(context, node, tanh_real, NULL, &s->table) : kTfLiteOk;
}

static TfLiteStatus run_sigmoid(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *rows, broadcast_row row_16) {
  const logistic_state *s = node->user_data;
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type == kTfLiteInt16) return elementwise_run_unary(context, node, row_16, &s->sigmoid);
  if (elementwise_is_8bit(type)) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, elementwise_row(rows, type), NULL);
}

static TfLiteStatus logistic_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_sigmoid(context, node, &unary_logistic, table_row_logistic_16);
}
static TfLiteStatus tanh_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_sigmoid(context, node, &unary_tanh, table_row_tanh_16);
}

const op_descriptor arn_op_logistic = {OP_ROW(LOGISTIC), .state_size = sizeof(logistic_state), .in_place = OP_ELEMENTWISE,
                                       .prepare = logistic_prepare, .eval = logistic_eval};
const op_descriptor arn_op_tanh = {OP_ROW(TANH), .state_size = sizeof(logistic_state), .in_place = OP_ELEMENTWISE,
                                   .prepare = tanh_prepare, .eval = tanh_eval};
