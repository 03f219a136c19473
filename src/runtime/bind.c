// SPDX-License-Identifier: Apache-2.0
// Making nodes from the file: each operator code is looked up once in the resolver, all that are missing are reported together,
// then every node gets its options, its state and its place in the execution order.
#include <stdio.h>

#include "graph/order.h"
#include "runtime/subgraph.h"

// What serves an operator code of the file, and the first node that wants it.
typedef struct bound_code {
  int uses;
  bool found;
  resolver_match match;
  int subgraph, node;
} bound_code;

static const char *code_name(fb_table code) {
  if (model_code_builtin(code) == BuiltinOperator_CUSTOM) return fb_text(OperatorCode_custom_code(code));
  const char *name = schema_builtin_operator_name(model_code_builtin(code));
  return name ? name : "unknown operator";
}

// "1 to 4, 7" or "none": the versions that the registry has of this operator.
static void write_versions(const arn_resolver *resolver, fb_table code, char *text, size_t size) {
  size_t used = 0;
  int32_t number = model_code_builtin(code);
  arn_resolver_entry entry;
  text[0] = '\0';
  for (int i = 0; arn_resolver_entry_at(resolver, i, &entry) && used < size; i++) {
    if (entry.code != number || (number == BuiltinOperator_CUSTOM && strcmp(entry.name, code_name(code)) != 0)) continue;
    const char *comma = used ? ", " : "";
    int n = entry.low == entry.high ? snprintf(text + used, size - used, "%s%d", comma, entry.low)
                                    : snprintf(text + used, size - used, "%s%d to %d", comma, entry.low, entry.high);
    used += n > 0 ? (size_t)n : 0;
  }
  if (!used) snprintf(text, size, "none");
}

// Tells about every missing operator: each on a line of its own, and as many as fit in one message.
static arn_status report_missing(arn_interpreter *in, const bound_code *codes) {
  char all[ARN_MESSAGE_MAX] = "";
  size_t used = 0;
  int missing = 0, left_out = 0, first = -1;
  for (uint32_t c = 0; c < in->model->codes.count; c++) {
    if (!codes[c].uses || codes[c].found) continue;
    if (first < 0) first = (int)c;
    missing++;
    fb_table code = fb_table_at(in->model->codes, c);
    char versions[64], line[256], more[32] = "";
    write_versions(in->resolver, code, versions, sizeof versions);
    if (codes[c].uses > 1) snprintf(more, sizeof more, " and %d more", codes[c].uses - 1);
    snprintf(line, sizeof line, "%.100s (code %d) version %d of node %d%s, registry has version %s", code_name(code),
             (int)model_code_builtin(code), (int)OperatorCode_version(code), codes[c].node, more, versions);
    if (in->report) {
      char report[300];
      snprintf(report, sizeof report, "no kernel for %s", line);
      in->report(in->report_data, report);
    }
    size_t wanted = strlen(line) + 2;
    if (used + wanted + 40 > sizeof all)
      left_out++;
    else
      used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? "; " : "", line);
  }
  if (!missing) return ARN_OK;
  if (left_out) snprintf(all + used, sizeof all - used, "; and %d more operators", left_out);
  in->pending = (arn_error){
      .status = ARN_UNRESOLVED_OP, .subgraph = codes[first].subgraph, .node = codes[first].node, .tensor = -1, .byte = -1};
  snprintf(in->pending.message, sizeof in->pending.message, "no kernel for %.*s", (int)sizeof in->pending.message - 16, all);
  return ARN_UNRESOLVED_OP;
}

static arn_status resolve_codes(arn_interpreter *in, bound_code *codes) {
  for (int s = 0; s < in->subgraph_count; s++) {
    fb_offsets operators = SubGraph_operators(model_subgraph(in->model, (uint32_t)s));
    for (uint32_t o = 0; o < operators.count; o++) {
      uint32_t index = Operator_opcode_index(fb_table_at(operators, o));
      if (index >= in->model->codes.count) return ARN_INVALID_MODEL;
      bound_code *bound = &codes[index];
      if (bound->uses++) continue;
      bound->subgraph = s, bound->node = (int)o;
      fb_table code = fb_table_at(in->model->codes, index);
      bound->found = resolver_match_op(in->resolver, model_code_builtin(code), fb_text(OperatorCode_custom_code(code)),
                                       OperatorCode_version(code), &bound->match);
    }
  }
  return report_missing(in, codes);
}

// A malloc'ed index array, checked against the tensor count; -1 marks what the model leaves out.
static arn_status copy_indices(runtime_subgraph *sg, fb_vector from, const char *what, int node, TfLiteIntArray **to) {
  if (from.count > INT32_MAX) return ARN_OUT_OF_MEMORY;
  *to = TfLiteIntArrayCreate((int)from.count);
  if (!*to) return ARN_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < from.count; i++) {
    int tensor = (*to)->data[i] = fb_vector_i32(from, i);
    if (tensor < -1 || tensor >= (int)sg->context.tensors_size) {
      return runtime_fail(sg, node, -1, ARN_INVALID_MODEL, "%s %u names tensor %d, there are %d", what, (unsigned)i, tensor,
                          (int)sg->context.tensors_size);
    }
  }
  return ARN_OK;
}

// Registration of one of our operators, as delegates and tools see it.
static TfLiteRegistration registration_of_op(const op_descriptor *op, int version) {
  return (TfLiteRegistration){.prepare = op->prepare,
                              .invoke = op->eval,
                              .builtin_code = op->code,
                              .custom_name = op->code == BuiltinOperator_CUSTOM ? op->name : NULL,
                              .version = version};
}

// The options struct of a builtin operator; a caller's kernel gets it too, parsed by our operator of the same code.
static arn_status make_params(runtime_subgraph *sg, runtime_node *n, const op_descriptor *parser, fb_table file) {
  if (!parser || parser->params_size == 0) return ARN_OK;
  n->node.builtin_data = runtime_take(sg->interpreter, 1, parser->params_size);
  if (!n->node.builtin_data) return ARN_OUT_OF_MEMORY;
  n->params_bytes = parser->params_size;
  if (parser->parse) parser->parse(model_operator_options(sg->interpreter->model, file), n->node.builtin_data);
  return ARN_OK;
}

static bool touches_resource(const runtime_subgraph *sg, const TfLiteIntArray *tensors) {
  for (int i = 0; i < tensors->size; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, tensors->data[i]);
    if (t && t->type == kTfLiteResource) return true;
  }
  return false;
}

static arn_status init_callers_kernel(runtime_subgraph *sg, runtime_node *n, int index) {
  if (!n->registration.init) return ARN_OK;
  bool custom = n->registration.builtin_code == BuiltinOperator_CUSTOM;
  const char *buffer = custom ? n->node.custom_initial_data : n->node.builtin_data;
  size_t length = custom ? (size_t)n->node.custom_initial_data_size : 0;
  if (!runtime_reserve_tensors(sg, RUNTIME_TENSOR_HEADROOM)) return ARN_OUT_OF_MEMORY;
  sg->current = index;
  void *state = n->registration.init(&sg->context, buffer, length);
  sg->current = -1;
  // The published way for a kernel to say that it cannot be made: the address -1.
  if (state == (void *)(intptr_t)-1) return runtime_fail(sg, index, -1, ARN_ERROR, "its kernel could not be initialised");
  n->node.user_data = state;
  n->initialized = true;
  return ARN_OK;
}

static arn_status make_node(runtime_subgraph *sg, int index, const bound_code *bound, fb_table file) {
  const arn_model *model = sg->interpreter->model;
  runtime_node *n = &sg->nodes[index];
  n->scratch = -1;
  n->op = bound->match.op;
  n->registration = n->op ? registration_of_op(n->op, model_operator_version(model, file)) : *bound->match.registration;
  n->registration.version = model_operator_version(model, file);
  arn_status status = copy_indices(sg, Operator_inputs(file), "input", index, &n->node.inputs);
  if (status == ARN_OK) status = copy_indices(sg, Operator_outputs(file), "output", index, &n->node.outputs);
  if (status == ARN_OK) status = copy_indices(sg, Operator_intermediates(file), "intermediate", index, &n->node.intermediates);
  if (status == ARN_OK && !(n->node.temporaries = TfLiteIntArrayCreate(0))) status = ARN_OUT_OF_MEMORY;
  if (status != ARN_OK) return status;
  int32_t code = n->registration.builtin_code;
  if (code == BuiltinOperator_CUSTOM) {
    model_bytes options = model_custom_options(model, file);
    if (options.size > INT32_MAX)
      return runtime_fail(sg, index, -1, ARN_INVALID_MODEL, "its options take %zu bytes", options.size);
    n->node.custom_initial_data = options.data;
    n->node.custom_initial_data_size = (int)options.size;
  }
  n->node.might_have_side_effect = touches_resource(sg, n->node.inputs) || touches_resource(sg, n->node.outputs) ||
                                   code == BuiltinOperator_IF || code == BuiltinOperator_WHILE ||
                                   code == BuiltinOperator_CALL_ONCE;
  status = make_params(sg, n, n->op ? n->op : resolver_any_builtin(sg->interpreter->resolver, code), file);
  if (status != ARN_OK) return status;
  if (!n->op) return init_callers_kernel(sg, n, index);
  if (n->op->state_size && !(n->node.user_data = runtime_take(sg->interpreter, 1, n->op->state_size))) return ARN_OUT_OF_MEMORY;
  return ARN_OK;
}

static void node_tensors(const void *self, int index, lifetime_node *node) {
  const TfLiteNode *n = &((const runtime_subgraph *)self)->nodes[index].node;
  *node = (lifetime_node){n->inputs, n->outputs, n->temporaries};
}

static arn_status order_nodes(runtime_subgraph *sg) {
  sg->plan = TfLiteIntArrayCreate(sg->node_count);
  if (!sg->plan) return ARN_OUT_OF_MEMORY;
  lifetime_graph graph = {.self = sg,
                          .node = node_tensors,
                          .node_count = sg->node_count,
                          .tensor_count = (int)sg->context.tensors_size,
                          .inputs = sg->inputs,
                          .outputs = sg->outputs};
  int stuck = -1;
  arn_status status = order_compute(&graph, sg->interpreter->allocator, sg->plan->data, &stuck);
  if (status == ARN_INVALID_MODEL) return runtime_fail(sg, stuck, -1, status, "waits for its own output: the graph has a cycle");
  return status;
}

static arn_status bind_subgraph(runtime_subgraph *sg, const bound_code *codes) {
  fb_table file = model_subgraph(sg->interpreter->model, (uint32_t)sg->index);
  arn_status status = copy_indices(sg, SubGraph_inputs(file), "graph input", -1, &sg->inputs);
  if (status == ARN_OK) status = copy_indices(sg, SubGraph_outputs(file), "graph output", -1, &sg->outputs);
  if (status != ARN_OK) return status;
  fb_offsets operators = SubGraph_operators(file);
  if (operators.count > INT32_MAX / 2) return ARN_OUT_OF_MEMORY;
  sg->nodes = runtime_take(sg->interpreter, operators.count, sizeof *sg->nodes);
  if (!sg->nodes) return ARN_OUT_OF_MEMORY;
  sg->node_count = (int)operators.count;
  for (int i = 0; i < sg->node_count && status == ARN_OK; i++) {
    fb_table op = fb_table_at(operators, (uint32_t)i);
    status = make_node(sg, i, &codes[Operator_opcode_index(op)], op);
  }
  return status == ARN_OK ? order_nodes(sg) : status;
}

arn_status runtime_bind_operators(arn_interpreter *in) {
  size_t count = in->model->codes.count;
  bound_code *codes = runtime_take(in, count, sizeof *codes);
  if (!codes) return ARN_OUT_OF_MEMORY;
  arn_status status = resolve_codes(in, codes);
  for (int s = 0; s < in->subgraph_count && status == ARN_OK; s++) status = bind_subgraph(&in->subgraphs[s], codes);
  runtime_give(in, codes, count, sizeof *codes);
  return status;
}

void runtime_free_nodes(runtime_subgraph *sg) {
  for (int i = 0; i < sg->node_count; i++) {
    runtime_node *n = &sg->nodes[i];
    sg->current = i;
    if (n->initialized && n->registration.free && n->node.user_data) n->registration.free(&sg->context, n->node.user_data);
    sg->current = -1;
    if (n->op) runtime_give(sg->interpreter, n->node.user_data, 1, n->op->state_size);
    runtime_give(sg->interpreter, n->node.builtin_data, 1, n->params_bytes);
    runtime_free_blocks(sg->interpreter, &n->persistent, &sg->interpreter->packed);
    TfLiteIntArrayFree(n->node.inputs);
    TfLiteIntArrayFree(n->node.outputs);
    TfLiteIntArrayFree(n->node.intermediates);
    TfLiteIntArrayFree(n->node.temporaries);
  }
  runtime_give(sg->interpreter, sg->nodes, (size_t)sg->node_count, sizeof *sg->nodes);
  sg->nodes = NULL;
  sg->node_count = 0;
}
