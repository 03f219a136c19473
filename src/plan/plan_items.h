// SPDX-License-Identifier: Apache-2.0
// The requests as the searches see them: those that take room, in the order of their starts, with time cut into sections.
// Internal to plan/.
//
// A section begins wherever a request starts: only there can the sum of live spans peak, and whatever shares a step shares the
// section of the later start. Sections number 0..sections-1; an item is live from section first[i] to last[i], inclusive.
#ifndef PLAN_PLAN_ITEMS_H
#define PLAN_PLAN_ITEMS_H

#include "plan/plan_problem.h"

typedef struct plan_items {
  const plan_problem *p;
  uint32_t count, sections, fixed_count;
  uint32_t *request;    // by item
  uint32_t *item_of;    // by request; PLAN_NONE when it takes no room. NULL without pairs
  uint32_t *first, *last;
  uint32_t *begin;      // by section, and one more: the first item that starts there
  uint32_t *fixed;      // the items with fixed offsets
  size_t *span;
  size_t *alignment;
  size_t *contention;   // by item: the largest sum of spans among its sections
  uint32_t *neighbours; // by item: how many share a section with it, itself included
  size_t unit;          // every offset of interest is a multiple of it
} plan_items;

void plan_items_init(plan_items *it, const plan_problem *p, arena *scratch);
size_t plan_items_scratch(uint32_t count, uint32_t pairs);
// How many units of work that is.
uint64_t plan_items_work(const plan_problem *p);

static inline bool plan_items_meet(const plan_items *it, uint32_t i, uint32_t j) {
  return it->first[i] <= it->last[j] && it->first[j] <= it->last[i];
}
static inline bool plan_item_has_partners(const plan_items *it, uint32_t i) {
  return it->p->partner_start && it->p->partner_start[it->request[i]] < it->p->partner_start[it->request[i] + 1];
}
static inline bool plan_item_is_fixed(const plan_items *it, uint32_t i) { return plan_is_fixed(it->p, it->request[i]); }
// Least offset[j] - offset[i] when i lies below j.
static inline size_t plan_item_distance(const plan_items *it, uint32_t i, uint32_t j) {
  const plan_partner *x = plan_item_has_partners(it, i) ? plan_find_partner(it->p, it->request[i], it->request[j]) : NULL;
  return x ? x->below : it->span[i];
}

#endif
