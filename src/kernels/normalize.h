// SPDX-License-Identifier: Apache-2.0
// Normalisations along the last dimension: rows of `depth` numbers. A call makes rows row0..row1-1.
#ifndef KERNELS_NORMALIZE_H
#define KERNELS_NORMALIZE_H

#include "quant/quant.h"

// A row divided by the root of its sum of squares (at least 1e-6). Input and output may be the same memory.
// Sources: TFLite reference, l2normalization.h and integer_ops/l2normalization.h.
void normalize_l2_f32(size_t depth, const float *input, float *output, size_t row0, size_t row1);
// The output's scale is 1/128, its zero point 0 (int8) or 128 (uint8).
void normalize_l2_s8(size_t depth, int32_t zero_point, const int8_t *input, int8_t *output, size_t row0, size_t row1);
void normalize_l2_u8(size_t depth, int32_t zero_point, const uint8_t *input, uint8_t *output, size_t row0, size_t row1);

// Each number times (bias + alpha * sum of the squares of its neighbours up to `radius` away) ^ -beta; input and output must not
// overlap.
typedef struct normalize_local {
  int radius;
  float bias, alpha, beta;
} normalize_local;
void normalize_local_f32(size_t depth, const normalize_local *n, const float *input, float *output, size_t row0, size_t row1);

#endif
