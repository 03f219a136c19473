// SPDX-License-Identifier: Apache-2.0
// Building the searches' view of a problem.
#include "plan/plan_items.h"

#include <string.h>

#include "plan/plan_sort.h"

static bool item_before(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  if (r[a].first != r[b].first) return r[a].first < r[b].first;
  if (r[a].last != r[b].last) return r[a].last > r[b].last;
  return r[a].size != r[b].size ? r[a].size > r[b].size : a < b;
}

static size_t common_divisor(size_t a, size_t b) {
  while (b != 0) {
    size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Offsets of a plan pressed down are sums of spans, pair distances and fixed offsets, rounded up to alignments: multiples of
// what divides all of these. An alignment that divides the rest rounds nothing.
static size_t offset_unit(const plan_items *it) {
  size_t unit = 0;
  for (uint32_t i = 0; i < it->count; i++) {
    uint32_t request = it->request[i];
    unit = common_divisor(unit, it->span[i]);
    if (plan_item_is_fixed(it, i)) unit = common_divisor(unit, it->p->requests[request].fixed_offset);
    const plan_partner *x = plan_partners_begin(it->p, request), *end = plan_partners_end(it->p, request);
    for (; x < end; x++) unit = common_divisor(unit, x->below);
  }
  if (unit == 0) return 1;
  for (uint32_t i = 0; i < it->count; i++) unit = common_divisor(unit, it->alignment[i]) == it->alignment[i] ? unit
                                                  : common_divisor(unit, it->alignment[i]);
  return unit;
}

static void cut_sections(plan_items *it) {
  const arn_plan_request *r = it->p->requests;
  for (uint32_t i = 0; i < it->count; i++) {
    if (i == 0 || r[it->request[i]].first != r[it->request[i - 1]].first) it->begin[it->sections++] = i;
    it->first[i] = it->sections - 1;
  }
  it->begin[it->sections] = it->count;
  for (uint32_t i = 0; i < it->count; i++) {
    uint32_t low = it->first[i], high = it->sections;  // the last section that starts no later than i ends
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      if (r[it->request[it->begin[middle]]].first <= r[it->request[i]].last) low = middle;
      else high = middle;
    }
    it->last[i] = low;
  }
}

static void find_contention(plan_items *it, size_t *total) {
  memset(total, 0, it->sections * sizeof *total);
  for (uint32_t i = 0; i < it->count; i++)
    for (uint32_t s = it->first[i]; s <= it->last[i]; s++) total[s] += it->span[i];
  for (uint32_t i = 0; i < it->count; i++) {
    it->contention[i] = 0;
    for (uint32_t s = it->first[i]; s <= it->last[i]; s++)
      if (total[s] > it->contention[i]) it->contention[i] = total[s];
  }
}

// All that start by the item's last section, less all that end before its first.
static void count_neighbours(plan_items *it, uint32_t *ended) {
  memset(ended, 0, it->sections * sizeof *ended);
  for (uint32_t i = 0; i < it->count; i++) ended[it->last[i]]++;
  for (uint32_t s = 1; s < it->sections; s++) ended[s] += ended[s - 1];
  for (uint32_t i = 0; i < it->count; i++)
    it->neighbours[i] = it->begin[it->last[i] + 1] - (it->first[i] > 0 ? ended[it->first[i] - 1] : 0);
}

void plan_items_init(plan_items *it, const plan_problem *p, arena *scratch) {
  memset(it, 0, sizeof *it);
  it->p = p;
  it->request = PLAN_TAKE(scratch, uint32_t, p->count);
  for (uint32_t i = 0; i < p->count; i++)
    if (p->requests[i].size > 0) it->request[it->count++] = i;
  plan_sort(it->request, it->count, item_before, p->requests);
  it->first = PLAN_TAKE(scratch, uint32_t, it->count);
  it->last = PLAN_TAKE(scratch, uint32_t, it->count);
  it->begin = PLAN_TAKE(scratch, uint32_t, it->count + 1);
  it->fixed = PLAN_TAKE(scratch, uint32_t, it->count);
  it->neighbours = PLAN_TAKE(scratch, uint32_t, it->count);
  it->span = PLAN_TAKE(scratch, size_t, it->count);
  it->alignment = PLAN_TAKE(scratch, size_t, it->count);
  it->contention = PLAN_TAKE(scratch, size_t, it->count);
  for (uint32_t i = 0; i < it->count; i++) {
    it->span[i] = plan_span(p, it->request[i]);
    it->alignment[i] = p->requests[it->request[i]].alignment;
    if (plan_item_is_fixed(it, i)) it->fixed[it->fixed_count++] = i;
  }
  cut_sections(it);
  if (p->partner_start) {
    it->item_of = PLAN_TAKE(scratch, uint32_t, p->count);
    for (uint32_t i = 0; i < p->count; i++) it->item_of[i] = PLAN_NONE;
    for (uint32_t i = 0; i < it->count; i++) it->item_of[it->request[i]] = i;
  }
  size_t mark = scratch->head;
  find_contention(it, PLAN_TAKE(scratch, size_t, it->sections));
  arena_head_reset(scratch, mark);
  count_neighbours(it, PLAN_TAKE(scratch, uint32_t, it->sections));
  arena_head_reset(scratch, mark);
  it->unit = offset_unit(it);
}

size_t plan_items_scratch(uint32_t count, uint32_t pairs) {
  size_t total = plan_scratch_array(0, (size_t)count + 1, sizeof(uint32_t));
  for (int k = 0; k < (pairs ? 6 : 5); k++) total = plan_scratch_array(total, count, sizeof(uint32_t));
  for (int k = 0; k < 4; k++) total = plan_scratch_array(total, count, sizeof(size_t));
  return total;
}

uint64_t plan_items_work(const plan_problem *p) { return (uint64_t)p->count * p->count / 4; }
