// SPDX-License-Identifier: Apache-2.0
// kernels/unary, kernels/math_f32, kernels/table, base/half: stated bounds over samples of all floats, exact values at the edges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <math.h>

#include "kernels/math_f32.h"
#include "kernels/table.h"
#include "kernels/unary.h"

static float apply_f32(broadcast_row row, const void *params, float x) {
  const void *in[1] = {&x};
  const size_t step[1] = {1};
  float out;
  row(params, in, step, &out, 1);
  return out;
}
static int16_t apply_i16(broadcast_row row, const void *params, int16_t x) {
  const void *in[1] = {&x};
  const size_t step[1] = {1};
  int16_t out;
  row(params, in, step, &out, 1);
  return out;
}

// Distance in units of the last place of the exact value as a float.
static double ulps(float got, double exact) {
  float near = (float)fabs(exact);
  double unit = (double)nextafterf(near, INFINITY) - near;
  return fabs(got - exact) / unit;
}

static void transcendental_functions_keep_their_bounds(void **state) {
  (void)state;
  double worst_exp = 0, worst_tanh = 0, worst_logistic = 0, worst_expm1 = 0, worst_gelu = 0, worst_gelu_tail = 0;
  for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += 4099) {
    float x = half_bits_float((uint32_t)bits);
    if (isnan(x)) continue;
    double e = exp(x);
    if (e < 3.402823e38) worst_exp = fmax(worst_exp, ulps(math_exp_f32(x), e));
    worst_tanh = fmax(worst_tanh, ulps(math_tanh_f32(x), tanh(x)));
    double logistic = x < 0 ? e / (1 + e) : 1 / (1 + exp(-x));
    if (x <= 0) worst_expm1 = fmax(worst_expm1, ulps(math_expm1_negative_f32(x), expm1(x)));
    if (fabsf(x) < 1e4f) {
      double gelu = 0.5 * x * erfc(-x * sqrt(0.5)), error = fabs(math_gelu_f32(x) - gelu);
      worst_gelu = fmax(worst_gelu, error / fmax(1, fabs(x)));
      if (x < -1e-30f && x > -12) worst_gelu_tail = fmax(worst_gelu_tail, error / fabs(gelu));
    }
    worst_logistic = fmax(worst_logistic, ulps(math_logistic_f32(x), logistic));
  }
  assert_true(worst_exp <= 2);
  assert_true(worst_tanh <= 3);
  assert_true(worst_logistic <= 4);
  assert_true(worst_expm1 <= 3);
  assert_true(worst_gelu < 2e-7);
  assert_true(worst_gelu_tail < 2e-5);
  assert_true(isnan(math_expm1_negative_f32(NAN)) && isnan(math_gelu_f32(NAN)) && isinf(math_gelu_f32(INFINITY)));
  assert_true(isinf(math_exp_f32(89.0f)) && isinf(math_exp_f32(INFINITY)) && math_exp_f32(-INFINITY) == 0.0f);
  assert_true(math_tanh_f32(INFINITY) == 1.0f && math_tanh_f32(-INFINITY) == -1.0f && math_logistic_f32(-INFINITY) == 0.0f);
  assert_true(isnan(math_exp_f32(NAN)) && isnan(math_tanh_f32(NAN)) && isnan(math_logistic_f32(NAN)));
}

static void half_precision_converts_both_ways(void **state) {
  (void)state;
  for (uint32_t h = 0; h < 65536; h++) {
    int exponent = (int)(h >> 10 & 31), mantissa = (int)(h & 1023);
    float x = half_to_float((uint16_t)h);
    if (exponent == 31) {
      assert_true(mantissa ? isnan(x) != 0 : isinf(x) != 0);
    } else {
      double exact = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
      assert_true(x == (h & 0x8000 ? -exact : exact));
    }
    if (!isnan(x)) assert_int_equal(half_from_float(x), h);
    if (exponent < 30) {  // between two neighbours: to the nearer, ties to even
      float next = half_to_float((uint16_t)(h + 1)), middle = (x + next) / 2;
      assert_int_equal(half_from_float(middle), h & 1 ? h + 1 : h);
      assert_int_equal(half_from_float(nextafterf(middle, x)), h);
      assert_int_equal(half_from_float(nextafterf(middle, next)), h + 1);
    }
  }
  assert_int_equal(half_from_float(65519.996f), 0x7BFF);
  assert_int_equal(half_from_float(65520.0f), 0x7C00);
  assert_true(isnan(half_to_float(half_from_float(NAN))));
  assert_int_equal(half_to_bfloat(1.00390625f), 0x3F80);  // a tie: to even
  assert_int_equal(half_to_bfloat(1.01171875f), 0x3F82);
  assert_int_equal(half_to_bfloat(-3.4e38f), 0xFF80);
  assert_true(half_from_bfloat(0x3FC0) == 1.5f && isnan(half_from_bfloat(half_to_bfloat(NAN))));
}

static void rounding_functions_at_the_edges(void **state) {
  (void)state;
  const float from[] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0.3f, -0.3f, 8388607.5f, -16777216.0f, 1e30f, 0.49999997f};
  const float to[] = {0.0f, 2.0f, 2.0f, 0.0f, -2.0f, 0.0f, 0.0f, 8388608.0f, -16777216.0f, 1e30f, 0.0f};
  for (size_t i = 0; i < BASE_COUNT(from); i++) assert_true(apply_f32(unary_round.f32, NULL, from[i]) == to[i]);
  assert_true(signbit(apply_f32(unary_round.f32, NULL, -0.0f)) && isnan(apply_f32(unary_round.f32, NULL, NAN)));
  assert_true(apply_f32(unary_sign.f32, NULL, -3.0f) == -1.0f && isnan(apply_f32(unary_sign.f32, NULL, NAN)));
  assert_true(apply_f32(unary_hard_swish.f32, NULL, 1.0f) == 4.0f / 6.0f && apply_f32(unary_hard_swish.f32, NULL, -5.0f) == 0.0f);
  const unary_bounds relu6 = {0, 6};
  assert_true(apply_f32(unary_clamp.f32, &relu6, 7.0f) == 6.0f && apply_f32(unary_clamp.f32, &relu6, -1.0f) == 0.0f);
  assert_true(isnan(apply_f32(unary_clamp.f32, &relu6, NAN)));
  assert_true(fabsf(apply_f32(unary_gelu.f32, NULL, -1.0f) + 0.15865525f) < 1e-7f);
  assert_true(fabsf(apply_f32(unary_gelu_tanh.f32, NULL, -1.0f) + 0.15880801f) < 1e-7f);
  assert_int_equal(apply_i16(unary_neg.i16, NULL, INT16_MIN), INT16_MIN);
}

static float square_of(float x, const void *params) {
  (void)params;
  return x * x;
}
static float curve(float x, const void *params) {
  (void)params;
  return tanhf(x * *(const float *)params);
}

static void tables_hold_the_rounded_function(void **state) {
  (void)state;
  uint8_t table[TABLE_SIZE_8];
  const table_scales scales = {.in = 0.1f, .out = 0.05f, .zero_point_in = -3, .zero_point_out = -100};
  table_build_8(table, true, &scales, square_of, NULL);
  assert_int_equal((int8_t)table[(uint8_t)-3], -100);
  assert_int_equal((int8_t)table[7], -80);              // (1.0)^2 = 1.0 = 20 steps
  assert_int_equal((int8_t)table[(uint8_t)-128], 127);  // saturated
  table_build_8(table, false, &scales, square_of, NULL);
  assert_int_equal(table[0], 0);     // 0.09 = 2 steps above -100: saturated
  assert_int_equal(table[34], 174);  // 3.7^2 = 13.69 = 273.8 steps
  int16_t points[TABLE_POINTS_16];
  const table_scales wide = {.in = 4.0f / 32768, .out = 1.0f / 32768};
  const float slope = 2.0f;
  table_build_16(points, &wide, curve, &slope);
  for (int q = -32768; q <= 32767; q += 7) {
    double exact = tanh(2.0 * q * wide.in) / wide.out;
    assert_true(fabs(apply_i16(table_row_16, points, (int16_t)q) - exact) <
                8);  // points lie up to half a quantum aside, the slope is 8
  }
}

static void sixteen_bit_sigmoids_follow_the_curve(void **state) {
  (void)state;
  const float scales[] = {1.0f / 4096, 1.0f / 2048, 0.0003f, 0.01f, 1.7f};
  for (size_t k = 0; k < BASE_COUNT(scales); k++) {
    const table_sigmoid logistic = table_sigmoid_of_scale(scales[k], 0), hyperbolic = table_sigmoid_of_scale(scales[k], 1);
    for (int q = -32768; q <= 32767; q += 11) {
      double x = (double)q * scales[k];
      assert_true(fabs(apply_i16(table_row_logistic_16, &logistic, (int16_t)q) - 32768 / (1 + exp(-x))) < 6);
      assert_true(fabs(apply_i16(table_row_tanh_16, &hyperbolic, (int16_t)q) - 32768 * tanh(x)) < 12);
    }
  }
  assert_int_equal(table_sigmoid_of_scale(1.0f / 4096, 0).multiplier, 3);
  assert_int_equal(table_sigmoid_of_scale(1.0f / 2048, 1).multiplier, 6);
}

static void quantised_functions_are_near_the_real_ones(void **state) {
  (void)state;
  unary_quantized p = {.offset_in = 5,
                       .offset_out = -7,
                       .scale = quant_from_real(0.75),
                       .negative = quant_from_real(0.1),
                       .flip_negative = true,
                       .low = -128,
                       .high = 127};
  assert_int_equal(unary_rescale_leaky(105, &p), 68);  // 100 * 0.75 - 7
  assert_int_equal(unary_rescale_leaky(-95, &p), 3);   // -100 * -0.1 - 7
  assert_int_equal(unary_rescale_abs(-95, &p), 68);
  assert_int_equal(unary_rescale(-128, &p), -107);  // -133 * 0.75 = -99.75
  const unary_root root = {.scale_in = 0.25f, .scale_out = 0.5f, .offset_in = -128, .offset_out = -128, .low = -128, .high = 127};
  assert_int_equal(unary_sqrt_quantized(-128 + 36, &root), -128 + 6);  // sqrt 9 = 3
  assert_int_equal(unary_sqrt_quantized(-128 + 35, &root), -128 + 5);  // 2.958 is 5.9 steps: towards zero
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transcendental_functions_keep_their_bounds),
      cmocka_unit_test(half_precision_converts_both_ways),
      cmocka_unit_test(rounding_functions_at_the_edges),
      cmocka_unit_test(tables_hold_the_rounded_function),
      cmocka_unit_test(sixteen_bit_sigmoids_follow_the_curve),
      cmocka_unit_test(quantised_functions_are_near_the_real_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
