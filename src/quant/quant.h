// SPDX-License-Identifier: Apache-2.0
// Fixed-point arithmetic of quantised kernels: how a real multiplier becomes an integer one and how a product is rounded.
// Source of every rule here: the published TensorFlow Lite reference kernels (kernels/internal/common, quantization_util) and
// gemmlowp.
#ifndef QUANT_QUANT_H
#define QUANT_QUANT_H

#include "base/compiler.h"

// A real multiplier m as mantissa * 2^(shift - 31), mantissa in [2^30, 2^31) or 0.
typedef struct quant_multiplier {
  int32_t mantissa;
  int32_t shift;  // positive: to the left
} quant_multiplier;

// Nearest representable multiplier; 0 below 2^-32, saturated from 2^30 on. real must be finite and >= 0.
quant_multiplier quant_from_real(double real);

// round(a * b / 2^31), ties to the larger, saturated: the doubling high multiply. (gemmlowp nudges by the product's sign and
// divides with truncation, which comes to the same.)
static inline int32_t quant_high_mul(int32_t a, int32_t b) {
  int64_t nudged = (int64_t)a * b + (INT64_C(1) << 30);
  return a == INT32_MIN && b == INT32_MIN ? INT32_MAX : (int32_t)(uint32_t)((uint64_t)nudged >> 31);
}
// The same for b >= 0.
static inline int32_t quant_high_mul_positive(int32_t a, int32_t b) {
#if ARENITE_MICRO
  int64_t nudged = (int64_t)a * b + (INT64_C(1) << 30);
  return (int32_t)(uint32_t)((uint64_t)nudged >> 31);
#else
  // Unsigned, because vector units of every age multiply 32-bit numbers without sign to 64 bits. A negative a counts as a + 2^32:
  // 2 b too much.
  uint64_t nudged = (uint64_t)(uint32_t)a * (uint32_t)b + (UINT64_C(1) << 30);
  return (int32_t)((uint32_t)(nudged >> 31) - ((uint32_t)b << 1 & (uint32_t)(a >> 31)));
#endif
}

// round(x / 2^exponent) with ties away from zero; exponent in 0..31.
static inline int32_t quant_rounding_shift(int32_t x, int exponent) {
  int32_t mask = (int32_t)((INT64_C(1) << exponent) - 1);
  int32_t threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + ((x & mask) > threshold);
}

static inline int32_t quant_shift_left(int32_t x, int exponent) {  // wraps like the reference on two's complement machines
  return (int32_t)((uint32_t)x << exponent);
}

// x * m as 8-bit kernels do it: two roundings. m.mantissa >= 0.
static inline int32_t quant_scale(int32_t x, quant_multiplier m) {
  int left = m.shift > 0 ? m.shift : 0, right = m.shift > 0 ? 0 : -m.shift;
  return quant_rounding_shift(quant_high_mul_positive(quant_shift_left(x, left), m.mantissa), right);
}

// x * m as 16-bit kernels do it on 64-bit accumulators: a 16-bit mantissa and one rounding. |x| < 2^47; shift in -31..7.
static inline int32_t quant_scale64(int64_t x, quant_multiplier m) {
  int32_t reduced = m.mantissa < 0x7FFF0000 ? (m.mantissa + (1 << 15)) >> 16 : 0x7FFF;
  int total = 15 - m.shift;
  int64_t rounded = (int64_t)((uint64_t)x * (uint64_t)(int64_t)reduced + (UINT64_C(1) << (total - 1)));
  return (int32_t)(rounded >> total);
}

static inline int32_t quant_clamp(int32_t x, int32_t low, int32_t high) { return x < low ? low : x > high ? high : x; }

#endif
