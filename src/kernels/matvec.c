// SPDX-License-Identifier: Apache-2.0
// Matrix-vector products in portable C, in loops that compilers turn into vector code.
#include "kernels/matvec.h"

#include <math.h>
#include <string.h>

// Sixteen independent sums, for a compiler may not reorder one.
#define MATVEC_DOT_FLOAT(suffix, type)                                           \
  float matvec_dot_##suffix(const type *a, const float *b, size_t n) {           \
    enum { LANES = 16 };                                                         \
    float lanes[LANES] = {0}, sum = 0;                                           \
    size_t i = 0;                                                                \
    for (; i + LANES <= n; i += LANES) {                                         \
      for (size_t k = 0; k < LANES; k++) lanes[k] += (float)a[i + k] * b[i + k]; \
    }                                                                            \
    for (; i < n; i++) sum += (float)a[i] * b[i];                                \
    for (size_t k = 0; k < LANES / 2; k++) lanes[k] += lanes[k + LANES / 2];     \
    for (size_t k = 0; k < LANES / 4; k++) lanes[k] += lanes[k + LANES / 4];     \
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + sum;                  \
  }
MATVEC_DOT_FLOAT(f32, float)
MATVEC_DOT_FLOAT(s8_f32, int8_t)

// Integer sums wrap.
#define MATVEC_DOT_INTEGER(suffix, type_a, type_b)                          \
  int32_t matvec_dot_##suffix(const type_a *a, const type_b *b, size_t n) { \
    uint32_t sum = 0;                                                       \
    for (size_t i = 0; i < n; i++) sum += (uint32_t)(a[i] * b[i]);          \
    return (int32_t)sum;                                                    \
  }
MATVEC_DOT_INTEGER(s8, int8_t, int8_t)
MATVEC_DOT_INTEGER(s8_s16, int8_t, int16_t)

int32_t matvec_sum_s8(const int8_t *a, size_t n) {
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += (uint32_t)a[i];
  return (int32_t)sum;
}

void matvec_row_sums_s8(const int8_t *matrix, size_t rows, size_t cols, int32_t *sums) {
  for (size_t r = 0; r < rows; r++) sums[r] = matvec_sum_s8(matrix + r * cols, cols);
}

void matvec_add_f32(const float *matrix, size_t rows, size_t cols, const float *vectors, size_t batches, float *out) {
  for (size_t r = 0; r < rows; r++) {
    for (size_t b = 0; b < batches; b++) out[b * rows + r] += matvec_dot_f32(matrix + r * cols, vectors + b * cols, cols);
  }
}

bool matvec_is_zero_f32(const float *vector, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (vector[i] != 0.0f) return false;
  }
  return true;
}

// Clamps and rounds, half away from zero; NaN becomes low. No call to roundf, so that loops become vector code.
static inline int8_t matvec_round(float x, int low) {
  x = x > (float)low ? x : (float)low;
  x = x < 127.0f ? x : 127.0f;
  int whole = (int)x;
  float rest = x - (float)whole;  // exact
  return (int8_t)(whole + (rest >= 0.5f) - (rest <= -0.5f));
}

// Source of the rule: TFLite reference, PortableSymmetricQuantizeFloats.
static matvec_quantized matvec_quantize_symmetric(const float *vector, size_t n, float low, float high, int8_t *q) {
  float range = fabsf(low) > fabsf(high) ? fabsf(low) : fabsf(high);
  if (range == 0) {
    memset(q, 0, n);
    return (matvec_quantized){1.0f, 0};
  }
  float inverse = 127.0f / range;
  for (size_t i = 0; i < n; i++) q[i] = matvec_round(vector[i] * inverse, -127);
  return (matvec_quantized){range / 127.0f, 0};
}

// Source of the rule: TFLite reference, PortableAsymmetricQuantizeFloats: the zero point is taken from the end of the range that
// has the smaller rounding error.
static matvec_quantized matvec_quantize_asymmetric(const float *vector, size_t n, float low, float high, int8_t *q) {
  double least = low < 0 ? (double)low : 0.0, most = high > 0 ? (double)high : 0.0;
  if (least == most) {
    memset(q, 0, n);
    return (matvec_quantized){1.0f, 0};
  }
  double scale = (most - least) / 255.0;
  double from_low = -128.0 - least / scale, from_high = 127.0 - most / scale;
  double zero_point = 128.0 + fabs(least / scale) < 127.0 + fabs(most / scale) ? from_low : from_high;
  matvec_quantized result = {(float)scale, zero_point <= -128.0 ? -128 : zero_point >= 127.0 ? 127 : (int32_t)round(zero_point)};
  float inverse = 1.0f / result.scale, offset = (float)result.zero_point;
  for (size_t i = 0; i < n; i++) q[i] = matvec_round(offset + vector[i] * inverse, -128);
  return result;
}

matvec_quantized matvec_quantize(const float *vector, size_t n, bool asymmetric, int8_t *q) {
  float low = n ? vector[0] : 0, high = low;
  for (size_t i = 1; i < n; i++) {
    low = vector[i] < low ? vector[i] : low;
    high = vector[i] > high ? vector[i] : high;
  }
  if (!isfinite(low) || !isfinite(high)) {  // no scale fits: zeros of scale NaN make NaN of every product
    memset(q, 0, n);
    return (matvec_quantized){NAN, 0};
  }
  return asymmetric ? matvec_quantize_asymmetric(vector, n, low, high, q) : matvec_quantize_symmetric(vector, n, low, high, q);
}

void matvec_add_hybrid(const int8_t *matrix, size_t rows, size_t cols, const int8_t *q, float scale, int32_t zero_point,
                       const int32_t *row_sums, float *out) {
  for (size_t r = 0; r < rows; r++) {
    uint32_t sum = (uint32_t)matvec_dot_s8(matrix + r * cols, q, cols);
    if (zero_point != 0) sum -= (uint32_t)row_sums[r] * (uint32_t)zero_point;
    out[r] += (float)(int32_t)sum * scale;
  }
}
