// SPDX-License-Identifier: Apache-2.0
// Walking the kept and the reduced dimensions of an array.
#include "kernels/reduction.h"

#include <string.h>

enum { BLOCK = 64 };  // outputs whose accumulators are held at a time

void reduction_plan_make(reduction_plan *plan, int rank, const int *dims, uint32_t axes) {
  *plan = (reduction_plan){.outputs = 1, .count = 1};
  size_t stride = 1;
  for (int i = rank - 1; i >= 0; i--) {
    size_t extent = (size_t)dims[i];
    bool reduced = axes >> i & 1;
    *(reduced ? &plan->count : &plan->outputs) *= extent;
    if (extent == 1) continue;
    int top = plan->levels - 1;
    if (top >= 0 && plan->reduced[top] == reduced) {
      plan->extent[top] *= extent;
    } else {
      plan->extent[plan->levels] = extent;
      plan->stride[plan->levels] = stride;
      plan->reduced[plan->levels++] = reduced;
    }
    stride *= extent;
  }
}

// Steps through every index of the levels of one fate, the innermost first; level 0 is left to the caller. Returns false after
// the last one, the position then being back at the first.
static bool next_index(const reduction_plan *plan, bool reduced, size_t *at, size_t *position) {
  for (int level = 1; level < plan->levels; level++) {
    if (plan->reduced[level] != reduced) continue;
    *position += plan->stride[level];
    if (++at[level] < plan->extent[level]) return true;
    *position -= plan->stride[level] * plan->extent[level];
    at[level] = 0;
  }
  return false;
}

void reduction_run(const reduction_plan *plan, const reduction_kind *kind, const void *params, const void *in,
                   reduction_finish finish, const void *finish_params, void *out) {
  union {
    int64_t aligned;
    uint8_t bytes[BLOCK * sizeof(int64_t)];
  } accumulators;
  if (plan->outputs == 0) return;
  if (plan->count == 0) {  // nothing to fold: every output is the start value
    for (size_t first = 0; first < plan->outputs; first += BLOCK) {
      size_t n = plan->outputs - first < BLOCK ? plan->outputs - first : BLOCK;
      kind->start(&accumulators, n);
      finish(finish_params, &accumulators, first, n, out);
    }
    return;
  }
  const uint8_t *elements = in;
  size_t at[REDUCTION_MAX_RANK] = {0}, kept = 0, first = 0, reduced = 0;
  // Level 0 is either folded along, one output at a time, or kept and folded across, a block of outputs at a time.
  bool along = plan->levels > 0 && plan->reduced[0];
  size_t inner = plan->levels > 0 ? plan->extent[0] : 1, row = along ? 1 : inner;
  do {
    for (size_t j = 0; j < row; j += BLOCK) {
      size_t n = row - j < BLOCK ? row - j : BLOCK;
      kind->start(&accumulators, n);
      do {
        const uint8_t *source = elements + (kept + reduced + j) * kind->in_bytes;
        if (along) {
          kind->along(params, &accumulators, source, inner);
        } else {
          kind->across(params, &accumulators, source, n);
        }
      } while (next_index(plan, true, at, &reduced));
      finish(finish_params, &accumulators, first, n, out);
      first += n;
    }
  } while (next_index(plan, false, at, &kept));
}

// ---- Kinds ----
// Along contiguous elements eight partial results are kept, so that floating point folds vectorise without being reordered by the
// compiler.
#define LANES 8
#define KIND(name, type, accumulator, first_value, fold)                                        \
  static void name##_start(void *accumulators, size_t n) {                                      \
    accumulator *as = accumulators;                                                             \
    for (size_t i = 0; i < n; i++) as[i] = (first_value);                                       \
  }                                                                                             \
  static void name##_across(const void *params, void *accumulators, const void *in, size_t n) { \
    accumulator *as = accumulators;                                                             \
    const type *xs = in;                                                                        \
    (void)params;                                                                               \
    for (size_t i = 0; i < n; i++) {                                                            \
      const accumulator a = as[i], x = (accumulator)xs[i];                                      \
      as[i] = (accumulator)(fold);                                                              \
    }                                                                                           \
  }                                                                                             \
  static void name##_along(const void *params, void *accumulators, const void *in, size_t n) {  \
    const type *xs = in;                                                                        \
    (void)params;                                                                               \
    accumulator lanes[LANES];                                                                   \
    name##_start(lanes, LANES);                                                                 \
    size_t i = 0;                                                                               \
    for (; i + LANES <= n; i += LANES) {                                                        \
      for (size_t k = 0; k < LANES; k++) {                                                      \
        const accumulator a = lanes[k], x = (accumulator)xs[i + k];                             \
        lanes[k] = (accumulator)(fold);                                                         \
      }                                                                                         \
    }                                                                                           \
    accumulator total = *(accumulator *)accumulators;                                           \
    for (size_t k = 0; k < LANES; k++) {                                                        \
      const accumulator a = total, x = lanes[k];                                                \
      total = (accumulator)(fold);                                                              \
    }                                                                                           \
    for (; i < n; i++) {                                                                        \
      const accumulator a = total, x = (accumulator)xs[i];                                      \
      total = (accumulator)(fold);                                                              \
    }                                                                                           \
    *(accumulator *)accumulators = total;                                                       \
  }                                                                                             \
  static const reduction_kind name = {sizeof(type), sizeof(accumulator), name##_start, name##_across, name##_along};

KIND(sum_f32, float, float, 0.0f, a + x)
KIND(sum_8, uint8_t, uint8_t, 0, a + x)
KIND(sum_16, uint16_t, uint16_t, 0, a + x)
KIND(sum_32, uint32_t, uint32_t, 0, a + x)
KIND(sum_64, uint64_t, uint64_t, 0, a + x)
KIND(any, uint8_t, uint8_t, 0, a != 0 || x != 0)
KIND(all, uint8_t, uint8_t, 1, a != 0 && x != 0)
const reduction_kinds reduction_sum = {&sum_f32, &sum_8, &sum_8, &sum_16, &sum_32, &sum_64, &any};

KIND(sum_i8_wide, int8_t, int32_t, 0, (uint32_t)a + (uint32_t)x)
KIND(sum_u8_wide, uint8_t, int32_t, 0, (uint32_t)a + (uint32_t)x)
KIND(sum_i16_wide, int16_t, int32_t, 0, (uint32_t)a + (uint32_t)x)
KIND(sum_i32_wide, int32_t, int64_t, 0, (uint64_t)a + (uint64_t)x)
const reduction_kinds reduction_sum_wide = {&sum_f32, &sum_i8_wide, &sum_u8_wide, &sum_i16_wide, &sum_i32_wide, &sum_64, NULL};

KIND(product_f32, float, float, 1.0f, a * x)
KIND(product_8, uint8_t, uint8_t, 1, a * x)
KIND(product_16, uint16_t, uint16_t, 1, (unsigned)a * x)
KIND(product_32, uint32_t, uint32_t, 1, a * x)
KIND(product_64, uint64_t, uint64_t, 1, a * x)
const reduction_kinds reduction_product = {&product_f32, &product_8, &product_8, &product_16, &product_32, &product_64, &all};

// A NaN is never larger or smaller: it is left out.
KIND(max_f32, float, float, -3.402823466e+38f, x > a ? x : a)
KIND(max_i8, int8_t, int8_t, INT8_MIN, x > a ? x : a)
KIND(max_u8, uint8_t, uint8_t, 0, x > a ? x : a)
KIND(max_i16, int16_t, int16_t, INT16_MIN, x > a ? x : a)
KIND(max_i32, int32_t, int32_t, INT32_MIN, x > a ? x : a)
KIND(max_i64, int64_t, int64_t, INT64_MIN, x > a ? x : a)
const reduction_kinds reduction_maximum = {&max_f32, &max_i8, &max_u8, &max_i16, &max_i32, &max_i64, &any};

KIND(min_f32, float, float, 3.402823466e+38f, x < a ? x : a)
KIND(min_i8, int8_t, int8_t, INT8_MAX, x < a ? x : a)
KIND(min_u8, uint8_t, uint8_t, UINT8_MAX, x < a ? x : a)
KIND(min_i16, int16_t, int16_t, INT16_MAX, x < a ? x : a)
KIND(min_i32, int32_t, int32_t, INT32_MAX, x < a ? x : a)
KIND(min_i64, int64_t, int64_t, INT64_MAX, x < a ? x : a)
const reduction_kinds reduction_minimum = {&min_f32, &min_i8, &min_u8, &min_i16, &min_i32, &min_i64, &all};

// Quantised products rescale after each factor but the first, which is why there is a value for "none yet".
#define NONE_YET INT64_MIN
static void start_quantized(void *accumulators, size_t n) {
  int64_t *as = accumulators;
  for (size_t i = 0; i < n; i++) as[i] = NONE_YET;
}
static int64_t multiply_quantized(int64_t a, int32_t q, const reduction_product_scale *p) {
  int64_t x = (int64_t)q - p->zero_point;
  return a == NONE_YET ? x : quant_scale64(a * x, p->step);
}
#define QUANTIZED_PRODUCT(name, type)                                                           \
  static void name##_across(const void *params, void *accumulators, const void *in, size_t n) { \
    int64_t *as = accumulators;                                                                 \
    const type *xs = in;                                                                        \
    for (size_t i = 0; i < n; i++) as[i] = multiply_quantized(as[i], xs[i], params);            \
  }                                                                                             \
  static void name##_along(const void *params, void *accumulators, const void *in, size_t n) {  \
    int64_t *as = accumulators;                                                                 \
    const type *xs = in;                                                                        \
    for (size_t i = 0; i < n; i++) as[0] = multiply_quantized(as[0], xs[i], params);            \
  }                                                                                             \
  static const reduction_kind name = {sizeof(type), sizeof(int64_t), start_quantized, name##_across, name##_along};
QUANTIZED_PRODUCT(product_q8, int8_t)
QUANTIZED_PRODUCT(product_q16, int16_t)
const reduction_kinds reduction_product_quantized = {.i8 = &product_q8, .i16 = &product_q16};

// ---- Finishing ----
void reduction_copy(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) {
  size_t bytes = *(const size_t *)finish_params;
  memcpy((uint8_t *)out + first * bytes, accumulators, n * bytes);
}

void reduction_mean_f32(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) {
  const float *as = accumulators, count = (float)*(const size_t *)finish_params;
  for (size_t i = 0; i < n; i++) ((float *)out)[first + i] = as[i] / count;  // 0 / 0: a NaN, for a mean of nothing
}
void reduction_mean_i32(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) {
  const int64_t *as = accumulators, count = (int64_t) * (const size_t *)finish_params;
  for (size_t i = 0; i < n; i++) ((int32_t *)out)[first + i] = (int32_t)(count ? as[i] / count : 0);
}
void reduction_mean_i64(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) {
  const int64_t *as = accumulators, count = (int64_t) * (const size_t *)finish_params;
  for (size_t i = 0; i < n; i++) ((int64_t *)out)[first + i] = count ? as[i] / count : 0;
}

static int32_t rescaled(int32_t x, const reduction_scale *p) {
  return quant_clamp((int32_t)((uint32_t)quant_scale(x, p->scale) + (uint32_t)p->zero_point_out), p->low, p->high);
}
#define SCALE(name, type)                                                                             \
  void name(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) { \
    const reduction_scale p = *(const reduction_scale *)finish_params;                                \
    const int32_t *as = accumulators;                                                                 \
    for (size_t i = 0; i < n; i++)                                                                    \
      ((type *)out)[first + i] = (type)rescaled((int32_t)((uint32_t)as[i] - (uint32_t)p.offset), &p); \
  }
SCALE(reduction_scale_i8, int8_t)
SCALE(reduction_scale_u8, uint8_t)
SCALE(reduction_scale_i16, int16_t)

#define PRODUCT(name, type)                                                                           \
  void name(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out) { \
    const reduction_scale p = *(const reduction_scale *)finish_params;                                \
    const int64_t *as = accumulators;                                                                 \
    for (size_t i = 0; i < n; i++) {                                                                  \
      int64_t r = as[i] == NONE_YET ? 0 : (int64_t)quant_scale64(as[i], p.scale) + p.zero_point_out;  \
      ((type *)out)[first + i] = (type)(r < p.low ? p.low : r > p.high ? p.high : r);                 \
    }                                                                                                 \
  }
PRODUCT(reduction_product_i8, int8_t)
PRODUCT(reduction_product_i16, int16_t)
