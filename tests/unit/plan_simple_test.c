// SPDX-License-Identifier: Apache-2.0
// plan: hand-made problems with known answers, malformed problems, and scratch that is too small.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/plan.h"

static const arn_plan_algorithm all[] = {ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS, ARN_PLAN_EXACT};
static uint64_t scratch[4096];

static arn_plan_request request(size_t size, uint32_t alignment, uint32_t first, uint32_t last) {
  return (arn_plan_request){size, ARN_PLAN_ANYWHERE, alignment, first, last};
}

static arn_status plan_with(arn_plan_algorithm algorithm, const arn_plan_problem *problem, arn_plan_result *result) {
  arn_plan_options options = {.algorithm = algorithm};
  return arn_plan(problem, &options, scratch, sizeof scratch, result);
}

static void chain_reuses_all_but_linear(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 1), request(32, 16, 1, 2), request(48, 16, 2, 3), request(16, 16, 3, 4)};
  size_t offsets[4];
  arn_plan_problem problem = {.requests = r, .request_count = 4};
  const size_t peaks[] = {160, 96, 96, 96};
  for (size_t k = 0; k < 4; k++) {
    arn_plan_result result = {.offsets = offsets};
    assert_int_equal(plan_with(all[k], &problem, &result), ARN_OK);
    assert_int_equal(result.peak, peaks[k]);
    assert_int_equal(result.lower_bound, 96);
    assert_int_equal(result.proven, peaks[k] == 96);
    assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
  }
}

static void nothing_to_place(void **state) {
  (void)state;
  arn_plan_request r[] = {request(0, 8, 0, 9), request(0, 8, 3, 4)};
  size_t offsets[2];
  for (uint32_t count = 0; count <= 2; count += 2)
    for (size_t k = 0; k < 4; k++) {
      arn_plan_problem problem = {.requests = r, .request_count = count};
      arn_plan_result result = {.offsets = offsets};
      assert_int_equal(plan_with(all[k], &problem, &result), ARN_OK);
      assert_int_equal(result.peak, 0);
      assert_true(result.proven);
      assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
    }
}

static void alignment_and_its_cost(void **state) {
  (void)state;
  arn_plan_request r[] = {request(5, 64, 0, 1), request(65, 64, 0, 1)};
  size_t offsets[2];
  arn_plan_problem problem = {.requests = r, .request_count = 2};
  arn_plan_result result = {.offsets = offsets};
  assert_int_equal(plan_with(ARN_PLAN_EXACT, &problem, &result), ARN_OK);
  assert_int_equal(result.peak, 192);
  assert_int_equal(result.padding, 192 - 70);
  assert_true(result.proven);
}

// An element-wise output over its input, a widening output that must run backward, and a pair that allows neither.
static void pairs_share_bytes(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 1), request(64, 16, 1, 2), request(128, 16, 2, 3)};
  arn_plan_pair pairs[] = {{1, 0, 0, 0}, {2, 1, ARN_PLAN_APART, 0}};
  size_t offsets[3];
  arn_plan_problem problem = {.requests = r, .request_count = 3, .pairs = pairs, .pair_count = 2};
  for (size_t k = 1; k < 4; k++) {
    arn_plan_result result = {.offsets = offsets};
    assert_int_equal(plan_with(all[k], &problem, &result), ARN_OK);
    assert_int_equal(result.lower_bound, 128);
    assert_int_equal(result.peak, 128);
    assert_true(offsets[2] >= offsets[1]);
    assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
  }
  pairs[1].backward = ARN_PLAN_APART;
  arn_plan_result result = {.offsets = offsets};
  assert_int_equal(plan_with(ARN_PLAN_EXACT, &problem, &result), ARN_OK);
  assert_int_equal(result.peak, 192);
  // Two pairs for the same requests, written either way round: both may be used.
  arn_plan_pair twice[] = {{2, 1, ARN_PLAN_APART, ARN_PLAN_APART}, {1, 2, 0, ARN_PLAN_APART}, {0, 1, 0, 0}};
  problem.pairs = twice;
  problem.pair_count = 3;
  assert_int_equal(plan_with(ARN_PLAN_EXACT, &problem, &result), ARN_OK);
  assert_int_equal(result.peak, 128);
  assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
}

static void fixed_requests_stay(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 3), request(32, 16, 1, 2), request(32, 16, 0, 5)};
  r[0].fixed_offset = 32;
  size_t offsets[3];
  arn_plan_problem problem = {.requests = r, .request_count = 3};
  for (size_t k = 0; k < 4; k++) {
    arn_plan_result result = {.offsets = offsets};
    assert_int_equal(plan_with(all[k], &problem, &result), ARN_OK);
    assert_int_equal(offsets[0], 32);
    assert_int_equal(result.lower_bound, 128);
    assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
  }
  r[2].fixed_offset = 80;
  arn_plan_result result = {.offsets = offsets};
  assert_int_equal(plan_with(ARN_PLAN_GREEDY, &problem, &result), ARN_INVALID_ARGUMENT);
  assert_true(result.culprit == 0 || result.culprit == 2);
  arn_plan_pair pair = {2, 0, ARN_PLAN_APART, 48};
  problem.pairs = &pair;
  problem.pair_count = 1;
  assert_int_equal(plan_with(ARN_PLAN_GREEDY, &problem, &result), ARN_OK);
  assert_int_equal(arn_plan_verify(&problem, offsets, NULL, NULL), ARN_OK);
}

static void capacity_is_judged(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 1), request(64, 16, 1, 2)};
  size_t offsets[2];
  arn_plan_problem problem = {.requests = r, .request_count = 2};
  arn_plan_result result = {.offsets = offsets};
  arn_plan_options options = {.algorithm = ARN_PLAN_EXACT, .capacity = 127};
  assert_int_equal(arn_plan(&problem, &options, scratch, sizeof scratch, &result), ARN_ARENA_TOO_SMALL);
  assert_int_equal(result.peak, 128);
  options.capacity = 128;
  assert_int_equal(arn_plan(&problem, &options, scratch, sizeof scratch, &result), ARN_OK);
}

static void malformed_problems_are_refused(void **state) {
  (void)state;
  arn_plan_request good = request(16, 16, 0, 1);
  arn_plan_request bad[] = {request(16, 0, 0, 1),  request(16, 24, 0, 1),           request(16, 16, 2, 1),
                            good,                  request(SIZE_MAX, 1, 0, 1),      request(SIZE_MAX / 4 + 1, 1, 0, 1),
                            good};
  bad[3].fixed_offset = 8;
  bad[6].fixed_offset = SIZE_MAX - 15;
  size_t offsets[2];
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    for (size_t a = 0; a < 4; a++) {
      arn_plan_request r[] = {good, bad[k]};
      arn_plan_problem problem = {.requests = r, .request_count = 2};
      arn_plan_result result = {.offsets = offsets};
      assert_int_equal(plan_with(all[a], &problem, &result), ARN_INVALID_ARGUMENT);
      assert_int_equal(result.culprit, 1);
    }
  arn_plan_request r[] = {good, good};
  arn_plan_pair pairs[] = {{0, 1, 0, 0}, {1, 1, 0, 0}};
  arn_plan_problem problem = {.requests = r, .request_count = 2, .pairs = pairs, .pair_count = 2};
  arn_plan_result result = {.offsets = offsets};
  assert_int_equal(plan_with(ARN_PLAN_GREEDY, &problem, &result), ARN_INVALID_ARGUMENT);
  assert_int_equal(result.culprit, 1);
  pairs[1].b = 2;
  assert_int_equal(plan_with(ARN_PLAN_GREEDY, &problem, &result), ARN_INVALID_ARGUMENT);
  problem.pair_count = 0;
  assert_int_equal(plan_with((arn_plan_algorithm)99, &problem, &result), ARN_INVALID_ARGUMENT);
  assert_null(arn_plan_algorithm_name((arn_plan_algorithm)99));
  assert_string_equal(arn_plan_algorithm_name(ARN_PLAN_SLOTS), "slots");
}

static void plans_beyond_the_address_space_are_refused(void **state) {
  (void)state;
  arn_plan_request r[5];
  for (int i = 0; i < 5; i++) r[i] = request(SIZE_MAX / 4 - 64, 16, 0, 1);
  size_t offsets[5];
  arn_plan_problem problem = {.requests = r, .request_count = 5};
  arn_plan_result result = {.offsets = offsets};
  for (size_t a = 0; a < 4; a++) assert_int_equal(plan_with(all[a], &problem, &result), ARN_OUT_OF_MEMORY);
  // Each alone is fine; only the linear plan is too large when they take turns.
  for (uint32_t i = 0; i < 5; i++) r[i].first = r[i].last = i;
  assert_int_equal(plan_with(ARN_PLAN_LINEAR, &problem, &result), ARN_OUT_OF_MEMORY);
  for (size_t a = 1; a < 4; a++) assert_int_equal(plan_with(all[a], &problem, &result), ARN_OK);
}

static void short_scratch_is_refused_and_not_overrun(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 2), request(32, 16, 1, 3), request(48, 16, 2, 5), request(16, 16, 3, 5)};
  arn_plan_pair pairs[] = {{2, 1, 0, 0}, {3, 1, 16, ARN_PLAN_APART}};
  size_t offsets[4];
  arn_plan_problem problem = {.requests = r, .request_count = 4, .pairs = pairs, .pair_count = 2};
  for (size_t k = 0; k < 4; k++)
    for (size_t skew = 0; skew < 16; skew++) {
      arn_plan_options options = {.algorithm = all[k]};
      arn_plan_result result = {.offsets = offsets};
      size_t size = arn_plan_scratch_size(all[k], 4, 2);
      uint8_t *memory = (uint8_t *)scratch + skew;
      assert_true(size + skew + 8 <= sizeof scratch);
      memset(scratch, 0xA5, sizeof scratch);
      assert_int_equal(arn_plan(&problem, &options, memory, size - 1, &result), ARN_OUT_OF_MEMORY);
      assert_int_equal(arn_plan(&problem, &options, memory, size, &result), ARN_OK);
      for (size_t b = 0; b < 8; b++) assert_int_equal(memory[size + b], 0xA5);
      for (size_t b = 0; b < skew; b++) assert_int_equal(((uint8_t *)scratch)[b], 0xA5);
    }
}

static void oracle_tells_who_is_in_whose_way(void **state) {
  (void)state;
  arn_plan_request r[] = {request(64, 16, 0, 1), request(64, 16, 1, 2), request(64, 16, 2, 3)};
  arn_plan_problem problem = {.requests = r, .request_count = 3};
  uint32_t a = 9, b = 9;
  size_t good[] = {0, 64, 0}, overlap[] = {0, 64, 48}, skewed[] = {0, 64, 8};
  assert_int_equal(arn_plan_verify(&problem, good, &a, &b), ARN_OK);
  assert_int_equal(arn_plan_verify(&problem, overlap, &a, &b), ARN_INVALID_ARGUMENT);
  assert_true(a == 2 && b == 1);
  assert_int_equal(arn_plan_verify(&problem, skewed, &a, &b), ARN_INVALID_ARGUMENT);
  assert_true(a == 2 && b == 2);
  r[0].fixed_offset = 128;
  assert_int_equal(arn_plan_verify(&problem, good, &a, &b), ARN_INVALID_ARGUMENT);
  assert_true(a == 0 && b == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_reuses_all_but_linear),
      cmocka_unit_test(nothing_to_place),
      cmocka_unit_test(alignment_and_its_cost),
      cmocka_unit_test(pairs_share_bytes),
      cmocka_unit_test(fixed_requests_stay),
      cmocka_unit_test(capacity_is_judged),
      cmocka_unit_test(malformed_problems_are_refused),
      cmocka_unit_test(plans_beyond_the_address_space_are_refused),
      cmocka_unit_test(short_scratch_is_refused_and_not_overrun),
      cmocka_unit_test(oracle_tells_who_is_in_whose_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
