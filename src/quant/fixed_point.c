// SPDX-License-Identifier: Apache-2.0
// Newton's iterations in fixed point.
#include "quant/fixed_point.h"

static int32_t wrap_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static int32_t wrap_sub(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }

// raw * 2^bits, saturated; bits > 0.
static int32_t saturating_left(int32_t raw, int bits) {
  int64_t wide = (int64_t)raw * (INT64_C(1) << bits);
  return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

static int leading_zeros(uint32_t x) {
  int n = 0;
  for (; n < 32 && !(x & 0x80000000u); n++) x <<= 1;
  return n;
}

// 1 / (1 + a) for a in [0, 1), Q0 to Q0.
static int32_t one_over_one_plus(int32_t a) {
  const int32_t q2_48_over_17 = 1515870810, q2_minus_32_over_17 = -1010580540, q2_one = 1 << 29;
  // h = (1 + a) / 2, with 1 as the largest Q0 number; 1 / (1 + a) = 1 / h / 2.
  int64_t sum = (int64_t)a + INT32_MAX;
  int32_t h = (int32_t)((sum + 1) / 2);
  int32_t x = wrap_add(q2_48_over_17, quant_high_mul(h, q2_minus_32_over_17));  // first guess of 1 / h, for h in [1/2, 1]
  for (int i = 0; i < 3; i++) {
    int32_t error = wrap_sub(q2_one, quant_high_mul(h, x));
    x = wrap_add(x, saturating_left(quant_high_mul(x, error), 2));  // Q4 to Q2
  }
  return saturating_left(x, 1);  // half of a Q2 number is the same raw number in Q1
}

int32_t fixed_reciprocal(int32_t x, int *shift) {
  int zeros = leading_zeros((uint32_t)x);
  *shift = 31 - zeros;
  uint32_t fraction = ((uint32_t)x << zeros) - 0x80000000u;  // x = (1 + fraction / 2^31) * 2^shift
  return one_over_one_plus((int32_t)fraction);
}

quant_multiplier fixed_inverse_sqrt(int32_t x) {
  if (x <= 1) return (quant_multiplier){INT32_MAX, 0};
  int shift = 11;
  while (x >= 1 << 29) {
    x /= 4;
    shift++;
  }
  int pairs = (leading_zeros((uint32_t)x) - 1) / 2 - 1;  // brings x into [2^27, 2^29)
  shift -= pairs;
  x = quant_shift_left(x, 2 * pairs);
  const int32_t input = x >> 1;  // Q3
  const int32_t half_input = quant_rounding_shift(input, 1);
  const int32_t q3_three_halves = (1 << 28) + (1 << 27), q0_half_sqrt_2 = 1518500250;
  int32_t r = 1 << 28;  // Q3: 1
  for (int i = 0; i < 5; i++) {  // r += r * (1 - input * r^2) / 2
    int32_t cube = saturating_left(quant_high_mul(quant_high_mul(r, r), r), 6);  // Q9 to Q3
    r = saturating_left(wrap_sub(quant_high_mul(q3_three_halves, r), quant_high_mul(half_input, cube)), 3);  // Q6 to Q3
  }
  r = quant_high_mul(r, q0_half_sqrt_2);
  if (shift < 0) {
    r = quant_shift_left(r, -shift);
    shift = 0;
  }
  return (quant_multiplier){r, -shift};  // the reference multiplies its shift by kReverseShift = -1
}
