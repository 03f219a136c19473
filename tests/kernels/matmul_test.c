// SPDX-License-Identifier: Apache-2.0
// kernels/matmul: random products, both operands stored either way, against sums in double precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/matmul.h"

static uint64_t seed = 22360679;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

enum { ROWS = 40, DEPTH = 300, COLS = 70 };
static int8_t a8[ROWS * DEPTH], b8[DEPTH * COLS], o8[ROWS * COLS];
static int16_t a16[ROWS * DEPTH], b16[DEPTH * COLS], o16[ROWS * COLS], o16_8[ROWS * COLS];
static float af[ROWS * DEPTH], bf[DEPTH * COLS], of[ROWS * COLS], oh[ROWS * COLS];
static int32_t o32[ROWS * COLS];

// Element numbers of left(i, k) and right(k, j).
static size_t left_at(const matmul_shape *s, size_t i, size_t k) {
  return s->left_transposed ? k * s->rows + i : i * s->depth + k;
}
static size_t right_at(const matmul_shape *s, size_t k, size_t j) {
  return s->right_transposed ? j * s->depth + k : k * s->cols + j;
}

static void check(const matmul_shape *s) {
  quant_multiplier m8 = quant_from_real(0.0003), m16 = quant_from_real(0.00001);
  requant out8 = {&m8, 0, -5, -128, 127}, out16 = {&m16, 0, 0, -32768, 32767};
  float left_scales[ROWS], right_scales[COLS];
  int32_t left_zeros[ROWS];
  for (size_t i = 0; i < ROWS; i++) left_scales[i] = 0.01f * (float)(1 + draw(9)), left_zeros[i] = (int32_t)draw(256) - 128;
  for (size_t j = 0; j < COLS; j++) right_scales[j] = 0.01f * (float)(1 + draw(9));
  matmul_hybrid h = {left_scales, left_zeros, right_scales, 1};
  matmul_zeros zeros = {17, -9};
  size_t cut = s->rows / 3;
  for (int half = 0; half < 2; half++) {
    size_t from = half ? 0 : cut, to = half ? cut : s->rows;
    matmul_f32(s, af, bf, of, from, to);
    matmul_s8_s32(s, a8, b8, o32, from, to);
    matmul_s8(s, zeros, &out8, a8, b8, o8, from, to);
    matmul_s16(s, &out16, a16, b16, o16, from, to);
    matmul_s16_s8(s, &out16, a16, b8, o16_8, from, to);
    matmul_hybrid_rows(s, &h, a8, b8, oh, from, to);
  }
  for (size_t i = 0; i < s->rows; i++) {
    for (size_t j = 0; j < s->cols; j++) {
      double sum_f = 0, sum8 = 0, plain8 = 0, sum16 = 0, sum16_8 = 0, sum_h = 0;
      for (size_t k = 0; k < s->depth; k++) {
        size_t l = left_at(s, i, k), r = right_at(s, k, j);
        sum_f += (double)af[l] * (double)bf[r];
        plain8 += a8[l] * b8[r];
        sum8 += (a8[l] - 17) * (b8[r] + 9);
        sum16 += (double)a16[l] * b16[r];
        sum16_8 += (double)a16[l] * b8[r];
        sum_h += (a8[l] - left_zeros[i]) * b8[r];
      }
      size_t at = i * s->cols + j;
      assert_true(fabs((double)of[at] - sum_f) < 1e-3);
      assert_int_equal(o32[at], (int32_t)plain8);
      assert_int_equal(o8[at], quant_clamp(quant_scale((int32_t)sum8, m8) - 5, -128, 127));
      assert_int_equal(o16[at], quant_clamp(quant_scale64((int64_t)sum16, m16), -32768, 32767));
      assert_int_equal(o16_8[at], quant_clamp(quant_scale64((int64_t)sum16_8, m16), -32768, 32767));
      double exact = sum_h * (double)left_scales[i] * (double)right_scales[j];
      assert_true(fabs((double)oh[at] - exact) <= 1e-5 * (1 + fabs(exact)));
    }
  }
}

static void products(void **state) {
  (void)state;
  for (int round = 0; round < 80; round++) {
    for (size_t i = 0; i < ROWS * DEPTH; i++) {
      a8[i] = (int8_t)((int)draw(256) - 128), a16[i] = (int16_t)((int)draw(65536) - 32768), af[i] = (float)draw(2000) / 1000 - 1;
    }
    for (size_t i = 0; i < DEPTH * COLS; i++) {
      b8[i] = (int8_t)((int)draw(256) - 128), b16[i] = (int16_t)((int)draw(65536) - 32768), bf[i] = (float)draw(2000) / 1000 - 1;
    }
    matmul_shape s = {1 + draw(ROWS), round % 10 == 9 ? 0 : 1 + draw(DEPTH), 1 + draw(COLS), round & 1, round >> 1 & 1};
    check(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
