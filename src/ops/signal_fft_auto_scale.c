// SPDX-License-Identifier: Apache-2.0
// SignalFftAutoScale: shifts samples, int16 [n], as far to the left as the largest allows. Outputs: 0 int16 [n], 1 the bits, an
// int32 scalar.
#include "kernels/audio.h"
#include "ops/signal_common.h"

static TfLiteStatus signal_fft_auto_scale_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I16));
  OP_TRY(op_check_type(context, op_output(context, node, 1), "scale bits", OP_I32));
  OP_TRY(op_resize_like(context, op_output(context, node, 0), input));
  return op_resize(context, op_output(context, node, 1), 0, (int[]){0});
}

static TfLiteStatus signal_fft_auto_scale_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  op_output(context, node, 1)->data.i32[0] =
      audio_auto_scale(input->data.i16, op_count(input), op_output(context, node, 0)->data.i16);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_fft_auto_scale = {
    OP_CUSTOM_ROW(SignalFftAutoScale),
    .prepare = signal_fft_auto_scale_prepare,
    .eval = signal_fft_auto_scale_eval,
};
