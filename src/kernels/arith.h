// SPDX-License-Identifier: Apache-2.0
// Arithmetic of two arrays, as rows for broadcast_run. Integers wrap. Source of the quantised rules: TFLite reference kernels
// add.h, sub.h, mul.h, div.h, squared_difference.cc.
#ifndef KERNELS_ARITH_H
#define KERNELS_ARITH_H

#include "kernels/broadcast.h"
#include "quant/quant.h"

// Bounds of a fused activation.
typedef struct arith_clamp {
  float low_real, high_real;  // for f32, f16
  int64_t low, high;          // for the integers
} arith_clamp;
extern const broadcast_rows arith_add, arith_sub, arith_mul,
    arith_div;  // params: arith_clamp; no divisor of an integer row may be 0

// Quantised operands: a real number is (q + offset) * scale, with offset = -zero point.
typedef struct arith_quantized {
  int32_t offset_x, offset_y, offset_out;
  quant_multiplier x, y;  // each operand's share of a common scale; sums and differences only
  quant_multiplier out;
  int left_shift;     // of the operands, before x and y are applied
  int32_t low, high;  // of the result
} arith_quantized;
extern const broadcast_rows arith_add_quantized, arith_sub_quantized, arith_mul_quantized, arith_div_quantized,
    arith_squared_difference_quantized;  // params: arith_quantized; a divisor may not be its zero point

// 16-bit sums and differences whose scales are powers of two: operands are only shifted to the right, with rounding.
typedef struct arith_shifts {
  int right_x, right_y;  // 0..31
  int32_t low, high;
} arith_shifts;
extern const broadcast_rows arith_add_shifted, arith_sub_shifted;  // params: arith_shifts; i16 only
// Products of 16-bit numbers in [-1, 1) as 8-bit numbers.
extern const broadcast_row arith_mul_i16_to_i8, arith_mul_i16_to_u8;  // params: arith_quantized; offset_out, low, high are used

// x >= 0 ? x : x * y, the slopes being the second input.
extern const broadcast_rows arith_prelu;  // f32
typedef struct arith_prelu_params {
  int32_t offset_x, offset_y, offset_out;
  quant_multiplier positive, negative;  // of x, and of x * y
  int32_t low, high;
} arith_prelu_params;
extern const broadcast_rows arith_prelu_quantized;  // params: arith_prelu_params; i8, u8, and i16 with slopes of type i8

// No params.
extern const broadcast_rows arith_maximum, arith_minimum, arith_squared_difference, arith_pow, arith_atan2;
extern const broadcast_rows arith_floor_div, arith_floor_mod;  // no divisor of an integer row may be 0
extern const broadcast_rows arith_xor, arith_and;
extern const broadcast_rows arith_shift_right;  // arithmetic; the distance is clamped to 0..bits - 1
extern const broadcast_rows arith_shift_left;   // a distance outside 0..bits - 1 gives 0
extern const broadcast_rows arith_logical_or, arith_logical_and;
extern const broadcast_rows arith_plain_add, arith_plain_mul;  // every numeric type and booleans, no clamp

// x / y * out, as the quantised rows compute it (y != 0). Shown for tests.
int32_t arith_divide_quantized(int32_t x, int32_t y, quant_multiplier out);

#endif
