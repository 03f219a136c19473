// SPDX-License-Identifier: Apache-2.0
// Fully connected layers: output[batches, units] = input[batches, depth] * filter[units, depth] transposed, plus bias[units].
// A call makes units unit0..unit1-1 of every batch; calls on different units may run at the same time.
// Sources of the arithmetic: TFLite reference, fully_connected.h and integer_ops/fully_connected.h.
#ifndef KERNELS_FC_H
#define KERNELS_FC_H

#include "kernels/requant.h"

typedef struct fc_shape {
  size_t batches, units, depth;
} fc_shape;

// bias may be NULL everywhere.
typedef struct fc_f32_args {
  const float *input, *filter, *bias;
  float *output;
  float low, high;
} fc_f32_args;
void fc_f32(const fc_shape *s, const fc_f32_args *a, size_t unit0, size_t unit1);

// Sums times a real multiplier in double precision, rounded half away from zero: unlike convolutions, the reference's fully
// connected layers have no fixed-point multiplier.
typedef struct fc_rescale {
  const double *scales;           // unit u has scales[u * step]
  size_t step;                    // 1: a scale a unit, 0: one for all
  int32_t zero_point, low, high;  // of the output; low and high include the fused activation
} fc_rescale;

typedef struct fc_s8_args {
  const int8_t *input, *filter;
  const int32_t *bias;
  int8_t *output;
  int32_t input_zero_point, filter_zero_point;
  fc_rescale out;
} fc_s8_args;
void fc_s8(const fc_shape *s, const fc_s8_args *a, size_t unit0, size_t unit1);

typedef struct fc_u8_args {
  const uint8_t *input, *filter;
  const int32_t *bias;
  uint8_t *output;      // of fc_u8
  int16_t *output_s16;  // of fc_u8_s16
  int32_t input_zero_point, filter_zero_point;
  fc_rescale out;
} fc_u8_args;
void fc_u8(const fc_shape *s, const fc_u8_args *a, size_t unit0, size_t unit1);
void fc_u8_s16(const fc_shape *s, const fc_u8_args *a, size_t unit0, size_t unit1);

// 16-bit activations, their zero points 0. Sums of 32 bits when bias32 is there, of 64 bits otherwise.
typedef struct fc_s16_args {
  const int16_t *input;
  const int8_t *filter;
  int32_t filter_zero_point;
  const int32_t *bias32;
  const int64_t *bias64;
  int16_t *output;
  fc_rescale out;
} fc_s16_args;
void fc_s16(const fc_shape *s, const fc_s16_args *a, size_t unit0, size_t unit1);

// 16-bit activations and weights, 64-bit sums, and the fixed-point multiplier of convolutions.
typedef struct fc_s16_s16_args {
  const int16_t *input, *filter;
  int32_t filter_zero_point;
  const int32_t *bias32;  // one of them at most
  const int64_t *bias64;
  int16_t *output;
  requant out;
} fc_s16_s16_args;
void fc_s16_s16(const fc_shape *s, const fc_s16_s16_args *a, size_t unit0, size_t unit1);

// Float activations quantised batch by batch, int8 filter, float result without activation.
typedef struct fc_hybrid_args {
  const int8_t *input, *filter;
  const float *bias;
  float *output;
  const float *input_scales;         // [batches]
  const int32_t *input_zero_points;  // [batches]
  const float *filter_scales;        // unit u has filter_scales[u * filter_step]
  size_t filter_step;
} fc_hybrid_args;
void fc_hybrid(const fc_shape *s, const fc_hybrid_args *a, size_t unit0, size_t unit1);

#endif
