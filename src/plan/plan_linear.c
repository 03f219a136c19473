// SPDX-License-Identifier: Apache-2.0
// Linear: every request has bytes of its own, one after the other, above the fixed ones. A plan in which no wrong lifetime can
// do harm, to find out whether one does.
#include "plan/plan_problem.h"

bool plan_linear(const plan_problem *p, size_t *offsets) {
  size_t top = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!plan_is_fixed(p, i)) continue;
    offsets[i] = p->requests[i].fixed_offset;
    size_t end = offsets[i] + plan_span(p, i);
    if (p->requests[i].size > 0 && end > top) top = end;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (plan_is_fixed(p, i)) continue;
    offsets[i] = 0;
    if (p->requests[i].size == 0) continue;
    offsets[i] = plan_align(top, p->requests[i].alignment);
    if (offsets[i] > PLAN_LIMIT - plan_span(p, i)) return false;
    top = offsets[i] + plan_span(p, i);
  }
  return true;
}
