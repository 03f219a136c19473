// SPDX-License-Identifier: Apache-2.0
// Element-wise functions of quantised integers, one number at a time: 8-bit ones become tables, 16-bit ones rows.
// Source of the rules: TFLite reference/leaky_relu.h, hard_swish.h, optimized ReluX, kernels/elementwise.cc.
#include <math.h>

#include "kernels/rows.h"
#include "kernels/unary.h"

static int32_t finish_unary(int32_t x, const unary_quantized *p) {
  return quant_clamp((int32_t)((uint32_t)x + (uint32_t)p->offset_out), p->low, p->high);
}

int32_t unary_rescale(int32_t q, const unary_quantized *p) { return finish_unary(quant_scale(q - p->offset_in, p->scale), p); }

int32_t unary_rescale_leaky(int32_t q, const unary_quantized *p) {
  int32_t x = q - p->offset_in;
  if (x >= 0) return unary_rescale(q, p);
  int32_t scaled = quant_scale(x, p->negative);
  return finish_unary(p->flip_negative ? (int32_t)(0u - (uint32_t)scaled) : scaled, p);
}

int32_t unary_rescale_abs(int32_t q, const unary_quantized *p) {
  int32_t x = q - p->offset_in;
  return finish_unary(quant_scale(x < 0 ? -x : x, p->scale), p);
}

ROW1(row_rescale_16, int16_t, int16_t, ROW_PARAMS(unary_quantized), unary_rescale(x, &p))
ROW1(row_leaky_16, int16_t, int16_t, ROW_PARAMS(unary_quantized), unary_rescale_leaky(x, &p))
ROW1(row_abs_16, int16_t, int16_t, ROW_PARAMS(unary_quantized), unary_rescale_abs(x, &p))
const broadcast_row unary_rescale_16 = row_rescale_16, unary_leaky_16 = row_leaky_16, unary_abs_16 = row_abs_16;

int32_t unary_sqrt_quantized(int32_t q, const unary_root *p) {
  float root = sqrtf(p->scale_in * (float)(q - p->offset_in)) / p->scale_out;
  // Not below 0: the caller looked. A quotient past int32 saturates.
  double shifted = (root < 1e9f ? (double)(int32_t)root : 1e9) + p->offset_out;
  return shifted > p->high ? p->high : shifted < p->low ? p->low : (int32_t)shifted;
}
ROW1(row_sqrt_16, int16_t, int16_t, ROW_PARAMS(unary_root), unary_sqrt_quantized(x, &p))
const broadcast_row unary_sqrt_16 = row_sqrt_16;

static int16_t saturate_16(int32_t x) { return (int16_t)quant_clamp(x, INT16_MIN, INT16_MAX); }
static int16_t shift_left_16(int16_t x, int bits) {  // saturates; bits >= 0
  if (bits > 15) return x > 0 ? INT16_MAX : x < 0 ? INT16_MIN : 0;
  return saturate_16(x * (1 << bits));
}
// The doubling high multiplies of 16-bit numbers: with rounding, and towards zero.
static int16_t high_mul_16(int16_t a, int16_t b) {
  if (a == INT16_MIN && b == INT16_MIN) return INT16_MAX;
  int32_t product = a * b;
  return (int16_t)((product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15));
}
static int16_t high_mul_truncated_16(int16_t a, int16_t b) {
  return a == INT16_MIN && b == INT16_MIN ? INT16_MAX : (int16_t)(a * b / (1 << 15));
}
static int16_t rounding_shift_16(int16_t x, int bits) { return bits > 15 ? 0 : (int16_t)quant_rounding_shift(x, bits); }

int32_t unary_hard_swish_quantized(int32_t q, const unary_hard_swish_8 *p) {
  int16_t fine = saturate_16((q - p->zero_point_in) * (1 << 7));  // 7 more fractional bits; cannot saturate within an 8-bit range
  int16_t scaled = high_mul_16(fine, p->to_output);               // on the output's scale, still to be shifted
  // "Reluish": x / 3 in [-1, 1), saturated; a left shift saturates only where that decides the result, hence in its last bit.
  int16_t reluish = fine;
  if (p->to_reluish_exponent > 0) reluish = shift_left_16(reluish, p->to_reluish_exponent - 1);
  reluish = high_mul_16(reluish, p->to_reluish);
  if (p->to_reluish_exponent > 0) reluish = shift_left_16(reluish, 1);
  if (p->to_reluish_exponent < 0) reluish = rounding_shift_16(reluish, -p->to_reluish_exponent);
  reluish = (int16_t)((reluish + (1 << 15)) >> 1);  // to [0, 1)
  int16_t product = high_mul_truncated_16(reluish, scaled);
  return quant_clamp(rounding_shift_16(product, -p->to_output_exponent) + p->zero_point_out, p->low, p->high);
}
