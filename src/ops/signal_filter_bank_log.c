// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankLog: output_scale * ln(x << input_correction_bits), of uint32 [n], to int16 [n].
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_log {
  uint32_t scale;
  int bits;
} signal_log;

static TfLiteStatus signal_log_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_log *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_U32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  op->scale = (uint32_t)signal_option(node, "output_scale");
  op->bits = signal_option(node, "input_correction_bits");
  OP_CHECK(context, op->bits >= 0 && op->bits < 32, "input_correction_bits is %d", op->bits);
  return op_resize_like(context, op_output(context, node, 0), input);
}

static TfLiteStatus signal_log_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_log *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  audio_log((const uint32_t *)input->data.raw, op_count(input), op->scale, op->bits, op_output(context, node, 0)->data.i16);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_filter_bank_log = {
    OP_CUSTOM_ROW(SignalFilterBankLog),
    .state_size = sizeof(signal_log),
    .prepare = signal_log_prepare,
    .eval = signal_log_eval,
};
