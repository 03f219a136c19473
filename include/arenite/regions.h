// SPDX-License-Identifier: Apache-2.0
// Planning over several memories (fast and small, slow and large): which request goes where, and its offset there. Usable alone, like arenite/plan.h.
#ifndef ARENITE_REGIONS_H
#define ARENITE_REGIONS_H

#include "arenite/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_region {
  size_t capacity;  // bytes; 0: without limit
  float cost;       // of one access to one byte, in any unit: fast memory costs less
} arn_region;

typedef struct arn_regions_problem {
  const arn_plan_problem *requests;  // fixed offsets are not supported
  const uint32_t *accesses;          // by request: how often each of its bytes is read or written during the plan's steps
  const arn_region *regions;         // the order of preference follows from their costs
  uint32_t region_count;             // at most 8
} arn_regions_problem;

typedef struct arn_regions_result {
  uint32_t *region;  // the caller's, by request
  size_t *offsets;   // the caller's, by request: within its region
  size_t *peaks;     // the caller's, by region: bytes used
  double cost;       // sum over requests of size x accesses x the region's cost
  double cost_of_last;  // the same with everything in the costliest region
} arn_regions_result;

// Bytes of scratch for so many requests and pairs; SIZE_MAX when that is not addressable.
size_t arn_regions_scratch_size(arn_plan_algorithm algorithm, uint32_t request_count, uint32_t pair_count);

// Gives the cheapest region to the requests with the most accesses for the time that they hold the memory, as many as fit, the next region to the
// next ones, and so on; then plans each region with options->algorithm (options->capacity is not read). Requests of different regions do not share: their
// pairs are dropped.
//   ARN_INVALID_ARGUMENT  a malformed request, a fixed offset, no region or more than 8
//   ARN_ARENA_TOO_SMALL   some request fits nowhere
//   ARN_OUT_OF_MEMORY     scratch_size is less than arn_regions_scratch_size
arn_status arn_plan_regions(const arn_regions_problem *problem, const arn_plan_options *options, void *scratch, size_t scratch_size,
                            arn_regions_result *result);

#ifdef __cplusplus
}
#endif
#endif
