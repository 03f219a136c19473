// SPDX-License-Identifier: Apache-2.0
// Exact: the greedy plan at once, then searches that stop at a proof, at the target, or at the end of the budget.
#include <string.h>

#include "plan/plan_shelf.h"
#include "plan/plan_sort.h"

typedef struct exact_search {
  const plan_problem *p;
  arena *scratch;
  arn_plan_result *result;
  uint64_t budget;
  size_t good;     // stop at a peak this low
  size_t best;     // peak of result->offsets
  size_t *trial;   // offsets under construction
  uint32_t *order; // requests to place: not fixed, of some size
  uint32_t *contention;  // by request: how many others share a step with it
  uint32_t count;
} exact_search;

static bool exact_charge(exact_search *s, uint64_t work) {
  if (work > s->budget - s->result->work) return false;
  s->result->work += work;
  return true;
}

static uint32_t length_of(const arn_plan_request *r) { return r->last - r->first; }

static bool by_size_then_start(const void *context, uint32_t a, uint32_t b) {
  const exact_search *s = context;
  const arn_plan_request *x = &s->p->requests[a], *y = &s->p->requests[b];
  if (x->size != y->size) return x->size > y->size;
  return x->first != y->first ? x->first < y->first : a < b;
}

static bool by_contention_then_length(const void *context, uint32_t a, uint32_t b) {
  const exact_search *s = context;
  uint32_t x = length_of(&s->p->requests[a]), y = length_of(&s->p->requests[b]);
  if (s->contention[a] != s->contention[b]) return s->contention[a] > s->contention[b];
  return x != y ? x > y : a < b;
}

static bool by_length_then_contention(const void *context, uint32_t a, uint32_t b) {
  const exact_search *s = context;
  uint32_t x = length_of(&s->p->requests[a]), y = length_of(&s->p->requests[b]);
  if (x != y) return x > y;
  return s->contention[a] != s->contention[b] ? s->contention[a] > s->contention[b] : a < b;
}

static bool by_contention_then_size(const void *context, uint32_t a, uint32_t b) {
  const exact_search *s = context;
  size_t x = s->p->requests[a].size, y = s->p->requests[b].size;
  if (s->contention[a] != s->contention[b]) return s->contention[a] > s->contention[b];
  return x != y ? x > y : a < b;
}

static bool by_latest_start(const void *context, uint32_t a, uint32_t b) {
  const exact_search *s = context;
  const arn_plan_request *x = &s->p->requests[a], *y = &s->p->requests[b];
  if (x->first != y->first) return x->first > y->first;
  return x->size != y->size ? x->size > y->size : a < b;
}

// Places everything in s->order at its lowest free offset. False when the budget ran out or the result is no better.
static bool first_fit(exact_search *s) {
  const plan_problem *p = s->p;
  size_t mark = s->scratch->head, peak = 0;
  plan_shelf shelf;
  uint32_t placed = 0;
  bool better = true;
  plan_shelf_init(&shelf, p, s->trial, s->scratch);
  for (uint32_t i = 0; i < p->count; i++) {
    s->trial[i] = plan_is_fixed(p, i) ? p->requests[i].fixed_offset : 0;
    if (!plan_is_fixed(p, i) || p->requests[i].size == 0) continue;
    plan_shelf_insert(&shelf, i);
    placed++;
  }
  for (uint32_t k = 0; better && k < s->count; k++) {
    uint32_t i = s->order[k];
    plan_gap_walk walk;
    plan_gap gap = {0, 0};
    better = exact_charge(s, 2 * (uint64_t)placed + 1);
    if (!better) break;
    plan_gap_start(&walk, &shelf, i);
    plan_gap_next(&walk, &gap);
    if (gap.offset + walk.span > peak) peak = gap.offset + walk.span;
    better = peak < s->best;
    s->trial[i] = gap.offset;
    plan_shelf_insert(&shelf, i);
    placed++;
  }
  arena_head_reset(s->scratch, mark);
  return better;
}

static void try_first_fit_orders(exact_search *s) {
  static const plan_before orders[] = {by_size_then_start, by_contention_then_length, by_length_then_contention,
                                       by_contention_then_size, by_latest_start};
  for (size_t k = 0; k < BASE_COUNT(orders) && s->best > s->good; k++) {
    plan_sort(s->order, s->count, orders[k], s);
    if (!first_fit(s)) continue;
    memcpy(s->result->offsets, s->trial, s->p->count * sizeof *s->trial);
    s->best = plan_peak(s->p, s->trial);
  }
}

static bool count_contention(exact_search *s) {
  const plan_problem *p = s->p;
  if (!exact_charge(s, (uint64_t)p->count * p->count)) return false;
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t j = s->contention[i] = 0; j < p->count; j++)
      if (plan_live_together(p, i, j)) s->contention[i]++;
  return true;
}

bool plan_exact(const plan_problem *p, const arn_plan_options *options, arena *scratch, arn_plan_result *result) {
  size_t mark = scratch->head;
  if (!plan_greedy(p, scratch, result->offsets)) return false;
  exact_search s = {.p = p,
                    .scratch = scratch,
                    .result = result,
                    .budget = options->budget ? options->budget : ARN_PLAN_DEFAULT_BUDGET,
                    .good = options->target > result->lower_bound ? options->target : result->lower_bound,
                    .best = plan_peak(p, result->offsets)};
  if (s.best > s.good) {
    s.trial = PLAN_TAKE(scratch, size_t, p->count);
    s.order = PLAN_TAKE(scratch, uint32_t, p->count);
    s.contention = PLAN_TAKE(scratch, uint32_t, p->count);
    for (uint32_t i = 0; i < p->count; i++)
      if (!plan_is_fixed(p, i) && p->requests[i].size > 0) s.order[s.count++] = i;
    if (count_contention(&s)) try_first_fit_orders(&s);
  }
  arena_head_reset(scratch, mark);
  return true;
}

size_t plan_exact_scratch(uint32_t count, uint32_t pairs) {
  size_t total = plan_scratch_array(plan_shelf_scratch(count, pairs), count, sizeof(size_t));
  for (int k = 0; k < 2; k++) total = plan_scratch_array(total, count, sizeof(uint32_t));
  size_t greedy = plan_greedy_scratch(count, pairs);
  return greedy > total ? greedy : total;
}
