// SPDX-License-Identifier: Apache-2.0
// kernels/broadcast, kernels/arith and quant/fixed_point: random shapes against index arithmetic, quantised rows against the
// definitions of the roundings, edge values of wrapping and saturating types.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/half.h"
#include "kernels/arith.h"
#include "quant/fixed_point.h"

static uint64_t arith_seed = 20260804;
static uint32_t draw_bits(void) {
  arith_seed = arith_seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(arith_seed >> 32);
}
static int draw_between(int low, int high) { return low + (int)(draw_bits() % (uint32_t)(high - low + 1)); }

// ---- Broadcasting ----
enum { WALK_ROOM = 4096 };

// The element of an input that belongs to output index `at` of a shape of rank n.
static size_t naive_element(const broadcast_input *input, int n, const int *at) {
  size_t element = 0;
  for (int i = 0; i < input->rank; i++) {
    int dim = input->dims[i];
    element = element * (size_t)dim + (size_t)(dim == 1 ? 0 : at[n - input->rank + i]);
  }
  return element;
}

static void broadcasts_like_index_arithmetic(void **state) {
  (void)state;
  static int32_t x[WALK_ROOM], y[WALK_ROOM], out[WALK_ROOM];
  for (int i = 0; i < WALK_ROOM; i++) x[i] = draw_between(-1000, 1000), y[i] = draw_between(-1000, 1000);
  for (int round = 0; round < 3000; round++) {
    int n = draw_between(0, 6), dims[6], dims_x[6], dims_y[6];
    size_t count = 1;
    for (int i = 0; i < n; i++) {
      dims[i] = draw_between(1, 4);
      dims_x[i] = draw_between(0, 2) ? dims[i] : 1;
      dims_y[i] = draw_between(0, 2) ? dims[i] : 1;
      if (dims_x[i] == 1 && dims_y[i] == 1) dims[i] = 1;
      count *= (size_t)dims[i];
    }
    int skip_x = 0, skip_y = 0;  // leading dimensions of one may be left out altogether
    while (skip_x < n && dims_x[skip_x] == 1 && draw_between(0, 1)) skip_x++;
    while (skip_y < n && dims_y[skip_y] == 1 && draw_between(0, 1)) skip_y++;
    const broadcast_input in[2] = {{x, sizeof *x, n - skip_x, dims_x + skip_x}, {y, sizeof *y, n - skip_y, dims_y + skip_y}};
    const arith_clamp wide = {.low = INT32_MIN, .high = INT32_MAX};
    memset(out, 0x5A, sizeof out);
    broadcast_run(arith_sub.i32, &wide, 2, in, out, sizeof *out);
    for (size_t i = 0; i < count; i++) {
      int at[6];
      size_t rest = i;
      for (int d = n - 1; d >= 0; d--) {
        at[d] = (int)(rest % (size_t)dims[d]);
        rest /= (size_t)dims[d];
      }
      assert_int_equal(out[i], x[naive_element(&in[0], n, at)] - y[naive_element(&in[1], n, at)]);
    }
    assert_int_equal(out[count], 0x5A5A5A5A);
  }
}

static void empty_shapes_touch_nothing(void **state) {
  (void)state;
  int32_t out = 7;
  const int dims_x[2] = {3, 0}, dims_y[2] = {1, 1};
  const broadcast_input in[2] = {{&out, 4, 2, dims_x}, {&out, 4, 2, dims_y}};
  broadcast_run(arith_maximum.i32, NULL, 2, in, &out, 4);
  assert_int_equal(out, 7);
}

// ---- Rows on single values ----
static void run_pair(broadcast_row row, const void *params, const void *x, const void *y, void *out) {
  const void *in[2] = {x, y};
  const size_t step[2] = {1, 1};
  assert_non_null(row);
  row(params, in, step, out, 1);
}
#define PAIR(type, row, params, a, b) pair_##type((row), (params), (a), (b))
#define DEFINE_PAIR(name, type)                                                    \
  static type pair_##name(broadcast_row row, const void *params, type x, type y) { \
    type out;                                                                      \
    run_pair(row, params, &x, &y, &out);                                           \
    return out;                                                                    \
  }
DEFINE_PAIR(i8, int8_t)
DEFINE_PAIR(u8, uint8_t)
DEFINE_PAIR(i16, int16_t)
DEFINE_PAIR(i32, int32_t)
DEFINE_PAIR(i64, int64_t)
DEFINE_PAIR(f32, float)

static void integers_wrap_and_never_trap(void **state) {
  (void)state;
  const arith_clamp wide = {.low = INT32_MIN, .high = INT32_MAX}, wide64 = {.low = INT64_MIN, .high = INT64_MAX},
                    relu6 = {.low = 0, .high = 6};
  assert_int_equal(PAIR(i32, arith_add.i32, &wide, INT32_MAX, 1), INT32_MIN);
  assert_int_equal(PAIR(i32, arith_sub.i32, &wide, INT32_MIN, 1), INT32_MAX);
  assert_int_equal(PAIR(i32, arith_mul.i32, &wide, 1 << 20, 1 << 20), 0);
  assert_int_equal(PAIR(i32, arith_mul.i32, &relu6, 3, 4), 6);
  assert_int_equal(PAIR(i32, arith_mul.i32, &relu6, -3, 4), 0);
  assert_true(PAIR(i64, arith_add.i64, &wide64, INT64_MAX, 1) == INT64_MIN);
  assert_int_equal(PAIR(i32, arith_div.i32, &wide, -7, 2), -3);
  assert_int_equal(PAIR(i32, arith_div.i32, &wide, INT32_MIN, -1), INT32_MIN);
  assert_int_equal(PAIR(i32, arith_floor_div.i32, NULL, -7, 2), -4);
  assert_int_equal(PAIR(i32, arith_floor_div.i32, NULL, 7, -2), -4);
  assert_int_equal(PAIR(i32, arith_floor_div.i32, NULL, -8, 2), -4);
  assert_int_equal(PAIR(i32, arith_floor_div.i32, NULL, INT32_MIN, -1), INT32_MIN);
  assert_int_equal(PAIR(i32, arith_floor_mod.i32, NULL, -7, 3), 2);
  assert_int_equal(PAIR(i32, arith_floor_mod.i32, NULL, 7, -3), -2);
  assert_int_equal(PAIR(i32, arith_floor_mod.i32, NULL, INT32_MIN, -1), 0);
  assert_true(PAIR(i64, arith_floor_mod.i64, NULL, INT64_MIN, -1) == 0);
  assert_int_equal(PAIR(i8, arith_floor_mod.i8, NULL, -128, 3), 1);
  assert_int_equal(PAIR(i32, arith_pow.i32, NULL, -3, 3), -27);
  assert_int_equal(PAIR(i32, arith_pow.i32, NULL, 0, 0), 1);
  assert_int_equal(PAIR(i32, arith_squared_difference.i32, NULL, 3, -4), 49);
  assert_int_equal(PAIR(i8, arith_shift_right.i8, NULL, -128, 3), -16);
  assert_int_equal(PAIR(i8, arith_shift_right.i8, NULL, -128, 100), -1);
  assert_int_equal(PAIR(i8, arith_shift_right.i8, NULL, 64, -5), 64);
  assert_int_equal(PAIR(u8, arith_shift_right.u8, NULL, 128, 200), 1);
  assert_int_equal(PAIR(i32, arith_shift_left.i32, NULL, -3, 31), INT32_MIN);
  assert_int_equal(PAIR(i16, arith_shift_left.i16, NULL, 1, 16), 0);
}

static void floats_keep_nans_and_clamp_infinities(void **state) {
  (void)state;
  const arith_clamp none = {.low_real = -FLT_MAX, .high_real = FLT_MAX}, relu = {.low_real = 0, .high_real = FLT_MAX};
  assert_true(PAIR(f32, arith_add.f32, &relu, -3.0f, 1.0f) == 0.0f);
  assert_true(isnan(PAIR(f32, arith_add.f32, &relu, NAN, 1.0f)));
  assert_true(PAIR(f32, arith_div.f32, &none, 1.0f, 0.0f) == FLT_MAX);
  assert_true(PAIR(f32, arith_maximum.f32, NULL, NAN, 2.0f) == 2.0f);  // the comparison is false: the second operand
  assert_true(isnan(PAIR(f32, arith_maximum.f32, NULL, 2.0f, NAN)));
  assert_true(PAIR(f32, arith_floor_mod.f32, NULL, -7.5f, 2.0f) == 0.5f);
  assert_true(PAIR(f32, arith_floor_div.f32, NULL, -7.5f, 2.0f) == -4.0f);
  assert_true(PAIR(f32, arith_prelu.f32, NULL, -4.0f, 0.25f) == -1.0f);
  assert_true(PAIR(f32, arith_prelu.f32, NULL, 4.0f, 0.25f) == 4.0f);
  uint16_t big = half_from_float(60000.0f), sum;
  const arith_clamp half = {.low_real = -65504, .high_real = 65504};
  run_pair(arith_add.f16, &half, &big, &big, &sum);
  assert_true(half_to_float(sum) == 65504.0f);
}

// ---- Quantised rows against the definitions ----
static int64_t naive_half_away(long double x) { return (int64_t)(x < 0 ? -floorl(-x + 0.5L) : floorl(x + 0.5L)); }
// Two roundings: x * 2^left * mantissa / 2^31 with ties up, then / 2^right with ties away from zero.
static int64_t naive_scale(int64_t x, quant_multiplier m) {
  int left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;
  int64_t high = (int64_t)floorl((long double)x * powl(2, left) * m.mantissa / powl(2, 31) + 0.5L);
  return naive_half_away((long double)high / powl(2, right));
}
static int64_t naive_bound(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }
static quant_multiplier draw_multiplier(int low_shift, int high_shift) {
  return (quant_multiplier){(1 << 30) + (int32_t)(draw_bits() >> 2), draw_between(low_shift, high_shift)};
}

static void sums_and_products_round_as_defined(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    arith_quantized p = {.offset_x = draw_between(-127, 128),
                         .offset_y = draw_between(-127, 128),
                         .offset_out = draw_between(-128, 127),
                         .x = draw_multiplier(-6, 0),
                         .y = draw_multiplier(-6, 0),
                         .out = draw_multiplier(-22, -14),
                         .left_shift = 20,
                         .low = draw_between(-128, -1),
                         .high = draw_between(0, 127)};
    arith_quantized q = p;
    q.out = draw_multiplier(-12, 2);
    for (int k = 0; k < 300; k++) {
      int8_t a = (int8_t)draw_between(-128, 127), b = (int8_t)draw_between(-128, 127);
      int64_t sa = naive_scale((int64_t)(a + p.offset_x) * (1 << 20), p.x),
              sb = naive_scale((int64_t)(b + p.offset_y) * (1 << 20), p.y);
      assert_int_equal(PAIR(i8, arith_add_quantized.i8, &p, a, b),
                       naive_bound(naive_scale(sa + sb, p.out) + p.offset_out, p.low, p.high));
      assert_int_equal(PAIR(i8, arith_sub_quantized.i8, &p, a, b),
                       naive_bound(naive_scale(sa - sb, p.out) + p.offset_out, p.low, p.high));
      int64_t product = (int64_t)(a + q.offset_x) * (b + q.offset_y);
      assert_int_equal(PAIR(i8, arith_mul_quantized.i8, &q, a, b),
                       naive_bound(naive_scale(product, q.out) + q.offset_out, q.low, q.high));
    }
  }
}

static void shifted_sums_round_away_from_zero(void **state) {
  (void)state;
  const arith_shifts p = {.right_x = 0, .right_y = 3, .low = -32768, .high = 32767};
  assert_int_equal(PAIR(i16, arith_add_shifted.i16, &p, 100, 12), 102);  // 12 / 8 = 1.5
  assert_int_equal(PAIR(i16, arith_add_shifted.i16, &p, 100, -12), 98);
  assert_int_equal(PAIR(i16, arith_sub_shifted.i16, &p, 100, 11), 99);  // 1.375
  assert_int_equal(PAIR(i16, arith_add_shifted.i16, &p, 32767, 32767), 32767);
  int16_t half = 1 << 14, x = -32768;
  int8_t out;
  const arith_quantized to_8 = {.offset_out = 3, .low = -128, .high = 127};
  run_pair(arith_mul_i16_to_i8, &to_8, &half, &half, &out);
  assert_int_equal(out, 32 + 3);  // 1/2 * 1/2 in steps of 2^-7
  run_pair(arith_mul_i16_to_i8, &to_8, &x, &x, &out);
  assert_int_equal(out, 127);
}

static void quantised_quotients_are_within_one(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    double scale = ldexp(1 + (double)(draw_bits() >> 8) / (1 << 24), draw_between(-4, 7));
    int32_t x = draw_between(-255, 255), y = draw_between(1, 255) * (draw_between(0, 1) ? 1 : -1);
    double exact = (double)x / y * scale;
    int32_t got = arith_divide_quantized(x, y, quant_from_real(scale));
    assert_true(fabs(got - exact) <= 0.5 + 1e-4 * fabs(exact));
  }
  assert_int_equal(arith_divide_quantized(1, 255, quant_from_real(1e-9)), 0);  // a shift of more than a word
}

static void fixed_point_functions_converge(void **state) {
  (void)state;
  for (int round = 0; round < 20000; round++) {
    int32_t x = (int32_t)(draw_bits() >> draw_between(1, 30));
    if (x == 0) x = 1;
    int shift;
    int32_t r = fixed_reciprocal(x, &shift);
    assert_true(fabs(ldexp(r, -31 - shift) * x - 1) < 1e-7);
    quant_multiplier s = fixed_inverse_sqrt(x);
    assert_true(fabs(ldexp(s.mantissa, s.shift - 31) * sqrt(x) - 1) < 2e-6);
  }
}

static void high_multiply_is_gemmlowps(void **state) {
  (void)state;
  const int32_t edges[] = {INT32_MIN, INT32_MIN + 1, -(1 << 30), -1, 0, 1, 1 << 30, INT32_MAX};
  for (int round = 0; round < 100000; round++) {
    int32_t a = round < 64 ? edges[round / 8] : (int32_t)draw_bits() >> draw_between(0, 31);
    int32_t b = round < 64 ? edges[round % 8] : (int32_t)draw_bits() >> draw_between(0, 31);
    int64_t product = (int64_t)a * b, nudge = product >= 0 ? INT64_C(1) << 30 : 1 - (INT64_C(1) << 30);
    int32_t expected = a == INT32_MIN && b == INT32_MIN ? INT32_MAX : (int32_t)((product + nudge) / (INT64_C(1) << 31));
    assert_int_equal(quant_high_mul(a, b), expected);
  }
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)arith_seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts_like_index_arithmetic),   cmocka_unit_test(empty_shapes_touch_nothing),
      cmocka_unit_test(integers_wrap_and_never_trap),       cmocka_unit_test(floats_keep_nans_and_clamp_infinities),
      cmocka_unit_test(sums_and_products_round_as_defined), cmocka_unit_test(shifted_sums_round_away_from_zero),
      cmocka_unit_test(quantised_quotients_are_within_one), cmocka_unit_test(fixed_point_functions_converge),
      cmocka_unit_test(high_multiply_is_gemmlowps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
