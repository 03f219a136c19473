// SPDX-License-Identifier: Apache-2.0
// Models that nobody would make but to do harm: each was once accepted and led astray. Now each is refused, or runs to a right
// answer.
#include "operators/op_cases.h"

// ---- Sparse constants. ----
// 4 x 4, dense rows of which each has its first column only.
static fb_ref first_column(fb_builder *b, const void *data) {
  (void)data;
  fb_ref vectors[2], levels[2];
  vectors[0] = fb_build_vector(b, (int32_t[]){0, 1, 2, 3, 4}, 5, 4, 0);
  vectors[1] = fb_build_vector(b, (int32_t[]){0, 0, 0, 0}, 4, 4, 0);
  for (int i = 0; i < 2; i++) {
    fb_ref values = vectors[i];
    fb_build_table(b);
    fb_build_ref(b, Int32Vector_values_id, values);
    vectors[i] = fb_build_table_end(b);
  }
  fb_build_table(b);
  fb_build_i32(b, DimensionMetadata_dense_size_id, 4, 0);
  levels[0] = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_i8(b, DimensionMetadata_format_id, DimensionType_SPARSE_CSR, 0);
  fb_build_u8(b, DimensionMetadata_array_segments_type_id, SparseIndexVector_Int32Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_segments_id, vectors[0]);
  fb_build_u8(b, DimensionMetadata_array_indices_type_id, SparseIndexVector_Int32Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_indices_id, vectors[1]);
  levels[1] = fb_build_table_end(b);
  fb_ref order = fb_build_vector(b, (int32_t[]){0, 1}, 2, 4, 0), all = fb_build_refs(b, levels, 2);
  fb_build_table(b);
  fb_build_ref(b, SparsityParameters_traversal_order_id, order);
  fb_build_ref(b, SparsityParameters_dim_metadata_id, all);
  return fb_build_table_end(b);
}

static int sparse_constant(op_test *t) {
  static const float values[4] = {1, 2, 3, 4};
  return op_test_sparse(t, TensorType_FLOAT32, OP_DIMS(4, 4), values, sizeof values, first_column, NULL);
}

static void a_sparse_constant_was_read_as_if_dense(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(4, 4)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(4, 4));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(x, sparse_constant(&t)), OP_TENSORS(y));
  op_test_expect_refusal(&t, "input 1 (tensor 2) is a sparse constant");
  op_test_end(&t);
}

static fb_ref if_branches(fb_builder *b, const void *data) {
  const int *branch = data;
  fb_build_table(b);
  fb_build_i32(b, IfOptions_then_subgraph_index_id, branch[0], 0);
  fb_build_i32(b, IfOptions_else_subgraph_index_id, branch[1], 0);
  return fb_build_table_end(b);
}

static void a_sparse_constant_was_a_subgraphs_result(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int c = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(4, 4));
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_IfOptions, if_branches, &(int[]){1, 1});
  op_test_subgraph(&t);
  op_test_as_output(&t, sparse_constant(&t));
  op_test_expect_refusal(&t, "a sparse constant cannot be passed");
  op_test_end(&t);
}

static void sparsity_of_no_constant_was_not_verified(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int w = op_test_sparse(&t, TensorType_FLOAT32, OP_DIMS(4, 4), NULL, 0, first_column, NULL);
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(4, 4));
  op_test_node(&t, BuiltinOperator_RELU, 1, OP_TENSORS(w), OP_TENSORS(y));
  op_test_expect_refusal(&t, "a sparse tensor that is no constant");
  op_test_end(&t);
}

// ---- Calls. ----
// Two nodes call one subgraph, first with int8, then with int16: its operators kept tables made for int8.
static void a_subgraph_was_called_with_two_types(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int c = op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(4)), wide = op_test_input(&t, TensorType_INT16, OP_DIMS(4));
  int y = op_test_output(&t, TensorType_INT8, OP_DIMS(4)), z = op_test_output(&t, TensorType_INT16, OP_DIMS(4));
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c, x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_IfOptions, if_branches, &(int[]){1, 1});
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c, wide), OP_TENSORS(z));
  op_test_options(&t, BuiltinOptions_IfOptions, if_branches, &(int[]){1, 1});
  op_test_subgraph(&t);
  int in = op_test_input(&t, TensorType_INT8, OP_DIMS(4)), out = op_test_output(&t, TensorType_INT8, OP_DIMS(4));
  op_test_quantize(&t, in, 0.1f, 0);
  op_test_quantize(&t, out, 0.1f, 0);
  op_test_node(&t, BuiltinOperator_EXP, 1, OP_TENSORS(in), OP_TENSORS(out));
  op_test_expect_refusal(&t, "is called with type INT16, before with INT8");
  op_test_end(&t);
}

// ---- Operators. ----
// The forget gate has no layer norm coefficients, so nobody looked at those of the input gate, which were then read as floats.
static void lstm_layer_norm_of_one_gate_was_not_checked(void **state) {
  (void)state;
  static const float weights[2] = {1, 2}, recurrent[4] = {0};
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 2));
  op_test_list in = {24, {x}};
  for (int i = 1; i < 24; i++) in.values[i] = -1;
  for (int gate = 0; gate < 4; gate++) {
    in.values[1 + gate] = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 1), weights);
    in.values[5 + gate] = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), recurrent);
    in.values[12 + gate] = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2), weights);
  }
  in.values[18] = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  in.values[19] = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  in.values[20] = op_test_constant(&t, TensorType_INT8, OP_DIMS(1), weights);
  op_test_node(&t, BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, 1, in, OP_TENSORS(y));
  op_test_expect_refusal(&t, "layer norm coefficients are there for some gates only");
  op_test_end(&t);
}

static const op_case hostile_cases[] = {
    {.name = "mirror_pad of nothing before a dimension of 1 pointed in front of the output",
     .code = BuiltinOperator_MIRROR_PAD,
     .in = {ARG_F(ARG_D(2, 1), 1, 2), ARG_C_I32(ARG_D(2, 2), 0, 1, 0, 0)},
     .out = {ARG_F(ARG_D(3, 1), 1, 2, 1)}},
};
OP_CASES_TEST(hostile_cases)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sparse_constant_was_read_as_if_dense),      cmocka_unit_test(a_sparse_constant_was_a_subgraphs_result),
      cmocka_unit_test(sparsity_of_no_constant_was_not_verified),    cmocka_unit_test(a_subgraph_was_called_with_two_types),
      cmocka_unit_test(lstm_layer_norm_of_one_gate_was_not_checked), cmocka_unit_test(hostile_cases_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
