// SPDX-License-Identifier: Apache-2.0
// Placed requests by their ends, walked from the top down; the walk skips 64 at a time those that share no step with a request.
// Internal to plan/.
#ifndef PLAN_PLAN_TOPS_H
#define PLAN_PLAN_TOPS_H

#include "plan/plan_problem.h"

enum { PLAN_TOPS_SLOTS = 64, PLAN_TOPS_BUCKETS = 64 };

typedef struct plan_tops_slot {
  size_t end;
  uint32_t first, last, request;
} plan_tops_slot;

// Blocks of up to 64 requests, each block below the one before it in `order`. Time is cut into buckets in which about as many
// requests start; two masks a block and bucket tell which of its requests may be live there.
typedef struct plan_tops {
  uint32_t *order;
  uint32_t block_count, block_room;
  uint8_t *fill;          // by block
  plan_tops_slot *slots;  // by block, PLAN_TOPS_SLOTS each, the topmost first
  uint64_t *starts;       // by bucket and block: slots that start in this bucket or before
  uint64_t *ends;         // by bucket and block: slots that end in this bucket or after
  uint32_t *limits;       // by bucket: its first step
} plan_tops;

typedef struct plan_tops_walk {
  const plan_tops *tops;
  uint32_t first, last;  // steps
  uint32_t first_bucket, last_bucket;
  uint32_t position;     // in order
  uint64_t mask;         // slots of the block there that are still to be looked at
} plan_tops_walk;

// sorted: all requests that may be inserted, by start.
void plan_tops_init(plan_tops *t, const plan_problem *p, const uint32_t *sorted, uint32_t count, arena *scratch);
size_t plan_tops_scratch(uint32_t count);
void plan_tops_insert(plan_tops *t, const plan_problem *p, uint32_t request, size_t offset);
void plan_tops_start(plan_tops_walk *walk, const plan_tops *t, uint32_t first, uint32_t last);
// The next request down that shares a step; NULL at the end.
const plan_tops_slot *plan_tops_next(plan_tops_walk *walk);

#endif
