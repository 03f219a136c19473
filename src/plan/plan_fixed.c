// SPDX-License-Identifier: Apache-2.0
// Whether requests with fixed offsets get in each other's way: then there is no plan to look for.
#include "plan/plan_problem.h"
#include "plan/plan_sort.h"

static bool fixed_starts_before(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  return r[a].first != r[b].first ? r[a].first < r[b].first : a < b;
}

static bool fixed_collide(const plan_problem *p, uint32_t i, uint32_t j) {
  size_t x = p->requests[i].fixed_offset, y = p->requests[j].fixed_offset;
  const plan_partner *pair = plan_find_partner(p, i, j);
  size_t below = pair ? pair->below : plan_span(p, i), above = pair ? pair->above : plan_span(p, j);
  return !(y >= x && y - x >= below) && !(x >= y && x - y >= above);
}

// Sweeps by start with the list of those still live.
bool plan_fixed_agree(const plan_problem *p, arena *scratch, uint32_t *culprit) {
  size_t mark = scratch->head;
  uint32_t *order = PLAN_TAKE(scratch, uint32_t, p->count), *live = PLAN_TAKE(scratch, uint32_t, p->count);
  uint32_t count = 0, live_count = 0;
  for (uint32_t i = 0; i < p->count; i++)
    if (plan_is_fixed(p, i) && p->requests[i].size > 0) order[count++] = i;
  plan_sort(order, count, fixed_starts_before, p->requests);
  bool agree = true;
  for (uint32_t k = 0; agree && k < count; k++) {
    uint32_t i = order[k], kept = 0;
    for (uint32_t l = 0; l < live_count; l++) {
      uint32_t j = live[l];
      if (!plan_live_together(p, i, j)) continue;
      live[kept++] = j;
      if (fixed_collide(p, i, j)) {
        agree = false;
        *culprit = i;
      }
    }
    live[kept] = i;
    live_count = kept + 1;
  }
  arena_head_reset(scratch, mark);
  return agree;
}

size_t plan_fixed_scratch(uint32_t count) {
  return plan_scratch_array(plan_scratch_array(0, count, sizeof(uint32_t)), count, sizeof(uint32_t));
}
