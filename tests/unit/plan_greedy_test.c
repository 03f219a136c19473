// SPDX-License-Identifier: Apache-2.0
// plan: the greedy planner against a plain statement of its rule, and on problems too large for the oracle.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/plan.h"

static uint64_t greedy_random;

static uint32_t below(uint32_t limit) {
  greedy_random = greedy_random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((greedy_random >> 33) % limit);
}

static arn_plan_request *random_requests(uint32_t count, uint32_t steps, uint32_t length, uint32_t sizes, uint64_t seed) {
  arn_plan_request *r = malloc(count * sizeof *r);
  greedy_random = seed;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = below(steps);
    r[i] = (arn_plan_request){1 + below(sizes), ARN_PLAN_ANYWHERE, 1, first, first + below(length)};
  }
  return r;
}

static arn_plan_result plan_greedily(const arn_plan_problem *problem) {
  arn_plan_options options = {.algorithm = ARN_PLAN_GREEDY};
  arn_plan_result result = {.offsets = malloc(problem->request_count * sizeof(size_t))};
  size_t size = arn_plan_scratch_size(ARN_PLAN_GREEDY, problem->request_count, problem->pair_count);
  void *scratch = malloc(size);  // exactly the size, for the address sanitizer
  assert_int_equal(arn_plan(problem, &options, scratch, size, &result), ARN_OK);
  free(scratch);
  return result;
}

static const arn_plan_request *sorting;

static int by_falling_size(const void *x, const void *y) {
  uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
  const arn_plan_request *a = &sorting[i], *b = &sorting[j];
  if (a->size != b->size) return a->size < b->size ? 1 : -1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return i < j ? -1 : 1;
}

static int by_first(const void *x, const void *y) {
  uint32_t a = sorting[*(const uint32_t *)x].first, b = sorting[*(const uint32_t *)y].first;
  return a < b ? -1 : a > b;
}

static uint32_t *indices(uint32_t count) {
  uint32_t *list = malloc(count * sizeof *list);
  for (uint32_t i = 0; i < count; i++) list[i] = i;
  return list;
}

// Largest first, tightest gap, the lowest of equal ones, else on top.
static void plan_plainly(const arn_plan_request *r, uint32_t count, size_t *offsets) {
  uint32_t *order = indices(count), *placed = malloc(count * sizeof *placed);
  sorting = r;
  qsort(order, count, sizeof *order, by_falling_size);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = order[k];
    size_t reach = 0, best = SIZE_MAX, best_room = SIZE_MAX;
    for (uint32_t l = 0; l < k; l++) {
      uint32_t j = placed[l];
      if (r[j].first > r[i].last || r[i].first > r[j].last) continue;
      size_t room = offsets[j] > reach ? offsets[j] - reach : 0;
      if (room >= r[i].size && room < best_room) {
        best_room = room;
        best = reach;
      }
      if (offsets[j] + r[j].size > reach) reach = offsets[j] + r[j].size;
    }
    offsets[i] = best != SIZE_MAX ? best : reach;
    uint32_t at = k;
    for (; at > 0 && offsets[placed[at - 1]] > offsets[i]; at--) placed[at] = placed[at - 1];
    placed[at] = i;
  }
  free(order);
  free(placed);
}

static void greedy_follows_its_rule(void **state) {
  (void)state;
  static const struct { uint32_t count, steps, length; } shapes[] = {
      {1, 1, 1}, {2, 1, 1}, {60, 20, 10}, {400, 100, 60}, {1000, 400, 50}, {1001, 400, 50}, {4000, 3000, 100}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    uint32_t count = shapes[k].count;
    arn_plan_request *r = random_requests(count, shapes[k].steps, shapes[k].length, 100000, k);
    arn_plan_problem problem = {.requests = r, .request_count = count};
    arn_plan_result result = plan_greedily(&problem);
    size_t *expected = malloc(count * sizeof *expected);
    plan_plainly(r, count, expected);
    for (uint32_t i = 0; i < count; i++)
      if (result.offsets[i] != expected[i])
        fail_msg("%u requests, number %u: %zu, not %zu", count, i, result.offsets[i], expected[i]);
    free(expected);
    free(result.offsets);
    free(r);
  }
}

static void check_by_sweeping(const arn_plan_request *r, uint32_t count, const size_t *offsets, size_t peak) {
  uint32_t *order = indices(count), *live = malloc(count * sizeof *live), live_count = 0;
  size_t highest = 0;
  sorting = r;
  qsort(order, count, sizeof *order, by_first);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = order[k], kept = 0;
    for (uint32_t l = 0; l < live_count; l++) {
      uint32_t j = live[l];
      if (r[j].last < r[i].first) continue;
      live[kept++] = j;
      if (offsets[i] < offsets[j] + r[j].size && offsets[j] < offsets[i] + r[i].size) fail_msg("%u and %u collide", i, j);
    }
    live[kept] = i;
    live_count = kept + 1;
    if (offsets[i] + r[i].size > highest) highest = offsets[i] + r[i].size;
  }
  assert_int_equal(highest, peak);
  free(order);
  free(live);
}

static void hundred_thousand_requests(void **state) {
  (void)state;
  static const struct { uint32_t steps, length; } shapes[] = {{100000, 50}, {100000, 1500}, {300, 3}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    uint32_t count = 100000;
    arn_plan_request *r = random_requests(count, shapes[k].steps, shapes[k].length, 1000000, k + 10);
    arn_plan_problem problem = {.requests = r, .request_count = count};
    arn_plan_result result = plan_greedily(&problem);
    check_by_sweeping(r, count, result.offsets, result.peak);
    assert_true(result.peak < result.lower_bound + result.lower_bound / 4);
    free(result.offsets);
    free(r);
  }
}

// Far more neighbours than are looked at, with pairs, alignments and fixed requests among them.
static void crowds_keep_the_rules(void **state) {
  (void)state;
  enum { COUNT = 2500, PAIRS = 2000 };
  arn_plan_request *r = random_requests(COUNT, 500, 400, 1000, 5);
  arn_plan_pair *pairs = malloc(PAIRS * sizeof *pairs);
  for (uint32_t i = 0; i < COUNT; i++) r[i].alignment = 1u << below(5);
  for (uint32_t k = 0; k < PAIRS; k++) {
    uint32_t a = below(COUNT), b = (a + 1 + below(COUNT - 1)) % COUNT;
    pairs[k] = (arn_plan_pair){a, b, below(900), below(3) ? below(900) : ARN_PLAN_APART};
  }
  arn_plan_problem problem = {.requests = r, .request_count = COUNT, .pairs = pairs, .pair_count = PAIRS};
  arn_plan_result result = plan_greedily(&problem);
  assert_int_equal(arn_plan_verify(&problem, result.offsets, NULL, NULL), ARN_OK);
  assert_true(result.peak < 2 * result.lower_bound);
  for (uint32_t i = 0; i < COUNT; i += 3) r[i].fixed_offset = result.offsets[i];
  arn_plan_result again = plan_greedily(&problem);
  assert_int_equal(arn_plan_verify(&problem, again.offsets, NULL, NULL), ARN_OK);
  free(again.offsets);
  free(result.offsets);
  free(pairs);
  free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(greedy_follows_its_rule),
      cmocka_unit_test(hundred_thousand_requests),
      cmocka_unit_test(crowds_keep_the_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
