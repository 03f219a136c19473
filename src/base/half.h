// SPDX-License-Identifier: Apache-2.0
// IEEE binary16 and bfloat16 as bit patterns, to and from float. Branch-free, so that loops over them vectorise. Any file may
// include this.
#ifndef BASE_HALF_H
#define BASE_HALF_H

#include <string.h>

#include "base/compiler.h"

static inline uint32_t half_float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline float half_bits_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline float half_to_float(uint16_t h) {
  uint32_t magnitude = h & 0x7FFFu;
  // The exponent's bias differs by 112; infinities and NaNs (exponent 31) need as much again to reach exponent 255.
  uint32_t normal = (magnitude << 13) + ((uint32_t)112 << 23) + (magnitude >= 0x7C00u ? (uint32_t)112 << 23 : 0);
  uint32_t subnormal = half_float_bits((float)(int32_t)magnitude * 0x1p-24f);
  return half_bits_float((magnitude < 0x0400u ? subnormal : normal) | (uint32_t)(h & 0x8000u) << 16);
}

// Rounds to nearest, ties to even; too large becomes infinity, a NaN stays a (quiet) NaN.
static inline uint16_t half_from_float(float x) {
  uint32_t bits = half_float_bits(x), magnitude = bits & 0x7FFFFFFFu;
  uint32_t normal = (magnitude - ((uint32_t)112 << 23) + 0x0FFFu + (magnitude >> 13 & 1)) >> 13;
  // Below 2^-14 an addition rounds for us: in [0.5, 1) a float's last bit is 2^-24, the last bit of a subnormal half.
  uint32_t subnormal = half_float_bits(half_bits_float(magnitude) + 0.5f) - 0x3F000000u;
  uint32_t special = magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u;
  uint32_t result = magnitude < 0x38800000u ? subnormal : magnitude >= 0x47800000u ? special : normal;
  return (uint16_t)(result | (bits >> 16 & 0x8000u));
}

static inline float half_from_bfloat(uint16_t b) { return half_bits_float((uint32_t)b << 16); }

// Rounds to nearest, ties to even; a NaN becomes the default NaN of its sign.
static inline uint16_t half_to_bfloat(float x) {
  uint32_t bits = half_float_bits(x);
  uint32_t rounded = (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16;
  return (uint16_t)((bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC0u | (bits >> 16 & 0x8000u) : rounded);
}

#endif
