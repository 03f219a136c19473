// SPDX-License-Identifier: Apache-2.0
// Mel-frequency cepstral coefficients: triangular filters evenly spaced in mel (1127 ln(1 + f / 700)) over a spectrum, logarithms
// of their sums, a cosine transform. Source of the rules: TFLite reference, internal/mfcc*.cc.
#ifndef KERNELS_MEL_H
#define KERNELS_MEL_H

#include "base/compiler.h"

// What a number of the spectrum gives: `weight` of it to filter `channel` (falling slope), the rest to the next one (rising
// slope).
typedef struct mel_bin {
  double weight;
  int channel;  // -1: before the first filter
} mel_bin;

typedef struct mel_bank {
  int bins, channels;
  int first, last;  // the bins that count
  mel_bin *map;     // [bins]
} mel_bank;

// False where the figures make no filters: channels < 1, bins < 2, sample_rate <= 0, low < 0, high <= low. map: room for bins.
bool mel_bank_init(mel_bank *bank, int bins, double sample_rate, int channels, double low, double high, mel_bin *map);
// Logarithms of the filters' sums over a spectrum of squared magnitudes. A spectrum that ends before the last filter gives zeros.
void mel_log(const mel_bank *bank, const float *squares, double *logarithms);
// table [count, channels]; then out[count] = table * in.
void mel_cosines(int count, int channels, double *table);
void mel_transform(const double *table, int count, int channels, const double *in, float *out);

#endif
