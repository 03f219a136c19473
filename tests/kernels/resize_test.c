// SPDX-License-Identifier: Apache-2.0
// kernels/resize: against formulas written pixel by pixel in wider arithmetic, over random sizes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/resize.h"

static uint64_t seed = 20260801;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static resize_shape random_shape(bool both) {
  resize_shape s = {1 + (int)draw(3),
                    1 + (int)draw(9),
                    1 + (int)draw(9),
                    1 + (int)draw(20),
                    1 + (int)draw(80),
                    1 + (int)draw(21),
                    false,
                    false};
  int mode = (int)draw(both ? 4 : 3);
  s.align_corners = mode & 1;
  s.half_pixel_centers = mode & 2;
  return s;
}

static size_t in_count(const resize_shape *s) { return (size_t)(s->batches * s->in_h * s->in_w * s->depth); }
static size_t out_count(const resize_shape *s) { return (size_t)(s->batches * s->out_h * s->out_w * s->depth); }

// The pixel at (y, x); those beyond the border are as those at the border.
static double at(const double *image, const resize_shape *s, int b, int y, int x, int c) {
  y = y < 0 ? 0 : y >= s->in_h ? s->in_h - 1 : y;
  x = x < 0 ? 0 : x >= s->in_w ? s->in_w - 1 : x;
  return image[((b * s->in_h + y) * s->in_w + x) * s->depth + c];
}

static double source(int o, int in, int out, const resize_shape *s) {
  double step = s->align_corners && out > 1 ? (in - 1.0) / (out - 1.0) : (double)in / out;
  return s->half_pixel_centers ? (o + 0.5) * step - 0.5 : o * step;
}

static double bilinear(const double *image, const resize_shape *s, int b, int y, int x, int c) {
  double fy = source(y, s->in_h, s->out_h, s), fx = source(x, s->in_w, s->out_w, s);
  int y0 = (int)floor(fy), x0 = (int)floor(fx);
  double top = at(image, s, b, y0, x0, c) * (x0 + 1 - fx) + at(image, s, b, y0, x0 + 1, c) * (fx - x0);
  double bottom = at(image, s, b, y0 + 1, x0, c) * (x0 + 1 - fx) + at(image, s, b, y0 + 1, x0 + 1, c) * (fx - x0);
  return top * (y0 + 1 - fy) + bottom * (fy - y0);
}

// Every test splits the rows at a random place and makes the two parts apart.
#define BILINEAR_TEST(suffix, type, low, high, tolerance)                                                \
  static void bilinear_##suffix(void **state) {                                                          \
    (void)state;                                                                                         \
    for (int round = 0; round < 200; round++) {                                                          \
      resize_shape s = random_shape(false);                                                              \
      type *in = malloc(in_count(&s) * sizeof *in), *out = malloc(out_count(&s) * sizeof *out);          \
      double *image = malloc(in_count(&s) * sizeof *image);                                              \
      for (size_t i = 0; i < in_count(&s); i++)                                                          \
        image[i] = in[i] = (type)((low) + (double)draw(65536) / 65535 * ((high) - (low)));               \
      int rows = s.batches * s.out_h, split = (int)draw((uint32_t)rows + 1);                             \
      resize_bilinear_##suffix(&s, in, out, split, rows);                                                \
      resize_bilinear_##suffix(&s, in, out, 0, split);                                                   \
      const type *o = out;                                                                               \
      for (int b = 0; b < s.batches; b++) {                                                              \
        for (int y = 0; y < s.out_h; y++) {                                                              \
          for (int x = 0; x < s.out_w; x++) {                                                            \
            for (int c = 0; c < s.depth; c++, o++) {                                                     \
              double expected = bilinear(image, &s, b, y, x, c);                                         \
              if (!(fabs(*o - expected) <= (tolerance)))                                                 \
                fail_msg("round %d: [%d,%d,%d,%d] %f, not %f", round, b, y, x, c, (double)*o, expected); \
            }                                                                                            \
          }                                                                                              \
        }                                                                                                \
      }                                                                                                  \
      free(in), free(out), free(image);                                                                  \
    }                                                                                                    \
  }
BILINEAR_TEST(f32, float, -1, 1, 1e-5)
BILINEAR_TEST(u8, uint8_t, 0, 255, 0.501)
// Steps have 10 fraction bits: up to 80/2048 of a pixel wrong along a row of 80, 20/2048 down 20 rows, times the range.
BILINEAR_TEST(s8, int8_t, -128, 127, 256 * 0.05 + 1)
BILINEAR_TEST(s16, int16_t, -32768, 32767, 65536 * 0.05 + 1)

// Exact figures, worked out by hand: 2 -> 4 columns are steps of 512/1024.
static void integers_round_half_away_from_zero(void **state) {
  (void)state;
  resize_shape s = {1, 1, 2, 1, 4, 1, false, false};
  int8_t in[2] = {-3, 0}, out[4];
  resize_bilinear_s8(&s, in, out, 0, 1);
  assert_memory_equal(out, ((int8_t[]){-3, -2, 0, 0}), 4);  // -1.5 becomes -2
  int16_t wide[2] = {3, 0}, wide_out[4];
  resize_bilinear_s16(&s, wide, wide_out, 0, 1);
  assert_memory_equal(wide_out, ((int16_t[]){3, 2, 0, 0}), 8);
  uint8_t byte[2] = {3, 0}, byte_out[4];
  resize_bilinear_u8(&s, byte, byte_out, 0, 1);
  assert_memory_equal(byte_out, ((uint8_t[]){3, 2, 0, 0}), 4);
}

// 3 -> 4000 columns: the step rounds up to 1/1024, so that the last columns fall behind the image.
static void rounded_steps_stay_in_the_image(void **state) {
  (void)state;
  resize_shape s = {1, 1, 3, 1, 4000, 1, false, false};
  int8_t *in = malloc(3), *out = malloc(4000);  // of exactly their size, for sanitizers
  memcpy(in, ((int8_t[]){1, 2, 3}), 3);
  resize_bilinear_s8(&s, in, out, 0, 1);
  assert_int_equal(out[0], 1);
  assert_int_equal(out[1024], 2);
  assert_int_equal(out[3999], 3);
  free(in), free(out);
}

// The source pixel in whole numbers: (o + half) * in / out, for aligned corners (o + half) * (in - 1) / (out - 1) rounded. Exact
// ties of the reference's float arithmetic may fall to either side: *tie tells.
static int nearest_source(int o, int in, int out, const resize_shape *s, bool *tie) {
  bool corners = s->align_corners && out > 1;
  int up = corners ? in - 1 : in, down = corners ? out - 1 : out;
  int twice = (2 * o + s->half_pixel_centers) * up + (s->align_corners ? down : 0);  // of 2 * down
  *tie = twice % (2 * down) == 0;
  int pixel = twice / (2 * down);
  return pixel > in - 1 ? in - 1 : pixel;
}

static void nearest(void **state) {
  (void)state;
  int exact = 0;
  for (int round = 0; round < 300; round++) {
    resize_shape s = random_shape(true);
    size_t element = (size_t)1 << draw(3), pixel = (size_t)s.depth * element;
    uint8_t *in = malloc(in_count(&s) * element), *out = malloc(out_count(&s) * element);
    for (size_t i = 0; i < in_count(&s) * element; i++) in[i] = (uint8_t)draw(256);
    int rows = s.batches * s.out_h, split = (int)draw((uint32_t)rows + 1);
    resize_nearest(&s, in, out, element, 0, split);
    resize_nearest(&s, in, out, element, split, rows);
    for (int b = 0; b < s.batches; b++) {
      for (int y = 0; y < s.out_h; y++) {
        for (int x = 0; x < s.out_w; x++) {
          bool tie_y, tie_x;
          int from_y = nearest_source(y, s.in_h, s.out_h, &s, &tie_y), from_x = nearest_source(x, s.in_w, s.out_w, &s, &tie_x);
          const uint8_t *expected = in + (size_t)((b * s.in_h + from_y) * s.in_w + from_x) * pixel;
          if ((tie_y && y > 0) || (tie_x && x > 0)) continue;
          exact++;
          if (memcmp(expected, out + (size_t)((b * s.out_h + y) * s.out_w + x) * pixel, pixel) != 0)
            fail_msg("round %d: %d x %d -> %d x %d, align_corners %d, half_pixel_centers %d: pixel %d %d %d", round, s.in_h,
                     s.in_w, s.out_h, s.out_w, s.align_corners, s.half_pixel_centers, b, y, x);
        }
      }
    }
    free(in), free(out);
  }
  assert_true(exact > 100000);
}

// Twice as large, and half as large: no rounding is in doubt.
static void nearest_by_hand(void **state) {
  (void)state;
  const int16_t in[4] = {10, 20, 30, 40};
  int16_t out[8], half[2];
  resize_nearest(&(resize_shape){1, 1, 4, 1, 8, 1, false, false}, in, out, 2, 0, 1);
  assert_memory_equal(out, ((int16_t[]){10, 10, 20, 20, 30, 30, 40, 40}), 16);
  resize_nearest(&(resize_shape){1, 1, 4, 1, 2, 1, false, false}, in, half, 2, 0, 1);
  assert_memory_equal(half, ((int16_t[]){10, 30}), 4);
  resize_nearest(&(resize_shape){1, 1, 4, 1, 2, 1, false, true}, in, half, 2, 0, 1);
  assert_memory_equal(half, ((int16_t[]){20, 40}), 4);
  resize_nearest(&(resize_shape){1, 1, 4, 1, 2, 1, true, false}, in, half, 2, 0, 1);
  assert_memory_equal(half, ((int16_t[]){10, 40}), 4);
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bilinear_f32),
      cmocka_unit_test(bilinear_u8),
      cmocka_unit_test(bilinear_s8),
      cmocka_unit_test(bilinear_s16),
      cmocka_unit_test(integers_round_half_away_from_zero),
      cmocka_unit_test(rounded_steps_stay_in_the_image),
      cmocka_unit_test(nearest),
      cmocka_unit_test(nearest_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
