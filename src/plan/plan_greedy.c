// SPDX-License-Identifier: Apache-2.0
// Greedy by size: the largest request first, each into the tightest gap that takes it, else on top of what shares its steps.
// TFLite's arena planner chooses alike (tflite/arena_planner.cc, simple_memory_arena.cc); ours minds pairs and fixed offsets too.
#include "plan/plan_shelf.h"
#include "plan/plan_sort.h"

static bool larger_before(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  if (r[a].size != r[b].size) return r[a].size > r[b].size;
  return r[a].first != r[b].first ? r[a].first < r[b].first : a < b;
}

static bool place_tightest(plan_shelf *shelf, uint32_t i, size_t *offsets) {
  plan_gap_walk walk;
  plan_gap gap, best = {0, 0};
  bool found = false;
  plan_gap_start(&walk, shelf, i);
  while (plan_gap_next(&walk, &gap)) {
    if (found && gap.room >= best.room) continue;
    best = gap;
    found = true;
  }
  if (best.offset > PLAN_LIMIT - walk.span) return false;
  offsets[i] = best.offset;
  plan_shelf_insert(shelf, i);
  return true;
}

bool plan_greedy(const plan_problem *p, arena *scratch, size_t *offsets) {
  size_t mark = scratch->head;
  uint32_t *order = PLAN_TAKE(scratch, uint32_t, p->count), left = 0;
  plan_shelf shelf;
  plan_shelf_init(&shelf, p, offsets, scratch);
  for (uint32_t i = 0; i < p->count; i++) {
    bool fixed = plan_is_fixed(p, i);
    offsets[i] = fixed ? p->requests[i].fixed_offset : 0;
    if (p->requests[i].size == 0) continue;
    if (fixed) plan_shelf_insert(&shelf, i);
    else order[left++] = i;
  }
  plan_sort(order, left, larger_before, p->requests);
  bool ok = true;
  for (uint32_t k = 0; ok && k < left; k++) ok = place_tightest(&shelf, order[k], offsets);
  arena_head_reset(scratch, mark);
  return ok;
}

size_t plan_greedy_scratch(uint32_t count, uint32_t pairs) {
  return plan_scratch_add(plan_scratch_array(0, count, sizeof(uint32_t)), plan_shelf_scratch(count, pairs));
}
