// SPDX-License-Identifier: Apache-2.0
// Element-wise functions of floats and of integers that are not quantised.
#include "kernels/unary.h"

#include <math.h>

#include "base/half.h"
#include "kernels/math_f32.h"
#include "kernels/rows.h"

#define F16(function) half_from_float(function(half_to_float(x)))
#define BF16(function) half_to_bfloat(function(half_from_bfloat(x)))

ROW1(row_exp_f32, float, float, ROW_PLAIN, math_exp_f32(x))
ROW1(row_log_f32, float, float, ROW_PLAIN, logf(x))
ROW1(row_sqrt_f32, float, float, ROW_PLAIN, sqrtf(x))
ROW1(row_rsqrt_f32, float, float, ROW_PLAIN, 1.0f / sqrtf(x))
ROW1(row_square_f32, float, float, ROW_PLAIN, x * x)
const broadcast_rows unary_exp = {.f32 = row_exp_f32}, unary_log = {.f32 = row_log_f32}, unary_sqrt = {.f32 = row_sqrt_f32},
                     unary_rsqrt = {.f32 = row_rsqrt_f32}, unary_square = {.f32 = row_square_f32};

ROW1(row_sin_f32, float, float, ROW_PLAIN, sinf(x))
ROW1(row_sin_f16, uint16_t, uint16_t, ROW_PLAIN, F16(sinf))
ROW1(row_cos_f32, float, float, ROW_PLAIN, cosf(x))
ROW1(row_cos_f16, uint16_t, uint16_t, ROW_PLAIN, F16(cosf))
const broadcast_rows unary_sin = {.f32 = row_sin_f32, .f16 = row_sin_f16}, unary_cos = {.f32 = row_cos_f32, .f16 = row_cos_f16};

// To the nearest integer, ties to even: adding and taking away 2^23 leaves no room for a fraction. -0 keeps its sign, -0.3
// becomes +0.
static inline float round_f32(float x) {
  float magnitude = half_bits_float(half_float_bits(x) & 0x7FFFFFFFu);
  float rounded = (magnitude + 8388608.0f) - 8388608.0f;
  float whole = magnitude < 8388608.0f ? rounded : magnitude;
  return x < 0.0f ? 0.0f - whole : x > 0.0f ? whole : x;
}
ROW1(row_ceil_f32, float, float, ROW_PLAIN, ceilf(x))
ROW1(row_floor_f32, float, float, ROW_PLAIN, floorf(x))
ROW1(row_floor_f16, uint16_t, uint16_t, ROW_PLAIN, F16(floorf))
ROW1(row_floor_bf16, uint16_t, uint16_t, ROW_PLAIN, BF16(floorf))
ROW1(row_round_f32, float, float, ROW_PLAIN, round_f32(x))
ROW1(row_round_f16, uint16_t, uint16_t, ROW_PLAIN, F16(round_f32))
ROW1(row_round_bf16, uint16_t, uint16_t, ROW_PLAIN, BF16(round_f32))
const broadcast_rows unary_ceil = {.f32 = row_ceil_f32},
                     unary_floor = {.f32 = row_floor_f32, .f16 = row_floor_f16, .bf16 = row_floor_bf16},
                     unary_round = {.f32 = row_round_f32, .f16 = row_round_f16, .bf16 = row_round_bf16};

ROW1(row_tanh_f32, float, float, ROW_PLAIN, math_tanh_f32(x))
ROW1(row_tanh_f16, uint16_t, uint16_t, ROW_PLAIN, F16(math_tanh_f32))
ROW1(row_tanh_bf16, uint16_t, uint16_t, ROW_PLAIN, BF16(math_tanh_f32))
ROW1(row_logistic_f32, float, float, ROW_PLAIN, math_logistic_f32(x))
ROW1(row_logistic_f16, uint16_t, uint16_t, ROW_PLAIN, F16(math_logistic_f32))
ROW1(row_logistic_bf16, uint16_t, uint16_t, ROW_PLAIN, BF16(math_logistic_f32))
const broadcast_rows unary_tanh = {.f32 = row_tanh_f32, .f16 = row_tanh_f16, .bf16 = row_tanh_bf16},
                     unary_logistic = {.f32 = row_logistic_f32, .f16 = row_logistic_f16, .bf16 = row_logistic_bf16};

static inline float hard_swish_f32(float x) {
  float shifted = x + 3.0f;
  shifted = shifted > 0.0f ? shifted : 0.0f;
  return x * (shifted < 6.0f ? shifted : 6.0f) / 6.0f;
}
static inline float elu_f32(float x) {
  float below = math_expm1_negative_f32(x < 0.0f ? x : 0.0f);
  return x < 0.0f ? below : x;
}
ROW1(row_elu_f32, float, float, ROW_PLAIN, elu_f32(x))
ROW1(row_hard_swish_f32, float, float, ROW_PLAIN, hard_swish_f32(x))
const broadcast_rows unary_elu = {.f32 = row_elu_f32}, unary_hard_swish = {.f32 = row_hard_swish_f32};

static inline float gelu_tanh(float x) { return 0.5f * x * (1.0f + math_tanh_f32(0.797884561f * (x + 0.044715f * x * x * x))); }
ROW1(row_gelu_f32, float, float, ROW_PLAIN, math_gelu_f32(x))
ROW1(row_gelu_f16, uint16_t, uint16_t, ROW_PLAIN, F16(math_gelu_f32))
ROW1(row_gelu_tanh_f32, float, float, ROW_PLAIN, gelu_tanh(x))
ROW1(row_gelu_tanh_f16, uint16_t, uint16_t, ROW_PLAIN, F16(gelu_tanh))
const broadcast_rows unary_gelu = {.f32 = row_gelu_f32, .f16 = row_gelu_f16},
                     unary_gelu_tanh = {.f32 = row_gelu_tanh_f32, .f16 = row_gelu_tanh_f16};

ROW1(row_abs_f32, float, float, ROW_PLAIN, fabsf(x))
ROW1(row_abs_i16, int16_t, int16_t, ROW_PLAIN, x < 0 ? -x : x)
ROW1(row_abs_i32, int32_t, int32_t, ROW_PLAIN, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
const broadcast_rows unary_abs = {.f32 = row_abs_f32, .i16 = row_abs_i16, .i32 = row_abs_i32};

ROW1(row_neg_f32, float, float, ROW_PLAIN, -x)
ROW1(row_neg_f16, uint16_t, uint16_t, ROW_PLAIN, x ^ 0x8000u)  // bfloat16 too
ROW1(row_neg_i8, uint8_t, uint8_t, ROW_PLAIN, 0u - x)
ROW1(row_neg_i16, uint16_t, uint16_t, ROW_PLAIN, 0u - x)
ROW1(row_neg_i32, uint32_t, uint32_t, ROW_PLAIN, 0u - x)
ROW1(row_neg_i64, uint64_t, uint64_t, ROW_PLAIN, 0u - x)
const broadcast_rows unary_neg = {.f32 = row_neg_f32,
                                  .f16 = row_neg_f16,
                                  .bf16 = row_neg_f16,
                                  .i8 = row_neg_i8,
                                  .i16 = row_neg_i16,
                                  .i32 = row_neg_i32,
                                  .i64 = row_neg_i64};

#define SIGN_OF_REAL (x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x)  // a NaN stays
ROW1(row_sign_f32, float, float, ROW_PLAIN, SIGN_OF_REAL)
ROW1(row_sign_f64, double, double, ROW_PLAIN, SIGN_OF_REAL)
ROW1(row_sign_i32, int32_t, int32_t, ROW_PLAIN, (x > 0) - (x < 0))
const broadcast_rows unary_sign = {.f32 = row_sign_f32, .f64 = row_sign_f64, .i32 = row_sign_i32};

ROW1(row_not, uint8_t, uint8_t, ROW_PLAIN, x == 0)
const broadcast_rows unary_not = {.boolean = row_not};

// A NaN stays: comparisons with it are false.
ROW1(row_clamp_f32, float, float, ROW_PARAMS(unary_bounds), x < p.low ? p.low : p.high < x ? p.high : x)
ROW1(row_leaky_f32, float, float, ROW_PARAMS(float), x > 0.0f ? x : x * p)
const broadcast_rows unary_clamp = {.f32 = row_clamp_f32}, unary_leaky = {.f32 = row_leaky_f32};
