// SPDX-License-Identifier: Apache-2.0
// kernels/window, conv and dwconv: random shapes against one formula in wide arithmetic, that fetches each pixel by its
// coordinates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/dwconv.h"

static uint64_t seed = 31415926;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static int between(int low, int high) { return low + (int)draw((uint32_t)(high - low + 1)); }

static void windows(void **state) {
  (void)state;
  window_axis a = {.in = 5, .taps = 3, .stride = 2, .dilation = 1};
  int odd;
  assert_true(window_fit(&a, true, &odd) && a.out == 3 && a.pad == 1 && odd == 0);
  assert_true(window_fit(&a, false, &odd) && a.out == 2 && a.pad == 0);
  a = (window_axis){.in = 6, .taps = 3, .stride = 2, .dilation = 1};
  assert_true(window_fit(&a, true, &odd) && a.out == 3 && a.pad == 0 && odd == 1);
  a = (window_axis){.in = 1, .taps = 3, .stride = 2, .dilation = 1};  // misses by less than a stride: none; by more: an error
  assert_true(window_fit(&a, false, &odd) && a.out == 0);
  a.taps = 5;
  assert_false(window_fit(&a, false, &odd));
  const window_axis refused[] = {
      {.in = -1, .taps = 1, .stride = 1, .dilation = 1},      {.in = 4, .taps = 0, .stride = 1, .dilation = 1},
      {.in = 4, .taps = 1, .stride = 0, .dilation = 1},       {.in = 4, .taps = 1, .stride = 1, .dilation = 0},
      {.in = 4, .taps = 3, .stride = 1, .dilation = 1 << 30}, {.in = INT32_MAX, .taps = 1, .stride = 1, .dilation = 1}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    a = refused[i];
    assert_false(window_fit(&a, true, NULL));
  }
  for (int round = 0; round < 2000; round++) {
    a = (window_axis){.in = between(1, 20), .taps = between(1, 7), .stride = between(1, 6), .dilation = between(1, 5)};
    if (!window_fit(&a, draw(2), NULL)) continue;
    for (int at = 0; at < a.out; at++) {
      window_taps taps = window_taps_at(&a, at);
      assert_true(a.dilation > 1 || taps.first < taps.last);
      for (int t = 0; t < a.taps; t++) {
        int pixel = at * a.stride - a.pad + t * a.dilation;
        assert_int_equal(t >= taps.first && t < taps.last, pixel >= 0 && pixel < a.in);
      }
    }
  }
}

// ---- One problem in every number format. ----
enum { ROOM = 40000 };
typedef struct problem {
  conv_shape s;
  bool depthwise;
  size_t inputs, filters, outputs;
  int8_t in8[ROOM], w8[ROOM];
  uint8_t inu8[ROOM], wu8[ROOM];
  int16_t in16[ROOM];
  float inf[ROOM], wf[ROOM], biasf[64];
  int32_t bias[64];
  int64_t bias64[64];
  quant_multiplier multipliers[64];
  float filter_scales[64], input_scales[4];
  int32_t input_zeros[4];
} problem;
static problem p;

static bool make_problem(bool depthwise) {
  int groups = depthwise ? 1 : draw(4) == 0 ? between(1, 3) : 1, depth = between(1, 9);
  p.depthwise = depthwise;
  p.s = (conv_shape){
      .batches = between(1, 3),
      .in_c = groups * depth,
      .filter_c = depthwise ? 1 : depth,
      .out_c = depthwise ? groups * depth * between(1, 3) : groups * between(1, 9),
      .y = {.in = between(1, 9), .taps = between(1, 4), .stride = between(1, 3), .dilation = between(1, 2)},
      .x = {.in = between(1, 9), .taps = between(1, 4), .stride = between(1, 3), .dilation = between(1, 2)},
  };
  if (depthwise && draw(8) == 0) p.s.in_c = p.s.out_c = 64;  // more than one tile of channels
  bool same = draw(2);
  if (!window_fit(&p.s.y, same, NULL) || !window_fit(&p.s.x, same, NULL)) return false;
  p.inputs = (size_t)(p.s.batches * p.s.y.in * p.s.x.in * p.s.in_c);
  p.filters = (size_t)(p.s.y.taps * p.s.x.taps * p.s.out_c * p.s.filter_c);
  p.outputs = (size_t)(p.s.batches * p.s.y.out * p.s.x.out * p.s.out_c);
  if (p.s.out_c > 64 || p.inputs > ROOM || p.filters > ROOM || p.outputs > ROOM) return false;
  bool extreme = draw(4) == 0;
  for (size_t i = 0; i < p.inputs; i++) {
    p.in8[i] = (int8_t)(extreme ? (draw(2) ? 127 : -128) : between(-128, 127));
    p.inu8[i] = (uint8_t)(extreme ? draw(2) * 255 : draw(256));
    p.in16[i] = (int16_t)(extreme ? (draw(2) ? 32767 : -32768) : between(-32768, 32767));
    p.inf[i] = (float)between(-1000, 1000) / 256;
  }
  for (size_t i = 0; i < p.filters; i++) {
    p.w8[i] = (int8_t)(extreme ? (draw(2) ? 127 : -128) : between(-128, 127));
    p.wu8[i] = (uint8_t)draw(256);
    p.wf[i] = (float)between(-1000, 1000) / 1024;
  }
  for (int c = 0; c < p.s.out_c; c++) {
    p.bias[c] = between(-5000, 5000);
    p.bias64[c] = (int64_t)between(-5000, 5000) * 4096;
    p.biasf[c] = (float)between(-100, 100) / 64;
    p.multipliers[c] = quant_from_real(0.0001 * between(1, 40));
    p.filter_scales[c] = 0.001f * (float)between(1, 20);
  }
  for (int b = 0; b < 4; b++) p.input_scales[b] = 0.01f * (float)between(1, 9), p.input_zeros[b] = between(-128, 127);
  return true;
}

// Pixel (b, y, x, c) times weight (o, ky, kx, c), over all taps and channels that output channel o sees.
typedef double product(int batch, size_t input, size_t filter);
static double formula(product *f, int b, int oy, int ox, int o) {
  const conv_shape *s = &p.s;
  double sum = 0;
  int channels = p.depthwise ? 1 : s->filter_c;
  for (int ky = 0; ky < s->y.taps; ky++) {
    for (int kx = 0; kx < s->x.taps; kx++) {
      int y = oy * s->y.stride - s->y.pad + ky * s->y.dilation, x = ox * s->x.stride - s->x.pad + kx * s->x.dilation;
      if (y < 0 || y >= s->y.in || x < 0 || x >= s->x.in) continue;
      for (int k = 0; k < channels; k++) {
        int groups = s->in_c / s->filter_c;
        int c = p.depthwise ? o / (s->out_c / s->in_c) : o / (s->out_c / groups) * s->filter_c + k;
        size_t input = (size_t)(((b * s->y.in + y) * s->x.in + x) * s->in_c + c);
        size_t filter = p.depthwise ? (size_t)((ky * s->x.taps + kx) * s->out_c + o)
                                    : (size_t)(((o * s->y.taps + ky) * s->x.taps + kx) * s->filter_c + k);
        sum += f(b, input, filter);
      }
    }
  }
  return sum;
}

enum { IN_ZERO = 7, U8_IN_ZERO = 200, U8_FILTER_ZERO = 17, OUT_ZERO = -3 };
static double product_s8(int b, size_t i, size_t w) {
  (void)b;
  return (double)(p.in8[i] - IN_ZERO) * p.w8[w];
}
static double product_u8(int b, size_t i, size_t w) {
  (void)b;
  return (double)(p.inu8[i] - U8_IN_ZERO) * (p.wu8[w] - U8_FILTER_ZERO);
}
static double product_s16(int b, size_t i, size_t w) {
  (void)b;
  return (double)p.in16[i] * p.w8[w];
}
static double product_hybrid(int b, size_t i, size_t w) { return (double)(p.in8[i] - p.input_zeros[b]) * p.w8[w]; }
static double product_f32(int b, size_t i, size_t w) {
  (void)b;
  return (double)p.inf[i] * p.wf[w];
}

static int32_t clamp(int32_t x, int32_t low, int32_t high) { return x < low ? low : x > high ? high : x; }

// Runs `call` in two halves of the rows, then compares each element with `expected`; o, sum and at are in scope there.
#define CHECK(call, formula_of, condition)                                                                        \
  do {                                                                                                            \
    int rows = p.s.batches * p.s.y.out, row0 = 0, row1 = rows / 2;                                                \
    call;                                                                                                         \
    row0 = row1, row1 = rows;                                                                                     \
    call;                                                                                                         \
    size_t at = 0;                                                                                                \
    for (int b = 0; b < p.s.batches; b++)                                                                         \
      for (int y = 0; y < p.s.y.out; y++)                                                                         \
        for (int x = 0; x < p.s.x.out; x++)                                                                       \
          for (int o = 0; o < p.s.out_c; o++, at++) {                                                             \
            double sum = formula(formula_of, b, y, x, o);                                                         \
            if (!(condition)) fail_msg("round seed %llu: output %zu, sum %g", (unsigned long long)seed, at, sum); \
          }                                                                                                       \
  } while (0)

static void integers(bool depthwise, bool one_multiplier) {
  static int8_t out8[ROOM];
  static uint8_t outu8[ROOM];
  static int16_t out16[ROOM];
  size_t step = one_multiplier ? 0 : 1;
  const int32_t *bias = draw(4) ? p.bias : NULL;
  const int64_t *bias64 = bias ? p.bias64 : NULL;
  requant out = {p.multipliers, step, OUT_ZERO, -100, 120};
  conv_s8_args s8 = {p.in8, p.w8, bias, out8, IN_ZERO, out};
  CHECK(
      (depthwise ? dwconv_s8 : conv_s8)(&p.s, &s8, row0, row1), product_s8,
      out8[at] == clamp(quant_scale((int32_t)sum + (bias ? bias[o] : 0), p.multipliers[(size_t)o * step]) + OUT_ZERO, -100, 120));
  out.zero_point = 100, out.low = 3, out.high = 250;
  conv_u8_args u8 = {p.inu8, p.wu8, bias, outu8, U8_IN_ZERO, U8_FILTER_ZERO, out};
  CHECK((depthwise ? dwconv_u8 : conv_u8)(&p.s, &u8, row0, row1), product_u8,
        outu8[at] == clamp(quant_scale((int32_t)sum + (bias ? bias[o] : 0), p.multipliers[(size_t)o * step]) + 100, 3, 250));
  out.zero_point = 0, out.low = -32000, out.high = 32767;
  conv_s16_wide_args wide = {p.in16, p.w8, bias64, out16, out};
  CHECK((depthwise ? dwconv_s16_wide : conv_s16_wide)(&p.s, &wide, row0, row1), product_s16,
        out16[at] == clamp(quant_scale64((int64_t)sum + (bias ? bias64[o] : 0), p.multipliers[(size_t)o * step]), -32000, 32767));
  if (depthwise) return;
  conv_s16_args s16 = {p.in16, p.w8, bias, out16, out};
  CHECK(conv_s16(&p.s, &s16, row0, row1), product_s16,
        out16[at] == clamp(quant_scale((int32_t)(uint32_t)(int64_t)sum + (bias ? bias[o] : 0), p.multipliers[(size_t)o * step]),
                           -32000, 32767));
}

static void floats(bool depthwise, bool one_scale) {
  static float out[ROOM];
  const float *bias = draw(4) ? p.biasf : NULL;
  size_t step = one_scale ? 0 : 1;
  conv_f32_args f32 = {p.inf, p.wf, bias, out, -20.0f, 25.0f};
  CHECK((depthwise ? dwconv_f32 : conv_f32)(&p.s, &f32, row0, row1), product_f32,
        fabs(out[at] - fmin(fmax(sum + (double)(bias ? bias[o] : 0), -20.0), 25.0)) < 2e-4);
  conv_hybrid_args hybrid = {p.in8, p.w8, bias, out, p.input_scales, p.input_zeros, p.filter_scales, step, -1e30f, 1e30f};
  CHECK((depthwise ? dwconv_hybrid_rows : conv_hybrid_rows)(&p.s, &hybrid, row0, row1), product_hybrid,
        fabs(out[at] - (sum * (double)p.filter_scales[(size_t)o * step] * (double)p.input_scales[b] +
                        (double)(bias ? bias[o] : 0))) <= 1e-5 * (1 + fabs((double)out[at])));
}

static void convolutions(void **state) {
  (void)state;
  for (int round = 0; round < 400; round++) {
    if (!make_problem(false)) continue;
    integers(false, round & 1);
    floats(false, round & 1);
  }
}

static void depthwise_convolutions(void **state) {
  (void)state;
  for (int round = 0; round < 400; round++) {
    if (!make_problem(true)) continue;
    integers(true, round & 1);
    floats(true, round & 1);
  }
}

// ---- Transposed: a convolution's input and output change places, and each input pixel is scattered over the output. ----
static void scatter(product *f, size_t small_image, double *large) {
  const conv_shape *s = &p.s;
  memset(large, 0, sizeof(double) * (size_t)(s->batches * s->y.in * s->x.in * s->out_c));
  for (int b = 0; b < s->batches; b++)
    for (int y = 0; y < s->y.out; y++)
      for (int x = 0; x < s->x.out; x++)
        for (int ky = 0; ky < s->y.taps; ky++)
          for (int kx = 0; kx < s->x.taps; kx++) {
            int oy = y * s->y.stride - s->y.pad + ky, ox = x * s->x.stride - s->x.pad + kx;
            if (oy < 0 || oy >= s->y.in || ox < 0 || ox >= s->x.in) continue;
            for (int o = 0; o < s->out_c; o++)
              for (int c = 0; c < s->in_c; c++) {
                size_t input = (size_t)(((b * s->y.out + y) * s->x.out + x) * s->in_c + c);
                size_t filter = (size_t)(((o * s->y.taps + ky) * s->x.taps + kx) * s->in_c + c);
                assert_true(input < small_image);
                large[((b * s->y.in + oy) * s->x.in + ox) * s->out_c + o] += f(b, input, filter);
              }
          }
}

static void transposed_convolutions(void **state) {
  (void)state;
  static double large[ROOM];
  static int8_t out8[ROOM];
  static uint8_t outu8[ROOM];
  static int16_t out16[ROOM], narrow16[ROOM];
  static float outf[ROOM], hybrid_out[ROOM];
  for (int round = 0; round < 400; round++) {
    if (!make_problem(false) || p.s.filter_c != p.s.in_c || p.s.y.dilation != 1 || p.s.x.dilation != 1) continue;
    conv_shape *s = &p.s;
    size_t small = (size_t)(s->batches * s->y.out * s->x.out * s->in_c);
    size_t count = (size_t)(s->batches * s->y.in * s->x.in * s->out_c);
    if (small > ROOM || count > ROOM) continue;
    for (size_t i = p.inputs; i < small; i++) p.in8[i] = 1, p.inu8[i] = 2, p.in16[i] = 3, p.inf[i] = 4;
    requant out = {p.multipliers, 1, OUT_ZERO, -100, 120}, out_u8 = {p.multipliers, 1, 100, 3, 250};
    requant wide = {p.multipliers, 0, 0, -32768, 32767};
    conv_s8_args s8 = {p.in8, p.w8, p.bias, out8, IN_ZERO, out};
    conv_u8_args u8 = {p.inu8, p.wu8, NULL, outu8, U8_IN_ZERO, U8_FILTER_ZERO, out_u8};
    conv_s16_wide_args s16 = {p.in16, p.w8, p.bias64, out16, wide};
    conv_s16_args narrow = {p.in16, p.w8, p.bias, narrow16, wide};
    conv_f32_args f32 = {p.inf, p.wf, p.biasf, outf, -1e30f, 1e30f};
    conv_hybrid_args hybrid = {p.in8, p.w8, NULL, hybrid_out, p.input_scales, p.input_zeros, p.filter_scales, 1, -1e30f, 1e30f};
    int rows = s->batches * s->y.in;
    for (int half = 0; half < 2; half++) {
      int from = half ? rows / 2 : 0, to = half ? rows : rows / 2;
      conv_transposed_s8(s, &s8, from, to), conv_transposed_u8(s, &u8, from, to), conv_transposed_s16_wide(s, &s16, from, to), conv_transposed_s16(s, &narrow, from, to);
      conv_transposed_f32(s, &f32, from, to), conv_transposed_hybrid_rows(s, &hybrid, from, to);
    }
    scatter(product_s8, small, large);
    for (size_t i = 0; i < count; i++) {
      int o = (int)(i % (size_t)s->out_c);
      assert_int_equal(out8[i], clamp(quant_scale((int32_t)large[i] + p.bias[o], p.multipliers[o]) + OUT_ZERO, -100, 120));
    }
    scatter(product_u8, small, large);
    for (size_t i = 0; i < count; i++)
      assert_int_equal(outu8[i], clamp(quant_scale((int32_t)large[i], p.multipliers[i % (size_t)s->out_c]) + 100, 3, 250));
    scatter(product_s16, small, large);
    for (size_t i = 0; i < count; i++) {
      size_t o = i % (size_t)s->out_c;
      assert_int_equal(out16[i], clamp(quant_scale64((int64_t)large[i] + p.bias64[o], p.multipliers[0]), -32768, 32767));
      int32_t sum = (int32_t)(uint32_t)(int64_t)large[i] + p.bias[o];
      assert_int_equal(narrow16[i], clamp(quant_scale(sum, p.multipliers[0]), -32768, 32767));
    }
    scatter(product_f32, small, large);
    for (size_t i = 0; i < count; i++)
      assert_true(fabs((double)outf[i] - large[i] - (double)p.biasf[i % (size_t)s->out_c]) < 1e-3);
    scatter(product_hybrid, small, large);
    for (size_t i = 0; i < count; i++) {
      size_t b = i / (count / (size_t)s->batches);
      double exact = large[i] * (double)p.filter_scales[i % (size_t)s->out_c] * (double)p.input_scales[b];
      assert_true(fabs((double)hybrid_out[i] - exact) <= 1e-5 * (1 + fabs(exact)));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(windows), cmocka_unit_test(convolutions),
                                     cmocka_unit_test(depthwise_convolutions), cmocka_unit_test(transposed_convolutions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
