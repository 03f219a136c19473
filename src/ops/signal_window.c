// SPDX-License-Identifier: Apache-2.0
// SignalWindow: each run of samples, as long as the window, times the window, >> shift. Inputs: 0 samples int16 [..., n], 1
// window int16 [m].
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_window {
  int shift;
} signal_window;

static TfLiteStatus signal_window_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_window *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *window = op_input(context, node, 1);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(op_check_type(context, window, "window", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_TRY(signal_check_rank(context, window, "window", 1));
  OP_CHECK(context, op_rank(input) >= 1 && op_dim(window, 0) > 0 && op_count(input) % (size_t)op_dim(window, 0) == 0,
           "input is no multiple of the window's %d values", op_dim(window, 0));
  op->shift = signal_option(node, "shift");
  OP_CHECK(context, op->shift >= 0 && op->shift < 32, "shift is %d", op->shift);
  return op_resize_like(context, op_output(context, node, 0), input);
}

static TfLiteStatus signal_window_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_window *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *window = op_input(context, node, 1);
  size_t n = (size_t)op_dim(window, 0);
  for (size_t at = 0; at < op_count(input); at += n)
    audio_window(input->data.i16 + at, window->data.i16, n, op->shift, op_output(context, node, 0)->data.i16 + at);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_window = {
    OP_CUSTOM_ROW(SignalWindow),
    .state_size = sizeof(signal_window),
    .prepare = signal_window_prepare,
    .eval = signal_window_eval,
};
