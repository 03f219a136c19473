// SPDX-License-Identifier: Apache-2.0
// The oracle: is this plan right? It reads the caller's own arrays and shares no code with the planners.
#include "arenite/plan.h"

static bool offset_is_sound(const arn_plan_request *r, size_t offset) {
  if (r->alignment == 0 || (r->alignment & (r->alignment - 1)) != 0 || r->first > r->last) return false;
  if (r->fixed_offset != ARN_PLAN_ANYWHERE && offset != r->fixed_offset) return false;
  return offset % r->alignment == 0 && r->size <= SIZE_MAX - offset;
}

static bool pair_allows(const arn_plan_problem *problem, const size_t *offsets, uint32_t i, uint32_t j) {
  for (uint32_t k = 0; k < problem->pair_count; k++) {
    const arn_plan_pair *pair = &problem->pairs[k];
    if (!(pair->a == i && pair->b == j) && !(pair->a == j && pair->b == i)) continue;
    size_t a = offsets[pair->a], b = offsets[pair->b];
    if (pair->forward != ARN_PLAN_APART && b >= a && b - a >= pair->forward) return true;
    if (pair->backward != ARN_PLAN_APART && a >= b && a - b >= pair->backward) return true;
  }
  return false;
}

static bool requests_agree(const arn_plan_problem *problem, const size_t *offsets, uint32_t i, uint32_t j) {
  const arn_plan_request *x = &problem->requests[i], *y = &problem->requests[j];
  if (i == j) return offset_is_sound(x, offsets[i]);
  bool together = x->first <= y->last && y->first <= x->last && x->size > 0 && y->size > 0;
  if (!together) return true;
  bool disjoint = offsets[i] + x->size <= offsets[j] || offsets[j] + y->size <= offsets[i];
  return disjoint || pair_allows(problem, offsets, i, j);
}

arn_status arn_plan_verify(const arn_plan_problem *problem, const size_t *offsets, uint32_t *a, uint32_t *b) {
  for (uint32_t i = 0; i < problem->request_count; i++)
    for (uint32_t k = 0; k <= i; k++) {
      uint32_t j = k == 0 ? i : k - 1;  // itself first, so that the ends below cannot overflow
      if (requests_agree(problem, offsets, i, j)) continue;
      if (a) *a = i;
      if (b) *b = j;
      return ARN_INVALID_ARGUMENT;
    }
  return ARN_OK;
}
