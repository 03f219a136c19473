// SPDX-License-Identifier: Apache-2.0
// SignalEnergy: squared magnitudes of a spectrum, int16 [2 * n] (real and imaginary parts in turn), to uint32 [n]. Only numbers
// start_index to end_index - 1 are computed, the others are 0.
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_energy {
  int start, end;
} signal_energy;

static TfLiteStatus signal_energy_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_energy *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16));
  OP_TRY(op_check_type(context, output, "output", OP_U32));
  OP_TRY(signal_check_rank(context, input, "input", 1));
  op->start = signal_option(node, "start_index");
  op->end = signal_option(node, "end_index");
  int n = op_dim(input, 0) / 2;
  OP_CHECK(context, op->start >= 0 && op->start <= op->end && op->end <= n, "indices %d to %d are not within a spectrum of %d",
           op->start, op->end, n);
  return op_resize(context, output, 1, (int[]){n});
}

static TfLiteStatus signal_energy_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_energy *op = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  memset(output->data.raw, 0, op_bytes(output));
  audio_energy(op_input(context, node, 0)->data.i16 + 2 * op->start, (size_t)(op->end - op->start),
               (uint32_t *)output->data.raw + op->start);
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_energy = {
    OP_CUSTOM_ROW(SignalEnergy),
    .state_size = sizeof(signal_energy),
    .prepare = signal_energy_prepare,
    .eval = signal_energy_eval,
};
