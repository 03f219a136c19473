// SPDX-License-Identifier: Apache-2.0
// From sums of products to quantised numbers: the last step of every integer convolution and matrix product.
#ifndef KERNELS_REQUANT_H
#define KERNELS_REQUANT_H

#include "quant/quant.h"

typedef struct requant {
  const quant_multiplier *multipliers;  // channel c has multipliers[c * step]
  size_t step;                          // 1: a multiplier a channel, 0: one for all
  int32_t zero_point, low, high;        // of the output; low and high include the fused activation
} requant;

static inline int32_t requant_clamp(const requant *r, int32_t scaled) {
  return quant_clamp((int32_t)((uint32_t)scaled + (uint32_t)r->zero_point), r->low, r->high);
}
static inline int32_t requant_sum(const requant *r, int32_t sum, size_t channel) {
  return requant_clamp(r, quant_scale(sum, r->multipliers[channel * r->step]));
}
static inline int32_t requant_sum64(const requant *r, int64_t sum, size_t channel) {
  return requant_clamp(r, quant_scale64(sum, r->multipliers[channel * r->step]));
}

static inline float requant_clamp_f32(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

#endif
