// SPDX-License-Identifier: Apache-2.0
// Products of a matrix and a few vectors, as recurrent networks need them: matrices are [rows, cols], a batch of vectors is
// [batches, cols]. Integer sums wrap at 32 bits, as the reference's do on every machine in use.
#ifndef KERNELS_MATVEC_H
#define KERNELS_MATVEC_H

#include "base/compiler.h"

float matvec_dot_f32(const float *a, const float *b, size_t n);
float matvec_dot_s8_f32(const int8_t *a, const float *b, size_t n);
int32_t matvec_dot_s8(const int8_t *a, const int8_t *b, size_t n);
int32_t matvec_dot_s8_s16(const int8_t *a, const int16_t *b, size_t n);
int32_t matvec_sum_s8(const int8_t *a, size_t n);
void matvec_row_sums_s8(const int8_t *matrix, size_t rows, size_t cols, int32_t *sums);

// out[batches, rows] += matrix * vector.
void matvec_add_f32(const float *matrix, size_t rows, size_t cols, const float *vectors, size_t batches, float *out);

// Hybrid: a vector of floats as int8, value = scale * (q - zero_point). Symmetric ones have zero point 0 and q in -127..127.
typedef struct matvec_quantized {
  float scale;
  int32_t zero_point;
} matvec_quantized;
matvec_quantized matvec_quantize(const float *vector, size_t n, bool asymmetric, int8_t *q);
bool matvec_is_zero_f32(const float *vector, size_t n);
// out[rows] += matrix * vector for one quantised vector; scale is the product of both scales. row_sums may be NULL when the zero
// point is 0, otherwise they are the matrix's.
void matvec_add_hybrid(const int8_t *matrix, size_t rows, size_t cols, const int8_t *q, float scale, int32_t zero_point,
                       const int32_t *row_sums, float *out);

#endif
