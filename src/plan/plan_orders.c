// SPDX-License-Identifier: Apache-2.0
// Sorting items by keys, with noise.
#include "plan/plan_orders.h"

#include "plan/plan_sort.h"

typedef struct order_context {
  const plan_items *it;
  const plan_order *order;
  const uint64_t *values;
} order_context;

// The larger value goes first.
static uint64_t key_value(const plan_items *it, plan_key key, uint32_t i) {
  const arn_plan_request *r = &it->p->requests[it->request[i]];
  uint64_t length = (uint64_t)r->last - r->first + 1, size = it->span[i];
  switch (key) {
    case PLAN_BY_SIZE: return size;
    case PLAN_BY_LENGTH: return length;
    case PLAN_BY_SECTIONS: return (uint64_t)it->last[i] - it->first[i] + 1;
    case PLAN_BY_AREA: return size > UINT64_MAX / length ? UINT64_MAX : size * length;
    case PLAN_BY_CONTENTION: return it->contention[i];
    case PLAN_BY_NEIGHBOURS: return it->neighbours[i];
    case PLAN_BY_START: return UINT64_MAX - it->first[i];
    case PLAN_BY_END: return it->last[i];
    default: return 0;
  }
}

static uint64_t with_noise(uint64_t value, uint32_t noise, uint32_t *random) {
  uint64_t grain = value >> 10;
  if (grain == 0) grain = 1;
  return value - noise * grain + plan_random(random, 2 * noise + 1) * grain;
}

static bool order_before(const void *context, uint32_t a, uint32_t b) {
  const order_context *c = context;
  if (c->values[a] != c->values[b]) return c->values[a] > c->values[b];
  for (int k = 1; k < 3; k++) {
    uint64_t x = key_value(c->it, c->order->keys[k], a), y = key_value(c->it, c->order->keys[k], b);
    if (x != y) return x > y;
  }
  return a < b;
}

void plan_order_items(const plan_items *it, const plan_order *order, uint32_t noise, uint32_t *random, uint64_t *values,
                      uint32_t *items, uint32_t count) {
  plan_key key = order->keys[0];
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = items[k];
    uint64_t value = key_value(it, key, i);
    if (noise != 0) {
      // Small numbers are scaled up first; starts are shaken by their distance from the beginning, and none may wrap.
      if (key == PLAN_BY_START) value = UINT64_MAX / 2 - with_noise((uint64_t)it->first[i] << 20, noise, random);
      else value = with_noise(value > UINT64_MAX >> 21 ? value >> 2 : value << 20, noise, random);
    }
    values[i] = value;
  }
  order_context context = {it, order, values};
  plan_sort(items, count, order_before, &context);
}
