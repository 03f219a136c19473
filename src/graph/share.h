// SPDX-License-Identifier: Apache-2.0
// Which tensors of a graph may share memory, beyond what disjoint lifetimes allow: views, joins and parts become aliases of one root, operators
// that may write over a dying input become planner pairs. The hosted runtime and the micro interpreter call it; it allocates nothing.
#ifndef GRAPH_SHARE_H
#define GRAPH_SHARE_H

#include "arenite/memory.h"
#include "graph/lifetime.h"
#include "ops/op.h"

// Where a tensor's bytes are: `offset` bytes into its root's. A root is its own: {itself, 0}.
typedef struct share_alias {
  int root;
  size_t offset;
} share_alias;

typedef struct share_graph {
  lifetime_graph lives;
  // Bytes of a tensor that is being planned now; 0: it is not (a constant, a variable, dynamic, empty, or placed before).
  size_t (*bytes)(const void *self, int tensor);
  void (*rule)(const void *self, int node, op_share *share);  // of a prepared node
  size_t alignment;  // of planned tensors: an alias must keep it
  int first, end;    // positions of the execution order whose nodes are looked at
} share_graph;

// The most pairs that share_compute makes: the inputs of all nodes looked at, at most 32 a node.
uint32_t share_pair_room(const share_graph *graph);

// memory: ARN_MEMORY_* bits. Fills alias[tensor_count], extends lifetimes[] of roots over those of their aliases, and writes pairs
// between roots (a: output, b: input, as tensor indices), `*pair_count` of them, into pairs[share_pair_room].
void share_compute(const share_graph *graph, unsigned memory, lifetime *lifetimes, share_alias *alias, arn_plan_pair *pairs, uint32_t *pair_count);

#endif
