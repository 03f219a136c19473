// SPDX-License-Identifier: Apache-2.0
// First fit over items: each, in a given order, at its lowest free offset. Internal to plan/.
#ifndef PLAN_PLAN_FIT_H
#define PLAN_PLAN_FIT_H

#include "plan/plan_items.h"

typedef struct plan_box {  // a placed item
  size_t offset, end;
  uint32_t first, last, item;
} plan_box;

typedef struct plan_hold {  // what a placed partner allows: an end up to top, or an offset from reach on
  size_t top, reach;
} plan_hold;

typedef struct plan_fit {
  const plan_items *it;
  plan_box *boxes;   // by offset
  plan_hold *holds;  // the partners of the item being placed
  size_t *offset;    // by item
  uint32_t placed;
  size_t peak;
} plan_fit;

void plan_fit_init(plan_fit *f, const plan_items *it, arena *scratch);
size_t plan_fit_scratch(uint32_t count, uint32_t pairs);
// Places `count` items; fixed ones come first and need not be in the order. Adds to *work as it goes, and stops with false when
// the next step would pass work_limit, or when the peak reaches `hopeless`. Then f->offset is incomplete.
bool plan_fit_run(plan_fit *f, const uint32_t *order, uint32_t count, size_t hopeless, uint64_t *work, uint64_t work_limit);

#endif
