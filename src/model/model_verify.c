// SPDX-License-Identifier: Apache-2.0
// Verification of a model's meaning, from the root down: buffers, subgraphs with their tensors, operators and order, calls
// between subgraphs, signatures, metadata. tensor_verify.c and sparsity_verify.c look at one tensor.
#include "model/model_verify.h"

#if ARENITE_MESSAGES
#include <stdarg.h>
#include <stdio.h>
#endif

#include "flatbuffer/fb_verify.h"

// Array elements that verification looks at, at least; more when the file itself is larger, for only shared arrays are met
// twice.
enum { VERIFY_WORK = 1 << 27 };
// Control flow inside control flow. The runtime recurses as deep.
enum { VERIFY_MAX_NESTING = 32 };

static void check_where(const model_check *c, const uint8_t *at) {
  if (!c->error) return;
  c->error->subgraph = c->subgraph;
  c->error->node = c->node;
  c->error->tensor = c->tensor;
  c->error->byte = at ? at - c->model->data : -1;
}

#if ARENITE_MESSAGES
arn_status model_check_fail(model_check *c, const char *field, int64_t index, const uint8_t *at, const char *format, ...) {
  if (!c->error) return ARN_INVALID_MODEL;
  char where[160], what[240], byte[40] = "";
  int n = 0;
  if (c->subgraph >= 0) n = snprintf(where, sizeof where, "subgraphs[%d].", (int)c->subgraph);
  const char *list = c->node >= 0 ? "operators" : "tensors";
  int32_t item = c->node >= 0 ? c->node : c->tensor;
  if (item >= 0) n += snprintf(where + n, sizeof where - (size_t)n, "%s[%d].", list, (int)item);
  n += snprintf(where + n, sizeof where - (size_t)n, "%s", field);
  if (index >= 0 && n < (int)sizeof where) snprintf(where + n, sizeof where - (size_t)n, "[%lld]", (long long)index);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  if (at) snprintf(byte, sizeof byte, " (byte %lld)", (long long)(at - c->model->data));
  error_set(c->error, ARN_INVALID_MODEL, "%s: %s%s", where, what, byte);
  check_where(c, at);
  return ARN_INVALID_MODEL;
}
#else
arn_status check_fail_code(model_check *c, const uint8_t *at) {
  error_set(c->error, ARN_INVALID_MODEL, "");
  check_where(c, at);
  return ARN_INVALID_MODEL;
}
#endif

static arn_status check_budget(model_check *c, const char *field, int64_t index, const uint8_t *at, const char *what) {
  model_check_fail(c, field, index, at, "%s", what);
  (void)what;  // unread without messages
  if (c->error) c->error->status = ARN_BUDGET;
  return ARN_BUDGET;
}

arn_status model_check_work(model_check *c, const char *field, const uint8_t *at, uint64_t elements) {
  if (elements > c->work) return check_budget(c, field, -1, at, "more array elements than the budget allows");
  c->work -= elements;
  return ARN_OK;
}

// ---- buffers

static arn_status verify_outside(model_check *c, const char *field, int64_t index, const uint8_t *at, uint64_t offset,
                                 uint64_t size) {
  if (offset <= 1 || (size <= c->model->size && offset <= c->model->size - size)) return ARN_OK;
  return model_check_fail(c, field, index, at, "%llu bytes at %llu, outside the file's %zu", (unsigned long long)size,
                    (unsigned long long)offset, c->model->size);
}

static arn_status verify_buffers(model_check *c) {
  fb_offsets buffers = c->model->buffers;
  for (uint32_t i = 0; i < buffers.count; ++i) {
    fb_table buffer = fb_table_at(buffers, i);
    if (Buffer_data(buffer).data) continue;
    arn_status status = verify_outside(c, "buffers", i, check_byte(buffer, Buffer_offset_id), Buffer_offset(buffer),
                                       Buffer_size(buffer));
    if (status != ARN_OK) return status;
  }
  return ARN_OK;
}

// ---- operators

// Every element of `indices` is a tensor of the subgraph, or -1 where that is allowed.
static arn_status verify_indices(model_check *c, const char *field, const uint8_t *at, fb_vector indices, uint32_t tensors,
                                 bool optional) {
  arn_status status = model_check_work(c, field, at, indices.count);
  for (uint32_t i = 0; status == ARN_OK && i < indices.count; ++i) {
    int32_t index = fb_vector_i32(indices, i);
    if ((index >= 0 && (uint32_t)index < tensors) || (optional && index == -1)) continue;
    status = model_check_fail(c, field, i, check_element(indices, i, 4), "tensor %d of %u", (int)index, (unsigned)tensors);
  }
  return status;
}

static arn_status verify_operator(model_check *c, fb_table op, uint32_t tensors) {
  uint32_t code = Operator_opcode_index(op);
  if (code >= c->model->codes.count) {
    return model_check_fail(c, "opcode_index", -1, check_byte(op, Operator_opcode_index_id), "operator code %u of %u", (unsigned)code,
                      (unsigned)c->model->codes.count);
  }
  // Outputs are there, but for a loop's that nobody reads (the reference takes those).
  bool optional_outputs = model_operator_builtin(c->model, op) == BuiltinOperator_WHILE;
  arn_status status =
      verify_indices(c, "inputs", check_byte(op, Operator_inputs_id), Operator_inputs(op), tensors, true);
  if (status == ARN_OK)
    status = verify_indices(c, "outputs", check_byte(op, Operator_outputs_id), Operator_outputs(op), tensors, optional_outputs);
  if (status == ARN_OK)
    status = verify_indices(c, "intermediates", check_byte(op, Operator_intermediates_id), Operator_intermediates(op), tensors,
                            true);
  if (status == ARN_OK && !Operator_custom_options(op).data)
    status = verify_outside(c, "large_custom_options_offset", -1, check_byte(op, Operator_large_custom_options_offset_id),
                            Operator_large_custom_options_offset(op), Operator_large_custom_options_size(op));
  return status;
}

// ---- order

// What is known of a tensor when the operators so far have run.
enum { TENSOR_UNSET, TENSOR_GIVEN, TENSOR_WRITTEN };

static bool verify_has_index(fb_vector v, int32_t value) {
  for (uint32_t i = 0; i < v.count; ++i)
    if (fb_vector_i32(v, i) == value) return true;
  return false;
}

// Operator `node` reads tensor `index`, which nothing before it gives a value. Is there a writer later?
static arn_status verify_unset_input(model_check *c, fb_offsets operators, uint32_t node, uint32_t input, int32_t index) {
  fb_vector inputs = Operator_inputs(fb_table_at(operators, node));
  const uint8_t *at = check_element(inputs, input, 4);
  for (uint32_t later = node; later < operators.count; ++later) {
    fb_vector outputs = Operator_outputs(fb_table_at(operators, later));
    if (model_check_work(c, "operators", at, outputs.count) != ARN_OK) break;
    if (!verify_has_index(outputs, index)) continue;
    if (later == node) return model_check_fail(c, "inputs", input, at, "tensor %d is its own operator's output", (int)index);
    return model_check_fail(c, "inputs", input, at, "tensor %d is written by operator %u, which comes later", (int)index,
                      (unsigned)later);
  }
  return model_check_fail(c, "inputs", input, at, "tensor %d is never given a value", (int)index);
}

static arn_status verify_order(model_check *c, fb_table subgraph, uint8_t *state) {
  fb_offsets tensors = SubGraph_tensors(subgraph), operators = SubGraph_operators(subgraph);
  fb_vector graph_inputs = SubGraph_inputs(subgraph);
  for (uint32_t t = 0; t < tensors.count; ++t) {
    fb_table tensor = fb_table_at(tensors, t);
    bool given = model_tensor_data(c->model, tensor).data || Tensor_is_variable(tensor) || Tensor_external_buffer(tensor);
    state[t] = given ? TENSOR_GIVEN : TENSOR_UNSET;
  }
  for (uint32_t i = 0; i < graph_inputs.count; ++i) {
    int32_t t = fb_vector_i32(graph_inputs, i);
    if (t >= 0) state[t] = TENSOR_GIVEN;
  }
  for (uint32_t node = 0; node < operators.count; ++node) {
    fb_table op = fb_table_at(operators, node);
    fb_vector inputs = Operator_inputs(op), outputs = Operator_outputs(op);
    c->node = (int32_t)node;
    for (uint32_t i = 0; i < inputs.count; ++i) {
      int32_t t = fb_vector_i32(inputs, i);
      if (t >= 0 && state[t] == TENSOR_UNSET) return verify_unset_input(c, operators, node, i, t);
    }
    for (uint32_t i = 0; i < outputs.count; ++i) {
      int32_t t = fb_vector_i32(outputs, i);
      if (t >= 0 && state[t] != TENSOR_UNSET) {
        return model_check_fail(c, "outputs", i, check_element(outputs, i, 4),
                          state[t] == TENSOR_WRITTEN ? "tensor %d is written a second time"
                                                     : "tensor %d is a constant, a variable or an input of the subgraph",
                          (int)t);
      }
      if (t >= 0) state[t] = TENSOR_WRITTEN;
    }
  }
  c->node = -1;
  fb_vector graph_outputs = SubGraph_outputs(subgraph);
  for (uint32_t i = 0; i < graph_outputs.count; ++i) {
    int32_t t = fb_vector_i32(graph_outputs, i);
    if (state[t] == TENSOR_UNSET)
      return model_check_fail(c, "outputs", i, check_element(graph_outputs, i, 4), "tensor %d is never given a value", (int)t);
  }
  return ARN_OK;
}

static arn_status verify_subgraph(model_check *c, fb_table subgraph, uint8_t *state) {
  fb_offsets tensors = SubGraph_tensors(subgraph), operators = SubGraph_operators(subgraph);
  arn_status status = ARN_OK;
  for (uint32_t t = 0; status == ARN_OK && t < tensors.count; ++t) {
    c->tensor = (int32_t)t;
    status = tensor_verify(c, fb_table_at(tensors, t), tensors.count);
  }
  if (status != ARN_OK) return status;
  c->tensor = -1;
  const uint8_t *at = check_byte(subgraph, SubGraph_inputs_id);
  // An optional input that the model leaves out is -1 here too (the reference takes it).
  status = verify_indices(c, "inputs", at, SubGraph_inputs(subgraph), tensors.count, true);
  if (status != ARN_OK) return status;
  at = check_byte(subgraph, SubGraph_outputs_id);
  status = verify_indices(c, "outputs", at, SubGraph_outputs(subgraph), tensors.count, false);
  for (uint32_t node = 0; status == ARN_OK && node < operators.count; ++node) {
    c->node = (int32_t)node;
    status = verify_operator(c, fb_table_at(operators, node), tensors.count);
  }
  if (status != ARN_OK) return status;
  c->node = -1;
  return verify_order(c, subgraph, state);
}

// ---- calls

uint32_t model_called_subgraphs(const arn_model *model, fb_table op, int32_t called[2], fb_vector *more) {
  fb_table options = model_operator_options(model, op);
  *more = (fb_vector){NULL, 0};
  if (!fb_present(options)) return 0;
  switch (model_operator_builtin(model, op)) {
    case BuiltinOperator_IF:
      called[0] = IfOptions_then_subgraph_index(options);
      called[1] = IfOptions_else_subgraph_index(options);
      return 2;
    case BuiltinOperator_WHILE:
      called[0] = WhileOptions_cond_subgraph_index(options);
      called[1] = WhileOptions_body_subgraph_index(options);
      return 2;
    case BuiltinOperator_STABLEHLO_WHILE:
      called[0] = StablehloWhileOptions_cond_subgraph_index(options);
      called[1] = StablehloWhileOptions_body_subgraph_index(options);
      return 2;
    case BuiltinOperator_CALL_ONCE: return called[0] = CallOnceOptions_init_subgraph_index(options), 1;
    case BuiltinOperator_CALL: return called[0] = (int32_t)CallOptions_subgraph(options), 1;
    case BuiltinOperator_STABLEHLO_REDUCE: return called[0] = StablehloReduceOptions_body_subgraph_index(options), 1;
    case BuiltinOperator_STABLEHLO_REDUCE_WINDOW:
      return called[0] = StablehloReduceWindowOptions_body_subgraph_index(options), 1;
    case BuiltinOperator_STABLEHLO_SORT: return called[0] = StablehloSortOptions_comparator_subgraph_index(options), 1;
    case BuiltinOperator_STABLEHLO_SCATTER:
      return called[0] = StablehloScatterOptions_update_computation_subgraph_index(options), 1;
    case BuiltinOperator_STABLEHLO_COMPOSITE:
      return called[0] = StableHLOCompositeOptions_decomposition_subgraph_index(options), 1;
    case BuiltinOperator_STABLEHLO_CASE: return *more = StablehloCaseOptions_branch_subgraph_indices(options), 0;
    case BuiltinOperator_STABLEHLO_CUSTOM_CALL: return *more = StablehloCustomCallOptions_called_computations(options), 0;
    default: return 0;
  }
}

// heights[s]: 0 not visited, CALL_OPEN being visited, else 1 + how deep s calls.
enum { CALL_OPEN = 255 };

static arn_status verify_calls(model_check *c, uint8_t *heights, uint32_t subgraph, uint32_t depth);

static arn_status verify_call(model_check *c, uint8_t *heights, uint32_t caller, uint32_t node, const uint8_t *at, int32_t callee,
                              uint32_t depth) {
  c->subgraph = (int32_t)caller;
  c->node = (int32_t)node;
  if (callee < 0 || (uint32_t)callee >= c->model->subgraphs.count) {
    return model_check_fail(c, "builtin_options", -1, at, "subgraph %d of %u", (int)callee, (unsigned)c->model->subgraphs.count);
  }
  if (heights[callee] == CALL_OPEN) {
    return model_check_fail(c, "builtin_options", -1, at, "subgraph %d would run inside itself", (int)callee);
  }
  arn_status status = heights[callee] ? ARN_OK : verify_calls(c, heights, (uint32_t)callee, depth + 1);
  if (status != ARN_OK) return status;
  c->subgraph = (int32_t)caller;
  c->node = (int32_t)node;
  if (depth + heights[callee] > VERIFY_MAX_NESTING) {
    return check_budget(c, "builtin_options", -1, at, "control flow nested deeper than the budget allows");
  }
  return ARN_OK;
}

// Depth first. `depth` counts the callers above; with heights[] remembered every subgraph is visited once, and recursion ends
// at the nesting limit, since a call that would go deeper than that is an error before it is followed.
static arn_status verify_calls(model_check *c, uint8_t *heights, uint32_t subgraph, uint32_t depth) {
  fb_offsets operators = SubGraph_operators(model_subgraph(c->model, subgraph));
  uint8_t height = 1;
  heights[subgraph] = CALL_OPEN;
  arn_status status = ARN_OK;
  for (uint32_t node = 0; status == ARN_OK && node < operators.count; ++node) {
    fb_table op = fb_table_at(operators, node);
    int32_t called[2];
    fb_vector more;
    uint32_t count = model_called_subgraphs(c->model, op, called, &more);
    const uint8_t *at = op.base + op.pos;
    if (count + more.count && depth >= VERIFY_MAX_NESTING) {
      c->subgraph = (int32_t)subgraph, c->node = (int32_t)node;
      return check_budget(c, "builtin_options", -1, at, "control flow nested deeper than the budget allows");
    }
    status = model_check_work(c, "builtin_options", at, more.count);
    for (uint32_t i = 0; status == ARN_OK && i < count + more.count; ++i) {
      int32_t callee = i < count ? called[i] : fb_vector_i32(more, i - count);
      status = verify_call(c, heights, subgraph, node, at, callee, depth);
      if (status == ARN_OK && heights[callee] >= height) height = (uint8_t)(heights[callee] + 1);
    }
  }
  heights[subgraph] = height;
  return status;
}

static arn_status verify_call_graph(model_check *c, uint8_t *heights) {
  memset(heights, 0, c->model->subgraphs.count);
  arn_status status = ARN_OK;
  for (uint32_t s = 0; status == ARN_OK && s < c->model->subgraphs.count; ++s)
    if (heights[s] == 0) status = verify_calls(c, heights, s, 0);
  return status;
}

// ---- the rest of the root

static arn_status verify_codes(model_check *c) {
  for (uint32_t i = 0; i < c->model->codes.count; ++i) {
    fb_table code = fb_table_at(c->model->codes, i);
    if (model_code_builtin(code) == BuiltinOperator_CUSTOM && !OperatorCode_custom_code(code).text)
      return model_check_fail(c, "operator_codes", i, code.base + code.pos, "a custom operator without a name");
  }
  return ARN_OK;
}

static arn_status verify_maps(model_check *c, uint32_t signature, fb_offsets maps, uint32_t tensors) {
  for (uint32_t i = 0; i < maps.count; ++i) {
    fb_table map = fb_table_at(maps, i);
    if (TensorMap_tensor_index(map) >= tensors) {
      return model_check_fail(c, "signature_defs", signature, check_byte(map, TensorMap_tensor_index_id), "\"%s\": tensor %u of %u",
                        fb_text(TensorMap_name(map)), (unsigned)TensorMap_tensor_index(map), (unsigned)tensors);
    }
  }
  return ARN_OK;
}

static arn_status verify_signatures(model_check *c) {
  fb_offsets signatures = Model_signature_defs(c->model->root);
  arn_status status = ARN_OK;
  for (uint32_t i = 0; status == ARN_OK && i < signatures.count; ++i) {
    fb_table signature = fb_table_at(signatures, i);
    uint32_t subgraph = SignatureDef_subgraph_index(signature);
    if (!SignatureDef_signature_key(signature).text)
      return model_check_fail(c, "signature_defs", i, signature.base + signature.pos, "a signature without a key");
    if (subgraph >= c->model->subgraphs.count) {
      return model_check_fail(c, "signature_defs", i, check_byte(signature, SignatureDef_subgraph_index_id), "subgraph %u of %u",
                        (unsigned)subgraph, (unsigned)c->model->subgraphs.count);
    }
    uint32_t tensors = SubGraph_tensors(model_subgraph(c->model, subgraph)).count;
    status = verify_maps(c, i, SignatureDef_inputs(signature), tensors);
    if (status == ARN_OK) status = verify_maps(c, i, SignatureDef_outputs(signature), tensors);
  }
  return status;
}

static arn_status verify_metadata(model_check *c) {
  fb_offsets entries = Model_metadata(c->model->root);
  for (uint32_t i = 0; i < entries.count; ++i) {
    fb_table entry = fb_table_at(entries, i);
    uint32_t buffer = Metadata_buffer(entry);
    if (buffer >= c->model->buffers.count) {
      return model_check_fail(c, "metadata", i, check_byte(entry, Metadata_buffer_id), "\"%s\": buffer %u of %u",
                        fb_text(Metadata_name(entry)), (unsigned)buffer, (unsigned)c->model->buffers.count);
    }
  }
  return ARN_OK;
}

static arn_status verify_meaning(model_check *c, uint8_t *scratch) {
  if (c->model->subgraphs.count == 0) {
    return model_check_fail(c, "subgraphs", -1, check_byte(c->model->root, Model_subgraphs_id), "a model without a subgraph");
  }
  arn_status status = verify_buffers(c);
  if (status == ARN_OK) status = verify_codes(c);
  for (uint32_t s = 0; status == ARN_OK && s < c->model->subgraphs.count; ++s) {
    c->subgraph = (int32_t)s;
    status = verify_subgraph(c, model_subgraph(c->model, s), scratch);
  }
  if (status != ARN_OK) return status;
  status = verify_call_graph(c, scratch);
  if (status != ARN_OK) return status;
  c->subgraph = c->node = -1;
  status = verify_signatures(c);
  return status == ARN_OK ? verify_metadata(c) : status;
}

arn_status model_verify(const void *data, size_t size, const base_allocator *scratch, arn_error *error) {
  arn_status status = fb_verify(&schema_description, data, size, NULL, error);
  if (status != ARN_OK) return status;
  arn_model model;
  status = model_init(&model, data, size, error);
  if (status != ARN_OK) return status;
  model_check c = {.model = &model, .scratch = scratch, .error = error, .subgraph = -1, .node = -1, .tensor = -1};
  c.work = size > VERIFY_WORK ? size : VERIFY_WORK;
  size_t room = model.subgraphs.count;
  for (uint32_t s = 0; s < model.subgraphs.count; ++s) {
    uint32_t tensors = SubGraph_tensors(model_subgraph(&model, s)).count;
    if (tensors > room) room = tensors;
  }
  uint8_t *bytes = base_allocate(scratch, room, 1);
  if (!bytes) return error_set(error, ARN_OUT_OF_MEMORY, "no memory to verify the model (%zu bytes)", room);
  status = verify_meaning(&c, bytes);
  base_release(scratch, bytes);
  return status;
}
