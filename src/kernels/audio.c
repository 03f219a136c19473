// SPDX-License-Identifier: Apache-2.0
// The audio front end in portable C.
#include "kernels/audio.h"

#include <string.h>

static inline int16_t audio_saturate(int32_t x) { return (int16_t)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x); }

void audio_window(const int16_t *samples, const int16_t *window, size_t n, int shift, int16_t *out) {
  for (size_t i = 0; i < n; i++) out[i] = audio_saturate((samples[i] * window[i]) >> shift);
}

// Bits up to the highest one that is set. 32 for 0, as in builds of the reference by GCC.
static int audio_bits32(uint32_t x) {
  int bits = 0;
  for (uint32_t rest = x; rest; rest >>= 1) bits++;
  return x ? bits : 32;
}
static int audio_bits64(uint64_t x) { return x >> 32 ? 32 + audio_bits32((uint32_t)(x >> 32)) : audio_bits32((uint32_t)x); }

int audio_auto_scale(const int16_t *samples, size_t n, int16_t *out) {
  int16_t largest = 0;
  for (size_t i = 0; i < n; i++) {  // -32768 has no 16-bit opposite: the reference takes it for the smallest
    if (samples[i] > largest)
      largest = samples[i];
    else if (-samples[i] > largest)
      largest = (int16_t)-samples[i];
  }
  int bits = 15 - audio_bits32((uint32_t)largest);
  if (bits < 0) bits = 0;
  for (size_t i = 0; i < n; i++) out[i] = (int16_t)(samples[i] * (1 << bits));
  return bits;
}

void audio_energy(const int16_t *spectrum, size_t n, uint32_t *out) {
  for (size_t i = 0; i < n; i++) {
    int32_t re = spectrum[2 * i], im = spectrum[2 * i + 1];
    out[i] = (uint32_t)(re * re) + (uint32_t)(im * im);
  }
}

void audio_filter(const audio_filter_bank *bank, const uint32_t *energy, uint64_t *out) {
  uint64_t rising = 0;
  for (size_t c = 0; c <= bank->channels; c++) {
    const uint32_t *in = energy + bank->frequency_starts[c];
    const int16_t *weights = bank->weights + bank->weight_starts[c], *unweights = bank->unweights + bank->weight_starts[c];
    uint64_t sum = rising;
    rising = 0;
    for (int i = 0; i < bank->widths[c]; i++) {
      sum += (uint64_t)weights[i] * in[i];
      rising += (uint64_t)unweights[i] * in[i];
    }
    out[c] = sum;
  }
}

// Rounded to nearest, at most `most`. Digit by digit in base 2: `odd` is twice the root so far, in the place of the current
// digit.
static uint32_t audio_root(uint64_t x, uint32_t most) {
  if (x == 0) return 0;
  uint64_t root = 0, place = UINT64_C(1) << ((audio_bits64(x) - 1) & ~1);
  for (; place; place >>= 2) {
    uint64_t odd = root + place;
    root >>= 1;
    if (x >= odd) {
      x -= odd;
      root += place;
    }
  }
  return (uint32_t)(x > root && root != most ? root + 1 : root);
}

void audio_square_root(const uint64_t *in, size_t n, int bits, uint32_t *out) {
  for (size_t i = 0; i < n; i++) out[i] = audio_root(in[i], in[i] >> 32 ? UINT32_MAX : UINT16_MAX) >> bits;
}

void audio_subtract_noise(const audio_subtraction *s, const uint32_t *signal, size_t n, uint32_t *noise_estimate, uint32_t *out) {
  for (size_t i = 0; i < n; i++) {
    uint32_t scaled = signal[i] << s->smoothing_bits;
    uint64_t smoothed = (uint64_t)scaled * s->smoothing[i & 1] + (uint64_t)noise_estimate[i] * s->one_minus_smoothing[i & 1];
    uint32_t noise = (uint32_t)(smoothed >> s->fraction_bits);
    uint32_t taken = noise < scaled ? noise : scaled;
    noise_estimate[i] = s->clamping ? taken : noise;
    uint32_t least = (uint32_t)(((uint64_t)signal[i] * s->min_signal_remaining) >> s->fraction_bits);
    uint32_t rest = (scaled - taken) >> s->smoothing_bits;
    out[i] = rest > least ? rest : least;
  }
}

static int16_t audio_gain(const int16_t *table, uint32_t x) {
  if (x <= 2) return table[x];
  int bits = audio_bits32(x);
  const int16_t *piece = table + 4 * bits - 6;
  int32_t fraction = (int32_t)((bits < 11 ? x << (11 - bits) : x >> (bits - 11)) & 0x3FF);
  uint32_t y = (uint32_t)((piece[2] * fraction) >> 5) + ((uint32_t)piece[1] << 5);
  int32_t scaled = (int32_t)(y * (uint32_t)fraction + (1u << 14)) >> 15;
  return (int16_t)(scaled + piece[0]);
}

// x^2 / 4 below 2, x - 1 above; from 12 fraction bits to 6.
static uint32_t audio_shrink(uint32_t x) { return x < 2u << 12 ? (x * x) >> 20 : (x >> 6) - (1u << 6); }

void audio_gain_control(const int16_t gain_table[AUDIO_GAIN_TABLE], int snr_shift, const uint32_t *noise_estimate,
                        const uint32_t *signal, size_t n, uint32_t *out) {
  for (size_t i = 0; i < n; i++) {
    uint32_t gain = (uint32_t)audio_gain(gain_table, noise_estimate[i]);
    out[i] = audio_shrink((uint32_t)(((uint64_t)signal[i] * gain) >> snr_shift));
  }
}

// 65536 * (log2(1 + i / 128) - i / 128), rounded.
static const uint16_t audio_log_bend[129] = {
    0,    224,  442,  654,  861,  1063, 1259, 1450, 1636, 1817, 1992, 2163, 2329, 2490, 2646, 2797, 2944, 3087, 3224,
    3358, 3487, 3611, 3732, 3848, 3960, 4068, 4172, 4272, 4368, 4460, 4549, 4633, 4714, 4791, 4864, 4934, 5001, 5063,
    5123, 5178, 5231, 5280, 5326, 5368, 5408, 5444, 5477, 5507, 5533, 5557, 5578, 5595, 5610, 5622, 5631, 5637, 5640,
    5641, 5638, 5633, 5626, 5615, 5602, 5586, 5568, 5547, 5524, 5498, 5470, 5439, 5406, 5370, 5332, 5291, 5249, 5203,
    5156, 5106, 5054, 5000, 4944, 4885, 4825, 4762, 4697, 4630, 4561, 4490, 4416, 4341, 4264, 4184, 4103, 4020, 3935,
    3848, 3759, 3668, 3575, 3481, 3384, 3286, 3186, 3084, 2981, 2875, 2768, 2659, 2549, 2437, 2323, 2207, 2090, 1971,
    1851, 1729, 1605, 1480, 1353, 1224, 1094, 963,  830,  695,  559,  421,  282,  142,  0};

// ln(x) with 16 fraction bits, x >= 1.
static uint32_t audio_ln(uint32_t x) {
  int whole = audio_bits32(x) - 1;
  uint32_t above = x - (UINT32_C(1) << whole);  // x = 2^whole + above
  int32_t fraction = (int32_t)(whole < 16 ? above << (16 - whole) : above >> (whole - 16));
  int32_t segment = fraction >> 9, from = audio_log_bend[segment], to = audio_log_bend[segment + 1];
  int32_t bend =
      from + (((to - from) * (fraction - segment * 512)) >> 16);  // the reference shifts by 16, not by the 9 of a segment
  uint32_t log2 = ((uint32_t)whole << 16) + (uint32_t)(fraction + bend);
  return (uint32_t)((UINT64_C(45426) * log2 + 32768) >> 16);  // 45426: ln 2
}

void audio_log(const uint32_t *in, size_t n, uint32_t scale, int bits, int16_t *out) {
  for (size_t i = 0; i < n; i++) {
    uint32_t x = in[i] << bits;
    uint32_t scaled = x > 1 ? (scale * audio_ln(x) + 32768u) >> 16 : 0;
    out[i] = (int16_t)(scaled < INT16_MAX ? scaled : INT16_MAX);
  }
}

void audio_overlap_add_s16(const int16_t *in, size_t size, size_t step, int16_t *buffer, int16_t *out) {
  for (size_t i = 0; i < size; i++) buffer[i] = audio_saturate(buffer[i] + in[i]);
  memcpy(out, buffer, step * sizeof *out);
  memmove(buffer, buffer + step, (size - step) * sizeof *buffer);
  memset(buffer + size - step, 0, step * sizeof *buffer);
}

void audio_overlap_add_f32(const float *in, size_t size, size_t step, float *buffer, float *out) {
  for (size_t i = 0; i < size; i++) buffer[i] += in[i];
  memcpy(out, buffer, step * sizeof *out);
  memmove(buffer, buffer + step, (size - step) * sizeof *buffer);
  memset(buffer + size - step, 0, step * sizeof *buffer);
}
