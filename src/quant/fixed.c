// SPDX-License-Identifier: Apache-2.0
// Exponential and reciprocal in fixed point, bit for bit those of gemmlowp.
#include "quant/fixed.h"

// exp(x) in Q0.31 for -1/4 <= x < 0 in Q0.31: the Taylor polynomial of degree 4 around -1/8.
static int32_t fixed_exp_of_quarter(int32_t x) {
  const int32_t exp_of_minus_eighth = 1895147668, third = 715827883;
  int32_t d = x + (1 << 28);  // distance from -1/8
  int32_t d2 = quant_high_mul(d, d), d3 = quant_high_mul(d2, d), d4 = quant_high_mul(d2, d2);
  int32_t tail = quant_rounding_shift(quant_high_mul(quant_rounding_shift(d4, 2) + d3, third) + d2, 1);  // d4/24 + d3/6 + d2/2
  return exp_of_minus_eighth + quant_high_mul(exp_of_minus_eighth, d + tail);
}

int32_t fixed_exp_q5(int32_t x) {
  // exp(-2^k) in Q0.31 for k = -2..4: x is split into a rest in [-1/4, 0) and a sum of these powers of two.
  static const int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  const int32_t quarter = 1 << 24;
  if (x == 0) return INT32_MAX;
  int32_t rest = (x & (quarter - 1)) - quarter, powers = rest - x;
  int32_t result = fixed_exp_of_quarter(rest * 32);
  for (int k = 0; k < 7; k++) {
    if (powers & (int32_t)((uint32_t)quarter << k)) result = quant_high_mul(result, factors[k]);
  }
  return result;
}

int32_t fixed_reciprocal_of_one_plus(int32_t x) {
  const int32_t one_q2 = 1 << 29, start = 1515870810, slope = -1010580540;  // 48/17 and -32/17 in Q2.29
  int64_t sum = (int64_t)x + INT32_MAX;
  int32_t half = (int32_t)((sum + 1) / 2);  // (1 + x) / 2 in Q0.31
  int32_t estimate = start + quant_high_mul(half, slope);
  for (int i = 0; i < 3; i++) {  // Newton: the error squares each time
    int32_t error = one_q2 - quant_high_mul(half, estimate);
    estimate += fixed_shift_left(quant_high_mul(estimate, error), 2);
  }
  return fixed_shift_left(estimate, 1);  // of half the denominator in Q2.29: of the denominator in Q1.30
}
