// SPDX-License-Identifier: Apache-2.0
// kernels/fc: random layers against a formula in double precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/half.h"
#include "kernels/fc_packed.h"
#include "kernels/unpack.h"

static uint64_t seed = 16180339;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static int between(int low, int high) { return low + (int)draw((uint32_t)(high - low + 1)); }

enum { BATCHES = 4, UNITS = 11, DEPTH = 600 };
static int8_t x8[BATCHES * DEPTH], w8[UNITS * DEPTH];
static uint8_t xu8[BATCHES * DEPTH], wu8[UNITS * DEPTH];
static int16_t x16[BATCHES * DEPTH], w16[UNITS * DEPTH];
static float xf[BATCHES * DEPTH], wf[UNITS * DEPTH];

static void fill(bool extreme) {
  for (int i = 0; i < BATCHES * DEPTH; i++) {
    x8[i] = (int8_t)(extreme ? -128 : between(-128, 127));
    xu8[i] = (uint8_t)draw(256);
    x16[i] = (int16_t)(extreme ? -32768 : between(-32768, 32767));
    xf[i] = (float)between(-1000, 1000) / 512;
  }
  for (int i = 0; i < UNITS * DEPTH; i++) {
    w8[i] = (int8_t)(extreme ? -128 : between(-128, 127));
    wu8[i] = (uint8_t)draw(256);
    w16[i] = (int16_t)between(-32768, 32767);
    wf[i] = (float)between(-1000, 1000) / 1024;
  }
}

static int rounded(double sum, double scale, int zero, int low, int high) {
  double r = round(sum * scale) + zero;
  return (int)fmin(fmax(r, low), high);
}

static void check_layer(size_t batches, size_t units, size_t depth, bool per_unit) {
  fc_shape s = {batches, units, depth};
  double scales[UNITS];
  float scales_f[UNITS], bias_f[UNITS], in_scales[BATCHES] = {0.5f, 0.25f, 0.01f, 1.0f};
  int32_t bias[UNITS], in_zeros[BATCHES] = {0, -128, 127, 5};
  int64_t bias64[UNITS];
  quant_multiplier multipliers[UNITS];
  size_t step = per_unit;
  for (size_t u = 0; u < units; u++) {
    scales[u] = 1e-5 * between(1, 90);
    scales_f[u] = (float)scales[u];
    bias[u] = between(-9000, 9000);
    bias64[u] = (int64_t)bias[u] * 16384;
    bias_f[u] = (float)bias[u] / 4096;
    multipliers[u] = quant_from_real(scales[u] / 4096);
  }
  const int32_t *b = draw(3) ? bias : NULL;
  const int64_t *b64 = b ? bias64 : NULL;
  const float *bf = b ? bias_f : NULL;
  static int8_t o8[BATCHES * UNITS];
  static uint8_t ou8[BATCHES * UNITS];
  static int16_t ou8_16[BATCHES * UNITS], o16[BATCHES * UNITS], o16_narrow[BATCHES * UNITS], o1616[BATCHES * UNITS];
  static float of[BATCHES * UNITS], oh[BATCHES * UNITS];
  fc_s8_args s8 = {x8, w8, b, o8, 11, -4, {scales, step, -20, -128, 127}};
  fc_u8_args u8 = {xu8, wu8, b, ou8, NULL, 3, 77, {scales, step, 99, 0, 200}};
  fc_u8_args u8_16 = {xu8, wu8, b, NULL, ou8_16, 3, 77, {scales, step, 0, -32768, 32767}};
  fc_s16_args s16 = {x16, w8, 3, NULL, b64, o16, {scales, step, 0, -32768, 32767}};
  fc_s16_args narrow = {x16, w8, 0, bias, NULL, o16_narrow, {scales, step, 0, -32768, 32767}};
  fc_s16_s16_args s1616 = {x16, w16, 9, NULL, b64, o1616, {multipliers, step, 0, -32768, 32767}};
  fc_f32_args f32 = {xf, wf, bf, of, -8.0f, 9.0f};
  fc_hybrid_args hybrid = {x8, w8, bf, oh, in_scales, in_zeros, scales_f, step};
  size_t cut = units / 2;
  for (int half = 0; half < 2; half++) {
    size_t from = half ? cut : 0, to = half ? units : cut;
    fc_s8(&s, &s8, from, to);
    fc_u8(&s, &u8, from, to);
    fc_u8_s16(&s, &u8_16, from, to);
    fc_s16(&s, &s16, from, to);
    fc_s16(&s, &narrow, from, to);
    fc_s16_s16(&s, &s1616, from, to);
    fc_f32(&s, &f32, from, to);
    fc_hybrid(&s, &hybrid, from, to);
  }
  for (size_t i = 0; i < batches; i++) {
    for (size_t u = 0; u < units; u++) {
      double sum8 = 0, sumu8 = 0, sum16 = 0, sum16_0 = 0, sum_f = 0, sum_h = 0, scale = scales[u * step];
      int64_t sum1616 = 0;
      for (size_t k = 0; k < depth; k++) {
        sum8 += (x8[i * depth + k] - 11) * (w8[u * depth + k] + 4);
        sumu8 += (xu8[i * depth + k] - 3) * (wu8[u * depth + k] - 77);
        sum16 += (double)x16[i * depth + k] * (w8[u * depth + k] - 3);
        sum16_0 += (double)x16[i * depth + k] * w8[u * depth + k];
        sum1616 += (int64_t)x16[i * depth + k] * (w16[u * depth + k] - 9);
        sum_f += (double)xf[i * depth + k] * (double)wf[u * depth + k];
        sum_h += (x8[i * depth + k] - in_zeros[i]) * w8[u * depth + k];
      }
      size_t at = i * units + u;
      double add = b ? b[u] : 0, add64 = b ? (double)b64[u] : 0;
      assert_int_equal(o8[at], rounded(sum8 + add, scale, -20, -128, 127));
      assert_int_equal(ou8[at], rounded(sumu8 + add, scale, 99, 0, 200));
      assert_int_equal(ou8_16[at], rounded(sumu8 + add, scale, 0, -32768, 32767));
      assert_int_equal(o16[at], rounded(sum16 + add64, scale, 0, -32768, 32767));
      double wrapped = (double)(int32_t)(uint32_t)(int64_t)(sum16_0 + bias[u]);
      assert_int_equal(o16_narrow[at], rounded(wrapped, scale, 0, -32768, 32767));
      assert_int_equal(o1616[at], quant_clamp(quant_scale64(sum1616 + (int64_t)add64, multipliers[u * step]), -32768, 32767));
      assert_true(fabs(of[at] - fmin(fmax(sum_f + (double)(bf ? bf[u] : 0), -8), 9)) < 1e-3);
      double exact = sum_h * (double)in_scales[i] * (double)scales_f[u * step] + (double)(bf ? bf[u] : 0);
      assert_true(fabs(oh[at] - exact) <= 1e-5 * (1 + fabs(exact)));
    }
  }
}

static void layers(void **state) {
  (void)state;
  for (int round = 0; round < 60; round++) {
    fill(round % 10 == 0);
    check_layer((size_t)between(1, BATCHES), (size_t)between(1, UNITS), (size_t)between(1, DEPTH), round & 1);
  }
}

static void huge_scale(void **state) {  // leaves int32: clamped, not undefined
  (void)state;
  int8_t x = 100, w = 100, out = 0;
  double scale = 1e30;
  fc_shape s = {1, 1, 1};
  fc_s8_args a = {&x, &w, NULL, &out, 0, 0, {&scale, 0, 5, -128, 127}};
  fc_s8(&s, &a, 0, 1);
  assert_int_equal(out, 127);
}

static void shuffled(void **state) {
  (void)state;
  enum { MOST_UNITS = 12, MOST_DEPTH = 48 };
  for (int round = 0; round < 40; round++) {
    size_t batches = round & 1 ? 1 : 4, units = 4 * (1 + draw(3)), depth = 16 * (1 + draw(3));
    static uint8_t x[4 * MOST_DEPTH], plain[MOST_UNITS * MOST_DEPTH], weights[MOST_UNITS * MOST_DEPTH], workspace[4 * MOST_DEPTH];
    static int16_t out[4 * MOST_UNITS];
    int32_t bias[MOST_UNITS];
    for (size_t i = 0; i < batches * depth; i++) x[i] = (uint8_t)draw(256);
    for (size_t u = 0; u < units; u++) {
      bias[u] = between(-9999, 9999);
      for (size_t k = 0; k < depth; k++) {
        plain[u * depth + k] = (uint8_t)draw(256);
        // Blocks of 4 units and 16 columns, unit by unit inside, blocks along the columns first.
        size_t block = u / 4 * (depth / 16) + k / 16;
        weights[block * 64 + u % 4 * 16 + k % 16] = plain[u * depth + k] ^ 0x80;
      }
    }
    quant_multiplier m = quant_from_real(0.0123);
    fc_shape s = {batches, units, depth};
    fc_shuffled_args a = {x, weights, round % 3 ? bias : NULL, out, workspace, {&m, 0, 0, -32768, 32767}};
    fc_shuffled(&s, &a);
    for (size_t b = 0; b < batches; b++) {
      for (size_t u = 0; u < units; u++) {
        int32_t sum = a.bias ? bias[u] : 0;
        for (size_t k = 0; k < depth; k++) sum += (x[b * depth + k] - 128) * (plain[u * depth + k] - 128);
        assert_int_equal(out[b * units + u], quant_clamp(quant_scale(sum, m), -32768, 32767));
      }
      for (size_t k = 0; k < depth; k++)
        assert_int_equal(workspace[k / 16 * 16 * batches + b * 16 + k % 16], x[b * depth + k] ^ 0x80);
    }
  }
}

static void blockwise(void **state) {
  (void)state;
  for (int round = 0; round < 40; round++) {
    size_t block = 1 + draw(40), blocks = 2 * (1 + draw(4)), depth = block * blocks, units = 1 + draw(UNITS),
           batches = 1 + draw(BATCHES);
    static uint8_t packed[UNITS * DEPTH];
    static int8_t unpacked[64];
    static uint16_t scales[UNITS * 8];
    static float out[BATCHES * UNITS];
    float bias[UNITS], in_scales[BATCHES];
    int32_t zeros[BATCHES];
    fill(false);
    for (size_t i = 0; i < units * depth / 2; i++) packed[i] = (uint8_t)draw(256);
    for (size_t i = 0; i < units * blocks; i++) scales[i] = half_from_float((float)between(1, 999) / 4096);
    for (size_t u = 0; u < units; u++) bias[u] = (float)between(-99, 99);
    for (size_t b = 0; b < batches; b++) in_scales[b] = (float)between(1, 99) / 512, zeros[b] = between(-128, 127);
    fc_shape s = {batches, units, depth};
    fc_blockwise_args a = {x8, in_scales, zeros, packed, scales, block, round & 1 ? bias : NULL, out, unpacked};
    fc_blockwise(&s, &a, units / 2, units);
    fc_blockwise(&s, &a, 0, units / 2);
    for (size_t b = 0; b < batches; b++) {
      for (size_t u = 0; u < units; u++) {
        double sum = 0, size = 0;
        for (size_t k = 0; k < depth; k++) {
          int nibble = packed[(u * depth + k) / 2] >> (k % 2 * 4) & 15, w = nibble > 7 ? nibble - 16 : nibble;
          double term =
              (x8[b * depth + k] - zeros[b]) * w * (double)half_to_float(scales[u * blocks + k / block]) * (double)in_scales[b];
          sum += term, size += fabs(term);
        }
        assert_true(fabs((double)out[b * units + u] - sum - (double)(a.bias ? bias[u] : 0)) <= 1e-5 * (size + 100));
      }
    }
  }
}

static void unpacking(void **state) {
  (void)state;
  int8_t out[7];
  unpack_s4((const uint8_t[]){0x8F, 0x70, 0x21}, 5, out);
  assert_memory_equal(out, ((int8_t[]){-1, -8, 0, 7, 1}), 5);
  unpack_s4_from((const uint8_t[]){0x8F, 0x70, 0x21}, 1, 4, out);
  assert_memory_equal(out, ((int8_t[]){-8, 0, 7, 1}), 4);
  unpack_s4_from((const uint8_t[]){0x8F, 0x70, 0x21}, 2, 1, out);
  assert_int_equal(out[0], 0);
  unpack_s2((const uint8_t[]){0xE4, 0x1B}, 7, out);
  assert_memory_equal(out, ((int8_t[]){0, 1, -2, -1, -1, -2, 1}), 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(layers), cmocka_unit_test(huge_scale), cmocka_unit_test(shuffled),
                                     cmocka_unit_test(blockwise), cmocka_unit_test(unpacking)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
