// SPDX-License-Identifier: Apache-2.0
// kernels/normalize: against the formulas in double precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/normalize.h"

static uint64_t seed = 26457513;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

enum { ROWS = 3, DEPTH = 200 };

static void l2_rows(void **state) {
  (void)state;
  for (int round = 0; round < 100; round++) {
    size_t n = 1 + draw(DEPTH);
    int8_t x8[ROWS * DEPTH], o8[ROWS * DEPTH];
    uint8_t xu8[ROWS * DEPTH], ou8[ROWS * DEPTH];
    float xf[ROWS * DEPTH], of[ROWS * DEPTH];
    int32_t zero = (int32_t)draw(256) - 128;
    for (size_t i = 0; i < ROWS * n; i++) {
      x8[i] = (int8_t)((int)draw(256) - 128), xu8[i] = (uint8_t)draw(256), xf[i] = (float)draw(2000) / 100 - 10;
    }
    normalize_l2_s8(n, zero, x8, o8, 0, ROWS);
    normalize_l2_u8(n, zero + 128, xu8, ou8, 0, ROWS);
    normalize_l2_f32(n, xf, of, 1, ROWS);
    normalize_l2_f32(n, xf, of, 0, 1);
    for (size_t r = 0; r < ROWS; r++) {
      double s8 = 0, u8 = 0, f32 = 0;
      for (size_t c = r * n; c < (r + 1) * n; c++) {
        s8 += (x8[c] - zero) * (x8[c] - zero), u8 += (xu8[c] - zero - 128) * (xu8[c] - zero - 128),
            f32 += (double)xf[c] * (double)xf[c];
      }
      for (size_t c = r * n; c < (r + 1) * n; c++) {
        double exact8 = s8 == 0 ? 0 : 128 * (x8[c] - zero) / sqrt(s8),
               exact_u8 = u8 == 0 ? 0 : 128 * (xu8[c] - zero - 128) / sqrt(u8);
        assert_true(fabs(fmin(exact8, 127) - o8[c]) < 0.8);  // rounded twice
        assert_true(fabs(fmin(exact_u8, 127) + 128 - ou8[c]) < 0.8);
        assert_true(fabs((double)xf[c] / sqrt(f32) - (double)of[c]) < 1e-5);
      }
    }
  }
  const float tiny[2] = {3e-8f, 0};
  float out[2];
  normalize_l2_f32(2, tiny, out, 0, 1);
  assert_true(fabsf(out[0] - 0.03f) < 1e-6f && out[1] == 0);
}

static void local_rows(void **state) {
  (void)state;
  const float x[5] = {1, 2, 3, 4, 5};
  float out[5];
  normalize_local_f32(5, &(normalize_local){1, 2.0f, 0.5f, 1.0f}, x, out, 0, 1);
  const double squares[5] = {5, 14, 29, 50, 41};
  for (size_t i = 0; i < 5; i++) assert_true(fabs((double)out[i] - (double)x[i] / (2 + 0.5 * squares[i])) < 1e-6);
  normalize_local_f32(5, &(normalize_local){INT32_MAX, 0.0f, 1.0f, 0.5f}, x, out, 0, 1);
  for (size_t i = 0; i < 5; i++) assert_true(fabs((double)out[i] - (double)x[i] / sqrt(55.0)) < 1e-6);
  normalize_local_f32(5, &(normalize_local){-3, 1.0f, 1.0f, 1.0f}, x, out, 0, 1);  // a negative radius: the number alone
  assert_true(fabs((double)out[1] - 2.0 / 5) < 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(l2_rows), cmocka_unit_test(local_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
