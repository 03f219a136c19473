// SPDX-License-Identifier: Apache-2.0
// Packed 4-bit and 2-bit signed integers to bytes. The first element is in the lowest bits of the first byte.
#ifndef KERNELS_UNPACK_H
#define KERNELS_UNPACK_H

#include "base/compiler.h"

static inline void unpack_s4(const uint8_t *packed, size_t count, int8_t *out) {
  for (size_t i = 0; i < count / 2; i++) {
    out[2 * i] = (int8_t)(((packed[i] & 15) ^ 8) - 8);
    out[2 * i + 1] = (int8_t)((packed[i] >> 4 ^ 8) - 8);
  }
  if (count % 2) out[count - 1] = (int8_t)(((packed[count / 2] & 15) ^ 8) - 8);
}

static inline void unpack_s2(const uint8_t *packed, size_t count, int8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = (int8_t)(((packed[i / 4] >> (i % 4 * 2) & 3) ^ 2) - 2);
}

#endif
