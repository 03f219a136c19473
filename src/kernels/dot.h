// SPDX-License-Identifier: Apache-2.0
// Dot products of one run of activations with up to DOT_ROWS rows of weights: the inner loop of convolutions and matrix products
// in portable C. The loops are shaped for the vectoriser; the rows share the loads of the activations. Integer sums wrap at 32
// bits.
#ifndef KERNELS_DOT_H
#define KERNELS_DOT_H

#include <string.h>

#include "base/compiler.h"

enum { DOT_ROWS = 4 };

// sums[r] += sum over i < n of (x[i] + x_offset) * (w[r * stride + i] + w_offset) for r < rows <= DOT_ROWS. The offset operands
// fit 16 bits.
#define DOT_DEFINE(suffix, x_type, w_type)                                                                               \
  static inline void dot_##suffix(const x_type *x, int x_offset, const w_type *w, int w_offset, size_t stride, size_t n, \
                                  int rows, uint32_t *sums) {                                                            \
    if (rows == DOT_ROWS) {                                                                                              \
      const w_type *w1 = w + stride, *w2 = w1 + stride, *w3 = w2 + stride;                                               \
      uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                                           \
      for (size_t i = 0; i < n; i++) {                                                                                   \
        int16_t v = (int16_t)(x[i] + x_offset);                                                                          \
        s0 += (uint32_t)(v * (int16_t)(w[i] + w_offset));                                                                \
        s1 += (uint32_t)(v * (int16_t)(w1[i] + w_offset));                                                               \
        s2 += (uint32_t)(v * (int16_t)(w2[i] + w_offset));                                                               \
        s3 += (uint32_t)(v * (int16_t)(w3[i] + w_offset));                                                               \
      }                                                                                                                  \
      sums[0] += s0, sums[1] += s1, sums[2] += s2, sums[3] += s3;                                                        \
      return;                                                                                                            \
    }                                                                                                                    \
    for (int r = 0; r < rows; r++, w += stride) {                                                                        \
      uint32_t s = 0;                                                                                                    \
      for (size_t i = 0; i < n; i++) s += (uint32_t)((int16_t)(x[i] + x_offset) * (int16_t)(w[i] + w_offset));           \
      sums[r] += s;                                                                                                      \
    }                                                                                                                    \
  }
DOT_DEFINE(s8, int8_t, int8_t)
DOT_DEFINE(u8, uint8_t, uint8_t)
DOT_DEFINE(s16_s8, int16_t, int8_t)

// 64-bit sums of 16-bit activations: 32-bit ones over stretches that cannot overflow, |x * (w + w_offset)| < 2^23.
static inline void dot_s16_s8_wide(const int16_t *x, const int8_t *w, int w_offset, size_t stride, size_t n, int rows,
                                   int64_t *sums) {
  enum { STRETCH = 256 };
  for (size_t i = 0; i < n; i += STRETCH) {
    uint32_t part[DOT_ROWS] = {0};
    dot_s16_s8(x + i, 0, w + i, w_offset, stride, n - i < STRETCH ? n - i : STRETCH, rows, part);
    for (int r = 0; r < rows; r++) sums[r] += (int32_t)part[r];
  }
}

static inline void dot_s16_s16(const int16_t *x, const int16_t *w, int w_offset, size_t stride, size_t n, int rows,
                               int64_t *sums) {
  for (int r = 0; r < rows; r++, w += stride) {
    int64_t s = 0;
    for (size_t i = 0; i < n; i++) s += (int64_t)x[i] * (w[i] + w_offset);
    sums[r] += s;
  }
}

// Four floats that add and multiply lane by lane.
#if defined(__GNUC__) || defined(__clang__)
typedef float dot_lanes __attribute__((vector_size(16)));
static inline dot_lanes dot_load(const float *p) {
  dot_lanes v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline dot_lanes dot_add_product(dot_lanes sum, dot_lanes a, dot_lanes b) { return sum + a * b; }
static inline float dot_lane(dot_lanes v, int i) { return v[i]; }
#else
typedef struct dot_lanes {
  float lane[4];
} dot_lanes;
static inline dot_lanes dot_load(const float *p) {
  dot_lanes v;
  memcpy(&v, p, sizeof v);
  return v;
}
static inline dot_lanes dot_add_product(dot_lanes sum, dot_lanes a, dot_lanes b) {
  for (int i = 0; i < 4; i++) sum.lane[i] += a.lane[i] * b.lane[i];
  return sum;
}
static inline float dot_lane(dot_lanes v, int i) { return v.lane[i]; }
#endif

// Float sums in four lanes and a tail, so that a product over several runs is folded only once.
typedef struct dot_f32_sums {
  dot_lanes lanes[DOT_ROWS];
  float tail[DOT_ROWS];
} dot_f32_sums;

static inline void dot_f32(const float *x, const float *w, size_t stride, size_t n, int rows, dot_f32_sums *sums) {
  size_t whole = n & ~(size_t)3;
  if (rows == DOT_ROWS) {
    const float *w1 = w + stride, *w2 = w1 + stride, *w3 = w2 + stride;
    dot_lanes s0 = sums->lanes[0], s1 = sums->lanes[1], s2 = sums->lanes[2], s3 = sums->lanes[3];
    for (size_t i = 0; i < whole; i += 4) {
      dot_lanes v = dot_load(x + i);
      s0 = dot_add_product(s0, v, dot_load(w + i));
      s1 = dot_add_product(s1, v, dot_load(w1 + i));
      s2 = dot_add_product(s2, v, dot_load(w2 + i));
      s3 = dot_add_product(s3, v, dot_load(w3 + i));
    }
    sums->lanes[0] = s0, sums->lanes[1] = s1, sums->lanes[2] = s2, sums->lanes[3] = s3;
  } else {
    for (int r = 0; r < rows; r++) {
      const float *row = w + (size_t)r * stride;
      dot_lanes s = sums->lanes[r];
      for (size_t i = 0; i < whole; i += 4) s = dot_add_product(s, dot_load(x + i), dot_load(row + i));
      sums->lanes[r] = s;
    }
  }
  for (size_t i = whole; i < n; i++) {
    for (int r = 0; r < rows; r++) sums->tail[r] += x[i] * w[(size_t)r * stride + i];
  }
}

static inline float dot_f32_fold(const dot_f32_sums *sums, int r) {
  dot_lanes s = sums->lanes[r];
  return (dot_lane(s, 0) + dot_lane(s, 1)) + (dot_lane(s, 2) + dot_lane(s, 3)) + sums->tail[r];
}

#endif
