// SPDX-License-Identifier: Apache-2.0
// The memory planner, usable alone: requests with lifetimes go in, offsets in one arena come out. It knows no tensors and no
// graph, allocates nothing, keeps no state, and gives the same answer for the same problem everywhere.
//
//   arn_plan_request requests[N] = {{.size = 640, .fixed_offset = ARN_PLAN_ANYWHERE, .alignment = 16, .first = 0, .last = 1}, };
//   size_t offsets[N];
//   arn_plan_problem problem = {.requests = requests, .request_count = N};
//   arn_plan_options options = {.algorithm = ARN_PLAN_EXACT};
//   arn_plan_result result = {.offsets = offsets};
//   size_t scratch_size = arn_plan_scratch_size(ARN_PLAN_EXACT, N, 0);
//   arn_status status = arn_plan(&problem, &options, scratch, scratch_size, &result);   // result.peak bytes of arena suffice
//
// Planning on top of a plan: give what is placed its offset as fixed_offset and add the new requests. Several memories: plan
// each one's requests as a problem of its own, with the memory's size as the capacity.
#ifndef ARENITE_PLAN_H
#define ARENITE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// As fixed_offset: the planner chooses. In a pair: this way of overlapping is not allowed.
#define ARN_PLAN_ANYWHERE SIZE_MAX
#define ARN_PLAN_APART SIZE_MAX

// A range of bytes wanted during the steps first..last. Two requests whose lifetimes share a step get disjoint bytes, unless a
// pair says otherwise.
typedef struct arn_plan_request {
  size_t size;          // bytes; 0 takes no room and conflicts with nothing
  size_t fixed_offset;  // ARN_PLAN_ANYWHERE, or where it must stay: a multiple of alignment
  uint32_t alignment;   // the offset will be a multiple of this power of two
  uint32_t first;       // step of the first use
  uint32_t last;        // step of the last use, inclusive, at least first
} arn_plan_request;

// Two requests that may overlap although both are live: the output `a` and a dying input `b` of one operator. They may when
// offset[b] - offset[a] >= forward (a lies below b, the kernel runs from the first row on), or when offset[a] - offset[b] >=
// backward (b lies below a, the kernel runs from the last row back). Being disjoint is always allowed.
typedef struct arn_plan_pair {
  uint32_t a, b;    // indices of requests, different
  size_t forward;   // bytes, or ARN_PLAN_APART
  size_t backward;  // bytes, or ARN_PLAN_APART
} arn_plan_pair;

typedef struct arn_plan_problem {
  const arn_plan_request *requests;
  const arn_plan_pair *pairs;  // may be NULL when pair_count is 0; of two pairs for the same requests, either may be used
  uint32_t request_count;
  uint32_t pair_count;
} arn_plan_problem;

typedef enum arn_plan_algorithm {
  ARN_PLAN_DEFAULT = 0,  // the best there is: exact
  ARN_PLAN_LINEAR = 1,  // one after the other, nothing shared: for debugging
  ARN_PLAN_GREEDY = 2,  // largest first, each into the tightest gap that takes it (the rule of TFLite's arena planner)
  ARN_PLAN_SLOTS = 3,   // interval colouring: requests take turns in whole slots, offsets are few
  ARN_PLAN_EXACT = 4,   // greedy, then a bounded search that proves the optimum or says how far it may be
} arn_plan_algorithm;

typedef struct arn_plan_options {
  arn_plan_algorithm algorithm;
  size_t capacity;  // bytes the arena has; a larger plan is ARN_ARENA_TOO_SMALL. 0: no limit
  size_t target;    // exact: a peak this low is good enough, stop there. 0: look for the smallest
  uint64_t budget;  // exact: units of work after the greedy plan, never exceeded. 0: ARN_PLAN_DEFAULT_BUDGET
} arn_plan_options;

// Less than half a second on a desktop core; real models need a hundredth of it.
#define ARN_PLAN_DEFAULT_BUDGET 200000000u

typedef struct arn_plan_result {
  size_t *offsets;     // the caller's, request_count entries (NULL when there are none)
  size_t peak;         // bytes of arena the plan takes, rounded up to the smallest alignment among the requests
  size_t lower_bound;  // no plan takes less (same rounding)
  size_t padding;      // how many bytes less lower_bound would be if every alignment were 1
  uint64_t work;       // units the search used, at most the budget; 0 for the other algorithms
  bool proven;         // peak is the smallest possible
  uint32_t culprit;    // on ARN_INVALID_ARGUMENT: index of the request (or of the pair) that is wrong, else UINT32_MAX
} arn_plan_result;

// Bytes of scratch that arn_plan needs for so many requests and pairs; SIZE_MAX when that is not addressable. Any alignment of
// the scratch will do.
size_t arn_plan_scratch_size(arn_plan_algorithm algorithm, uint32_t request_count, uint32_t pair_count);

// Plans. Writes result->offsets and the figures; a result is complete on ARN_OK and on ARN_ARENA_TOO_SMALL.
//   ARN_INVALID_ARGUMENT  a malformed request or pair, two fixed requests in each other's way (culprit); no such algorithm
//   ARN_ARENA_TOO_SMALL   the plan found is larger than options->capacity (look at lower_bound: below it nothing can fit)
//   ARN_OUT_OF_MEMORY     scratch_size is less than arn_plan_scratch_size, or the plan is beyond a quarter of the address space
arn_status arn_plan(const arn_plan_problem *problem, const arn_plan_options *options, void *scratch, size_t scratch_size,
                    arn_plan_result *result);

// Checks a plan against its problem by looking at every two requests, independently of how it was made. On
// ARN_INVALID_ARGUMENT, *a and *b (when not NULL) are the requests in each other's way, or both the request that is misaligned,
// off its fixed offset or out of the address space. Takes O(request_count^2 + overlapping requests x pairs), no scratch.
arn_status arn_plan_verify(const arn_plan_problem *problem, const size_t *offsets, uint32_t *a, uint32_t *b);

// The short text of an algorithm ("greedy"), as options name it; NULL when unknown.
const char *arn_plan_algorithm_name(arn_plan_algorithm algorithm);

#ifdef __cplusplus
}
#endif
#endif
