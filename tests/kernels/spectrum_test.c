// SPDX-License-Identifier: Apache-2.0
// kernels/fft2d against the double sum that defines it; kernels/mel against triangles and cosines.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/fft2d.h"
#include "kernels/mel.h"

static uint64_t seed = 17320508;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static float draw_float(void) { return (float)draw(20001) / 10000.0f - 1.0f; }
static const double pi = 3.14159265358979323846;

enum { MOST = 16, SLICES = 2 };

static void transforms_of_images(void **state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    size_t in_h = 1 + draw(MOST), in_w = 1 + draw(MOST), h = (size_t)1 << draw(5), w = (size_t)1 << draw(5), width = w / 2 + 1;
    float in[SLICES * MOST * MOST], out[SLICES * MOST * 2 * (MOST / 2 + 1)];
    for (size_t i = 0; i < SLICES * in_h * in_w; i++) in[i] = draw_float();
    fft2d_real(in, SLICES, in_h, in_w, h, w, out);
    for (size_t s = 0; s < SLICES; s++) {
      for (size_t v = 0; v < h; v++) {
        for (size_t u = 0; u < width; u++) {
          double re = 0, im = 0;
          for (size_t y = 0; y < h && y < in_h; y++) {
            for (size_t x = 0; x < w && x < in_w; x++) {
              double phase = -2 * pi * ((double)(y * v) / (double)h + (double)(x * u) / (double)w),
                     value = in[(s * in_h + y) * in_w + x];
              re += value * cos(phase), im += value * sin(phase);
            }
          }
          const float *z = out + 2 * ((s * h + v) * width + u);
          assert_true(fabs(z[0] - re) < 1e-4 && fabs(z[1] - im) < 1e-4);
        }
      }
    }
    // And back, where nothing was cut off.
    if (w < 2 || in_h > h || in_w > w) continue;
    float back[SLICES * MOST * MOST];
    fft2d_real_inverse(out, SLICES, h, width, h, w, back);
    for (size_t s = 0; s < SLICES; s++) {
      for (size_t y = 0; y < h; y++) {
        for (size_t x = 0; x < w; x++) {
          float expected = y < in_h && x < in_w ? in[(s * in_h + y) * in_w + x] : 0;
          assert_true(fabsf(back[(s * h + y) * w + x] - expected) < 1e-5f);
        }
      }
    }
  }
}

// Half of the mirrored columns, and what lies outside the spectrum, does not count.
static void inverse_completes_the_spectrum(void **state) {
  (void)state;
  enum { H = 4, W = 4, WIDTH = 3 };
  float image[H * W], spectrum[2 * H * WIDTH], bent[2 * (H + 1) * (WIDTH + 1)], out[H * W];
  for (int i = 0; i < H * W; i++) image[i] = draw_float();
  fft2d_real(image, 1, H, W, H, W, spectrum);
  for (int i = 0; i < 2 * (H + 1) * (WIDTH + 1); i++) bent[i] = 100;
  for (int y = 0; y < H; y++) memcpy(bent + 2 * y * (WIDTH + 1), spectrum + 2 * y * WIDTH, sizeof(float) * 2 * WIDTH);
  bent[2 * 3 * (WIDTH + 1)] = -50;           // first column, row 3: mirrors row 1
  bent[2 * (1 * (WIDTH + 1) + 2) + 1] = 70;  // last column, row 1: mirrors row 3
  bent[1] = bent[2 * 2 + 1] = 30;            // imaginary parts of corners
  fft2d_real_inverse(bent, 1, H + 1, WIDTH + 1, H, W, out);
  for (int i = 0; i < H * W; i++) assert_true(fabsf(out[i] - image[i]) < 1e-5f);
}

static void mel_filters_are_triangles(void **state) {
  (void)state;
  enum { BINS = 129, FILTERS = 20 };
  const double rate = 16000, low = 100, high = 6000;
  mel_bin map[BINS];
  mel_bank bank;
  assert_true(mel_bank_init(&bank, BINS, rate, FILTERS, low, high, map));
  // The first bin that counts is 1.5 + low / (rate / 2 / 128) = 3.1.
  float squares[BINS];
  double logarithms[FILTERS];
  for (int i = 0; i < BINS; i++) squares[i] = draw_float() * draw_float() + 1;
  mel_log(&bank, squares, logarithms);
  double mel_low = 1127 * log(1 + low / 700), spacing = (1127 * log(1 + high / 700) - mel_low) / (FILTERS + 1);
  for (int c = 0; c < FILTERS; c++) {
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
      double frequency = i * rate / 2 / (BINS - 1),
             distance = fabs(1127 * log(1 + frequency / 700) - mel_low - spacing * (c + 1)) / spacing;
      if (i >= 3 && frequency <= high && distance < 1) sum += sqrt(squares[i]) * (1 - distance);
    }
    assert_true(fabs(logarithms[c] - log(sum)) < 1e-6);
  }
  // Beyond the spectrum: zeros. Silence: the floor.
  assert_true(mel_bank_init(&bank, BINS, 8000, FILTERS, low, high, map));
  mel_log(&bank, squares, logarithms);
  assert_true(logarithms[0] == 0 && logarithms[FILTERS - 1] == 0);
  memset(squares, 0, sizeof squares);
  assert_true(mel_bank_init(&bank, BINS, rate, FILTERS, low, high, map));
  mel_log(&bank, squares, logarithms);
  assert_true(fabs(logarithms[3] - log(1e-12)) < 1e-12);
  assert_false(mel_bank_init(&bank, 1, rate, FILTERS, low, high, map));
  assert_false(mel_bank_init(&bank, BINS, 0, FILTERS, low, high, map));
  assert_false(mel_bank_init(&bank, BINS, rate, 0, low, high, map));
  assert_false(mel_bank_init(&bank, BINS, rate, FILTERS, high, low, map));
}

static void cosine_transform(void **state) {
  (void)state;
  double table[2 * 4];
  const double in[4] = {1, 2, 3, 4};
  float out[2];
  mel_cosines(2, 4, table);
  mel_transform(table, 2, 4, in, out);
  assert_true(fabs(out[0] - sqrt(0.5) * 10) < 1e-6);
  double second = sqrt(0.5) * (cos(pi / 8) + 2 * cos(3 * pi / 8) + 3 * cos(5 * pi / 8) + 4 * cos(7 * pi / 8));
  assert_true(fabs(out[1] - second) < 1e-6);
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms_of_images),
      cmocka_unit_test(inverse_completes_the_spectrum),
      cmocka_unit_test(mel_filters_are_triangles),
      cmocka_unit_test(cosine_transform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
