// SPDX-License-Identifier: Apache-2.0
// What the random operators share: seeding and the output's shape. For files of ops/.
#ifndef OPS_RANDOM_COMMON_H
#define OPS_RANDOM_COMMON_H

#include "kernels/philox.h"
#include "ops/move_common.h"

void random_parse(fb_table options, void *params);  // TfLiteRandomParams
// Seeds from the options. Two zeros ask for other numbers in each process: where the node lies in memory decides then, which a
// target without address randomisation repeats.
void random_seed(const TfLiteNode *node, philox_state *state);

// A generator for the custom operators: minimal standard (Park and Miller), the reference's default engine.
static inline uint32_t random_minimal(uint32_t *state) {
  return *state = (uint32_t)((uint64_t)(*state ? *state : 1) * 16807 % 2147483647);
}

#endif
