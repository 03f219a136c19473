// SPDX-License-Identifier: Apache-2.0
// SLICE: a box of the input, from `begin` (input 1) of `size` (input 2); a size of -1 reaches to the end.
#include "ops/move_common.h"

// One dimension's begin and size; begin_known false: begin is data and size not -1.
static TfLiteStatus slice_bound(TfLiteContext *context, TfLiteNode *node, int i, bool begin_known, int *begin, int *size) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int64_t whole = op_dim(input, i), from = begin_known ? move_int_at(op_input(context, node, 1), (size_t)i) : 0;
  int64_t count = move_int_at(op_input(context, node, 2), (size_t)i);
  OP_CHECK(context, from >= 0 && from <= whole && count >= -1 && count <= whole && (count == -1 || from + count <= whole),
           "dimension %d of size %d has no %lld elements from %lld on", i, (int)whole, (long long)count, (long long)from);
  *begin = (int)from;
  *size = (int)(count == -1 ? whole - from : count);
  return kTfLiteOk;
}

static TfLiteStatus slice_resize(TfLiteContext *context, TfLiteNode *node, bool begin_known) {
  int rank = op_rank(op_input(context, node, 0)), dims[OP_MAX_RANK], begin;
  for (int i = 0; i < rank; i++) OP_TRY(slice_bound(context, node, i, begin_known, &begin, &dims[i]));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus slice_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *begin = op_input(context, node, 1), *size = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SLICE));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, begin, "begin", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, size, "size", OP_I32 | OP_I64));
  int rank = op_rank(input);
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  OP_CHECK(context, op_rank(begin) == 1 && op_rank(size) == 1 && op_dim(begin, 0) == rank && op_dim(size, 0) == rank,
           "begin and size must have %d entries, the input's rank", rank);
  // A constant size is all that the result's shape needs, unless it says "to the end".
  bool known = op_is_constant(size);
  for (int i = 0; i < rank && known; i++) known = move_int_at(size, (size_t)i) >= 0 || op_is_constant(begin);
  return known ? slice_resize(context, node, op_is_constant(begin)) : op_make_dynamic(context, output);
}

static TfLiteStatus slice_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(slice_resize(context, node, true));
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], first = 0;
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++) {
    int begin, size;
    OP_TRY(slice_bound(context, node, i, true, &begin, &size));
    move_add(&view, (size_t)size, from[i], to[i]);
    first += begin * from[i];
  }
  return move_tensor(context, &view, input, (size_t)first, output);
}

const op_descriptor arn_op_slice = {OP_ROW(SLICE), .prepare = slice_prepare, .eval = slice_eval, .cost = move_no_macs};
