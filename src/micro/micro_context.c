// SPDX-License-Identifier: Apache-2.0
// The TfLiteContext that operators see on a micro target: memory, scratch, errors, and the services behind control flow and variables.
#include "base/compiler.h"
#if ARENITE_MICRO  // a hosted build that takes every file of src gets nothing from this one
#include <string.h>

#include "micro/micro_interpreter.h"
#if ARENITE_MESSAGES
#include <stdio.h>
#endif

static micro_call *call_of(const TfLiteContext *context) { return context->impl_; }

static void report_error(TfLiteContext *context, const char *message, ...) {
  micro_call *call = call_of(context);
  if (!call->error) return;
  error_set(call->error, ARN_ERROR, "%s", "");
#if ARENITE_MESSAGES
  va_list arguments;
  va_start(arguments, message);
  vsnprintf(call->error->message, sizeof call->error->message, message, arguments);
  va_end(arguments);
#else
  (void)message;
#endif
  call->error->subgraph = (int32_t)call->subgraph;
  call->error->node = (int32_t)call->node;
}

static void *allocate_persistent(TfLiteContext *context, size_t bytes) {
  return base_allocate(&call_of(context)->micro->allocator, bytes, sizeof(uint64_t));
}

// An operator computed another shape than the file's: it is kept in the arena.
static TfLiteStatus resize_tensor(TfLiteContext *context, TfLiteTensor *t, TfLiteIntArray *shape) {
  size_t bytes = sizeof *shape + (size_t)shape->size * sizeof(int);
  TfLiteIntArray *copy = allocate_persistent(context, bytes);
  if (!copy) return kTfLiteError;
  memcpy(copy, shape, bytes);
  t->dims = copy;
  return kTfLiteOk;
}

// Index of a request: how far its record lies from the arena's end, so that invoke finds it without a search.
static TfLiteStatus request_scratch(TfLiteContext *context, size_t bytes, int *index) {
  micro_call *call = call_of(context);
  arena *a = &call->micro->arena;
  micro_scratch *scratch = allocate_persistent(context, sizeof *scratch);
  if (!scratch) return kTfLiteError;
  micro_subgraph *subgraph = &call->micro->subgraphs[call->subgraph];
  *scratch = (micro_scratch){.next = subgraph->scratch, .bytes = bytes, .node = call->node};
  subgraph->scratch = scratch;
  *index = (int)(a->base + a->size - (uint8_t *)scratch);
  return kTfLiteOk;
}

static void *get_scratch(TfLiteContext *context, int index) {
  const arena *a = &call_of(context)->micro->arena;
  const micro_scratch *scratch = (const void *)(a->base + a->size - index);
  return a->base + scratch->offset;
}

// ---- Services. ----
static int service_subgraph_count(TfLiteContext *context) { return (int)model_subgraph_count(&call_of(context)->micro->model); }

// A subgraph calls only ones behind it: the order in which they are prepared, and no recursion.
static bool callable(const micro_call *call, int index) {
  return index > (int)call->subgraph && (uint32_t)index < model_subgraph_count(&call->micro->model);
}

static TfLiteContext *service_subgraph(TfLiteContext *context, int index, const TfLiteIntArray **inputs, const TfLiteIntArray **outputs) {
  micro_call *call = call_of(context);
  if (!callable(call, index)) return NULL;
  micro_subgraph *subgraph = &call->micro->subgraphs[index];
  if (!subgraph->shown) {
    subgraph->shown = allocate_persistent(context, sizeof *subgraph->shown);
    if (!subgraph->shown) return NULL;
    *subgraph->shown = (TfLiteContext){.tensors = subgraph->tensors, .tensors_size = subgraph->tensor_count};
  }
  fb_table record = model_subgraph(&call->micro->model, (uint32_t)index);
  *inputs = micro_ints(SubGraph_inputs(record));
  *outputs = micro_ints(SubGraph_outputs(record));
  return subgraph->shown;
}

static TfLiteStatus service_set_input_type(TfLiteContext *context, int index, int input, TfLiteType type) {
  const TfLiteIntArray *inputs, *outputs;
  const TfLiteContext *callee = service_subgraph(context, index, &inputs, &outputs);
  OP_CHECK(context, callee && input < inputs->size, "there is no such subgraph or input");
  OP_CHECK(context, callee->tensors[inputs->data[input]].type == type, "a called subgraph's input types are those of the file on a micro target");
  return kTfLiteOk;
}

static TfLiteStatus service_resize_input(TfLiteContext *context, int index, int input, int rank, const int *dims) {
  const TfLiteIntArray *inputs, *outputs;
  const TfLiteContext *callee = service_subgraph(context, index, &inputs, &outputs);
  OP_CHECK(context, callee && input < inputs->size, "there is no such subgraph or input");
  OP_CHECK(context, TfLiteIntArrayEqualsArray(callee->tensors[inputs->data[input]].dims, rank, dims),
           "a called subgraph's input shapes are those of the file on a micro target");
  return kTfLiteOk;
}

static TfLiteStatus service_allocate_subgraph(TfLiteContext *context, int index) {
  OP_CHECK(context, callable(call_of(context), index), "subgraph %d cannot be called from here", index);
  return kTfLiteOk;  // every subgraph is prepared ahead
}

static TfLiteStatus service_invoke_subgraph(TfLiteContext *context, int index) {
  micro_call *call = call_of(context);
  OP_TRY(service_allocate_subgraph(context, index));
  return micro_invoke_subgraph(call->micro, (uint32_t)index, call->error) == ARN_OK ? kTfLiteOk : kTfLiteError;
}

static bool service_has_dynamic_outputs(TfLiteContext *context, int index) {
  (void)context, (void)index;
  return false;
}

static const arn_model *service_model(TfLiteContext *context) { return &call_of(context)->micro->model; }

static bool service_first_call(TfLiteContext *context, int index) {
  micro_subgraph *subgraph = &call_of(context)->micro->subgraphs[index];
  bool first = !subgraph->called;
  subgraph->called = true;
  return first;
}

static micro_resource *find_resource(const TfLiteContext *context, int id) {
  micro_resource *r = call_of(context)->micro->resources;
  while (r && r->id != id) r = r->next;
  return r;
}

static int service_resource_id(TfLiteContext *context, const char *container, const char *name) {
  arn_micro *micro = call_of(context)->micro;
  for (const micro_resource *r = micro->resources; r; r = r->next) {
    if (strcmp(r->container, container) == 0 && strcmp(r->name, name) == 0) return r->id;
  }
  size_t container_bytes = strlen(container) + 1, name_bytes = strlen(name) + 1;
  micro_resource *r = allocate_persistent(context, sizeof *r + container_bytes + name_bytes);
  if (!r) return -1;
  char *text = (char *)(r + 1);  // copies: a caller's names need not last
  memcpy(text, container, container_bytes);
  memcpy(text + container_bytes, name, name_bytes);
  *r = (micro_resource){
      .next = micro->resources, .container = text, .name = text + container_bytes, .id = micro->resources ? micro->resources->id + 1 : 0};
  micro->resources = r;
  return r->id;
}

static void *service_resource(TfLiteContext *context, int id) {
  const micro_resource *r = find_resource(context, id);
  return r ? r->object : NULL;
}

static TfLiteStatus service_put_resource(TfLiteContext *context, int id, void *object, void (*destroy)(TfLiteContext *, void *)) {
  micro_resource *r = find_resource(context, id);
  OP_CHECK(context, r, "there is no resource %d", id);
  if (r->object && r->object != object) destroy(context, r->object);
  r->object = object;
  return kTfLiteOk;
}

static void *service_allocate(TfLiteContext *context, size_t bytes) {
  return base_allocate(&call_of(context)->micro->allocator, bytes, MICRO_ALIGNMENT);
}
static void service_release(TfLiteContext *context, void *memory) { base_release(&call_of(context)->micro->allocator, memory); }

// What a micro target does not do, instead of NULL pointers that a foreign kernel might call.
static TfLiteStatus refuse_add_tensors(TfLiteContext *context, int count, int *first) {
  (void)count, (void)first;
  OP_FAIL(context, "a micro target adds no tensors");
}

void micro_context_init(TfLiteContext *context, micro_call *call, arn_micro *micro, uint32_t subgraph, arn_error *error) {
  static const op_services services = {
      .subgraph_count = service_subgraph_count,
      .subgraph = service_subgraph,
      .subgraph_set_input_type = service_set_input_type,
      .subgraph_resize_input = service_resize_input,
      .subgraph_allocate = service_allocate_subgraph,
      .subgraph_invoke = service_invoke_subgraph,
      .subgraph_has_dynamic_outputs = service_has_dynamic_outputs,
      .model = service_model,
      .first_call = service_first_call,
      .resource_id = service_resource_id,
      .resource = service_resource,
      .put_resource = service_put_resource,
      .allocate = service_allocate,
      .release = service_release,
  };
  *call = (micro_call){.services = &services, .micro = micro, .error = error, .subgraph = subgraph};
  *context = (TfLiteContext){
      .tensors_size = micro->subgraphs[subgraph].tensor_count,
      .tensors = micro->subgraphs[subgraph].tensors,
      .impl_ = call,
      .ResizeTensor = resize_tensor,
      .ReportError = report_error,
      .AddTensors = refuse_add_tensors,
      .recommended_num_threads = 1,
      .AllocatePersistentBuffer = allocate_persistent,
      .RequestScratchBufferInArena = request_scratch,
      .GetScratchBuffer = get_scratch,
  };
}

#endif
