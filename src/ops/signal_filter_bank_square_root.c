// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankSquareRoot: square roots of uint64 [n], >> the bits of input 1 (an int32 scalar), to uint32 [n].
#include "kernels/audio.h"
#include "ops/signal_common.h"

static TfLiteStatus signal_square_root_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *bits = op_input(context, node, 1);
  OP_TRY(op_check_type(context, input, "input", OP_U64));
  OP_TRY(op_check_type(context, bits, "scale bits", OP_I32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_U32));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  OP_TRY(signal_check_rank(context, bits, "scale bits", 0));
  return op_resize_like(context, op_output(context, node, 0), input);
}

static TfLiteStatus signal_square_root_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int32_t bits = op_input(context, node, 1)->data.i32[0];
  OP_CHECK(context, bits >= 0 && bits < 32, "scale bits are %d", (int)bits);
  audio_square_root((const uint64_t *)input->data.raw, op_count(input), bits, (uint32_t *)op_output(context, node, 0)->data.raw);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_filter_bank_square_root = {
    OP_CUSTOM_ROW(SignalFilterBankSquareRoot),
    .prepare = signal_square_root_prepare,
    .eval = signal_square_root_eval,
};
