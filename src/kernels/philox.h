// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers: Philox-4x32-10 and Threefry-2x32-20 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
// 3", 2011), and their use as floats and normal deviates as TensorFlow's operators do it. Pure functions of key and counter. For
// operators.
#ifndef KERNELS_PHILOX_H
#define KERNELS_PHILOX_H

#include "base/compiler.h"

typedef struct philox_state {
  uint32_t key[2];
  uint32_t counter[4];  // least significant word first
} philox_state;

// Four words for a key and a counter; the counter stays.
void philox_block(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);
void philox_threefry_block(const uint32_t key[2], const uint32_t counter[2], uint32_t words[2]);

// TensorFlow's generator: the first seed is the key, the second the upper half of the counter.
void philox_seed(philox_state *state, uint64_t seed, uint64_t seed2);
void philox_next(philox_state *state, uint32_t words[4]);  // the next block; steps the counter
void philox_skip(philox_state *state, uint64_t blocks);

float philox_float(uint32_t word);                           // [0, 1), 23 bits
double philox_double(uint32_t high, uint32_t low);           // [0, 1), 52 bits
void philox_normals(uint32_t a, uint32_t b, float pair[2]);  // two independent standard normal deviates (Box-Muller)

#endif
