// SPDX-License-Identifier: Apache-2.0
// Binary operators without options or quantisation: MAXIMUM, MINIMUM, POW, ATAN2, BITWISE_XOR, RIGHT_SHIFT, LOGICAL_AND,
// LOGICAL_OR. Source of the rules: TFLite kernels/maximum_minimum.cc, pow.cc, atan2.cc, bitwise_xor.cc, right_shift.cc,
// logical.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

static TfLiteStatus run_plain(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *rows) {
  return elementwise_run_binary(context, node, elementwise_row(rows, (TfLiteType)op_input(context, node, 0)->type), NULL);
}

// The state is whether prepare did it all.
#define PLAIN_BINARY(NAME, name, rows)                                                                       \
  static TfLiteStatus name##_eval(TfLiteContext *context, TfLiteNode *node) {                                \
    return *(const bool *)node->user_data ? kTfLiteOk : run_plain(context, node, &rows);                     \
  }                                                                                                          \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                             \
    OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_##NAME, kTfLiteNoType));                       \
    return elementwise_fold(context, node, name##_eval, node->user_data);                                    \
  }                                                                                                          \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE, \
                                       .prepare = name##_prepare, .eval = name##_eval};

PLAIN_BINARY(MAXIMUM, maximum, arith_maximum)
PLAIN_BINARY(MINIMUM, minimum, arith_minimum)
PLAIN_BINARY(BITWISE_XOR, bitwise_xor, arith_xor)
PLAIN_BINARY(RIGHT_SHIFT, right_shift, arith_shift_right)
PLAIN_BINARY(LOGICAL_AND, logical_and, arith_logical_and)
PLAIN_BINARY(LOGICAL_OR, logical_or, arith_logical_or)

static TfLiteStatus pow_prepare(TfLiteContext *context, TfLiteNode *node) {
  return elementwise_prepare_binary(context, node, OP_TYPES_POW, kTfLiteNoType);
}
static TfLiteStatus pow_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *exponent = op_input(context, node, 1);
  if (exponent->type == kTfLiteInt32) {
    size_t n = op_count(exponent);
    for (size_t i = 0; i < n; i++)
      OP_CHECK(context, exponent->data.i32[i] >= 0, "an integer cannot be raised to a negative power");
  }
  return run_plain(context, node, &arith_pow);
}
const op_descriptor arn_op_pow = {OP_ROW(POW), .in_place = OP_ELEMENTWISE, .prepare = pow_prepare, .eval = pow_eval};

// The reference asks for equal ranks only and then reads both inputs by the first one's size; here the shapes broadcast.
static TfLiteStatus atan2_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  OP_CHECK(context, op_rank(op_input(context, node, 0)) == op_rank(op_input(context, node, 1)),
           "input 0 has rank %d, input 1 rank %d", op_rank(op_input(context, node, 0)), op_rank(op_input(context, node, 1)));
  return elementwise_prepare_binary(context, node, OP_TYPES_ATAN2, kTfLiteNoType);
}
static TfLiteStatus atan2_eval(TfLiteContext *context, TfLiteNode *node) { return run_plain(context, node, &arith_atan2); }
const op_descriptor arn_op_atan2 = {OP_ROW(ATAN2), .in_place = OP_ELEMENTWISE, .prepare = atan2_prepare, .eval = atan2_eval};
// The custom operator from before ATAN2 was built in.
const op_descriptor arn_op_atan2_custom = {OP_CUSTOM_ROW(atan2), .in_place = OP_ELEMENTWISE, .prepare = atan2_prepare,
                                           .eval = atan2_eval};
