// SPDX-License-Identifier: Apache-2.0
// Mel filters and the cosine transform, in doubles.
#include "kernels/mel.h"

#include <math.h>
#include <string.h>

static double mel_of(double frequency) { return 1127.0 * log1p(frequency / 700.0); }

bool mel_bank_init(mel_bank *bank, int bins, double sample_rate, int channels, double low, double high, mel_bin *map) {
  if (channels < 1 || !(sample_rate > 0) || bins < 2 || !(low >= 0) || !(high > low)) return false;
  double mel_low = mel_of(low), spacing = (mel_of(high) - mel_low) / (channels + 1.0);
  double per_bin = 0.5 * sample_rate / (bins - 1.0);
  double first = 1.5 + low / per_bin, last = high / per_bin;
  *bank = (mel_bank){bins, channels, first < bins ? (int)first : bins, last < bins ? (int)last : bins, map};
  // Filter c peaks at mel_low + spacing * (c + 1); each bin counts to the one that peaks below it.
  int channel = 0;
  for (int i = 0; i < bins; i++) {
    map[i] = (mel_bin){0, -1};
    if (i < bank->first || i > bank->last) continue;
    double mel = mel_of(i * per_bin);
    while (channel < channels && mel_low + spacing * (channel + 1) < mel) channel++;
    double below = channel > 0 ? mel_low + spacing * channel : mel_low, above = mel_low + spacing * (channel + 1);
    map[i] = (mel_bin){(above - mel) / (above - below), channel - 1};
  }
  return true;
}

void mel_log(const mel_bank *bank, const float *squares, double *logarithms) {
  memset(logarithms, 0, (size_t)bank->channels * sizeof *logarithms);
  if (bank->last >= bank->bins) return;
  for (int i = bank->first; i <= bank->last; i++) {
    double magnitude = sqrt((double)squares[i]), part = magnitude * bank->map[i].weight;
    int channel = bank->map[i].channel;
    if (channel >= 0) logarithms[channel] += part;
    if (channel + 1 < bank->channels) logarithms[channel + 1] += magnitude - part;
  }
  for (int c = 0; c < bank->channels; c++) logarithms[c] = log(logarithms[c] < 1e-12 ? 1e-12 : logarithms[c]);
}

void mel_cosines(int count, int channels, double *table) {
  double scale = sqrt(2.0 / channels), step = 3.14159265358979323846 / channels;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < channels; j++) table[(size_t)i * (size_t)channels + (size_t)j] = scale * cos(i * step * (j + 0.5));
  }
}

void mel_transform(const double *table, int count, int channels, const double *in, float *out) {
  for (int i = 0; i < count; i++, table += channels) {
    double sum = 0;
    for (int j = 0; j < channels; j++) sum += table[j] * in[j];
    out[i] = (float)sum;
  }
}
