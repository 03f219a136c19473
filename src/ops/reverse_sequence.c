// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE: for each index b of the batch dimension, turns the first lengths[b] (input 1) elements along the sequence
// dimension around.
#include "ops/move_common.h"

typedef struct reverse_sequence_state {
  int32_t seq_dim, batch_dim;
} reverse_sequence_state;

static void reverse_sequence_parse(fb_table options, void *params) {
  TfLiteReverseSequenceParams *p = params;
  p->seq_dim = ReverseSequenceOptions_seq_dim(options);
  p->batch_dim = ReverseSequenceOptions_batch_dim(options);
}

static TfLiteStatus reverse_sequence_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteReverseSequenceParams *params = node->builtin_data;
  reverse_sequence_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *lengths = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_REVERSE_SEQUENCE));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, lengths, "lengths", OP_I32 | OP_I64));
  int rank = op_rank(input);
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  *state = (reverse_sequence_state){params->seq_dim, params->batch_dim};
  OP_CHECK(context,
           params->seq_dim >= 0 && params->seq_dim < rank && params->batch_dim >= 0 && params->batch_dim < rank &&
               params->seq_dim != params->batch_dim,
           "seq_dim %d and batch_dim %d do not fit rank %d", params->seq_dim, params->batch_dim, rank);
  OP_CHECK(context, op_rank(lengths) == 1 && op_dim(lengths, 0) == op_dim(input, state->batch_dim),
           "lengths must have %d entries, one for each of the batch", op_dim(input, state->batch_dim));
  return op_resize_like(context, output, input);
}

static TfLiteStatus reverse_sequence_eval(TfLiteContext *context, TfLiteNode *node) {
  const reverse_sequence_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *lengths = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  int batches = op_dim(input, state->batch_dim), whole = op_dim(input, state->seq_dim);
  size_t bytes = op_type_size((TfLiteType)input->type);
  if (op_count(input) == 0) return kTfLiteOk;
  ptrdiff_t step[OP_MAX_RANK];
  move_steps(op_rank(input), input->dims->data, step);
  for (int b = 0; b < batches; b++) {
    int64_t length = move_int_at(lengths, (size_t)b);
    OP_CHECK(context, length <= whole, "length %d is %lld, the sequence has %d elements", b, (long long)length, whole);
    int turned = length < 0 ? 0 : (int)length;
    move_view view = {0};  // the part that is turned around, then the part that stays
    int seq = -1;
    for (int i = 0; i < op_rank(input); i++) {
      if (i == state->seq_dim) seq = view.rank;
      if (i != state->batch_dim) move_add(&view, (size_t)op_dim(input, i), step[i], step[i]);
    }
    size_t base = (size_t)(b * step[state->batch_dim]), seq_step = (size_t)step[state->seq_dim];
    if (turned) {
      view.size[seq] = (size_t)turned;
      view.from[seq] = -step[state->seq_dim];
      move_copy(&view, bytes, input->data.uint8 + (base + (size_t)(turned - 1) * seq_step) * bytes,
                output->data.uint8 + base * bytes);
      view.from[seq] = step[state->seq_dim];
    }
    view.size[seq] = (size_t)(whole - turned);
    size_t rest = (base + (size_t)turned * seq_step) * bytes;
    if (turned < whole) move_copy(&view, bytes, input->data.uint8 + rest, output->data.uint8 + rest);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_reverse_sequence = {
    OP_ROW(REVERSE_SEQUENCE),
    .state_size = sizeof(reverse_sequence_state),
    .params_size = sizeof(TfLiteReverseSequenceParams),
    .parse = reverse_sequence_parse,
    .prepare = reverse_sequence_prepare,
    .eval = reverse_sequence_eval,
    .cost = move_no_macs,
};
