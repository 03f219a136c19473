// SPDX-License-Identifier: Apache-2.0
// Plans over several memories: hot requests in the fast one, every region's plan valid and within its capacity.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/regions.h"

enum { MAX = 40 };

static uint32_t random_state = 11;
static uint32_t draw(uint32_t below) { return (random_state = random_state * 1664525u + 1013904223u) % 65536 * below / 65536; }

static arn_plan_request request(size_t size, uint32_t first, uint32_t last) {
  return (arn_plan_request){.size = size, .fixed_offset = ARN_PLAN_ANYWHERE, .alignment = 16, .first = first, .last = last};
}

static arn_status run(const arn_regions_problem *problem, arn_plan_algorithm algorithm, arn_regions_result *result) {
  size_t size = arn_regions_scratch_size(algorithm, problem->requests->request_count, problem->requests->pair_count);
  void *scratch = malloc(size);
  arn_status status = arn_plan_regions(problem, &(arn_plan_options){.algorithm = algorithm}, scratch, size, result);
  if (size > 1) assert_int_equal(arn_plan_regions(problem, &(arn_plan_options){.algorithm = algorithm}, scratch, size - 1, result), ARN_OUT_OF_MEMORY);
  status = arn_plan_regions(problem, &(arn_plan_options){.algorithm = algorithm}, scratch, size, result);
  free(scratch);
  return status;
}

static void the_hottest_take_the_fast_memory(void **state) {
  (void)state;
  // Two that live together all the time; the one used at every step belongs into the fast memory, which has room for one.
  arn_plan_request requests[] = {request(64, 0, 9), request(64, 0, 9), request(64, 3, 4)};
  uint32_t accesses[] = {1, 10, 1}, region[3];
  size_t offsets[3], peaks[2];
  const arn_region regions[] = {{0, 10.0f}, {64, 1.0f}};
  arn_plan_problem plan = {.requests = requests, .request_count = 3};
  arn_regions_problem problem = {&plan, accesses, regions, 2};
  arn_regions_result result = {.region = region, .offsets = offsets, .peaks = peaks};
  assert_int_equal(run(&problem, ARN_PLAN_EXACT, &result), ARN_OK);
  assert_int_equal(region[1], 1);
  assert_int_equal(region[0], 0);
  assert_int_equal(region[2], 0);
  assert_int_equal(peaks[1], 64);
  assert_int_equal(peaks[0], 128);
  assert_true(result.cost == 64.0 * 10 * 1 + 64.0 * 1 * 10 + 64.0 * 1 * 10);
  assert_true(result.cost_of_last == 64.0 * 12 * 10);
}

static void nothing_fits_is_said(void **state) {
  (void)state;
  arn_plan_request requests[] = {request(100, 0, 0)};
  uint32_t accesses[] = {1}, region[1];
  size_t offsets[1], peaks[2];
  const arn_region regions[] = {{64, 1.0f}, {96, 2.0f}};
  arn_plan_problem plan = {.requests = requests, .request_count = 1};
  arn_regions_problem problem = {&plan, accesses, regions, 2};
  arn_regions_result result = {.region = region, .offsets = offsets, .peaks = peaks};
  assert_int_equal(run(&problem, ARN_PLAN_GREEDY, &result), ARN_ARENA_TOO_SMALL);
  requests[0].fixed_offset = 0;
  assert_int_equal(arn_plan_regions(&problem, &(arn_plan_options){0}, NULL, 0, &result), ARN_INVALID_ARGUMENT);
  requests[0].fixed_offset = ARN_PLAN_ANYWHERE, problem.region_count = 0;
  assert_int_equal(arn_plan_regions(&problem, &(arn_plan_options){0}, NULL, 0, &result), ARN_INVALID_ARGUMENT);
}

static void plans_are_valid_in_every_region(void **state) {
  (void)state;
  static const arn_plan_algorithm algorithms[] = {ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS, ARN_PLAN_EXACT};
  int split = 0;
  for (int round = 0; round < 300; round++) {
    arn_plan_request requests[MAX];
    arn_plan_pair pairs[4];
    uint32_t accesses[MAX], region[MAX], n = 1 + draw(MAX - 1), pair_count = draw(n < 4 ? n : 4);
    size_t offsets[MAX], peaks[3];
    for (uint32_t i = 0; i < n; i++) {
      uint32_t first = draw(20);
      requests[i] = request(1 + draw(500), first, first + draw(6));
      accesses[i] = draw(12);
    }
    for (uint32_t i = 0; i < pair_count; i++) pairs[i] = (arn_plan_pair){i, i + 1, 0, ARN_PLAN_APART};
    const arn_region regions[] = {{256 + draw(1000), 1.0f}, {512 + draw(1500), 3.0f}, {0, 9.0f}};
    arn_plan_problem plan = {.requests = requests, .request_count = n, .pairs = pairs, .pair_count = pair_count};
    arn_regions_problem problem = {&plan, accesses, regions, 3};
    arn_regions_result result = {.region = region, .offsets = offsets, .peaks = peaks};
    assert_int_equal(run(&problem, algorithms[round % 4], &result), ARN_OK);
    assert_true(result.cost <= result.cost_of_last);
    for (uint32_t r = 0; r < 3; r++) {
      arn_plan_request part[MAX];
      size_t where[MAX];
      uint32_t count = 0;
      arn_plan_pair inside[4];
      uint32_t local[MAX], inside_count = 0;
      for (uint32_t i = 0; i < n; i++) {
        if (region[i] != r) continue;
        local[i] = count;
        where[count] = offsets[i];
        part[count++] = requests[i];
        assert_true(!regions[r].capacity || offsets[i] + requests[i].size <= regions[r].capacity);
        assert_true(offsets[i] + requests[i].size <= peaks[r]);
      }
      for (uint32_t i = 0; i < pair_count; i++) {
        if (region[pairs[i].a] != r || region[pairs[i].b] != r) continue;
        inside[inside_count++] = (arn_plan_pair){local[pairs[i].a], local[pairs[i].b], pairs[i].forward, pairs[i].backward};
      }
      arn_plan_problem check = {.requests = part, .request_count = count, .pairs = inside, .pair_count = inside_count};
      assert_int_equal(arn_plan_verify(&check, where, NULL, NULL), ARN_OK);
      split += r > 0 && count > 0;
    }
  }
  assert_true(split > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hottest_take_the_fast_memory),
      cmocka_unit_test(nothing_fits_is_said),
      cmocka_unit_test(plans_are_valid_in_every_region),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
