// SPDX-License-Identifier: Apache-2.0
// Mfcc: cepstral coefficients of spectra of squared magnitudes. Inputs: 0 floats [channels, frames, bins], 1 the sample rate (one
// int32). Output: [channels, frames, dct_coefficient_count].
#include "base/checked.h"
#include "kernels/mel.h"
#include "ops/flex_options.h"

typedef struct mfcc_op {
  double low, high;
  int filters, coefficients;
  double *cosines;
  int map_scratch, sums_scratch;
} mfcc_op;

static TfLiteStatus mfcc_read_options(TfLiteContext *context, const TfLiteNode *node, mfcc_op *op) {
  flex_value map = flex_options(node);
  op->high = (double)(float)flex_int(flex_get(map, "upper_frequency_limit"));
  op->low = (double)(float)flex_int(flex_get(map, "lower_frequency_limit"));
  op->filters = flex_int32(flex_get(map, "filterbank_channel_count"));
  op->coefficients = flex_int32(flex_get(map, "dct_coefficient_count"));
  OP_CHECK(context, op->filters > 0 && op->filters < 1 << 16, "filterbank_channel_count is %d", op->filters);
  OP_CHECK(context, op->coefficients > 0 && op->coefficients <= op->filters, "dct_coefficient_count is %d of %d filters",
           op->coefficients, op->filters);
  size_t bytes;
  OP_CHECK(context, checked_mul((size_t)op->coefficients * (size_t)op->filters, sizeof(double), &bytes), "too many coefficients");
  op->cosines = op_persistent(context, bytes);
  OP_CHECK(context, op->cosines, "out of memory");
  mel_cosines(op->coefficients, op->filters, op->cosines);
  return kTfLiteOk;
}

static TfLiteStatus mfcc_prepare(TfLiteContext *context, TfLiteNode *node) {
  mfcc_op *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *spectra = op_input(context, node, 0), *rate = op_input(context, node, 1);
  OP_TRY(op_check_type(context, spectra, "spectra", OP_F32));
  OP_TRY(op_check_type(context, rate, "sample rate", OP_I32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_F32));
  OP_CHECK(context, op_rank(spectra) == 3, "spectra have rank %d, not 3", op_rank(spectra));
  OP_CHECK(context, op_count(rate) == 1, "sample rate has %d values", (int)op_count(rate));
  if (!op->cosines) OP_TRY(mfcc_read_options(context, node, op));
  size_t map_bytes;
  OP_CHECK(context, checked_mul((size_t)op_dim(spectra, 2), sizeof(mel_bin), &map_bytes), "the spectra are too long");
  OP_TRY(op_request_scratch(context, map_bytes, &op->map_scratch));
  OP_TRY(op_request_scratch(context, (size_t)op->filters * sizeof(double), &op->sums_scratch));
  return op_resize(context, op_output(context, node, 0), 3, (int[]){op_dim(spectra, 0), op_dim(spectra, 1), op->coefficients});
}

static TfLiteStatus mfcc_eval(TfLiteContext *context, TfLiteNode *node) {
  const mfcc_op *op = node->user_data;
  const TfLiteTensor *spectra = op_input(context, node, 0);
  int bins = op_dim(spectra, 2), rate = op_input(context, node, 1)->data.i32[0];
  mel_bank bank;
  OP_CHECK(context,
           mel_bank_init(&bank, bins, (double)rate, op->filters, op->low, op->high, op_scratch(context, op->map_scratch)),
           "no filters from %g to %g Hz over %d numbers of a spectrum at %d Hz", op->low, op->high, bins, rate);
  double *sums = op_scratch(context, op->sums_scratch);
  for (size_t f = 0; f < op_count_between(spectra, 0, 2); f++) {
    mel_log(&bank, spectra->data.f + f * (size_t)bins, sums);
    mel_transform(op->cosines, op->coefficients, op->filters, sums,
                  op_output(context, node, 0)->data.f + f * (size_t)op->coefficients);
  }
  return kTfLiteOk;
}

static void mfcc_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const mfcc_op *op = node->user_data;
  cost->macs = 2 * (uint64_t)op_count(op_input(context, node, 0)) + (uint64_t)op->filters * op_count(op_output(context, node, 0));
}

const op_descriptor arn_op_mfcc = {
    OP_CUSTOM_ROW(Mfcc), .state_size = sizeof(mfcc_op), .prepare = mfcc_prepare, .eval = mfcc_eval, .cost = mfcc_cost,
};
