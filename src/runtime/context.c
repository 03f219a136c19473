// SPDX-License-Identifier: Apache-2.0
// The TfLiteContext of a subgraph: what kernels may ask the runtime for.
#include <stdarg.h>

#include "runtime/subgraph.h"

bool runtime_reserve_tensors(runtime_subgraph *sg, size_t more) {
  arn_interpreter *in = sg->interpreter;
  size_t have = sg->context.tensors_size, capacity = (size_t)sg->tensor_capacity;
  if (more <= capacity - have) return true;
  if (more > INT32_MAX / 2 - have) return in->out_of_memory = true, false;
  size_t larger = have + more + RUNTIME_TENSOR_HEADROOM;
  TfLiteTensor *tensors = runtime_take(in, larger, sizeof *tensors);
  runtime_place *places = runtime_take(in, larger, sizeof *places);
  if (!tensors || !places) {
    runtime_give(in, tensors, larger, sizeof *tensors);
    runtime_give(in, places, larger, sizeof *places);
    return false;
  }
  if (have) {
    memcpy(tensors, sg->context.tensors, have * sizeof *tensors);
    memcpy(places, sg->places, have * sizeof *places);
  }
  runtime_give(in, sg->context.tensors, capacity, sizeof *tensors);
  runtime_give(in, sg->places, capacity, sizeof *places);
  sg->context.tensors = tensors;
  sg->places = places;
  sg->tensor_capacity = (int)larger;
  return true;
}

static TfLiteStatus context_add_tensors(TfLiteContext *context, int count, int *first) {
  runtime_subgraph *sg = runtime_subgraph_of(context);
  if (count < 0 || !runtime_reserve_tensors(sg, (size_t)count)) return kTfLiteError;
  size_t begin = context->tensors_size;
  for (size_t i = begin; i < begin + (size_t)count; i++) {
    context->tensors[i] = (TfLiteTensor){.buffer_handle = kTfLiteNullBufferHandle};
    sg->places[i] = (runtime_place){.life = {LIFETIME_UNWRITTEN, -1}, .segment = -1};
  }
  context->tensors_size += (size_t)count;
  if (first) *first = (int)begin;
  return kTfLiteOk;
}

static TfLiteStatus context_resize_tensor(TfLiteContext *context, TfLiteTensor *tensor, TfLiteIntArray *dims) {
  return runtime_resize(runtime_subgraph_of(context), tensor, dims);
}

static TfLiteStatus context_resize_explicit(TfLiteContext *context, TfLiteTensor *tensor, int rank, const int *shape) {
  TfLiteIntArray *dims = TfLiteIntArrayCreate(rank);
  if (!dims) return runtime_subgraph_of(context)->interpreter->out_of_memory = true, kTfLiteError;
  if (rank) memcpy(dims->data, shape, (size_t)rank * sizeof *shape);
  return runtime_resize(runtime_subgraph_of(context), tensor, dims);
}

static void context_report(TfLiteContext *context, const char *format, ...) {
  runtime_subgraph *sg = runtime_subgraph_of(context);
  va_list arguments;
  va_start(arguments, format);
  runtime_report(sg, sg->current, -1, ARN_ERROR, format, arguments);
  va_end(arguments);
}

static TfLiteExternalContext *context_get_external(TfLiteContext *context, TfLiteExternalContextType type) {
  if ((unsigned)type >= kTfLiteMaxExternalContexts) return NULL;
  return runtime_subgraph_of(context)->interpreter->external[type];
}

static void context_set_external(TfLiteContext *context, TfLiteExternalContextType type, TfLiteExternalContext *external) {
  if ((unsigned)type < kTfLiteMaxExternalContexts) runtime_subgraph_of(context)->interpreter->external[type] = external;
}

static void *context_persistent(TfLiteContext *context, size_t bytes) {
  runtime_subgraph *sg = runtime_subgraph_of(context);
  if (sg->current < 0) return NULL;
  if (!runtime_within_limit(sg->interpreter, bytes)) {
    sg->interpreter->out_of_memory = true;
    runtime_over_limit(sg, sg->current, -1, bytes, "what the operator keeps between inferences");
    return NULL;
  }
  return runtime_add_block(sg->interpreter, &sg->nodes[sg->current].persistent, bytes, &sg->interpreter->packed);
}

static TfLiteStatus context_request_scratch(TfLiteContext *context, size_t bytes, int *index) {
  runtime_subgraph *sg = runtime_subgraph_of(context);
  if (sg->current < 0 || sg->evaluating) return kTfLiteError;
  if (sg->scratch_free < 0) {
    int count = sg->scratch_capacity ? 2 * sg->scratch_capacity : 8;
    runtime_scratch *more =
        sg->scratch_capacity < INT32_MAX / 2 ? runtime_take(sg->interpreter, (size_t)count, sizeof *more) : NULL;
    if (!more) return kTfLiteError;
    for (int i = 0; i < sg->scratch_capacity; i++) more[i] = sg->scratch[i];
    for (int i = sg->scratch_capacity; i < count; i++)
      more[i] = (runtime_scratch){.next = i + 1 < count ? i + 1 : -1, .node = -1, .segment = -1};
    runtime_give(sg->interpreter, sg->scratch, (size_t)sg->scratch_capacity, sizeof *more);
    sg->scratch = more;
    sg->scratch_free = sg->scratch_capacity;
    sg->scratch_capacity = count;
  }
  int at = sg->scratch_free;
  runtime_scratch *request = &sg->scratch[at];
  sg->scratch_free = request->next;
  *request = (runtime_scratch){.bytes = bytes, .next = sg->nodes[sg->current].scratch, .node = sg->current, .segment = -1};
  sg->nodes[sg->current].scratch = at;
  *index = at;
  return kTfLiteOk;
}

static void *context_get_scratch(TfLiteContext *context, int index) {
  const runtime_subgraph *sg = runtime_subgraph_of(context);
  if (index < 0 || index >= sg->scratch_capacity || sg->scratch[index].segment < 0) return NULL;
  const runtime_scratch *scratch = &sg->scratch[index];
  const uint8_t *memory = scratch->region >= 0 ? sg->interpreter->region_memory[scratch->region] : sg->segments[scratch->segment].memory;
  return (uint8_t *)(uintptr_t)memory + scratch->offset;
}

static TfLiteStatus context_metadata(const TfLiteContext *context, const char *name, const char **pointer, size_t *bytes) {
  model_bytes found = model_metadata(runtime_subgraph_of(context)->interpreter->model, name);
  if (!found.data) return kTfLiteError;
  *pointer = (const char *)found.data;
  *bytes = found.size;
  return kTfLiteOk;
}

// ---- What only a delegate's Prepare may call; anywhere else it fails cleanly. ----
static TfLiteStatus refuse_outside_delegate(TfLiteContext *context, const char *name) {
  context->ReportError(context, "%s may be called in a delegate's Prepare only", name);
  return kTfLiteError;
}
static TfLiteStatus refuse_plan(TfLiteContext *context, TfLiteIntArray **plan) {
  (void)plan;
  return refuse_outside_delegate(context, "GetExecutionPlan");
}
static TfLiteStatus refuse_node(TfLiteContext *context, int index, TfLiteNode **node, TfLiteRegistration **registration) {
  (void)index, (void)node, (void)registration;
  return refuse_outside_delegate(context, "GetNodeAndRegistration");
}
static TfLiteStatus refuse_replace(TfLiteContext *context, TfLiteRegistration registration, const TfLiteIntArray *nodes,
                                   TfLiteDelegate *delegate) {
  (void)registration, (void)nodes, (void)delegate;
  return refuse_outside_delegate(context, "ReplaceNodeSubsetsWithDelegateKernels");
}
static TfLiteStatus refuse_preview(TfLiteContext *context, const TfLiteIntArray *nodes, TfLiteDelegateParams **partitions,
                                   int *count) {
  (void)nodes, (void)partitions, (void)count;
  return refuse_outside_delegate(context, "PreviewDelegatePartitioning");
}
static TfLiteStatus refuse_acquire(TfLiteContext *context, int index, TfLiteContext **acquired) {
  (void)index, (void)acquired;
  return refuse_outside_delegate(context, "AcquireSubgraphContext");
}
static TfLiteStatus refuse_release(TfLiteContext *context, int index) {
  (void)index;
  return refuse_outside_delegate(context, "ReleaseSubgraphContext");
}

// GetTensor, GetEvalTensor and AllocateBufferForEval stay NULL, as in the published runtime.
void runtime_init_context(runtime_subgraph *sg) {
  sg->services = runtime_services();
  sg->context.impl_ = sg;
  sg->context.ResizeTensor = context_resize_tensor;
  sg->context.ResizeTensorExplicit = context_resize_explicit;
  sg->context.ReportError = context_report;
  sg->context.AddTensors = context_add_tensors;
  sg->context.GetExternalContext = context_get_external;
  sg->context.SetExternalContext = context_set_external;
  sg->context.AllocatePersistentBuffer = context_persistent;
  sg->context.RequestScratchBufferInArena = context_request_scratch;
  sg->context.GetScratchBuffer = context_get_scratch;
  sg->context.GetModelMetadata = context_metadata;
  sg->context.recommended_num_threads = sg->interpreter->threads > 1 ? sg->interpreter->threads : 1;
  sg->context.GetExecutionPlan = refuse_plan;
  sg->context.GetNodeAndRegistration = refuse_node;
  sg->context.ReplaceNodeSubsetsWithDelegateKernels = refuse_replace;
  sg->context.PreviewDelegatePartitioning = refuse_preview;
  sg->context.AcquireSubgraphContext = refuse_acquire;
  sg->context.ReleaseSubgraphContext = refuse_release;
}
