// SPDX-License-Identifier: Apache-2.0
// Functions of fixed-point numbers: 1 / x, 1 / sqrt(x), exp and log as quantised kernels of the reference compute them, bit for
// bit. Source of the rules: TFLite internal/common.h (GetReciprocal, GetInvSqrtQuantizedMultiplierExp,
// log_x_for_x_greater_than_or_equal_to_1) over gemmlowp's fixedpoint.h. Qn below is a number with n integer bits: raw / 2^(31 -
// n); in Q0 the saturated INT32_MAX stands for 1. The product of Qa and Qb is Q(a + b), rounded and saturated (quant_high_mul).
#ifndef QUANT_FIXED_POINT_H
#define QUANT_FIXED_POINT_H

#include "quant/quant.h"

// raw * 2^bits, saturated; bits in 0..31.
static inline int32_t fixed_shift_left(int32_t raw, int bits) {
  int64_t wide = (int64_t)raw * (INT64_C(1) << bits);
  return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

// Leading zero bits; 32 for 0.
static inline int fixed_leading_zeros(uint32_t x) {
  int n = 0;
  if (x == 0) return 32;
  for (int half = 16; half; half /= 2) {
    if (x >> (32 - half) == 0) {
      n += half;
      x <<= half;
    }
  }
  return n;
}

// 1 / x for x > 0: returns r in Q0, and *shift such that 1 / x = r / 2^31 / 2^shift.
int32_t fixed_reciprocal(int32_t x, int *shift);

// 1 / sqrt(x) for x >= 0 (0 counts as 1): a multiplier for quant_scale.
quant_multiplier fixed_inverse_sqrt(int32_t x);

// 1 / (1 + a) in Q0 for a in [0, 1) in Q0.
int32_t fixed_one_over_one_plus(int32_t a);

// exp(x) in Q0 for x <= 0 in Q5.
int32_t fixed_exp_q5(int32_t x);

// log(x) in Q5 for x >= 1 in Q12.
int32_t fixed_log_q12(int32_t x);

#endif
