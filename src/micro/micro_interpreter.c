// SPDX-License-Identifier: Apache-2.0
// The micro interpreter: binds, prepares and runs a model in one caller-given arena. Records, operator state and variables grow from the
// arena's end; what is temporary, and then the planned activations, from its start.
#include "base/compiler.h"
#if ARENITE_MICRO  // a hosted build that takes every file of src gets nothing from this one
#include "micro/micro_interpreter.h"

#include <string.h>

#include "arenite/model.h"

const TfLiteIntArray *micro_ints(fb_vector v) {
  static const TfLiteIntArray none = {.size = 0};
  // A FlatBuffers vector is a count and its elements, little-endian like every micro target: the very bytes of a TfLiteIntArray.
  return v.data ? (const TfLiteIntArray *)(const void *)(v.data - 4) : &none;
}

arn_status micro_arena_full(const arn_micro *micro, arn_error *error) {
  (void)micro;
  return error_set(error, ARN_ARENA_TOO_SMALL, "the arena of %zu bytes is too small: a request of %zu bytes more found no room",
                   micro->arena.size, micro->arena.shortfall);
}

static arn_status blame(arn_error *error, arn_status status, uint32_t subgraph, uint32_t node) {
  if (error) error->status = status, error->subgraph = (int32_t)subgraph, error->node = (int32_t)node;
  return status;
}

TfLiteNode micro_node_record(const arn_micro *micro, uint32_t subgraph, uint32_t node, void *params) {
  fb_table op = model_operator(&micro->model, subgraph, node);
  model_bytes custom = model_custom_options(&micro->model, op);
  return (TfLiteNode){
      .inputs = micro_ints(Operator_inputs(op)),
      .outputs = micro_ints(Operator_outputs(op)),
      .intermediates = micro_ints(Operator_intermediates(op)),
      .user_data = micro->subgraphs[subgraph].nodes[node].state,
      .builtin_data = params,
      .custom_initial_data = custom.data,
      .custom_initial_data_size = (int)custom.size,
  };
}

static const op_descriptor *find_op(const arn_micro *micro, fb_table op) {
  int32_t code = model_operator_builtin(&micro->model, op), version = model_operator_version(&micro->model, op);
  for (int i = 0; i < micro->op_count; i++) {
    const op_descriptor *candidate = micro->ops[i];
    if (candidate->code != code || version < candidate->min_version || version > candidate->max_version) continue;
    if (code == BuiltinOperator_CUSTOM && !fb_string_is(model_operator_custom_name(&micro->model, op), candidate->name)) continue;
    return candidate;
  }
  return NULL;
}

// Constants point into the file, variables are taken here, activations wait for the plan.
static arn_status create_tensors(arn_micro *micro, uint32_t index, arn_error *error) {
  micro_subgraph *subgraph = &micro->subgraphs[index];
  subgraph->tensor_count = SubGraph_tensors(model_subgraph(&micro->model, index)).count;
  subgraph->tensors = base_allocate_array(&micro->allocator, subgraph->tensor_count, sizeof *subgraph->tensors, sizeof(void *));
  if (!subgraph->tensors) return micro_arena_full(micro, error);
  for (uint32_t i = 0; i < subgraph->tensor_count; i++) {
    fb_table record = model_tensor(&micro->model, index, i);
    model_bytes data = model_tensor_data(&micro->model, record);
    TfLiteTensor *t = &subgraph->tensors[i];
    *t = (TfLiteTensor){
        .data.raw_const = (const char *)data.data,
        .dims = (TfLiteIntArray *)(uintptr_t)micro_ints(Tensor_shape(record)),  // replaced as a whole, never written through
        .record = record.base + record.pos,
        .type = (uint8_t)op_type(Tensor_type(record)),
        .allocation_type = data.data ? kTfLiteMmapRo : kTfLiteArenaRw,
        .is_variable = Tensor_is_variable(record),
    };
    if (!t->is_variable) continue;
    t->data.raw = base_allocate(&micro->allocator, op_bytes(t), MICRO_ALIGNMENT);
    if (!t->data.raw) return micro_arena_full(micro, error);
    t->allocation_type = kTfLiteArenaRwPersistent;
  }
  return ARN_OK;
}

static arn_status create_nodes(arn_micro *micro, uint32_t index, arn_error *error) {
  micro_subgraph *subgraph = &micro->subgraphs[index];
  subgraph->node_count = SubGraph_operators(model_subgraph(&micro->model, index)).count;
  subgraph->nodes = base_allocate_array(&micro->allocator, subgraph->node_count, sizeof *subgraph->nodes, sizeof(void *));
  if (!subgraph->nodes) return micro_arena_full(micro, error);
  for (uint32_t i = 0; i < subgraph->node_count; i++) {
    fb_table op = model_operator(&micro->model, index, i);
    micro_node *node = &subgraph->nodes[i];
    node->op = find_op(micro, op);
    if (!node->op) {
      error_set(error, ARN_UNRESOLVED_OP, "operator code %d (custom name \"%s\") version %d is not among the operators given",
                (int)model_operator_builtin(&micro->model, op), fb_text(model_operator_custom_name(&micro->model, op)),
                (int)model_operator_version(&micro->model, op));
      return blame(error, ARN_UNRESOLVED_OP, index, i);
    }
    if (node->op->state_size == 0) continue;
    node->state = base_allocate_array(&micro->allocator, 1, node->op->state_size, sizeof(uint64_t));
    if (!node->state) return micro_arena_full(micro, error);
  }
  return ARN_OK;
}

// Runs one operator's prepare; its options live at the arena's head meanwhile.
static arn_status prepare_node(TfLiteContext *context, micro_call *call, uint32_t index) {
  arn_micro *micro = call->micro;
  const op_descriptor *op = micro->subgraphs[call->subgraph].nodes[index].op;
  call->node = index;
  size_t mark = micro->arena.head;
  void *params = NULL;
  if (op->params_size) {
    params = arena_head(&micro->arena, op->params_size, sizeof(uint64_t));
    if (!params) return micro_arena_full(micro, call->error);
    memset(params, 0, op->params_size);
    op->parse(model_operator_options(&micro->model, model_operator(&micro->model, call->subgraph, index)), params);
  }
  TfLiteNode node = micro_node_record(micro, call->subgraph, index, params);
  TfLiteStatus status = op_check_inputs(context, &node, op);
  if (status == kTfLiteOk && op->prepare) status = op->prepare(context, &node);
  arena_head_reset(&micro->arena, mark);
  if (status == kTfLiteOk) return ARN_OK;
  // An operator that ran out of arena fails like any other: the arena remembers.
  return micro->arena.shortfall ? micro_arena_full(micro, call->error) : ARN_ERROR;
}

static arn_status prepare_subgraph(arn_micro *micro, uint32_t index, arn_error *error) {
  TfLiteContext context;
  micro_call call;
  micro_context_init(&context, &call, micro, index, error);
  for (uint32_t i = 0; i < micro->subgraphs[index].node_count; i++) {
    arn_status status = prepare_node(&context, &call, i);
    if (status != ARN_OK) return blame(error, status, index, i);
  }
  return ARN_OK;
}

static arn_status build(arn_micro *micro, arn_error *error) {
  uint32_t count = model_subgraph_count(&micro->model);
  micro->subgraphs = base_allocate_array(&micro->allocator, count, sizeof *micro->subgraphs, sizeof(void *));
  if (!micro->subgraphs) return micro_arena_full(micro, error);
  arn_status status = ARN_OK;
  for (uint32_t i = 0; i < count && status == ARN_OK; i++) {
    status = create_tensors(micro, i, error);
    if (status == ARN_OK) status = create_nodes(micro, i, error);
  }
  // Called subgraphs have higher indices than their callers and are prepared first. Each is planned alone, its activations beside the
  // others', so that a caller's stay intact.
  for (uint32_t i = count; i-- > 0 && status == ARN_OK;) {
    status = prepare_subgraph(micro, i, error);
    if (status == ARN_OK) status = micro_plan_subgraph(micro, i, error);
  }
  return status;
}

arn_status arn_micro_create(const void *model, size_t model_size, unsigned flags, const arn_op *const *ops, int op_count, void *memory,
                            size_t memory_size, arn_micro **out, arn_error *error) {
  *out = NULL;
  if (!model || !memory || op_count < 0 || ((uintptr_t)model & 3)) {
    return error_set(error, ARN_INVALID_ARGUMENT, "the model must be 4-byte aligned, and an arena be given");
  }
  // Both ends at the alignment: then the same requests take the same bytes whatever the caller's block looks like.
  size_t skip = (size_t)(-(uintptr_t)memory & (MICRO_ALIGNMENT - 1));
  size_t usable = memory_size > skip ? (memory_size - skip) & ~(size_t)(MICRO_ALIGNMENT - 1) : 0;
  arena block;
  arena_init(&block, (uint8_t *)memory + (usable ? skip : 0), usable);
  arn_micro *micro = arena_tail(&block, sizeof *micro, MICRO_ALIGNMENT);
  if (!micro) return error_set(error, ARN_ARENA_TOO_SMALL, "an arena of %zu bytes does not hold the interpreter's record", memory_size);
  *micro = (arn_micro){.arena = block, .ops = ops, .op_count = op_count};
  micro->allocator = arena_allocator(&micro->arena);
  arn_status status = ARN_OK;
  if (!(flags & ARN_MODEL_TRUSTED)) {
    size_t mark = micro->arena.tail;
    status = arn_model_verify(model, model_size, &micro->allocator, error);
    micro->arena.tail = mark;
  }
  if (status == ARN_OK) status = model_init(&micro->model, model, model_size, error);
  if (status == ARN_OK) {
    micro->model.allocator = &micro->allocator;
    status = model_align_constants(&micro->model, error);
  }
  if (status == ARN_OK) status = build(micro, error);
  if (status != ARN_OK) return status;
  arn_micro_reset_variables(micro);
  *out = micro;
  return ARN_OK;
}

size_t arn_micro_arena_used(const arn_micro *micro) {
  return (micro->arena.peak + MICRO_ALIGNMENT - 1) & ~(size_t)(MICRO_ALIGNMENT - 1);
}

size_t arn_micro_activations(const arn_micro *micro) { return micro->activations; }

static TfLiteTensor *tensor_at(const arn_micro *micro, fb_vector indices, int i) {
  int32_t tensor = i >= 0 && (uint32_t)i < indices.count ? fb_vector_i32(indices, (uint32_t)i) : -1;  // a graph input may be left out
  return tensor >= 0 ? &micro->subgraphs[0].tensors[tensor] : NULL;
}
int arn_micro_input_count(const arn_micro *micro) { return (int)SubGraph_inputs(model_subgraph(&micro->model, 0)).count; }
int arn_micro_output_count(const arn_micro *micro) { return (int)SubGraph_outputs(model_subgraph(&micro->model, 0)).count; }
TfLiteTensor *arn_micro_input(const arn_micro *micro, int input) {
  return tensor_at(micro, SubGraph_inputs(model_subgraph(&micro->model, 0)), input);
}
const TfLiteTensor *arn_micro_output(const arn_micro *micro, int output) {
  return tensor_at(micro, SubGraph_outputs(model_subgraph(&micro->model, 0)), output);
}

arn_status micro_invoke_subgraph(arn_micro *micro, uint32_t index, arn_error *error) {
  TfLiteContext context;
  micro_call call;
  micro_context_init(&context, &call, micro, index, error);
  const micro_subgraph *subgraph = &micro->subgraphs[index];
  for (uint32_t i = 0; i < subgraph->node_count; i++) {
    call.node = i;
    TfLiteNode node = micro_node_record(micro, index, i, NULL);
    if (subgraph->nodes[i].op->eval(&context, &node) == kTfLiteOk) continue;
    return blame(error, micro->arena.shortfall ? micro_arena_full(micro, error) : ARN_ERROR, index, i);
  }
  return ARN_OK;
}

arn_status arn_micro_invoke(arn_micro *micro, arn_error *error) { return micro_invoke_subgraph(micro, 0, error); }

void arn_micro_reset_variables(arn_micro *micro) {
  for (uint32_t s = 0; s < model_subgraph_count(&micro->model); s++) {
    for (uint32_t i = 0; i < micro->subgraphs[s].tensor_count; i++) {
      const TfLiteTensor *t = &micro->subgraphs[s].tensors[i];
      if (!t->is_variable) continue;
      // As the reference: only an int8 state starts at its zero point.
      memset(t->data.raw, t->type == kTfLiteInt8 ? op_zero_point(t) : 0, op_bytes(t));
    }
  }
}

#endif
