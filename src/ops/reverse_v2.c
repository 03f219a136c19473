// SPDX-License-Identifier: Apache-2.0
// REVERSE_V2: turns the order around along the axes that input 1 lists; they must be neighbours, as in the reference.
#include "ops/move_common.h"

// The axes as bits.
static TfLiteStatus reverse_v2_read(TfLiteContext *context, TfLiteNode *node, unsigned *axes) {
  int given[OP_MAX_RANK], count, rank = op_rank(op_input(context, node, 0));
  OP_TRY(op_read_ints(context, op_input(context, node, 1), "axis", OP_MAX_RANK, given, &count));
  *axes = 0;
  for (int i = 0; i < count; i++) {
    OP_TRY(move_axis(context, given[i], rank, &given[i]));
    OP_CHECK(context, !(*axes >> given[i] & 1), "axis %d is given twice", given[i]);
    *axes |= 1u << given[i];
  }
  unsigned lowest = *axes & (~*axes + 1), run = *axes + lowest;
  OP_CHECK(context, (run & *axes) == 0, "the axes are not neighbours");
  return kTfLiteOk;
}

static TfLiteStatus reverse_v2_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *axis = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_REVERSE_V2));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, axis, "axis", OP_I32));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  OP_CHECK(context, op_rank(axis) == 1 && op_dim(axis, 0) <= op_rank(input), "axis must be a vector of at most %d entries",
           op_rank(input));
  unsigned axes;
  if (op_is_constant(axis)) OP_TRY(reverse_v2_read(context, node, &axes));
  return op_resize_like(context, output, input);
}

static TfLiteStatus reverse_v2_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  unsigned axes;
  OP_TRY(reverse_v2_read(context, node, &axes));
  if (op_count(input) == 0) return kTfLiteOk;
  ptrdiff_t step[OP_MAX_RANK], first = 0;
  move_steps(op_rank(input), input->dims->data, step);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++) {
    bool reversed = axes >> i & 1;
    move_add(&view, (size_t)op_dim(input, i), reversed ? -step[i] : step[i], step[i]);
    if (reversed) first += (op_dim(input, i) - 1) * step[i];
  }
  return move_tensor(context, &view, input, (size_t)first, output);
}

const op_descriptor arn_op_reverse_v2 = {OP_ROW(REVERSE_V2), .prepare = reverse_v2_prepare, .eval = reverse_v2_eval,
                                         .cost = move_no_macs};
