// SPDX-License-Identifier: Apache-2.0
// WHERE: the coordinates (int64, one row each) of the elements that are not zero, in row-major order.
#include "ops/move_common.h"

// Non-zero by bytes would miss -0.0.
static bool where_holds(const TfLiteTensor *t, size_t i) {
  if (t->type == kTfLiteFloat32) return t->data.f[i] != 0;
  if (t->type == kTfLiteUInt32) return t->data.u32[i] != 0;
  return move_int_at(t, i) != 0;
}

static TfLiteStatus where_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *condition = op_input(context, node, 0);
  size_t count = op_count(condition), hits = 0;
  for (size_t i = 0; i < count; i++) hits += where_holds(condition, i);
  OP_CHECK(context, hits <= INT32_MAX, "too many elements");
  int dims[2] = {(int)hits, op_rank(condition)};
  return op_resize(context, op_output(context, node, 0), 2, dims);
}

static TfLiteStatus where_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *condition = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, condition, "condition", OP_TYPES_WHERE));
  OP_CHECK(context, op_rank(condition) >= 1 && op_rank(condition) <= OP_MAX_RANK, "the condition has rank %d",
           op_rank(condition));
  OP_TRY(move_take_type(context, output, kTfLiteInt64));
  return op_is_constant(condition) ? where_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus where_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *condition = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(where_resize(context, node));
  int rank = op_rank(condition);
  int64_t at[OP_MAX_RANK] = {0}, *row = output->data.i64;
  size_t count = op_count(condition);
  for (size_t i = 0; i < count; i++) {
    if (where_holds(condition, i)) {
      memcpy(row, at, (size_t)rank * sizeof *row);
      row += rank;
    }
    for (int d = rank - 1; d >= 0 && ++at[d] == op_dim(condition, d); d--) at[d] = 0;
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_where = {OP_ROW(WHERE), .prepare = where_prepare, .eval = where_eval};
