// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic on floats and on integers that are not quantised.
#include "kernels/arith.h"

#include <math.h>

#include "base/half.h"
#include "kernels/rows.h"

// Signed integers wrap: the sum is made in the unsigned type.
static inline int32_t add_i32(int32_t x, int32_t y) { return (int32_t)((uint32_t)x + (uint32_t)y); }
static inline int32_t sub_i32(int32_t x, int32_t y) { return (int32_t)((uint32_t)x - (uint32_t)y); }
static inline int32_t mul_i32(int32_t x, int32_t y) { return (int32_t)((uint32_t)x * (uint32_t)y); }
static inline int64_t add_i64(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
static inline int64_t sub_i64(int64_t x, int64_t y) { return (int64_t)((uint64_t)x - (uint64_t)y); }
static inline int64_t mul_i64(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }
static inline int32_t div_i32(int32_t x, int32_t y) { return y == -1 ? sub_i32(0, x) : x / y; }  // INT32_MIN / -1 traps on x86

// A NaN stays: comparisons with it are false.
static inline float clamp_f32(float x, const arith_clamp *p) {
  x = x < p->low_real ? p->low_real : x;
  return p->high_real < x ? p->high_real : x;
}
static inline uint16_t clamp_f16(float x, const arith_clamp *p) {
  return half_from_float(clamp_f32(half_to_float(half_from_float(x)), p));
}
static inline int64_t clamp_i64(int64_t x, const arith_clamp *p) { return x < p->low ? p->low : x > p->high ? p->high : x; }
static inline int32_t clamp_i32(int32_t x, int32_t low, int32_t high) { return x < low ? low : x > high ? high : x; }
static inline uint32_t clamp_u32(uint32_t x, uint32_t low, uint32_t high) { return x < low ? low : x > high ? high : x; }

#define CLAMP ROW_PARAMS(arith_clamp)
#define CLAMP_I32                                                  \
  const int32_t low = (int32_t)((const arith_clamp *)params)->low; \
  const int32_t high = (int32_t)((const arith_clamp *)params)->high;
#define CLAMP_U32                                                    \
  const uint32_t low = (uint32_t)((const arith_clamp *)params)->low; \
  const uint32_t high = (uint32_t)((const arith_clamp *)params)->high;

ROW2(row_add_f32, float, float, CLAMP, clamp_f32(x + y, &p))
ROW2(row_add_f16, uint16_t, uint16_t, CLAMP, clamp_f16(half_to_float(x) + half_to_float(y), &p))
ROW2(row_add_i16, int16_t, int16_t, CLAMP_I32, clamp_i32((int16_t)(x + y), low, high))
ROW2(row_add_i32, int32_t, int32_t, CLAMP_I32, clamp_i32(add_i32(x, y), low, high))
ROW2(row_add_i64, int64_t, int64_t, CLAMP, clamp_i64(add_i64(x, y), &p))
const broadcast_rows arith_add = {
    .f32 = row_add_f32, .f16 = row_add_f16, .i16 = row_add_i16, .i32 = row_add_i32, .i64 = row_add_i64};

ROW2(row_sub_f32, float, float, CLAMP, clamp_f32(x - y, &p))
ROW2(row_sub_i32, int32_t, int32_t, CLAMP_I32, clamp_i32(sub_i32(x, y), low, high))
ROW2(row_sub_i64, int64_t, int64_t, CLAMP, clamp_i64(sub_i64(x, y), &p))
const broadcast_rows arith_sub = {.f32 = row_sub_f32, .i32 = row_sub_i32, .i64 = row_sub_i64};

typedef struct complex_f32 {
  float re, im;
} complex_f32;
static inline complex_f32 mul_c64(complex_f32 x, complex_f32 y) {
  return (complex_f32){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
ROW2(row_mul_f32, float, float, CLAMP, clamp_f32(x * y, &p))
ROW2(row_mul_f16, uint16_t, uint16_t, CLAMP, clamp_f16(half_to_float(x) * half_to_float(y), &p))
ROW2(row_mul_i16, int16_t, int16_t, CLAMP_I32, clamp_i32((int16_t)(x * y), low, high))
ROW2(row_mul_i32, int32_t, int32_t, CLAMP_I32, clamp_i32(mul_i32(x, y), low, high))
ROW2_SLOW(row_mul_u32, uint32_t, uint32_t, CLAMP_U32, clamp_u32(x * y, low, high))
ROW2(row_mul_i64, int64_t, int64_t, CLAMP, clamp_i64(mul_i64(x, y), &p))
ROW2_SLOW(row_mul_c64, complex_f32, complex_f32, ROW_PLAIN, mul_c64(x, y))
const broadcast_rows arith_mul = {.f32 = row_mul_f32,
                                  .f16 = row_mul_f16,
                                  .i16 = row_mul_i16,
                                  .i32 = row_mul_i32,
                                  .u32 = row_mul_u32,
                                  .i64 = row_mul_i64,
                                  .c64 = row_mul_c64};

ROW2(row_div_f32, float, float, CLAMP, clamp_f32(x / y, &p))
ROW2_SLOW(row_div_i32, int32_t, int32_t, CLAMP_I32, clamp_i32(div_i32(x, y), low, high))
const broadcast_rows arith_div = {.f32 = row_div_f32, .i32 = row_div_i32};

// Where the comparison is false, a NaN among the operands included, the second operand is taken, as in the reference.
#define LARGER (x > y ? x : y)
#define SMALLER (x < y ? x : y)
ROW2(row_max_f32, float, float, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_f64, double, double, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_f16, uint16_t, uint16_t, ROW_PLAIN, half_to_float(x) > half_to_float(y) ? x : y)
ROW2_SLOW(row_max_bf16, uint16_t, uint16_t, ROW_PLAIN, half_from_bfloat(x) > half_from_bfloat(y) ? x : y)
ROW2(row_max_i8, int8_t, int8_t, ROW_PLAIN, LARGER)
ROW2(row_max_u8, uint8_t, uint8_t, ROW_PLAIN, LARGER)
ROW2(row_max_i16, int16_t, int16_t, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_u16, uint16_t, uint16_t, ROW_PLAIN, LARGER)
ROW2(row_max_i32, int32_t, int32_t, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_u32, uint32_t, uint32_t, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_i64, int64_t, int64_t, ROW_PLAIN, LARGER)
ROW2_SLOW(row_max_u64, uint64_t, uint64_t, ROW_PLAIN, LARGER)
const broadcast_rows arith_maximum = {.f32 = row_max_f32,
                                      .f64 = row_max_f64,
                                      .f16 = row_max_f16,
                                      .bf16 = row_max_bf16,
                                      .i8 = row_max_i8,
                                      .u8 = row_max_u8,
                                      .i16 = row_max_i16,
                                      .u16 = row_max_u16,
                                      .i32 = row_max_i32,
                                      .u32 = row_max_u32,
                                      .i64 = row_max_i64,
                                      .u64 = row_max_u64,
                                      .boolean = row_max_u8};
ROW2(row_min_f32, float, float, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_f64, double, double, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_f16, uint16_t, uint16_t, ROW_PLAIN, half_to_float(x) < half_to_float(y) ? x : y)
ROW2_SLOW(row_min_bf16, uint16_t, uint16_t, ROW_PLAIN, half_from_bfloat(x) < half_from_bfloat(y) ? x : y)
ROW2(row_min_i8, int8_t, int8_t, ROW_PLAIN, SMALLER)
ROW2(row_min_u8, uint8_t, uint8_t, ROW_PLAIN, SMALLER)
ROW2(row_min_i16, int16_t, int16_t, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_u16, uint16_t, uint16_t, ROW_PLAIN, SMALLER)
ROW2(row_min_i32, int32_t, int32_t, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_u32, uint32_t, uint32_t, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_i64, int64_t, int64_t, ROW_PLAIN, SMALLER)
ROW2_SLOW(row_min_u64, uint64_t, uint64_t, ROW_PLAIN, SMALLER)
const broadcast_rows arith_minimum = {.f32 = row_min_f32,
                                      .f64 = row_min_f64,
                                      .f16 = row_min_f16,
                                      .bf16 = row_min_bf16,
                                      .i8 = row_min_i8,
                                      .u8 = row_min_u8,
                                      .i16 = row_min_i16,
                                      .u16 = row_min_u16,
                                      .i32 = row_min_i32,
                                      .u32 = row_min_u32,
                                      .i64 = row_min_i64,
                                      .u64 = row_min_u64,
                                      .boolean = row_min_u8};

ROW2(row_squared_difference_f32, float, float, ROW_PLAIN, (x - y) * (x - y))
ROW2(row_squared_difference_i32, int32_t, int32_t, ROW_PLAIN, mul_i32(sub_i32(x, y), sub_i32(x, y)))
const broadcast_rows arith_squared_difference = {.f32 = row_squared_difference_f32, .i32 = row_squared_difference_i32};

ROW2(row_prelu_f32, float, float, ROW_PLAIN, x >= 0.0f ? x : x * y)
const broadcast_rows arith_prelu = {.f32 = row_prelu_f32};

static int32_t pow_i32(int32_t x, int32_t y) {
  double r = pow(x, y);
  return r >= 2147483647.0   ? INT32_MAX
         : r > -2147483648.0 ? (int32_t)r
                             : INT32_MIN;  // a NaN cannot come from integers with y >= 0
}
ROW2_SLOW(row_pow_f32, float, float, ROW_PLAIN, powf(x, y))
ROW2_SLOW(row_pow_i32, int32_t, int32_t, ROW_PLAIN, pow_i32(x, y))
const broadcast_rows arith_pow = {.f32 = row_pow_f32, .i32 = row_pow_i32};

ROW2_SLOW(row_atan2_f32, float, float, ROW_PLAIN, atan2f(x, y))
ROW2_SLOW(row_atan2_f64, double, double, ROW_PLAIN, atan2(x, y))
ROW2_SLOW(row_atan2_f16, uint16_t, uint16_t, ROW_PLAIN, half_from_float(atan2f(half_to_float(x), half_to_float(y))))
ROW2_SLOW(row_atan2_bf16, uint16_t, uint16_t, ROW_PLAIN, half_to_bfloat(atan2f(half_from_bfloat(x), half_from_bfloat(y))))
const broadcast_rows arith_atan2 = {.f32 = row_atan2_f32, .f64 = row_atan2_f64, .f16 = row_atan2_f16, .bf16 = row_atan2_bf16};

static inline int32_t floor_div_i32(int32_t x, int32_t y) {
  if (y == -1) return sub_i32(0, x);
  int32_t q = x / y;
  return q - (q * y != x && (x < 0) != (y < 0));
}
static inline int64_t floor_mod_i64(int64_t x, int64_t y) {
  if (y == -1) return 0;  // INT64_MIN % -1 traps on x86
  int64_t r = x % y;
  return r != 0 && (y < 0) != (r < 0) ? r + y : r;
}
static inline int32_t floor_mod_i32(int32_t x, int32_t y) {
  if (y == -1) return 0;
  int32_t r = x % y;
  return r != 0 && (y < 0) != (r < 0) ? r + y : r;
}
static inline float floor_mod_f32(float x, float y) {
  float r = fmodf(x, y);
  return r != 0.0f && (y < 0.0f) != (r < 0.0f) ? r + y : r;
}
ROW2_SLOW(row_floor_div_f32, float, float, ROW_PLAIN, floor((double)x / (double)y))
ROW2_SLOW(row_floor_div_i8, int8_t, int8_t, ROW_PLAIN, floor_div_i32(x, y))
ROW2_SLOW(row_floor_div_i16, int16_t, int16_t, ROW_PLAIN, floor_div_i32(x, y))
ROW2_SLOW(row_floor_div_i32, int32_t, int32_t, ROW_PLAIN, floor_div_i32(x, y))
const broadcast_rows arith_floor_div = {
    .f32 = row_floor_div_f32, .i8 = row_floor_div_i8, .i16 = row_floor_div_i16, .i32 = row_floor_div_i32};
ROW2_SLOW(row_floor_mod_f32, float, float, ROW_PLAIN, floor_mod_f32(x, y))
ROW2_SLOW(row_floor_mod_i8, int8_t, int8_t, ROW_PLAIN, floor_mod_i32(x, y))
ROW2_SLOW(row_floor_mod_i16, int16_t, int16_t, ROW_PLAIN, floor_mod_i32(x, y))
ROW2_SLOW(row_floor_mod_i32, int32_t, int32_t, ROW_PLAIN, floor_mod_i32(x, y))
ROW2_SLOW(row_floor_mod_i64, int64_t, int64_t, ROW_PLAIN, floor_mod_i64(x, y))
const broadcast_rows arith_floor_mod = {.f32 = row_floor_mod_f32,
                                        .i8 = row_floor_mod_i8,
                                        .i16 = row_floor_mod_i16,
                                        .i32 = row_floor_mod_i32,
                                        .i64 = row_floor_mod_i64};

// Bits do not know signs: one row serves both types of a width.
ROW2_SLOW(row_xor_8, uint8_t, uint8_t, ROW_PLAIN, x ^ y)
ROW2_SLOW(row_xor_16, uint16_t, uint16_t, ROW_PLAIN, x ^ y)
ROW2_SLOW(row_xor_32, uint32_t, uint32_t, ROW_PLAIN, x ^ y)
const broadcast_rows arith_xor = {
    .i8 = row_xor_8, .u8 = row_xor_8, .i16 = row_xor_16, .u16 = row_xor_16, .i32 = row_xor_32, .u32 = row_xor_32};
ROW2_SLOW(row_and_8, uint8_t, uint8_t, ROW_PLAIN, x & y)
ROW2_SLOW(row_and_16, uint16_t, uint16_t, ROW_PLAIN, x & y)
ROW2_SLOW(row_and_32, uint32_t, uint32_t, ROW_PLAIN, x & y)
ROW2_SLOW(row_and_64, uint64_t, uint64_t, ROW_PLAIN, x & y)
const broadcast_rows arith_and = {.i8 = row_and_8,
                                  .u8 = row_and_8,
                                  .i16 = row_and_16,
                                  .u16 = row_and_16,
                                  .i32 = row_and_32,
                                  .u32 = row_and_32,
                                  .i64 = row_and_64,
                                  .u64 = row_and_64,
                                  .boolean = row_and_8};

// The compilers this builds with shift negative numbers arithmetically.
#define DISTANCE(y, bits) ((y) < 0 ? 0 : (y) > (bits)-1 ? (bits)-1 : (int)(y))
#define DISTANCE_UNSIGNED(y, bits) ((y) > (bits)-1 ? (bits)-1 : (y))
ROW2_SLOW(row_shift_right_i8, int8_t, int8_t, ROW_PLAIN, x >> DISTANCE(y, 8))
ROW2_SLOW(row_shift_right_u8, uint8_t, uint8_t, ROW_PLAIN, x >> DISTANCE_UNSIGNED(y, 8u))
ROW2_SLOW(row_shift_right_i16, int16_t, int16_t, ROW_PLAIN, x >> DISTANCE(y, 16))
ROW2_SLOW(row_shift_right_u16, uint16_t, uint16_t, ROW_PLAIN, x >> DISTANCE_UNSIGNED(y, 16u))
ROW2_SLOW(row_shift_right_i32, int32_t, int32_t, ROW_PLAIN, x >> DISTANCE(y, 32))
ROW2_SLOW(row_shift_right_u32, uint32_t, uint32_t, ROW_PLAIN, x >> DISTANCE_UNSIGNED(y, 32u))
const broadcast_rows arith_shift_right = {.i8 = row_shift_right_i8,
                                          .u8 = row_shift_right_u8,
                                          .i16 = row_shift_right_i16,
                                          .u16 = row_shift_right_u16,
                                          .i32 = row_shift_right_i32,
                                          .u32 = row_shift_right_u32};
ROW2_SLOW(row_shift_left_i8, int8_t, int8_t, ROW_PLAIN, y<0 || y> 7 ? 0 : (int)((unsigned)x << y))
ROW2_SLOW(row_shift_left_i16, int16_t, int16_t, ROW_PLAIN, y<0 || y> 15 ? 0 : (int)((unsigned)x << y))
ROW2_SLOW(row_shift_left_i32, int32_t, int32_t, ROW_PLAIN, y<0 || y> 31 ? 0 : (int32_t)((uint32_t)x << y))
const broadcast_rows arith_shift_left = {.i8 = row_shift_left_i8, .i16 = row_shift_left_i16, .i32 = row_shift_left_i32};

ROW2_SLOW(row_logical_or, uint8_t, uint8_t, ROW_PLAIN, x != 0 || y != 0)
ROW2_SLOW(row_logical_and, uint8_t, uint8_t, ROW_PLAIN, x != 0 && y != 0)
const broadcast_rows arith_logical_or = {.boolean = row_logical_or};
const broadcast_rows arith_logical_and = {.boolean = row_logical_and};

ROW2(row_plain_add_f32, float, float, ROW_PLAIN, x + y)
ROW2_SLOW(row_plain_add_f64, double, double, ROW_PLAIN, x + y)
ROW2_SLOW(row_plain_add_f16, uint16_t, uint16_t, ROW_PLAIN, half_from_float(half_to_float(x) + half_to_float(y)))
ROW2(row_plain_add_8, uint8_t, uint8_t, ROW_PLAIN, x + y)
ROW2(row_plain_add_16, uint16_t, uint16_t, ROW_PLAIN, x + y)
ROW2(row_plain_add_32, uint32_t, uint32_t, ROW_PLAIN, x + y)
ROW2(row_plain_add_64, uint64_t, uint64_t, ROW_PLAIN, x + y)
const broadcast_rows arith_plain_add = {.f32 = row_plain_add_f32,
                                        .f64 = row_plain_add_f64,
                                        .f16 = row_plain_add_f16,
                                        .i8 = row_plain_add_8,
                                        .u8 = row_plain_add_8,
                                        .i16 = row_plain_add_16,
                                        .u16 = row_plain_add_16,
                                        .i32 = row_plain_add_32,
                                        .u32 = row_plain_add_32,
                                        .i64 = row_plain_add_64,
                                        .u64 = row_plain_add_64,
                                        .boolean = row_logical_or};
ROW2(row_plain_mul_f32, float, float, ROW_PLAIN, x * y)
ROW2_SLOW(row_plain_mul_f64, double, double, ROW_PLAIN, x * y)
ROW2_SLOW(row_plain_mul_f16, uint16_t, uint16_t, ROW_PLAIN, half_from_float(half_to_float(x) * half_to_float(y)))
ROW2(row_plain_mul_8, uint8_t, uint8_t, ROW_PLAIN, x * y)
ROW2(row_plain_mul_16, uint16_t, uint16_t, ROW_PLAIN, (unsigned)x * y)
ROW2(row_plain_mul_32, uint32_t, uint32_t, ROW_PLAIN, x * y)
ROW2(row_plain_mul_64, uint64_t, uint64_t, ROW_PLAIN, x * y)
const broadcast_rows arith_plain_mul = {.f32 = row_plain_mul_f32,
                                        .f64 = row_plain_mul_f64,
                                        .f16 = row_plain_mul_f16,
                                        .i8 = row_plain_mul_8,
                                        .u8 = row_plain_mul_8,
                                        .i16 = row_plain_mul_16,
                                        .u16 = row_plain_mul_16,
                                        .i32 = row_plain_mul_32,
                                        .u32 = row_plain_mul_32,
                                        .i64 = row_plain_mul_64,
                                        .u64 = row_plain_mul_64,
                                        .boolean = row_logical_and};
