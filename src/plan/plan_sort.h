// SPDX-License-Identifier: Apache-2.0
// Sorting indices in place, without recursion or memory of its own. Internal to plan/.
#ifndef PLAN_PLAN_SORT_H
#define PLAN_PLAN_SORT_H

#include "base/compiler.h"

// Whether item a goes before item b. Must be a total order: ties broken by index, so that the result depends on nothing else.
typedef bool (*plan_before)(const void *context, uint32_t a, uint32_t b);

void plan_sort(uint32_t *items, uint32_t count, plan_before before, const void *context);

#endif
