// SPDX-License-Identifier: Apache-2.0
// exp, tanh, the logistic function and their like on floats without branches or calls, so that loops over them vectorise. Bounds
// are over all floats, measured by tests/kernels/unary_test.c. Polynomials: interpolation at Chebyshev points of the stated
// interval.
#ifndef KERNELS_MATH_F32_H
#define KERNELS_MATH_F32_H

#include "base/half.h"

// e^x within 2 units in the last place; subnormal results are exact to 2 of their units; overflow is +infinity, a NaN stays.
static inline float math_exp_f32(float x) {
  const float round_bias = 12582912.0f;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  float biased = x * 1.44269504f + round_bias;
  float n = biased - round_bias;
  // ln 2 in two parts, the first short enough for n times it to be exact. |r| <= ln 2 / 2.
  float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float tail = 5.000000000e-01f + r * (1.666657627e-01f + r * (4.166655242e-02f + r * (8.363232948e-03f + r * 1.392625039e-03f)));
  float power = 1.0f + (r + r * r * tail);
  // 2^n in two factors, so that neither leaves the range of normal numbers.
  int32_t exponent = (int32_t)(half_float_bits(biased) - half_float_bits(12582912.0f));
  int32_t half_exponent = exponent >> 1;
  float scale_1 = half_bits_float((uint32_t)(half_exponent + 127) << 23);
  float scale_2 = half_bits_float((uint32_t)(exponent - half_exponent + 127) << 23);
  return power * scale_1 * scale_2;
}

// Within 3 units in the last place.
static inline float math_tanh_f32(float x) {
  float a = half_bits_float(half_float_bits(x) & 0x7FFFFFFFu), u = a * a;
  float near = a + a * u *
                       (-3.333333135e-01f +
                        u * (1.333322525e-01f + u * (-5.393346772e-02f + u * (2.147068270e-02f + u * -6.942941807e-03f))));
  float capped = a > 10.0f ? 10.0f : a;  // tanh rounds to 1 from 9.02 on
  float far = 1.0f - 2.0f / (math_exp_f32(2.0f * capped) + 1.0f);
  float magnitude = a < 0.5f ? near : far;  // a NaN takes the second, which is a NaN too
  return half_bits_float(half_float_bits(magnitude) | (half_float_bits(x) & 0x80000000u));
}

// 1 / (1 + e^-x) within 4 units in the last place, down to the subnormal numbers.
static inline float math_logistic_f32(float x) {
  float e = math_exp_f32(half_bits_float(half_float_bits(x) | 0x80000000u));  // e^-|x|
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

// e^x - 1 for x <= 0 within 3 units in the last place; a NaN stays.
static inline float math_expm1_negative_f32(float x) {
  const float round_bias = 12582912.0f;  // see math_exp_f32
  x = x < -30.0f ? -30.0f : x;           // rounds to -1 from -17.4 on
  float biased = x * 1.44269504f + round_bias;
  float n = biased - round_bias;
  float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float tail = 5.000000000e-01f + r * (1.666657627e-01f + r * (4.166655242e-02f + r * (8.363232948e-03f + r * 1.392625039e-03f)));
  float scale = half_bits_float((half_float_bits(biased) - half_float_bits(12582912.0f) + 127u) << 23);
  return scale * (r + r * r * tail) + (scale - 1.0f);  // 2^n (e^r - 1) + (2^n - 1)
}

// x / 2 * erfc(-x / sqrt 2), the exact GELU: absolute error below 2e-7 max(1, |x|), relative error below 2e-5 for negative x
// (e^(-x^2 / 2) loses digits as x grows).
static inline float math_gelu_f32(float x) {
  float z = half_bits_float(half_float_bits(x) & 0x7FFFFFFFu) * 0.707106781f;
  float t = 1.0f / (1.0f + 0.5f * z);
  // erfc(z) e^(z^2) as a polynomial of t in [0.17, 1]; for smaller ones e^(-z^2) is 0.
  float low = -1.844816688e-05f + t * (2.824995220e-01f + t * (2.784732878e-01f + t * (2.635256648e-01f + t * 1.372869015e-01f)));
  float t2 = t * t, high = 1.066544428e-01f +
                           t * (1.046548188e-01f + t * (-3.478178382e-01f + t * (2.215660661e-01f + t * -4.682443663e-02f)));
  float half_erfc = 0.5f * (low + t2 * t2 * t * high) * math_exp_f32(-z * z);
  return x * (x > 0.0f ? 1.0f - half_erfc : half_erfc);
}

#endif
