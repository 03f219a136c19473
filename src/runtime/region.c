// SPDX-License-Identifier: Apache-2.0
// Dividing the first subgraph's memory over several regions.
#include "arenite/regions.h"

#include "runtime/place.h"

bool runtime_uses_regions(const place_scope *scope) {
  const runtime_subgraph *sg = scope->sg;
  return sg->interpreter->region_count > 0 && sg->index == 0 && scope->first == 0 && !sg->invoking;
}

arn_status runtime_divide(const place_scope *scope, const arn_plan_problem *problem, const uint32_t *accesses, uint32_t *region, size_t *offsets,
                          arn_memory_division *division) {
  arn_interpreter *in = scope->sg->interpreter;
  arn_region regions[ARN_MEMORY_REGIONS_MAX];
  for (int r = 0; r < in->region_count; r++) regions[r] = (arn_region){in->regions[r].bytes, in->regions[r].cost};
  *division = (arn_memory_division){.count = in->region_count};
  const arn_regions_problem divided = {problem, accesses, regions, (uint32_t)in->region_count};
  const arn_plan_options options = {.algorithm = in->planner};
  arn_regions_result result = {.region = region, .offsets = offsets, .peaks = division->used};
  size_t bytes = arn_regions_scratch_size(options.algorithm, problem->request_count, problem->pair_count);
  void *scratch = bytes < SIZE_MAX ? runtime_take(in, bytes, 1) : NULL;
  if (!scratch) return ARN_OUT_OF_MEMORY;
  arn_status status = arn_plan_regions(&divided, &options, scratch, bytes, &result);
  runtime_give(in, scratch, bytes, 1);
  division->cost = result.cost;
  division->cost_of_last = result.cost_of_last;
  if (status == ARN_ARENA_TOO_SMALL) return runtime_fail(scope->sg, -1, -1, status, "some tensor fits into none of the %d regions", in->region_count);
  return status;
}

arn_status runtime_take_regions(runtime_subgraph *sg, const arn_memory_division *division) {
  arn_interpreter *in = sg->interpreter;
  for (int r = 0; r < division->count; r++) {
    if (in->regions[r].memory) {
      in->region_memory[r] = in->regions[r].memory;
    } else if (division->used[r] > in->region_capacity[r]) {
      if (!runtime_within_limit(in, division->used[r] - in->region_capacity[r])) return runtime_arena_over_limit(sg, division->used[r], NULL, 0);
      base_release(in->allocator, in->region_memory[r]);
      in->arenas -= in->region_capacity[r];
      in->region_capacity[r] = 0;
      in->region_memory[r] = base_allocate(in->allocator, division->used[r], in->alignment > RUNTIME_ALIGNMENT ? in->alignment : RUNTIME_ALIGNMENT);
      if (!in->region_memory[r]) return runtime_fail(sg, -1, -1, ARN_OUT_OF_MEMORY, "the %zu bytes of region %d cannot be had", division->used[r], r);
      in->region_capacity[r] = division->used[r];
      in->arenas += division->used[r];
    }
    if (division->used[r]) memset(in->region_memory[r], 0, division->used[r]);
  }
  in->division = *division;
  return ARN_OK;
}

void runtime_release_regions(arn_interpreter *in) {
  for (int r = 0; r < in->region_count; r++) {
    if (!in->regions[r].memory) base_release(in->allocator, in->region_memory[r]);
  }
}

bool arn_memory_division_of(const arn_interpreter *in, arn_memory_division *division) {
  if (in->division.count == 0) return false;
  *division = in->division;
  return true;
}
