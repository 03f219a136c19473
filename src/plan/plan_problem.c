// SPDX-License-Identifier: Apache-2.0
// Checking a planning problem and laying its pairs out by request.
#include "plan/plan_problem.h"

#include <string.h>

static bool request_is_sound(const arn_plan_request *r) {
  if (r->alignment == 0 || (r->alignment & (r->alignment - 1)) != 0) return false;
  if (r->first > r->last || r->size > PLAN_LIMIT) return false;
  if (r->fixed_offset == ARN_PLAN_ANYWHERE) return true;
  return r->fixed_offset <= PLAN_LIMIT - r->size && (r->fixed_offset & (r->alignment - 1)) == 0;
}

// A distance of a pair in whole grains; not more than the span, at which the two are disjoint anyway.
static size_t pair_distance(size_t distance, size_t span, size_t grain) {
  return distance >= span ? span : plan_align(distance, grain);
}

static void add_partner(plan_partner *slot, uint32_t other, size_t below, size_t above) {
  slot->other = other;
  slot->below = below;
  slot->above = above;
}

static void sift_partner(plan_partner *heap, size_t root, size_t count) {
  plan_partner item = heap[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && heap[child].other < heap[child + 1].other) child++;
    if (item.other >= heap[child].other) break;
    heap[root] = heap[child];
  }
  heap[root] = item;
}

static void sort_partners(plan_partner *items, size_t count) {
  for (size_t i = count / 2; i > 0; i--) sift_partner(items, i - 1, count);
  for (size_t left = count; left > 1; left--) {
    plan_partner largest = items[0];
    items[0] = items[left - 1];
    items[left - 1] = largest;
    sift_partner(items, 0, left - 1);
  }
}

// Sorts each request's partners by index, for plan_find_partner, and makes one of several pairs for the same two requests: the
// least distances, as any of the pairs may be used. Rows close up towards the front.
static void sort_and_merge_pairs(plan_problem *p, uint32_t *start, plan_partner *partners) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t begin = start[i], end = start[i + 1], row = kept;
    sort_partners(partners + begin, end - begin);
    for (uint32_t k = begin; k < end; k++) {
      plan_partner *last = kept > row ? &partners[kept - 1] : NULL, x = partners[k];
      if (last && last->other == x.other) {
        last->below = last->below < x.below ? last->below : x.below;
        last->above = last->above < x.above ? last->above : x.above;
      } else {
        partners[kept++] = x;
      }
    }
    start[i] = row;
    if (kept - row > p->most_partners) p->most_partners = kept - row;
  }
  start[p->count] = kept;
}

static arn_status lay_out_pairs(plan_problem *p, const arn_plan_problem *problem, arena *scratch, uint32_t *culprit) {
  uint32_t count = p->count;
  uint32_t *start = PLAN_TAKE(scratch, uint32_t, (size_t)count + 1);
  plan_partner *partners = PLAN_TAKE(scratch, plan_partner, (size_t)problem->pair_count * 2);
  if (!start || !partners) return ARN_OUT_OF_MEMORY;
  memset(start, 0, ((size_t)count + 1) * sizeof *start);
  for (uint32_t k = 0; k < problem->pair_count; k++) {
    const arn_plan_pair *pair = &problem->pairs[k];
    if (pair->a >= count || pair->b >= count || pair->a == pair->b) {
      *culprit = k;
      return ARN_INVALID_ARGUMENT;
    }
    start[pair->a + 1]++;
    start[pair->b + 1]++;
  }
  for (uint32_t i = 0; i < count; i++) start[i + 1] += start[i];
  // Filling moves each start to its end, which is the next one's start; shifting back restores them.
  for (uint32_t k = 0; k < problem->pair_count; k++) {
    const arn_plan_pair *pair = &problem->pairs[k];
    size_t forward = pair_distance(pair->forward, plan_span(p, pair->a), p->grain);
    size_t backward = pair_distance(pair->backward, plan_span(p, pair->b), p->grain);
    add_partner(&partners[start[pair->a]++], pair->b, forward, backward);
    add_partner(&partners[start[pair->b]++], pair->a, backward, forward);
  }
  for (uint32_t i = count; i > 0; i--) start[i] = start[i - 1];
  start[0] = 0;
  sort_and_merge_pairs(p, start, partners);
  p->partner_start = start;
  p->partners = partners;
  return ARN_OK;
}

arn_status plan_problem_init(plan_problem *p, const arn_plan_problem *problem, arena *scratch, uint32_t *culprit) {
  memset(p, 0, sizeof *p);
  p->requests = problem->requests;
  p->count = problem->request_count;
  for (uint32_t i = 0; i < p->count; i++) {
    const arn_plan_request *r = &p->requests[i];
    if (!request_is_sound(r)) {
      *culprit = i;
      return ARN_INVALID_ARGUMENT;
    }
    if (r->size > 0 && (p->grain == 0 || r->alignment < p->grain)) p->grain = r->alignment;
  }
  if (p->grain == 0) p->grain = 1;
  if (problem->pair_count == 0) return ARN_OK;
  if (problem->pair_count > UINT32_MAX / 2) return ARN_OUT_OF_MEMORY;
  return lay_out_pairs(p, problem, scratch, culprit);
}

size_t plan_problem_scratch(uint32_t count, uint32_t pairs) {
  if (pairs == 0) return 0;
  size_t total = plan_scratch_array(0, (size_t)count + 1, sizeof(uint32_t));
  total = plan_scratch_array(total, pairs, sizeof(plan_partner));
  return plan_scratch_array(total, pairs, sizeof(plan_partner));
}

const plan_partner *plan_find_partner(const plan_problem *p, uint32_t i, uint32_t other) {
  if (!p->partner_start) return NULL;
  uint32_t low = p->partner_start[i], high = p->partner_start[i + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->partners[middle].other == other) return &p->partners[middle];
    if (p->partners[middle].other < other) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

size_t plan_pair_saving(size_t span, size_t other_span, size_t below, size_t above) {
  size_t this_below = below + other_span > span ? below + other_span : span;
  size_t other_below = above + span > other_span ? above + span : other_span;
  return span + other_span - (this_below < other_below ? this_below : other_below);
}

size_t plan_peak(const plan_problem *p, const size_t *offsets) {
  size_t peak = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->requests[i].size == 0) continue;
    size_t end = offsets[i] + plan_span(p, i);
    if (end > peak) peak = end;
  }
  return peak;
}
