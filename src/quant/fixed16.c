// SPDX-License-Identifier: Apache-2.0
// Exponentials by a Taylor series and a product of constants, quotients by Newton's iteration, in 16 bits.
#include "quant/fixed16.h"

// exp(x) in Q0 for x in [-1/4, 0) in Q0: around -1/8, exp(-1/8) * (1 + y + y^2/2 + y^3/6 + y^4/24).
static int16_t fixed16_exp_quarter(int16_t x) {
  const int16_t exp_minus_eighth = 28918, third = 10923;
  int16_t y = (int16_t)(x + (1 << 12));
  int16_t y2 = fixed16_mul(y, y), y3 = fixed16_mul(y2, y), y4 = fixed16_mul(y2, y2);
  int16_t cubic = fixed16_mul((int16_t)(fixed16_round_shift(y4, 2) + y3), third);  // y^3/3 + y^4/12
  int16_t rest = (int16_t)fixed16_round_shift((int16_t)(cubic + y2), 1);
  return fixed16_saturate(exp_minus_eighth + fixed16_mul(exp_minus_eighth, (int16_t)(y + rest)));
}

// exp(x) in Q0 for x <= 0: the part within a quarter by the series, the quarters, halves, ones, ... by a product.
static int16_t fixed16_exp(int16_t x, int integer_bits) {
  static const int16_t factors[] = {25520, 19875, 12055, 4435, 600, 11, 0};  // exp(-2^(i - 2)) in Q0
  if (x == 0) return INT16_MAX;
  if (integer_bits > 5 && x < -(1 << (20 - integer_bits))) return 0;  // below -32
  int fraction_bits = 15 - integer_bits;
  int16_t quarter = (int16_t)(1 << (fraction_bits - 2));
  int16_t part = (int16_t)((x & (quarter - 1)) - quarter);
  int16_t result = fixed16_exp_quarter(integer_bits > 0 ? fixed16_left(part, integer_bits) : part);
  uint16_t quarters = (uint16_t)(part - x);
  for (int i = 0; i < 7 && i - 2 < integer_bits; i++) {
    if (quarters >> (fraction_bits + i - 2) & 1) result = fixed16_mul(result, factors[i]);
  }
  return result;
}

// 2 / (1 + x) in Q2 for x in [0, 1] in Q0: Newton's iteration for the quotient of 1 and h = (1 + x) / 2.
static int16_t fixed16_two_over_one_plus(int16_t x) {
  const int16_t q2_48_over_17 = 23130, q2_minus_32_over_17 = -15420, q2_one = 1 << 13;
  int16_t h = (int16_t)((x + INT16_MAX + 1) / 2);
  int16_t r = (int16_t)(q2_48_over_17 + fixed16_mul(h, q2_minus_32_over_17));
  for (int i = 0; i < 3; i++) {
    int16_t error = (int16_t)(q2_one - fixed16_mul(h, r));
    r = (int16_t)(r + fixed16_left(fixed16_mul(r, error), 2));
  }
  return r;
}

int16_t fixed16_logistic(int16_t x) {
  if (x == 0) return 1 << 14;
  int16_t negative = (int16_t)(x > 0 ? -x : x);
  int16_t above =
      fixed16_left(fixed16_two_over_one_plus(fixed16_exp(negative, 3)), 1);  // half of a Q2 number is the same raw in Q1
  return (int16_t)(x > 0 ? above : INT16_MAX - above);
}

int16_t fixed16_tanh(int16_t x, int integer_bits) {
  if (x == 0) return 0;
  int16_t negative = (int16_t)(x > 0 ? -x : x);
  // (1 - e) / (1 + e) = 2 / (1 + e) - 1 with e = exp(-2 |x|); twice a Qn number is the same raw in Q(n + 1).
  int16_t size = fixed16_left((int16_t)(fixed16_two_over_one_plus(fixed16_exp(negative, integer_bits + 1)) - (1 << 13)), 2);
  return (int16_t)(x > 0 ? size : -size);
}
