// SPDX-License-Identifier: Apache-2.0
// Functions of one array, as rows for broadcast_run (one input, step 1). Integers wrap.
#ifndef KERNELS_UNARY_H
#define KERNELS_UNARY_H

#include "kernels/broadcast.h"
#include "quant/quant.h"

// No params. Floats; half-precision numbers are computed as floats and rounded.
extern const broadcast_rows unary_exp, unary_log, unary_sqrt, unary_rsqrt, unary_square, unary_sin, unary_cos, unary_ceil,
    unary_floor, unary_round, unary_tanh, unary_logistic, unary_elu, unary_hard_swish, unary_gelu, unary_gelu_tanh;
extern const broadcast_rows unary_abs, unary_neg, unary_sign;  // integers too
extern const broadcast_rows unary_not;                         // booleans

typedef struct unary_bounds {
  float low, high;
} unary_bounds;
extern const broadcast_rows unary_clamp;  // params: unary_bounds; f32
extern const broadcast_rows unary_leaky;  // params: float, the slope below 0; f32

// round((x - offset_in) * scale) + offset_out, clamped, for int16: relu, abs.
typedef struct unary_quantized {
  int32_t offset_in, offset_out;
  quant_multiplier scale;     // for values >= 0
  quant_multiplier negative;  // for values < 0: unary_leaky_16 only
  bool flip_negative;         // their result changes its sign
  int32_t low, high;
} unary_quantized;
int32_t unary_rescale(int32_t q, const unary_quantized *p);
int32_t unary_rescale_leaky(int32_t q, const unary_quantized *p);
int32_t unary_rescale_abs(int32_t q, const unary_quantized *p);
extern const broadcast_row unary_rescale_16, unary_leaky_16, unary_abs_16;  // params: unary_quantized; i16

// Square roots in real numbers, rounded to zero: for int16.
typedef struct unary_root {
  float scale_in, scale_out;
  int32_t offset_in, offset_out, low, high;
} unary_root;
int32_t unary_sqrt_quantized(int32_t q, const unary_root *p);
extern const broadcast_row unary_sqrt_16;  // params: unary_root

// x * relu6(x + 3) / 6 of 8-bit numbers in 16-bit fixed point.
typedef struct unary_hard_swish_8 {
  int32_t zero_point_in, zero_point_out;
  int16_t to_output, to_reluish;                // multipliers, 15 fractional bits
  int to_output_exponent, to_reluish_exponent;  // of 2; the first one is <= 0
  int32_t low, high;
} unary_hard_swish_8;
int32_t unary_hard_swish_quantized(int32_t q, const unary_hard_swish_8 *p);

#endif
