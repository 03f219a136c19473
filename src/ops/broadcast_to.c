// SPDX-License-Identifier: Apache-2.0
// BROADCAST_TO: repeats the input's dimensions of size 1 (and those it lacks in front) until it has the shape that input 1 gives.
#include "ops/move_common.h"

static TfLiteStatus broadcast_to_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_read_ints(context, op_input(context, node, 1), "shape", OP_MAX_RANK, dims, &rank));
  int added = rank - op_rank(input);
  OP_CHECK(context, added >= 0, "a shape of rank %d is too short for an input of rank %d", rank, op_rank(input));
  for (int i = 0; i < op_rank(input); i++) {
    OP_CHECK(context, op_dim(input, i) == 1 || op_dim(input, i) == dims[added + i], "dimension %d of size %d cannot become %d", i,
             op_dim(input, i), dims[added + i]);
  }
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus broadcast_to_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *shape = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_BROADCAST_TO));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, shape, "shape", OP_I32 | OP_I64));
  OP_CHECK(context, op_rank(shape) == 1, "the shape must be a vector, it has rank %d", op_rank(shape));
  return op_is_constant(shape) ? broadcast_to_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus broadcast_to_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(broadcast_to_resize(context, node));
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK];
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  int added = op_rank(output) - op_rank(input);
  move_view view = {0};
  for (int i = 0; i < op_rank(output); i++) {
    bool repeat = i < added || op_dim(input, i - added) == 1;
    move_add(&view, (size_t)op_dim(output, i), repeat ? 0 : from[i - added], to[i]);
  }
  return move_tensor(context, &view, input, 0, output);
}

const op_descriptor arn_op_broadcast_to = {OP_ROW(BROADCAST_TO), .prepare = broadcast_to_prepare, .eval = broadcast_to_eval,
                                           .cost = move_no_macs};
