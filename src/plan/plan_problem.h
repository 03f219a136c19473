// SPDX-License-Identifier: Apache-2.0
// A checked problem, as the planners see it: sizes rounded to whole grains, pairs by request. Internal to plan/.
//
// The grain is the smallest alignment among the requests that take room. Every offset is a multiple of it, so rounding sizes up
// to it changes no answer but the last grain of the arena; spans, distances, peaks and bounds are all whole grains.
#ifndef PLAN_PLAN_PROBLEM_H
#define PLAN_PLAN_PROBLEM_H

#include "arenite/plan.h"
#include "base/arena.h"

// Offsets and ends stay at or below this, so that end + span and a rounded-up offset cannot overflow.
#define PLAN_LIMIT (SIZE_MAX / 4)
#define PLAN_NONE UINT32_MAX

// The other request of a pair, seen from one of them.
typedef struct plan_partner {
  uint32_t other;
  size_t below;  // least offset[other] - offset[this] when this one lies below; its span when there is no overlap that way
  size_t above;  // least offset[this] - offset[other] when this one lies above
} plan_partner;

typedef struct plan_problem {
  const arn_plan_request *requests;
  uint32_t count;
  uint32_t most_partners;  // of one request
  size_t grain;
  const uint32_t *partner_start;  // count + 1 entries into partners; NULL without pairs
  const plan_partner *partners;
} plan_problem;

static inline size_t plan_align(size_t value, size_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }
static inline size_t plan_span(const plan_problem *p, uint32_t i) { return plan_align(p->requests[i].size, p->grain); }
static inline bool plan_is_fixed(const plan_problem *p, uint32_t i) { return p->requests[i].fixed_offset != ARN_PLAN_ANYWHERE; }
static inline bool plan_live_together(const plan_problem *p, uint32_t i, uint32_t j) {
  return p->requests[i].first <= p->requests[j].last && p->requests[j].first <= p->requests[i].last;
}
static inline const plan_partner *plan_partners_begin(const plan_problem *p, uint32_t i) {
  return p->partner_start ? p->partners + p->partner_start[i] : NULL;
}
static inline const plan_partner *plan_partners_end(const plan_problem *p, uint32_t i) {
  return p->partner_start ? p->partners + p->partner_start[i + 1] : NULL;
}
// How the two are paired, or NULL.
const plan_partner *plan_find_partner(const plan_problem *p, uint32_t i, uint32_t other);

// Bytes that a pair can save: both spans less the shortest stretch that holds them.
size_t plan_pair_saving(size_t span, size_t other_span, size_t below, size_t above);

// Checks the caller's problem and builds the view in scratch. On ARN_INVALID_ARGUMENT *culprit is the request or pair.
arn_status plan_problem_init(plan_problem *p, const arn_plan_problem *problem, arena *scratch, uint32_t *culprit);
size_t plan_problem_scratch(uint32_t count, uint32_t pairs);  // what init takes at most; SIZE_MAX: not addressable

// The largest end among offsets.
size_t plan_peak(const plan_problem *p, const size_t *offsets);

// plan_bound.c: no plan can be smaller than *bound. With `raw`, as if every alignment were 1. False on overflow.
bool plan_lower_bound(const plan_problem *p, bool raw, arena *scratch, size_t *bound);
size_t plan_bound_scratch(uint32_t count, uint32_t pairs);

// plan_fixed.c: false when two fixed requests collide; *culprit is the later one.
bool plan_fixed_agree(const plan_problem *p, arena *scratch, uint32_t *culprit);
size_t plan_fixed_scratch(uint32_t count);

// The algorithms. Each writes count offsets, and returns false when an offset would pass PLAN_LIMIT.
bool plan_linear(const plan_problem *p, size_t *offsets);
bool plan_greedy(const plan_problem *p, arena *scratch, size_t *offsets);
size_t plan_greedy_scratch(uint32_t count, uint32_t pairs);
bool plan_slots(const plan_problem *p, arena *scratch, size_t *offsets);
size_t plan_slots_scratch(uint32_t count, uint32_t pairs);
// Also raises result->lower_bound when the search refutes it, and sets result->work.
bool plan_exact(const plan_problem *p, const arn_plan_options *options, arena *scratch, arn_plan_result *result);
size_t plan_exact_scratch(uint32_t count, uint32_t pairs);

// Sums of scratch sizes that stick at SIZE_MAX. An array's share includes room to align it.
static inline size_t plan_scratch_add(size_t total, size_t more) { return more > SIZE_MAX - total ? SIZE_MAX : total + more; }
static inline size_t plan_scratch_array(size_t total, size_t count, size_t size) {
  if (count > (SIZE_MAX - 16) / size) return SIZE_MAX;
  return plan_scratch_add(total, count * size + 16);
}
#define PLAN_TAKE(scratch, type, count) ((type *)arena_head((scratch), (size_t)(count) * sizeof(type), _Alignof(type)))

#endif
