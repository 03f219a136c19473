// SPDX-License-Identifier: Apache-2.0
// What placing memory (place.c) and choosing an execution order (reorder.c) share. Nothing else includes it.
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

#include "arenite/replan.h"
#include "graph/share.h"
#include "runtime/subgraph.h"

// The tensors and nodes that one planning looks at.
typedef struct place_scope {
  runtime_subgraph *sg;
  int first, end;      // positions of the execution plan
  int segment;         // -1: what is not placed yet; else what lies in that segment
  size_t tensors, room;
  uint32_t pair_room;
} place_scope;

share_graph place_share_graph(const place_scope *scope);
size_t place_bytes(const void *scope, int tensor);  // to be planned now; 0: none

// Changes sg->plan to an order with a lower sum of live tensors, if a search finds one, for a subgraph that is wholly prepared and not yet placed.
// alias, lives and pairs: of the present order (share_compute). *peak: the largest sum of live buffers in the new order; SIZE_MAX: no change.
arn_status runtime_reorder(const place_scope *scope, const share_alias *alias, const lifetime *lives, const arn_plan_pair *pairs,
                           uint32_t pair_count, size_t *peak);

arn_status runtime_compute_lifetimes(runtime_subgraph *sg);  // into sg->places, from the present order and options

// ---- Several regions (region.c). ----
// Whether a scope's plan is divided over the interpreter's regions.
bool runtime_uses_regions(const place_scope *scope);
// Divides a planned problem: region and offset by request, what each region takes into *division.
arn_status runtime_divide(const place_scope *scope, const arn_plan_problem *problem, const uint32_t *accesses, uint32_t *region, size_t *offsets,
                          arn_memory_division *division);
arn_status runtime_take_regions(runtime_subgraph *sg, const arn_memory_division *division);  // makes region_memory large enough, and clears it
void runtime_release_regions(arn_interpreter *in);

// ---- The shared arena (shared_arena.c); `arena` may be NULL where a count is asked for. ----
size_t runtime_arena_ranges(const arn_arena *arena);        // requests that others' ranges make at most
uint32_t runtime_arena_owners(const arn_interpreter *in);   // other interpreters in it: extra steps behind the plan's own
// Requests with fixed offsets for everything that the plan of a segment must go around; steps: of the plan itself.
uint32_t runtime_arena_requests(const arn_interpreter *in, const runtime_subgraph *sg, int segment, uint32_t steps, arn_plan_request *requests);
uint8_t *runtime_arena_memory(const arn_arena *arena, size_t peak);  // NULL: too small
size_t runtime_arena_capacity(const arn_arena *arena);
arn_status runtime_arena_keep(runtime_subgraph *sg, int segment);  // records what a placed segment uses and keeps
void runtime_arena_forget(arn_interpreter *in, const runtime_subgraph *sg, int segment);  // from that segment on; sg NULL: everything

#endif
