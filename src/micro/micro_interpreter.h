// SPDX-License-Identifier: Apache-2.0
// The records of the micro interpreter. Only src/micro includes this.
#ifndef MICRO_MICRO_INTERPRETER_H
#define MICRO_MICRO_INTERPRETER_H

#include "arenite/micro.h"
#include "base/arena.h"
#include "model/model.h"
#include "ops/op.h"

// Everything in the arena is placed at this alignment or a divisor of it.
enum { MICRO_ALIGNMENT = 16 };

typedef struct micro_node {
  const op_descriptor *op;
  void *state;
} micro_node;

// What an operator asked for as scratch; offset counts from the arena's start, once planned.
typedef struct micro_scratch {
  struct micro_scratch *next;  // the request before it
  size_t bytes;
  size_t offset;
  uint32_t node;
} micro_scratch;

typedef struct micro_subgraph {
  TfLiteTensor *tensors;
  micro_node *nodes;
  micro_scratch *scratch;   // the latest request
  TfLiteContext *shown;     // what callers see of it (its tensors); made when an operator asks
  uint32_t tensor_count, node_count;
  bool called;              // CALL_ONCE has run it
} micro_subgraph;

typedef struct micro_resource {
  struct micro_resource *next;
  const char *container, *name;  // in the file
  void *object;
  int id;
} micro_resource;

struct arn_micro {
  arn_model model;
  base_allocator allocator;  // the arena's tail
  arena arena;
  const arn_op *const *ops;
  int op_count;
  micro_subgraph *subgraphs;
  micro_resource *resources;
  size_t activations;
};

// What context->impl_ points to during one call into a subgraph; it lies on the stack, like the context.
typedef struct micro_call {
  const op_services *services;  // first, as op_services_of expects
  arn_micro *micro;
  arn_error *error;
  uint32_t subgraph;
  uint32_t node;
} micro_call;

// A context over one subgraph, for as long as *call lives.
void micro_context_init(TfLiteContext *context, micro_call *call, arn_micro *micro, uint32_t subgraph, arn_error *error);
// The stack record of a node for one call. params: its options during prepare, else NULL.
TfLiteNode micro_node_record(const arn_micro *micro, uint32_t subgraph, uint32_t node, void *params);
// A vector<int> of the file as the counted array that it is; a static empty one when absent.
const TfLiteIntArray *micro_ints(fb_vector v);
arn_status micro_invoke_subgraph(arn_micro *micro, uint32_t subgraph, arn_error *error);
// Plans the activations and scratch of a prepared subgraph into the arena's head.
arn_status micro_plan_subgraph(arn_micro *micro, uint32_t subgraph, arn_error *error);
arn_status micro_arena_full(const arn_micro *micro, arn_error *error);

#endif
