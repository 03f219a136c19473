// SPDX-License-Identifier: Apache-2.0
// Fingerprint64 as FarmHash (Google, 2014) defines it: one formula for each class of lengths, a rolling state of seven words
// beyond 64 bytes.
#include "kernels/fingerprint.h"

#include <string.h>

static const uint64_t fingerprint_k0 = 0xC3A5C85C97CB3127u, fingerprint_k1 = 0xB492B66FBE98F273u,
                      fingerprint_k2 = 0x9AE16A3B2F90404Fu;

static uint64_t fingerprint_load(const uint8_t *at, int bytes) {  // little-endian
  uint64_t v = 0;
  for (int i = 0; i < bytes; i++) v |= (uint64_t)at[i] << (8 * i);
  return v;
}
static uint64_t fingerprint_word(const uint8_t *at) { return fingerprint_load(at, 8); }
static uint64_t fingerprint_turn(uint64_t v, int right) { return v >> right | v << (64 - right); }
static uint64_t fingerprint_mix(uint64_t v) { return v ^ v >> 47; }
static uint64_t fingerprint_join(uint64_t u, uint64_t v, uint64_t factor) {
  uint64_t a = fingerprint_mix((u ^ v) * factor);
  return fingerprint_mix((v ^ a) * factor) * factor;
}

static uint64_t fingerprint_up_to_16(const uint8_t *s, size_t n) {
  uint64_t factor = fingerprint_k2 + n * 2;
  if (n >= 8) {
    uint64_t a = fingerprint_word(s) + fingerprint_k2, b = fingerprint_word(s + n - 8);
    return fingerprint_join(fingerprint_turn(b, 37) * factor + a, (fingerprint_turn(a, 25) + b) * factor, factor);
  }
  if (n >= 4) return fingerprint_join(n + (fingerprint_load(s, 4) << 3), fingerprint_load(s + n - 4, 4), factor);
  if (n == 0) return fingerprint_k2;
  uint32_t y = s[0] + ((uint32_t)s[n / 2] << 8), z = (uint32_t)n + ((uint32_t)s[n - 1] << 2);
  return fingerprint_mix(y * fingerprint_k2 ^ z * fingerprint_k0) * fingerprint_k2;
}

static uint64_t fingerprint_up_to_32(const uint8_t *s, size_t n) {
  uint64_t factor = fingerprint_k2 + n * 2, a = fingerprint_word(s) * fingerprint_k1, b = fingerprint_word(s + 8);
  uint64_t c = fingerprint_word(s + n - 8) * factor, d = fingerprint_word(s + n - 16) * fingerprint_k2;
  return fingerprint_join(fingerprint_turn(a + b, 43) + fingerprint_turn(c, 30) + d,
                          a + fingerprint_turn(b + fingerprint_k2, 18) + c, factor);
}

static uint64_t fingerprint_up_to_64(const uint8_t *s, size_t n) {
  uint64_t factor = fingerprint_k2 + n * 2, a = fingerprint_word(s) * fingerprint_k2, b = fingerprint_word(s + 8);
  uint64_t c = fingerprint_word(s + n - 8) * factor, d = fingerprint_word(s + n - 16) * fingerprint_k2;
  uint64_t y = fingerprint_turn(a + b, 43) + fingerprint_turn(c, 30) + d;
  uint64_t z = fingerprint_join(y, a + fingerprint_turn(b + fingerprint_k2, 18) + c, factor);
  uint64_t e = fingerprint_word(s + 16) * factor, f = fingerprint_word(s + 24);
  uint64_t g = (y + fingerprint_word(s + n - 32)) * factor, h = (z + fingerprint_word(s + n - 24)) * factor;
  return fingerprint_join(fingerprint_turn(e + f, 43) + fingerprint_turn(g, 30) + h, e + fingerprint_turn(f + a, 18) + g, factor);
}

// Stirs 32 bytes into a pair of seeds.
static void fingerprint_stir(const uint8_t *s, uint64_t a, uint64_t b, uint64_t pair[2]) {
  uint64_t w = fingerprint_word(s), x = fingerprint_word(s + 8), y = fingerprint_word(s + 16), z = fingerprint_word(s + 24);
  a += w;
  b = fingerprint_turn(b + a + z, 21) + a;
  a += x + y;
  pair[0] = a + z;
  pair[1] = b + fingerprint_turn(a, 44);
}

typedef struct fingerprint_state {
  uint64_t x, y, z, v[2], w[2];
} fingerprint_state;

// One block of 64 bytes; weights are 1 but in the last one.
static void fingerprint_block(fingerprint_state *t, const uint8_t *s, uint64_t factor, uint64_t weight) {
  uint64_t x = fingerprint_turn(t->x + t->y + t->v[0] + fingerprint_word(s + 8), 37) * factor;
  uint64_t y = fingerprint_turn(t->y + t->v[1] + fingerprint_word(s + 48), 42) * factor;
  x ^= t->w[1] * weight;
  y += t->v[0] * weight + fingerprint_word(s + 40);
  uint64_t z = fingerprint_turn(t->z + t->w[0], 33) * factor;
  fingerprint_stir(s, t->v[1] * factor, x + t->w[0], t->v);
  fingerprint_stir(s + 32, z + t->w[1], y + fingerprint_word(s + 16), t->w);
  t->x = z;  // the two change places
  t->y = y;
  t->z = x;
}

uint64_t fingerprint_64(const void *data, size_t length) {
  const uint8_t *s = data;
  if (length <= 16) return fingerprint_up_to_16(s, length);
  if (length <= 32) return fingerprint_up_to_32(s, length);
  if (length <= 64) return fingerprint_up_to_64(s, length);
  const uint64_t seed = 81;
  fingerprint_state t = {.x = seed * fingerprint_k2 + fingerprint_word(s), .y = seed * fingerprint_k1 + 113};
  t.z = fingerprint_mix(t.y * fingerprint_k2 + 113) * fingerprint_k2;
  const uint8_t *last = s + length - 64;  // the last block may overlap the one before
  for (size_t blocks = (length - 1) / 64; blocks > 0; blocks--, s += 64) fingerprint_block(&t, s, fingerprint_k1, 1);
  uint64_t factor = fingerprint_k1 + ((t.z & 0xFF) << 1);
  t.w[0] += (length - 1) & 63;
  t.v[0] += t.w[0];
  t.w[0] += t.v[0];
  fingerprint_block(&t, last, factor, 9);
  return fingerprint_join(fingerprint_join(t.v[0], t.w[0], factor) + fingerprint_mix(t.y) * fingerprint_k0 + t.z,
                          fingerprint_join(t.v[1], t.w[1], factor) + t.x, factor);
}
