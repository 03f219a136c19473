// SPDX-License-Identifier: Apache-2.0
// Conversions. Pairs that models use often have a loop of their own; all others go through a short run of int64 (from integers)
// or double (from real numbers), which hold every value of theirs exactly.
#include "kernels/convert.h"

#include <string.h>

#include "base/half.h"

enum { CONVERT_RUN = 48 };

#define COPY(type, field_expression) \
  {                                  \
    const type *xs = in;             \
    for (size_t i = 0; i < n; i++) { \
      const type x = xs[i];          \
      wide[i] = field_expression;    \
    }                                \
    return;                          \
  }
static void widen_integers(convert_type from, const void *in, int64_t *wide, size_t n) {
  switch (from) {
    case CONVERT_I8: COPY(int8_t, x)
    case CONVERT_U8: COPY(uint8_t, x)
    case CONVERT_I16: COPY(int16_t, x)
    case CONVERT_U16: COPY(uint16_t, x)
    case CONVERT_I32: COPY(int32_t, x)
    case CONVERT_U32: COPY(uint32_t, x)
    case CONVERT_I64: COPY(int64_t, x)
    default: COPY(uint8_t, x != 0)
  }
}

static void widen_reals(convert_type from, const void *in, double *wide, size_t n) {
  switch (from) {
    case CONVERT_F16: COPY(uint16_t, (double)half_to_float(x))
    case CONVERT_BF16: COPY(uint16_t, (double)half_from_bfloat(x))
    case CONVERT_F32: COPY(float, (double)x)
    case CONVERT_F64: COPY(double, x)
    default: {
      const float *pairs = in;
      for (size_t i = 0; i < n; i++) wide[i] = (double)pairs[2 * i];
    }
  }
}
#undef COPY

#define STORE(type, expression)                                \
  {                                                            \
    type *rs = out;                                            \
    for (size_t i = 0; i < n; i++) rs[i] = (type)(expression); \
    return;                                                    \
  }
// Real results of integers come from a float where the type is no wider, as in the reference.
static void narrow_integers(const int64_t *wide, convert_type to, void *out, size_t n) {
  switch (to) {
    case CONVERT_I8:
    case CONVERT_U8: STORE(uint8_t, wide[i])
    case CONVERT_I16:
    case CONVERT_U16: STORE(uint16_t, wide[i])
    case CONVERT_I32:
    case CONVERT_U32: STORE(uint32_t, wide[i])
    case CONVERT_I64: STORE(int64_t, wide[i])
    case CONVERT_BOOL: STORE(uint8_t, wide[i] != 0)
    case CONVERT_F16: STORE(uint16_t, half_from_float((float)wide[i]))
    case CONVERT_BF16: STORE(uint16_t, half_to_bfloat((float)wide[i]))
    case CONVERT_F32: STORE(float, wide[i])
    case CONVERT_F64: STORE(double, wide[i])
    default: {
      float *pairs = out;
      for (size_t i = 0; i < n; i++) pairs[2 * i] = (float)wide[i], pairs[2 * i + 1] = 0.0f;
    }
  }
}

// Towards zero, saturated; a NaN gives high. beyond is high + 1, a power of two.
static inline int64_t cut_off(double x, int64_t low, int64_t high, double beyond) {
  if (!(x < beyond)) return high;
  return x > (double)low ? (int64_t)x : low;
}

static void narrow_reals(const double *wide, convert_type to, void *out, size_t n) {
  switch (to) {
    case CONVERT_I8: STORE(int8_t, cut_off(wide[i], INT8_MIN, INT8_MAX, 0x1p7))
    case CONVERT_U8: STORE(uint8_t, cut_off(wide[i], 0, UINT8_MAX, 0x1p8))
    case CONVERT_I16: STORE(int16_t, cut_off(wide[i], INT16_MIN, INT16_MAX, 0x1p15))
    case CONVERT_U16: STORE(uint16_t, cut_off(wide[i], 0, UINT16_MAX, 0x1p16))
    case CONVERT_I32: STORE(int32_t, cut_off(wide[i], INT32_MIN, INT32_MAX, 0x1p31))
    case CONVERT_U32: STORE(uint32_t, cut_off(wide[i], 0, UINT32_MAX, 0x1p32))
    case CONVERT_I64: STORE(int64_t, cut_off(wide[i], INT64_MIN, INT64_MAX, 0x1p63))
    case CONVERT_BOOL: STORE(uint8_t, wide[i] != 0)
    case CONVERT_F16: STORE(uint16_t, half_from_float((float)wide[i]))
    case CONVERT_BF16: STORE(uint16_t, half_to_bfloat((float)wide[i]))
    case CONVERT_F32: STORE(float, wide[i])
    case CONVERT_F64: STORE(double, wide[i])
    default: {
      float *pairs = out;
      for (size_t i = 0; i < n; i++) pairs[2 * i] = (float)wide[i], pairs[2 * i + 1] = 0.0f;
    }
  }
}
#undef STORE

static size_t size_of(convert_type type) {
  static const uint8_t bytes[CONVERT_TYPES] = {1, 1, 2, 2, 4, 4, 8, 1, 2, 2, 4, 8, 8};
  return bytes[type];
}

static int32_t cut_off_f32(float x) { return !(x < 0x1p31f) ? INT32_MAX : x > -0x1p31f ? (int32_t)x : INT32_MIN; }

#define DIRECT(from_type, to_type, expression)                    \
  {                                                               \
    const from_type *xs = in;                                     \
    to_type *rs = out;                                            \
    for (size_t i = 0; i < n; i++) rs[i] = (to_type)(expression); \
    return true;                                                  \
  }
static bool convert_direct(convert_type from, const void *in, convert_type to, void *out, size_t n) {
  if (from == to && from != CONVERT_BOOL) {
    if (out != in) memmove(out, in, n * size_of(from));
    return true;
  }
  switch ((int)from * CONVERT_TYPES + (int)to) {
    case CONVERT_U8 *CONVERT_TYPES + CONVERT_F32: DIRECT(uint8_t, float, xs[i])
    case CONVERT_I8 *CONVERT_TYPES + CONVERT_F32: DIRECT(int8_t, float, xs[i])
    case CONVERT_I32 *CONVERT_TYPES + CONVERT_F32: DIRECT(int32_t, float, xs[i])
    case CONVERT_BOOL *CONVERT_TYPES + CONVERT_F32: DIRECT(uint8_t, float, xs[i] != 0)
    case CONVERT_F32 *CONVERT_TYPES + CONVERT_I32: DIRECT(float, int32_t, cut_off_f32(xs[i]))
    case CONVERT_F32 *CONVERT_TYPES + CONVERT_BOOL: DIRECT(float, uint8_t, xs[i] != 0.0f)
    case CONVERT_I64 *CONVERT_TYPES + CONVERT_I32: DIRECT(int64_t, int32_t, xs[i])
    case CONVERT_I32 *CONVERT_TYPES + CONVERT_I64: DIRECT(int32_t, int64_t, xs[i])
    case CONVERT_F16 *CONVERT_TYPES + CONVERT_F32: DIRECT(uint16_t, float, half_to_float(xs[i]))
    case CONVERT_F32 *CONVERT_TYPES + CONVERT_F16: DIRECT(float, uint16_t, half_from_float(xs[i]))
    default: return false;
  }
}

void convert_array(convert_type from, const void *in, convert_type to, void *out, size_t n) {
  if (n == 0 || convert_direct(from, in, to, out, n)) return;
  union {
    int64_t integers[CONVERT_RUN];
    double reals[CONVERT_RUN];
  } wide;
  const uint8_t *source = in;
  uint8_t *target = out;
  for (size_t i = 0; i < n; i += CONVERT_RUN) {
    size_t count = n - i < CONVERT_RUN ? n - i : CONVERT_RUN;
    if (from <= CONVERT_BOOL) {
      widen_integers(from, source + i * size_of(from), wide.integers, count);
      narrow_integers(wide.integers, to, target + i * size_of(to), count);
    } else {
      widen_reals(from, source + i * size_of(from), wide.reals, count);
      narrow_reals(wide.reals, to, target + i * size_of(to), count);
    }
  }
}
