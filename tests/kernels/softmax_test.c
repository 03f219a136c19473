// SPDX-License-Identifier: Apache-2.0
// quant/fixed_point and kernels/softmax_rows: against the C library in double precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/half.h"
#include "kernels/softmax_rows.h"
#include "quant/fixed_point.h"

static uint64_t seed = 17320508;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static void fixed_point(void **state) {
  (void)state;
  assert_int_equal(fixed_exp_q5(0), INT32_MAX);
  for (int i = 0; i < 100000; i++) {
    int32_t x = -(int32_t)draw(INT32_MAX) >> draw(20);
    double exact = exp(x / 67108864.0);
    assert_true(x == 0 || fabs(fixed_exp_q5(x) / 2147483648.0 - exact) < 3e-7);
    int32_t y = (int32_t)draw(INT32_MAX);
    assert_true(fabs(fixed_one_over_one_plus(y) / 2147483648.0 - 1 / (1 + y / 2147483648.0)) < 1e-8);
  }
  assert_true(fixed_exp_q5(INT32_MIN) >= 0 && fixed_exp_q5(INT32_MIN) < 5);
  for (int i = 0; i < 100000; i++) {  // x in [1, 4096) in Q12
    int32_t x = (int32_t)(INT32_C(1) << 19) + (int32_t)(draw(INT32_MAX - (1 << 19)) >> draw(12));
    double exact = log(x / 524288.0);
    assert_true(fabs(fixed_log_q12(x) / 67108864.0 - exact) < 2e-7);
  }
  assert_int_equal(fixed_log_q12(1 << 19), 0);
  for (int i = 0; i < 32; i++) {
    assert_int_equal(fixed_leading_zeros(UINT32_C(1) << i), 31 - i);
    assert_int_equal(fixed_leading_zeros((UINT32_C(1) << i) | 1), 31 - i);
  }
  assert_int_equal(fixed_leading_zeros(0), 32);
  assert_int_equal(fixed_shift_left(3, 30), INT32_MAX);
  assert_int_equal(fixed_shift_left(-3, 30), INT32_MIN);
  assert_int_equal(fixed_shift_left(-3, 4), -48);
}

enum { DEPTH = 300, ROWS = 3 };

// The exact share of element c of a row of n values f(i).
static double share(double (*value)(size_t), size_t row, size_t n, size_t c, double beta) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += exp(beta * (value(row * n + i) - value(row * n + c)));
  return 1 / sum;
}
static int8_t x8[ROWS * DEPTH];
static uint8_t xu8[ROWS * DEPTH];
static int16_t x16[ROWS * DEPTH];
static float xf[ROWS * DEPTH];
static double value_s8(size_t i) { return x8[i]; }
static double value_u8(size_t i) { return xu8[i]; }
static double value_s16(size_t i) { return x16[i]; }
static double value_f32(size_t i) { return (double)xf[i]; }

static void near_int(double exact, double got, double slack) {
  if (fabs(exact - got) > slack) fail_msg("seed %llu: %g instead of %g", (unsigned long long)seed, got, exact);
}

static void rows(void **state) {
  (void)state;
  static int8_t o8[ROWS * DEPTH], direct[ROWS * DEPTH];
  static uint8_t ou8[ROWS * DEPTH];
  static int16_t o8_16[ROWS * DEPTH], ou8_16[ROWS * DEPTH], o16[ROWS * DEPTH];
  static float of[ROWS * DEPTH];
  static uint16_t xh[ROWS * DEPTH], oh[ROWS * DEPTH];
  static int32_t exps[256];
  static softmax_tables tables;
  softmax_fill_tables(&tables);
  for (int round = 0; round < 60; round++) {
    size_t n = 1 + draw(round % 2 ? DEPTH : 10);
    double scale8 = 0.01 + draw(100) / 500.0, scale16 = (1 + draw(50)) / 32768.0;
    for (size_t i = 0; i < ROWS * n; i++) {
      x8[i] = (int8_t)((int)draw(256) - 128), xu8[i] = (uint8_t)draw(256), x16[i] = (int16_t)((int)draw(65536) - 32768);
      xf[i] = (float)draw(2000) / 100 - 10;
    }
    softmax_scale scale = {0};
    assert_true(softmax_scale_from_real(1.0, scale8, &scale));
    softmax_s8(n, &scale, x8, direct, 0, ROWS);
    softmax_fill_exps(&scale, exps);
    scale.exps = exps;
    softmax_s8(n, &scale, x8, o8, 1, ROWS);
    softmax_s8(n, &scale, x8, o8, 0, 1);
    assert_memory_equal(direct, o8, ROWS * n);
    softmax_u8(n, &scale, xu8, ou8, 0, ROWS);
    softmax_s8_s16(n, &scale, x8, o8_16, 0, ROWS);
    softmax_u8_s16(n, &scale, xu8, ou8_16, 0, ROWS);
    softmax_s16(n, quant_from_real(scale16 / (10.0 / 65535)), &tables, x16, o16, 0, ROWS);
    for (size_t i = 0; i < ROWS * n; i++) xh[i] = half_from_float(xf[i]), xf[i] = half_to_float(xh[i]);
    softmax_f16(n, 0.5f, xh, oh, 0, ROWS);
    softmax_f32(n, 0.5f, xf, of, 0, ROWS);
    for (size_t r = 0; r < ROWS; r++) {
      for (size_t c = 0; c < n; c++) {
        size_t at = r * n + c;
        double s8 = share(value_s8, r, n, c, scale8), u8 = share(value_u8, r, n, c, scale8);
        near_int(fmin(s8 * 256, 255) - 128, o8[at], 0.51);
        near_int(fmin(u8 * 256, 255), ou8[at], 0.51);
        near_int(fmin(s8 * 65536, 65535) - 32768, o8_16[at], 1.5);
        near_int(fmin(u8 * 65536, 65535) - 32768, ou8_16[at], 1.5);
        double s16 = share(value_s16, r, n, c, scale16) * 32768;  // the tables interpolate
        near_int(fmin(s16, 32767), o16[at], 3 + 0.01 * s16);
        near_int(share(value_f32, r, n, c, 0.5), (double)of[at], 1e-6);
        near_int((double)of[at], (double)half_to_float(oh[at]), 1e-7 + 1.5e-3 * (double)of[at]);
      }
    }
  }
}

static void log_rows(void **state) {
  (void)state;
  static int8_t o8[ROWS * DEPTH];
  static uint8_t ou8[ROWS * DEPTH];
  static float of[ROWS * DEPTH];
  for (int round = 0; round < 60; round++) {
    size_t n = 1 + draw(round % 2 ? DEPTH : 10);
    double scale8 = 0.01 + draw(100) / 500.0;
    for (size_t i = 0; i < ROWS * n; i++) {
      x8[i] = (int8_t)((int)draw(256) - 128), xu8[i] = (uint8_t)draw(256), xf[i] = (float)draw(2000) / 100 - 10;
    }
    log_softmax_scale scale = {0};
    assert_true(log_softmax_scale_from_real(scale8, &scale));
    log_softmax_s8(n, &scale, x8, o8, 0, 2);
    log_softmax_s8(n, &scale, x8, o8, 2, ROWS);
    log_softmax_u8(n, &scale, xu8, ou8, 0, ROWS);
    log_softmax_f32(n, xf, of, 0, ROWS);
    for (size_t r = 0; r < ROWS; r++) {
      for (size_t c = 0; c < n; c++) {
        size_t at = r * n + c;
        near_int(fmax(log(share(value_s8, r, n, c, scale8)) * 16 + 127, -128), o8[at], 0.51);
        near_int(fmax(log(share(value_u8, r, n, c, scale8)) * 16 + 255, 0), ou8[at], 0.51);
        near_int(log(share(value_f32, r, n, c, 1)), (double)of[at], 1e-5);
      }
    }
  }
  log_softmax_scale scale;
  assert_false(log_softmax_scale_from_real(0, &scale));
  assert_false(log_softmax_scale_from_real(NAN, &scale));
}

static void scales_out_of_range(void **state) {
  (void)state;
  softmax_scale scale;
  assert_false(softmax_scale_from_real(0, 0.1, &scale));
  assert_false(softmax_scale_from_real(-1, 0.1, &scale));
  assert_false(softmax_scale_from_real(NAN, 0.1, &scale));
  assert_false(softmax_scale_from_real(INFINITY, 0.1, &scale));
  assert_true(softmax_scale_from_real(1e6, 1e6, &scale));
}

static void long_rows(void **state) {  // sums of more than 32 bits
  (void)state;
  enum { N = 20000 };
  static int8_t in[N], out[N];
  static uint8_t uin[N], uout[N];
  memset(in, 3, sizeof in);
  softmax_scale scale = {0};
  assert_true(softmax_scale_from_real(1.0, 0.1, &scale));
  softmax_s8(N, &scale, in, out, 0, 1);
  for (size_t i = 0; i < N; i++) assert_int_equal(out[i], -128);
  uin[5] = 255;  // exp of the others is about e^-25: nothing
  softmax_u8(N, &scale, uin, uout, 0, 1);
  assert_int_equal(uout[5], 255);
  assert_int_equal(uout[6], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_point), cmocka_unit_test(rows), cmocka_unit_test(log_rows),
                                     cmocka_unit_test(scales_out_of_range), cmocka_unit_test(long_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
