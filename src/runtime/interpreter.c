// SPDX-License-Identifier: Apache-2.0
// The public interpreter: creating and destroying it, and its calls on the first subgraph.
#include "runtime/place.h"

static arn_status create_subgraphs(arn_interpreter *in) {
  uint32_t count = model_subgraph_count(in->model);
  if (count == 0 || count > INT32_MAX / 2) return ARN_INVALID_MODEL;
  in->subgraphs = runtime_take(in, count, sizeof *in->subgraphs);
  if (!in->subgraphs) return ARN_OUT_OF_MEMORY;
  in->subgraph_count = (int)count;
  for (int i = 0; i < in->subgraph_count; i++) {
    runtime_subgraph *sg = &in->subgraphs[i];
    sg->interpreter = in;
    sg->index = i;
    sg->current = -1;
    sg->scratch_free = -1;
    sg->needs_allocate = true;
    runtime_init_context(sg);
  }
  for (int i = 0; i < in->subgraph_count; i++) {
    arn_status status = runtime_fill_tensors(&in->subgraphs[i]);
    if (status != ARN_OK) return status;
  }
  return ARN_OK;
}

static arn_status take_options(arn_interpreter *in, const arn_interpreter_options *options) {
  in->resolver = options->resolver;
  in->threads = options->threads;
  in->alignment = options->alignment ? options->alignment : RUNTIME_ALIGNMENT;
  in->planner = options->planner;
  in->keep_all_tensors = options->keep_all_tensors;
  in->arena = options->arena;
  if (options->region_count < 0 || options->region_count > ARN_MEMORY_REGIONS_MAX || (options->region_count && (!options->regions || options->arena))) {
    return ARN_INVALID_ARGUMENT;
  }
  in->region_count = options->region_count;
  for (int r = 0; r < in->region_count; r++) in->regions[r] = options->regions[r];
  in->memory = options->memory ? options->memory : ARN_MEMORY_HOST;
  in->memory_limit = options->memory_limit;
  in->report = options->report;
  in->report_data = options->report_data;
  const bool power = (in->alignment & (in->alignment - 1)) == 0;
  return in->resolver && power && in->alignment <= RUNTIME_MAX_ALIGNMENT && arn_plan_algorithm_name(in->planner)
             ? ARN_OK
             : ARN_INVALID_ARGUMENT;
}

arn_status runtime_create(const arn_model *model, const arn_interpreter_options *options, const base_allocator *allocator,
                          arn_interpreter **interpreter, arn_error *error) {
  *interpreter = NULL;
  if (!model) return error_set(error, ARN_INVALID_ARGUMENT, "no model");
  arn_interpreter *in = base_allocate_array(allocator, 1, sizeof *in, _Alignof(arn_interpreter));
  if (!in) {
    if (options->report) options->report(options->report_data, arn_status_text(ARN_OUT_OF_MEMORY));
    return error_set(error, ARN_OUT_OF_MEMORY, "no memory for an interpreter");
  }
  in->model = model;
  in->allocator = allocator;
  in->overhead = sizeof *in;
  atomic_init(&in->cancelled, false);
  arn_status status = take_options(in, options);
  if (status != ARN_OK) {
    error_set(&in->pending, status,
              "an option is wrong: a resolver, a known planner and an alignment of a power of two up to %d are needed",
              RUNTIME_MAX_ALIGNMENT);
    if (in->report) in->report(in->report_data, in->pending.message);
  }
  if (status == ARN_OK) status = create_subgraphs(in);
  if (status == ARN_OK) status = runtime_bind_operators(in);
  if (status == ARN_OK) status = runtime_make_signatures(in);
  if (status != ARN_OK) {
    runtime_end(in, status, error);
    arn_interpreter_destroy(in);
    return status;
  }
  *interpreter = in;
  return ARN_OK;
}

static void destroy_subgraph(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  runtime_release_memory(sg);
  for (size_t i = 0; i < sg->context.tensors_size; i++) TfLiteTensorFree(&sg->context.tensors[i]);
  runtime_give(in, sg->context.tensors, (size_t)sg->tensor_capacity, sizeof *sg->context.tensors);
  runtime_give(in, sg->places, (size_t)sg->tensor_capacity, sizeof *sg->places);
  TfLiteIntArrayFree(sg->inputs);
  TfLiteIntArrayFree(sg->outputs);
  TfLiteIntArrayFree(sg->plan);
}

void arn_interpreter_destroy(arn_interpreter *in) {
  if (!in) return;
  // Kernels and resources go first: they may look at tensors.
  for (int i = 0; i < in->subgraph_count; i++) runtime_free_nodes(&in->subgraphs[i]);
  runtime_free_resources(in);
  runtime_free_signatures(in);
  runtime_forget_max_shapes(in);
  for (int i = 0; i < in->subgraph_count; i++) destroy_subgraph(&in->subgraphs[i]);
  runtime_give(in, in->subgraphs, (size_t)in->subgraph_count, sizeof *in->subgraphs);
  runtime_release_regions(in);
  base_release(in->allocator, in);
}

// ---- Inputs, outputs, tensors. ----
static runtime_subgraph *subgraph_or_null(const arn_interpreter *in, int subgraph) {
  return subgraph >= 0 && subgraph < in->subgraph_count ? &in->subgraphs[subgraph] : NULL;
}

int arn_interpreter_input_count(const arn_interpreter *in) { return in->subgraphs[0].inputs->size; }
int arn_interpreter_output_count(const arn_interpreter *in) { return in->subgraphs[0].outputs->size; }

static TfLiteTensor *listed_tensor(const runtime_subgraph *sg, const TfLiteIntArray *list, int position) {
  return position >= 0 && position < list->size ? runtime_tensor(sg, list->data[position]) : NULL;
}

TfLiteTensor *arn_interpreter_input(const arn_interpreter *in, int input) {
  return listed_tensor(&in->subgraphs[0], in->subgraphs[0].inputs, input);
}

const TfLiteTensor *arn_interpreter_output(const arn_interpreter *in, int output) {
  return listed_tensor(&in->subgraphs[0], in->subgraphs[0].outputs, output);
}

TfLiteTensor *arn_interpreter_tensor(const arn_interpreter *in, int subgraph, int tensor) {
  const runtime_subgraph *sg = subgraph_or_null(in, subgraph);
  return sg ? runtime_tensor(sg, tensor) : NULL;
}

// ---- Running. ----
arn_status runtime_check_strict(runtime_subgraph *sg, int tensor, const int *dims, int rank) {
  const TfLiteTensor *t = runtime_tensor(sg, tensor);
  const TfLiteIntArray *file = t ? TfLiteTensorGetDimsSignature(t) : NULL;
  if (!file || (rank > 0 && !dims)) return ARN_OK;  // resize says what is wrong
  if (rank != file->size) {
    return runtime_fail(sg, -1, tensor, ARN_INVALID_ARGUMENT, "tensor %d \"%s\" has rank %d, the new shape %d", tensor, t->name,
                        file->size, rank);
  }
  for (int i = 0; i < rank; i++) {
    if (file->data[i] == -1 || file->data[i] == dims[i]) continue;
    return runtime_fail(sg, -1, tensor, ARN_INVALID_ARGUMENT,
                        "dimension %d of tensor %d \"%s\" is %d in the model, not open: it cannot become %d", i, tensor, t->name,
                        file->data[i], dims[i]);
  }
  return ARN_OK;
}

arn_status arn_interpreter_resize_input(arn_interpreter *in, int input, const int *dims, int rank, bool strict,
                                        arn_error *error) {
  runtime_subgraph *sg = &in->subgraphs[0];
  runtime_begin(in);
  arn_status status = ARN_OK;
  if (input < 0 || input >= sg->inputs->size) {
    status = runtime_fail(sg, -1, -1, ARN_INVALID_ARGUMENT, "there is no input %d, the model has %d", input, sg->inputs->size);
  } else if (strict) {
    status = runtime_check_strict(sg, sg->inputs->data[input], dims, rank);
  }
  if (status == ARN_OK) status = runtime_resize_input(sg, sg->inputs->data[input], dims, rank);
  return runtime_end(in, status, error);
}

arn_status arn_interpreter_allocate(arn_interpreter *in, arn_error *error) {
  runtime_begin(in);
  arn_status status = runtime_reserve_max_shapes(in);
  if (status == ARN_OK) status = runtime_allocate(&in->subgraphs[0]);
  return runtime_end(in, status, error);
}

arn_status arn_interpreter_invoke(arn_interpreter *in, arn_error *error) {
  runtime_begin(in);
  arn_status status = runtime_invoke(&in->subgraphs[0]);
  atomic_store_explicit(&in->cancelled, false, memory_order_relaxed);
  return runtime_end(in, status, error);
}

arn_status arn_interpreter_reset_variables(arn_interpreter *in) {
  for (int i = 0; i < in->subgraph_count; i++) runtime_reset_variables(&in->subgraphs[i]);
  return ARN_OK;
}

void arn_interpreter_cancel(arn_interpreter *in) { atomic_store_explicit(&in->cancelled, true, memory_order_relaxed); }

void arn_interpreter_set_profiler(arn_interpreter *in, const arn_profiler *profiler) {
  in->profiling = profiler != NULL;
  if (profiler) in->profiler = *profiler;
}

// ---- What runs where. ----
int arn_interpreter_subgraph_count(const arn_interpreter *in) { return in->subgraph_count; }

int arn_interpreter_node_count(const arn_interpreter *in, int subgraph) {
  const runtime_subgraph *sg = subgraph_or_null(in, subgraph);
  return sg ? sg->node_count : 0;
}

int arn_interpreter_tensor_count(const arn_interpreter *in, int subgraph) {
  const runtime_subgraph *sg = subgraph_or_null(in, subgraph);
  return sg ? (int)sg->context.tensors_size : 0;
}

// Without a rule of its own an operator costs one per output element.
static uint64_t node_macs(const runtime_subgraph *sg, const runtime_node *n) {
  op_cost cost = {0};
  if (!n->op || sg->needs_allocate) return 0;  // a cost rule counts on what prepare has checked
  if (n->op->cost) {
    n->op->cost(&sg->context, &n->node, &cost);
    return cost.macs;
  }
  for (int i = 0; i < n->node.outputs->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, n->node.outputs->data[i]);
    if (t && t->dims) cost.macs += op_count(t);
  }
  return cost.macs;
}

bool arn_interpreter_node(const arn_interpreter *in, int subgraph, int node, arn_node_info *info) {
  const runtime_subgraph *sg = subgraph_or_null(in, subgraph);
  if (!sg || node < 0 || node >= sg->node_count) return false;
  const runtime_node *n = &sg->nodes[node];
  int position = 0;
  while (position < sg->plan->size && sg->plan->data[position] != node) position++;
  *info = (arn_node_info){.node = node,
                          .position = position < sg->plan->size ? position : -1,
                          .code = n->registration.builtin_code,
                          .name = runtime_op_name(n),
                          .version = n->registration.version,
                          .owner = n->op ? "arenite" : "caller",
                          .inputs = n->node.inputs->size,
                          .outputs = n->node.outputs->size,
                          .input_tensors = n->node.inputs->data,
                          .output_tensors = n->node.outputs->data,
                          .macs = node_macs(sg, n)};
  return true;
}
