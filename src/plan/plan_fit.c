// SPDX-License-Identifier: Apache-2.0
// First fit, made to be run thousands of times: placed items lie in an array by offset.
#include "plan/plan_fit.h"

#include <string.h>

void plan_fit_init(plan_fit *f, const plan_items *it, arena *scratch) {
  f->it = it;
  f->boxes = PLAN_TAKE(scratch, plan_box, it->count);
  f->holds = PLAN_TAKE(scratch, plan_hold, it->p->most_partners);
  f->offset = PLAN_TAKE(scratch, size_t, it->count);
}

size_t plan_fit_scratch(uint32_t count, uint32_t pairs) {
  size_t total = plan_scratch_array(0, count, sizeof(plan_box));
  total = plan_scratch_array(total, pairs < count ? pairs : count, sizeof(plan_hold));
  return plan_scratch_array(total, count, sizeof(size_t));
}

static void put_box(plan_fit *f, uint32_t i, size_t offset) {
  const plan_items *it = f->it;
  uint32_t low = 0, high = f->placed;  // the first box above the offset
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (f->boxes[middle].offset <= offset) low = middle + 1;
    else high = middle;
  }
  memmove(&f->boxes[low + 1], &f->boxes[low], (f->placed - low) * sizeof *f->boxes);
  f->boxes[low] = (plan_box){offset, offset + it->span[i], it->first[i], it->last[i], i};
  f->placed++;
  f->offset[i] = offset;
  if (offset + it->span[i] > f->peak) f->peak = offset + it->span[i];
}

static uint32_t collect_holds(plan_fit *f, uint32_t i) {
  const plan_items *it = f->it;
  uint32_t request = it->request[i], count = 0;
  for (const plan_partner *x = plan_partners_begin(it->p, request), *end = plan_partners_end(it->p, request); x < end; x++) {
    uint32_t j = it->item_of[x->other];
    if (j == PLAN_NONE || f->offset[j] == SIZE_MAX || !plan_items_meet(it, i, j)) continue;
    plan_hold hold = {f->offset[j] + (it->span[i] - x->below), f->offset[j] + x->above};
    uint32_t k = count++;
    for (; k > 0 && f->holds[k - 1].top > hold.top; k--) f->holds[k] = f->holds[k - 1];
    f->holds[k] = hold;
  }
  return count;
}

// Forbidden ranges are swept from the bottom, in the order of what they allow below them: boxes by offset, partners beside them.
static size_t lowest_offset(plan_fit *f, uint32_t i) {
  const plan_items *it = f->it;
  uint32_t first = it->first[i], last = it->last[i], hold = 0;
  uint32_t hold_count = plan_item_has_partners(it, i) ? collect_holds(f, i) : 0;
  size_t span = it->span[i], alignment = it->alignment[i], reach = 0, offset = 0;
  for (uint32_t k = 0; k < f->placed; k++) {
    const plan_box *box = &f->boxes[k];
    if (box->first > last || box->last < first) continue;
    if (hold_count > 0 && plan_find_partner(it->p, it->request[i], it->request[box->item])) continue;
    for (; hold < hold_count && f->holds[hold].top < box->offset; hold++) {
      if (offset + span <= f->holds[hold].top) return offset;
      if (f->holds[hold].reach > reach) reach = f->holds[hold].reach;
      offset = plan_align(reach, alignment);
    }
    if (offset + span <= box->offset) return offset;
    if (box->end <= reach) continue;
    reach = box->end;
    offset = plan_align(reach, alignment);
  }
  for (; hold < hold_count; hold++) {
    if (offset + span <= f->holds[hold].top) return offset;
    if (f->holds[hold].reach > reach) reach = f->holds[hold].reach;
    offset = plan_align(reach, alignment);
  }
  return offset;
}

bool plan_fit_run(plan_fit *f, const uint32_t *order, uint32_t count, size_t hopeless, uint64_t *work, uint64_t work_limit) {
  const plan_items *it = f->it;
  f->placed = 0;
  f->peak = 0;
  if (it->count > work_limit - *work) return false;
  *work += it->count;
  if (it->p->partner_start)
    for (uint32_t i = 0; i < it->count; i++) f->offset[i] = SIZE_MAX;
  for (uint32_t k = 0; k < it->fixed_count; k++)
    put_box(f, it->fixed[k], it->p->requests[it->request[it->fixed[k]]].fixed_offset);
  for (uint32_t k = 0; k < count; k++) {
    uint64_t step = f->placed + 8;
    if (step > work_limit - *work) return false;
    *work += step;
    size_t offset = lowest_offset(f, order[k]);
    if (offset > PLAN_LIMIT - it->span[order[k]]) return false;
    put_box(f, order[k], offset);
    if (f->peak >= hopeless) return false;
  }
  return true;
}
