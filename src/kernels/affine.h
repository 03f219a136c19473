// SPDX-License-Identifier: Apache-2.0
// Between real numbers and quantised ones: quantise, requantise, dequantise, as rows (one input, step 1).
// Source of the rules: TFLite reference/quantize.h, requantize.h, dequantize.h, quantization_util.cc (fake quantisation).
#ifndef KERNELS_AFFINE_H
#define KERNELS_AFFINE_H

#include "kernels/broadcast.h"
#include "quant/quant.h"

typedef struct affine_real {
  float scale;         // of the quantised side
  int32_t zero_point;  // within the range of its type
  int32_t low, high;   // range of the quantised type; quantising only
} affine_real;
// round(x / scale) + zero point, ties away from zero, saturated; a NaN becomes the lowest number. f32 to the type in the name.
extern const broadcast_row affine_to_i8, affine_to_u8, affine_to_i16;
// (q - zero point) * scale, to f32, by the type of q.
extern const broadcast_rows affine_to_f32;

typedef struct affine_ratio {
  quant_multiplier ratio;  // of the scales
  int32_t zero_point_in, zero_point_out, low, high;
} affine_ratio;
// round((q - zero point in) * ratio) + zero point out, saturated; by the type of q: i8, u8, i16, i32.
extern const broadcast_rows affine_rescale_to_i8, affine_rescale_to_u8, affine_rescale_to_i16, affine_rescale_to_i32;

typedef struct affine_fake {
  float low, high, scale;  // low and high are multiples of scale
} affine_fake;
extern const broadcast_row affine_fake_quantize;  // f32 to f32
// The nearest range that holds 0 exactly, for num_bits in 1..16 and low < high.
affine_fake affine_nudge(float low, float high, int num_bits);

extern const broadcast_row affine_half_to_f32;

// Packed integers of 2 or 4 bits, the first one in the low bits, elements first..first + n - 1 to int8 and from it; unsigned ones
// stay positive.
void affine_unpack(const uint8_t *packed, int bits, bool is_signed, size_t first, size_t n, int8_t *out);
void affine_pack(const int8_t *in, size_t n, int bits, uint8_t *packed);

#endif
