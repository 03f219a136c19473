// SPDX-License-Identifier: Apache-2.0
// Where an interpreter's memory went, after allocate: totals and one row for each tensor and scratch buffer.
#ifndef ARENITE_REPORT_H
#define ARENITE_REPORT_H

#include "arenite/interpreter.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum arn_memory_kind {
  ARN_MEMORY_CONSTANT,    // in the model file
  ARN_MEMORY_PLANNED,     // in the arena, shared over time
  ARN_MEMORY_PERSISTENT,  // in the arena, kept between inferences (variables)
  ARN_MEMORY_SCRATCH,     // an operator's working memory, in the arena during its node
  ARN_MEMORY_DYNAMIC,     // allocated during inference
  ARN_MEMORY_NONE,        // not used by any operator, or empty
} arn_memory_kind;

typedef struct arn_memory_row {
  arn_memory_kind kind;
  int subgraph;
  int tensor;       // -1 for scratch
  int node;         // whose scratch; else the node that writes the tensor, -1 for none
  const char *name; // the tensor's; "" for scratch
  size_t bytes;
  int first_use, last_use;  // positions in the execution order; -1 before the first node (an input); inclusive
  int64_t offset;   // within its arena; -1: not in one
  int region;       // which of arn_interpreter_options.regions; -1: they do not apply
  int shares;       // the tensor whose memory it is a part of (a view, a joined part); -1: it has its own
} arn_memory_row;

typedef struct arn_memory_totals {
  arn_plan_algorithm planner;
  size_t alignment;
  size_t arena;        // bytes of the planned arena: the peak
  size_t persistent;   // bytes of variables
  size_t planned_sum;  // sum of planned tensors and scratch: what it would be without reuse
  size_t lower_bound;  // no plan for these lifetimes can need less
  bool proven;         // arena == lower_bound, or shown to be the optimum
  size_t padding;      // bytes lost to alignment
  size_t dynamic;      // bytes held by dynamic tensors now
  size_t constants;    // bytes of constants, in the file
  size_t packed;       // bytes of packed weights and other persistent operator memory
  size_t overhead;     // bytes of tensor and node records and everything else the interpreter holds
  size_t heap;         // bytes the interpreter holds from the heap: arena + persistent + dynamic + packed + overhead
} arn_memory_totals;

arn_status arn_memory_report(const arn_interpreter *interpreter, arn_memory_totals *totals);
// Row by row, subgraph by subgraph; false past the end.
bool arn_memory_row_at(const arn_interpreter *interpreter, int index, arn_memory_row *row);

#ifdef __cplusplus
}
#endif
#endif
