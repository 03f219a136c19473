// SPDX-License-Identifier: Apache-2.0
// model: each kind of nonsense in a well-formed file is named with path and byte; damaged files never crash verification.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/model_verify.h"
#include "unit/model_zoo.h"

static arn_status verify_zoo(const zoo_model *m, arn_error *error) {
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build_model(m, &b, &bytes, &size), ARN_OK);
  arn_status status = model_verify(bytes, size, host_heap(), error);
  if (status == ARN_INVALID_MODEL) assert_in_range(error->byte, 8, size - 1);
  fb_build_release(&b);
  return status;
}

static void expect_valid(const zoo_model *m) {
  arn_error error = {.message = ""};
  arn_status status = verify_zoo(m, &error);
  if (status != ARN_OK) fail_msg("%s", error.message);
}

// The message must start with `path`, ": " and contain `words`.
static void expect_refused(const zoo_model *m, const char *path, const char *words) {
  arn_error error;
  assert_int_equal(verify_zoo(m, &error), ARN_INVALID_MODEL);
  size_t length = strlen(path);
  if (strncmp(error.message, path, length) != 0 || error.message[length] != ':' || !strstr(error.message, words))
    fail_msg("wanted \"%s: ... %s\", got \"%s\"", path, words, error.message);
}

#define BENT(change)                  \
  zoo_model m = zoo_model_plain();    \
  zoo_graph *g = &m.graphs[0];        \
  (void)g;                            \
  change

static void a_good_model_passes(void **state) {
  (void)state;
  BENT();
  expect_valid(&m);
}

static void roots_without_sense_are_refused(void **state) {
  (void)state;
  {
    BENT(m.graph_count = 0);
    expect_refused(&m, "subgraphs", "without a subgraph");
  }
  {
    BENT(m.codes[1] = ((zoo_code){BuiltinOperator_CUSTOM, NULL}));
    expect_refused(&m, "operator_codes[1]", "without a name");
  }
  {
    BENT(m.metadata_buffer = 3);
    expect_refused(&m, "metadata[0]", "\"greeting\": buffer 3 of 3");
  }
  {
    BENT(m.signature_subgraph = 1);
    expect_refused(&m, "signature_defs[0]", "subgraph 1 of 1");
  }
  {
    BENT(m.signature_tensor = 4);
    expect_refused(&m, "signature_defs[0]", "\"x\": tensor 4 of 4");
  }
  {
    BENT(m.no_signature_key = true);
    expect_refused(&m, "signature_defs[0]", "without a key");
  }
  BENT(m.version = 2);
  arn_error error;
  assert_int_equal(verify_zoo(&m, &error), ARN_UNSUPPORTED);
  assert_non_null(strstr(error.message, "schema version 2"));
}

static void indices_must_exist(void **state) {
  (void)state;
  {
    BENT(g->operators[1].code = 2);
    expect_refused(&m, "subgraphs[0].operators[1].opcode_index", "operator code 2 of 2");
  }
  {
    BENT(g->operators[1].inputs[0] = 4);
    expect_refused(&m, "subgraphs[0].operators[1].inputs[0]", "tensor 4 of 4");
  }
  {
    BENT(g->operators[1].inputs[0] = -2);
    expect_refused(&m, "subgraphs[0].operators[1].inputs[0]", "tensor -2 of 4");
  }
  {
    BENT(g->operators[1].outputs[0] = -1);
    expect_refused(&m, "subgraphs[0].operators[1].outputs[0]", "tensor -1 of 4");
  }
  {
    BENT(g->outputs[0] = 77);
    expect_refused(&m, "subgraphs[0].outputs[0]", "tensor 77 of 4");
  }
  {
    BENT(g->inputs[0] = 4);
    expect_refused(&m, "subgraphs[0].inputs[0]", "tensor 4 of 4");
  }
  {
    BENT(g->inputs[1] = -1; g->input_count = 2);  // an optional input left out
    expect_valid(&m);
  }
  BENT(g->tensors[1].buffer = 3);
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "buffer 3 of 3");
}

static void operators_run_in_an_order_that_works(void **state) {
  (void)state;
  {
    BENT(zoo_operator first = g->operators[0]; g->operators[0] = g->operators[1]; g->operators[1] = first);
    expect_refused(&m, "subgraphs[0].operators[0].inputs[0]", "tensor 2 is written by operator 1, which comes later");
  }
  {
    BENT(g->operators[1].outputs[0] = 2);
    expect_refused(&m, "subgraphs[0].operators[1].outputs[0]", "tensor 2 is written a second time");
  }
  {
    BENT(g->operators[0].inputs[0] = 2);
    expect_refused(&m, "subgraphs[0].operators[0].inputs[0]", "its own operator's output");
  }
  {
    BENT(g->operators[1].outputs[0] = 0);
    expect_refused(&m, "subgraphs[0].operators[1].outputs[0]", "an input of the subgraph");
  }
  {
    BENT(g->operators[1].outputs[0] = 1);
    expect_refused(&m, "subgraphs[0].operators[1].outputs[0]", "a constant");
  }
  {
    BENT(g->tensors[4] = g->tensors[0]; g->tensor_count = 5; g->operators[0].inputs[0] = 4);
    expect_refused(&m, "subgraphs[0].operators[0].inputs[0]", "tensor 4 is never given a value");
  }
  {
    BENT(g->tensors[4] = g->tensors[0]; g->tensors[4].variable = true; g->tensor_count = 5; g->operators[0].inputs[0] = 4);
    expect_valid(&m);
  }
  BENT(g->operator_count = 1);
  expect_refused(&m, "subgraphs[0].outputs[0]", "tensor 3 is never given a value");
}

static void constants_are_as_long_as_their_shape(void **state) {
  (void)state;
  {
    BENT(m.buffers[1].size = 23);
    expect_refused(&m, "subgraphs[0].tensors[1].buffer", "6 elements of FLOAT32 in the 23 bytes of buffer 1");
  }
  {
    BENT(m.buffers[1].size = 20; g->tensors[1].type = TensorType_INT4);  // longer than needed: the reference takes it
    expect_valid(&m);
  }
  {
    BENT(m.buffers[1].size = 3; g->tensors[1].type = TensorType_INT4);
    expect_valid(&m);
  }
  {
    BENT(m.buffers[1].size = 2; g->tensors[1].type = TensorType_INT4);
    expect_refused(&m, "subgraphs[0].tensors[1].buffer", "6 elements of INT4 in the 2 bytes");
  }
  {
    BENT(m.buffers[1].size = 2; g->tensors[1].type = TensorType_INT2);
    expect_valid(&m);
  }
  {
    BENT(g->tensors[1].shape[0] = -1);
    expect_refused(&m, "subgraphs[0].tensors[1].shape[0]", "a constant with an unknown dimension");
  }
  {
    BENT(g->tensors[0].shape[1] = -3);
    expect_refused(&m, "subgraphs[0].tensors[0].shape[1]", "a dimension of -3");
  }
  {
    BENT(g->tensors[0] = ((zoo_tensor){.shape = {INT32_MAX, INT32_MAX, INT32_MAX, 4}, .rank = 4}));
    expect_refused(&m, "subgraphs[0].tensors[0].shape", "does not fit");
  }
  {
    BENT(g->tensors[0].signature_rank = 3);
    expect_refused(&m, "subgraphs[0].tensors[0].shape_signature", "rank 3 for a shape of rank 2");
  }
  {
    BENT(g->tensors[1].type = 23);
    expect_refused(&m, "subgraphs[0].tensors[1].type", "unknown tensor type 23");
  }
  {
    BENT(g->tensors[1].variable = true);
    expect_refused(&m, "subgraphs[0].tensors[1].is_variable", "a variable tensor with constant data");
  }
  // A buffer that is there but empty: no constant, unless the tensor has no elements.
  {
    BENT(m.buffers[1].size = 0);
    expect_refused(&m, "subgraphs[0].operators[0].inputs[1]", "never given a value");
  }
  BENT(m.buffers[1].size = 0; g->tensors[1].shape[0] = 0);
  expect_valid(&m);
}

static void data_outside_the_flatbuffer_lies_in_the_file(void **state) {
  (void)state;
  {
    BENT(m.buffers[1] = ((zoo_buffer){NULL, 0, 0, 64, 24}));  // any 24 bytes of the file will do
    expect_valid(&m);
  }
  {
    BENT(m.buffers[1] = ((zoo_buffer){NULL, 0, 0, 64, 1 << 20}));
    expect_refused(&m, "buffers[1]", "1048576 bytes at 64");
  }
  {
    BENT(m.buffers[1] = ((zoo_buffer){NULL, 0, 0, UINT64_MAX - 7, 24}));  // the sum wraps to 16
    expect_refused(&m, "buffers[1]", "24 bytes at 18446744073709551608");
  }
  {
    BENT(m.buffers[1] = ((zoo_buffer){NULL, 0, 0, 64, 23}));
    expect_refused(&m, "subgraphs[0].tensors[1].buffer", "in the 23 bytes of buffer 1");
  }
  BENT(m.codes[1] = ((zoo_code){BuiltinOperator_CUSTOM, "Mine"}); g->operators[1].large_offset = 64;
       g->operators[1].large_size = UINT64_MAX);
  expect_refused(&m, "subgraphs[0].operators[1].large_custom_options_offset", "18446744073709551615 bytes at 64");
}

static void strings_stay_in_their_buffer(void **state) {
  (void)state;
  uint32_t good[] = {2, 12, 13, 15, 0x00636261};  // "a", "bc"
  BENT(g->tensors[1] = ((zoo_tensor){.shape = {2}, .rank = 1, .type = TensorType_STRING, .buffer = 1}));
  m.buffers[1] = (zoo_buffer){good, 20, 0, 0, 0};
  good[1] = 16, good[2] = 17, good[3] = 19;
  expect_valid(&m);
  m.buffers[1].size = 3;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "a string tensor of 3 bytes");
  m.buffers[1].size = 20;
  good[3] = 21;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "string 2 of 2 starts at 21");
  good[3] = 16;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "string 2 of 2 starts at 16");
  good[3] = 19, good[1] = 12;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "string 0 of 2 starts at 12");
  good[1] = 16, good[0] = 0xFFFFFFFEu;  // (count + 2) * 4 wraps
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "4294967294 strings");
  good[0] = 1;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "1 strings for a shape of 2");
}

static fb_ref blockwise(fb_builder *b, int32_t scales, int32_t zeros, int32_t size) {
  fb_build_table(b);
  fb_build_i32(b, BlockwiseQuantization_scales_id, scales, 0);
  fb_build_i32(b, BlockwiseQuantization_zero_points_id, zeros, 0);
  fb_build_i32(b, BlockwiseQuantization_block_size_id, size, 0);
  fb_ref details = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, QuantizationParameters_details_type_id, QuantizationDetails_BlockwiseQuantization, 0);
  fb_build_ref(b, QuantizationParameters_details_id, details);
  return fb_build_table_end(b);
}
static fb_ref blockwise_good(fb_builder *b) { return blockwise(b, 3, -1, 32); }
static fb_ref blockwise_scales(fb_builder *b) { return blockwise(b, 4, -1, 32); }
static fb_ref blockwise_zeros(fb_builder *b) { return blockwise(b, 3, -2, 32); }
static fb_ref blockwise_size(fb_builder *b) { return blockwise(b, 3, 0, 0); }

static fb_ref multi_axis(fb_builder *b, int32_t axis, uint32_t axes) {
  fb_ref dimensions = fb_build_vector(b, (int32_t[]){0, axis}, axes, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, MultiAxisQuantization_quantized_dimensions_id, dimensions);
  fb_ref details = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, QuantizationParameters_details_type_id, QuantizationDetails_MultiAxisQuantization, 0);
  fb_build_ref(b, QuantizationParameters_details_id, details);
  return fb_build_table_end(b);
}
static fb_ref multi_axis_good(fb_builder *b) { return multi_axis(b, 1, 2); }
static fb_ref multi_axis_past(fb_builder *b) { return multi_axis(b, 2, 2); }
static fb_ref multi_axis_none(fb_builder *b) { return multi_axis(b, 0, 0); }

static void quantisation_fits_its_tensor(void **state) {
  (void)state;
  const char *scale = "subgraphs[0].tensors[1].quantization.scale";
  BENT(g->tensors[1].scales = g->tensors[1].zeros = 2);
  expect_valid(&m);
  g->tensors[1].dimension = 1;
  expect_refused(&m, scale, "2 scales for the 3 elements of dimension 1");
  g->tensors[1].scales = g->tensors[1].zeros = 3;
  expect_valid(&m);
  g->tensors[1].dimension = 7;  // past the rank: read as 0
  expect_refused(&m, scale, "3 scales for the 2 elements of dimension 0");
  g->tensors[1].scales = g->tensors[1].zeros = 2;
  expect_valid(&m);
  g->tensors[1].scales = g->tensors[1].zeros = 1;
  expect_valid(&m);
  g->tensors[1].dimension = -1;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.quantized_dimension", "-1");
  g->tensors[1].dimension = 0, g->tensors[1].zeros = 2;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.zero_point", "2 zero points for 1 scales");

  g->tensors[1].quantization = blockwise_good;
  expect_valid(&m);
  g->tensors[1].quantization = blockwise_scales;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.details.scales", "tensor 4 of 4");
  g->tensors[1].quantization = blockwise_zeros;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.details.zero_points", "tensor -2 of 4");
  g->tensors[1].quantization = blockwise_size;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.details.block_size", "0");

  g->tensors[1].quantization = multi_axis_good;
  expect_valid(&m);
  g->tensors[1].quantization = multi_axis_past;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.details.quantized_dimensions[1]", "dimension 2 of a tensor of rank 2");
  g->tensors[1].quantization = multi_axis_none;
  expect_refused(&m, "subgraphs[0].tensors[1].quantization.details.quantized_dimensions", "no quantised dimension");
}

// A 2 x 3 matrix of which four elements are stored: dense rows, compressed columns. What a test bends:
static uint8_t sparse_segments[3], sparse_indices[4];
static int32_t sparse_order[2], sparse_rows;
static int8_t sparse_format;

static fb_ref sparse_bytes(fb_builder *b, const uint8_t *bytes, uint32_t count) {
  fb_ref values = fb_build_vector(b, bytes, count, 1, 4);
  fb_build_table(b);
  fb_build_ref(b, Uint8Vector_values_id, values);
  return fb_build_table_end(b);
}

static fb_ref sparse_matrix(fb_builder *b) {
  fb_ref segments = sparse_bytes(b, sparse_segments, 3), indices = sparse_bytes(b, sparse_indices, 4), levels[2];
  fb_build_table(b);
  fb_build_i8(b, DimensionMetadata_format_id, DimensionType_DENSE, 0);
  fb_build_i32(b, DimensionMetadata_dense_size_id, sparse_rows, 0);
  levels[0] = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_i8(b, DimensionMetadata_format_id, sparse_format, 0);
  fb_build_u8(b, DimensionMetadata_array_segments_type_id, SparseIndexVector_Uint8Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_segments_id, segments);
  fb_build_u8(b, DimensionMetadata_array_indices_type_id, SparseIndexVector_Uint8Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_indices_id, indices);
  levels[1] = fb_build_table_end(b);
  fb_ref order = fb_build_vector(b, sparse_order, 2, 4, 0), all = fb_build_refs(b, levels, 2);
  fb_build_table(b);
  fb_build_ref(b, SparsityParameters_traversal_order_id, order);
  fb_build_ref(b, SparsityParameters_dim_metadata_id, all);
  return fb_build_table_end(b);
}

static zoo_model sparse_model(void) {
  memcpy(sparse_segments, (uint8_t[]){0, 1, 4}, 3);
  memcpy(sparse_indices, (uint8_t[]){2, 0, 1, 2}, 4);
  memcpy(sparse_order, (int32_t[]){0, 1}, sizeof sparse_order);
  sparse_rows = 2;
  sparse_format = DimensionType_SPARSE_CSR;
  zoo_model m = zoo_model_plain();
  m.graphs[0].tensors[1].sparsity = sparse_matrix;
  m.buffers[1].size = 16;
  return m;
}

static void sparse_constants_describe_their_tensor(void **state) {
  (void)state;
  const char *level = "subgraphs[0].tensors[1].sparsity.dim_metadata[1]";
  zoo_model m = sparse_model();
  expect_valid(&m);
  m.buffers[1].size = 15;
  expect_refused(&m, "subgraphs[0].tensors[1].buffer", "4 elements of FLOAT32 in the 15 bytes");
  m = sparse_model();
  sparse_indices[3] = 3;
  expect_refused(&m, level, "index 3 in a dimension of 3");
  m = sparse_model();
  sparse_segments[1] = 5;
  expect_refused(&m, level, "segment 2 ends before it begins");
  m = sparse_model();
  sparse_segments[2] = 3;
  expect_refused(&m, level, "4 indices where the segments call for 3");
  m = sparse_model();
  sparse_rows = 3;
  expect_refused(&m, "subgraphs[0].tensors[1].sparsity.dim_metadata[0]", "a dense size of 3 where the shape leaves 2");
  m = sparse_model();
  sparse_order[1] = 0;
  expect_refused(&m, "subgraphs[0].tensors[1].sparsity.traversal_order[1]", "dimension 0");
  m = sparse_model();
  sparse_format = 2;
  expect_refused(&m, level, "unknown format 2");
  m = sparse_model();
  m.graphs[0].tensors[1].rank = 3;
  m.graphs[0].tensors[1].shape[2] = 1;
  expect_refused(&m, "subgraphs[0].tensors[1].sparsity", "2 levels");
}

// A model of `count` graphs, each a copy of the plain one with an IF in front that calls the graphs of `calls`.
static zoo_model calling_model(uint32_t count, const int32_t calls[][2]) {
  zoo_model m = zoo_model_plain();
  m.codes[2] = (zoo_code){BuiltinOperator_IF, NULL};
  m.code_count = 3;
  m.graph_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    m.graphs[i] = m.graphs[0];
    m.graphs[i].operator_count = 3;
    m.graphs[i].tensors[4] = m.graphs[0].tensors[0];
    m.graphs[i].tensor_count = 5;
    m.graphs[i].operators[2] =
        (zoo_operator){.code = calls[i][0] ? 2 : 1, .inputs = {0}, .input_count = 1, .outputs = {4}, .output_count = 1};
    memcpy(m.graphs[i].operators[2].calls, calls[i], sizeof m.graphs[i].operators[2].calls);
  }
  return m;
}

static void subgraphs_do_not_call_themselves(void **state) {
  (void)state;
  zoo_model m = calling_model(4, (int32_t[][2]){{1, 2}, {3, 3}, {3, 1}, {0, 0}});  // 0 -> 1, 2; 1 -> 3; 2 -> 3, 1
  expect_valid(&m);
  m = calling_model(3, (int32_t[][2]){{1, 2}, {2, 2}, {1, 1}});
  expect_refused(&m, "subgraphs[2].operators[2].builtin_options", "subgraph 1 would run inside itself");
  m = calling_model(2, (int32_t[][2]){{1, 2}, {0, 0}});
  expect_refused(&m, "subgraphs[0].operators[2].builtin_options", "subgraph 2 of 2");
  m = calling_model(2, (int32_t[][2]){{1, -1}, {0, 0}});
  expect_refused(&m, "subgraphs[0].operators[2].builtin_options", "subgraph -1 of 2");
}

// A chain of calls may be 33 subgraphs long, from whichever end it is met first.
static void control_flow_nests_so_deep_and_no_deeper(void **state) {
  (void)state;
  for (uint32_t count = 33; count <= 34; ++count) {
    // 0 -> 1 -> 2 ...: met from the caller's end. 0, and last -> ... -> 2 -> 1: met from the leaf's end.
    int32_t down[ZOO_GRAPHS][2] = {{0}}, up[ZOO_GRAPHS][2] = {{0}};
    for (int32_t i = 0; i + 1 < (int32_t)count; ++i) down[i][0] = down[i][1] = i + 1;
    for (int32_t i = 2; i <= (int32_t)count; ++i) up[i][0] = up[i][1] = i - 1;
    arn_error error;
    zoo_model m = calling_model(count, (const int32_t(*)[2])down);
    assert_int_equal(verify_zoo(&m, &error), count == 33 ? ARN_OK : ARN_BUDGET);
    m = calling_model(count + 1, (const int32_t(*)[2])up);
    assert_int_equal(verify_zoo(&m, &error), count == 33 ? ARN_OK : ARN_BUDGET);
    assert_true(count == 33 || strstr(error.message, "nested deeper"));
  }
}

// A file of 400 KB in which 3,000 tensors share a shape of 100,000 ones describes 300 million dimensions.
static void shared_vectors_run_out_of_work(void **state) {
  (void)state;
  enum { DIMS = 100000, TENSORS = 3000 };
  static int32_t ones[DIMS];
  static fb_ref tensors[TENSORS];
  for (int i = 0; i < DIMS; ++i) ones[i] = 1;
  fb_builder b;
  fb_build_init(&b, host_heap());
  fb_ref shape = fb_build_vector(&b, ones, DIMS, 4, 0);
  fb_build_table(&b);
  fb_build_ref(&b, Tensor_shape_id, shape);
  fb_ref tensor = fb_build_table_end(&b);
  for (int i = 0; i < TENSORS; ++i) tensors[i] = tensor;
  fb_ref all = fb_build_refs(&b, tensors, TENSORS);
  fb_build_table(&b);
  fb_build_ref(&b, SubGraph_tensors_id, all);
  fb_ref graph = fb_build_table_end(&b), graphs = fb_build_refs(&b, &graph, 1), buffers = fb_build_refs(&b, NULL, 0);
  fb_build_table(&b);
  fb_build_u32(&b, Model_version_id, 3, 0);
  fb_build_ref(&b, Model_subgraphs_id, graphs);
  fb_build_ref(&b, Model_buffers_id, buffers);
  fb_ref root = fb_build_table_end(&b);
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(fb_build_finish(&b, root, SCHEMA_IDENTIFIER, &bytes, &size), ARN_OK);
  arn_error error;
  assert_int_equal(model_verify(bytes, size, host_heap(), &error), ARN_BUDGET);
  assert_int_equal(error.status, ARN_BUDGET);
  assert_non_null(strstr(error.message, "more array elements"));
  fb_build_release(&b);
}

static void every_truncation_and_every_flip_is_safe(void **state) {
  (void)state;
  zoo_model models[] = {zoo_model_plain(), sparse_model(), calling_model(2, (int32_t[][2]){{1, 1}, {0, 0}})};
  models[0].graphs[0].tensors[1].scales = models[0].graphs[0].tensors[1].zeros = 2;
  uint32_t refused = 0, accepted = 0;
  for (size_t k = 0; k < BASE_COUNT(models); ++k) {
    fb_builder b;
    const uint8_t *bytes;
    size_t size;
    assert_int_equal(zoo_build_model(&models[k], &b, &bytes, &size), ARN_OK);
    for (size_t cut = 0; cut < size; ++cut) {
      uint8_t *part = malloc(cut ? cut : 1);
      memcpy(part, bytes, cut);
      if (model_verify(part, cut, host_heap(), NULL) != ARN_OK) ++refused;
      free(part);
    }
    uint8_t *copy = malloc(size);
    memcpy(copy, bytes, size);
    const uint8_t values[] = {0, 1, 4, 127, 128, 255};
    for (size_t at = 0; at < size; ++at) {
      for (size_t i = 0; i < BASE_COUNT(values); ++i) {
        copy[at] = values[i];
        arn_model *model = NULL;
        arn_error error;
        arn_status status = arn_model_open_buffer(copy, size, 0, host_heap(), &model, &error);
        if (status == ARN_OK) ++accepted;
        else ++refused, assert_null(model), assert_true(error.message[0] != '\0');
        arn_model_close(model);
      }
      copy[at] = bytes[at];
    }
    free(copy);
    fb_build_release(&b);
  }
  assert_true(refused > 1000 && accepted > 1000);
}

static void *no_memory(void *self, size_t size, size_t alignment) { return (void)self, (void)size, (void)alignment, NULL; }
static void no_release(void *self, void *memory) { (void)self, (void)memory; }

static void verification_without_memory_says_so(void **state) {
  (void)state;
  const base_allocator empty = {no_memory, no_release, NULL};
  BENT();
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build_model(&m, &b, &bytes, &size), ARN_OK);
  assert_int_equal(model_verify(bytes, size, &empty, NULL), ARN_OUT_OF_MEMORY);
  fb_build_release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_model_passes),
      cmocka_unit_test(roots_without_sense_are_refused),
      cmocka_unit_test(indices_must_exist),
      cmocka_unit_test(operators_run_in_an_order_that_works),
      cmocka_unit_test(constants_are_as_long_as_their_shape),
      cmocka_unit_test(data_outside_the_flatbuffer_lies_in_the_file),
      cmocka_unit_test(strings_stay_in_their_buffer),
      cmocka_unit_test(quantisation_fits_its_tensor),
      cmocka_unit_test(sparse_constants_describe_their_tensor),
      cmocka_unit_test(subgraphs_do_not_call_themselves),
      cmocka_unit_test(control_flow_nests_so_deep_and_no_deeper),
      cmocka_unit_test(shared_vectors_run_out_of_work),
      cmocka_unit_test(every_truncation_and_every_flip_is_safe),
      cmocka_unit_test(verification_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
