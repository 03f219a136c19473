// SPDX-License-Identifier: Apache-2.0
// Packed 4-bit and 2-bit signed integers to bytes. The first element is in the lowest bits of the first byte.
#ifndef KERNELS_UNPACK_H
#define KERNELS_UNPACK_H

#include "base/compiler.h"

static inline int8_t unpack_low_nibble(uint8_t byte) { return (int8_t)(((byte & 15) ^ 8) - 8); }
static inline int8_t unpack_high_nibble(uint8_t byte) { return (int8_t)((byte >> 4 ^ 8) - 8); }

static inline void unpack_s4(const uint8_t *packed, size_t count, int8_t *out) {
  for (size_t i = 0; i < count / 2; i++) {
    out[2 * i] = unpack_low_nibble(packed[i]);
    out[2 * i + 1] = unpack_high_nibble(packed[i]);
  }
  if (count % 2) out[count - 1] = unpack_low_nibble(packed[count / 2]);
}

// Elements first..first + count - 1.
static inline void unpack_s4_from(const uint8_t *packed, size_t first, size_t count, int8_t *out) {
  packed += first / 2;
  if (first % 2 && count) {
    *out++ = unpack_high_nibble(*packed++);
    count--;
  }
  unpack_s4(packed, count, out);
}

static inline void unpack_s2(const uint8_t *packed, size_t count, int8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = (int8_t)(((packed[i / 4] >> (i % 4 * 2) & 3) ^ 2) - 2);
}

#endif
