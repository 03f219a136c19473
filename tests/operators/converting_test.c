// SPDX-License-Identifier: Apache-2.0
// Operators that change the representation of numbers: QUANTIZE, DEQUANTIZE, FAKE_QUANT, CAST, BITCAST, REAL and friends.
#include "operators/op_cases.h"

#include <math.h>

#include "base/half.h"
#include "kernels/convert.h"

// ---- CAST ----
#define ARG_OF(type, ctype, dims, ...) \
  { TensorType_##type, dims, (const ctype[]){__VA_ARGS__}, false, NULL }
static const op_case cast_cases[] = {
    {.name = "floats are cut off and saturate",
     .code = BuiltinOperator_CAST,
     .in = {ARG_F(ARG_D(5), 1.9f, -1.9f, 3e9f, -3e9f, NAN)},
     .out = {ARG_I32(ARG_D(5), 1, -1, INT32_MAX, INT32_MIN, INT32_MAX)}},
    {.name = "integers wrap",
     .code = BuiltinOperator_CAST,
     .in = {ARG_I32(ARG_D(3), 300, -1, 128)},
     .out = {ARG_I8(ARG_D(3), 44, -1, -128)}},
    {.name = "int64 to int32",
     .code = BuiltinOperator_CAST,
     .in = {ARG_I64(ARG_D(2), (INT64_C(1) << 32) + 5, -7)},
     .out = {ARG_I32(ARG_D(2), 5, -7)}},
    {.name = "anything but 0 is true",
     .code = BuiltinOperator_CAST,
     .in = {ARG_F(ARG_D(3), 0, -0.0f, 0.1f)},
     .out = {ARG_BOOL(ARG_D(3), false, false, true)}},
    {.name = "booleans are 0 and 1",
     .code = BuiltinOperator_CAST,
     .in = {ARG_BOOL(ARG_D(2), false, true)},
     .out = {ARG_F(ARG_D(2), 0, 1)}},
    {.name = "float to half",
     .code = BuiltinOperator_CAST,
     .version = 6,
     .in = {ARG_F(ARG_D(3), 1, 65520, -2.5f)},
     .out = {ARG_OF(FLOAT16, uint16_t, ARG_D(3), 0x3C00, 0x7C00, 0xC100)}},
    {.name = "half to int16",
     .code = BuiltinOperator_CAST,
     .version = 6,
     .in = {ARG_OF(FLOAT16, uint16_t, ARG_D(2), 0xC100, 0x7BFF)},
     .out = {ARG_I16(ARG_D(2), -2, 32767)}},
    {.name = "bfloat16 to float",
     .code = BuiltinOperator_CAST,
     .version = 7,
     .in = {ARG_OF(BFLOAT16, uint16_t, ARG_D(2), 0x3F80, 0xC040)},
     .out = {ARG_F(ARG_D(2), 1, -3)}},
    {.name = "double to uint8",
     .code = BuiltinOperator_CAST,
     .in = {ARG_OF(FLOAT64, double, ARG_D(3), 255.9, -3, 7.5)},
     .out = {ARG_U8(ARG_D(3), 255, 0, 7)}},
    {.name = "float to int4",
     .code = BuiltinOperator_CAST,
     .version = 6,
     .in = {ARG_F(ARG_D(3), -9, 3.7f, 8)},
     .out = {ARG_I4(ARG_D(3), 0x38, 0x07)}},
    {.name = "int4 to float",
     .code = BuiltinOperator_CAST,
     .version = 6,
     .in = {ARG_I4(ARG_D(3), 0x38, 0x0F)},
     .out = {ARG_F(ARG_D(3), -8, 3, -1)}},
    {.name = "int2 to float",
     .code = BuiltinOperator_CAST,
     .version = 8,
     .in = {ARG_OF(INT2, uint8_t, ARG_D(5), 0xE4, 0x02)},
     .out = {ARG_F(ARG_D(5), 0, 1, -2, -1, -2)}},
    {.name = "complex to float drops a part",
     .code = BuiltinOperator_CAST,
     .in = {ARG_OF(COMPLEX64, float, ARG_D(2), 1, 2, 3, 4)},
     .out = {ARG_F(ARG_D(2), 1, 3)}},
    {.name = "int4 to int8",
     .code = BuiltinOperator_CAST,
     .version = 6,
     .in = {ARG_I4(ARG_D(1), 0x01)},
     .out = {ARG_I8(ARG_D(1), 0)},
     .refusal = "which this operator does not take there"},
    {.name = "real",
     .code = BuiltinOperator_REAL,
     .in = {ARG_OF(COMPLEX64, float, ARG_D(2), 3, 4, -1, 0)},
     .out = {ARG_F(ARG_D(2), 3, -1)}},
    {.name = "imag",
     .code = BuiltinOperator_IMAG,
     .in = {ARG_OF(COMPLEX128, double, ARG_D(2), 3, 4, -1, 0)},
     .out = {ARG_OF(FLOAT64, double, ARG_D(2), 4, 0)}},
    {.name = "complex_abs",
     .code = BuiltinOperator_COMPLEX_ABS,
     .in = {ARG_OF(COMPLEX64, float, ARG_D(2), 3, 4, -1, 0)},
     .out = {ARG_F(ARG_D(2), 5, 1)}},
    {.name = "bitcast to a wider type",
     .code = BuiltinOperator_BITCAST,
     .in = {ARG_I16(ARG_D(2, 2), 0, 0x3F80, 0, 0x4000)},
     .out = {ARG_F(ARG_D(2), 1, 2)}},
    {.name = "bitcast to a narrower type",
     .code = BuiltinOperator_BITCAST,
     .in = {ARG_F(ARG_D(1), 1)},
     .out = {ARG_U8(ARG_D(1, 4), 0, 0, 0x80, 0x3F)}},
    {.name = "bitcast that does not fit",
     .code = BuiltinOperator_BITCAST,
     .in = {ARG_I16(ARG_D(3), 0, 0, 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "the last dimension must be 2"},
};
OP_CASES_TEST(cast_cases)

// Every pair of types keeps small numbers.
static void conversions_keep_what_fits(void **state) {
  (void)state;
  enum { N = 101 };  // more than one run
  int64_t seed[N], back[N];
  uint64_t first[N * 2], second[N * 2];
  for (int i = 0; i < N; i++) seed[i] = i % 100;
  for (int from = 0; from < CONVERT_TYPES; from++) {
    for (int to = 0; to < CONVERT_TYPES; to++) {
      convert_array(CONVERT_I64, seed, (convert_type)from, first, N);
      convert_array((convert_type)from, first, (convert_type)to, second, N);
      convert_array((convert_type)to, second, CONVERT_I64, back, N);
      bool truth = from == CONVERT_BOOL || to == CONVERT_BOOL;
      for (int i = 0; i < N; i++) assert_int_equal(back[i], truth ? seed[i] != 0 : seed[i]);
    }
  }
}

// ---- QUANTIZE, DEQUANTIZE ----
static void quantize_rounds_away_from_zero_and_saturates(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(6));
  int a = op_test_output(&t, TensorType_INT8, OP_DIMS(6)), b = op_test_output(&t, TensorType_UINT8, OP_DIMS(6));
  int c = op_test_output(&t, TensorType_INT16, OP_DIMS(6)), d = op_test_output(&t, TensorType_INT4, OP_DIMS(6));
  op_test_quantize(&t, a, 0.5f, -1);
  op_test_quantize(&t, b, 0.5f, 128);
  op_test_quantize(&t, c, 0.5f, 0);
  op_test_quantize(&t, d, 0.5f, 0);
  for (int i = 0; i < 4; i++) op_test_node(&t, BuiltinOperator_QUANTIZE, 1, OP_TENSORS(x), OP_TENSORS((int[]){a, b, c, d}[i]));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){0.25f, -0.25f, 0.24f, 1e9f, -INFINITY, 0});
  op_test_invoke(&t);
  op_test_expect_i8(&t, a, (int8_t[]){0, -2, -1, 127, -128, -1}, 6);
  op_test_expect_u8(&t, b, (uint8_t[]){129, 127, 128, 255, 0, 128}, 6);
  op_test_expect_i16(&t, c, (int16_t[]){1, -1, 0, 32767, -32768, 0}, 6);
  assert_memory_equal(op_test_at(&t, d)->data.raw, ((uint8_t[]){0xF1, 0x70, 0x08}), 3);
  op_test_end(&t);
}

static void requantise(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(3)), y = op_test_between(&t, TensorType_UINT8, OP_DIMS(3));
  int z = op_test_output(&t, TensorType_INT16, OP_DIMS(3));
  op_test_quantize(&t, x, 0.5f, -1);
  op_test_quantize(&t, y, 0.5f, 127);
  op_test_quantize(&t, z, 0.25f, 0);
  op_test_as_output(&t, y);
  op_test_node(&t, BuiltinOperator_QUANTIZE, 2, OP_TENSORS(x), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_QUANTIZE, 2, OP_TENSORS(y), OP_TENSORS(z));
  op_test_prepare(&t);
  op_test_set(&t, x, (int8_t[]){-128, -1, 127});
  op_test_invoke(&t);
  op_test_expect_u8(&t, y, (uint8_t[]){0, 127, 255}, 3);
  op_test_expect_i16(&t, z, (int16_t[]){-254, 0, 256}, 3);
  op_test_end(&t);
}

static void channels_have_scales_of_their_own(void **state) {
  (void)state;
  static op_test t;
  const float scales[] = {1, 0.5f, 2};
  const int64_t zero_points[] = {0, 10, -10};
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 2)), q = op_test_between(&t, TensorType_INT8, OP_DIMS(1, 3, 2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 2));
  op_test_quantize_channels(&t, q, scales, zero_points, 3, 1);
  op_test_as_output(&t, q);
  op_test_node(&t, BuiltinOperator_QUANTIZE, 3, OP_TENSORS(x), OP_TENSORS(q));
  op_test_node(&t, BuiltinOperator_DEQUANTIZE, 5, OP_TENSORS(q), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, -4, 3, -4, 3.2f, -4});
  op_test_invoke(&t);
  op_test_expect_i8(&t, q, (int8_t[]){3, -4, 16, 2, -8, -12}, 6);
  op_test_expect_f32(&t, y, (float[]){3, -4, 3, -4, 4, -4}, 6, 0);
  op_test_end(&t);
  op_test_begin(&t);  // three scales for two channels
  x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 2));
  y = op_test_output(&t, TensorType_INT8, OP_DIMS(2, 2));
  op_test_quantize_channels(&t, y, scales, zero_points, 3, 1);
  op_test_node(&t, BuiltinOperator_QUANTIZE, 3, OP_TENSORS(x), OP_TENSORS(y));
  op_test_expect_refusal(&t, "");
  op_test_end(&t);
}

static void half_weights_are_expanded_once(void **state) {
  (void)state;
  static op_test t;
  op_test_begin(&t);
  const uint16_t weights[] = {0x3C00, 0xC000, 0x0001};  // 1, -2, 2^-24
  const uint8_t packed[] = {0x7F, 0x08};                // int4: -1, 7, -8
  int w = op_test_constant(&t, TensorType_FLOAT16, OP_DIMS(3), weights),
      p = op_test_constant(&t, TensorType_INT4, OP_DIMS(3), packed);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3)), f = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(3));
  int g = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(3));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(3));
  op_test_quantize(&t, p, 0.5f, 0);
  op_test_node(&t, BuiltinOperator_DEQUANTIZE, 3, OP_TENSORS(w), OP_TENSORS(f));
  op_test_node(&t, BuiltinOperator_DEQUANTIZE, 6, OP_TENSORS(p), OP_TENSORS(g));
  op_test_node(&t, BuiltinOperator_MUL, 1, OP_TENSORS(x, f), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(x, g), OP_TENSORS(z));
  op_test_prepare(&t);
  assert_int_equal(op_test_at(&t, f)->allocation_type, kTfLitePersistentRo);
  op_test_expect_f32(&t, f, (float[]){1, -2, 0x1p-24f}, 3, 0);  // before anything ran
  for (int run = 0; run < 2; run++) {
    op_test_set(&t, x, (float[]){10, 20, 0x1p24f});
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, (float[]){10, -40, 1}, 3, 0);
    op_test_expect_f32(&t, z, (float[]){9.5f, 23.5f, 0x1p24f - 4}, 3, 0);
  }
  op_test_end(&t);
}

static fb_ref fake_options(fb_builder *b, const void *data) {
  const float *range = data;
  fb_build_table(b);
  fb_build_f32(b, FakeQuantOptions_min_id, range[0], 0);
  fb_build_f32(b, FakeQuantOptions_max_id, range[1], 0);
  fb_build_i32(b, FakeQuantOptions_num_bits_id, (int)range[2], 0);
  fb_build_bool(b, FakeQuantOptions_narrow_range_id, range[3] != 0, false);
  return fb_build_table_end(b);
}
#define FAKE(...) \
  .options_type = BuiltinOptions_FakeQuantOptions, .options = fake_options, .options_data = (const float[4]) { __VA_ARGS__ }
static const op_case fake_cases[] = {
    {.name = "eight bits of -1..254/255",
     .code = BuiltinOperator_FAKE_QUANT,
     FAKE(-64, 63.5f, 8, 0),
     .in = {ARG_F(ARG_D(5), -100, 100, 0.2f, 0.3f, -0.25f)},
     .out = {ARG_F(ARG_D(5), -64, 63.5f, 0, 0.5f, 0)}},
    {.name = "a narrow range",
     .code = BuiltinOperator_FAKE_QUANT,
     FAKE(-1, 1, 8, 1),
     .in = {ARG_F(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "a narrow range is for weights"},
    {.name = "an empty range",
     .code = BuiltinOperator_FAKE_QUANT,
     FAKE(1, 1, 8, 0),
     .in = {ARG_F(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "the range is empty"},
    {.name = "too many bits",
     .code = BuiltinOperator_FAKE_QUANT,
     FAKE(0, 1, 32, 0),
     .in = {ARG_F(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "cannot quantise to 32 bits"},
};
OP_CASES_TEST(fake_cases)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cast_cases_hold),
      cmocka_unit_test(conversions_keep_what_fits),
      cmocka_unit_test(quantize_rounds_away_from_zero_and_saturates),
      cmocka_unit_test(requantise),
      cmocka_unit_test(channels_have_scales_of_their_own),
      cmocka_unit_test(half_weights_are_expanded_once),
      cmocka_unit_test(fake_cases_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
