// SPDX-License-Identifier: Apache-2.0
// BROADCAST_ARGS: the shape that two shapes (vectors of int32 or int64) broadcast to.
#include "ops/move_common.h"

static TfLiteStatus broadcast_args_run(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *a = op_input(context, node, 0), *b = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  int rank_a = op_dim(a, 0), rank_b = op_dim(b, 0), rank = op_dim(output, 0);
  for (int i = 1; i <= rank; i++) {
    int64_t size_a = i <= rank_a ? move_int_at(a, (size_t)(rank_a - i)) : 1,
            size_b = i <= rank_b ? move_int_at(b, (size_t)(rank_b - i)) : 1;
    OP_CHECK(context, size_a == size_b || size_a == 1 || size_b == 1,
             "%lld and %lld do not broadcast, dimension %d from the last", (long long)size_a, (long long)size_b, i);
    int64_t size = size_a == 1 ? size_b : size_a;
    if (output->type == kTfLiteInt32)
      output->data.i32[rank - i] = (int32_t)size;
    else
      output->data.i64[rank - i] = size;
  }
  return kTfLiteOk;
}

static TfLiteStatus broadcast_args_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *a = op_input(context, node, 0), *b = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, a, "input 0", OP_I32 | OP_I64));
  OP_CHECK(context, b->type == a->type && output->type == a->type, "inputs and output must be of one type");
  OP_CHECK(context, op_rank(a) == 1 && op_rank(b) == 1, "the inputs must be vectors");
  int rank = op_dim(a, 0) > op_dim(b, 0) ? op_dim(a, 0) : op_dim(b, 0);
  if (!move_folds(a) || !move_folds(b)) return op_resize(context, output, 1, &rank);
  OP_TRY(op_resize_persistent(context, output, 1, &rank));
  return broadcast_args_run(context, node);
}

static TfLiteStatus broadcast_args_eval(TfLiteContext *context, TfLiteNode *node) {
  return op_is_constant(op_output(context, node, 0)) ? kTfLiteOk : broadcast_args_run(context, node);
}

const op_descriptor arn_op_broadcast_args = {OP_ROW(BROADCAST_ARGS), .prepare = broadcast_args_prepare,
                                             .eval = broadcast_args_eval, .cost = move_no_macs};
