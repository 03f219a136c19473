// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE: output dimension i is input dimension perm[i] (input 1; entries may count from the end).
#include "ops/move_common.h"

static TfLiteStatus transpose_read(TfLiteContext *context, TfLiteNode *node, int *perm) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 1);
  int count, rank = op_rank(input);
  OP_CHECK(context, op_rank(given) == 1 && op_dim(given, 0) == rank, "perm must have %d entries, the input's rank", rank);
  OP_TRY(op_read_ints(context, given, "perm", OP_MAX_RANK, perm, &count));
  unsigned seen = 0;
  for (int i = 0; i < rank; i++) {
    OP_TRY(move_axis(context, perm[i], rank, &perm[i]));
    OP_CHECK(context, !(seen >> perm[i] & 1), "dimension %d is named twice in perm", perm[i]);
    seen |= 1u << perm[i];
  }
  return kTfLiteOk;
}

static TfLiteStatus transpose_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int perm[OP_MAX_RANK], dims[OP_MAX_RANK];
  OP_TRY(transpose_read(context, node, perm));
  for (int i = 0; i < op_rank(input); i++) dims[i] = op_dim(input, perm[i]);
  return op_resize(context, op_output(context, node, 0), op_rank(input), dims);
}

static TfLiteStatus transpose_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *perm = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_TRANSPOSE));
  OP_TRY(op_check_type(context, perm, "perm", OP_I32));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  if (!op_is_constant(perm)) return op_make_dynamic(context, output);
  return transpose_resize(context, node);
}

// Whether the dimensions larger than 1 keep their order, so that the elements stay where they are.
static bool transpose_is_view(const TfLiteTensor *input, const int *perm) {
  int last = -1;
  for (int i = 0; i < op_rank(input); i++) {
    if (op_dim(input, perm[i]) == 1) continue;
    if (perm[i] <= last) return false;
    last = perm[i];
  }
  return true;
}

static TfLiteStatus transpose_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(transpose_resize(context, node));
  int perm[OP_MAX_RANK];
  OP_TRY(transpose_read(context, node, perm));
  if (transpose_is_view(input, perm)) return move_as_is(context, input, output);
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK];
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(output); i++) move_add(&view, (size_t)op_dim(output, i), from[perm[i]], to[i]);
  return move_tensor(context, &view, input, 0, output);
}

static void transpose_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 1);
  int perm[OP_MAX_RANK], rank = op_rank(input);
  bool view = op_is_constant(given);  // prepare has checked its entries then
  for (int i = 0; i < rank && view; i++) {
    perm[i] = (int)move_int_at(given, (size_t)i);
    if (perm[i] < 0) perm[i] += rank;
  }
  if (!view || !transpose_is_view(input, perm)) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_transpose = {
    OP_ROW(TRANSPOSE),      .in_place = OP_VIEW,  .share = transpose_share, .prepare = transpose_prepare,
    .eval = transpose_eval, .cost = move_no_macs,
};
