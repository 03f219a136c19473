// SPDX-License-Identifier: Apache-2.0
// Slots: requests take turns in whole slots (interval colouring), so that there are few offsets and every one is a slot's start.
//
// Two orders are tried and the smaller total kept: by start (a colouring with as few slots as can be) and by size (large slots
// are filled with what is nearly as large). A request takes the smallest free slot that holds it; failing that the largest free
// slot grows; failing that a new slot opens. Slots lie above the fixed requests.
#include "plan/plan_problem.h"
#include "plan/plan_sort.h"

typedef struct slot_set {
  const plan_problem *p;
  uint32_t *slot_of;    // by request
  uint32_t *next;       // by request: another one in its slot
  uint32_t *head;       // by slot
  size_t *size;         // by slot
  uint32_t *alignment;  // by slot
  uint32_t count;
} slot_set;

static bool starts_sooner(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  if (r[a].first != r[b].first) return r[a].first < r[b].first;
  return r[a].size != r[b].size ? r[a].size > r[b].size : a < b;
}

static bool needs_more(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  if (r[a].size != r[b].size) return r[a].size > r[b].size;
  return r[a].first != r[b].first ? r[a].first < r[b].first : a < b;
}

// Whether the request can join: everything in the slot shares no step with it, or is a partner that may have the same offset.
static bool slot_is_free(const slot_set *s, uint32_t slot, uint32_t request) {
  for (uint32_t j = s->head[slot]; j != PLAN_NONE; j = s->next[j]) {
    if (!plan_live_together(s->p, request, j)) continue;
    const plan_partner *x = plan_find_partner(s->p, request, j);
    if (!x || (x->below != 0 && x->above != 0)) return false;
  }
  return true;
}

static uint32_t choose_slot(const slot_set *s, uint32_t request, size_t span) {
  uint32_t best = PLAN_NONE;
  for (uint32_t slot = 0; slot < s->count; slot++) {
    size_t size = s->size[slot];
    if (best != PLAN_NONE) {
      bool holds = size >= span, best_holds = s->size[best] >= span;
      bool better = holds ? !best_holds || size < s->size[best] : !best_holds && size > s->size[best];
      if (!better) continue;
    }
    if (slot_is_free(s, slot, request)) best = slot;
  }
  return best;
}

static void fill_slots(slot_set *s, const uint32_t *order, uint32_t count) {
  s->count = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = order[k], alignment = s->p->requests[i].alignment;
    size_t span = plan_span(s->p, i);
    uint32_t slot = choose_slot(s, i, span);
    if (slot == PLAN_NONE) {
      slot = s->count++;
      s->head[slot] = PLAN_NONE;
      s->size[slot] = 0;
      s->alignment[slot] = 1;
    }
    if (span > s->size[slot]) s->size[slot] = span;
    if (alignment > s->alignment[slot]) s->alignment[slot] = alignment;
    s->slot_of[i] = slot;
    s->next[i] = s->head[slot];
    s->head[slot] = i;
  }
}

// Turns slot sizes into slot starts. The end of the last one, or SIZE_MAX when that passes the limit.
static size_t lay_out_slots(slot_set *s, size_t top) {
  for (uint32_t slot = 0; slot < s->count; slot++) {
    size_t start = plan_align(top, s->alignment[slot]);
    if (start > PLAN_LIMIT - s->size[slot]) return SIZE_MAX;
    top = start + s->size[slot];
    s->size[slot] = start;
  }
  return top;
}

bool plan_slots(const plan_problem *p, arena *scratch, size_t *offsets) {
  size_t mark = scratch->head, n = p->count, bottom = 0;
  uint32_t *order = PLAN_TAKE(scratch, uint32_t, n), left = 0;
  slot_set s = {.p = p,
                .slot_of = PLAN_TAKE(scratch, uint32_t, n),
                .next = PLAN_TAKE(scratch, uint32_t, n),
                .head = PLAN_TAKE(scratch, uint32_t, n),
                .size = PLAN_TAKE(scratch, size_t, n),
                .alignment = PLAN_TAKE(scratch, uint32_t, n)};
  for (uint32_t i = 0; i < p->count; i++) {
    bool fixed = plan_is_fixed(p, i);
    offsets[i] = fixed ? p->requests[i].fixed_offset : 0;
    if (p->requests[i].size == 0) continue;
    if (!fixed) order[left++] = i;
    else if (offsets[i] + plan_span(p, i) > bottom) bottom = offsets[i] + plan_span(p, i);
  }
  plan_sort(order, left, starts_sooner, p->requests);
  fill_slots(&s, order, left);
  size_t by_start = lay_out_slots(&s, bottom);
  plan_sort(order, left, needs_more, p->requests);
  fill_slots(&s, order, left);
  size_t top = lay_out_slots(&s, bottom);
  if (by_start < top) {
    plan_sort(order, left, starts_sooner, p->requests);
    fill_slots(&s, order, left);
    top = lay_out_slots(&s, bottom);
  }
  for (uint32_t k = 0; top != SIZE_MAX && k < left; k++) offsets[order[k]] = s.size[s.slot_of[order[k]]];
  arena_head_reset(scratch, mark);
  return top != SIZE_MAX;
}

size_t plan_slots_scratch(uint32_t count, uint32_t pairs) {
  (void)pairs;
  size_t total = plan_scratch_array(0, count, sizeof(size_t));
  for (int k = 0; k < 5; k++) total = plan_scratch_array(total, count, sizeof(uint32_t));
  return total;
}
