// SPDX-License-Identifier: Apache-2.0
// Philox and Threefry (philox.h); constants and rotations of the paper.
#include "kernels/philox.h"

#include <math.h>
#include <string.h>

void philox_block(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]) {
  uint32_t k0 = key[0], k1 = key[1], c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  for (int round = 0; round < 10; round++) {
    uint64_t even = (uint64_t)0xD2511F53u * c0, odd = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)odd;
    c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)even;
    k0 += 0x9E3779B9u;  // golden ratio
    k1 += 0xBB67AE85u;  // sqrt(3) - 1
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}

void philox_threefry_block(const uint32_t key[2], const uint32_t counter[2], uint32_t words[2]) {
  static const uint8_t rotation[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAu};
  uint32_t a = counter[0] + keys[0], b = counter[1] + keys[1];
  for (uint32_t group = 0; group < 5; group++) {
    for (int i = 0; i < 4; i++) {
      int turn = rotation[group % 2][i];
      a += b;
      b = (b << turn | b >> (32 - turn)) ^ a;
    }
    a += keys[(group + 1) % 3];
    b += keys[(group + 2) % 3] + group + 1;
  }
  words[0] = a;
  words[1] = b;
}

void philox_seed(philox_state *state, uint64_t seed, uint64_t seed2) {
  *state = (philox_state){{(uint32_t)seed, (uint32_t)(seed >> 32)}, {0, 0, (uint32_t)seed2, (uint32_t)(seed2 >> 32)}};
}

void philox_skip(philox_state *state, uint64_t blocks) {
  uint32_t *c = state->counter;
  uint64_t low = (uint64_t)c[1] << 32 | c[0], sum = low + blocks;
  c[0] = (uint32_t)sum;
  c[1] = (uint32_t)(sum >> 32);
  if (sum < low && ++c[2] == 0) c[3]++;
}

void philox_next(philox_state *state, uint32_t words[4]) {
  philox_block(state->key, state->counter, words);
  philox_skip(state, 1);
}

float philox_float(uint32_t word) {
  uint32_t bits = 127u << 23 | (word & 0x7FFFFFu);  // 1.xxx, then less 1
  float value;
  memcpy(&value, &bits, sizeof value);
  return value - 1.0f;
}

double philox_double(uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t)1023 << 52 | (uint64_t)(high & 0xFFFFFu) << 32 | low;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value - 1.0;
}

void philox_normals(uint32_t a, uint32_t b, float pair[2]) {
  float u = philox_float(a), angle = (float)(2.0 * 3.14159265358979323846 * (double)philox_float(b));
  float radius = sqrtf(-2.0f * logf(u < 1.0e-7f ? 1.0e-7f : u));
  pair[0] = sinf(angle) * radius;
  pair[1] = cosf(angle) * radius;
}
