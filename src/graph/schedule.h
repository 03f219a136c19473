// SPDX-License-Identifier: Apache-2.0
// An execution order that lowers the memory peak. The hosted runtime calls it; it knows buffers and nodes, no tensors.
#ifndef GRAPH_SCHEDULE_H
#define GRAPH_SCHEDULE_H

#include "base/allocator.h"
#include "base/error.h"

// One piece of memory. It is taken when the first node that writes it runs and given back when every node that touches it has run.
typedef struct schedule_buffer {
  size_t bytes;
  bool from_start;  // it holds something before the first node (a graph input)
  bool to_end;      // it is read after the last node
} schedule_buffer;

// Once for each node and buffer, however often the node names it.
typedef struct schedule_touch {
  int node, buffer;
  bool writes;
} schedule_touch;

// Node `after` must not run before node `before`.
typedef struct schedule_edge {
  int before, after;
} schedule_edge;

// While `node` runs, its output and its dying input (two buffers) take `bytes` less than both sizes together.
typedef struct schedule_saving {
  int node, input;
  size_t bytes;
} schedule_saving;

typedef struct schedule_problem {
  int node_count, buffer_count;
  const schedule_buffer *buffers;
  const schedule_touch *touches;
  const schedule_edge *edges;
  const schedule_saving *savings;
  size_t touch_count, edge_count, saving_count;
} schedule_problem;

// order[node_count] holds a valid order, the default; it is replaced where a better one is found. A bounded search, exact on ordinary graphs: its
// work does not depend on the machine. *peak_before and *peak_after: the largest sum of live buffers at any node.
arn_status schedule_improve(const schedule_problem *problem, const base_allocator *allocator, int *order, size_t *peak_before, size_t *peak_after);

#endif
