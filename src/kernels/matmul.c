// SPDX-License-Identifier: Apache-2.0
// Matrix products in portable C.
#include "kernels/matmul.h"

#include "kernels/dot.h"

enum { MATMUL_TILE = 32 };  // sums on the stack

typedef struct matmul_sums32 {
  uint32_t sum[DOT_ROWS];
} matmul_sums32;
typedef struct matmul_sums64 {
  int64_t sum[DOT_ROWS];
} matmul_sums64;

#define MATMUL_FUNCTION \
  void matmul_f32(const matmul_shape *s, const float *left, const float *right, float *output, size_t row0, size_t row1)
#define MATMUL_LEFT float
#define MATMUL_RIGHT float
#define MATMUL_OUTPUT float
#define MATMUL_SUM float
#define MATMUL_BLOCK dot_f32_sums
#define MATMUL_DOT dot_f32
#define MATMUL_BLOCK_SUM(sums, r) dot_f32_fold(&(sums), (r))
#define MATMUL_PRODUCT(l, r) ((l) * (r))
#define MATMUL_STORE(sum, row, col) (sum)
#include "kernels/matmul_template.h"

#define MATMUL_FUNCTION \
  void matmul_s8_s32(const matmul_shape *s, const int8_t *left, const int8_t *right, int32_t *output, size_t row0, size_t row1)
#define MATMUL_LEFT int8_t
#define MATMUL_RIGHT int8_t
#define MATMUL_OUTPUT int32_t
#define MATMUL_SUM uint32_t
#define MATMUL_BLOCK matmul_sums32
#define MATMUL_DOT(x, w, stride, n, rows, sums) dot_s8((x), 0, (w), 0, (stride), (n), (rows), (sums)->sum)
#define MATMUL_BLOCK_SUM(sums, r) (sums).sum[r]
#define MATMUL_PRODUCT(l, r) ((uint32_t)((l) * (r)))
#define MATMUL_STORE(sum, row, col) (sum)
#include "kernels/matmul_template.h"

#define MATMUL_FUNCTION                                                                                                  \
  void matmul_s8(const matmul_shape *s, matmul_zeros zeros, const requant *out, const int8_t *left, const int8_t *right, \
                 int8_t *output, size_t row0, size_t row1)
#define MATMUL_LEFT int8_t
#define MATMUL_RIGHT int8_t
#define MATMUL_OUTPUT int8_t
#define MATMUL_SUM uint32_t
#define MATMUL_BLOCK matmul_sums32
#define MATMUL_DOT(x, w, stride, n, rows, sums) dot_s8((x), -zeros.left, (w), -zeros.right, (stride), (n), (rows), (sums)->sum)
#define MATMUL_BLOCK_SUM(sums, r) (sums).sum[r]
#define MATMUL_PRODUCT(l, r) ((uint32_t)((int16_t)((l)-zeros.left) * (int16_t)((r)-zeros.right)))
#define MATMUL_STORE(sum, row, col) requant_sum(out, (int32_t)(sum), 0)
#include "kernels/matmul_template.h"

#define MATMUL_FUNCTION                                                                                                  \
  void matmul_s16(const matmul_shape *s, const requant *out, const int16_t *left, const int16_t *right, int16_t *output, \
                  size_t row0, size_t row1)
#define MATMUL_LEFT int16_t
#define MATMUL_RIGHT int16_t
#define MATMUL_OUTPUT int16_t
#define MATMUL_SUM int64_t
#define MATMUL_BLOCK matmul_sums64
#define MATMUL_DOT(x, w, stride, n, rows, sums) dot_s16_s16((x), (w), 0, (stride), (n), (rows), (sums)->sum)
#define MATMUL_BLOCK_SUM(sums, r) (sums).sum[r]
#define MATMUL_PRODUCT(l, r) ((int64_t)((l) * (r)))
#define MATMUL_STORE(sum, row, col) requant_sum64(out, (sum), 0)
#include "kernels/matmul_template.h"

#define MATMUL_FUNCTION                                                                                                    \
  void matmul_s16_s8(const matmul_shape *s, const requant *out, const int16_t *left, const int8_t *right, int16_t *output, \
                     size_t row0, size_t row1)
#define MATMUL_LEFT int16_t
#define MATMUL_RIGHT int8_t
#define MATMUL_OUTPUT int16_t
#define MATMUL_SUM int64_t
#define MATMUL_BLOCK matmul_sums64
#define MATMUL_DOT(x, w, stride, n, rows, sums) dot_s16_s8_wide((x), (w), 0, (stride), (n), (rows), (sums)->sum)
#define MATMUL_BLOCK_SUM(sums, r) (sums).sum[r]
#define MATMUL_PRODUCT(l, r) ((int64_t)((l) * (r)))
#define MATMUL_STORE(sum, row, col) requant_sum64(out, (sum), 0)
#include "kernels/matmul_template.h"

#define MATMUL_FUNCTION                                                                                                          \
  void matmul_hybrid_rows(const matmul_shape *s, const matmul_hybrid *h, const int8_t *left, const int8_t *right, float *output, \
                          size_t row0, size_t row1)
#define MATMUL_LEFT int8_t
#define MATMUL_RIGHT int8_t
#define MATMUL_OUTPUT float
#define MATMUL_SUM uint32_t
#define MATMUL_BLOCK matmul_sums32
#define MATMUL_DOT(x, w, stride, n, rows, sums) dot_s8((x), -h->left_zero_points[row], (w), 0, (stride), (n), (rows), (sums)->sum)
#define MATMUL_BLOCK_SUM(sums, r) (sums).sum[r]
#define MATMUL_PRODUCT(l, r) ((uint32_t)((int16_t)((l)-h->left_zero_points[row]) * (int16_t)(r)))
#define MATMUL_STORE(sum, row, col) ((float)(int32_t)(sum) * (h->left_scales[row] * h->right_scales[(col)*h->right_step]))
#include "kernels/matmul_template.h"
