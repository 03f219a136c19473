// SPDX-License-Identifier: Apache-2.0
// Functions on fixed-point numbers. Qm.n is an int32 with m integer and n fraction bits, m + n = 31; the saturated INT32_MAX
// stands for 1 in Q0.31. Source of every constant and rounding here: gemmlowp fixedpoint.h, on which the TensorFlow Lite
// reference kernels build.
#ifndef QUANT_FIXED_H
#define QUANT_FIXED_H

#include "quant/quant.h"

// x * 2^exponent, saturated; exponent in 0..31.
static inline int32_t fixed_shift_left(int32_t x, int exponent) {
  int64_t wide = (int64_t)x * (INT64_C(1) << exponent);
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

// exp(x) in Q0.31 for x <= 0 in Q5.26.
int32_t fixed_exp_q5(int32_t x);
// 1 / (1 + x) in Q0.31 for 0 <= x < 1 in Q0.31.
int32_t fixed_reciprocal_of_one_plus(int32_t x);

#endif
