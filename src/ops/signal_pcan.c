// SPDX-License-Identifier: Apache-2.0
// SignalPCAN: per-channel automatic gain control. Inputs: 0 signal uint32 [n], 1 noise estimate uint32 [n], 2 gain table int16
// [>= 125].
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_pcan {
  int snr_shift;
} signal_pcan;

static TfLiteStatus signal_pcan_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_pcan *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *noise = op_input(context, node, 1),
                     *table = op_input(context, node, 2);
  OP_TRY(op_check_type(context, input, "input", OP_U32));
  OP_TRY(op_check_type(context, noise, "noise estimate", OP_U32));
  OP_TRY(op_check_type(context, table, "gain table", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_U32));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  OP_TRY(signal_check_rank(context, table, "gain table", 1));
  OP_CHECK(context, op_same_shape(input, noise), "input and noise estimate differ in shape");
  OP_CHECK(context, op_dim(table, 0) >= AUDIO_GAIN_TABLE, "gain table has %d values, %d are needed", op_dim(table, 0),
           AUDIO_GAIN_TABLE);
  op->snr_shift = signal_option(node, "snr_shift");
  OP_CHECK(context, op->snr_shift >= 0 && op->snr_shift < 64, "snr_shift is %d", op->snr_shift);
  return op_resize_like(context, op_output(context, node, 0), input);
}

static TfLiteStatus signal_pcan_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_pcan *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  audio_gain_control(op_input(context, node, 2)->data.i16, op->snr_shift, (const uint32_t *)op_input(context, node, 1)->data.raw,
                     (const uint32_t *)input->data.raw, op_count(input), (uint32_t *)op_output(context, node, 0)->data.raw);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_pcan = {
    OP_CUSTOM_ROW(SignalPCAN),
    .state_size = sizeof(signal_pcan),
    .prepare = signal_pcan_prepare,
    .eval = signal_pcan_eval,
};
