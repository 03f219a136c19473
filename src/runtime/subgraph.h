// SPDX-License-Identifier: Apache-2.0
// The records of an interpreter: its subgraphs with tensors, nodes and memory. Everything in runtime/ and capi/ works on them;
// programs see arenite/interpreter.h.
//
// A subgraph goes through: created (tensors and nodes made from the file) -> prepared (every node's prepare has run; shapes are
// known) -> placed (memory planned and taken) -> invoked, any number of times. Where a node's output shape depends on data,
// preparing and placing stop behind that node and go on during the inference.
#ifndef RUNTIME_SUBGRAPH_H
#define RUNTIME_SUBGRAPH_H

#include <stdatomic.h>

#include "arenite/interpreter.h"
#include "arenite/replan.h"
#include "base/allocator.h"
#include "base/error.h"
#include "graph/lifetime.h"
#include "model/model.h"
#include "ops/op.h"
#include "runtime/resolver.h"

// A piece of memory on a list; the bytes follow the record.
typedef struct runtime_block {
  struct runtime_block *next;
  size_t bytes;  // of the whole allocation
} runtime_block;

typedef struct runtime_node {
  TfLiteNode node;
  TfLiteRegistration registration;  // this node's own copy; delegates exchange it
  const op_descriptor *op;          // NULL: a caller's kernel
  size_t params_bytes;              // of node.builtin_data
  runtime_block *persistent;
  int scratch;       // its first scratch request, linked by next; -1: none
  bool initialized;  // the caller's free must be called
  bool excluded;     // somebody else evaluates it: its inner tensors need no memory here, invoke passes it by
} runtime_node;

typedef struct runtime_scratch {
  size_t bytes;
  size_t offset;
  int next;     // of the same node, or of the free list; -1: the last
  int node;     // whose it is; -1: free
  int segment;  // -1: not placed yet
  int region;   // -1: the segment's own memory
} runtime_scratch;

// Where a tensor lies in the arena.
typedef struct runtime_place {
  lifetime life;
  int root;    // the tensor whose memory it shares; itself when it has its own
  int segment;  // -1: not placed
  int region;   // -1: the segment's own memory
  size_t offset;
} runtime_place;

// The memory of the nodes at positions first..end-1: what was planned in one go. A static graph has one segment; behind each node
// with a data-dependent shape starts another, so that nothing placed before ever moves.
typedef struct runtime_segment {
  int first, end;
  uint8_t *memory;
  size_t capacity;  // bytes at memory, kept when the segment is planned again
  size_t peak;      // bytes that the plan takes
  size_t planned_sum, lower_bound, padding;
  bool proven;
} runtime_segment;

typedef struct runtime_subgraph {
  const op_services *services;  // first: op_services_of reads it through context.impl_
  TfLiteContext context;
  arn_interpreter *interpreter;
  int index;
  runtime_place *places;  // parallel to context.tensors
  int tensor_capacity;    // of context.tensors and places
  int file_tensors;       // tensors of the file; behind them those that kernels added
  runtime_node *nodes;
  int node_count;
  TfLiteIntArray *inputs, *outputs;
  TfLiteIntArray *plan;  // the execution plan: node indices in order
  runtime_scratch *scratch;
  int scratch_count, scratch_capacity, scratch_free;
  runtime_segment *segments;
  int segment_count, segment_capacity;  // segments from segment_count on keep their memory for the next time
  runtime_block *variables;             // memory of persistent tensors, one block each
  int prepared;                         // positions before it are prepared
  int placed;                           // positions before it have their memory
  int current;                          // node whose init, prepare or invoke runs; -1: none
  bool needs_allocate;                  // a shape changed since the last allocate, or there was none
  bool allocating;                      // guards against subgraphs that call themselves
  bool invoking;
  bool evaluating;  // a node's invoke runs: planned tensors may not change their shape
  bool resized;     // a tensor changed its shape since the running node's invoke began
  bool called;      // first_call was asked
  bool prepared_once;   // at least the first node: the inputs' types are settled
} runtime_subgraph;

typedef struct runtime_resource {
  char *key;  // container, NUL, name, NUL
  size_t key_bytes;
  void *object;
  void (*destroy)(TfLiteContext *context, void *object);
} runtime_resource;

typedef struct runtime_signature_name {
  const char *name;  // in the model file
  int tensor;
} runtime_signature_name;

struct arn_signature_runner {
  const char *key;
  runtime_subgraph *subgraph;
  runtime_signature_name *inputs, *outputs;  // by name, as the reference lists them
  int input_count, output_count;
};

struct arn_interpreter {
  const arn_model *model;
  const base_allocator *allocator;
  const arn_resolver *resolver;
  int threads;
  size_t alignment;
  arn_plan_algorithm planner;
  bool keep_all_tensors;
  unsigned memory;  // ARN_MEMORY_* bits
  size_t memory_limit;  // 0: none
  struct arn_arena *arena;  // NULL: segments have memory of their own
  arn_memory_region regions[ARN_MEMORY_REGIONS_MAX];
  int region_count;
  uint8_t *region_memory[ARN_MEMORY_REGIONS_MAX];    // the caller's, or a block from the allocator
  size_t region_capacity[ARN_MEMORY_REGIONS_MAX];    // of blocks from the allocator
  arn_memory_division division;                      // of the first subgraph's present plan
  TfLiteIntArray **max_shapes;  // by input of subgraph 0, NULL where none was set; NULL altogether: none at all
  void (*report)(void *report_data, const char *line);
  void *report_data;
  runtime_subgraph *subgraphs;
  int subgraph_count;
  arn_signature_runner *signatures;
  int signature_count;
  runtime_resource *resources;
  int resource_count, resource_capacity;
  TfLiteExternalContext *external[kTfLiteMaxExternalContexts];
  arn_profiler profiler;
  bool profiling;
  atomic_bool cancelled;
  int depth;           // of subgraph calls
  bool out_of_memory;  // an allocation failed during the current call
  arn_error pending;   // what the current call has to complain about; status ARN_OK: nothing
  size_t overhead, packed, persistent,
      resource_bytes;  // bytes held from the allocator: records, operator memory, variables, behind resources
  size_t arenas;  // bytes of all segments
};

enum {
  RUNTIME_ALIGNMENT = 64,  // of planned tensors, unless the options say otherwise, and at least of scratch
  RUNTIME_MAX_ALIGNMENT = 1 << 20,
  RUNTIME_TENSOR_HEADROOM =
      16,  // tensors that a caller's kernel may add without moving the others (TFLite reference: the same number)
  RUNTIME_MAX_CALL_DEPTH = 32,  // of subgraphs within subgraphs: the native stack is finite
};

// ---- Memory and errors (account.c). ----
// count * size bytes for records, cleared; NULL (and out_of_memory set) when there are none. Given back with the same figures, so
// that the memory report is exact.
void *runtime_take(arn_interpreter *in, size_t count, size_t size);
void runtime_give(arn_interpreter *in, void *memory, size_t count, size_t size);  // NULL is allowed
// A block of `bytes` cleared bytes, aligned like planned tensors, on a list; *account counts what the list holds.
void *runtime_add_block(arn_interpreter *in, runtime_block **list, size_t bytes, size_t *account);
void runtime_free_blocks(arn_interpreter *in, runtime_block **list, size_t *account);

// Records what is wrong, unless a deeper call of the same operation has already said more, tells options.report, and returns
// status. node: -1, or the node's index, which then heads the message with the operator's name and version.
arn_status runtime_fail(runtime_subgraph *sg, int node, int tensor, arn_status status, const char *format, ...) BASE_PRINTF(5, 6);
void runtime_report(runtime_subgraph *sg, int node, int tensor, arn_status status, const char *format, va_list arguments);
void runtime_begin(arn_interpreter *in);  // the start of a public call: clears what is pending
arn_status runtime_end(arn_interpreter *in, arn_status status, arn_error *error);  // its end: fills *error from what is pending
arn_status runtime_status(arn_interpreter *in, TfLiteStatus status);               // a kernel's verdict as an arn_status
const char *runtime_op_name(const runtime_node *node);

// ---- The memory limit (limit.c). ----
// Whether `more` bytes of tensors, scratch or operators' memory stay within the limit.
bool runtime_within_limit(const arn_interpreter *in, size_t more);
arn_status runtime_over_limit(runtime_subgraph *sg, int node, int tensor, size_t more, const char *what);
// The same for an arena, naming the largest tensors among `owners` (negative entries are none).
arn_status runtime_arena_over_limit(runtime_subgraph *sg, size_t arena, const int *owners, size_t owner_count);
// Gives a dynamic tensor, or one computed ahead, its bytes, within the limit. False: refused, and said why.
bool runtime_grow(runtime_subgraph *sg, TfLiteTensor *t, size_t bytes, bool keep);

// ---- Making the records (fill.c, bind.c, context.c, services.c). ----
arn_status runtime_fill_tensors(runtime_subgraph *sg);
arn_status runtime_bind_operators(arn_interpreter *in);
void runtime_free_nodes(runtime_subgraph *sg);
void runtime_init_context(runtime_subgraph *sg);
bool runtime_reserve_tensors(runtime_subgraph *sg, size_t more);  // room behind the tensors; false: out of memory
const op_services *runtime_services(void);

// ---- Running (run.c, place.c). ----
arn_status runtime_allocate(runtime_subgraph *sg);
arn_status runtime_invoke(runtime_subgraph *sg);
TfLiteStatus runtime_resize(runtime_subgraph *sg, TfLiteTensor *tensor, TfLiteIntArray *dims);  // takes dims
int runtime_tensor_index(const runtime_subgraph *sg, const TfLiteTensor *t);  // -1: not one of this subgraph's
arn_status runtime_resize_input(runtime_subgraph *sg, int tensor, const int *dims, int rank);
arn_status runtime_check_strict(runtime_subgraph *sg, int tensor, const int *dims, int rank);  // only open dimensions may change
bool runtime_is_dynamic(const runtime_subgraph *sg);           // an output's shape is known after the inference only
arn_status runtime_place_tensors(runtime_subgraph *sg);        // plans and takes memory for positions placed..prepared-1
// Plans what is placed once more, with the interpreter's present options, and adds up the results; changes nothing.
arn_status runtime_weigh_plan(runtime_subgraph *sg, arn_memory_totals *totals);
void runtime_drop_places(runtime_subgraph *sg, int position);  // forgets what is placed for the nodes from there on
void runtime_release_memory(runtime_subgraph *sg);
void runtime_reset_variables(runtime_subgraph *sg);
arn_status runtime_set_excluded(runtime_subgraph *sg, int node, bool excluded);  // plans again; inputs must be set again
arn_status runtime_reserve_max_shapes(arn_interpreter *in);  // takes the memory that the largest shapes need
void runtime_forget_max_shapes(arn_interpreter *in);

// ---- Signatures and resources (signature.c, resource.c). ----
arn_status runtime_make_signatures(arn_interpreter *in);
void runtime_free_signatures(arn_interpreter *in);
arn_status runtime_resize_signature(arn_signature_runner *runner, const char *name, const int *dims, int rank, bool strict,
                                    arn_error *error);
int runtime_resource_id(arn_interpreter *in, const char *container, const char *name);
TfLiteStatus runtime_put_resource(arn_interpreter *in, int id, void *object,
                                  void (*destroy)(TfLiteContext *context, void *object));
void runtime_free_resources(arn_interpreter *in);

arn_status runtime_arena_make(const base_allocator *allocator, void *memory, size_t bytes, arn_arena **arena);

// arn_interpreter_create with an allocator, which must outlive the interpreter; options->resolver must be set.
arn_status runtime_create(const arn_model *model, const arn_interpreter_options *options, const base_allocator *allocator,
                          arn_interpreter **interpreter, arn_error *error);

static inline runtime_subgraph *runtime_subgraph_of(const TfLiteContext *context) { return context->impl_; }
static inline TfLiteTensor *runtime_tensor(const runtime_subgraph *sg, int tensor) {
  return tensor >= 0 && (size_t)tensor < sg->context.tensors_size ? &sg->context.tensors[tensor] : NULL;
}

#endif
