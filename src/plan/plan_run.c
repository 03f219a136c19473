// SPDX-License-Identifier: Apache-2.0
// arn_plan: check the problem, bound it, run the algorithm, report.
#include <string.h>

#include "plan/plan_problem.h"

static bool is_exact(arn_plan_algorithm algorithm) { return algorithm == ARN_PLAN_EXACT || algorithm == ARN_PLAN_DEFAULT; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t arn_plan_scratch_size(arn_plan_algorithm algorithm, uint32_t request_count, uint32_t pair_count) {
  size_t most = larger(plan_bound_scratch(request_count, pair_count), plan_fixed_scratch(request_count));
  if (algorithm == ARN_PLAN_GREEDY) most = larger(most, plan_greedy_scratch(request_count, pair_count));
  if (algorithm == ARN_PLAN_SLOTS) most = larger(most, plan_slots_scratch(request_count, pair_count));
  if (is_exact(algorithm)) most = larger(most, plan_exact_scratch(request_count, pair_count));
  return plan_scratch_add(most, plan_problem_scratch(request_count, pair_count));
}

static bool run_algorithm(const plan_problem *p, const arn_plan_options *options, arena *scratch, arn_plan_result *result) {
  switch (options->algorithm) {
    case ARN_PLAN_GREEDY: return plan_greedy(p, scratch, result->offsets);
    case ARN_PLAN_SLOTS: return plan_slots(p, scratch, result->offsets);
    case ARN_PLAN_DEFAULT:
    case ARN_PLAN_EXACT: return plan_exact(p, options, scratch, result);
    default: return plan_linear(p, result->offsets);
  }
}

arn_status arn_plan(const arn_plan_problem *problem, const arn_plan_options *options, void *scratch, size_t scratch_size,
                    arn_plan_result *result) {
  size_t *offsets = result->offsets, unpadded;
  memset(result, 0, sizeof *result);
  result->offsets = offsets;
  result->culprit = PLAN_NONE;
  if (!arn_plan_algorithm_name(options->algorithm)) return ARN_INVALID_ARGUMENT;
  if (scratch_size < arn_plan_scratch_size(options->algorithm, problem->request_count, problem->pair_count))
    return ARN_OUT_OF_MEMORY;
  arena memory;
  plan_problem p;
  arena_init(&memory, scratch, scratch_size);
  arn_status status = plan_problem_init(&p, problem, &memory, &result->culprit);
  if (status != ARN_OK) return status;
  if (!plan_fixed_agree(&p, &memory, &result->culprit)) return ARN_INVALID_ARGUMENT;
  if (!plan_lower_bound(&p, true, &memory, &unpadded) || !plan_lower_bound(&p, false, &memory, &result->lower_bound))
    return ARN_OUT_OF_MEMORY;
  result->padding = result->lower_bound > unpadded ? result->lower_bound - unpadded : 0;
  if (!run_algorithm(&p, options, &memory, result)) return ARN_OUT_OF_MEMORY;
  result->peak = plan_peak(&p, result->offsets);
  result->proven = result->peak <= result->lower_bound;
  return options->capacity != 0 && result->peak > options->capacity ? ARN_ARENA_TOO_SMALL : ARN_OK;
}

const char *arn_plan_algorithm_name(arn_plan_algorithm algorithm) {
  switch (algorithm) {
    case ARN_PLAN_DEFAULT: return "default";
    case ARN_PLAN_LINEAR: return "linear";
    case ARN_PLAN_GREEDY: return "greedy";
    case ARN_PLAN_SLOTS: return "slots";
    case ARN_PLAN_EXACT: return "exact";
  }
  return NULL;
}
