// SPDX-License-Identifier: Apache-2.0
// Places a micro subgraph's activations and scratch: lifetimes from the file's order, plan/ for the offsets.
#include "base/compiler.h"
#if ARENITE_MICRO  // a hosted build that takes every file of src gets nothing from this one
#include "arenite/plan.h"
#include "graph/share.h"
#include "micro/micro_interpreter.h"

// One subgraph's planning; all arrays lie at the arena's head, where the activations will.
typedef struct micro_planning {
  arn_micro *micro;
  uint32_t index;
  lifetime *lives;
  share_alias *alias;
  uint32_t *request;  // by tensor
  arn_plan_pair *pairs;
  arn_plan_request *requests;
  size_t *offsets;
  uint32_t count, pair_count;
} micro_planning;

static size_t micro_planned_bytes(const void *self, int tensor) {
  const micro_planning *p = self;
  const TfLiteTensor *t = &p->micro->subgraphs[p->index].tensors[tensor];
  return t->allocation_type == kTfLiteArenaRw && p->lives[tensor].first != LIFETIME_UNWRITTEN ? op_bytes(t) : 0;
}

static void micro_node_tensors(const void *self, int node, lifetime_node *out) {
  const micro_planning *p = self;
  fb_table op = model_operator(&p->micro->model, p->index, (uint32_t)node);
  *out = (lifetime_node){micro_ints(Operator_inputs(op)), micro_ints(Operator_outputs(op)), micro_ints(Operator_intermediates(op))};
}

static void micro_node_rule(const void *self, int node, op_share *share) {
  const micro_planning *p = self;
  micro_call call;
  TfLiteContext context;
  micro_context_init(&context, &call, p->micro, p->index, NULL);
  TfLiteNode record = micro_node_record(p->micro, p->index, (uint32_t)node, NULL);
  op_share_of(&context, &record, p->micro->subgraphs[p->index].nodes[node].op, share);
}

static void micro_add_request(micro_planning *p, size_t bytes, lifetime life) {
  p->requests[p->count++] = lifetime_request(life, bytes, MICRO_ALIGNMENT);
}

static void micro_gather_requests(micro_planning *p) {
  const micro_subgraph *subgraph = &p->micro->subgraphs[p->index];
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    size_t bytes = micro_planned_bytes(p, (int)i);
    if (bytes == 0 || p->alias[i].root != (int)i) continue;
    p->request[i] = p->count;
    micro_add_request(p, bytes, p->lives[i]);
  }
  for (const micro_scratch *s = subgraph->scratch; s; s = s->next) micro_add_request(p, s->bytes, (lifetime){(int32_t)s->node, (int32_t)s->node});
  for (uint32_t i = 0; i < p->pair_count; i++) {
    p->pairs[i].a = p->request[p->pairs[i].a];
    p->pairs[i].b = p->request[p->pairs[i].b];
  }
}

// Data pointers from offsets, `start` bytes into the arena.
static void micro_assign(const micro_planning *p, size_t start) {
  micro_subgraph *subgraph = &p->micro->subgraphs[p->index];
  char *base = (char *)p->micro->arena.base + start;
  uint32_t tensors = 0;
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    if (micro_planned_bytes(p, (int)i) == 0) continue;
    share_alias at = p->alias[i];
    tensors += at.root == (int)i;
    subgraph->tensors[i].data.raw = base + p->offsets[p->request[at.root]] + at.offset;
  }
  const size_t *offset = p->offsets + tensors;
  for (micro_scratch *s = subgraph->scratch; s; s = s->next) s->offset = start + *offset++;
}

static void *take_head(arn_micro *micro, size_t count, size_t size) { return arena_head(&micro->arena, count * size, sizeof(uint64_t)); }

arn_status micro_plan_subgraph(arn_micro *micro, uint32_t index, arn_error *error) {
  micro_subgraph *subgraph = &micro->subgraphs[index];
  fb_table record = model_subgraph(&micro->model, index);
  micro_planning p = {.micro = micro, .index = index};
  size_t mark = micro->arena.head;
  uint32_t room = subgraph->tensor_count;
  for (const micro_scratch *s = subgraph->scratch; s; s = s->next) room++;
  int *order = take_head(micro, subgraph->node_count, sizeof *order);
  p.lives = take_head(micro, subgraph->tensor_count, sizeof *p.lives);
  p.alias = take_head(micro, subgraph->tensor_count, sizeof *p.alias);
  p.request = take_head(micro, subgraph->tensor_count, sizeof *p.request);
  p.requests = take_head(micro, room, sizeof *p.requests);
  p.offsets = take_head(micro, room, sizeof *p.offsets);
  if (!order || !p.lives || !p.alias || !p.request || !p.requests || !p.offsets) return micro_arena_full(micro, error);
  for (uint32_t i = 0; i < subgraph->node_count; i++) order[i] = (int)i;
  share_graph graph = {.lives = {.self = &p,
                                 .node = micro_node_tensors,
                                 .order = order,
                                 .node_count = (int)subgraph->node_count,
                                 .tensor_count = (int)subgraph->tensor_count,
                                 .inputs = micro_ints(SubGraph_inputs(record)),
                                 .outputs = micro_ints(SubGraph_outputs(record))},
                       .bytes = micro_planned_bytes,
                       .rule = micro_node_rule,
                       .alignment = MICRO_ALIGNMENT,
                       .first = 0,
                       .end = (int)subgraph->node_count};
  p.pairs = take_head(micro, share_pair_room(&graph), sizeof *p.pairs);
  if (!p.pairs) return micro_arena_full(micro, error);
  lifetime_compute(&graph.lives, LIFETIME_FREE_INPUTS, p.lives);
  share_compute(&graph, ARN_MEMORY_MICRO, p.lives, p.alias, p.pairs, &p.pair_count);
  micro_gather_requests(&p);

  size_t scratch_size = arn_plan_scratch_size(ARN_PLAN_GREEDY, p.count, p.pair_count);
  void *scratch = arena_head(&micro->arena, scratch_size, sizeof(uint64_t));
  if (!scratch) return micro_arena_full(micro, error);
  arn_plan_problem problem = {.requests = p.requests, .request_count = p.count, .pairs = p.pairs, .pair_count = p.pair_count};
  arn_plan_options options = {.algorithm = ARN_PLAN_GREEDY};
  arn_plan_result result = {.offsets = p.offsets};
  arn_status status = arn_plan(&problem, &options, scratch, scratch_size, &result);
  if (status != ARN_OK) return error_set(error, status, "subgraph %u's activations cannot be planned", (unsigned)index);
  // The planning records lie where the activations will: they are read before anything runs.
  micro_assign(&p, (mark + MICRO_ALIGNMENT - 1) & ~(size_t)(MICRO_ALIGNMENT - 1));
  arena_head_reset(&micro->arena, mark);
  if (result.peak && !arena_head(&micro->arena, result.peak, MICRO_ALIGNMENT)) return micro_arena_full(micro, error);
  micro->activations += result.peak;
  return ARN_OK;
}

#endif
