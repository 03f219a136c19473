// SPDX-License-Identifier: Apache-2.0
// FILL: a tensor of the shape that input 0 gives, every element the scalar input 1.
#include "ops/move_common.h"

static TfLiteStatus fill_resize(TfLiteContext *context, TfLiteNode *node) {
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_read_ints(context, op_input(context, node, 0), "dims", OP_MAX_RANK, dims, &rank));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus fill_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *dims = op_input(context, node, 0), *value = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, dims, "dims", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, value, "value", OP_TYPES_FILL));
  OP_CHECK(context, op_rank(dims) == 1 && op_rank(value) == 0, "dims must be a vector, the value a scalar");
  OP_TRY(move_take_type(context, output, (TfLiteType)value->type));
  OP_CHECK(context, move_same_quantisation(value, output), "value and output differ in scale or zero point");
  OP_CHECK(context, value->type != kTfLiteInt16 || op_zero_point(value) == 0, "a 16-bit value has the zero point %d, not 0",
           (int)op_zero_point(value));
  return op_is_constant(dims) ? fill_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus fill_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *value = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(fill_resize(context, node));
  move_view view = {0};
  move_add(&view, op_count(output), 0, 1);
  return move_tensor(context, &view, value, 0, output);
}

const op_descriptor arn_op_fill = {OP_ROW(FILL), .prepare = fill_prepare, .eval = fill_eval, .cost = move_no_macs};
