// SPDX-License-Identifier: Apache-2.0
// Orders in which the searches take items. Internal to plan/.
#ifndef PLAN_PLAN_ORDERS_H
#define PLAN_PLAN_ORDERS_H

#include "plan/plan_items.h"

typedef enum plan_key {
  PLAN_BY_NOTHING,
  PLAN_BY_SIZE,        // the larger first
  PLAN_BY_LENGTH,      // the longer in steps first
  PLAN_BY_SECTIONS,    // the longer in sections first
  PLAN_BY_AREA,        // size times length, the larger first
  PLAN_BY_CONTENTION,  // the largest sum of spans it lives with
  PLAN_BY_NEIGHBOURS,  // sharing a section with more others first
  PLAN_BY_START,       // the earlier first
  PLAN_BY_END,         // the later first
} plan_key;

typedef struct plan_order {
  plan_key keys[3];
} plan_order;

// Sorts items by the keys, then by index. With noise, the first key is off by up to noise/1024 of itself, differently for each
// item; *random moves on. values: room for one number an item.
void plan_order_items(const plan_items *it, const plan_order *order, uint32_t noise, uint32_t *random, uint64_t *values,
                      uint32_t *items, uint32_t count);

// A number below `limit`, the same sequence everywhere.
static inline uint32_t plan_random(uint32_t *state, uint32_t limit) {
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(*state >> 8) * limit) >> 24);
}

#endif
