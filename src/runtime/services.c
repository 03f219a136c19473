// SPDX-License-Identifier: Apache-2.0
// What control flow and resource operators may ask the runtime for (op_services of ops/op.h).
#include "runtime/subgraph.h"

static arn_interpreter *interpreter_of(const TfLiteContext *context) { return runtime_subgraph_of(context)->interpreter; }

static runtime_subgraph *subgraph_at(const TfLiteContext *context, int index) {
  arn_interpreter *in = interpreter_of(context);
  return index >= 0 && index < in->subgraph_count ? &in->subgraphs[index] : NULL;
}

static TfLiteStatus published_status(arn_status status) {
  return status == ARN_OK ? kTfLiteOk : status == ARN_CANCELLED ? kTfLiteCancelled : kTfLiteError;
}

static int hosted_subgraph_count(TfLiteContext *context) { return interpreter_of(context)->subgraph_count; }

static TfLiteContext *hosted_subgraph(TfLiteContext *context, int index, const TfLiteIntArray **inputs,
                                      const TfLiteIntArray **outputs) {
  runtime_subgraph *sg = subgraph_at(context, index);
  if (inputs) *inputs = sg ? sg->inputs : NULL;
  if (outputs) *outputs = sg ? sg->outputs : NULL;
  return sg ? &sg->context : NULL;
}

static TfLiteStatus hosted_set_input_type(TfLiteContext *context, int index, int input, TfLiteType type) {
  runtime_subgraph *sg = subgraph_at(context, index);
  TfLiteTensor *t = sg && input >= 0 && input < sg->inputs->size ? runtime_tensor(sg, sg->inputs->data[input]) : NULL;
  if (!t) return kTfLiteError;
  if (t->type == type) return kTfLiteOk;
  // Operators keep what they prepared for one type.
  OP_CHECK(context, !sg->prepared_once, "input %d of subgraph %d is called with type %s, before with %s", input, index,
           op_type_name(type), op_type_name(t->type));
  t->type = type;
  t->data.raw = NULL;
  sg->needs_allocate = true;
  return kTfLiteOk;
}

static TfLiteStatus hosted_resize_input(TfLiteContext *context, int index, int input, int rank, const int *dims) {
  runtime_subgraph *sg = subgraph_at(context, index);
  if (!sg || input < 0 || input >= sg->inputs->size) return kTfLiteError;
  return published_status(runtime_resize_input(sg, sg->inputs->data[input], dims, rank));
}

static TfLiteStatus hosted_allocate(TfLiteContext *context, int index) {
  runtime_subgraph *sg = subgraph_at(context, index);
  return sg ? published_status(runtime_allocate(sg)) : kTfLiteError;
}

static TfLiteStatus hosted_invoke(TfLiteContext *context, int index) {
  runtime_subgraph *sg = subgraph_at(context, index);
  return sg ? published_status(runtime_invoke(sg)) : kTfLiteError;
}

static bool hosted_has_dynamic_outputs(TfLiteContext *context, int index) {
  const runtime_subgraph *sg = subgraph_at(context, index);
  return sg && runtime_is_dynamic(sg);
}

static const arn_model *hosted_model(TfLiteContext *context) { return interpreter_of(context)->model; }

static bool hosted_first_call(TfLiteContext *context, int index) {
  runtime_subgraph *sg = subgraph_at(context, index);
  if (!sg || sg->called) return false;
  return sg->called = true;
}

static int hosted_resource_id(TfLiteContext *context, const char *container, const char *name) {
  return runtime_resource_id(interpreter_of(context), container, name);
}

static void *hosted_resource(TfLiteContext *context, int id) {
  const arn_interpreter *in = interpreter_of(context);
  return id >= 0 && id < in->resource_count ? in->resources[id].object : NULL;
}

static TfLiteStatus hosted_put_resource(TfLiteContext *context, int id, void *object,
                                        void (*destroy)(TfLiteContext *context, void *object)) {
  return runtime_put_resource(interpreter_of(context), id, object, destroy);
}

// The size stands in front of the memory, so that release can account for it.
typedef union service_head {
  size_t bytes;
  max_align_t align;
} service_head;

static void *hosted_take_memory(TfLiteContext *context, size_t bytes) {
  arn_interpreter *in = interpreter_of(context);
  if (!runtime_within_limit(in, bytes)) {
    in->out_of_memory = true;
    runtime_over_limit(runtime_subgraph_of(context), runtime_subgraph_of(context)->current, -1, bytes, "a resource");
    return NULL;
  }
  service_head *head =
      bytes <= SIZE_MAX - sizeof *head ? base_allocate(in->allocator, sizeof *head + bytes, _Alignof(service_head)) : NULL;
  if (!head) return in->out_of_memory = true, NULL;
  head->bytes = bytes;
  in->resource_bytes += bytes;
  return head + 1;
}

static TfLiteStatus hosted_realloc_tensor(TfLiteContext *context, TfLiteTensor *t, size_t bytes) {
  return runtime_grow(runtime_subgraph_of(context), t, bytes, true) ? kTfLiteOk : kTfLiteError;
}

static void hosted_release_memory(TfLiteContext *context, void *memory) {
  if (!memory) return;
  service_head *head = (service_head *)memory - 1;
  interpreter_of(context)->resource_bytes -= head->bytes;
  base_release(interpreter_of(context)->allocator, head);
}

const op_services *runtime_services(void) {
  static const op_services services = {
      .subgraph_count = hosted_subgraph_count,
      .subgraph = hosted_subgraph,
      .subgraph_set_input_type = hosted_set_input_type,
      .subgraph_resize_input = hosted_resize_input,
      .subgraph_allocate = hosted_allocate,
      .subgraph_invoke = hosted_invoke,
      .subgraph_has_dynamic_outputs = hosted_has_dynamic_outputs,
      .model = hosted_model,
      .first_call = hosted_first_call,
      .resource_id = hosted_resource_id,
      .resource = hosted_resource,
      .put_resource = hosted_put_resource,
      .allocate = hosted_take_memory,
      .release = hosted_release_memory,
      .realloc_tensor = hosted_realloc_tensor,
  };
  return &services;
}
