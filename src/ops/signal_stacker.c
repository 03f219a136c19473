// SPDX-License-Identifier: Apache-2.0
// SignalStacker: puts frames of num_channels int16 side by side, stacker_left_context before and stacker_right_context behind the
// current one; the first frame stands for those before it. Outputs: 0 int16 [num_channels * (left + 1 + right)], 1 whether it is
// valid: every stacker_step frames, once enough have come.
#include "ops/signal_common.h"

typedef struct signal_stacker {
  int channels, left, frames, step;  // frames: left + 1 + right
  int held;                          // frames in the stack
  bool begun;
  signal_state stack;  // [frames, channels]
} signal_stacker;

static TfLiteStatus signal_stacker_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_stacker *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 1), "valid", OP_BOOL));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  op->channels = signal_option(node, "num_channels");
  op->left = signal_option(node, "stacker_left_context");
  int right = signal_option(node, "stacker_right_context");
  op->step = signal_option(node, "stacker_step");
  OP_CHECK(context, op->channels > 0 && op_dim(input, 0) == op->channels, "num_channels is %d, the input has %d", op->channels,
           op_dim(input, 0));
  OP_CHECK(context, op->left >= 0 && right >= 0 && op->left < 1 << 20 && right < 1 << 20, "a context of %d and %d frames",
           op->left, right);
  op->frames = op->left + 1 + right;
  OP_CHECK(context, op->step > 0 && op->step <= op->frames, "stacker_step is %d of %d frames", op->step, op->frames);
  size_t samples;
  OP_CHECK(context, checked_mul((size_t)op->frames, (size_t)op->channels, &samples) && samples <= INT32_MAX,
           "the stack is too large");
  OP_TRY(signal_begin(context, &op->stack, samples, sizeof(int16_t)));
  op->held = 0;
  op->begun = false;
  OP_TRY(op_resize(context, op_output(context, node, 0), 1, (int[]){(int)samples}));
  return op_resize(context, op_output(context, node, 1), 0, (int[]){0});
}

static TfLiteStatus signal_stacker_eval(TfLiteContext *context, TfLiteNode *node) {
  signal_stacker *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  int16_t *stack = op->stack.memory;
  size_t channels = (size_t)op->channels, frame = channels * sizeof *stack;
  for (int copies = op->begun ? 1 : op->left + 1; copies > 0; copies--, op->held++)
    memcpy(stack + (size_t)op->held * channels, input->data.i16, frame);
  op->begun = true;
  bool valid = op->held == op->frames;
  op_output(context, node, 1)->data.b[0] = valid;
  if (!valid) {
    memset(output->data.raw, 0, op_bytes(output));
    return kTfLiteOk;
  }
  memcpy(output->data.raw, stack, (size_t)op->frames * frame);
  op->held -= op->step;
  memmove(stack, stack + (size_t)op->step * channels, (size_t)op->held * frame);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_stacker = {
    OP_CUSTOM_ROW(SignalStacker),
    .state_size = sizeof(signal_stacker),
    .prepare = signal_stacker_prepare,
    .eval = signal_stacker_eval,
};
