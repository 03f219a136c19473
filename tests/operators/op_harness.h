// SPDX-License-Identifier: Apache-2.0
// Builds models of one or a few operators in memory and runs them through the public native API: for operator tests, and for
// tests of the runtime. Everything is checked with cmocka's asserts; a test only says what it wants.
//
//   op_test t;
//   op_test_begin(&t);
//   int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3));
//   int b = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(3), (float[]){1, 2, 3});
//   int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3));
//   op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(a, b), OP_TENSORS(y));
//   op_test_options(&t, BuiltinOptions_AddOptions, add_options, NULL);   // for the node before; left out: no options table
//   op_test_prepare(&t);                                                 // build, open, create, allocate
//   op_test_set(&t, a, (float[]){10, 20, 30});
//   op_test_invoke(&t);
//   op_test_expect_f32(&t, y, (float[]){11, 22, 33}, 3, 0);
//   op_test_end(&t);
//
// where options are written by   static fb_ref add_options(fb_builder *b, const void *data) { fb_build_table(b); fb_build_i8(b,
//   AddOptions_fused_activation_function_id, ActivationFunctionType_RELU, 0); return fb_build_table_end(b); }
// A model that must be refused:   op_test_expect_refusal(&t, "filter has 3 input channels");
#ifndef OPERATORS_OP_HARNESS_H
#define OPERATORS_OP_HARNESS_H

#include "arenite/interpreter.h"
#include "flatbuffer/fb_build.h"
#include "schema/schema.h"
#include "tensorflow/lite/c/common.h"

enum { OP_TEST_TENSORS = 64, OP_TEST_NODES = 32, OP_TEST_SUBGRAPHS = 8, OP_TEST_LIST = 48, OP_TEST_RANK = 10 };

// A list of up to OP_TEST_LIST ints (48: a bidirectional LSTM): tensors, -1 for an optional input that is left out; or dimensions, -1 for open ones.
typedef struct op_test_list {
  int count;
  int32_t values[OP_TEST_LIST];
} op_test_list;
#define OP_TEST_COUNT(...) ((int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)))
#define OP_DIMS(...) ((op_test_list){OP_TEST_COUNT(__VA_ARGS__), {__VA_ARGS__}})
#define OP_SCALAR ((op_test_list){0, {0}})
#define OP_TENSORS(...) ((op_test_list){OP_TEST_COUNT(__VA_ARGS__), {__VA_ARGS__}})
#define OP_NO_TENSORS ((op_test_list){0, {0}})

typedef fb_ref (*op_test_options_writer)(fb_builder *b, const void *data);

typedef struct op_test_tensor {
  int subgraph;
  enum TensorType type;
  op_test_list dims;
  const void *data;  // constants; borrowed until op_test_prepare
  size_t bytes;
  float scale;  // per tensor; 0: see scales
  int32_t zero_point;
  const float *scales;  // per channel; borrowed until op_test_prepare
  const int64_t *zero_points;
  int scale_count, quantized_dimension;
  bool variable;
  op_test_options_writer sparsity;  // of a sparse constant
  const void *sparsity_data;
} op_test_tensor;

typedef struct op_test_node {
  int subgraph;
  int32_t code, version;
  const char *custom_name;  // for BuiltinOperator_CUSTOM
  op_test_list inputs, outputs, intermediates;
  int options_type;  // BuiltinOptions or, with options_second, BuiltinOptions2
  bool options_second;
  op_test_options_writer options;
  const void *options_data;
  const void *custom_options;
  size_t custom_options_bytes;
} op_test_node_record;

typedef struct op_test {
  op_test_tensor tensors[OP_TEST_TENSORS];
  op_test_node_record nodes[OP_TEST_NODES];
  op_test_list inputs[OP_TEST_SUBGRAPHS], outputs[OP_TEST_SUBGRAPHS];
  int first_tensor[OP_TEST_SUBGRAPHS];  // of each subgraph, in tensors
  int tensor_count, node_count, subgraph_count;
  const char
      *signature;  // NULL, or the key of a signature of the last subgraph whose names are "in0", "in1", ... and "out0", ...
  arn_interpreter_options options;  // a test may set them before op_test_prepare
  unsigned open_flags;              // of arn_model_open_buffer
  char report[2048];                // every line that was reported, newline after each
  fb_builder builder;
  uint8_t *bytes;  // the model file, 64-byte aligned
  size_t size;
  arn_model *model;
  arn_interpreter *interpreter;
  arn_error error;
} op_test;

// ---- Describing the model. Tensor numbers count from 0 in each subgraph. ----
void op_test_begin(op_test *t);
int op_test_subgraph(op_test *t);  // what follows describes the next subgraph; returns its index
int op_test_input(op_test *t, enum TensorType type, op_test_list dims);  // a graph input
int op_test_output(op_test *t, enum TensorType type, op_test_list dims);
int op_test_between(op_test *t, enum TensorType type, op_test_list dims);  // neither
int op_test_variable(op_test *t, enum TensorType type, op_test_list dims);
int op_test_constant(op_test *t, enum TensorType type, op_test_list dims, const void *data);
int op_test_strings(op_test *t, op_test_list dims, const char *const *strings, int count);  // a constant STRING tensor
void op_test_as_output(op_test *t, int tensor);  // an existing tensor, as one more graph output
void op_test_quantize(op_test *t, int tensor, float scale, int32_t zero_point);
void op_test_quantize_channels(op_test *t, int tensor, const float *scales, const int64_t *zero_points, int count, int dimension);
// A constant whose `bytes` are only the values that the SparsityParameters table, which the writer writes, calls for.
int op_test_sparse(op_test *t, enum TensorType type, op_test_list dims, const void *values, size_t bytes, op_test_options_writer sparsity,
                   const void *data);
void op_test_node(op_test *t, enum BuiltinOperator code, int version, op_test_list inputs, op_test_list outputs);
void op_test_options(op_test *t, enum BuiltinOptions type, op_test_options_writer writer, const void *data);
void op_test_options_2(op_test *t, enum BuiltinOptions2 type, op_test_options_writer writer, const void *data);
void op_test_custom(op_test *t, const char *name, int version, const void *options, size_t options_bytes, op_test_list inputs,
                    op_test_list outputs);
void op_test_intermediates(op_test *t, op_test_list tensors);  // of the node before

// ---- Running it. ----
void op_test_build(op_test *t);    // the file only: t->bytes, t->size
void op_test_prepare(op_test *t);  // builds, opens (verified), creates, allocates; each must work
// Builds and runs until something fails: opening, creating, allocating or invoking (inputs as zeros). Something must, with a
// message that contains `text`.
void op_test_expect_refusal(op_test *t, const char *text);
void op_test_resize(op_test *t, int tensor, op_test_list dims);  // a graph input of subgraph 0; allocates again
void op_test_set(op_test *t, int tensor, const void *data);      // the whole of a tensor of subgraph 0
void op_test_set_strings(op_test *t, int tensor, const char *const *strings, int count);
void op_test_invoke(op_test *t);
void op_test_end(op_test *t);

TfLiteTensor *op_test_at(const op_test *t, int tensor);  // of subgraph 0
void op_test_expect_dims(const op_test *t, int tensor, op_test_list dims);
// The values of a tensor of subgraph 0: count must be its element count. f32: equal within tolerance * max(1, |expected|).
void op_test_expect_f32(const op_test *t, int tensor, const float *values, size_t count, float tolerance);
void op_test_expect_i8(const op_test *t, int tensor, const int8_t *values, size_t count);
void op_test_expect_u8(const op_test *t, int tensor, const uint8_t *values, size_t count);
void op_test_expect_i16(const op_test *t, int tensor, const int16_t *values, size_t count);
void op_test_expect_i32(const op_test *t, int tensor, const int32_t *values, size_t count);
void op_test_expect_i64(const op_test *t, int tensor, const int64_t *values, size_t count);
void op_test_expect_bool(const op_test *t, int tensor, const bool *values, size_t count);
void op_test_expect_strings(const op_test *t, int tensor, const char *const *strings, int count);

#endif
