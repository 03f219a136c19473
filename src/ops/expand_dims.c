// SPDX-License-Identifier: Apache-2.0
// EXPAND_DIMS: puts a dimension of size 1 before dimension `axis` (input 1; it may count from the end).
#include "ops/move_common.h"

static TfLiteStatus expand_dims_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int rank = op_rank(input), axis, dims[OP_MAX_RANK];
  OP_CHECK(context, rank < OP_MAX_RANK, "an input of rank %d cannot grow", rank);
  OP_TRY(move_read_one(context, op_input(context, node, 1), "axis", &axis));
  OP_TRY(move_axis(context, axis, rank + 1, &axis));
  for (int i = 0; i <= rank; i++) dims[i] = i == axis ? 1 : op_dim(input, i - (i > axis));
  return op_resize(context, op_output(context, node, 0), rank + 1, dims);
}

static TfLiteStatus expand_dims_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(move_take_type(context, output, (TfLiteType)input->type));
  OP_CHECK(context, move_same_quantisation(input, output), "input and output differ in scale or zero point");
  OP_CHECK(context, input->type != kTfLiteInt16 || op_zero_point(input) == 0, "a 16-bit input has the zero point %d, not 0",
           (int)op_zero_point(input));
  if (!op_is_constant(op_input(context, node, 1))) return op_make_dynamic(context, output);
  return expand_dims_resize(context, node);
}

static TfLiteStatus expand_dims_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(expand_dims_resize(context, node));
  return move_as_is(context, op_input(context, node, 0), output);
}

const op_descriptor arn_op_expand_dims = {
    OP_ROW(EXPAND_DIMS), .in_place = OP_VIEW, .prepare = expand_dims_prepare, .eval = expand_dims_eval, .cost = move_no_macs,
};
