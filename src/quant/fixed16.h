// SPDX-License-Identifier: Apache-2.0
// tanh and the logistic function of 16-bit fixed-point numbers, as the quantised LSTM of the reference computes them, bit for
// bit. Source of the rules: gemmlowp fixedpoint/fixedpoint.h with int16 raw numbers (constants are its 32-bit ones rounded to 16
// bits). A number with n integer bits is raw / 2^(15 - n), "Qn" below.
#ifndef QUANT_FIXED16_H
#define QUANT_FIXED16_H

#include "base/compiler.h"

// a * b of Qm and Qn in Q(m + n): rounded, -1 * -1 saturated.
static inline int16_t fixed16_mul(int16_t a, int16_t b) {
  if (a == INT16_MIN && b == INT16_MIN) return INT16_MAX;
  int32_t product = a * b;
  return (int16_t)((product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}

// round(x / 2^bits), ties away from zero; bits in 0..30.
static inline int32_t fixed16_round_shift(int32_t x, int bits) {
  int32_t mask = (int32_t)((UINT32_C(1) << bits) - 1), rest = x & mask;
  return (x >> bits) + (rest > (mask >> 1) + (x < 0));
}

// x * 2^bits, bits in 1..14: from Qn to Q(n - bits). Saturates at the ends as the reference does it: one step early at the lower
// end.
static inline int16_t fixed16_left(int16_t x, int bits) {
  int32_t most = (1 << (15 - bits)) - 1;
  return (int16_t)(x > most ? INT16_MAX : x < -most ? INT16_MIN : x * (1 << bits));
}

static inline int16_t fixed16_saturate(int32_t x) { return (int16_t)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x); }

// 1 / (1 + exp(-x)) in Q0, of a Q3 number.
int16_t fixed16_logistic(int16_t x);
// tanh(x) in Q0, of a number with integer_bits in 0..6.
int16_t fixed16_tanh(int16_t x, int integer_bits);

#endif
