// SPDX-License-Identifier: Apache-2.0
// Dividing requests over several memories: the hottest first into the cheapest one that still has room.
#include "arenite/regions.h"

#include <string.h>

#include "base/checked.h"

enum { REGIONS_MAX = 8 };
#define REGION_NONE UINT32_MAX

typedef struct regions_work {
  const arn_regions_problem *problem;
  uint32_t *by_heat;            // requests, hottest first
  uint32_t *local;              // by request: its index in `part`
  arn_plan_request *part;       // the requests of the region at hand
  arn_plan_pair *pairs;
  size_t *offsets;
  void *scratch;
  size_t scratch_size;
} regions_work;

static bool add_array(size_t *total, size_t count, size_t size) {
  size_t bytes;
  return checked_mul(count, size, &bytes) && checked_align(bytes, sizeof(uint64_t), &bytes) && checked_add(*total, bytes, total);
}

// The room of everything but the planner's scratch, plus what aligning the caller's block may take.
static bool own_bytes(uint32_t requests, uint32_t pairs, size_t *bytes) {
  *bytes = sizeof(uint64_t);
  return add_array(bytes, requests, sizeof(uint32_t)) && add_array(bytes, requests, sizeof(uint32_t)) &&
         add_array(bytes, requests, sizeof(arn_plan_request)) && add_array(bytes, pairs, sizeof(arn_plan_pair)) &&
         add_array(bytes, requests, sizeof(size_t));
}

size_t arn_regions_scratch_size(arn_plan_algorithm algorithm, uint32_t request_count, uint32_t pair_count) {
  size_t bytes, greedy = arn_plan_scratch_size(ARN_PLAN_GREEDY, request_count, pair_count), last = arn_plan_scratch_size(algorithm, request_count, pair_count);
  size_t larger = greedy > last ? greedy : last;
  return own_bytes(request_count, pair_count, &bytes) && checked_add(bytes, larger, &bytes) ? bytes : SIZE_MAX;
}

static void *carve(uint8_t **at, size_t count, size_t size) {
  void *start = *at;
  *at += (count * size + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
  return start;
}

static void set_up(regions_work *w, void *scratch, size_t scratch_size) {
  const arn_plan_problem *p = w->problem->requests;
  uint8_t *at = (uint8_t *)(((uintptr_t)scratch + sizeof(uint64_t) - 1) & ~(uintptr_t)(sizeof(uint64_t) - 1));
  w->by_heat = carve(&at, p->request_count, sizeof *w->by_heat);
  w->local = carve(&at, p->request_count, sizeof *w->local);
  w->part = carve(&at, p->request_count, sizeof *w->part);
  w->pairs = carve(&at, p->pair_count, sizeof *w->pairs);
  w->offsets = carve(&at, p->request_count, sizeof *w->offsets);
  w->scratch = at;
  w->scratch_size = scratch_size - (size_t)(at - (uint8_t *)scratch);
}

// More accesses for each step that the memory is held; then the earlier request.
static bool hotter(const regions_work *w, uint32_t a, uint32_t b) {
  const arn_plan_request *x = &w->problem->requests->requests[a], *y = &w->problem->requests->requests[b];
  uint64_t left = (uint64_t)w->problem->accesses[a] * ((uint64_t)y->last - y->first + 1);
  uint64_t right = (uint64_t)w->problem->accesses[b] * ((uint64_t)x->last - x->first + 1);
  return left != right ? left > right : a < b;
}

static void sift(regions_work *w, uint32_t root, uint32_t count) {
  for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && hotter(w, w->by_heat[child], w->by_heat[child + 1])) child++;
    if (!hotter(w, w->by_heat[root], w->by_heat[child])) return;
    uint32_t swap = w->by_heat[root];
    w->by_heat[root] = w->by_heat[child];
    w->by_heat[child] = swap;
  }
}

static void sort_by_heat(regions_work *w) {  // a heap sort: the coldest goes to the end
  uint32_t n = w->problem->requests->request_count;
  for (uint32_t i = 0; i < n; i++) w->by_heat[i] = i;
  for (uint32_t i = n / 2; i-- > 0;) sift(w, i, n);
  for (uint32_t i = n; i-- > 1;) {
    uint32_t swap = w->by_heat[0];
    w->by_heat[0] = w->by_heat[i];
    w->by_heat[i] = swap;
    sift(w, 0, i);
  }
}

// Plans the requests that are in `region`; their offsets go to w->offsets, in the order of w->local.
static arn_status plan_part(regions_work *w, const uint32_t *region, uint32_t which, const arn_plan_options *options, arn_plan_result *result) {
  const arn_plan_problem *all = w->problem->requests;
  arn_plan_problem part = {.requests = w->part, .pairs = w->pairs};
  for (uint32_t i = 0; i < all->request_count; i++) {
    if (region[i] != which) continue;
    w->local[i] = part.request_count;
    w->part[part.request_count++] = all->requests[i];
  }
  for (uint32_t i = 0; i < all->pair_count; i++) {
    arn_plan_pair pair = all->pairs[i];
    if (region[pair.a] != which || region[pair.b] != which) continue;
    pair.a = w->local[pair.a], pair.b = w->local[pair.b];
    w->pairs[part.pair_count++] = pair;
  }
  *result = (arn_plan_result){.offsets = w->offsets};
  return arn_plan(&part, options, w->scratch, w->scratch_size, result);
}

static uint32_t next_region(const arn_regions_problem *problem, uint32_t done) {
  uint32_t best = REGION_NONE;
  for (uint32_t r = 0; r < problem->region_count; r++) {
    if (done >> r & 1) continue;
    if (best == REGION_NONE || problem->regions[r].cost < problem->regions[best].cost) best = r;
  }
  return best;
}

// Fills one region from what is left. Greedy placement decides what fits: the final plan is never larger.
static arn_status fill_region(regions_work *w, uint32_t *region, uint32_t which) {
  const size_t capacity = w->problem->regions[which].capacity;
  const arn_plan_options greedy = {.algorithm = ARN_PLAN_GREEDY, .capacity = capacity};
  arn_plan_result result;
  for (uint32_t i = 0; i < w->problem->requests->request_count; i++) {
    uint32_t request = w->by_heat[i];
    if (region[request] != REGION_NONE) continue;
    region[request] = which;
    if (capacity == 0) continue;
    arn_status status = plan_part(w, region, which, &greedy, &result);
    if (status == ARN_ARENA_TOO_SMALL) region[request] = REGION_NONE;
    else if (status != ARN_OK) return status;
  }
  return ARN_OK;
}

static arn_status place_region(regions_work *w, const arn_plan_options *options, uint32_t which, arn_regions_result *result) {
  arn_plan_options rules = *options;
  arn_plan_result plan;
  rules.capacity = w->problem->regions[which].capacity;
  arn_status status = plan_part(w, result->region, which, &rules, &plan);
  if (status == ARN_ARENA_TOO_SMALL) {  // a coarser algorithm was asked for: what fitted greedily stays
    rules.algorithm = ARN_PLAN_GREEDY;
    status = plan_part(w, result->region, which, &rules, &plan);
  }
  if (status != ARN_OK) return status;
  result->peaks[which] = plan.peak;
  for (uint32_t i = 0; i < w->problem->requests->request_count; i++) {
    if (result->region[i] == which) result->offsets[i] = w->offsets[w->local[i]];
  }
  return ARN_OK;
}

static bool well_formed(const arn_regions_problem *problem) {
  const arn_plan_problem *p = problem->requests;
  if (problem->region_count == 0 || problem->region_count > REGIONS_MAX) return false;
  for (uint32_t i = 0; i < p->request_count; i++) {
    if (p->requests[i].fixed_offset != ARN_PLAN_ANYWHERE || p->requests[i].last < p->requests[i].first) return false;
  }
  for (uint32_t i = 0; i < p->pair_count; i++) {
    if (p->pairs[i].a >= p->request_count || p->pairs[i].b >= p->request_count) return false;
  }
  return true;
}

arn_status arn_plan_regions(const arn_regions_problem *problem, const arn_plan_options *options, void *scratch, size_t scratch_size,
                            arn_regions_result *result) {
  const arn_plan_problem *p = problem->requests;
  if (!well_formed(problem)) return ARN_INVALID_ARGUMENT;
  if (scratch_size < arn_regions_scratch_size(options->algorithm, p->request_count, p->pair_count)) return ARN_OUT_OF_MEMORY;
  regions_work w = {.problem = problem};
  set_up(&w, scratch, scratch_size);
  sort_by_heat(&w);
  for (uint32_t i = 0; i < p->request_count; i++) result->region[i] = REGION_NONE;
  uint32_t done = 0, costliest = 0;
  for (uint32_t r; (r = next_region(problem, done)) != REGION_NONE; done |= 1u << r) {
    arn_status status = fill_region(&w, result->region, r);
    if (status == ARN_OK) status = place_region(&w, options, r, result);
    if (status != ARN_OK) return status;
    costliest = r;
  }
  result->cost = result->cost_of_last = 0;
  for (uint32_t i = 0; i < p->request_count; i++) {
    if (result->region[i] == REGION_NONE) return ARN_ARENA_TOO_SMALL;
    double bytes = (double)p->requests[i].size * problem->accesses[i];
    result->cost += bytes * (double)problem->regions[result->region[i]].cost;
    result->cost_of_last += bytes * (double)problem->regions[costliest].cost;
  }
  return ARN_OK;
}
