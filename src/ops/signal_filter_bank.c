// SPDX-License-Identifier: Apache-2.0
// SignalFilterBank: sums energies, uint32 [n], under the slopes of overlapping triangular filters, to uint64 [num_channels].
// Inputs: 0 energies, 1 weights, 2 unweights (of the falling and the rising slope), then for each of num_channels + 1 channels 3
// its first frequency, 4 its first weight, 5 its width.
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_filter_bank {
  int channels;
  int scratch;
} signal_filter_bank;

static TfLiteStatus signal_filter_bank_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_filter_bank *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 6, 6, 1));
  op->channels = signal_option(node, "num_channels");
  OP_CHECK(context, op->channels > 0 && op->channels < 1 << 20, "num_channels is %d", op->channels);
  for (int i = 0; i < 6; i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    OP_TRY(op_check_type(context, t, "an input", i == 0 ? OP_U32 : OP_I16));
    OP_TRY(signal_check_rank(context, t, "an input", 1));
    OP_CHECK(context, i < 3 || op_dim(t, 0) >= op->channels + 1, "input %d has %d values for %d channels", i, op_dim(t, 0),
             op->channels + 1);
  }
  OP_CHECK(context, op_dim(op_input(context, node, 1), 0) == op_dim(op_input(context, node, 2), 0),
           "weights and unweights differ in number");
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_U64));
  OP_TRY(op_request_scratch(context, ((size_t)op->channels + 1) * sizeof(uint64_t), &op->scratch));
  return op_resize(context, op_output(context, node, 0), 1, (int[]){op->channels});
}

static TfLiteStatus signal_filter_bank_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_filter_bank *op = node->user_data;
  const TfLiteTensor *energy = op_input(context, node, 0), *weights = op_input(context, node, 1);
  audio_filter_bank bank = {.channels = (size_t)op->channels,
                            .weights = weights->data.i16,
                            .unweights = op_input(context, node, 2)->data.i16,
                            .frequency_starts = op_input(context, node, 3)->data.i16,
                            .weight_starts = op_input(context, node, 4)->data.i16,
                            .widths = op_input(context, node, 5)->data.i16};
  for (int c = 0; c <= op->channels; c++) {
    int frequency = bank.frequency_starts[c], weight = bank.weight_starts[c], width = bank.widths[c];
    OP_CHECK(context,
             frequency >= 0 && weight >= 0 && width >= 0 && frequency + width <= op_dim(energy, 0) &&
                 weight + width <= op_dim(weights, 0),
             "channel %d (frequency %d, weight %d, width %d) is outside", c, frequency, weight, width);
  }
  uint64_t *sums = op_scratch(context, op->scratch);
  audio_filter(&bank, (const uint32_t *)energy->data.raw, sums);
  memcpy(op_output(context, node, 0)->data.raw, sums + 1,
         bank.channels * sizeof *sums);  // the first only begins the second's slope
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_filter_bank = {
    OP_CUSTOM_ROW(SignalFilterBank),
    .state_size = sizeof(signal_filter_bank),
    .prepare = signal_filter_bank_prepare,
    .eval = signal_filter_bank_eval,
};
