// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_ADD, MULTIPLY, MAXIMUM, MINIMUM, AND, SHIFT_LEFT: two tensors of one shape and type, plain arithmetic that wraps.
// Source of the rules: TFLite kernels/stablehlo_elementwise.h, stablehlo_shift_left.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

static TfLiteStatus prepare_stablehlo(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  OP_TRY(elementwise_check_same_type(context, node));
  OP_CHECK(context, op_same_shape(op_input(context, node, 0), op_input(context, node, 1)), "the inputs differ in shape");
  return elementwise_prepare_binary(context, node, type_bits, kTfLiteNoType);
}

// first: the input on the left side. An extreme of a NaN and a number is the first operand, so these compare the other way round
// than MAXIMUM.
#define STABLEHLO_BINARY(NAME, name, rows, first)                                                                           \
  static TfLiteStatus stablehlo_##name##_prepare(TfLiteContext *context, TfLiteNode *node) {                                \
    return prepare_stablehlo(context, node, OP_TYPES_STABLEHLO_##NAME);                                                     \
  }                                                                                                                         \
  static TfLiteStatus stablehlo_##name##_eval(TfLiteContext *context, TfLiteNode *node) {                                   \
    return elementwise_run_sides(context, node, elementwise_row(&rows, (TfLiteType)op_input(context, node, 0)->type), NULL, \
                                 first);                                                                                    \
  }                                                                                                                         \
  const op_descriptor arn_op_stablehlo_##name = {OP_ROW(STABLEHLO_##NAME), .in_place = OP_ELEMENTWISE,                      \
                                                 .prepare = stablehlo_##name##_prepare, .eval = stablehlo_##name##_eval};

STABLEHLO_BINARY(ADD, add, arith_plain_add, 0)
STABLEHLO_BINARY(MULTIPLY, multiply, arith_plain_mul, 0)
STABLEHLO_BINARY(MAXIMUM, maximum, arith_maximum, 1)
STABLEHLO_BINARY(MINIMUM, minimum, arith_minimum, 1)
STABLEHLO_BINARY(AND, and, arith_and, 0)
STABLEHLO_BINARY(SHIFT_LEFT, shift_left, arith_shift_left, 0)
