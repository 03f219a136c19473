// SPDX-License-Identifier: Apache-2.0
// Pooling: input [batches, y.in, x.in, channels], output [batches, y.out, x.out, channels]. Pixels outside the image do not
// count. A call makes rows row0..row1-1 of batches * y.out. Results are clamped to low..high. The windows hold at most 2^30
// pixels of the image. Source of the arithmetic: TFLite reference, pooling.h and integer_ops/pooling.h.
#ifndef KERNELS_POOL_H
#define KERNELS_POOL_H

#include "kernels/window.h"

typedef struct pool_shape {
  int batches, channels;
  window_axis y, x, z;
} pool_shape;
#define POOL_FLAT \
  { 1, 1, 1, 1, 1, 0 }

void pool_average_f32(const pool_shape *s, const float *input, float *output, float low, float high, int row0, int row1);
void pool_max_f32(const pool_shape *s, const float *input, float *output, float low, float high, int row0, int row1);
void pool_l2_f32(const pool_shape *s, const float *input, float *output, float low, float high, int row0, int row1);

// Averages are rounded half away from zero.
void pool_average_s8(const pool_shape *s, const int8_t *input, int8_t *output, int32_t low, int32_t high, int row0, int row1);
void pool_average_u8(const pool_shape *s, const uint8_t *input, uint8_t *output, int32_t low, int32_t high, int row0, int row1);
void pool_average_s16(const pool_shape *s, const int16_t *input, int16_t *output, int32_t low, int32_t high, int row0, int row1);
void pool_max_s8(const pool_shape *s, const int8_t *input, int8_t *output, int32_t low, int32_t high, int row0, int row1);
void pool_max_u8(const pool_shape *s, const uint8_t *input, uint8_t *output, int32_t low, int32_t high, int row0, int row1);
void pool_max_s16(const pool_shape *s, const int16_t *input, int16_t *output, int32_t low, int32_t high, int row0, int row1);

#endif
