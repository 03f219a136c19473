// SPDX-License-Identifier: Apache-2.0
// SignalFramer: cuts streams, pieces of which are the rows of int16 [..., n], into overlapping frames of frame_size samples, one
// every frame_step. Outputs: 0 int16 [..., n / frame_step, frame_size], 1 whether all frames are valid (false until enough
// samples have come; prefill: zeros come first).
#include "ops/signal_common.h"

typedef struct signal_framer {
  int size, step;
  size_t room;          // samples that a row may hold
  size_t held;          // samples that each row holds
  signal_state stream;  // [rows, room]
} signal_framer;

static TfLiteStatus signal_framer_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_framer *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 1), "valid", OP_BOOL));
  op->size = signal_option(node, "frame_size");
  op->step = signal_option(node, "frame_step");
  bool prefill = flex_bool(flex_get(flex_options(node), "prefill"));
  int rank = op_rank(input);
  OP_CHECK(context, rank >= 1 && rank < OP_MAX_RANK, "input has rank %d", rank);
  OP_CHECK(context, op->size > 0 && op->step > 0 && (!prefill || op->step <= op->size), "frame_size %d, frame_step %d", op->size,
           op->step);
  OP_CHECK(context, op_dim(input, rank - 1) >= op->step && op_dim(input, rank - 1) % op->step == 0,
           "rows of %d samples are no multiple of frame_step %d", op_dim(input, rank - 1), op->step);
  size_t rows = op_count_between(input, 0, rank - 1), samples;
  op->room = ((size_t)op->size + (size_t)op->step - 1) / (size_t)op->step * (size_t)op->step;
  OP_CHECK(context, checked_mul(rows, op->room, &samples), "the frames are too long");
  OP_TRY(signal_begin(context, &op->stream, samples, sizeof(int16_t)));
  op->held = prefill ? (size_t)(op->size - op->step) : 0;
  int dims[OP_MAX_RANK];
  for (int i = 0; i < rank - 1; i++) dims[i] = op_dim(input, i);
  dims[rank - 1] = op_dim(input, rank - 1) / op->step;
  dims[rank] = op->size;
  OP_TRY(op_resize(context, op_output(context, node, 0), rank + 1, dims));
  return op_resize(context, op_output(context, node, 1), 0, (int[]){0});
}

static TfLiteStatus signal_framer_eval(TfLiteContext *context, TfLiteNode *node) {
  signal_framer *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  int rank = op_rank(input);
  size_t rows = op_count_between(input, 0, rank - 1), size = (size_t)op->size, step = (size_t)op->step;
  size_t frames = (size_t)op_dim(input, rank - 1) / step, held = op->held;
  const int16_t *in = input->data.i16;
  int16_t *out = op_output(context, node, 0)->data.i16;
  bool valid = true;
  for (size_t r = 0; r < rows; r++) {
    int16_t *stream = (int16_t *)op->stream.memory + r * op->room;
    held = op->held;
    for (size_t f = 0; f < frames; f++, in += step, out += size) {
      memcpy(stream + held, in, step * sizeof *stream);
      held += step;
      if (held < size) {
        memset(out, 0, size * sizeof *out);
        valid = false;
        continue;
      }
      memcpy(out, stream, size * sizeof *out);
      held -= step;
      memmove(stream, stream + step, held * sizeof *stream);
    }
  }
  op->held = held;
  op_output(context, node, 1)->data.b[0] = valid;
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_framer = {
    OP_CUSTOM_ROW(SignalFramer),
    .state_size = sizeof(signal_framer),
    .prepare = signal_framer_prepare,
    .eval = signal_framer_eval,
};
