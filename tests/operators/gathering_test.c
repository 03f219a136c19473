// SPDX-License-Identifier: Apache-2.0
// Operators that pick and place elements: slices, gathers, scatters, lookups, searches; results worked out by hand.
#include "operators/op_cases.h"

static fb_ref strided_slice_options(fb_builder *b, const void *data) {
  const int *masks = data;  // begin, end, ellipsis, new axis, shrink axis, offset
  fb_build_table(b);
  fb_build_i32(b, StridedSliceOptions_begin_mask_id, masks[0], 0);
  fb_build_i32(b, StridedSliceOptions_end_mask_id, masks[1], 0);
  fb_build_i32(b, StridedSliceOptions_ellipsis_mask_id, masks[2], 0);
  fb_build_i32(b, StridedSliceOptions_new_axis_mask_id, masks[3], 0);
  fb_build_i32(b, StridedSliceOptions_shrink_axis_mask_id, masks[4], 0);
  fb_build_bool(b, StridedSliceOptions_offset_id, masks[5] != 0, false);
  return fb_build_table_end(b);
}
#define MASKS(...)                                                                                                       \
  .options_type = BuiltinOptions_StridedSliceOptions, .options = strided_slice_options, .options_data = (const int[6]) { \
    __VA_ARGS__                                                                                                          \
  }

static const op_case slicing_cases[] = {
    {.name = "slice to the end",
     .code = BuiltinOperator_SLICE,
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(2), 0, 1), ARG_C_I32(ARG_D(2), 2, -1)},
     .out = {ARG_F(ARG_D(2, 2), 2, 3, 5, 6)}},
    {.name = "slice strings",
     .code = BuiltinOperator_SLICE,
     .in = {ARG_TEXT(ARG_D(3), "a", "bb", "ccc"), ARG_C_I64(ARG_D(1), 1), ARG_C_I64(ARG_D(1), 2)},
     .out = {ARG_TEXT(ARG_D(2), "bb", "ccc")}},
    {.name = "slice int4 from an odd nibble",
     .code = BuiltinOperator_SLICE,
     .in = {ARG_I4(ARG_D(5), 0x21, 0x43, 0x05), ARG_C_I32(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 3)},
     .out = {ARG_I4(ARG_D(3), 0x32, 0x04)},
     .as_given = true},
    {.name = "slice beyond the end",
     .code = BuiltinOperator_SLICE,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "dimension 0 of size 2 has no 2 elements from 1 on"},
    {.name = "strided_slice backwards",
     .code = BuiltinOperator_STRIDED_SLICE,
     .in = {ARG_F(ARG_D(4), 1, 2, 3, 4), ARG_C_I32(ARG_D(1), -1), ARG_C_I32(ARG_D(1), 0), ARG_C_I32(ARG_D(1), -2)},
     .out = {ARG_F(ARG_D(2), 4, 2)}},
    {.name = "strided_slice with open ends and a dropped axis: x[:, 1, ::2]",
     .code = BuiltinOperator_STRIDED_SLICE,
     MASKS(5, 5, 0, 0, 2, 0),
     .in = {ARG_I8(ARG_D(2, 2, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), ARG_C_I32(ARG_D(3), 0, 1, 0),
            ARG_C_I32(ARG_D(3), 0, 2, 0), ARG_C_I32(ARG_D(3), 1, 1, 2)},
     .out = {ARG_I8(ARG_D(2, 2), 4, 6, 10, 12)}},
    {.name = "strided_slice with ellipsis and new axis: x[..., newaxis, 1:2]",
     .code = BuiltinOperator_STRIDED_SLICE,
     MASKS(0, 0, 1, 2, 0, 0),
     .in = {ARG_I32(ARG_D(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), ARG_C_I32(ARG_D(3), 0, 0, 1), ARG_C_I32(ARG_D(3), 0, 0, 2),
            ARG_C_I32(ARG_D(3), 1, 1, 1)},
     .out = {ARG_I32(ARG_D(2, 2, 1, 1), 2, 4, 6, 8)}},
    {.name = "strided_slice by offset",
     .code = BuiltinOperator_STRIDED_SLICE,
     .version = 8,
     MASKS(0, 0, 0, 0, 0, 1),
     .in = {ARG_F(ARG_D(5), 1, 2, 3, 4, 5), ARG_I32(ARG_D(1), 2), ARG_C_I32(ARG_D(1), 2), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(2), 3, 4)}},
    {.name = "strided_slice of strings",
     .code = BuiltinOperator_STRIDED_SLICE,
     .in = {ARG_TEXT(ARG_D(3), "x", "", "yz"), ARG_C_I32(ARG_D(1), 0), ARG_C_I32(ARG_D(1), 3), ARG_C_I32(ARG_D(1), 2)},
     .out = {ARG_TEXT(ARG_D(2), "x", "yz")}},
    {.name = "strided_slice to nothing",
     .code = BuiltinOperator_STRIDED_SLICE,
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_C_I32(ARG_D(1), 2), ARG_C_I32(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(0))}},
    {.name = "strided_slice by no step",
     .code = BuiltinOperator_STRIDED_SLICE,
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_C_I32(ARG_D(1), 0), ARG_C_I32(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "stride 0 is 0"},
    {.name = "strided_slice of an index outside",
     .code = BuiltinOperator_STRIDED_SLICE,
     MASKS(0, 0, 0, 0, 1, 0),
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_C_I32(ARG_D(1), 3), ARG_C_I32(ARG_D(1), 4), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "selects 0 elements"},
    {.name = "dynamic_update_slice moves the box inside",
     .code = BuiltinOperator_DYNAMIC_UPDATE_SLICE,
     .in = {ARG_F(ARG_D(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9), ARG_F(ARG_D(2, 1), -1, -2), ARG_I32(ARG_D(2), -5, 7)},
     .out = {ARG_F(ARG_D(3, 3), 1, 2, -1, 4, 5, -2, 7, 8, 9)}},
    {.name = "dynamic_update_slice of int4",
     .code = BuiltinOperator_DYNAMIC_UPDATE_SLICE,
     .in = {ARG_I4(ARG_D(4), 0x21, 0x43), ARG_I4(ARG_D(2), 0xBA), ARG_I64(ARG_D(1), 1)},
     .out = {ARG_I4(ARG_D(4), 0xA1, 0x4B)},
     .as_given = true},
};
OP_CASES_TEST(slicing_cases)

static const op_case gathering_cases[] = {
    {.name = "gather along axis 1",
     .code = BuiltinOperator_GATHER,
     .options_type = BuiltinOptions_GatherOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({GatherOptions_axis_id, 1}),
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_I32(ARG_D(2), 2, 0)},
     .out = {ARG_F(ARG_D(2, 2), 3, 1, 6, 4)}},
    {.name = "gather by batch",
     .code = BuiltinOperator_GATHER,
     .version = 5,
     .options_type = BuiltinOptions_GatherOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({GatherOptions_axis_id, 1}, {GatherOptions_batch_dims_id, 1}),
     .in = {ARG_I8(ARG_D(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), ARG_I64(ARG_D(2, 1), 1, 0)},
     .out = {ARG_I8(ARG_D(2, 1, 2), 3, 4, 5, 6)}},
    {.name = "gather rows of int4, odd width",
     .code = BuiltinOperator_GATHER,
     .version = 5,
     .in = {ARG_I4(ARG_D(2, 3), 0x21, 0x43, 0x65), ARG_I32(ARG_D(3), 1, 1, 0)},
     .out = {ARG_I4(ARG_D(3, 3), 0x54, 0x46, 0x65, 0x21, 0x03)},
     .as_given = true},
    {.name = "gather strings by int16",
     .code = BuiltinOperator_GATHER,
     .in = {ARG_TEXT(ARG_D(3), "a", "bc", ""), ARG_I16(ARG_D(2, 2), 1, 2, 0, 1)},
     .out = {ARG_TEXT(ARG_D(2, 2), "bc", "", "a", "bc")}},
    {.name = "gather a position outside",
     .code = BuiltinOperator_GATHER,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(1), 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "position 0 is 2, the input has 2 there"},
    {.name = "gather_nd of rows",
     .code = BuiltinOperator_GATHER_ND,
     .in = {ARG_F(ARG_D(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), ARG_I32(ARG_D(2, 2), 1, 0, 0, 1)},
     .out = {ARG_F(ARG_D(2, 2), 5, 6, 3, 4)}},
    {.name = "gather_nd of strings",
     .code = BuiltinOperator_GATHER_ND,
     .in = {ARG_TEXT(ARG_D(2, 2), "a", "b", "c", "d"), ARG_I64(ARG_D(1, 1), 1)},
     .out = {ARG_TEXT(ARG_D(1, 2), "c", "d")}},
    {.name = "gather_nd outside",
     .code = BuiltinOperator_GATHER_ND,
     .in = {ARG_F(ARG_D(2, 2), 1, 2, 3, 4), ARG_C_I32(ARG_D(1, 2), 0, -1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "index -1 of tuple 0 is outside dimension 1 of size 2"},
    {.name = "scatter_nd adds what meets",
     .code = BuiltinOperator_SCATTER_ND,
     .in = {ARG_I32(ARG_D(3, 1), 3, 1, 3), ARG_I32(ARG_D(3, 2), 1, 2, 3, 4, 10, 20), ARG_C_I32(ARG_D(2), 4, 2)},
     .out = {ARG_I32(ARG_D(4, 2), 0, 0, 3, 4, 0, 0, 11, 22)}},
    {.name = "scatter_nd wraps around",
     .code = BuiltinOperator_SCATTER_ND,
     .in = {ARG_I32(ARG_D(2, 1), 0, 0), ARG_I8(ARG_D(2), 100, 100), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_I8(ARG_D(1), -56)}},
    {.name = "scatter_nd outside",
     .code = BuiltinOperator_SCATTER_ND,
     .in = {ARG_C_I32(ARG_D(1, 1), 4), ARG_F(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 4)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "index 4 of tuple 0 is outside dimension 0 of size 4"},
    {.name = "sparse_to_dense, one value for all",
     .code = BuiltinOperator_SPARSE_TO_DENSE,
     .in = {ARG_I32(ARG_D(2, 2), 0, 1, 1, 2), ARG_C_I32(ARG_D(2), 2, 3), ARG_F(ARG_SCALAR, 7), ARG_F(ARG_SCALAR, -1)},
     .out = {ARG_F(ARG_D(2, 3), -1, 7, -1, -1, -1, 7)}},
    {.name = "one_hot along axis 0",
     .code = BuiltinOperator_ONE_HOT,
     .options_type = BuiltinOptions_OneHotOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({OneHotOptions_axis_id, 0}),
     .in = {ARG_I32(ARG_D(3), 1, 5, 0), ARG_C_I32(ARG_SCALAR, 2), ARG_I16(ARG_SCALAR, 9), ARG_I16(ARG_SCALAR, -9)},
     .out = {ARG_I16(ARG_D(2, 3), -9, -9, 9, 9, -9, -9)}},
    {.name = "where",
     .code = BuiltinOperator_WHERE,
     .in = {ARG_F(ARG_D(2, 2), 0, 1, -0.0f, -2)},
     .out = {ARG_I64(ARG_D(2, 2), 0, 1, 1, 1)}},
    {.name = "topk keeps the order of equals",
     .code = BuiltinOperator_TOPK_V2,
     .in = {ARG_I8(ARG_D(2, 4), 3, 5, 5, -1, 0, 0, 0, 9), ARG_C_I32(ARG_SCALAR, 3)},
     .out = {ARG_I8(ARG_D(2, 3), 5, 5, 3, 9, 0, 0), ARG_I32(ARG_D(2, 3), 1, 2, 0, 3, 0, 1)}},
    {.name = "topk with int16 places and k",
     .code = BuiltinOperator_TOPK_V2,
     .version = 3,
     .in = {ARG_F(ARG_D(5), 1, 4, 2, 5, 3), ARG_C_I16(ARG_SCALAR, 2)},
     .out = {ARG_F(ARG_D(2), 5, 4), ARG_I16(ARG_D(2), 3, 1)}},
    {.name = "topk of too many",
     .code = BuiltinOperator_TOPK_V2,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_SCALAR, 3)},
     .out = {ARG_F(ARG_D(1), 0), ARG_I32(ARG_D(1), 0)},
     .refusal = "k is 3, a row has 2 elements"},
    {.name = "unique",
     .code = BuiltinOperator_UNIQUE,
     .options_type = BuiltinOptions_UniqueOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({UniqueOptions_idx_out_type_id, TensorType_INT64}),
     .in = {ARG_F(ARG_D(6), 3, 1, 3, -0.0f, 1, 0)},
     .out = {ARG_F(ARG_D(3), 3, 1, -0.0f), ARG_I64(ARG_D(6), 0, 1, 0, 2, 1, 2)}},
    {.name = "matrix_diag",
     .code = BuiltinOperator_MATRIX_DIAG,
     .in = {ARG_I16(ARG_D(2, 2), 1, 2, 3, 4)},
     .out = {ARG_I16(ARG_D(2, 2, 2), 1, 0, 0, 2, 3, 0, 0, 4)}},
    {.name = "matrix_set_diag of a wide matrix",
     .code = BuiltinOperator_MATRIX_SET_DIAG,
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_F(ARG_D(2), -1, -2)},
     .out = {ARG_F(ARG_D(2, 3), -1, 2, 3, 4, -2, 6)}},
    {.name = "embedding_lookup",
     .code = BuiltinOperator_EMBEDDING_LOOKUP,
     .in = {ARG_I32(ARG_D(3), 1, 0, 1), ARG_F(ARG_D(2, 2), 1, 2, 3, 4)},
     .out = {ARG_F(ARG_D(3, 2), 3, 4, 1, 2, 3, 4)}},
    {.name = "embedding_lookup outside",
     .code = BuiltinOperator_EMBEDDING_LOOKUP,
     .in = {ARG_C_I32(ARG_D(1), 2), ARG_F(ARG_D(2, 2), 1, 2, 3, 4)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "row 2 is wanted, the table has 2"},
    {.name = "embedding_lookup_sparse, mean",
     .code = BuiltinOperator_EMBEDDING_LOOKUP_SPARSE,
     .options_type = BuiltinOptions_EmbeddingLookupSparseOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({EmbeddingLookupSparseOptions_combiner_id, CombinerType_MEAN}),
     .in = {ARG_I32(ARG_D(3), 1, 0, 1), ARG_I32(ARG_D(3, 2), 0, 0, 2, 0, 2, 1), ARG_I32(ARG_D(2), 3, 2), ARG_F(ARG_D(3), 2, 1, 3),
            ARG_F(ARG_D(2, 2), 1, 2, 3, 4)},
     .out = {ARG_F(ARG_D(3, 2), 3, 4, 0, 0, 2.5f, 3.5f)}},
    {.name = "hashtable_lookup",
     .code = BuiltinOperator_HASHTABLE_LOOKUP,
     .in = {ARG_I32(ARG_D(3), 9, 4, -2), ARG_I32(ARG_D(3), -2, 4, 7), ARG_F(ARG_D(3, 1), 1, 2, 3)},
     .out = {ARG_F(ARG_D(3, 1), 0, 2, 1), ARG_U8(ARG_D(3), 0, 1, 1)}},
    {.name = "hashtable_lookup of strings",
     .code = BuiltinOperator_HASHTABLE_LOOKUP,
     .in = {ARG_I32(ARG_D(2), 5, 1), ARG_I32(ARG_D(2), 1, 2), ARG_TEXT(ARG_D(2), "one", "two")},
     .out = {ARG_TEXT(ARG_D(2), "", "one"), ARG_U8(ARG_D(2), 0, 1)}},
};
OP_CASES_TEST(gathering_cases)

// A table of int8 with a scale for each row, and one of int4 with one scale, given out as floats.
static void embedding_lookup_expands(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int ids = op_test_input(&t, TensorType_INT32, OP_DIMS(2));
  int rows = op_test_constant(&t, TensorType_INT8, OP_DIMS(2, 2), (int8_t[]){1, -2, 3, 4});
  int nibbles = op_test_constant(&t, TensorType_INT4, OP_DIMS(2, 2), (uint8_t[]){0xF1, 0x87});
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 2)), z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 2));
  op_test_quantize_channels(&t, rows, (float[]){0.5f, 2}, (int64_t[]){0, 0}, 2, 0);
  op_test_quantize(&t, nibbles, 0.25f, 0);
  op_test_node(&t, BuiltinOperator_EMBEDDING_LOOKUP, 1, OP_TENSORS(ids, rows), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_EMBEDDING_LOOKUP, 1, OP_TENSORS(ids, nibbles), OP_TENSORS(z));
  op_test_prepare(&t);
  op_test_set(&t, ids, (int32_t[]){1, 0});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){6, 8, 0.5f, -1}, 4, 0);
  op_test_expect_f32(&t, z, (float[]){1.75f, -2, 0.25f, -0.25f}, 4, 0);
  op_test_end(&t);
}

// TOPK against a plain selection, over random rows with many equal values.
static void topk_finds_the_largest(void **state) {
  (void)state;
  enum { SIZE = 200, K = 37 };
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT32, OP_DIMS(SIZE));
  int k = op_test_constant(&t, TensorType_INT32, OP_SCALAR, (int32_t[]){K});
  int values = op_test_output(&t, TensorType_INT32, OP_DIMS(K)), places = op_test_output(&t, TensorType_INT32, OP_DIMS(K));
  op_test_node(&t, BuiltinOperator_TOPK_V2, 1, OP_TENSORS(x, k), OP_TENSORS(values, places));
  op_test_prepare(&t);
  uint32_t seed = 20260805;
  for (int round = 0; round < 50; round++) {
    int32_t row[SIZE], want[K], where[K];
    bool taken[SIZE] = {false};
    for (int i = 0; i < SIZE; i++) row[i] = (int32_t)((seed = seed * 1664525 + 1013904223) >> 16) % 60 - 30;
    for (int n = 0; n < K; n++) {
      int best = -1;
      for (int i = 0; i < SIZE; i++) {
        if (!taken[i] && (best < 0 || row[i] > row[best])) best = i;
      }
      taken[best] = true;
      want[n] = row[best];
      where[n] = best;
    }
    op_test_set(&t, x, row);
    op_test_invoke(&t);
    op_test_expect_i32(&t, values, want, K);
    op_test_expect_i32(&t, places, where, K);
  }
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slicing_cases_hold),
      cmocka_unit_test(gathering_cases_hold),
      cmocka_unit_test(embedding_lookup_expands),
      cmocka_unit_test(topk_finds_the_largest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
