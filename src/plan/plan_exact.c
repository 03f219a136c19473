// SPDX-License-Identifier: Apache-2.0
// Exact: the greedy plan at once, then searches that stop at a proof, at the target, or at the end of the budget.
//
// First fit in several orders; then rounds of three searches with growing shares of work: depth first at the capacity wished
// for, in one order of items after the other, from the second round on with noise, as hard problems fall to one order in a blink
// and not at all to another; the squeaky wheel, which improves on the best plan by small steps; and depth first a step below the
// best plan.
#include <string.h>

#include "plan/plan_dfs.h"
#include "plan/plan_fit.h"
#include "plan/plan_orders.h"

typedef struct exact_search {
  plan_items items;
  plan_fit fit;
  plan_dfs dfs;
  const arn_plan_options *options;
  arn_plan_result *result;
  uint64_t budget;
  size_t best;          // peak of result->offsets
  size_t dfs_capacity;  // that the depth-first search remembers failures of
  uint32_t *order;      // movable items
  uint32_t *wheel;      // the same, as the squeaky wheel has turned them
  uint32_t *rank;
  uint64_t *values;
  size_t step;          // by which to improve on the best
  uint32_t movable;
  uint32_t random;
} exact_search;

static const plan_order fit_orders[] = {
    {{PLAN_BY_SIZE, PLAN_BY_START, PLAN_BY_NOTHING}},
    {{PLAN_BY_CONTENTION, PLAN_BY_LENGTH, PLAN_BY_NOTHING}},
    {{PLAN_BY_SECTIONS, PLAN_BY_CONTENTION, PLAN_BY_NOTHING}},
    {{PLAN_BY_CONTENTION, PLAN_BY_SIZE, PLAN_BY_NOTHING}},
    {{PLAN_BY_END, PLAN_BY_NOTHING, PLAN_BY_NOTHING}},
};

// For the depth-first search, chosen by measurement: which of them solves a hard instance has shown no pattern, but with a
// little noise each of the first few solves some of MiniMalloc's within a few tries, and together they solve all.
enum { NOISY_ORDERS = 6 };
static const plan_order dfs_orders[] = {
    {{PLAN_BY_SECTIONS, PLAN_BY_AREA, PLAN_BY_CONTENTION}},
    {{PLAN_BY_NEIGHBOURS, PLAN_BY_SIZE, PLAN_BY_NOTHING}},
    {{PLAN_BY_START, PLAN_BY_SIZE, PLAN_BY_NOTHING}},
    {{PLAN_BY_AREA, PLAN_BY_CONTENTION, PLAN_BY_LENGTH}},
    {{PLAN_BY_END, PLAN_BY_SIZE, PLAN_BY_NOTHING}},
    {{PLAN_BY_START, PLAN_BY_AREA, PLAN_BY_NOTHING}},
    {{PLAN_BY_CONTENTION, PLAN_BY_LENGTH, PLAN_BY_AREA}},
    {{PLAN_BY_LENGTH, PLAN_BY_CONTENTION, PLAN_BY_AREA}},
};

static uint64_t work_left(const exact_search *s) { return s->budget - s->result->work; }

static uint64_t share_of(const exact_search *s, uint64_t share) { return share < work_left(s) ? share : work_left(s); }

static bool exact_charge(exact_search *s, uint64_t work) {
  if (work > work_left(s)) return false;
  s->result->work += work;
  return true;
}

// A peak no larger than this ends the search.
static size_t wished_for(const exact_search *s) {
  return s->options->target > s->result->lower_bound ? s->options->target : s->result->lower_bound;
}

static bool exact_is_done(const exact_search *s) { return s->best <= wished_for(s); }

static void keep_plan(exact_search *s, const size_t *offset) {
  for (uint32_t i = 0; i < s->items.count; i++) s->result->offsets[s->items.request[i]] = offset[i];
  s->best = plan_peak(s->items.p, s->result->offsets);
}

static void order_all(exact_search *s, const plan_order *order, uint32_t noise) {
  plan_order_items(&s->items, order, noise, &s->random, s->values, s->order, s->movable);
}

// Squeaky wheel: items that end above the capacity move forward in the order, and all is placed again.
static void turn_wheel(exact_search *s, size_t capacity, uint64_t share) {
  const plan_items *it = &s->items;
  uint64_t stop = s->result->work + share_of(s, share);
  while (plan_fit_run(&s->fit, s->wheel, s->movable, SIZE_MAX, &s->result->work, stop)) {
    if (s->fit.peak < s->best) keep_plan(s, s->fit.offset);
    if (s->fit.peak <= capacity) return;
    for (uint32_t k = 1; k < s->movable; k++) {
      uint32_t i = s->wheel[k];
      if (s->fit.offset[i] + it->span[i] <= capacity) continue;
      uint32_t step = 1 + plan_random(&s->random, 8), to = step < k ? k - step : 0;
      memmove(&s->wheel[to + 1], &s->wheel[to], (k - to) * sizeof *s->wheel);
      s->wheel[to] = i;
    }
  }
}

static plan_outcome search_depth(exact_search *s, size_t capacity, const plan_order *order, uint32_t noise, uint64_t share) {
  order_all(s, order, noise);
  for (uint32_t k = 0; k < s->movable; k++) s->rank[s->order[k]] = k;
  if (capacity != s->dfs_capacity) plan_dfs_forget(&s->dfs);
  s->dfs_capacity = capacity;
  plan_outcome outcome = plan_dfs_run(&s->dfs, capacity, s->rank, share_of(s, share));
  s->result->work += s->dfs.work;
  if (outcome == PLAN_FOUND) keep_plan(s, s->dfs.offset);
  if (outcome == PLAN_REFUTED && capacity >= s->result->lower_bound)
    s->result->lower_bound = (capacity / s->items.unit + 1) * s->items.unit;
  return outcome;
}

// Looks for plans better than the best, if not as good as wished for: by a step that grows with success and halves without.
static void search_below(exact_search *s, uint32_t round, uint32_t noise, uint64_t share) {
  size_t unit = s->items.unit;
  for (uint32_t k = 0; k < 3 && s->best > wished_for(s) + unit; k++) {
    uint32_t which = (3 * round + k) % NOISY_ORDERS;
    size_t half = (s->best - wished_for(s)) / 2 / unit * unit;
    if (s->step > half) s->step = half;
    if (s->step < unit) s->step = unit;
    plan_outcome outcome = search_depth(s, s->best - s->step, &dfs_orders[which], noise, share);
    if (outcome == PLAN_FOUND) s->step *= 2;
    else if (which % 2 == 1) s->step = s->step / 2 / unit * unit;
  }
}

static void search_rounds(exact_search *s) {
  uint64_t share = 500000 + 4 * (uint64_t)s->items.count * s->items.count;
  s->step = s->best;
  for (uint32_t round = 0; !exact_is_done(s) && work_left(s) >= share; round++) {
    uint32_t noise = round == 0 ? 0 : round % 2 == 1 ? 30 : 150, orders = round == 0 ? BASE_COUNT(dfs_orders) : NOISY_ORDERS;
    for (uint32_t which = 0; which < orders && !exact_is_done(s); which++)
      search_depth(s, wished_for(s), &dfs_orders[which], noise, share);
    if (!exact_is_done(s)) turn_wheel(s, wished_for(s), share / 2);
    if (!exact_is_done(s)) search_below(s, round, noise, share);
    share += share / 4;
  }
}

static void run_searches(exact_search *s, arena *scratch) {
  const plan_items *it = &s->items;
  for (uint32_t i = 0; i < it->count; i++)
    if (!plan_item_is_fixed(it, i)) s->order[s->movable++] = i;
  s->result->lower_bound = (s->result->lower_bound + it->unit - 1) / it->unit * it->unit;
  for (size_t k = 0; k < BASE_COUNT(fit_orders) && !exact_is_done(s); k++) {
    order_all(s, &fit_orders[k], 0);
    if (plan_fit_run(&s->fit, s->order, s->movable, s->best, &s->result->work, s->budget)) keep_plan(s, s->fit.offset);
    if (k == 1) memcpy(s->wheel, s->order, s->movable * sizeof *s->wheel);
  }
  if (exact_is_done(s)) return;
  if (it->count > PLAN_DFS_MAX) {
    turn_wheel(s, wished_for(s), work_left(s));
  } else if (exact_charge(s, plan_dfs_init_work(it))) {
    plan_dfs_init(&s->dfs, it, scratch);
    search_rounds(s);
  }
}

bool plan_exact(const plan_problem *p, const arn_plan_options *options, arena *scratch, arn_plan_result *result) {
  size_t mark = scratch->head;
  if (!plan_greedy(p, scratch, result->offsets)) return false;
  exact_search s;
  memset(&s, 0, sizeof s);
  s.options = options;
  s.result = result;
  s.budget = options->budget ? options->budget : ARN_PLAN_DEFAULT_BUDGET;
  s.best = plan_peak(p, result->offsets);
  if (!exact_is_done(&s) && exact_charge(&s, plan_items_work(p))) {
    plan_items_init(&s.items, p, scratch);
    plan_fit_init(&s.fit, &s.items, scratch);
    s.order = PLAN_TAKE(scratch, uint32_t, s.items.count);
    s.wheel = PLAN_TAKE(scratch, uint32_t, s.items.count);
    s.rank = PLAN_TAKE(scratch, uint32_t, s.items.count);
    s.values = PLAN_TAKE(scratch, uint64_t, s.items.count);
    run_searches(&s, scratch);
  }
  arena_head_reset(scratch, mark);
  return true;
}

size_t plan_exact_scratch(uint32_t count, uint32_t pairs) {
  size_t total = plan_scratch_add(plan_items_scratch(count, pairs), plan_fit_scratch(count, pairs));
  for (int k = 0; k < 3; k++) total = plan_scratch_array(total, count, sizeof(uint32_t));
  total = plan_scratch_array(total, count, sizeof(uint64_t));
  total = plan_scratch_add(total, plan_dfs_scratch(count));
  size_t greedy = plan_greedy_scratch(count, pairs);
  return greedy > total ? greedy : total;
}
