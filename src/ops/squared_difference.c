// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE. Source of the rules: TFLite kernels/squared_difference.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

static TfLiteStatus squared_difference_prepare(TfLiteContext *context, TfLiteNode *node) {
  arith_quantized *q = node->user_data;
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_SQUARED_DIFFERENCE, kTfLiteNoType));
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1), *output = op_output(context, node, 0);
  if (x->type != kTfLiteInt8) return kTfLiteOk;
  OP_TRY(elementwise_check_quantized(context, x, "input 0"));
  OP_TRY(elementwise_check_quantized(context, y, "input 1"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  q->offset_x = -op_zero_point(x);
  q->offset_y = -op_zero_point(y);
  q->offset_out = op_zero_point(output);
  q->left_shift = 7;  // a difference stays below 2^15, its square in an int32
  q->low = INT8_MIN;
  q->high = INT8_MAX;
  double twice_larger = 2 * (op_scale(x) > op_scale(y) ? op_scale(x) : op_scale(y));
  OP_TRY(elementwise_multiplier(context, op_scale(x) / twice_larger, &q->x));
  OP_TRY(elementwise_multiplier(context, op_scale(y) / twice_larger, &q->y));
  return elementwise_multiplier(context, twice_larger * twice_larger / ((float)(1 << 14) * op_scale(output)), &q->out);
}

static TfLiteStatus squared_difference_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  const broadcast_rows *rows = type == kTfLiteInt8 ? &arith_squared_difference_quantized : &arith_squared_difference;
  return elementwise_run_binary(context, node, elementwise_row(rows, type), node->user_data);
}

const op_descriptor arn_op_squared_difference = {OP_ROW(SQUARED_DIFFERENCE), .state_size = sizeof(arith_quantized),
                                                 .in_place = OP_ELEMENTWISE, .prepare = squared_difference_prepare,
                                                 .eval = squared_difference_eval};
