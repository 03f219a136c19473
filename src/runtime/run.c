// SPDX-License-Identifier: Apache-2.0
// Preparing and invoking a subgraph's nodes.
#include "runtime/subgraph.h"

static bool sized_type(TfLiteType type) { return type != kTfLiteString && type != kTfLiteResource && type != kTfLiteVariant; }

// ---- Shapes. ----
static bool may_change_shape(TfLiteAllocationType where) {
  return where == kTfLiteArenaRw || where == kTfLiteArenaRwPersistent || where == kTfLiteDynamic || where == kTfLitePersistentRo;
}

int runtime_tensor_index(const runtime_subgraph *sg, const TfLiteTensor *t) {
  uintptr_t at = (uintptr_t)t, begin = (uintptr_t)sg->context.tensors;
  return at >= begin && at < begin + sg->context.tensors_size * sizeof *t ? (int)((at - begin) / sizeof *t) : -1;
}

// Bytes of the offsets alone that a tensor of that many strings will take; the count is known to fit.
static size_t string_offsets(const TfLiteIntArray *dims) {
  size_t count = 1;
  for (int i = 0; i < dims->size; i++) count *= (size_t)dims->data[i];
  return 4 * count;
}

static TfLiteStatus refuse_resize(runtime_subgraph *sg, const TfLiteTensor *t, TfLiteIntArray *dims, const char *why) {
  TfLiteIntArrayFree(dims);
  int index = runtime_tensor_index(sg, t);
  runtime_fail(sg, sg->current, index, ARN_ERROR, "tensor %d \"%s\" cannot take another shape: %s", index, t->name ? t->name : "",
               why);
  return kTfLiteError;
}

TfLiteStatus runtime_resize(runtime_subgraph *sg, TfLiteTensor *t, TfLiteIntArray *dims) {
  bool same = TfLiteIntArrayEqual(t->dims, dims) != 0, sized = sized_type(t->type);
  size_t bytes;
  if (!op_bytes_of(t->type, dims->size, dims->data, &bytes)) return refuse_resize(sg, t, dims, "it is negative or too large");
  if (t->type == kTfLiteString && !runtime_within_limit(sg->interpreter, string_offsets(dims))) {
    sg->interpreter->out_of_memory = true;
    runtime_over_limit(sg, sg->current, runtime_tensor_index(sg, t), string_offsets(dims), "strings");
    TfLiteIntArrayFree(dims);
    return kTfLiteError;
  }
  if (!sized) bytes = t->bytes;
  if (!t->data.raw || !same || bytes != t->bytes) {
    if (!may_change_shape(t->allocation_type)) return refuse_resize(sg, t, dims, "it is a constant");
    bool planned = t->allocation_type == kTfLiteArenaRw || t->allocation_type == kTfLiteArenaRwPersistent;
    if (planned && sg->evaluating && !same) return refuse_resize(sg, t, dims, "its memory is planned already");
    if (planned) {
      int index = runtime_tensor_index(sg, t);
      if (index >= 0) sg->places[index].segment = -1;
      t->data.raw = NULL;
    } else if (sized && !runtime_grow(sg, t, bytes, false)) {
      TfLiteIntArrayFree(dims);
      return kTfLiteError;
    }
    if (sized) t->bytes = bytes;
    sg->resized |= !same;
  }
  if (t->dims != dims) TfLiteIntArrayFree(t->dims);
  t->dims = dims;
  return kTfLiteOk;
}

arn_status runtime_resize_input(runtime_subgraph *sg, int tensor, const int *dims, int rank) {
  TfLiteTensor *t = runtime_tensor(sg, tensor);
  if (!t) return runtime_fail(sg, -1, tensor, ARN_INVALID_ARGUMENT, "there is no tensor %d to resize", tensor);
  if (rank < 0 || (rank > 0 && !dims))
    return runtime_fail(sg, -1, tensor, ARN_INVALID_ARGUMENT, "a shape of rank %d without dimensions", rank);
  if (sg->invoking) return runtime_fail(sg, -1, tensor, ARN_WRONG_STATE, "inputs cannot be resized while the subgraph runs");
  for (int i = 0; i < rank; i++) {
    if (dims[i] < 0) return runtime_fail(sg, -1, tensor, ARN_INVALID_ARGUMENT, "dimension %d of the new shape is %d", i, dims[i]);
  }
  if (t->data.raw && TfLiteIntArrayEqualsArray(t->dims, rank, dims)) return ARN_OK;
  size_t bytes;
  if (!op_bytes_of(t->type, rank, dims, &bytes)) {
    return runtime_fail(sg, -1, tensor, ARN_OUT_OF_MEMORY, "tensor %d \"%s\" would be larger than the address space", tensor,
                        t->name);
  }
  TfLiteIntArray *copy = TfLiteIntArrayCreate(rank);
  if (!copy) return ARN_OUT_OF_MEMORY;
  for (int i = 0; i < rank; i++) copy->data[i] = dims[i];
  sg->needs_allocate = true;
  return runtime_status(sg->interpreter, runtime_resize(sg, t, copy));
}

// ---- Prepare. ----
static void release_scratch(runtime_subgraph *sg, runtime_node *node) {
  while (node->scratch >= 0) {
    int at = node->scratch;
    node->scratch = sg->scratch[at].next;
    sg->scratch[at] = (runtime_scratch){.next = sg->scratch_free, .node = -1, .segment = -1};
    sg->scratch_free = at;
  }
}

static bool has_dynamic_output(const runtime_subgraph *sg, const TfLiteNode *node) {
  for (int i = 0; i < node->outputs->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, node->outputs->data[i]);
    if (t && t->allocation_type == kTfLiteDynamic) return true;
  }
  return false;
}

// Kernels count on shapes without open dimensions and, ours, on a limited rank. The outputs' are checked after prepare has set
// them.
static arn_status check_shapes(runtime_subgraph *sg, int index, const TfLiteIntArray *tensors, const char *what) {
  for (int i = 0; i < tensors->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, tensors->data[i]);
    if (!t || !t->dims) continue;
    if (t->dims->size > OP_MAX_RANK && sg->nodes[index].op) {
      return runtime_fail(sg, index, tensors->data[i], ARN_UNSUPPORTED, "%s %d has rank %d, the limit is %d", what, i,
                          t->dims->size, OP_MAX_RANK);
    }
    if (t->sparsity && tensors == sg->nodes[index].node.inputs && sg->nodes[index].op &&
        !(i < 8 && sg->nodes[index].op->sparse_inputs >> i & 1)) {
      return runtime_fail(sg, index, tensors->data[i], ARN_UNSUPPORTED, "%s %d (tensor %d) is a sparse constant, which it does not take",
                          what, i, tensors->data[i]);
    }
    for (int d = 0; d < t->dims->size; d++) {
      if (t->dims->data[d] >= 0) continue;
      return runtime_fail(sg, index, tensors->data[i], ARN_WRONG_STATE,
                          "dimension %d of %s %d (tensor %d \"%s\") is open: resize the graph's inputs first", d, what, i,
                          tensors->data[i], t->name ? t->name : "");
    }
  }
  return ARN_OK;
}

static arn_status run_prepare_node(runtime_subgraph *sg, int index, bool *stop) {
  arn_interpreter *in = sg->interpreter;
  runtime_node *n = &sg->nodes[index];
  arn_status status = check_shapes(sg, index, n->node.inputs, "input");
  if (status != ARN_OK) return status;
  release_scratch(sg, n);
  if (!n->op && !runtime_reserve_tensors(sg, RUNTIME_TENSOR_HEADROOM)) return ARN_OUT_OF_MEMORY;
  TfLiteStatus verdict = kTfLiteOk;
  if (n->registration.prepare) {
    sg->current = index;
    verdict = n->registration.prepare(&sg->context, &n->node);
    sg->current = -1;
  }
  *stop = verdict == kTfLiteOutputShapeNotKnown;
  if (verdict != kTfLiteOk && !*stop) {
    status = runtime_status(in, verdict);
    if (in->pending.status == ARN_OK) runtime_fail(sg, index, -1, status, "could not be prepared");
    return status;
  }
  in->pending.status = ARN_OK;  // what it said was a warning
  *stop |= has_dynamic_output(sg, &n->node);
  return *stop ? ARN_OK : check_shapes(sg, index, n->node.outputs, "output");
}

// Prepares from sg->prepared up to and with the first node whose output shapes are not known yet, and places what that makes
// known. After a failure all of it is done again the next time.
static arn_status prepare_more(runtime_subgraph *sg) {
  bool stop = false;
  arn_status status = ARN_OK;
  while (sg->prepared < sg->node_count && !stop && status == ARN_OK) {
    status = run_prepare_node(sg, sg->plan->data[sg->prepared], &stop);
    if (status == ARN_OK) sg->prepared++;
  }
  if (status == ARN_OK) status = runtime_place_tensors(sg);
  if (status != ARN_OK) sg->prepared = sg->placed;
  return status;
}

bool runtime_is_dynamic(const runtime_subgraph *sg) {
  if (sg->prepared < sg->node_count) return true;
  for (int i = 0; i < sg->outputs->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, sg->outputs->data[i]);
    if (t && t->allocation_type == kTfLiteDynamic) return true;
  }
  return false;
}

// Every call of one subgraph by another passes here: a subgraph that is at work already would call itself.
static arn_status enter(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  if (sg->allocating || sg->invoking) return runtime_fail(sg, -1, -1, ARN_INVALID_MODEL, "subgraph %d calls itself", sg->index);
  if (in->depth >= RUNTIME_MAX_CALL_DEPTH) {
    return runtime_fail(sg, -1, -1, ARN_BUDGET, "subgraphs call each other deeper than %d", RUNTIME_MAX_CALL_DEPTH);
  }
  in->depth++;
  return ARN_OK;
}

arn_status runtime_allocate(runtime_subgraph *sg) {
  arn_status status = enter(sg);
  if (status != ARN_OK) return status;
  if (sg->needs_allocate) {
    sg->allocating = sg->prepared_once = true;
    sg->prepared = 0;
    runtime_drop_places(sg, 0);
    status = prepare_more(sg);
    sg->allocating = false;
    if (status == ARN_OK) runtime_reset_variables(sg);
    sg->needs_allocate = status != ARN_OK;
  }
  sg->interpreter->depth--;
  return status;
}

// ---- Invoke. ----
static bool is_cancelled(const arn_interpreter *in) { return atomic_load_explicit(&in->cancelled, memory_order_relaxed); }

static arn_status check_data(runtime_subgraph *sg, int index) {
  const TfLiteNode *node = &sg->nodes[index].node;
  for (int i = 0; i < node->inputs->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, node->inputs->data[i]);
    if (!t || t->data.raw || t->type == kTfLiteVariant) continue;
    // A reshape whose shape comes from its options may carry a second input that nothing writes (TFLite reference: the same
    // exception).
    if (sg->nodes[index].registration.builtin_code == BuiltinOperator_RESHAPE && i == 1 && t->dims->size != 1) continue;
    return runtime_fail(sg, index, node->inputs->data[i], ARN_WRONG_STATE,
                        "input %d (tensor %d \"%s\") has no data: nothing wrote it", i, node->inputs->data[i],
                        t->name ? t->name : "");
  }
  return ARN_OK;
}

static arn_status invoke_node(runtime_subgraph *sg, int index) {
  arn_interpreter *in = sg->interpreter;
  runtime_node *n = &sg->nodes[index];
  sg->resized = false;
  arn_status status = check_data(sg, index);
  if (status != ARN_OK) return status;
  if (!n->op && !runtime_reserve_tensors(sg, RUNTIME_TENSOR_HEADROOM)) return ARN_OUT_OF_MEMORY;
  TfLiteStatus verdict = kTfLiteError;
  sg->current = index;
  sg->evaluating = true;
  if (in->profiling && in->profiler.begin) in->profiler.begin(in->profiler.user, sg->index, index);
  bool cancelled = is_cancelled(in);
  if (cancelled)
    verdict = kTfLiteCancelled;
  else if (n->registration.invoke)
    verdict = n->registration.invoke(&sg->context, &n->node);
  if (in->profiling && in->profiler.end) in->profiler.end(in->profiler.user, sg->index, index);
  sg->evaluating = false;
  sg->current = -1;
  if (verdict == kTfLiteOk) return in->pending.status = ARN_OK;
  status = runtime_status(in, verdict);
  const char *why = cancelled                 ? "cancelled before this node"
                    : status == ARN_CANCELLED ? "was cancelled"
                                              : "could not be evaluated";
  if (in->pending.status == ARN_OK) runtime_fail(sg, index, -1, status, "%s", why);
  return status;
}

static arn_status invoke_nodes(runtime_subgraph *sg) {
  for (int position = 0; position < sg->node_count; position++) {
    arn_status status = ARN_OK;
    if (position == sg->prepared) status = prepare_more(sg);
    if (status != ARN_OK) return status;
    int index = sg->plan->data[position];
    if (sg->nodes[index].excluded) continue;
    status = invoke_node(sg, index);
    // What comes behind a data-dependent shape is prepared again when the shape is not what it was, even if the node failed
    // afterwards.
    if (sg->resized && has_dynamic_output(sg, &sg->nodes[index].node) && sg->prepared > position + 1) {
      sg->prepared = position + 1;
      runtime_drop_places(sg, position + 1);
    }
    if (status != ARN_OK) return status;
  }
  return ARN_OK;
}

arn_status runtime_invoke(runtime_subgraph *sg) {
  if (sg->needs_allocate)
    return runtime_fail(sg, -1, -1, ARN_WRONG_STATE,
                        "the tensors are not allocated: a shape changed, or allocate was not called");
  arn_status status = enter(sg);
  if (status != ARN_OK) return status;
  sg->invoking = true;
  // Here too: a loop's subgraphs may have no nodes at all.
  status = is_cancelled(sg->interpreter) ? runtime_fail(sg, -1, -1, ARN_CANCELLED, "cancelled before subgraph %d", sg->index)
                                         : invoke_nodes(sg);
  sg->invoking = false;
  sg->interpreter->depth--;
  return status;
}
