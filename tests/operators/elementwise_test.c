// SPDX-License-Identifier: Apache-2.0
// Binary and unary element-wise operators, comparisons and selections: results worked out by hand. (Rounding and ranges:
// tests/kernels.)
#include "operators/op_cases.h"

static fb_ref activation_options(fb_builder *b, const void *data) {  // field 0 of Add, Sub, Mul and DivOptions
  fb_build_table(b);
  fb_build_i8(b, AddOptions_fused_activation_function_id, *(const int8_t *)data, 0);
  return fb_build_table_end(b);
}
#define ACTIVATION(union_member, value)                                                                             \
  .options_type = BuiltinOptions_##union_member, .options = activation_options, .options_data = (const int8_t[1]) { \
    ActivationFunctionType_##value                                                                                  \
  }

static const op_case arithmetic_cases[] = {
    {.name = "add of equal shapes",
     .code = BuiltinOperator_ADD,
     .in = {ARG_F(ARG_D(2, 2), 1, 2, 3, 4), ARG_F(ARG_D(2, 2), 10, 20, 30, 40)},
     .out = {ARG_F(ARG_D(2, 2), 11, 22, 33, 44)}},
    {.name = "add of a row, relu6",
     .code = BuiltinOperator_ADD,
     ACTIVATION(AddOptions, RELU6),
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, -9, 5, 6), ARG_C_F(ARG_D(3), 1, 2, 3)},
     .out = {ARG_F(ARG_D(2, 3), 2, 4, 6, 0, 6, 6)}},
    {.name = "add of a column to a row",
     .code = BuiltinOperator_ADD,
     .in = {ARG_I32(ARG_D(2, 1), 10, 20), ARG_I32(ARG_D(1, 3), 1, 2, 3)},
     .out = {ARG_I32(ARG_D(2, 3), 11, 12, 13, 21, 22, 23)}},
    {.name = "add of a scalar, int64",
     .code = BuiltinOperator_ADD,
     .in = {ARG_I64(ARG_SCALAR, INT64_C(1) << 40), ARG_I64(ARG_D(2), 1, -1)},
     .out = {ARG_I64(ARG_D(2), (INT64_C(1) << 40) + 1, (INT64_C(1) << 40) - 1)}},
    {.name = "add over six dimensions",
     .code = BuiltinOperator_ADD,
     .in = {ARG_F(ARG_D(1, 2, 1, 1, 2, 1), 1, 2, 3, 4), ARG_F(ARG_D(2, 1, 1, 1, 1, 2), 10, 20, 30, 40)},
     .out = {ARG_F(ARG_D(2, 2, 1, 1, 2, 2), 11, 21, 12, 22, 13, 23, 14, 24, 31, 41, 32, 42, 33, 43, 34, 44)}},
    {.name = "add of nothing",
     .code = BuiltinOperator_ADD,
     .in = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(0, 2)), ARG_F(ARG_D(2), 1, 2)},
     .out = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(0, 2))}},
    {.name = "add of int8 at scale 1/2, zero point 1",
     .code = BuiltinOperator_ADD,
     .version = 2,
     .in = {ARG_I8(ARG_D(3), 1, 3, 127), ARG_I8(ARG_D(3), 1, 4, 100)},  // reals 0, 1, 63 and 0, 1.5, 49.5
     .out = {ARG_I8(ARG_D(3), 1, 6, 127)},
     .scale = 0.5f,
     .zero_point = 1},
    {.name = "add of plain int16",
     .code = BuiltinOperator_ADD,
     .in = {ARG_I16(ARG_D(2), 32767, -5), ARG_I16(ARG_D(2), 1, 2)},
     .out = {ARG_I16(ARG_D(2), -32768, -3)}},
    {.name = "shapes that do not fit",
     .code = BuiltinOperator_ADD,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_F(ARG_D(3), 1, 2, 3)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "shapes do not broadcast: 2 against 3"},
    {.name = "types that differ",
     .code = BuiltinOperator_ADD,
     .in = {ARG_F(ARG_D(1), 1), ARG_I32(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "input 0 is of type FLOAT32, input 1 of type INT32"},
    {.name = "sub, relu from -1 to 1",
     .code = BuiltinOperator_SUB,
     ACTIVATION(SubOptions, RELU_N1_TO_1),
     .in = {ARG_F(ARG_D(3), 1, 2, 0.5f), ARG_F(ARG_SCALAR, 0.75f)},
     .out = {ARG_F(ARG_D(3), 0.25f, 1, -0.25f)}},
    {.name = "sub of uint8",
     .code = BuiltinOperator_SUB,
     .in = {ARG_U8(ARG_D(2), 200, 10), ARG_U8(ARG_D(2), 150, 138)},  // reals 72, -118 and 22, 10
     .out = {ARG_U8(ARG_D(2), 178, 0)},
     .scale = 1,
     .zero_point = 128},
    {.name = "mul of int8 at scale 1/4",
     .code = BuiltinOperator_MUL,
     .version = 2,
     .in = {ARG_I8(ARG_D(3), 8, -12, 100), ARG_I8(ARG_D(3), 6, 6, 100)},  // reals 2, -3, 25 and 1.5, 1.5, 25
     .out = {ARG_I8(ARG_D(3), 12, -18, 127)},
     .scale = 0.25f},
    {.name = "mul of a channel vector",
     .code = BuiltinOperator_MUL,
     .in = {ARG_F(ARG_D(1, 2, 1, 2), 1, 2, 3, 4), ARG_C_F(ARG_D(2), 2, 10)},
     .out = {ARG_F(ARG_D(1, 2, 1, 2), 2, 20, 6, 40)}},
    {.name = "div",
     .code = BuiltinOperator_DIV,
     .in = {ARG_F(ARG_D(2), 1, -3), ARG_F(ARG_D(1), 4)},
     .out = {ARG_F(ARG_D(2), 0.25f, -0.75f)}},
    {.name = "div of integers by zero",
     .code = BuiltinOperator_DIV,
     .in = {ARG_I32(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(2), 1, 0)},
     .out = {ARG_I32(ARG_D(2), 0, 0)},
     .refusal = "division by zero"},
    {.name = "floor_div and signs",
     .code = BuiltinOperator_FLOOR_DIV,
     .in = {ARG_I32(ARG_D(4), 7, -7, 7, -7), ARG_I32(ARG_D(4), 2, 2, -2, -2)},
     .out = {ARG_I32(ARG_D(4), 3, -4, -4, 3)}},
    {.name = "floor_div of floats by zero",
     .code = BuiltinOperator_FLOOR_DIV,
     .in = {ARG_F(ARG_D(1), 1), ARG_C_F(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "division by zero"},
    {.name = "floor_mod and signs",
     .code = BuiltinOperator_FLOOR_MOD,
     .in = {ARG_I64(ARG_D(4), 7, -7, 7, -7), ARG_I64(ARG_D(4), 3, 3, -3, -3)},
     .out = {ARG_I64(ARG_D(4), 1, 2, -2, -1)}},
    {.name = "maximum against a scalar",
     .code = BuiltinOperator_MAXIMUM,
     .in = {ARG_I8(ARG_D(2, 2), 1, -2, 3, -4), ARG_I8(ARG_SCALAR, 0)},
     .out = {ARG_I8(ARG_D(2, 2), 1, 0, 3, 0)}},
    {.name = "minimum of a column and a row",
     .code = BuiltinOperator_MINIMUM,
     .in = {ARG_F(ARG_D(2, 1), 1, 5), ARG_F(ARG_D(3), 0, 3, 9)},
     .out = {ARG_F(ARG_D(2, 3), 0, 1, 1, 0, 3, 5)}},
    {.name = "squared difference",
     .code = BuiltinOperator_SQUARED_DIFFERENCE,
     .in = {ARG_F(ARG_D(2), 1, -2), ARG_F(ARG_D(2), 4, 2)},
     .out = {ARG_F(ARG_D(2), 9, 16)}},
    {.name = "pow of integers",
     .code = BuiltinOperator_POW,
     .in = {ARG_I32(ARG_D(3), 2, -3, 5), ARG_I32(ARG_D(3), 10, 3, 0)},
     .out = {ARG_I32(ARG_D(3), 1024, -27, 1)}},
    {.name = "pow with a negative exponent",
     .code = BuiltinOperator_POW,
     .in = {ARG_I32(ARG_D(1), 2), ARG_C_I32(ARG_D(1), -1)},
     .out = {ARG_I32(ARG_D(1), 0)},
     .refusal = "negative power"},
    {.name = "bitwise_xor",
     .code = BuiltinOperator_BITWISE_XOR,
     .in = {ARG_U8(ARG_D(2), 0xF0, 3), ARG_U8(ARG_D(2), 0xFF, 5)},
     .out = {ARG_U8(ARG_D(2), 0x0F, 6)}},
    {.name = "right_shift",
     .code = BuiltinOperator_RIGHT_SHIFT,
     .in = {ARG_I32(ARG_D(3), -9, 9, 9), ARG_I32(ARG_D(3), 1, 40, -1)},
     .out = {ARG_I32(ARG_D(3), -5, 0, 9)}},
    {.name = "logical_and",
     .code = BuiltinOperator_LOGICAL_AND,
     .in = {ARG_BOOL(ARG_D(2), true, true), ARG_BOOL(ARG_D(2), true, false)},
     .out = {ARG_BOOL(ARG_D(2), true, false)}},
    {.name = "logical_or",
     .code = BuiltinOperator_LOGICAL_OR,
     .in = {ARG_BOOL(ARG_D(2), false, true), ARG_BOOL(ARG_SCALAR, false)},
     .out = {ARG_BOOL(ARG_D(2), false, true)}},
    {.name = "logical_not",
     .code = BuiltinOperator_LOGICAL_NOT,
     .in = {ARG_BOOL(ARG_D(2), false, true)},
     .out = {ARG_BOOL(ARG_D(2), true, false)}},
    {.name = "add_n",
     .code = BuiltinOperator_ADD_N,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_F(ARG_D(2), 10, 20), ARG_F(ARG_D(2), 100, 200)},
     .out = {ARG_F(ARG_D(2), 111, 222)}},
    {.name = "add_n of shapes that differ",
     .code = BuiltinOperator_ADD_N,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_F(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(2), 0, 0)},
     .refusal = "input 1 differs from input 0"},
    {.name = "stablehlo_add wraps",
     .code = BuiltinOperator_STABLEHLO_ADD,
     .in = {ARG_I8(ARG_D(2), 127, 1), ARG_I8(ARG_D(2), 1, 1)},
     .out = {ARG_I8(ARG_D(2), -128, 2)}},
    {.name = "stablehlo_multiply",
     .code = BuiltinOperator_STABLEHLO_MULTIPLY,
     .in = {ARG_I16(ARG_D(2), 300, -3), ARG_I16(ARG_D(2), 300, 5)},
     .out = {ARG_I16(ARG_D(2), 24464, -15)}},
    {.name = "stablehlo_maximum",
     .code = BuiltinOperator_STABLEHLO_MAXIMUM,
     .in = {ARG_F(ARG_D(2), 1, 5), ARG_F(ARG_D(2), 2, 4)},
     .out = {ARG_F(ARG_D(2), 2, 5)}},
    {.name = "stablehlo_minimum",
     .code = BuiltinOperator_STABLEHLO_MINIMUM,
     .in = {ARG_F(ARG_D(2), 1, 5), ARG_F(ARG_D(2), 2, 4)},
     .out = {ARG_F(ARG_D(2), 1, 4)}},
    {.name = "stablehlo_and",
     .code = BuiltinOperator_STABLEHLO_AND,
     .in = {ARG_I64(ARG_D(1), 12), ARG_I64(ARG_D(1), 10)},
     .out = {ARG_I64(ARG_D(1), 8)}},
    {.name = "stablehlo_shift_left",
     .code = BuiltinOperator_STABLEHLO_SHIFT_LEFT,
     .in = {ARG_I8(ARG_D(2), 3, -1), ARG_I8(ARG_D(2), 2, 7)},
     .out = {ARG_I8(ARG_D(2), 12, -128)}},
    {.name = "stablehlo operators do not broadcast",
     .code = BuiltinOperator_STABLEHLO_ADD,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_F(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(2), 0, 0)},
     .refusal = "differ in shape"},
};
OP_CASES_TEST(arithmetic_cases)

static fb_ref alpha_options(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_f32(b, LeakyReluOptions_alpha_id, *(const float *)data, 0);
  return fb_build_table_end(b);
}

static const op_case unary_cases[] = {
    {.name = "relu", .code = BuiltinOperator_RELU, .in = {ARG_F(ARG_D(3), -1, 0, 7)}, .out = {ARG_F(ARG_D(3), 0, 0, 7)}},
    {.name = "relu6 of int8",
     .code = BuiltinOperator_RELU6,
     .in = {ARG_I8(ARG_D(3), -128, 1, 127)},
     .out = {ARG_I8(ARG_D(3), -28, 1, 32)},
     .scale = 0.1f,
     .zero_point = -28},
    {.name = "relu of int16",
     .code = BuiltinOperator_RELU,
     .version = 3,
     .in = {ARG_I16(ARG_D(2), -5, 300)},
     .out = {ARG_I16(ARG_D(2), 0, 300)},
     .scale = 0.01f},
    {.name = "relu_n1_to_1",
     .code = BuiltinOperator_RELU_N1_TO_1,
     .in = {ARG_F(ARG_D(3), -3, 0.5f, 3)},
     .out = {ARG_F(ARG_D(3), -1, 0.5f, 1)}},
    {.name = "relu_0_to_1",
     .code = BuiltinOperator_RELU_0_TO_1,
     .in = {ARG_U8(ARG_D(3), 100, 132, 200)},
     .out = {ARG_U8(ARG_D(3), 128, 132, 138)},
     .scale = 0.1f,
     .zero_point = 128},
    {.name = "leaky_relu",
     .code = BuiltinOperator_LEAKY_RELU,
     .options_type = BuiltinOptions_LeakyReluOptions,
     .options = alpha_options,
     .options_data = (const float[1]){0.25f},
     .in = {ARG_F(ARG_D(2), -8, 8)},
     .out = {ARG_F(ARG_D(2), -2, 8)}},
    {.name = "leaky_relu of int8",
     .code = BuiltinOperator_LEAKY_RELU,
     .version = 2,
     .options_type = BuiltinOptions_LeakyReluOptions,
     .options = alpha_options,
     .options_data = (const float[1]){0.25f},
     .in = {ARG_I8(ARG_D(3), -80, 10, 80)},
     .out = {ARG_I8(ARG_D(3), -13, 10, 80)},
     .scale = 0.5f,
     .zero_point = 10},  // -90 / 4 = -22.5, away from zero
    {.name = "prelu along channels",
     .code = BuiltinOperator_PRELU,
     .in = {ARG_F(ARG_D(1, 2, 2), -2, -2, 4, 4), ARG_C_F(ARG_D(1, 1, 2), 0.5f, 3)},
     .out = {ARG_F(ARG_D(1, 2, 2), -1, -6, 4, 4)}},
    {.name = "prelu with a larger alpha",
     .code = BuiltinOperator_PRELU,
     .in = {ARG_F(ARG_D(1), 1), ARG_C_F(ARG_D(2), 1, 1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "alpha is larger than the input"},
    {.name = "elu", .code = BuiltinOperator_ELU, .in = {ARG_F(ARG_D(2), 0, 3)}, .out = {ARG_F(ARG_D(2), 0, 3)}},
    {.name = "hard_swish",
     .code = BuiltinOperator_HARD_SWISH,
     .in = {ARG_F(ARG_D(4), -4, -1.5f, 1.5f, 5)},
     .out = {ARG_F(ARG_D(4), -0.0f, -0.375f, 1.125f, 5)}},
    {.name = "abs of int32",
     .code = BuiltinOperator_ABS,
     .version = 5,
     .in = {ARG_I32(ARG_D(2), -3, 3)},
     .out = {ARG_I32(ARG_D(2), 3, 3)}},
    {.name = "abs of int8",
     .code = BuiltinOperator_ABS,
     .in = {ARG_I8(ARG_D(2), -20, 30)},
     .out = {ARG_I8(ARG_D(2), 40, 30)},
     .scale = 0.5f,
     .zero_point = 10},
    {.name = "neg of int64", .code = BuiltinOperator_NEG, .in = {ARG_I64(ARG_D(2), 5, -6)}, .out = {ARG_I64(ARG_D(2), -5, 6)}},
    {.name = "sign", .code = BuiltinOperator_SIGN, .in = {ARG_F(ARG_D(3), -2, 0, 9)}, .out = {ARG_F(ARG_D(3), -1, 0, 1)}},
    {.name = "square", .code = BuiltinOperator_SQUARE, .in = {ARG_F(ARG_D(2), -3, 0.5f)}, .out = {ARG_F(ARG_D(2), 9, 0.25f)}},
    {.name = "sqrt", .code = BuiltinOperator_SQRT, .in = {ARG_F(ARG_D(2), 9, 0.25f)}, .out = {ARG_F(ARG_D(2), 3, 0.5f)}},
    {.name = "sqrt of int8",
     .code = BuiltinOperator_SQRT,
     .version = 2,
     .in = {ARG_I8(ARG_D(2), 36, 100)},
     .out = {ARG_I8(ARG_D(2), 12, 20)},
     .scale = 0.25f},
    {.name = "sqrt of a negative int8",
     .code = BuiltinOperator_SQRT,
     .version = 2,
     .in = {ARG_C_I8(ARG_D(1), -4)},
     .out = {ARG_I8(ARG_D(1), 0)},
     .scale = 0.25f,
     .refusal = "no square root of a negative number"},
    {.name = "rsqrt", .code = BuiltinOperator_RSQRT, .in = {ARG_F(ARG_D(2), 4, 0.25f)}, .out = {ARG_F(ARG_D(2), 0.5f, 2)}},
    {.name = "exp of zero", .code = BuiltinOperator_EXP, .in = {ARG_F(ARG_D(1), 0)}, .out = {ARG_F(ARG_D(1), 1)}},
    {.name = "log of one", .code = BuiltinOperator_LOG, .in = {ARG_F(ARG_D(1), 1)}, .out = {ARG_F(ARG_D(1), 0)}},
    {.name = "sin and cos of zero", .code = BuiltinOperator_COS, .in = {ARG_F(ARG_D(1), 0)}, .out = {ARG_F(ARG_D(1), 1)}},
    {.name = "sin", .code = BuiltinOperator_SIN, .in = {ARG_F(ARG_D(1), 0)}, .out = {ARG_F(ARG_D(1), 0)}},
    {.name = "ceil", .code = BuiltinOperator_CEIL, .in = {ARG_F(ARG_D(2), 1.25f, -1.25f)}, .out = {ARG_F(ARG_D(2), 2, -1)}},
    {.name = "floor", .code = BuiltinOperator_FLOOR, .in = {ARG_F(ARG_D(2), 1.25f, -1.25f)}, .out = {ARG_F(ARG_D(2), 1, -2)}},
    {.name = "round to even",
     .code = BuiltinOperator_ROUND,
     .in = {ARG_F(ARG_D(3), 2.5f, 3.5f, -2.5f)},
     .out = {ARG_F(ARG_D(3), 2, 4, -2)}},
    {.name = "logistic and its saturation",
     .code = BuiltinOperator_LOGISTIC,
     .in = {ARG_F(ARG_D(3), 0, 200, -200)},
     .out = {ARG_F(ARG_D(3), 0.5f, 1, 0)}},
    {.name = "tanh and its saturation",
     .code = BuiltinOperator_TANH,
     .in = {ARG_F(ARG_D(3), 0, 200, -200)},
     .out = {ARG_F(ARG_D(3), 0, 1, -1)}},
    {.name = "tanh of strings",
     .code = BuiltinOperator_TANH,
     .in = {ARG_TEXT(ARG_D(1), "x")},
     .out = {ARG_TEXT(ARG_D(1), "")},
     .refusal = "STRING"},
    {.name = "unquantised int8",
     .code = BuiltinOperator_LEAKY_RELU,
     .in = {ARG_I8(ARG_D(1), 1)},
     .out = {ARG_I8(ARG_D(1), 0)},
     .refusal = "the output is not quantised"},
};
OP_CASES_TEST(unary_cases)

static const op_case choice_cases[] = {
    {.name = "equal",
     .code = BuiltinOperator_EQUAL,
     .in = {ARG_F(ARG_D(3), 1, 2, 3), ARG_F(ARG_D(1), 2)},
     .out = {ARG_BOOL(ARG_D(3), false, true, false)}},
    {.name = "equal strings, broadcast",
     .code = BuiltinOperator_EQUAL,
     .in = {ARG_TEXT(ARG_D(2, 1), "a", "bc"), ARG_TEXT(ARG_D(2), "bc", "a")},
     .out = {ARG_BOOL(ARG_D(2, 2), false, true, true, false)}},
    {.name = "equal strings, row by row",
     .code = BuiltinOperator_EQUAL,
     .in = {ARG_TEXT(ARG_D(3, 2), "a", "bc", "bc", "a", "a", ""), ARG_TEXT(ARG_D(2), "a", "bc")},
     .out = {ARG_BOOL(ARG_D(3, 2), true, true, false, false, true, false)}},
    {.name = "not_equal strings",
     .code = BuiltinOperator_NOT_EQUAL,
     .in = {ARG_TEXT(ARG_D(2), "", "bc"), ARG_TEXT(ARG_D(2), "", "b")},
     .out = {ARG_BOOL(ARG_D(2), false, true)}},
    {.name = "less of int64",
     .code = BuiltinOperator_LESS,
     .in = {ARG_I64(ARG_D(3), 1, 2, 3), ARG_I64(ARG_SCALAR, 2)},
     .out = {ARG_BOOL(ARG_D(3), true, false, false)}},
    {.name = "less_equal",
     .code = BuiltinOperator_LESS_EQUAL,
     .in = {ARG_I32(ARG_D(3), 1, 2, 3), ARG_I32(ARG_SCALAR, 2)},
     .out = {ARG_BOOL(ARG_D(3), true, true, false)}},
    {.name = "greater, sides of unequal shape",
     .code = BuiltinOperator_GREATER,
     .in = {ARG_F(ARG_SCALAR, 2), ARG_F(ARG_D(3), 1, 2, 3)},
     .out = {ARG_BOOL(ARG_D(3), true, false, false)}},
    {.name = "greater_equal of int8",
     .code = BuiltinOperator_GREATER_EQUAL,
     .in = {ARG_I8(ARG_D(3), 1, 2, 3), ARG_I8(ARG_D(3), 2, 2, 2)},
     .out = {ARG_BOOL(ARG_D(3), false, true, true)},
     .scale = 0.5f,
     .zero_point = 3},
    {.name = "less of strings",
     .code = BuiltinOperator_LESS,
     .in = {ARG_TEXT(ARG_D(1), "a"), ARG_TEXT(ARG_D(1), "b")},
     .out = {ARG_BOOL(ARG_D(1), false)},
     .refusal = "STRING"},
    {.name = "select by element",
     .code = BuiltinOperator_SELECT,
     .in = {ARG_BOOL(ARG_D(2, 1), true, false), ARG_F(ARG_D(2, 1), 1, 2), ARG_F(ARG_D(2, 1), 3, 4)},
     .out = {ARG_F(ARG_D(2, 1), 1, 4)}},
    {.name = "select by row",
     .code = BuiltinOperator_SELECT,
     .in = {ARG_BOOL(ARG_D(2), false, true), ARG_I16(ARG_D(2, 2), 1, 2, 3, 4), ARG_I16(ARG_D(2, 2), 5, 6, 7, 8)},
     .out = {ARG_I16(ARG_D(2, 2), 5, 6, 3, 4)}},
    {.name = "select by a scalar",
     .code = BuiltinOperator_SELECT,
     .in = {ARG_BOOL(ARG_SCALAR, false), ARG_I64(ARG_D(2), 1, 2), ARG_I64(ARG_D(2), 5, 6)},
     .out = {ARG_I64(ARG_D(2), 5, 6)}},
    {.name = "select with a wrong condition",
     .code = BuiltinOperator_SELECT,
     .in = {ARG_BOOL(ARG_D(3), true, true, true), ARG_F(ARG_D(2), 1, 2), ARG_F(ARG_D(2), 1, 2)},
     .out = {ARG_F(ARG_D(2), 0, 0)},
     .refusal = "the condition must be a scalar"},
    {.name = "select_v2 broadcasts all three",
     .code = BuiltinOperator_SELECT_V2,
     .in = {ARG_BOOL(ARG_D(2, 1, 1), true, false), ARG_F(ARG_D(2, 1), 1, 2), ARG_F(ARG_D(3), 7, 8, 9)},
     .out = {ARG_F(ARG_D(2, 2, 3), 1, 1, 1, 2, 2, 2, 7, 8, 9, 7, 8, 9)}},
    {.name = "select_v2 of uint8",
     .code = BuiltinOperator_SELECT_V2,
     .in = {ARG_BOOL(ARG_D(2), true, false), ARG_U8(ARG_D(2), 1, 2), ARG_U8(ARG_SCALAR, 9)},
     .out = {ARG_U8(ARG_D(2), 1, 9)}},
};
OP_CASES_TEST(choice_cases)

// ---- Tensors of different scales ----
static void run_quantized_pair(enum BuiltinOperator code, const float *scales, const int32_t *zero_points, int8_t x, int8_t y,
                               int8_t expected) {
  static op_test t;
  op_test_begin(&t);
  int a = op_test_input(&t, TensorType_INT8, OP_DIMS(1)), b = op_test_input(&t, TensorType_INT8, OP_DIMS(1));
  int out = op_test_output(&t, TensorType_INT8, OP_DIMS(1));
  op_test_quantize(&t, a, scales[0], zero_points[0]);
  op_test_quantize(&t, b, scales[1], zero_points[1]);
  op_test_quantize(&t, out, scales[2], zero_points[2]);
  op_test_node(&t, code, code == BuiltinOperator_SQUARED_DIFFERENCE || code == BuiltinOperator_DIV ? 2 : 1, OP_TENSORS(a, b),
               OP_TENSORS(out));
  op_test_prepare(&t);
  op_test_set(&t, a, &x);
  op_test_set(&t, b, &y);
  op_test_invoke(&t);
  op_test_expect_i8(&t, out, &expected, 1);
  op_test_end(&t);
}

static void scales_that_differ_are_brought_together(void **state) {
  (void)state;
  const float scales[] = {0.5f, 0.25f, 1.0f};
  const int32_t zero_points[] = {0, 10, -20};
  // x = 20 is 10, y = 34 is 6.
  run_quantized_pair(BuiltinOperator_ADD, scales, zero_points, 20, 34, -4);
  run_quantized_pair(BuiltinOperator_SUB, scales, zero_points, 20, 34, -16);
  run_quantized_pair(BuiltinOperator_MUL, scales, zero_points, 20, 34, 40);
  run_quantized_pair(BuiltinOperator_SQUARED_DIFFERENCE, scales, zero_points, 20, 34, -4);
  run_quantized_pair(BuiltinOperator_DIV, scales, zero_points, 24, 18, -14);  // 12 / 2
}

static void power_of_two_scales_only_shift(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  int a = op_test_input(&t, TensorType_INT16, OP_DIMS(2)), b = op_test_input(&t, TensorType_INT16, OP_DIMS(2));
  int out = op_test_output(&t, TensorType_INT16, OP_DIMS(2));
  op_test_quantize(&t, a, 1.0f / 8, 0);
  op_test_quantize(&t, b, 1.0f / 32, 0);
  op_test_quantize(&t, out, 1.0f / 8, 0);
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(a, b), OP_TENSORS(out));  // pot_scale_int16 is the default
  op_test_prepare(&t);
  op_test_set(&t, a, (int16_t[]){100, 32767});
  op_test_set(&t, b, (int16_t[]){-10, 400});
  op_test_invoke(&t);
  op_test_expect_i16(&t, out, (int16_t[]){97, 32767}, 2);  // 10 / 4 = 2.5, away from zero
  op_test_end(&t);
}

static void comparisons_mind_the_scales(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  int a = op_test_input(&t, TensorType_UINT8, OP_DIMS(3)), b = op_test_input(&t, TensorType_UINT8, OP_DIMS(3));
  int less = op_test_output(&t, TensorType_BOOL, OP_DIMS(3)), equal = op_test_output(&t, TensorType_BOOL, OP_DIMS(3));
  op_test_quantize(&t, a, 0.5f, 100);
  op_test_quantize(&t, b, 0.25f, 50);
  op_test_node(&t, BuiltinOperator_LESS, 2, OP_TENSORS(a, b), OP_TENSORS(less));
  op_test_node(&t, BuiltinOperator_EQUAL, 2, OP_TENSORS(a, b), OP_TENSORS(equal));
  op_test_prepare(&t);
  op_test_set(&t, a, (uint8_t[]){110, 110, 110});  // 5
  op_test_set(&t, b, (uint8_t[]){69, 70, 71});     // 4.75, 5, 5.25
  op_test_invoke(&t);
  op_test_expect_bool(&t, less, (bool[]){false, false, true}, 3);
  op_test_expect_bool(&t, equal, (bool[]){false, true, false}, 3);
  op_test_end(&t);
}

// A unary operator on one int8 or int16 number, input and output of their own scales.
static int run_quantized_unary(enum BuiltinOperator code, int version, enum TensorType type, float scale_in, int32_t zero_in,
                               float scale_out, int32_t zero_out, int value) {
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, type, OP_DIMS(1)), y = op_test_output(&t, type, OP_DIMS(1));
  op_test_quantize(&t, x, scale_in, zero_in);
  op_test_quantize(&t, y, scale_out, zero_out);
  op_test_node(&t, code, version, OP_TENSORS(x), OP_TENSORS(y));
  op_test_prepare(&t);
  int8_t narrow = (int8_t)value;
  int16_t wide = (int16_t)value;
  op_test_set(&t, x, type == TensorType_INT16 ? (const void *)&wide : &narrow);
  op_test_invoke(&t);
  int result = type == TensorType_INT16 ? op_test_at(&t, y)->data.i16[0] : op_test_at(&t, y)->data.int8[0];
  op_test_end(&t);
  return result;
}

static void quantised_curves(void **state) {
  (void)state;
  const enum TensorType i8 = TensorType_INT8, i16 = TensorType_INT16;
  assert_int_equal(run_quantized_unary(BuiltinOperator_LOGISTIC, 2, i8, 0.1f, 0, 1.0f / 256, -128, 10),
                   59);                                                                                    // 0.7311 * 256 - 128
  assert_int_equal(run_quantized_unary(BuiltinOperator_TANH, 2, i8, 0.1f, 0, 1.0f / 128, 0, -10), -97);    // -0.7616 * 128
  assert_int_equal(run_quantized_unary(BuiltinOperator_EXP, 2, i8, 0.1f, 0, 0.05f, -100, 10), -46);        // 2.718 / 0.05
  assert_int_equal(run_quantized_unary(BuiltinOperator_LOG, 2, i8, 0.1f, 0, 0.05f, 0, 20), 14);            // 0.693 / 0.05
  assert_int_equal(run_quantized_unary(BuiltinOperator_LOG, 2, i8, 0.1f, 0, 0.05f, 0, -20), -128);         // no logarithm
  assert_int_equal(run_quantized_unary(BuiltinOperator_RSQRT, 2, i8, 0.1f, -100, 0.01f, -100, -60), -50);  // 1 / sqrt 4
  assert_int_equal(run_quantized_unary(BuiltinOperator_ELU, 1, i8, 0.1f, 0, 0.01f, 0, -10), -63);          // e^-1 - 1
  assert_int_equal(run_quantized_unary(BuiltinOperator_HARD_SWISH, 1, i8, 0.1f, 0, 0.1f, 0, 15), 11);  // 1.5 * 4.5 / 6 = 1.125
  assert_int_equal(run_quantized_unary(BuiltinOperator_GELU, 1, i8, 0.1f, 0, 0.01f, 0, 10), 84);       // 0.8413
  assert_in_range(run_quantized_unary(BuiltinOperator_LOGISTIC, 3, i16, 1.0f / 4096, 0, 1.0f / 32768, 0, 4096), 23953,
                  23959);  // 0.73106
  assert_in_range(run_quantized_unary(BuiltinOperator_TANH, 3, i16, 1.0f / 4096, 0, 1.0f / 32768, 0, 4096), 24950,
                  24962);                                                                                // 0.76159
  assert_int_equal(run_quantized_unary(BuiltinOperator_LEAKY_RELU, 2, i16, 0.5f, 0, 1.0f, 0, 101), 51);  // 50.5, away from zero
}

static fb_ref shape_options(fb_builder *b, const void *data) {
  (void)data;
  fb_build_table(b);
  fb_build_i8(b, ShapeOptions_out_type_id, TensorType_INT32, TensorType_FLOAT32);
  return fb_build_table_end(b);
}

// What shapes are computed with is known before anything ran, and again after a resize.
static void arithmetic_on_shapes_is_done_ahead(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(4, 6)), shape = op_test_between(&t, TensorType_INT32, OP_DIMS(2));
  int two = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){2, 1}),
      half = op_test_between(&t, TensorType_INT32, OP_DIMS(2));
  int rows = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){1, 2}),
      wide = op_test_between(&t, TensorType_INT32, OP_DIMS(2));
  int cast = op_test_between(&t, TensorType_INT64, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_SHAPE, 1, OP_TENSORS(x), OP_TENSORS(shape));
  op_test_options(&t, BuiltinOptions_ShapeOptions, shape_options, NULL);
  op_test_node(&t, BuiltinOperator_FLOOR_DIV, 1, OP_TENSORS(shape, two), OP_TENSORS(half));
  op_test_node(&t, BuiltinOperator_MUL, 1, OP_TENSORS(half, rows), OP_TENSORS(wide));
  op_test_node(&t, BuiltinOperator_CAST, 1, OP_TENSORS(wide), OP_TENSORS(cast));
  op_test_node(&t, BuiltinOperator_BROADCAST_TO, 2,
               OP_TENSORS(op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){3}), cast), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2, 12));
  op_test_resize(&t, x, OP_DIMS(8, 1));
  op_test_expect_dims(&t, y, OP_DIMS(4, 2));
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){3, 3, 3, 3, 3, 3, 3, 3}, 8, 0);
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_cases_hold),
      cmocka_unit_test(unary_cases_hold),
      cmocka_unit_test(choice_cases_hold),
      cmocka_unit_test(scales_that_differ_are_brought_together),
      cmocka_unit_test(power_of_two_scales_only_shift),
      cmocka_unit_test(comparisons_mind_the_scales),
      cmocka_unit_test(quantised_curves),
      cmocka_unit_test(arithmetic_on_shapes_is_done_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
