// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution: input [batches, y.in, x.in, in_c], filter [out_c, y.taps, x.taps, filter_c], output [batches,
// y.out, x.out, out_c]. in_c / filter_c groups of channels are convolved apart from each other; it divides out_c. Pixels outside
// the image count as zero. A call makes rows row0..row1-1 of batches * y.out; calls on different rows may run at the same time.
// Sources of the arithmetic: TFLite reference, reference/conv.h and reference/integer_ops/conv.h.
#ifndef KERNELS_CONV_H
#define KERNELS_CONV_H

#include "kernels/requant.h"
#include "kernels/window.h"

typedef struct conv_shape {
  int batches, in_c, filter_c, out_c;
  window_axis y, x;
} conv_shape;

// bias may be NULL everywhere. Zero points are those of the numbers: value = scale * (number - zero point).
typedef struct conv_f32_args {
  const float *input, *filter, *bias;
  float *output;
  float low, high;
} conv_f32_args;
void conv_f32(const conv_shape *s, const conv_f32_args *a, int row0, int row1);

typedef struct conv_s8_args {
  const int8_t *input, *filter;
  const int32_t *bias;
  int8_t *output;
  int32_t input_zero_point;
  requant out;
} conv_s8_args;
void conv_s8(const conv_shape *s, const conv_s8_args *a, int row0, int row1);

typedef struct conv_u8_args {
  const uint8_t *input, *filter;
  const int32_t *bias;
  uint8_t *output;
  int32_t input_zero_point, filter_zero_point;
  requant out;
} conv_u8_args;
void conv_u8(const conv_shape *s, const conv_u8_args *a, int row0, int row1);

// 16-bit activations, their zero points 0. conv_s16 sums in 32 bits, conv_s16_wide in 64: the bias type decides.
typedef struct conv_s16_args {
  const int16_t *input;
  const int8_t *filter;
  const int32_t *bias;
  int16_t *output;
  requant out;
} conv_s16_args;
void conv_s16(const conv_shape *s, const conv_s16_args *a, int row0, int row1);

typedef struct conv_s16_wide_args {
  const int16_t *input;
  const int8_t *filter;
  const int64_t *bias;
  int16_t *output;
  requant out;
} conv_s16_wide_args;
void conv_s16_wide(const conv_shape *s, const conv_s16_wide_args *a, int row0, int row1);

// Float activations quantised image by image, int8 filter, float result.
typedef struct conv_hybrid_args {
  const int8_t *input, *filter;
  const float *bias;
  float *output;
  const float *input_scales;         // [batches]
  const int32_t *input_zero_points;  // [batches]
  const float *filter_scales;        // channel c has filter_scales[c * filter_step]
  size_t filter_step;
  float low, high;
} conv_hybrid_args;
void conv_hybrid_rows(const conv_shape *s, const conv_hybrid_args *a, int row0, int row1);

// Transposed convolution: input [batches, y.out, x.out, in_c], filter [out_c, y.taps, x.taps, in_c], output [batches, y.in, x.in,
// out_c]: the axes are those of the convolution that would lead from the output back to the input, undilated. A call makes rows
// row0..row1-1 of batches * y.in. Source of the arithmetic: TFLite reference, reference/transpose_conv.h.
void conv_transposed_f32(const conv_shape *s, const conv_f32_args *a, int row0, int row1);
void conv_transposed_s8(const conv_shape *s, const conv_s8_args *a, int row0, int row1);
void conv_transposed_u8(const conv_shape *s, const conv_u8_args *a, int row0, int row1);
void conv_transposed_s16(const conv_shape *s, const conv_s16_args *a, int row0, int row1);
void conv_transposed_s16_wide(const conv_shape *s, const conv_s16_wide_args *a, int row0, int row1);
void conv_transposed_hybrid_rows(const conv_shape *s, const conv_hybrid_args *a, int row0, int row1);

#endif
