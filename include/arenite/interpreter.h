// SPDX-License-Identifier: Apache-2.0
// Running a model on a host: create, resize, allocate, fill the inputs, invoke, read the outputs.
// An interpreter is used by one thread at a time; different interpreters, of one model too, run on different threads.
#ifndef ARENITE_INTERPRETER_H
#define ARENITE_INTERPRETER_H

#include "arenite/memory.h"
#include "arenite/model.h"
#include "arenite/plan.h"
#include "arenite/profile.h"
#include "arenite/resolver.h"
#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_interpreter arn_interpreter;

typedef struct arn_interpreter_options {
  const arn_resolver *resolver;  // NULL: arn_resolver_builtin()
  int threads;                   // 0 or 1: the calling thread only
  size_t alignment;              // of planned tensors, a power of two; 0: 64
  arn_plan_algorithm planner;    // 0: the default
  unsigned memory;               // ARN_MEMORY_* bits of arenite/memory.h; 0: ARN_MEMORY_HOST
  struct arn_arena *arena;       // shared with other interpreters (arenite/replan.h); NULL: memory of its own from the heap
  const struct arn_memory_region *regions;  // memories to divide the first subgraph's tensors over (arenite/replan.h); copied
  int region_count;              // 0: one memory
  bool keep_all_tensors;         // no reuse: every tensor can be read after an inference (for debugging)
  // Bytes that tensors, scratch and operators' memory may take together; 0: no limit. What would need more is refused with ARN_OUT_OF_MEMORY, by
  // allocate or, where shapes depend on data, by invoke. Meant for models and inputs that nobody has vouched for.
  size_t memory_limit;
  // Told of every warning and error as one line without newline; NULL: nobody.
  void (*report)(void *report_data, const char *line);
  void *report_data;
} arn_interpreter_options;

// Binds every operator of the model (all that are missing are named in the error: node, name, code, wanted and available
// versions) and creates the tensors. options may be NULL. The model must outlive the interpreter. On error *interpreter is NULL.
arn_status arn_interpreter_create(const arn_model *model, const arn_interpreter_options *options, arn_interpreter **interpreter,
                                  arn_error *error);
// The same, but options->resolver must be set: a program that calls this one, with a resolver of its own, links only that
// resolver's kernels.
arn_status arn_interpreter_create_with(const arn_model *model, const arn_interpreter_options *options,
                                       arn_interpreter **interpreter, arn_error *error);
void arn_interpreter_destroy(arn_interpreter *interpreter);  // NULL is allowed

// Subgraph 0's inputs and outputs, by position. The tensor records stay valid until the interpreter is destroyed (a caller's
// kernel that adds more than 16 tensors may move them during allocate); their data until the next resize or allocate, that of
// dynamic tensors until the next invoke. NULL when out of range.
int arn_interpreter_input_count(const arn_interpreter *interpreter);
int arn_interpreter_output_count(const arn_interpreter *interpreter);
TfLiteTensor *arn_interpreter_input(const arn_interpreter *interpreter, int input);
const TfLiteTensor *arn_interpreter_output(const arn_interpreter *interpreter, int output);
TfLiteTensor *arn_interpreter_tensor(const arn_interpreter *interpreter, int subgraph, int tensor);

// Sets an input's shape (rank ints >= 0); allocate must follow. With strict, only dimensions that the file leaves open (-1) may
// change.
arn_status arn_interpreter_resize_input(arn_interpreter *interpreter, int input, const int *dims, int rank, bool strict,
                                        arn_error *error);
// Prepares every operator, plans the memory and takes it. After it, inference allocates nothing unless a shape is dynamic.
arn_status arn_interpreter_allocate(arn_interpreter *interpreter, arn_error *error);
arn_status arn_interpreter_invoke(arn_interpreter *interpreter, arn_error *error);
arn_status arn_interpreter_reset_variables(arn_interpreter *interpreter);  // to zero (the zero point for quantised ones)
// Makes a running invoke return ARN_CANCELLED before its next node, inside loops and called subgraphs too; callable from any thread, from a signal
// handler, and from a profiler's begin (its node is then not evaluated). Cleared by the next invoke's end.
void arn_interpreter_cancel(arn_interpreter *interpreter);

// A signature: named inputs and outputs of one subgraph. Runs that subgraph with the interpreter's memory and resources.
int arn_interpreter_signature_count(const arn_interpreter *interpreter);
const char *arn_interpreter_signature_key(const arn_interpreter *interpreter, int signature);  // NULL when out of range
typedef struct arn_signature_runner arn_signature_runner;
// The runner of a key (NULL: the model's only signature); owned by the interpreter. NULL when there is none.
arn_signature_runner *arn_interpreter_signature_runner(arn_interpreter *interpreter, const char *key);
int arn_signature_input_count(const arn_signature_runner *runner);
int arn_signature_output_count(const arn_signature_runner *runner);
const char *arn_signature_input_name(const arn_signature_runner *runner, int input);
const char *arn_signature_output_name(const arn_signature_runner *runner, int output);
TfLiteTensor *arn_signature_input(arn_signature_runner *runner, const char *name);  // NULL: no such name
const TfLiteTensor *arn_signature_output(arn_signature_runner *runner, const char *name);
arn_status arn_signature_resize_input(arn_signature_runner *runner, const char *name, const int *dims, int rank,
                                      arn_error *error);
arn_status arn_signature_allocate(arn_signature_runner *runner, arn_error *error);
arn_status arn_signature_invoke(arn_signature_runner *runner, arn_error *error);

// What runs where. Node indices are the file's operator indices.
typedef struct arn_node_info {
  int node;
  int position;  // in the execution order, from 0; it may change with the next allocate or replan
  int32_t code;
  const char *name;  // "CONV_2D" or the custom name
  int version;
  const char *owner;    // "arenite", "caller", or a delegate's name
  int inputs, outputs;  // counts
  const int *input_tensors, *output_tensors;
  uint64_t macs;  // multiply-adds of one evaluation; 0: not known
} arn_node_info;
int arn_interpreter_subgraph_count(const arn_interpreter *interpreter);
int arn_interpreter_node_count(const arn_interpreter *interpreter, int subgraph);
int arn_interpreter_tensor_count(const arn_interpreter *interpreter, int subgraph);
bool arn_interpreter_node(const arn_interpreter *interpreter, int subgraph, int node, arn_node_info *info);

// Calls *profiler around every node from now on (NULL: no longer). It must outlive its use.
void arn_interpreter_set_profiler(arn_interpreter *interpreter, const arn_profiler *profiler);

#ifdef __cplusplus
}
#endif
#endif
