// SPDX-License-Identifier: Apache-2.0
// When each tensor of a graph is first and last needed, from the execution order; and those lifetimes as planner requests. The
// hosted runtime and the micro interpreter call it; it allocates nothing.
#ifndef GRAPH_LIFETIME_H
#define GRAPH_LIFETIME_H

#include "arenite/plan.h"
#include "base/compiler.h"
#include "tensorflow/lite/core/c/common.h"

// The tensors of one node. temporaries may be NULL.
typedef struct lifetime_node {
  const TfLiteIntArray *inputs, *outputs, *temporaries;
} lifetime_node;

typedef struct lifetime_graph {
  const void *self;  // handed to node()
  void (*node)(const void *self, int index, lifetime_node *node);
  const int *order;  // node indices in execution order
  int node_count;
  int tensor_count;
  const TfLiteIntArray *inputs, *outputs;  // of the graph
} lifetime_graph;

// Positions in the execution order, inclusive. first is -1 for graph inputs, which are there before the first node; last is the
// node count for what must be readable after the last one. first > last: no memory needed (constants aside, nothing writes it).
typedef struct lifetime {
  int32_t first, last;
} lifetime;

enum { LIFETIME_UNWRITTEN = INT32_MAX };  // `first` of a tensor that neither the caller nor a node writes

enum {
  LIFETIME_KEEP_ALL = 1,     // every written tensor lives to the end
  LIFETIME_FREE_INPUTS = 2,  // graph inputs live to their last use, not through the whole inference
};

// Fills lifetimes[tensor_count]. Graph inputs live through the whole inference, so that a host may set them once for many (TFLite
// reference: arena_planner keeps them), unless options say otherwise. Node tensors out of range are ignored.
void lifetime_compute(const lifetime_graph *graph, unsigned options, lifetime *lifetimes);

// The request of a tensor or scratch buffer with this lifetime. Steps are positions + 1, so that the first step is "before the
// first node".
static inline arn_plan_request lifetime_request(lifetime life, size_t size, uint32_t alignment) {
  return (arn_plan_request){.size = size,
                            .fixed_offset = ARN_PLAN_ANYWHERE,
                            .alignment = alignment,
                            .first = (uint32_t)(life.first + 1),
                            .last = (uint32_t)(life.last + 1)};
}

#endif
