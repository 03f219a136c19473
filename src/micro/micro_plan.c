// SPDX-License-Identifier: Apache-2.0
// Places a micro subgraph's activations and scratch: lifetimes from the file's order, plan/ for the offsets.
#include "base/compiler.h"
#if ARENITE_MICRO  // a hosted build that takes every file of src gets nothing from this one
#include "arenite/plan.h"
#include "micro/micro_interpreter.h"

#define NEVER UINT32_MAX

static void extend(arn_plan_request *request, uint32_t step) {
  if (request->first == NEVER) request->first = step;
  if (request->last == NEVER || step > request->last) request->last = step;
}

// Steps: 0 before the first node, node i at i + 1, one more for reading the outputs.
static void collect_lifetimes(const arn_micro *micro, uint32_t index, arn_plan_request *requests) {
  const micro_subgraph *subgraph = &micro->subgraphs[index];
  fb_table record = model_subgraph(&micro->model, index);
  const TfLiteIntArray *inputs = micro_ints(SubGraph_inputs(record)), *outputs = micro_ints(SubGraph_outputs(record));
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    const TfLiteTensor *t = &subgraph->tensors[i];
    requests[i] = (arn_plan_request){.size = t->allocation_type == kTfLiteArenaRw ? op_bytes(t) : 0,
                                     .fixed_offset = ARN_PLAN_ANYWHERE,
                                     .alignment = MICRO_ALIGNMENT,
                                     .first = NEVER,
                                     .last = NEVER};
  }
  for (int i = 0; i < inputs->size; i++) extend(&requests[inputs->data[i]], 0);
  for (uint32_t n = 0; n < subgraph->node_count; n++) {
    fb_table op = model_operator(&micro->model, index, n);
    const TfLiteIntArray *lists[] = {micro_ints(Operator_inputs(op)), micro_ints(Operator_outputs(op)), micro_ints(Operator_intermediates(op))};
    for (size_t l = 0; l < BASE_COUNT(lists); l++) {
      for (int i = 0; i < lists[l]->size; i++) {
        if (lists[l]->data[i] >= 0) extend(&requests[lists[l]->data[i]], n + 1);
      }
    }
  }
  for (int i = 0; i < outputs->size; i++) extend(&requests[outputs->data[i]], subgraph->node_count + 1);
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    if (requests[i].first == NEVER) requests[i].size = 0, requests[i].first = requests[i].last = 0;
  }
}

arn_status micro_plan_subgraph(arn_micro *micro, uint32_t index, arn_error *error) {
  micro_subgraph *subgraph = &micro->subgraphs[index];
  size_t mark = micro->arena.head;
  uint32_t count = subgraph->tensor_count;
  for (const micro_scratch *s = subgraph->scratch; s; s = s->next) count++;
  if (count == 0) return ARN_OK;

  arn_plan_request *requests = arena_head(&micro->arena, count * sizeof *requests, sizeof(void *));
  size_t *offsets = arena_head(&micro->arena, count * sizeof *offsets, sizeof(void *));
  size_t scratch_size = arn_plan_scratch_size(ARN_PLAN_GREEDY, count, 0);
  void *scratch = arena_head(&micro->arena, scratch_size, sizeof(void *));
  if (!requests || !offsets || !scratch) return micro_arena_full(micro, error);
  collect_lifetimes(micro, index, requests);
  arn_plan_request *next = requests + subgraph->tensor_count;
  for (const micro_scratch *s = subgraph->scratch; s; s = s->next) {
    *next++ = (arn_plan_request){
        .size = s->bytes, .fixed_offset = ARN_PLAN_ANYWHERE, .alignment = MICRO_ALIGNMENT, .first = s->node + 1, .last = s->node + 1};
  }
  arn_plan_problem problem = {.requests = requests, .request_count = count};
  arn_plan_options options = {.algorithm = ARN_PLAN_GREEDY};
  arn_plan_result result = {.offsets = offsets};
  arn_status status = arn_plan(&problem, &options, scratch, scratch_size, &result);
  if (status != ARN_OK) return error_set(error, status, "subgraph %u's activations cannot be planned", (unsigned)index);

  // The planning records lie where the activations will: read them before anything runs.
  size_t start = (mark + MICRO_ALIGNMENT - 1) & ~(size_t)(MICRO_ALIGNMENT - 1);
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    if (requests[i].size) subgraph->tensors[i].data.raw = (char *)micro->arena.base + start + offsets[i];
  }
  const size_t *offset = offsets + subgraph->tensor_count;
  for (micro_scratch *s = subgraph->scratch; s; s = s->next) s->offset = start + *offset++;
  arena_head_reset(&micro->arena, mark);
  if (result.peak && !arena_head(&micro->arena, result.peak, MICRO_ALIGNMENT)) return micro_arena_full(micro, error);
  micro->activations += result.peak;
  return ARN_OK;
}

#endif
