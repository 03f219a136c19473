// SPDX-License-Identifier: Apache-2.0
// The placed requests as a list by offset, and the walk over the gaps between those that share a step with a request.
//
// A placed request j lets i stay below it up to offset[j] - h(i, j), or above it from offset[j] + h(j, i) on, where h is i's or
// j's span, or for partners the pair's distance. Sorted by the upper end of what they allow below, these forbidden ranges are
// swept once from the bottom: without partners that is the order of offsets; partners come from a short sorted array beside it.
#include "plan/plan_shelf.h"

#include <string.h>


static bool is_a_list(uint32_t count) { return ARENITE_MICRO || count <= PLAN_SHELF_LIST_MAX; }
static bool is_crowded(const plan_shelf *shelf) { return !is_a_list(shelf->problem->count); }

void plan_shelf_init(plan_shelf *shelf, const plan_problem *p, const size_t *offsets, arena *scratch) {
  shelf->problem = p;
  shelf->offsets = offsets;
  shelf->head = PLAN_NONE;
  shelf->next = NULL;
  if (is_a_list(p->count)) shelf->next = PLAN_TAKE(scratch, uint32_t, p->count);
  else plan_crowd_init(&shelf->crowd, p, offsets, scratch);
  shelf->placed = PLAN_TAKE(scratch, bool, p->count);
  shelf->barriers = PLAN_TAKE(scratch, plan_barrier, p->most_partners);
  memset(shelf->placed, 0, p->count * sizeof *shelf->placed);
}

size_t plan_shelf_scratch(uint32_t count, uint32_t pairs) {
  size_t total = is_a_list(count) ? plan_scratch_array(0, count, sizeof(uint32_t)) : plan_crowd_scratch(count);
  total = plan_scratch_array(total, count, sizeof(bool));
  uint32_t most = pairs < count ? pairs : count;  // partners of one request
  return plan_scratch_array(total, most, sizeof(plan_barrier));
}

void plan_shelf_insert(plan_shelf *shelf, uint32_t request) {
  shelf->placed[request] = true;
  if (is_crowded(shelf)) {
    plan_crowd_insert(&shelf->crowd, request);
    return;
  }
  uint32_t *link = &shelf->head;
  while (*link != PLAN_NONE && shelf->offsets[*link] <= shelf->offsets[request]) link = &shelf->next[*link];
  shelf->next[request] = *link;
  *link = request;
}

// The placed partners' barriers, lowest top first. A partner's distance is at most the request's span, so top is no less than
// the partner's offset.
static uint32_t collect_barriers(plan_shelf *shelf, uint32_t request, size_t span) {
  const plan_problem *p = shelf->problem;
  uint32_t count = 0;
  for (const plan_partner *x = plan_partners_begin(p, request), *end = plan_partners_end(p, request); x < end; x++) {
    if (!shelf->placed[x->other] || !plan_live_together(p, request, x->other)) continue;
    size_t offset = shelf->offsets[x->other];
    plan_barrier barrier = {offset + (span - x->below), offset + x->above};
    uint32_t k = count++;
    for (; k > 0 && shelf->barriers[k - 1].top > barrier.top; k--) shelf->barriers[k] = shelf->barriers[k - 1];
    shelf->barriers[k] = barrier;
  }
  return count;
}

// The next placed request up that shares a step with the walk's.
static uint32_t next_placed(plan_gap_walk *walk, uint32_t node) {
  const plan_shelf *shelf = walk->shelf;
  if (is_crowded(shelf)) {
    if (walk->looked == walk->found) return PLAN_NONE;
    const plan_neighbour *x = &shelf->crowd.sorted[walk->looked++];
    walk->node_offset = x->offset;
    walk->node_end = x->end;
    return x->request;
  }
  while (node != PLAN_NONE && !plan_live_together(shelf->problem, walk->request, node)) node = shelf->next[node];
  if (node != PLAN_NONE) {
    walk->node_offset = shelf->offsets[node];
    walk->node_end = shelf->offsets[node] + plan_span(shelf->problem, node);
  }
  return node;
}

// Moves on to the next such request that is no partner of the walk's.
static void next_neighbour(plan_gap_walk *walk, bool start) {
  const plan_shelf *shelf = walk->shelf;
  do {
    walk->node = next_placed(walk, is_crowded(shelf) ? PLAN_NONE : start ? shelf->head : shelf->next[walk->node]);
    start = false;
  } while (walk->node != PLAN_NONE && walk->barrier_count > 0 && plan_find_partner(shelf->problem, walk->request, walk->node));
}

void plan_gap_start(plan_gap_walk *walk, plan_shelf *shelf, uint32_t request) {
  memset(walk, 0, sizeof *walk);
  walk->shelf = shelf;
  walk->request = request;
  walk->span = plan_span(shelf->problem, request);
  walk->barrier_count = collect_barriers(shelf, request, walk->span);
  if (is_crowded(shelf)) walk->found = plan_crowd_gather(&shelf->crowd, request, &walk->reach);
  next_neighbour(walk, true);
}

bool plan_gap_next(plan_gap_walk *walk, plan_gap *gap) {
  const plan_shelf *shelf = walk->shelf;
  size_t alignment = shelf->problem->requests[walk->request].alignment;
  while (!walk->done) {
    plan_barrier barrier;
    bool have_barrier = walk->barrier < walk->barrier_count, have_node = walk->node != PLAN_NONE;
    if (have_barrier && (!have_node || shelf->barriers[walk->barrier].top < walk->node_offset)) {
      barrier = shelf->barriers[walk->barrier++];
    } else if (have_node) {
      barrier = (plan_barrier){walk->node_offset, walk->node_end};
      next_neighbour(walk, false);
    } else {
      barrier = (plan_barrier){SIZE_MAX, 0};
      walk->done = true;
    }
    size_t reach = walk->reach, offset = plan_align(reach, alignment);
    if (barrier.reach > reach) walk->reach = barrier.reach;
    if (offset + walk->span > barrier.top) continue;
    gap->offset = offset;
    gap->room = walk->done ? SIZE_MAX : barrier.top - reach;
    return true;
  }
  return false;
}
