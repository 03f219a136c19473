// SPDX-License-Identifier: Apache-2.0
// What placing memory (place.c) and choosing an execution order (reorder.c) share. Nothing else includes it.
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

#include "graph/share.h"
#include "runtime/subgraph.h"

// The tensors and nodes that one planning looks at.
typedef struct place_scope {
  runtime_subgraph *sg;
  int first, end;      // positions of the execution plan
  size_t tensors, room;
  uint32_t pair_room;
} place_scope;

share_graph place_share_graph(const place_scope *scope);
size_t place_bytes(const void *scope, int tensor);  // to be planned now; 0: none

// Changes sg->plan to an order with a lower sum of live tensors, if a search finds one, for a subgraph that is wholly prepared and not yet placed.
// alias, lives and pairs: of the present order (share_compute). *peak: the largest sum of live buffers in the new order; SIZE_MAX: no change.
arn_status runtime_reorder(const place_scope *scope, const share_alias *alias, const lifetime *lives, const arn_plan_pair *pairs,
                           uint32_t pair_count, size_t *peak);

#endif
