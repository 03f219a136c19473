// SPDX-License-Identifier: Apache-2.0
// Placed requests from the top down.
#include "plan/plan_tops.h"

#include <string.h>

#include "plan/plan_bits.h"

static uint32_t bucket_of(const plan_tops *t, uint32_t step) {
  uint32_t low = 0, high = PLAN_TOPS_BUCKETS;  // the last bucket that begins at or before the step
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (t->limits[middle] <= step) low = middle;
    else high = middle;
  }
  return low;
}

static uint64_t *masks_of(uint64_t *masks, const plan_tops *t, uint32_t bucket) {
  return masks + (size_t)bucket * t->block_room;
}

static plan_tops_slot *slots_at(const plan_tops *t, uint32_t position) {
  return t->slots + (size_t)t->order[position] * PLAN_TOPS_SLOTS;
}

// A block is split when it is full, so all but the first one are at least half full.
static uint32_t most_blocks(uint32_t count) { return count / (PLAN_TOPS_SLOTS / 2) + 2; }

void plan_tops_init(plan_tops *t, const plan_problem *p, const uint32_t *sorted, uint32_t count, arena *scratch) {
  memset(t, 0, sizeof *t);
  size_t room = t->block_room = most_blocks(count);
  t->order = PLAN_TAKE(scratch, uint32_t, room);
  t->fill = PLAN_TAKE(scratch, uint8_t, room);
  t->slots = PLAN_TAKE(scratch, plan_tops_slot, room * PLAN_TOPS_SLOTS);
  t->starts = PLAN_TAKE(scratch, uint64_t, room * PLAN_TOPS_BUCKETS);
  t->ends = PLAN_TAKE(scratch, uint64_t, room * PLAN_TOPS_BUCKETS);
  t->limits = PLAN_TAKE(scratch, uint32_t, PLAN_TOPS_BUCKETS);
  t->limits[0] = 0;
  t->order[0] = t->fill[0] = 0;
  t->block_count = 1;
  for (uint32_t b = 0; b < PLAN_TOPS_BUCKETS; b++) {
    masks_of(t->starts, t, b)[0] = masks_of(t->ends, t, b)[0] = 0;
    if (b > 0) t->limits[b] = count > 0 ? p->requests[sorted[(uint64_t)count * b / PLAN_TOPS_BUCKETS]].first : 0;
  }
}

size_t plan_tops_scratch(uint32_t count) {
  size_t blocks = most_blocks(count);
  size_t total = plan_scratch_array(0, blocks, sizeof(uint32_t) + sizeof(uint8_t));
  total = plan_scratch_array(total, blocks, PLAN_TOPS_SLOTS * sizeof(plan_tops_slot));
  total = plan_scratch_array(total, blocks, 2 * PLAN_TOPS_BUCKETS * sizeof(uint64_t));
  total = plan_scratch_array(total, PLAN_TOPS_BUCKETS, sizeof(uint32_t));
  return plan_scratch_add(total, 2 * 16);  // the alignment of the arrays that share a line above
}

// Moves the lower half of a full block into a new one behind it.
static void split_block(plan_tops *t, uint32_t position) {
  const uint32_t half = PLAN_TOPS_SLOTS / 2;
  uint32_t full = t->order[position], added = t->block_count++;
  memmove(&t->order[position + 2], &t->order[position + 1], (t->block_count - position - 2) * sizeof *t->order);
  t->order[position + 1] = added;
  memcpy(slots_at(t, position + 1), slots_at(t, position) + half, half * sizeof *t->slots);
  t->fill[full] = t->fill[added] = (uint8_t)half;
  for (uint32_t b = 0; b < PLAN_TOPS_BUCKETS; b++) {
    uint64_t *starts = masks_of(t->starts, t, b), *ends = masks_of(t->ends, t, b);
    starts[added] = starts[full] >> half;
    starts[full] &= ((uint64_t)1 << half) - 1;
    ends[added] = ends[full] >> half;
    ends[full] &= ((uint64_t)1 << half) - 1;
  }
}

static uint64_t insert_bit(uint64_t mask, uint32_t at, bool bit) {
  uint64_t below = ((uint64_t)1 << at) - 1;
  return (mask & below) | (mask & ~below) << 1 | (uint64_t)bit << at;
}

void plan_tops_insert(plan_tops *t, const plan_problem *p, uint32_t request, size_t offset) {
  const arn_plan_request *r = &p->requests[request];
  size_t end = offset + plan_span(p, request);
  uint32_t low = 0, high = t->block_count;  // the last block that begins at or above the end
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (slots_at(t, middle)[0].end >= end) low = middle;
    else high = middle;
  }
  if (t->fill[t->order[low]] == PLAN_TOPS_SLOTS) {
    split_block(t, low);
    if (slots_at(t, low + 1)[0].end >= end) low++;
  }
  uint32_t block = t->order[low], at = 0, fill = t->fill[block]++;
  plan_tops_slot *slots = slots_at(t, low);
  while (at < fill && slots[at].end >= end) at++;
  memmove(&slots[at + 1], &slots[at], (fill - at) * sizeof *slots);
  slots[at] = (plan_tops_slot){end, r->first, r->last, request};
  uint32_t first = bucket_of(t, r->first), last = bucket_of(t, r->last);
  for (uint32_t b = 0; b < PLAN_TOPS_BUCKETS; b++) {
    uint64_t *starts = &masks_of(t->starts, t, b)[block], *ends = &masks_of(t->ends, t, b)[block];
    *starts = insert_bit(*starts, at, first <= b);
    *ends = insert_bit(*ends, at, last >= b);
  }
}

static uint64_t block_mask(const plan_tops_walk *walk) {
  const plan_tops *t = walk->tops;
  uint32_t block = t->order[walk->position];
  return masks_of(t->starts, t, walk->last_bucket)[block] & masks_of(t->ends, t, walk->first_bucket)[block];
}

void plan_tops_start(plan_tops_walk *walk, const plan_tops *t, uint32_t first, uint32_t last) {
  *walk = (plan_tops_walk){.tops = t, .first = first, .last = last};
  walk->first_bucket = bucket_of(t, first);
  walk->last_bucket = bucket_of(t, last);
  walk->mask = block_mask(walk);
}

const plan_tops_slot *plan_tops_next(plan_tops_walk *walk) {
  const plan_tops *t = walk->tops;
  for (;;) {
    while (walk->mask == 0) {
      if (walk->position + 1 >= t->block_count) return NULL;
      walk->position++;
      walk->mask = block_mask(walk);
    }
    const plan_tops_slot *slot = slots_at(t, walk->position) + plan_lowest_bit(walk->mask);
    walk->mask &= walk->mask - 1;
    if (slot->first <= walk->last && walk->first <= slot->last) return slot;
  }
}
