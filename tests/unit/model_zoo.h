// SPDX-License-Identifier: Apache-2.0
// Small models for the tests of model/, built with fb_build from a description that a test can bend before building.
#ifndef TESTS_MODEL_ZOO_H
#define TESTS_MODEL_ZOO_H

#include "flatbuffer/fb_build.h"
#include "host/heap.h"
#include "schema/schema.h"

enum { ZOO_MAX = 8, ZOO_GRAPHS = 35 };

typedef struct zoo_tensor {
  int32_t shape[4], rank;
  int32_t type;
  uint32_t buffer;
  bool variable;
  int32_t scales, zeros, dimension;   // how many scales and zero points; 0: not quantised
  fb_ref (*quantization)(fb_builder *);  // instead of the three: builds QuantizationParameters
  fb_ref (*sparsity)(fb_builder *);
  int32_t signature_rank;  // of shape_signature, all -1
} zoo_tensor;

typedef struct zoo_operator {
  uint32_t code;
  int32_t inputs[4], input_count;
  int32_t outputs[4], output_count;
  int32_t calls[2];                     // of an IF
  uint64_t large_offset, large_size;
} zoo_operator;

typedef struct zoo_graph {
  zoo_tensor tensors[ZOO_MAX];
  uint32_t tensor_count;
  zoo_operator operators[ZOO_MAX];
  uint32_t operator_count;
  int32_t inputs[4], input_count, outputs[4], output_count;
} zoo_graph;

typedef struct zoo_buffer {
  const void *data;
  uint32_t size, alignment;  // alignment 0: 16
  uint64_t offset, outside;  // outside the FlatBuffer
} zoo_buffer;

typedef struct zoo_code {
  int32_t builtin;
  const char *custom;
} zoo_code;

typedef struct zoo_model {
  uint32_t version;
  zoo_code codes[ZOO_MAX];
  uint32_t code_count;
  zoo_graph graphs[ZOO_GRAPHS];
  uint32_t graph_count;
  zoo_buffer buffers[ZOO_MAX];
  uint32_t buffer_count;
  uint32_t metadata_buffer;
  uint32_t signature_subgraph, signature_tensor;
  bool no_signature_key;
} zoo_model;

static const float zoo_weights[6] = {1, 2, 3, 4, 5, 6};

// input T0 [1,3] f32, weights T1 [2,3] f32 (buffer 1), T2 [1,2]: FULLY_CONNECTED; T3 [1,2]: RELU, the output.
static inline zoo_model zoo_model_plain(void) {
  return (zoo_model){
      .version = 3,
      .codes = {{BuiltinOperator_FULLY_CONNECTED, NULL}, {BuiltinOperator_RELU, NULL}},
      .code_count = 2,
      .graphs = {{
          .tensors = {{.shape = {1, 3}, .rank = 2},
                      {.shape = {2, 3}, .rank = 2, .buffer = 1},
                      {.shape = {1, 2}, .rank = 2},
                      {.shape = {1, 2}, .rank = 2}},
          .tensor_count = 4,
          .operators = {{.code = 0, .inputs = {0, 1, -1}, .input_count = 3, .outputs = {2}, .output_count = 1},
                        {.code = 1, .inputs = {2}, .input_count = 1, .outputs = {3}, .output_count = 1}},
          .operator_count = 2,
          .inputs = {0}, .input_count = 1, .outputs = {3}, .output_count = 1,
      }},
      .graph_count = 1,
      .buffers = {{NULL, 0, 0, 0, 0}, {zoo_weights, sizeof zoo_weights, 0, 0, 0}, {"hello", 5, 0, 0, 0}},
      .buffer_count = 3,
      .metadata_buffer = 2,
  };
}

static inline fb_ref zoo_build_quantization(fb_builder *b, const zoo_tensor *t) {
  if (t->quantization) return t->quantization(b);
  if (t->scales == 0 && t->zeros == 0) return 0;
  static const float scales[16] = {1, 2, 3};
  static const int64_t zeros[16] = {0};
  fb_ref scale = fb_build_vector(b, scales, (uint32_t)t->scales, 4, 0), zero = fb_build_vector(b, zeros, (uint32_t)t->zeros, 8, 0);
  fb_build_table(b);
  fb_build_ref(b, QuantizationParameters_scale_id, scale);
  fb_build_ref(b, QuantizationParameters_zero_point_id, zero);
  fb_build_i32(b, QuantizationParameters_quantized_dimension_id, t->dimension, 0);
  return fb_build_table_end(b);
}

static inline fb_ref zoo_build_tensor(fb_builder *b, const zoo_tensor *t) {
  static const int32_t unknown[4] = {-1, -1, -1, -1};
  fb_ref shape = fb_build_vector(b, t->shape, (uint32_t)t->rank, 4, 0), name = fb_build_text(b, "tensor");
  fb_ref quantization = zoo_build_quantization(b, t), sparsity = t->sparsity ? t->sparsity(b) : 0;
  fb_ref signature = t->signature_rank ? fb_build_vector(b, unknown, (uint32_t)t->signature_rank, 4, 0) : 0;
  fb_build_table(b);
  fb_build_ref(b, Tensor_shape_id, shape);
  fb_build_i8(b, Tensor_type_id, (int8_t)t->type, 0);
  fb_build_u32(b, Tensor_buffer_id, t->buffer, 0);
  fb_build_ref(b, Tensor_name_id, name);
  fb_build_ref(b, Tensor_quantization_id, quantization);
  fb_build_bool(b, Tensor_is_variable_id, t->variable, false);
  fb_build_ref(b, Tensor_sparsity_id, sparsity);
  fb_build_ref(b, Tensor_shape_signature_id, signature);
  return fb_build_table_end(b);
}

static inline fb_ref zoo_build_operator(fb_builder *b, const zoo_operator *op, int32_t builtin) {
  fb_ref inputs = fb_build_vector(b, op->inputs, (uint32_t)op->input_count, 4, 0);
  fb_ref outputs = fb_build_vector(b, op->outputs, (uint32_t)op->output_count, 4, 0), options = 0;
  if (builtin == BuiltinOperator_IF) {
    fb_build_table(b);
    fb_build_i32(b, IfOptions_then_subgraph_index_id, op->calls[0], 0);
    fb_build_i32(b, IfOptions_else_subgraph_index_id, op->calls[1], 0);
    options = fb_build_table_end(b);
  }
  fb_build_table(b);
  fb_build_u32(b, Operator_opcode_index_id, op->code, 0);
  fb_build_ref(b, Operator_inputs_id, inputs);
  fb_build_ref(b, Operator_outputs_id, outputs);
  if (options) {
    fb_build_u8(b, Operator_builtin_options_type_id, BuiltinOptions_IfOptions, 0);
    fb_build_ref(b, Operator_builtin_options_id, options);
  }
  fb_build_u64(b, Operator_large_custom_options_offset_id, op->large_offset, 0);
  fb_build_u64(b, Operator_large_custom_options_size_id, op->large_size, 0);
  return fb_build_table_end(b);
}

static inline fb_ref zoo_build_graph(fb_builder *b, const zoo_model *m, const zoo_graph *g) {
  fb_ref tensors[ZOO_MAX], operators[ZOO_MAX];
  for (uint32_t i = 0; i < g->tensor_count; ++i) tensors[i] = zoo_build_tensor(b, &g->tensors[i]);
  for (uint32_t i = 0; i < g->operator_count; ++i) {
    uint32_t code = g->operators[i].code;
    operators[i] = zoo_build_operator(b, &g->operators[i], code < m->code_count ? m->codes[code].builtin : 0);
  }
  fb_ref all = fb_build_refs(b, tensors, g->tensor_count), ops = fb_build_refs(b, operators, g->operator_count);
  fb_ref inputs = fb_build_vector(b, g->inputs, (uint32_t)g->input_count, 4, 0);
  fb_ref outputs = fb_build_vector(b, g->outputs, (uint32_t)g->output_count, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, SubGraph_tensors_id, all);
  fb_build_ref(b, SubGraph_inputs_id, inputs);
  fb_build_ref(b, SubGraph_outputs_id, outputs);
  fb_build_ref(b, SubGraph_operators_id, ops);
  return fb_build_table_end(b);
}

static inline fb_ref zoo_build_buffer(fb_builder *b, const zoo_buffer *from) {
  fb_ref data = from->data ? fb_build_vector(b, from->data, from->size, 1, from->alignment ? from->alignment : 16) : 0;
  fb_build_table(b);
  fb_build_ref(b, Buffer_data_id, data);
  fb_build_u64(b, Buffer_offset_id, from->offset, 0);
  fb_build_u64(b, Buffer_size_id, from->outside, 0);
  return fb_build_table_end(b);
}

static inline fb_ref zoo_build_signature(fb_builder *b, const zoo_model *m) {
  fb_ref name = fb_build_text(b, "x"), key = m->no_signature_key ? 0 : fb_build_text(b, "serving_default");
  fb_build_table(b);
  fb_build_ref(b, TensorMap_name_id, name);
  fb_build_u32(b, TensorMap_tensor_index_id, m->signature_tensor, 0);
  fb_ref map = fb_build_table_end(b), maps = fb_build_refs(b, &map, 1);
  fb_build_table(b);
  fb_build_ref(b, SignatureDef_inputs_id, maps);
  fb_build_ref(b, SignatureDef_signature_key_id, key);
  fb_build_u32(b, SignatureDef_subgraph_index_id, m->signature_subgraph, 0);
  return fb_build_table_end(b);
}

// Builds the model; *bytes live in the builder (which this initialises).
static inline arn_status zoo_build_model(const zoo_model *m, fb_builder *b, const uint8_t **bytes, size_t *size) {
  fb_build_init(b, host_heap());
  fb_ref codes[ZOO_MAX], graphs[ZOO_GRAPHS], buffers[ZOO_MAX];
  for (uint32_t i = 0; i < m->code_count; ++i) {
    fb_ref custom = m->codes[i].custom ? fb_build_text(b, m->codes[i].custom) : 0;
    fb_build_table(b);
    fb_build_i8(b, OperatorCode_deprecated_builtin_code_id, (int8_t)(m->codes[i].builtin < 127 ? m->codes[i].builtin : 127), 0);
    fb_build_ref(b, OperatorCode_custom_code_id, custom);
    fb_build_i32(b, OperatorCode_builtin_code_id, m->codes[i].builtin, 0);
    codes[i] = fb_build_table_end(b);
  }
  for (uint32_t i = 0; i < m->graph_count; ++i) graphs[i] = zoo_build_graph(b, m, &m->graphs[i]);
  for (uint32_t i = 0; i < m->buffer_count; ++i) buffers[i] = zoo_build_buffer(b, &m->buffers[i]);
  fb_ref name = fb_build_text(b, "greeting");
  fb_build_table(b);
  fb_build_ref(b, Metadata_name_id, name);
  fb_build_u32(b, Metadata_buffer_id, m->metadata_buffer, 0);
  fb_ref entry = fb_build_table_end(b), metadata = fb_build_refs(b, &entry, 1);
  fb_ref signature = zoo_build_signature(b, m), signatures = fb_build_refs(b, &signature, 1);
  fb_ref code_list = fb_build_refs(b, codes, m->code_count), graph_list = fb_build_refs(b, graphs, m->graph_count);
  fb_ref buffer_list = fb_build_refs(b, buffers, m->buffer_count), description = fb_build_text(b, "a small model");
  fb_build_table(b);
  fb_build_u32(b, Model_version_id, m->version, 0);
  fb_build_ref(b, Model_operator_codes_id, code_list);
  fb_build_ref(b, Model_subgraphs_id, graph_list);
  fb_build_ref(b, Model_description_id, description);
  fb_build_ref(b, Model_buffers_id, buffer_list);
  fb_build_ref(b, Model_metadata_id, metadata);
  fb_build_ref(b, Model_signature_defs_id, signatures);
  return fb_build_finish(b, fb_build_table_end(b), SCHEMA_IDENTIFIER, bytes, size);
}

#endif
