// SPDX-License-Identifier: Apache-2.0
// Newton's iterations, exponential and logarithm in fixed point.
#include "quant/fixed_point.h"

static int32_t wrap_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static int32_t wrap_sub(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }

int32_t fixed_one_over_one_plus(int32_t a) {
  const int32_t q2_48_over_17 = 1515870810, q2_minus_32_over_17 = -1010580540, q2_one = 1 << 29;
  // h = (1 + a) / 2, with 1 as the largest Q0 number; 1 / (1 + a) = 1 / h / 2.
  int64_t sum = (int64_t)a + INT32_MAX;
  int32_t h = (int32_t)((sum + 1) / 2);
  int32_t x = wrap_add(q2_48_over_17, quant_high_mul(h, q2_minus_32_over_17));  // first guess of 1 / h, for h in [1/2, 1]
  for (int i = 0; i < 3; i++) {
    int32_t error = wrap_sub(q2_one, quant_high_mul(h, x));
    x = wrap_add(x, fixed_shift_left(quant_high_mul(x, error), 2));  // Q4 to Q2
  }
  return fixed_shift_left(x, 1);  // half of a Q2 number is the same raw number in Q1
}

int32_t fixed_reciprocal(int32_t x, int *shift) {
  int zeros = fixed_leading_zeros((uint32_t)x);
  *shift = 31 - zeros;
  uint32_t fraction = ((uint32_t)x << zeros) - 0x80000000u;  // x = (1 + fraction / 2^31) * 2^shift
  return fixed_one_over_one_plus((int32_t)fraction);
}

quant_multiplier fixed_inverse_sqrt(int32_t x) {
  if (x <= 1) return (quant_multiplier){INT32_MAX, 0};
  int shift = 11;
  while (x >= 1 << 29) {
    x /= 4;
    shift++;
  }
  int pairs = (fixed_leading_zeros((uint32_t)x) - 1) / 2 - 1;  // brings x into [2^27, 2^29)
  shift -= pairs;
  x = quant_shift_left(x, 2 * pairs);
  const int32_t input = x >> 1;  // Q3
  const int32_t half_input = quant_rounding_shift(input, 1);
  const int32_t q3_three_halves = (1 << 28) + (1 << 27), q0_half_sqrt_2 = 1518500250;
  int32_t r = 1 << 28;                                                            // Q3: 1
  for (int i = 0; i < 5; i++) {                                                   // r += r * (1 - input * r^2) / 2
    int32_t cube = fixed_shift_left(quant_high_mul(quant_high_mul(r, r), r), 6);  // Q9 to Q3
    r = fixed_shift_left(wrap_sub(quant_high_mul(q3_three_halves, r), quant_high_mul(half_input, cube)), 3);  // Q6 to Q3
  }
  r = quant_high_mul(r, q0_half_sqrt_2);
  if (shift < 0) {
    r = quant_shift_left(r, -shift);
    shift = 0;
  }
  return (quant_multiplier){r, -shift};  // the reference multiplies its shift by kReverseShift = -1
}

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

// Source of the rule: TFLite reference, log_x_for_x_greater_than_or_equal_to_1_impl: x = r * 2^k with r near sqrt(sqrt(1/2)), log
// r by a quotient of polynomials. k is taken from x and from x * sqrt(1/2), whichever gives the smaller r.
int32_t fixed_log_q12(int32_t x) {
  const int32_t log_2 = 1488522236, root = 1518500250, root_of_root = 1805811301;  // of 1/2, in Q0.31
  const int32_t alpha_n = 117049297, alpha_d = 127690142, alpha_i = 1057819769, alpha_f = 638450708;
  const int32_t quarter = 1 << 23;  // in Q6.25
  int zeros_a = fixed_leading_zeros((uint32_t)x), zeros_b = fixed_leading_zeros((uint32_t)quant_high_mul(x, root)) - 1;
  int32_t r_a = fixed_shift_left(quant_high_mul(fixed_shift_left(x, zeros_a - 1), root), 1), r_b = fixed_shift_left(x, zeros_b);
  int32_t k_a = fixed_shift_left(12 - zeros_a, 25) + quarter, k_b = fixed_shift_left(12 - zeros_b, 25) - quarter;
  int32_t r = r_a < r_b ? r_a : r_b, k = k_a > k_b ? k_a : k_b;
  int64_t sum = (int64_t)r + root_of_root;
  int32_t p = (int32_t)((sum + 1) / 2), q = wrap_add(r - root_of_root, r - root_of_root), q2 = quant_high_mul(q, q);
  int32_t above = wrap_add(quant_high_mul(q, r), quant_high_mul(quant_high_mul(q, q2), alpha_n));
  int32_t inner = wrap_add(wrap_add(alpha_i, q), quant_high_mul(alpha_d, q2));
  int32_t below = fixed_one_over_one_plus(wrap_add(quant_high_mul(p, inner), quant_high_mul(alpha_f, q)));
  return fixed_shift_left(wrap_add(quant_high_mul(k, log_2), quant_high_mul(quant_rounding_shift(above, 6), below)), 1);
}
