// SPDX-License-Identifier: Apache-2.0
// Lifetimes of tensors: one pass over the execution order.
#include "graph/lifetime.h"

static void begin_at(const lifetime_graph *graph, lifetime *lifetimes, int tensor, int32_t position) {
  if (tensor < 0 || tensor >= graph->tensor_count) return;
  if (position < lifetimes[tensor].first) lifetimes[tensor].first = position;
  if (position > lifetimes[tensor].last) lifetimes[tensor].last = position;
}

static void extend_to(const lifetime_graph *graph, lifetime *lifetimes, int tensor, int32_t position) {
  if (tensor < 0 || tensor >= graph->tensor_count) return;
  if (position > lifetimes[tensor].last) lifetimes[tensor].last = position;
}

void lifetime_compute(const lifetime_graph *graph, unsigned options, lifetime *lifetimes) {
  for (int t = 0; t < graph->tensor_count; t++) lifetimes[t] = (lifetime){LIFETIME_UNWRITTEN, -1};
  const int32_t end = graph->node_count;
  for (int i = 0; i < graph->inputs->size; i++) {
    begin_at(graph, lifetimes, graph->inputs->data[i], -1);
    if (!(options & LIFETIME_FREE_INPUTS)) extend_to(graph, lifetimes, graph->inputs->data[i], end);
  }
  for (int32_t position = 0; position < end; position++) {
    lifetime_node node = {0};
    graph->node(graph->self, graph->order[position], &node);
    for (int i = 0; i < node.outputs->size; i++) begin_at(graph, lifetimes, node.outputs->data[i], position);
    for (int i = 0; i < node.inputs->size; i++) extend_to(graph, lifetimes, node.inputs->data[i], position);
    for (int i = 0; node.temporaries && i < node.temporaries->size; i++) {
      begin_at(graph, lifetimes, node.temporaries->data[i], position);
    }
  }
  for (int i = 0; i < graph->outputs->size; i++) extend_to(graph, lifetimes, graph->outputs->data[i], end);
  for (int t = 0; (options & LIFETIME_KEEP_ALL) && t < graph->tensor_count; t++) {
    if (lifetimes[t].first != LIFETIME_UNWRITTEN) lifetimes[t].last = end;
  }
}
