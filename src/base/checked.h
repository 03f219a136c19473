// SPDX-License-Identifier: Apache-2.0
// Checked arithmetic on sizes: every size that comes from a file or a caller goes through these. Each returns false, and
// leaves *out alone, when the result does not fit.
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include "base/compiler.h"

static inline bool checked_add(size_t a, size_t b, size_t *out) {
  if (b > SIZE_MAX - a) return false;
  *out = a + b;
  return true;
}

static inline bool checked_mul(size_t a, size_t b, size_t *out) {
  if (b != 0 && a > SIZE_MAX / b) return false;
  *out = a * b;
  return true;
}

// alignment is a power of two.
static inline bool checked_align(size_t value, size_t alignment, size_t *out) {
  size_t raised;
  if (!checked_add(value, alignment - 1, &raised)) return false;
  *out = raised & ~(alignment - 1);
  return true;
}

#endif
