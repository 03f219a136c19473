// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankSpectralSubtraction: subtracts a running estimate of the noise from each channel, uint32 [n]. Outputs: 0 the
// rest, 1 the estimate.
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_subtraction {
  audio_subtraction rule;
  signal_state estimate;
} signal_subtraction;

static TfLiteStatus signal_subtraction_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_subtraction *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_U32));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_U32));
  OP_TRY(op_check_type(context, op_output(context, node, 1), "noise estimate", OP_U32));
  op->rule = (audio_subtraction){
      .smoothing = {(uint32_t)signal_option(node, "smoothing"), (uint32_t)signal_option(node, "alternate_smoothing")},
      .one_minus_smoothing = {(uint32_t)signal_option(node, "one_minus_smoothing"),
                              (uint32_t)signal_option(node, "alternate_one_minus_smoothing")},
      .min_signal_remaining = (uint32_t)signal_option(node, "min_signal_remaining"),
      .smoothing_bits = signal_option(node, "smoothing_bits"),
      .fraction_bits = signal_option(node, "spectral_subtraction_bits"),
      .clamping = flex_bool(flex_get(flex_options(node), "clamping")),
  };
  OP_CHECK(context, signal_option(node, "num_channels") == op_dim(input, 0), "num_channels is %d, the input has %d",
           (int)signal_option(node, "num_channels"), op_dim(input, 0));
  OP_CHECK(
      context,
      op->rule.smoothing_bits >= 0 && op->rule.smoothing_bits < 32 && op->rule.fraction_bits >= 0 && op->rule.fraction_bits < 64,
      "smoothing_bits %d, spectral_subtraction_bits %d", op->rule.smoothing_bits, op->rule.fraction_bits);
  OP_TRY(signal_begin(context, &op->estimate, op_count(input), sizeof(uint32_t)));
  OP_TRY(op_resize_like(context, op_output(context, node, 0), input));
  return op_resize_like(context, op_output(context, node, 1), input);
}

static TfLiteStatus signal_subtraction_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_subtraction *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *estimate = op_output(context, node, 1);
  audio_subtract_noise(&op->rule, (const uint32_t *)input->data.raw, op_count(input), op->estimate.memory,
                       (uint32_t *)op_output(context, node, 0)->data.raw);
  if (op_count(input) > 0) memcpy(estimate->data.raw, op->estimate.memory, op_bytes(estimate));
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_filter_bank_spectral_subtraction = {
    OP_CUSTOM_ROW(SignalFilterBankSpectralSubtraction),
    .state_size = sizeof(signal_subtraction),
    .prepare = signal_subtraction_prepare,
    .eval = signal_subtraction_eval,
};
