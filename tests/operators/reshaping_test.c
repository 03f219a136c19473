// SPDX-License-Identifier: Apache-2.0
// Operators that change shapes and order: transposes, concatenations, splits, pads, tiles, block rearrangements; results worked
// out by hand.
#include "operators/op_cases.h"

static const op_case reshaping_cases[] = {
    {.name = "squeeze every dimension of size 1",
     .code = BuiltinOperator_SQUEEZE,
     .in = {ARG_F(ARG_D(1, 3, 1), 1, 2, 3)},
     .out = {ARG_F(ARG_D(3), 1, 2, 3)}},
    {.name = "squeeze strings",
     .code = BuiltinOperator_SQUEEZE,
     .in = {ARG_TEXT(ARG_D(1, 2), "ab", "")},
     .out = {ARG_TEXT(ARG_D(2), "ab", "")}},
    {.name = "expand_dims counts from the end",
     .code = BuiltinOperator_EXPAND_DIMS,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_SCALAR, -1)},
     .out = {ARG_F(ARG_D(2, 1), 1, 2)}},
    {.name = "expand_dims axis outside",
     .code = BuiltinOperator_EXPAND_DIMS,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_SCALAR, 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "axis 2 is outside rank 2"},
    {.name = "shape as int64",
     .code = BuiltinOperator_SHAPE,
     .options_type = BuiltinOptions_ShapeOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({ShapeOptions_out_type_id, TensorType_INT64}),
     .in = {ARG_F(ARG_D(2, 1, 3), 1, 2, 3, 4, 5, 6)},
     .out = {ARG_I64(ARG_D(3), 2, 1, 3)}},
    {.name = "rank",
     .code = BuiltinOperator_RANK,
     .in = {ARG_F(ARG_D(2, 1, 3), 1, 2, 3, 4, 5, 6)},
     .out = {ARG_I32(ARG_SCALAR, 3)}},
    {.name = "transpose 3d",
     .code = BuiltinOperator_TRANSPOSE,
     .in = {ARG_I8(ARG_D(2, 3, 2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), ARG_C_I32(ARG_D(3), 2, 0, 1)},
     .out = {ARG_I8(ARG_D(2, 2, 3), 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12)}},
    {.name = "transpose int4, low nibble first",
     .code = BuiltinOperator_TRANSPOSE,
     .in = {ARG_I4(ARG_D(3, 3), 0x21, 0x43, 0x65, 0x87, 0x09), ARG_C_I32(ARG_D(2), 1, 0)},
     .out = {ARG_I4(ARG_D(3, 3), 0x41, 0x27, 0x85, 0x63, 0x09)},
     .as_given = true},
    {.name = "transpose perm outside",
     .code = BuiltinOperator_TRANSPOSE,
     .in = {ARG_F(ARG_D(1, 1), 1), ARG_C_I32(ARG_D(2), 0, 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "axis 2 is outside rank 2"},
    {.name = "transpose that names a dimension twice",
     .code = BuiltinOperator_TRANSPOSE,
     .in = {ARG_F(ARG_D(2, 2), 1, 2, 3, 4), ARG_C_I32(ARG_D(2), 0, -2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "dimension 0 is named twice"},
    {.name = "concatenate along the last axis",
     .code = BuiltinOperator_CONCATENATION,
     .options_type = BuiltinOptions_ConcatenationOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({ConcatenationOptions_axis_id, -1}),
     .in = {ARG_F(ARG_D(2, 1), 1, 4), ARG_F(ARG_D(2, 2), 2, 3, 5, 6), ARG_EMPTY(TensorType_FLOAT32, ARG_D(2, 0))},
     .out = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6)},
     .as_given = true},
    {.name = "concatenate int4 at odd nibbles",
     .code = BuiltinOperator_CONCATENATION,
     .options_type = BuiltinOptions_ConcatenationOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({ConcatenationOptions_axis_id, 1}),
     .in = {ARG_I4(ARG_D(2, 1), 0x41), ARG_I4(ARG_D(2, 2), 0x32, 0x65)},
     .out = {ARG_I4(ARG_D(2, 3), 0x21, 0x43, 0x65)}},
    {.name = "concatenate unlike shapes",
     .code = BuiltinOperator_CONCATENATION,
     .in = {ARG_F(ARG_D(1, 2), 1, 2), ARG_F(ARG_D(1, 1), 3)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "dimension 1 of input 1 is 1, of input 0 2"},
    {.name = "pack along a new middle axis",
     .code = BuiltinOperator_PACK,
     .options_type = BuiltinOptions_PackOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({PackOptions_values_count_id, 2}, {PackOptions_axis_id, 1}),
     .in = {ARG_I32(ARG_D(2, 2), 1, 2, 3, 4), ARG_I32(ARG_D(2, 2), 5, 6, 7, 8)},
     .out = {ARG_I32(ARG_D(2, 2, 2), 1, 2, 5, 6, 3, 4, 7, 8)}},
    {.name = "unpack along the last axis",
     .code = BuiltinOperator_UNPACK,
     .options_type = BuiltinOptions_UnpackOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({UnpackOptions_num_id, 2}, {UnpackOptions_axis_id, -1}),
     .in = {ARG_I32(ARG_D(3, 2), 1, 2, 3, 4, 5, 6)},
     .out = {ARG_I32(ARG_D(3), 1, 3, 5), ARG_I32(ARG_D(3), 2, 4, 6)}},
    {.name = "split in two",
     .code = BuiltinOperator_SPLIT,
     .options_type = BuiltinOptions_SplitOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({SplitOptions_num_splits_id, 2}),
     .in = {ARG_C_I32(ARG_SCALAR, -1), ARG_F(ARG_D(2, 4), 1, 2, 3, 4, 5, 6, 7, 8)},
     .out = {ARG_F(ARG_D(2, 2), 1, 2, 5, 6), ARG_F(ARG_D(2, 2), 3, 4, 7, 8)}},
    {.name = "split unevenly",
     .code = BuiltinOperator_SPLIT,
     .options_type = BuiltinOptions_SplitOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({SplitOptions_num_splits_id, 2}),
     .in = {ARG_C_I32(ARG_SCALAR, 0), ARG_F(ARG_D(3), 1, 2, 3)},
     .out = {ARG_F(ARG_D(1), 0), ARG_F(ARG_D(1), 0)},
     .refusal = "a dimension of 3 does not split into 2 equal parts"},
    {.name = "split_v with the rest in the middle",
     .code = BuiltinOperator_SPLIT_V,
     .options_type = BuiltinOptions_SplitVOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({SplitVOptions_num_splits_id, 3}),
     .in = {ARG_I16(ARG_D(2, 4), 1, 2, 3, 4, 5, 6, 7, 8), ARG_C_I64(ARG_D(3), 1, -1, 1), ARG_C_I32(ARG_SCALAR, 1)},
     .out = {ARG_I16(ARG_D(2, 1), 1, 5), ARG_I16(ARG_D(2, 2), 2, 3, 6, 7), ARG_I16(ARG_D(2, 1), 4, 8)}},
    {.name = "pad with zeros",
     .code = BuiltinOperator_PAD,
     .in = {ARG_F(ARG_D(1, 2), 1, 2), ARG_C_I32(ARG_D(2, 2), 1, 0, 1, 2)},
     .out = {ARG_F(ARG_D(2, 5), 0, 0, 0, 0, 0, 0, 1, 2, 0, 0)}},
    {.name = "pad an int8 tensor with its zero point",
     .code = BuiltinOperator_PAD,
     .in = {ARG_I8(ARG_D(2), 1, 2), ARG_C_I64(ARG_D(1, 2), 1, 1)},
     .out = {ARG_I8(ARG_D(4), -3, 1, 2, -3)},
     .scale = 0.5f,
     .zero_point = -3},
    {.name = "padv2 with a value",
     .code = BuiltinOperator_PADV2,
     .in = {ARG_I32(ARG_D(2, 1), 1, 2), ARG_C_I32(ARG_D(2, 2), 0, 1, 1, 0), ARG_C_I32(ARG_SCALAR, 9)},
     .out = {ARG_I32(ARG_D(3, 2), 9, 1, 9, 2, 9, 9)}},
    {.name = "pad by less than nothing",
     .code = BuiltinOperator_PAD,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(1, 2), -1, 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "paddings of dimension 0 are out of range"},
    {.name = "mirror_pad reflect",
     .code = BuiltinOperator_MIRROR_PAD,
     .options_type = BuiltinOptions_MirrorPadOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({MirrorPadOptions_mode_id, MirrorPadMode_REFLECT}),
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(2, 2), 1, 1, 2, 1)},
     .out = {ARG_F(ARG_D(4, 6), 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2)}},
    {.name = "mirror_pad symmetric",
     .code = BuiltinOperator_MIRROR_PAD,
     .options_type = BuiltinOptions_MirrorPadOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({MirrorPadOptions_mode_id, MirrorPadMode_SYMMETRIC}),
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_C_I32(ARG_D(1, 2), 3, 1)},
     .out = {ARG_F(ARG_D(7), 3, 2, 1, 1, 2, 3, 3)}},
    {.name = "mirror_pad beyond the image",
     .code = BuiltinOperator_MIRROR_PAD,
     .options_type = BuiltinOptions_MirrorPadOptions,
     .options = op_fields_i8,
     .options_data = OP_FIELDS({MirrorPadOptions_mode_id, MirrorPadMode_REFLECT}),
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_C_I32(ARG_D(1, 2), 3, 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "an input of size 3 mirrors at most 2"},
    {.name = "tile both dimensions",
     .code = BuiltinOperator_TILE,
     .in = {ARG_I8(ARG_D(2, 2), 1, 2, 3, 4), ARG_C_I32(ARG_D(2), 2, 3)},
     .out = {ARG_I8(ARG_D(4, 6), 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4)}},
    {.name = "tile strings",
     .code = BuiltinOperator_TILE,
     .in = {ARG_TEXT(ARG_D(2, 1), "a", "bc"), ARG_C_I64(ARG_D(2), 1, 2)},
     .out = {ARG_TEXT(ARG_D(2, 2), "a", "a", "bc", "bc")}},
    {.name = "broadcast_to",
     .code = BuiltinOperator_BROADCAST_TO,
     .version = 2,
     .in = {ARG_F(ARG_D(2, 1), 1, 2), ARG_C_I32(ARG_D(3), 2, 2, 3)},
     .out = {ARG_F(ARG_D(2, 2, 3), 1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2)}},
    {.name = "broadcast_args",
     .code = BuiltinOperator_BROADCAST_ARGS,
     .in = {ARG_C_I64(ARG_D(3), 4, 1, 3), ARG_C_I64(ARG_D(2), 2, 1)},
     .out = {ARG_I64(ARG_D(3), 4, 2, 3)}},
    {.name = "reverse two neighbouring axes",
     .code = BuiltinOperator_REVERSE_V2,
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(2), 1, 0)},
     .out = {ARG_F(ARG_D(2, 3), 6, 5, 4, 3, 2, 1)}},
    {.name = "reverse axes apart",
     .code = BuiltinOperator_REVERSE_V2,
     .in = {ARG_F(ARG_D(1, 1, 1), 1), ARG_C_I32(ARG_D(2), 0, 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "the axes are not neighbours"},
    {.name = "reverse_sequence, sequence before batch",
     .code = BuiltinOperator_REVERSE_SEQUENCE,
     .options_type = BuiltinOptions_ReverseSequenceOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({ReverseSequenceOptions_seq_dim_id, 0}, {ReverseSequenceOptions_batch_dim_id, 1}),
     .in = {ARG_F(ARG_D(3, 2), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(2), 3, 2)},
     .out = {ARG_F(ARG_D(3, 2), 5, 4, 3, 2, 1, 6)}},
    {.name = "reverse_sequence, batch before sequence, with an inner dimension",
     .code = BuiltinOperator_REVERSE_SEQUENCE,
     .options_type = BuiltinOptions_ReverseSequenceOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({ReverseSequenceOptions_seq_dim_id, 1}, {ReverseSequenceOptions_batch_dim_id, 0}),
     .in = {ARG_I32(ARG_D(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), ARG_C_I64(ARG_D(2), 2, 0)},
     .out = {ARG_I32(ARG_D(2, 2, 2), 3, 4, 1, 2, 5, 6, 7, 8)}},
    {.name = "space_to_depth",
     .code = BuiltinOperator_SPACE_TO_DEPTH,
     .options_type = BuiltinOptions_SpaceToDepthOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({SpaceToDepthOptions_block_size_id, 2}),
     .in = {ARG_F(ARG_D(1, 2, 4, 1), 1, 2, 3, 4, 5, 6, 7, 8)},
     .out = {ARG_F(ARG_D(1, 1, 2, 4), 1, 2, 5, 6, 3, 4, 7, 8)}},
    {.name = "depth_to_space",
     .code = BuiltinOperator_DEPTH_TO_SPACE,
     .options_type = BuiltinOptions_DepthToSpaceOptions,
     .options = op_fields_i32,
     .options_data = OP_FIELDS({DepthToSpaceOptions_block_size_id, 2}),
     .in = {ARG_F(ARG_D(1, 1, 2, 4), 1, 2, 5, 6, 3, 4, 7, 8)},
     .out = {ARG_F(ARG_D(1, 2, 4, 1), 1, 2, 3, 4, 5, 6, 7, 8)}},
    {.name = "space_to_batch_nd pads with the zero point",
     .code = BuiltinOperator_SPACE_TO_BATCH_ND,
     .in = {ARG_I8(ARG_D(1, 2, 3, 1), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(2), 2, 2), ARG_C_I32(ARG_D(2, 2), 0, 0, 1, 0)},
     .out = {ARG_I8(ARG_D(4, 1, 2, 1), 7, 2, 1, 3, 7, 5, 4, 6)},
     .scale = 1,
     .zero_point = 7},
    {.name = "batch_to_space_nd crops",
     .code = BuiltinOperator_BATCH_TO_SPACE_ND,
     .in = {ARG_F(ARG_D(4, 1, 2, 1), 7, 2, 1, 3, 7, 5, 4, 6), ARG_C_I32(ARG_D(2), 2, 2), ARG_C_I32(ARG_D(2, 2), 0, 0, 1, 0)},
     .out = {ARG_F(ARG_D(1, 2, 3, 1), 1, 2, 3, 4, 5, 6)}},
    {.name = "space_to_batch_nd of rank 3",
     .code = BuiltinOperator_SPACE_TO_BATCH_ND,
     .in = {ARG_F(ARG_D(1, 3, 1), 1, 2, 3), ARG_C_I32(ARG_D(1), 2), ARG_C_I32(ARG_D(1, 2), 1, 0)},
     .out = {ARG_F(ARG_D(2, 2, 1), 0, 2, 1, 3)}},
    {.name = "dilate",
     .code = BuiltinOperator_DILATE,
     .in = {ARG_F(ARG_D(2, 2), 1, 2, 3, 4), ARG_C_I32(ARG_D(2), 1, 3), ARG_C_F(ARG_SCALAR, -1)},
     .out = {ARG_F(ARG_D(2, 4), 1, -1, -1, 2, 3, -1, -1, 4)}},
    {.name = "fill strings",
     .code = BuiltinOperator_FILL,
     .in = {ARG_C_I32(ARG_D(2), 1, 2), ARG_TEXT(ARG_SCALAR, "xy")},
     .out = {ARG_TEXT(ARG_D(1, 2), "xy", "xy")}},
    {.name = "fill with a negative size",
     .code = BuiltinOperator_FILL,
     .in = {ARG_C_I32(ARG_D(1), -2), ARG_F(ARG_SCALAR, 1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "negative or too large"},
    {.name = "zeros_like", .code = BuiltinOperator_ZEROS_LIKE, .in = {ARG_I64(ARG_D(2), 5, 6)}, .out = {ARG_I64(ARG_D(2), 0, 0)}},
    {.name = "range downwards",
     .code = BuiltinOperator_RANGE,
     .in = {ARG_C_I32(ARG_SCALAR, 10), ARG_C_I32(ARG_SCALAR, 1), ARG_C_I32(ARG_SCALAR, -4)},
     .out = {ARG_I32(ARG_D(3), 10, 6, 2)}},
    {.name = "range of floats",
     .code = BuiltinOperator_RANGE,
     .in = {ARG_C_F(ARG_SCALAR, 0), ARG_C_F(ARG_SCALAR, 1), ARG_C_F(ARG_SCALAR, 0.375f)},
     .out = {ARG_F(ARG_D(3), 0, 0.375f, 0.75f)}},
    {.name = "range the wrong way",
     .code = BuiltinOperator_RANGE,
     .in = {ARG_C_I32(ARG_SCALAR, 1), ARG_C_I32(ARG_SCALAR, 10), ARG_C_I32(ARG_SCALAR, -4)},
     .out = {ARG_I32(ARG_D(1), 0)},
     .refusal = "there is no way to 10 by -4"},
};
OP_CASES_TEST(reshaping_cases)

// uint8 inputs with their own scales: 10 of (0.5, 0) is 5.0, as (1, 2) it is 7; 10 of (2, 4) is 12.0, as (1, 2) it is 14; 255
// saturates.
static void concatenation_requantises(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int a = op_test_input(&t, TensorType_UINT8, OP_DIMS(2)), b = op_test_input(&t, TensorType_UINT8, OP_DIMS(2));
  int same = op_test_input(&t, TensorType_UINT8, OP_DIMS(1)), y = op_test_output(&t, TensorType_UINT8, OP_DIMS(5));
  op_test_quantize(&t, a, 0.5f, 0);
  op_test_quantize(&t, b, 2, 4);
  op_test_quantize(&t, same, 1, 2);
  op_test_quantize(&t, y, 1, 2);
  op_test_node(&t, BuiltinOperator_CONCATENATION, 1, OP_TENSORS(a, b, same), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, a, (uint8_t[]){10, 11});
  op_test_set(&t, b, (uint8_t[]){10, 255});
  op_test_set(&t, same, (uint8_t[]){99});
  op_test_invoke(&t);
  op_test_expect_u8(&t, y, (uint8_t[]){7, 8, 14, 255, 99}, 5);  // 5.5 rounds away from zero
  op_test_end(&t);
}

// RESHAPE behind SHAPE, STRIDED_SLICE and CONCATENATION of constants: all shapes are known before the first inference.
static void computed_shapes_are_known_ahead(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3, 2)), shape = op_test_between(&t, TensorType_INT32, OP_DIMS(3));
  int first = op_test_between(&t, TensorType_INT32, OP_DIMS(1)), target = op_test_between(&t, TensorType_INT32, OP_DIMS(2));
  int begin = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){0});
  int end = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){1});
  int stride = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){1});
  int rest = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){-1});
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_SHAPE, 1, OP_TENSORS(x), OP_TENSORS(shape));
  op_test_options(&t, BuiltinOptions_ShapeOptions, op_fields_i8, OP_FIELDS({ShapeOptions_out_type_id, TensorType_INT32}));
  op_test_node(&t, BuiltinOperator_STRIDED_SLICE, 1, OP_TENSORS(shape, begin, end, stride), OP_TENSORS(first));
  op_test_node(&t, BuiltinOperator_CONCATENATION, 1, OP_TENSORS(first, rest), OP_TENSORS(target));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x, target), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2, 6));
  assert_int_not_equal(op_test_at(&t, y)->allocation_type, kTfLiteDynamic);
  op_test_resize(&t, x, OP_DIMS(4, 1, 2));
  op_test_expect_dims(&t, y, OP_DIMS(4, 2));
  op_test_set(&t, x, (float[]){1, 2, 3, 4, 5, 6, 7, 8});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){1, 2, 3, 4, 5, 6, 7, 8}, 8, 0);
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reshaping_cases_hold),
      cmocka_unit_test(concatenation_requantises),
      cmocka_unit_test(computed_shapes_are_known_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
