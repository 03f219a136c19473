// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2: elements of x where the condition holds, else of y. Source of the rules: TFLite kernels/select.cc.
#include "ops/elementwise_common.h"

// By the width of an element: a choice is a copy.
#define SELECT_ROW(name, type)                                                                           \
  static void name(const void *params, const void *const *in, const size_t *step, void *out, size_t n) { \
    const uint8_t *condition = in[0];                                                                    \
    const type *xs = in[1], *ys = in[2];                                                                 \
    type *rs = out;                                                                                      \
    (void)params;                                                                                        \
    if (step[0] && step[1] && step[2]) {                                                                 \
      for (size_t i = 0; i < n; i++) rs[i] = condition[i] ? xs[i] : ys[i];                               \
    } else {                                                                                             \
      for (size_t i = 0; i < n; i++) rs[i] = condition[i * step[0]] ? xs[i * step[1]] : ys[i * step[2]]; \
    }                                                                                                    \
  }
SELECT_ROW(row_select_8, uint8_t)
SELECT_ROW(row_select_16, uint16_t)
SELECT_ROW(row_select_32, uint32_t)
SELECT_ROW(row_select_64, uint64_t)

// Joins a shape into another one that it broadcasts with.
static TfLiteStatus join_shape(TfLiteContext *context, const TfLiteTensor *t, int *rank, int *dims) {
  int joined = op_rank(t) > *rank ? op_rank(t) : *rank, result[OP_MAX_RANK];
  OP_CHECK(context, joined <= OP_MAX_RANK, "rank %d is over the limit of %d", joined, OP_MAX_RANK);
  for (int i = 1; i <= joined; i++) {
    int a = i <= *rank ? dims[*rank - i] : 1, b = i <= op_rank(t) ? op_dim(t, op_rank(t) - i) : 1;
    OP_CHECK(context, a == b || a == 1 || b == 1, "shapes do not broadcast: %d against %d, dimension %d from the last", a, b, i);
    result[joined - i] = a == 1 ? b : a;
  }
  *rank = joined;
  for (int i = 0; i < joined; i++) dims[i] = result[i];
  return kTfLiteOk;
}

static TfLiteStatus prepare_select(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, bool broadcast) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *condition = op_input(context, node, 0), *x = op_input(context, node, 1), *y = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, condition, "the condition", OP_BOOL));
  OP_TRY(op_check_type(context, x, "x", type_bits));
  OP_CHECK(context, x->type == y->type, "x is of type %s, y of type %s", op_type_name((TfLiteType)x->type),
           op_type_name((TfLiteType)y->type));
  output->type = x->type;
  // One element each: whatever ranks, the output keeps the shape that the model gives it.
  if (op_count(condition) == 1 && op_count(x) == 1 && op_count(y) == 1 && op_count(output) == 1)
    return op_resize_like(context, output, output);
  if (broadcast) {
    int rank = 0, dims[OP_MAX_RANK];
    OP_TRY(join_shape(context, condition, &rank, dims));
    OP_TRY(join_shape(context, x, &rank, dims));
    OP_TRY(join_shape(context, y, &rank, dims));
    return op_resize(context, output, rank, dims);
  }
  OP_CHECK(context, op_same_shape(x, y), "x and y differ in shape");
  bool per_row = op_rank(condition) == 1 && op_rank(x) > 0 && op_dim(condition, 0) == op_dim(x, 0);
  OP_CHECK(context, op_same_shape(condition, x) || op_rank(condition) == 0 || per_row,
           "the condition must be a scalar, have x's shape, or one value for each of x's rows");
  return op_resize_like(context, output, x);
}

// per_row: a condition of rank 1 goes with the first dimension, not with the last.
static TfLiteStatus run_select(TfLiteContext *context, TfLiteNode *node, bool per_row) {
  if (*(const bool *)node->user_data) return kTfLiteOk;
  const TfLiteTensor *condition = op_input(context, node, 0), *x = op_input(context, node, 1), *y = op_input(context, node, 2);
  size_t bytes = op_type_size((TfLiteType)x->type);
  broadcast_row row = bytes == 1 ? row_select_8 : bytes == 2 ? row_select_16 : bytes == 4 ? row_select_32 : row_select_64;
  int stretched[OP_MAX_RANK];
  broadcast_input in[3] = {{condition->data.raw, 1, op_rank(condition), condition->dims->data},
                           {x->data.raw, bytes, op_rank(x), x->dims->data},
                           {y->data.raw, bytes, op_rank(y), y->dims->data}};
  if (per_row && op_rank(condition) == 1 && op_rank(x) > 1) {
    stretched[0] = op_dim(condition, 0);
    for (int i = 1; i < op_rank(x); i++) stretched[i] = 1;
    in[0].rank = op_rank(x);
    in[0].dims = stretched;
  }
  broadcast_run(row, NULL, 3, in, op_output(context, node, 0)->data.raw, bytes);
  return kTfLiteOk;
}

static TfLiteStatus select_eval(TfLiteContext *context, TfLiteNode *node) { return run_select(context, node, true); }
static TfLiteStatus select_v2_eval(TfLiteContext *context, TfLiteNode *node) { return run_select(context, node, false); }

static TfLiteStatus select_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(prepare_select(context, node, OP_TYPES_SELECT, false));
  return elementwise_fold(context, node, select_eval, node->user_data);  // the state is whether prepare did it all
}
static TfLiteStatus select_v2_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(prepare_select(context, node, OP_TYPES_SELECT_V2, true));
  return elementwise_fold(context, node, select_v2_eval, node->user_data);
}

const op_descriptor arn_op_select = {OP_ROW(SELECT), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE,
                                     .prepare = select_prepare, .eval = select_eval};
const op_descriptor arn_op_select_v2 = {OP_ROW(SELECT_V2), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE,
                                        .prepare = select_v2_prepare, .eval = select_v2_eval};
