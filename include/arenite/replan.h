// SPDX-License-Identifier: Apache-2.0
// Planning memory again: by other rules, under a limit, for the largest shapes to come, or in an arena that several interpreters share. Nothing here
// reads the model again.
#ifndef ARENITE_REPLAN_H
#define ARENITE_REPLAN_H

#include "arenite/report.h"

#ifdef __cplusplus
extern "C" {
#endif

// How memory is to be planned.
typedef struct arn_memory_options {
  arn_plan_algorithm planner;  // ARN_PLAN_DEFAULT: the default
  size_t alignment;            // of planned tensors, a power of two; 0: 64
  unsigned memory;             // ARN_MEMORY_* bits; 0: ARN_MEMORY_HOST
  size_t limit;                // bytes that the arenas may take together; 0: no limit
} arn_memory_options;

// What a plan by these options would take: planner, alignment, arena, lower_bound, proven, padding and planned_sum of *totals are set, the rest
// is zero. Nothing changes. After allocate; subgraphs that have not been allocated (called ones, before the first inference) do not count.
arn_status arn_memory_what_if(arn_interpreter *interpreter, const arn_memory_options *options, arn_memory_totals *totals, arn_error *error);

// Plans by these options from now on. The inputs must be set again. Where the limit cannot be kept the error (ARN_OUT_OF_MEMORY) says what is needed, at which
// operator most is live and which options would help, and the plan stays as it was.
arn_status arn_interpreter_replan(arn_interpreter *interpreter, const arn_memory_options *options, arn_error *error);

// The largest shape that an input of subgraph 0 will be given: the next allocate plans and takes memory for it, and a later resize to anything smaller
// needs none from the heap for planned tensors. Call before allocate; rank 0 forgets it.
arn_status arn_interpreter_set_max_shape(arn_interpreter *interpreter, int input, const int *dims, int rank, arn_error *error);

// The step of a subgraph at which most bytes are live.
typedef struct arn_memory_peak {
  int position;   // in the execution order
  int node;       // the operator
  size_t live;    // bytes of tensors and scratch that are live while it runs, each counted in full
} arn_memory_peak;
// False where nothing is planned.
bool arn_memory_peak_of(const arn_interpreter *interpreter, int subgraph, arn_memory_peak *peak);

// One of several memories, say 64 KB of fast SRAM beside megabytes of slow one: arn_interpreter_options.regions. The plan puts the tensors that are used most,
// for the time that they hold their memory, into the cheapest region. It is for what the first subgraph's allocate places; called subgraphs and what
// lies behind data-dependent shapes come from the heap. Not together with a shared arena.
enum { ARN_MEMORY_REGIONS_MAX = 8 };
typedef struct arn_memory_region {
  void *memory;  // the caller's, 64-byte aligned, as long as the interpreter lives; NULL: from the heap
  size_t bytes;  // 0 with memory NULL: without limit
  float cost;    // of one access to one byte, in any unit
} arn_memory_region;

// What the division gives: bytes used in each region, and the cost of an inference's accesses, with everything in the costliest region for comparison. False: no regions.
typedef struct arn_memory_division {
  int count;
  size_t used[ARN_MEMORY_REGIONS_MAX];
  double cost, cost_of_last;
} arn_memory_division;
bool arn_memory_division_of(const arn_interpreter *interpreter, arn_memory_division *division);

// An arena for several interpreters that take turns. Activations of one may be overwritten by an inference of another; inputs, outputs and variables are not.
// Set it in arn_interpreter_options.arena. What is placed stays where it is; a new interpreter finds room around it. All interpreters must be destroyed before it, and
// only one of them may run or be allocated at a time.
typedef struct arn_arena arn_arena;
// `bytes` at `memory` (64-byte aligned, the caller's), or from the heap where memory is NULL.
arn_status arn_arena_create(void *memory, size_t bytes, arn_arena **arena);
void arn_arena_destroy(arn_arena *arena);  // NULL is allowed
size_t arn_arena_used(const arn_arena *arena);  // bytes up to the highest one that any interpreter's plan has reached so far

#ifdef __cplusplus
}
#endif
#endif
