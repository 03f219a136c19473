// SPDX-License-Identifier: Apache-2.0
// Requests already placed, in the order of their offsets, and the gaps they leave for another one. Internal to plan/.
#ifndef PLAN_PLAN_SHELF_H
#define PLAN_PLAN_SHELF_H

#include "plan/plan_crowd.h"

// Up to so many requests a list will do; on a micro target it must always.
enum { PLAN_SHELF_LIST_MAX = 1000 };

// Part of a partner's hold on the offsets of the request being placed.
typedef struct plan_barrier {
  size_t top;    // offset + span must not pass this to stay below
  size_t reach;  // least offset to stay above
} plan_barrier;

typedef struct plan_shelf {
  const plan_problem *problem;
  const size_t *offsets;   // by request; those on the shelf
  bool *placed;            // by request
  plan_barrier *barriers;  // room for the partners of one request
  uint32_t *next;          // by request: the next one up, PLAN_NONE at the end. NULL when crowded
  uint32_t head;
  plan_crowd crowd;        // instead of the list
} plan_shelf;

void plan_shelf_init(plan_shelf *shelf, const plan_problem *p, const size_t *offsets, arena *scratch);
size_t plan_shelf_scratch(uint32_t count, uint32_t pairs);
void plan_shelf_insert(plan_shelf *shelf, uint32_t request);  // its offset is set

// Walks up the free ranges for one request.
typedef struct plan_gap_walk {
  plan_shelf *shelf;
  uint32_t request;
  uint32_t node;           // next placed request to look at, and its bytes
  size_t node_offset, node_end;
  uint32_t found, looked;  // in a crowd: neighbours found, and looked at
  uint32_t barrier_count, barrier;
  size_t span;
  size_t reach;            // everything below is taken or has been reported
  bool done;
} plan_gap_walk;

// A free range: the request may have the offset `offset`.
typedef struct plan_gap {
  size_t offset;
  size_t room;  // bytes from the end of what lies below to the start of what lies above; SIZE_MAX at the top
} plan_gap;

void plan_gap_start(plan_gap_walk *walk, plan_shelf *shelf, uint32_t request);
// The next gap that takes the request, lowest first; the open top is the last one. False after that. Among more than
// PLAN_CROWD_ALL neighbours only the gaps near the top are reported.
bool plan_gap_next(plan_gap_walk *walk, plan_gap *gap);

#endif
