// SPDX-License-Identifier: Apache-2.0
// From a subgraph to a scheduling problem: roots and scratch are its buffers, tensors its edges; nodes with effects beyond their outputs keep
// their order among themselves.
#include "graph/schedule.h"
#include "runtime/place.h"

typedef struct reorder_lists {
  schedule_buffer *buffers;
  schedule_touch *touches;
  schedule_edge *edges;
  schedule_saving *savings;
  int *writer;  // by tensor: node, -1
  int *order;
  size_t touch_room, edge_room;
  schedule_problem problem;
} reorder_lists;

// Control flow runs subgraphs, variables and resources are state, a caller's kernel may do anything.
static bool has_effects(const runtime_subgraph *sg, int index) {
  const runtime_node *node = &sg->nodes[index];
  if (!node->op) return true;
  const int32_t code = node->op->code;
  if (code == BuiltinOperator_IF || code == BuiltinOperator_WHILE || code == BuiltinOperator_CALL_ONCE || code == BuiltinOperator_STABLEHLO_COMPOSITE) {
    return true;
  }
  const TfLiteIntArray *lists[] = {node->node.inputs, node->node.outputs};
  for (size_t l = 0; l < BASE_COUNT(lists); l++) {
    for (int i = 0; i < lists[l]->size; i++) {
      const TfLiteTensor *t = runtime_tensor(sg, lists[l]->data[i]);
      if (t && (t->is_variable || t->type == kTfLiteResource || t->type == kTfLiteVariant)) return true;
    }
  }
  return false;
}

static void touch_buffer(reorder_lists *l, int node, int buffer, bool writes) {
  schedule_problem *p = &l->problem;
  for (size_t i = p->touch_count; i-- > 0 && l->touches[i].node == node;) {
    if (l->touches[i].buffer == buffer) {
      l->touches[i].writes |= writes;
      return;
    }
  }
  l->touches[p->touch_count++] = (schedule_touch){node, buffer, writes};
}

static void touch_tensors(const place_scope *scope, reorder_lists *l, const share_alias *alias, int node, const TfLiteIntArray *list, bool writes) {
  for (int i = 0; list && i < list->size; i++) {
    int t = list->data[i];
    if (t < 0 || (size_t)t >= scope->tensors) continue;
    if (place_bytes(scope, t)) touch_buffer(l, node, alias[t].root, writes);
    if (!writes && l->writer[t] >= 0 && l->writer[t] != node) l->edges[l->problem.edge_count++] = (schedule_edge){l->writer[t], node};
  }
}

static size_t list_sizes(const TfLiteNode *node) {
  return (size_t)node->inputs->size + (size_t)node->outputs->size + (size_t)(node->temporaries ? node->temporaries->size : 0);
}

static arn_status take_lists(const place_scope *scope, reorder_lists *l, uint32_t pair_count) {
  runtime_subgraph *sg = scope->sg;
  arn_interpreter *in = sg->interpreter;
  l->problem.node_count = sg->node_count;
  l->problem.buffer_count = (int)scope->tensors + sg->scratch_capacity;
  l->edge_room = (size_t)sg->node_count;
  l->touch_room = (size_t)sg->scratch_capacity;
  for (int n = 0; n < sg->node_count; n++) l->touch_room += list_sizes(&sg->nodes[n].node);
  l->edge_room += l->touch_room;
  l->buffers = runtime_take(in, (size_t)l->problem.buffer_count, sizeof *l->buffers);
  l->touches = runtime_take(in, l->touch_room, sizeof *l->touches);
  l->edges = runtime_take(in, l->edge_room, sizeof *l->edges);
  l->savings = runtime_take(in, pair_count + 1, sizeof *l->savings);
  l->writer = runtime_take(in, scope->tensors, sizeof *l->writer);
  l->order = runtime_take(in, (size_t)sg->node_count, sizeof *l->order);
  return l->buffers && l->touches && l->edges && l->savings && l->writer && l->order ? ARN_OK : ARN_OUT_OF_MEMORY;
}

static void give_lists(const place_scope *scope, reorder_lists *l, uint32_t pair_count) {
  arn_interpreter *in = scope->sg->interpreter;
  runtime_give(in, l->buffers, (size_t)l->problem.buffer_count, sizeof *l->buffers);
  runtime_give(in, l->touches, l->touch_room, sizeof *l->touches);
  runtime_give(in, l->edges, l->edge_room, sizeof *l->edges);
  runtime_give(in, l->savings, pair_count + 1, sizeof *l->savings);
  runtime_give(in, l->writer, scope->tensors, sizeof *l->writer);
  runtime_give(in, l->order, (size_t)scope->sg->node_count, sizeof *l->order);
}

static void fill_buffers(const place_scope *scope, reorder_lists *l, const share_alias *alias, const lifetime *lives) {
  for (size_t t = 0; t < scope->tensors; t++) {
    size_t bytes = place_bytes(scope, (int)t);
    if (bytes == 0 || alias[t].root != (int)t) continue;
    l->buffers[t] = (schedule_buffer){.bytes = bytes, .from_start = lives[t].first < 0, .to_end = lives[t].last >= scope->sg->node_count};
  }
  for (int s = 0; s < scope->sg->scratch_capacity; s++) l->buffers[scope->tensors + (size_t)s].bytes = scope->sg->scratch[s].bytes;
}

static void fill_nodes(const place_scope *scope, reorder_lists *l, const share_alias *alias) {
  runtime_subgraph *sg = scope->sg;
  for (size_t t = 0; t < scope->tensors; t++) l->writer[t] = -1;
  int last_effect = -1;
  for (int position = 0; position < sg->node_count; position++) {
    int n = sg->plan->data[position];
    const TfLiteNode *node = &sg->nodes[n].node;
    touch_tensors(scope, l, alias, n, node->inputs, false);
    touch_tensors(scope, l, alias, n, node->outputs, true);
    touch_tensors(scope, l, alias, n, node->temporaries, true);
    for (int s = sg->nodes[n].scratch; s >= 0; s = sg->scratch[s].next) touch_buffer(l, n, (int)scope->tensors + s, true);
    for (int i = 0; i < node->outputs->size; i++) {
      int t = node->outputs->data[i];
      if (t >= 0 && (size_t)t < scope->tensors) l->writer[t] = n;
    }
    if (!has_effects(sg, n)) continue;
    if (last_effect >= 0) l->edges[l->problem.edge_count++] = (schedule_edge){last_effect, n};
    last_effect = n;
  }
}

static size_t reorder_larger(size_t a, size_t b) { return a > b ? a : b; }

// Both sizes less the room that the pair takes when it overlaps as far as it may.
static size_t pair_saving(const reorder_lists *l, const arn_plan_pair *pair) {
  size_t a = l->buffers[pair->a].bytes, b = l->buffers[pair->b].bytes, taken = a + b;
  if (pair->forward != ARN_PLAN_APART && reorder_larger(a, pair->forward + b) < taken) taken = reorder_larger(a, pair->forward + b);
  if (pair->backward != ARN_PLAN_APART && reorder_larger(b, pair->backward + a) < taken) taken = reorder_larger(b, pair->backward + a);
  return a + b - taken;
}

arn_status runtime_reorder(const place_scope *scope, const share_alias *alias, const lifetime *lives, const arn_plan_pair *pairs,
                           uint32_t pair_count, size_t *peak) {
  runtime_subgraph *sg = scope->sg;
  reorder_lists l = {0};
  *peak = SIZE_MAX;
  arn_status status = take_lists(scope, &l, pair_count);
  if (status == ARN_OK) {
    fill_buffers(scope, &l, alias, lives);
    fill_nodes(scope, &l, alias);
    for (uint32_t i = 0; i < pair_count; i++) {
      l.savings[l.problem.saving_count++] = (schedule_saving){.node = sg->plan->data[lives[pairs[i].a].first], .input = (int)pairs[i].b, .bytes = pair_saving(&l, &pairs[i])};
    }
    memcpy(l.order, sg->plan->data, (size_t)sg->node_count * sizeof *l.order);
    l.problem.buffers = l.buffers, l.problem.touches = l.touches, l.problem.edges = l.edges, l.problem.savings = l.savings;
    size_t before, after;
    status = schedule_improve(&l.problem, sg->interpreter->allocator, l.order, &before, &after);
    if (status == ARN_OK && after < before) {
      memcpy(sg->plan->data, l.order, (size_t)sg->node_count * sizeof *l.order);
      *peak = after;
    }
  }
  give_lists(scope, &l, pair_count);
  return status;
}
