// SPDX-License-Identifier: Apache-2.0
// Products of two matrices: output[rows, cols] = left[rows, depth] * right[depth, cols], either operand stored transposed.
// A call makes rows row0..row1-1; calls on different rows may run at the same time.
// Source of the arithmetic: TFLite reference, batch_matmul.h.
#ifndef KERNELS_MATMUL_H
#define KERNELS_MATMUL_H

#include "kernels/requant.h"

typedef struct matmul_shape {
  size_t rows, depth, cols;
  bool left_transposed;   // left is stored [depth, rows]
  bool right_transposed;  // right is stored [cols, depth]
} matmul_shape;

void matmul_f32(const matmul_shape *s, const float *left, const float *right, float *output, size_t row0, size_t row1);
// Plain products and sums, wrapping.
void matmul_s8_s32(const matmul_shape *s, const int8_t *left, const int8_t *right, int32_t *output, size_t row0, size_t row1);

// Quantised. The multiplier of `out` is one for all.
typedef struct matmul_zeros {
  int32_t left, right;  // zero points
} matmul_zeros;
void matmul_s8(const matmul_shape *s, matmul_zeros zeros, const requant *out, const int8_t *left, const int8_t *right,
               int8_t *output, size_t row0, size_t row1);
// 16-bit ones have zero points 0 and 64-bit sums.
void matmul_s16(const matmul_shape *s, const requant *out, const int16_t *left, const int16_t *right, int16_t *output,
                size_t row0, size_t row1);
void matmul_s16_s8(const matmul_shape *s, const requant *out, const int16_t *left, const int8_t *right, int16_t *output,
                   size_t row0, size_t row1);

// Left rows quantised one by one (not transposed), int8 right, float result.
typedef struct matmul_hybrid {
  const float *left_scales;         // [rows]
  const int32_t *left_zero_points;  // [rows]
  const float *right_scales;        // column c has right_scales[c * right_step]
  size_t right_step;
} matmul_hybrid;
void matmul_hybrid_rows(const matmul_shape *s, const matmul_hybrid *h, const int8_t *left, const int8_t *right, float *output,
                        size_t row0, size_t row1);

#endif
