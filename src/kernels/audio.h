// SPDX-License-Identifier: Apache-2.0
// The arithmetic of TFLite Micro's audio front end: window, scaling before a transform, energy, mel filter bank, noise
// subtraction, automatic gain control (PCAN), logarithm; all integers, all exact. Source of the rules: tflite-micro signal/src.
#ifndef KERNELS_AUDIO_H
#define KERNELS_AUDIO_H

#include "base/compiler.h"

// (samples * window) >> shift, saturated; shift in 0..31.
void audio_window(const int16_t *samples, const int16_t *window, size_t n, int shift, int16_t *out);
// Shifts all samples to the left by as many bits as the largest allows; returns the bits.
int audio_auto_scale(const int16_t *samples, size_t n, int16_t *out);
// Squares of magnitudes of n complex numbers (re, im, re, im ...).
void audio_energy(const int16_t *spectrum, size_t n, uint32_t *out);

// Channel c (of channels + 1, the first being there to begin the second's rising slope) weighs the frequencies from
// frequency_starts[c] on, widths[c] of them, by weights from weight_starts[c] on for itself, and by unweights for the next
// channel. out: channels + 1 sums.
typedef struct audio_filter_bank {
  size_t channels;
  const int16_t *frequency_starts, *weight_starts, *widths;  // [channels + 1]
  const int16_t *weights, *unweights;
} audio_filter_bank;
void audio_filter(const audio_filter_bank *bank, const uint32_t *energy, uint64_t *out);
// Square roots, rounded; then >> bits (0..31).
void audio_square_root(const uint64_t *in, size_t n, int bits, uint32_t *out);

typedef struct audio_subtraction {                // factors have fraction_bits (0..63)
  uint32_t smoothing[2], one_minus_smoothing[2];  // of even and odd channels
  uint32_t min_signal_remaining;
  int smoothing_bits;  // 0..31: more fraction bits of the noise estimate
  int fraction_bits;
  bool clamping;  // the estimate never stays above the signal
} audio_subtraction;
void audio_subtract_noise(const audio_subtraction *s, const uint32_t *signal, size_t n, uint32_t *noise_estimate, uint32_t *out);

enum { AUDIO_GAIN_TABLE = 125 };  // values of a gain table: three for 0..2, then four (one unused) for each power of two
// gain is a piecewise quadratic function of the noise estimate; snr_shift in 0..63.
void audio_gain_control(const int16_t gain_table[AUDIO_GAIN_TABLE], int snr_shift, const uint32_t *noise_estimate,
                        const uint32_t *signal, size_t n, uint32_t *out);
// scale * ln(in << bits), saturated to 16 bits; 0 for numbers up to 1. bits in 0..31.
void audio_log(const uint32_t *in, size_t n, uint32_t scale, int bits, int16_t *out);

// out = the first `step` values of buffer + in, which then moves down by step; all of `size` values.
void audio_overlap_add_s16(const int16_t *in, size_t size, size_t step, int16_t *buffer, int16_t *out);
void audio_overlap_add_f32(const float *in, size_t size, size_t step, float *buffer, float *out);

#endif
