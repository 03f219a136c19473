// SPDX-License-Identifier: Apache-2.0
// kernels/fft against the sum that defines a Fourier transform, there and back; kernels/audio against formulas in floating point
// and against figures worked out by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/audio.h"
#include "kernels/fft.h"

static uint64_t seed = 14142135;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static const double pi = 3.14159265358979323846;

// Number k of the spectrum of n values.
static void transform(const double *x, int n, int k, double *re, double *im) {
  *re = *im = 0;
  for (int i = 0; i < n; i++) *re += x[i] * cos(2 * pi * i * k / n), *im -= x[i] * sin(2 * pi * i * k / n);
}

enum { LONGEST = 480 };
static double signal_values[LONGEST];

#define FFT_TEST(suffix, real, complex, range, there_error, back_error, divides)                                   \
  static void transforms_##suffix(void **state) {                                                                  \
    (void)state;                                                                                                   \
    int lengths = 0;                                                                                               \
    for (int n = 4; n <= LONGEST; n += 2) {                                                                        \
      fft_plan there, back;                                                                                        \
      if (!fft_plan_init(&there, n, false)) continue;                                                              \
      assert_true(fft_plan_init(&back, n, true));                                                                  \
      lengths++;                                                                                                   \
      complex *turn_there = malloc(fft_twiddle_count(&there) * sizeof(complex)),                                   \
              *turn_back = malloc(fft_twiddle_count(&back) * sizeof(complex));                                     \
      fft_twiddles_##suffix(&there, turn_there), fft_twiddles_##suffix(&back, turn_back);                          \
      there.twiddles = turn_there, back.twiddles = turn_back;                                                      \
      real x[LONGEST], y[LONGEST];                                                                                 \
      complex spectrum[LONGEST / 2 + 1], scratch[LONGEST / 2];                                                     \
      for (int i = 0; i < n; i++) signal_values[i] = x[i] = (real)(((double)draw(200001) / 100000 - 1) * (range)); \
      fft_real_##suffix(&there, x, spectrum, scratch);                                                             \
      for (int k = 0; k <= n / 2; k++) {                                                                           \
        double re, im;                                                                                             \
        transform(signal_values, n, k, &re, &im);                                                                  \
        if (divides) re /= n, im /= n;                                                                             \
        assert_true(fabs(spectrum[k].re - re) < (there_error) && fabs(spectrum[k].im - im) < (there_error));       \
      }                                                                                                            \
      fft_real_inverse_##suffix(&back, spectrum, y, scratch);                                                      \
      for (int i = 0; i < n; i++)                                                                                  \
        assert_true(fabs((divides) ? (double)y[i] * n - x[i] : (double)y[i] / n - x[i]) < (back_error)*n);         \
      free(turn_there), free(turn_back);                                                                           \
    }                                                                                                              \
    assert_int_equal(lengths, 48);                                                                                 \
  }
FFT_TEST(f32, float, fft_complex_f32, 1.0, 1e-4, 1e-6, false)
FFT_TEST(s16, int16_t, fft_complex_s16, 30000.0, 12, 30, true)
FFT_TEST(s32, int32_t, fft_complex_s32, 2e9, 40, 60, true)

static void fixed_point_by_hand(void **state) {
  (void)state;
  fft_plan plan;
  fft_complex_s16 twiddles[3], spectrum[3], scratch[2];
  assert_true(fft_plan_init(&plan, 4, false));
  fft_twiddles_s16(&plan, twiddles);
  plan.twiddles = twiddles;
  const int16_t impulse[4] = {1000, 0, 0, 0};  // a quarter everywhere
  fft_real_s16(&plan, impulse, spectrum, scratch);
  for (int k = 0; k < 3; k++) assert_true(spectrum[k].re == 250 && spectrum[k].im == 0);
  const int16_t alternating[4] = {32767, -32768, 32767, -32768};
  fft_real_s16(&plan, alternating, spectrum, scratch);  // all of it at half the sampling rate
  assert_true(spectrum[0].re == 0 && spectrum[1].re == 0 && spectrum[2].re > 32760);
}

static void lengths_without_a_transform(void **state) {
  (void)state;
  fft_plan plan;
  const int bad[] = {-4, 0, 1, 2, 3, 5, 14, 22, 2 * 7 * 8, 2 * 1009};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(fft_plan_init(&plan, bad[i], false));
  assert_true(fft_plan_init(&plan, 2 * 4 * 4 * 2 * 3 * 5, false) && plan.stages == 5 && plan.radix[0] == 4 && plan.radix[4] == 5);
}

static void windows_and_scales(void **state) {
  (void)state;
  const int16_t samples[4] = {1000, -1000, 32767, -32768}, window[4] = {4096, 2049, 8192, 8192};
  int16_t out[4];
  audio_window(samples, window, 4, 12, out);
  assert_memory_equal(out, ((int16_t[]){1000, -501, 32767, -32768}), 8);  // -500.24 goes down, 65534 is cut
  const int16_t small[3] = {3, -5, 0};
  assert_int_equal(audio_auto_scale(small, 3, out), 12);
  assert_memory_equal(out, ((int16_t[]){3 << 12, -(5 << 12), 0}), 6);
  const int16_t full[2] = {-32767, 1};
  assert_int_equal(audio_auto_scale(full, 2, out), 0);
  const int16_t spectrum[4] = {3, -4, -32768, -32768};
  uint32_t energy[2];
  audio_energy(spectrum, 2, energy);
  assert_true(energy[0] == 25 && energy[1] == 0x80000000u);
}

static void filters(void **state) {
  (void)state;
  // Two triangles over five frequencies: channel 1 rises over 0..1 (as the falling side of channel 0), falls over 2..3, where
  // channel 2 rises.
  const int16_t starts[3] = {0, 2, 4}, weight_starts[3] = {0, 2, 4}, widths[3] = {2, 2, 1};
  const int16_t weights[5] = {4000, 1000, 3000, 500, 4096}, unweights[5] = {96, 3096, 1096, 3596, 0};
  const uint32_t energy[5] = {1, 10, 100, 1000, 0xFFFFFFFFu};
  uint64_t out[3];
  audio_filter(&(audio_filter_bank){2, starts, weight_starts, widths, weights, unweights}, energy, out);
  assert_true(out[0] == 4000 + 10000);
  assert_true(out[1] == 96 + 30960 + 300000 + 500000);
  assert_true(out[2] == 109600 + 3596000 + UINT64_C(4096) * 0xFFFFFFFFu);
}

static void square_roots(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    uint64_t x = ((uint64_t)draw(1u << 31) << 33 | (uint64_t)draw(1u << 31) << 2 | draw(4)) >> draw(64);
    uint32_t out;
    audio_square_root(&x, 1, 0, &out);
    // Nearest: (out - 1/2)^2 < x < (out + 1/2)^2, but where the type ends.
    bool low = out == 0 || (uint64_t)out * (out - 1) < x,
         high = out == UINT32_MAX || (out == UINT16_MAX && x >> 32 == 0) || (uint64_t)out * (out + UINT64_C(1)) >= x;
    assert_true(low && high);
  }
  const uint64_t ends[3] = {UINT64_MAX, 0, 99};
  uint32_t out[3];
  audio_square_root(ends, 3, 1, out);
  assert_true(out[0] == UINT32_MAX >> 1 && out[1] == 0 && out[2] == 5);
}

static void logarithms(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    uint32_t x = (draw(1u << 31) * 2 + 2) >> draw(30);
    int16_t out;
    audio_log(&x, 1, 1600, 0, &out);
    if (x > 1) assert_true(fabs(out - fmin(1600.0 * log(x), 32767)) < 16);  // the bend is interpolated coarsely
  }
  const uint32_t few[4] = {0, 1, 1, 0x80000000u};
  int16_t out[4];
  audio_log(few, 4, 1600, 0, out);
  assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 32767);  // 1600 * 21.5 is cut
  audio_log(few + 1, 1, 1600, 4, out);
  assert_int_equal(out[0], 4436);  // 1600 * ln 16 = 4436.1
}

static void noise_is_subtracted(void **state) {
  (void)state;
  audio_subtraction s = {{4096, 8192}, {12288, 8192}, 1638, 2, 14, false};  // 1/4 and 1/2; a tenth remains
  uint32_t noise[2] = {0, 0}, out[2];
  const uint32_t signal[2] = {1000, 1000};
  audio_subtract_noise(&s, signal, 2, noise, out);
  assert_true(noise[0] == 1000 && noise[1] == 2000);  // of 4000
  assert_true(out[0] == 750 && out[1] == 500);
  const uint32_t quiet[2] = {100, 100};
  audio_subtract_noise(&s, quiet, 2, noise, out);
  assert_true(noise[0] == 850 && noise[1] == 1200);
  assert_true(out[0] == 9 && out[1] == 9);  // 100 * 1638 / 16384
  s.clamping = true;
  audio_subtract_noise(&s, quiet, 2, noise, out);
  assert_true(noise[0] == 400 && noise[1] == 400);
}

static void gain_is_a_table_of_parabolas(void **state) {
  (void)state;
  int16_t table[AUDIO_GAIN_TABLE];
  for (int i = 0; i < AUDIO_GAIN_TABLE; i++) table[i] = 0;
  table[0] = 10, table[1] = 20, table[2] = 30;
  table[4 * 3 - 6] = 100, table[4 * 3 - 5] = 64, table[4 * 3 - 4] = -32;  // for 4..7
  const uint32_t noise[4] = {0, 2, 4, 6}, signal[4] = {4096, 4096, 40960, 409600};
  uint32_t out[4];
  audio_gain_control(table, 4, noise, signal, 4, out);
  assert_int_equal(out[0], (2560 * 2560) >> 20);  // gain 10
  assert_int_equal(out[1], (7680 * 7680) >> 20);  // gain 30
  assert_int_equal(out[2], (256000 >> 6) - 64);   // gain 100
  // 6 is half way: (-32 * 512 >> 5) + 64 * 32 = 1536; 1536 * 512 / 32768 = 24; gain 124.
  assert_int_equal(out[3], (409600 * 124 / 16 >> 6) - 64);
}

static void frames_overlap(void **state) {
  (void)state;
  int16_t buffer[4] = {0}, out[2];
  const int16_t frame[4] = {1, 2, 3, 30000};
  audio_overlap_add_s16(frame, 4, 2, buffer, out);
  assert_memory_equal(out, ((int16_t[]){1, 2}), 4);
  audio_overlap_add_s16(frame, 4, 2, buffer, out);
  assert_memory_equal(out, ((int16_t[]){4, 30002}), 4);
  assert_memory_equal(buffer, ((int16_t[]){3, 30000, 0, 0}), 8);
  buffer[1] = 32767;
  audio_overlap_add_s16(frame, 4, 2, buffer, out);
  assert_int_equal(out[1], 32767);
  float float_buffer[2] = {1, 2}, float_out[1];
  audio_overlap_add_f32((float[]){0.5f, 0.25f}, 2, 1, float_buffer, float_out);
  assert_true(float_out[0] == 1.5f && float_buffer[0] == 2.25f && float_buffer[1] == 0);
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms_f32),
      cmocka_unit_test(transforms_s16),
      cmocka_unit_test(transforms_s32),
      cmocka_unit_test(fixed_point_by_hand),
      cmocka_unit_test(lengths_without_a_transform),
      cmocka_unit_test(windows_and_scales),
      cmocka_unit_test(filters),
      cmocka_unit_test(square_roots),
      cmocka_unit_test(logarithms),
      cmocka_unit_test(noise_is_subtracted),
      cmocka_unit_test(gain_is_a_table_of_parabolas),
      cmocka_unit_test(frames_overlap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
