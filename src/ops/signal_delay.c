// SPDX-License-Identifier: Apache-2.0
// SignalDelay: each row of int16 [..., n] is the next piece of a stream that comes out delay_length samples later, zeros first.
#include "ops/signal_common.h"

typedef struct signal_delay {
  int length;
  signal_state late;  // [rows, length]: samples that are still to come out
} signal_delay;

static TfLiteStatus signal_delay_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_delay *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_CHECK(context, op_rank(input) >= 1 && op_dim(input, op_rank(input) - 1) > 0, "input has no samples");
  op->length = signal_option(node, "delay_length");
  OP_CHECK(context, op->length >= 0, "delay_length is %d", op->length);
  size_t rows = op_count_between(input, 0, op_rank(input) - 1), samples;
  OP_CHECK(context, checked_mul(rows, (size_t)op->length, &samples), "the delay is too long");
  OP_TRY(signal_begin(context, &op->late, samples, sizeof(int16_t)));
  return op_resize_like(context, op_output(context, node, 0), input);
}

static TfLiteStatus signal_delay_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_delay *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  size_t rows = op_count_between(input, 0, op_rank(input) - 1), n = (size_t)op_dim(input, op_rank(input) - 1),
         length = (size_t)op->length;
  const int16_t *in = input->data.i16;
  int16_t *out = op_output(context, node, 0)->data.i16, *late = op->late.memory;
  size_t old = length < n ? length : n;  // samples that come from the state
  for (size_t r = 0; r < rows; r++, in += n, out += n) {
    if (length > 0) {
      memcpy(out, late, old * sizeof *out);
      memmove(late, late + old, (length - old) * sizeof *late);
      memcpy(late + length - old, in + n - old, old * sizeof *late);
      late += length;
    }
    memcpy(out + old, in, (n - old) * sizeof *out);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_delay = {
    OP_CUSTOM_ROW(SignalDelay),
    .state_size = sizeof(signal_delay),
    .prepare = signal_delay_prepare,
    .eval = signal_delay_eval,
};
