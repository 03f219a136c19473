// SPDX-License-Identifier: Apache-2.0
// The operator test harness.
#include "operators/op_harness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

static void keep_line(void *data, const char *line) {
  op_test *t = data;
  size_t used = strlen(t->report);
  snprintf(t->report + used, sizeof t->report - used, "%s\n", line);
}

void op_test_begin(op_test *t) {
  memset(t, 0, sizeof *t);
  t->subgraph_count = 1;
  t->options.report = keep_line;
  t->options.report_data = t;
}

int op_test_subgraph(op_test *t) {
  assert_true(t->subgraph_count < OP_TEST_SUBGRAPHS);
  t->first_tensor[t->subgraph_count] = t->tensor_count;
  return t->subgraph_count++;
}

static void append_to_list(op_test_list *list, int value) {
  assert_true(list->count < OP_TEST_LIST);
  list->values[list->count++] = value;
}

int op_test_between(op_test *t, enum TensorType type, op_test_list dims) {
  assert_true(t->tensor_count < OP_TEST_TENSORS);
  int sg = t->subgraph_count - 1;
  t->tensors[t->tensor_count] = (op_test_tensor){.subgraph = sg, .type = type, .dims = dims};
  return t->tensor_count++ - t->first_tensor[sg];
}

static op_test_tensor *current_tensor(op_test *t, int tensor) {
  int at = t->first_tensor[t->subgraph_count - 1] + tensor;
  assert_true(tensor >= 0 && at < t->tensor_count);
  return &t->tensors[at];
}

int op_test_input(op_test *t, enum TensorType type, op_test_list dims) {
  int tensor = op_test_between(t, type, dims);
  append_to_list(&t->inputs[t->subgraph_count - 1], tensor);
  return tensor;
}

int op_test_output(op_test *t, enum TensorType type, op_test_list dims) {
  int tensor = op_test_between(t, type, dims);
  append_to_list(&t->outputs[t->subgraph_count - 1], tensor);
  return tensor;
}

void op_test_as_output(op_test *t, int tensor) { append_to_list(&t->outputs[t->subgraph_count - 1], tensor); }

int op_test_variable(op_test *t, enum TensorType type, op_test_list dims) {
  int tensor = op_test_between(t, type, dims);
  current_tensor(t, tensor)->variable = true;
  return tensor;
}

static size_t count_elements(op_test_list dims) {
  size_t n = 1;
  for (int i = 0; i < dims.count; i++) n *= (size_t)dims.values[i];
  return n;
}

int op_test_constant(op_test *t, enum TensorType type, op_test_list dims, const void *data) {
  int tensor = op_test_between(t, type, dims);
  op_test_tensor *record = current_tensor(t, tensor);
  record->data = data;
  assert_true(model_type_bytes((int32_t)type, count_elements(dims), &record->bytes));
  return tensor;
}

int op_test_sparse(op_test *t, enum TensorType type, op_test_list dims, const void *values, size_t bytes, op_test_options_writer sparsity,
                   const void *data) {
  int tensor = op_test_between(t, type, dims);
  op_test_tensor *record = current_tensor(t, tensor);
  record->data = values;
  record->bytes = bytes;
  record->sparsity = sparsity;
  record->sparsity_data = data;
  return tensor;
}

// The published layout of string tensors: count, count + 1 offsets from the start, the characters.
static size_t pack_strings(const char *const *strings, int count, uint8_t *to) {
  uint32_t at = 4 * ((uint32_t)count + 2);
  if (to) memcpy(to, &(int32_t){count}, 4);
  for (int i = 0; i <= count; i++) {
    if (to) memcpy(to + 4 * (i + 1), &at, 4);
    if (i == count) break;
    size_t length = strlen(strings[i]);
    if (to) memcpy(to + at, strings[i], length);
    at += (uint32_t)length;
  }
  return at;
}

int op_test_strings(op_test *t, op_test_list dims, const char *const *strings, int count) {
  int tensor = op_test_between(t, TensorType_STRING, dims);
  op_test_tensor *record = current_tensor(t, tensor);
  record->bytes = pack_strings(strings, count, NULL);
  uint8_t *packed = test_malloc(record->bytes);  // freed when the file is built
  pack_strings(strings, count, packed);
  record->data = packed;
  return tensor;
}

void op_test_quantize(op_test *t, int tensor, float scale, int32_t zero_point) {
  current_tensor(t, tensor)->scale = scale;
  current_tensor(t, tensor)->zero_point = zero_point;
}

void op_test_quantize_channels(op_test *t, int tensor, const float *scales, const int64_t *zero_points, int count,
                               int dimension) {
  op_test_tensor *record = current_tensor(t, tensor);
  record->scales = scales;
  record->zero_points = zero_points;
  record->scale_count = count;
  record->quantized_dimension = dimension;
}

static op_test_node_record *add_node(op_test *t, int32_t code, int version, op_test_list inputs, op_test_list outputs) {
  assert_true(t->node_count < OP_TEST_NODES);
  op_test_node_record *node = &t->nodes[t->node_count++];
  *node = (op_test_node_record){
      .subgraph = t->subgraph_count - 1, .code = code, .version = version, .inputs = inputs, .outputs = outputs};
  return node;
}

void op_test_node(op_test *t, enum BuiltinOperator code, int version, op_test_list inputs, op_test_list outputs) {
  add_node(t, (int32_t)code, version, inputs, outputs);
}

void op_test_custom(op_test *t, const char *name, int version, const void *options, size_t options_bytes, op_test_list inputs,
                    op_test_list outputs) {
  op_test_node_record *node = add_node(t, BuiltinOperator_CUSTOM, version, inputs, outputs);
  node->custom_name = name;
  node->custom_options = options;
  node->custom_options_bytes = options_bytes;
}

void op_test_options(op_test *t, enum BuiltinOptions type, op_test_options_writer writer, const void *data) {
  op_test_node_record *node = &t->nodes[t->node_count - 1];
  node->options_type = (int)type;
  node->options = writer;
  node->options_data = data;
}

void op_test_options_2(op_test *t, enum BuiltinOptions2 type, op_test_options_writer writer, const void *data) {
  op_test_options(t, (enum BuiltinOptions)type, writer, data);
  t->nodes[t->node_count - 1].options_second = true;
}

void op_test_intermediates(op_test *t, op_test_list tensors) { t->nodes[t->node_count - 1].intermediates = tensors; }

// ---- Building the file. ----
static fb_ref build_ints(fb_builder *b, op_test_list list) { return fb_build_vector(b, list.values, (uint32_t)list.count, 4, 0); }

static fb_ref build_quantization(fb_builder *b, const op_test_tensor *tensor) {
  bool one = tensor->scale != 0;
  uint32_t count = one ? 1 : (uint32_t)tensor->scale_count;
  if (!count) return 0;
  fb_ref zeros = fb_build_vector(b, one ? &(int64_t){tensor->zero_point} : tensor->zero_points, count, 8, 0);
  fb_ref scales = fb_build_vector(b, one ? &tensor->scale : tensor->scales, count, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, QuantizationParameters_scale_id, scales);
  fb_build_ref(b, QuantizationParameters_zero_point_id, zeros);
  fb_build_i32(b, QuantizationParameters_quantized_dimension_id, tensor->quantized_dimension, 0);
  return fb_build_table_end(b);
}

// Constants have buffer tensor + 1; buffer 0 is the empty one. A shape with open dimensions is written with 1 in their place,
// and a signature, as converters do.
static fb_ref build_tensor(fb_builder *b, const op_test_tensor *tensor, int index) {
  op_test_list shape = tensor->dims;
  bool open = false;
  for (int i = 0; i < shape.count; i++) {
    if (shape.values[i] < 0) shape.values[i] = 1, open = true;
  }
  fb_ref quantization = build_quantization(b, tensor);
  fb_ref sparsity = tensor->sparsity ? tensor->sparsity(b, tensor->sparsity_data) : 0;
  fb_ref signature = open ? build_ints(b, tensor->dims) : 0;
  fb_ref dims = build_ints(b, shape);
  char text[16];
  snprintf(text, sizeof text, "t%d", index);
  fb_ref name = fb_build_text(b, text);
  fb_build_table(b);
  fb_build_ref(b, Tensor_shape_id, dims);
  fb_build_ref(b, Tensor_shape_signature_id, signature);
  fb_build_i8(b, Tensor_type_id, (int8_t)tensor->type, TensorType_FLOAT32);
  fb_build_u32(b, Tensor_buffer_id, tensor->data ? (uint32_t)index + 1 : 0, 0);
  fb_build_ref(b, Tensor_name_id, name);
  fb_build_ref(b, Tensor_quantization_id, quantization);
  fb_build_ref(b, Tensor_sparsity_id, sparsity);
  fb_build_bool(b, Tensor_is_variable_id, tensor->variable, false);
  return fb_build_table_end(b);
}

static fb_ref build_node(fb_builder *b, const op_test_node_record *node, int code_index) {
  fb_ref options = node->options ? node->options(b, node->options_data) : 0;
  fb_ref custom =
      node->custom_options_bytes ? fb_build_vector(b, node->custom_options, (uint32_t)node->custom_options_bytes, 1, 16) : 0;
  fb_ref inputs = build_ints(b, node->inputs), outputs = build_ints(b, node->outputs);
  fb_ref intermediates = node->intermediates.count ? build_ints(b, node->intermediates) : 0;
  fb_build_table(b);
  fb_build_u32(b, Operator_opcode_index_id, (uint32_t)code_index, 0);
  fb_build_ref(b, Operator_inputs_id, inputs);
  fb_build_ref(b, Operator_outputs_id, outputs);
  fb_build_ref(b, Operator_intermediates_id, intermediates);
  fb_build_ref(b, Operator_custom_options_id, custom);
  if (options && node->options_second) {
    fb_build_u8(b, Operator_builtin_options_2_type_id, (uint8_t)node->options_type, 0);
    fb_build_ref(b, Operator_builtin_options_2_id, options);
  } else if (options) {
    fb_build_u8(b, Operator_builtin_options_type_id, (uint8_t)node->options_type, 0);
    fb_build_ref(b, Operator_builtin_options_id, options);
  }
  return fb_build_table_end(b);
}

// Every node has an operator code of its own: simple, and legal.
static fb_ref build_code(fb_builder *b, const op_test_node_record *node) {
  fb_ref name = node->custom_name ? fb_build_text(b, node->custom_name) : 0;
  fb_build_table(b);
  fb_build_i8(b, OperatorCode_deprecated_builtin_code_id, node->code < 127 ? (int8_t)node->code : 127, 0);
  fb_build_i32(b, OperatorCode_builtin_code_id, node->code, 0);
  fb_build_ref(b, OperatorCode_custom_code_id, name);
  fb_build_i32(b, OperatorCode_version_id, node->version, 1);
  return fb_build_table_end(b);
}

static fb_ref build_subgraph(op_test *t, int sg) {
  fb_builder *b = &t->builder;
  fb_ref tensors[OP_TEST_TENSORS], nodes[OP_TEST_NODES];
  uint32_t tensor_count = 0, node_count = 0;
  for (int i = 0; i < t->tensor_count; i++) {
    if (t->tensors[i].subgraph == sg) tensors[tensor_count++] = build_tensor(b, &t->tensors[i], i);
  }
  for (int i = 0; i < t->node_count; i++) {
    if (t->nodes[i].subgraph == sg) nodes[node_count++] = build_node(b, &t->nodes[i], i);
  }
  fb_ref tensor_list = fb_build_refs(b, tensors, tensor_count), node_list = fb_build_refs(b, nodes, node_count);
  fb_ref inputs = build_ints(b, t->inputs[sg]), outputs = build_ints(b, t->outputs[sg]);
  fb_build_table(b);
  fb_build_ref(b, SubGraph_tensors_id, tensor_list);
  fb_build_ref(b, SubGraph_inputs_id, inputs);
  fb_build_ref(b, SubGraph_outputs_id, outputs);
  fb_build_ref(b, SubGraph_operators_id, node_list);
  return fb_build_table_end(b);
}

static fb_ref build_map(fb_builder *b, const char *prefix, op_test_list list) {
  fb_ref maps[OP_TEST_LIST];
  for (int i = 0; i < list.count; i++) {
    char text[16];
    snprintf(text, sizeof text, "%s%d", prefix, i);
    fb_ref name = fb_build_text(b, text);
    fb_build_table(b);
    fb_build_ref(b, TensorMap_name_id, name);
    fb_build_u32(b, TensorMap_tensor_index_id, (uint32_t)list.values[i], 0);
    maps[i] = fb_build_table_end(b);
  }
  return fb_build_refs(b, maps, (uint32_t)list.count);
}

static fb_ref build_signatures(op_test *t) {
  fb_builder *b = &t->builder;
  if (!t->signature) return 0;
  int sg = t->subgraph_count - 1;
  fb_ref inputs = build_map(b, "in", t->inputs[sg]), outputs = build_map(b, "out", t->outputs[sg]);
  fb_ref key = fb_build_text(b, t->signature);
  fb_build_table(b);
  fb_build_ref(b, SignatureDef_inputs_id, inputs);
  fb_build_ref(b, SignatureDef_outputs_id, outputs);
  fb_build_ref(b, SignatureDef_signature_key_id, key);
  fb_build_u32(b, SignatureDef_subgraph_index_id, (uint32_t)sg, 0);
  return fb_build_refs(b, &(fb_ref){fb_build_table_end(b)}, 1);
}

static fb_ref build_buffers(op_test *t) {
  fb_builder *b = &t->builder;
  fb_ref buffers[OP_TEST_TENSORS + 1];
  for (int i = 0; i <= t->tensor_count; i++) {
    const op_test_tensor *tensor = i ? &t->tensors[i - 1] : NULL;
    fb_ref data = tensor && tensor->data ? fb_build_vector(b, tensor->data, (uint32_t)tensor->bytes, 1, 16) : 0;
    fb_build_table(b);
    fb_build_ref(b, Buffer_data_id, data);
    buffers[i] = fb_build_table_end(b);
    if (tensor && tensor->data && tensor->type == TensorType_STRING) test_free((void *)(uintptr_t)tensor->data);
  }
  return fb_build_refs(b, buffers, (uint32_t)t->tensor_count + 1);
}

// With ARENITE_KEEP_MODELS set to a folder every model that a test builds is left there, named after its content: seeds for the fuzz targets.
static void keep_model(const uint8_t *bytes, size_t size) {
  const char *folder = getenv("ARENITE_KEEP_MODELS");
  if (!folder || !*folder) return;
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
  char path[4096];
  snprintf(path, sizeof path, "%s/%016llx.tflite", folder, (unsigned long long)hash);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

void op_test_build(op_test *t) {
  fb_builder *b = &t->builder;
  fb_build_init(b, arn_heap());
  fb_ref subgraphs[OP_TEST_SUBGRAPHS], codes[OP_TEST_NODES];
  for (int i = 0; i < t->subgraph_count; i++) subgraphs[i] = build_subgraph(t, i);
  for (int i = 0; i < t->node_count; i++) codes[i] = build_code(b, &t->nodes[i]);
  fb_ref buffer_list = build_buffers(t), signature_list = build_signatures(t);
  fb_ref subgraph_list = fb_build_refs(b, subgraphs, (uint32_t)t->subgraph_count);
  fb_ref code_list = fb_build_refs(b, codes, (uint32_t)t->node_count);
  fb_build_table(b);
  fb_build_u32(b, Model_version_id, SCHEMA_VERSION, 0);
  fb_build_ref(b, Model_operator_codes_id, code_list);
  fb_build_ref(b, Model_subgraphs_id, subgraph_list);
  fb_build_ref(b, Model_buffers_id, buffer_list);
  fb_build_ref(b, Model_signature_defs_id, signature_list);
  const uint8_t *bytes;
  assert_int_equal(fb_build_finish(b, fb_build_table_end(b), SCHEMA_IDENTIFIER, &bytes, &t->size), ARN_OK);
  t->bytes = aligned_alloc(64, (t->size + 63) & ~(size_t)63);
  assert_non_null(t->bytes);
  memcpy(t->bytes, bytes, t->size);
  fb_build_release(b);
  keep_model(t->bytes, t->size);
}

// ---- Running. ----
static void assert_worked(const op_test *t, arn_status status, const char *what) {
  if (status != ARN_OK) fail_msg("%s: %s (%s)", what, t->error.message, arn_status_text(status));
}

void op_test_prepare(op_test *t) {
  op_test_build(t);
  assert_worked(t, arn_model_open_buffer(t->bytes, t->size, t->open_flags, arn_heap(), &t->model, &t->error), "open");
  assert_worked(t, arn_interpreter_create(t->model, &t->options, &t->interpreter, &t->error), "create");
  assert_worked(t, arn_interpreter_allocate(t->interpreter, &t->error), "allocate");
}

void op_test_expect_refusal(op_test *t, const char *text) {
  op_test_build(t);
  arn_status status = arn_model_open_buffer(t->bytes, t->size, t->open_flags, arn_heap(), &t->model, &t->error);
  if (status == ARN_OK) status = arn_interpreter_create(t->model, &t->options, &t->interpreter, &t->error);
  if (status == ARN_OK) status = arn_interpreter_allocate(t->interpreter, &t->error);
  if (status == ARN_OK) status = arn_interpreter_invoke(t->interpreter, &t->error);
  if (status == ARN_OK) fail_msg("the model was accepted; it should be refused with \"%s\"", text);
  assert_int_equal(t->error.status, status);
  if (!strstr(t->error.message, text)) fail_msg("refused with \"%s\" in place of \"%s\"", t->error.message, text);
}

void op_test_resize(op_test *t, int tensor, op_test_list dims) {
  for (int i = 0; i < arn_interpreter_input_count(t->interpreter); i++) {
    if (t->inputs[0].values[i] != tensor) continue;
    assert_worked(t, arn_interpreter_resize_input(t->interpreter, i, dims.values, dims.count, false, &t->error), "resize");
    assert_worked(t, arn_interpreter_allocate(t->interpreter, &t->error), "allocate");
    return;
  }
  fail_msg("tensor %d is no input", tensor);
}

TfLiteTensor *op_test_at(const op_test *t, int tensor) {
  TfLiteTensor *found = arn_interpreter_tensor(t->interpreter, 0, tensor);
  assert_non_null(found);
  return found;
}

void op_test_set(op_test *t, int tensor, const void *data) {
  TfLiteTensor *to = op_test_at(t, tensor);
  if (to->bytes == 0) return;
  assert_non_null(to->data.raw);
  memcpy(to->data.raw, data, to->bytes);
}

void op_test_set_strings(op_test *t, int tensor, const char *const *strings, int count) {
  TfLiteTensor *to = op_test_at(t, tensor);
  assert_int_equal(TfLiteTensorRealloc(pack_strings(strings, count, NULL), to), kTfLiteOk);
  pack_strings(strings, count, to->data.uint8);
}

void op_test_invoke(op_test *t) { assert_worked(t, arn_interpreter_invoke(t->interpreter, &t->error), "invoke"); }

void op_test_end(op_test *t) {
  arn_interpreter_destroy(t->interpreter);
  arn_model_close(t->model);
  free(t->bytes);
}

// ---- Expectations. ----
void op_test_expect_dims(const op_test *t, int tensor, op_test_list dims) {
  const TfLiteTensor *at = op_test_at(t, tensor);
  assert_int_equal(at->dims->size, dims.count);
  for (int i = 0; i < dims.count; i++) {
    if (at->dims->data[i] != dims.values[i]) fail_msg("dimension %d is %d, expected %d", i, at->dims->data[i], dims.values[i]);
  }
}

static const void *data_of(const op_test *t, int tensor, TfLiteType type, size_t count) {
  const TfLiteTensor *at = op_test_at(t, tensor);
  size_t n = 1;
  for (int i = 0; i < at->dims->size; i++) n *= (size_t)at->dims->data[i];
  assert_int_equal(at->type, type);
  assert_int_equal(n, count);
  if (count) assert_non_null(at->data.raw);
  return at->data.raw;
}

void op_test_expect_f32(const op_test *t, int tensor, const float *values, size_t count, float tolerance) {
  const float *got = data_of(t, tensor, kTfLiteFloat32, count);
  for (size_t i = 0; i < count; i++) {
    float room = tolerance * fmaxf(1.0f, fabsf(values[i]));
    bool same = got[i] == values[i] || (isnan(got[i]) && isnan(values[i])) || fabsf(got[i] - values[i]) <= room;
    if (!same) fail_msg("element %zu is %.9g, expected %.9g", i, (double)got[i], (double)values[i]);
  }
}

#define OP_TEST_EXPECT(name, c_type, lite_type)                                                                            \
  void op_test_expect_##name(const op_test *t, int tensor, const c_type *values, size_t count) {                           \
    const c_type *got = data_of(t, tensor, lite_type, count);                                                              \
    for (size_t i = 0; i < count; i++) {                                                                                   \
      if (got[i] != values[i]) fail_msg("element %zu is %lld, expected %lld", i, (long long)got[i], (long long)values[i]); \
    }                                                                                                                      \
  }
OP_TEST_EXPECT(i8, int8_t, kTfLiteInt8)
OP_TEST_EXPECT(u8, uint8_t, kTfLiteUInt8)
OP_TEST_EXPECT(i16, int16_t, kTfLiteInt16)
OP_TEST_EXPECT(i32, int32_t, kTfLiteInt32)
OP_TEST_EXPECT(i64, int64_t, kTfLiteInt64)
OP_TEST_EXPECT(bool, bool, kTfLiteBool)

void op_test_expect_strings(const op_test *t, int tensor, const char *const *strings, int count) {
  const TfLiteTensor *at = op_test_at(t, tensor);
  assert_int_equal(at->type, kTfLiteString);
  size_t bytes = pack_strings(strings, count, NULL);
  uint8_t *packed = test_malloc(bytes);
  pack_strings(strings, count, packed);
  assert_int_equal(at->bytes, bytes);
  assert_memory_equal(at->data.raw, packed, bytes);
  test_free(packed);
}
