// SPDX-License-Identifier: Apache-2.0
// Bits of a word. Internal to plan/.
#ifndef PLAN_PLAN_BITS_H
#define PLAN_PLAN_BITS_H

#include "base/compiler.h"

// The index of the lowest bit set; there is one.
#if defined(__GNUC__) || defined(__clang__)
static inline uint32_t plan_lowest_bit(uint64_t word) { return (uint32_t)__builtin_ctzll(word); }
#else
static inline uint32_t plan_lowest_bit(uint64_t word) {
  uint32_t bit = 0;
  for (; !(word & 1); word >>= 1) bit++;
  return bit;
}
#endif

#endif
