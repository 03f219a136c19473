// SPDX-License-Identifier: Apache-2.0
// Fully connected layers, matrix products, pools, softmax and normalisations, through whole models.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "operators/op_harness.h"

typedef struct fc_options {
  int8_t activation, format;
  bool keep_num_dims, asymmetric;
} fc_options;

static fb_ref fc_writer(fb_builder *b, const void *data) {
  const fc_options *o = data;
  fb_build_table(b);
  fb_build_i8(b, FullyConnectedOptions_fused_activation_function_id, o->activation, ActivationFunctionType_NONE);
  fb_build_i8(b, FullyConnectedOptions_weights_format_id, o->format, 0);
  fb_build_bool(b, FullyConnectedOptions_keep_num_dims_id, o->keep_num_dims, false);
  fb_build_bool(b, FullyConnectedOptions_asymmetric_quantize_inputs_id, o->asymmetric, false);
  return fb_build_table_end(b);
}

static const float ramp[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void float_layers(void **state) {
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 3), (float[]){1, 0, -1, 10, 1, 1});
    op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 6, OP_TENSORS(x, w, -1), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer,
                    &(fc_options){.activation = ActivationFunctionType_RELU_N1_TO_1, .keep_num_dims = keep});
    op_test_prepare(&t);
    op_test_set(&t, x, ramp);
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, keep ? OP_DIMS(2, 1, 2) : OP_DIMS(2, 2));
    op_test_expect_f32(&t, y, (float[]){-1, 1, -1, 1}, 4, 0);
    op_test_end(&t);
  }
}

static void weights_that_are_inputs(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), w = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 2));
  int bias = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer, &(fc_options){0});
  op_test_prepare(&t);
  op_test_set(&t, x, ramp);
  op_test_set(&t, w, ramp);
  op_test_set(&t, bias, (float[]){100, 200, 300});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){105, 211, 317}, 3, 0);
  op_test_end(&t);
}

static void a_filter_without_columns(void **state) {  // gives zeros, whatever the bias
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 0)), w = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 0));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 1, OP_TENSORS(x, w), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer, &(fc_options){0});
  op_test_prepare(&t);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2, 3));
  op_test_expect_f32(&t, y, (float[6]){0}, 6, 0);
  op_test_end(&t);
}

// Sums are scaled by 1/2 * 1/4 / 1; ties are rounded away from zero.
static void int8_layers(void **state) {
  (void)state;
  const int8_t bytes[] = {3, -2, 7, 1};
  const uint8_t nibbles[] = {0xE3, 0x17};
  for (int packed = 0; packed < 2; packed++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_INT8, OP_DIMS(2, 2)), y = op_test_output(&t, TensorType_INT8, OP_DIMS(2, 2));
    int w = packed ? op_test_constant(&t, TensorType_INT4, OP_DIMS(2, 2), nibbles)
                   : op_test_constant(&t, TensorType_INT8, OP_DIMS(2, 2), bytes);
    int bias = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){8, -16});
    op_test_quantize(&t, x, 0.5f, -1);
    op_test_quantize(&t, w, 0.25f, 0);
    op_test_quantize(&t, bias, 0.125f, 0);
    op_test_quantize(&t, y, 1, 10);
    op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 4, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer, &(fc_options){0});
    op_test_prepare(&t);
    op_test_set(&t, x, (int8_t[]){3, 7, 127, -128});  // 4, 8; 128, -127
    op_test_invoke(&t);
    op_test_expect_i8(&t, y, (int8_t[]){11, 13, 91, 104}, 4);  // 4 / 8 = 0.5, 20 / 8 = 2.5; 646 / 8 = 80.75, 753 / 8 = 94.1
    op_test_end(&t);
  }
}

static void hybrid_layers(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int w = op_test_constant(&t, TensorType_INT8, OP_DIMS(2, 2), (int8_t[]){64, 0, 0, -128});
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2), (float[]){0.25f, 0});
  static const float scales[] = {1.0f / 128, 1.0f / 256};
  static const int64_t zeros[] = {0, 0};
  op_test_quantize_channels(&t, w, scales, zeros, 2, 0);
  op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 9, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer,
                  &(fc_options){.activation = ActivationFunctionType_TANH, .asymmetric = true});
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){0.5f, 1.275f});  // exact in steps of 0.005 from 0
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){tanhf(0.5f), tanhf(-0.6375f)}, 2, 1e-5f);
  op_test_end(&t);
}

static void refused_layers(void **state) {
  (void)state;
  static const struct {
    fc_options options;
    enum TensorType input, filter, output;
    int units, bias;
    const char *text;
  } table[] = {
      {{0}, TensorType_INT8, TensorType_UINT8, TensorType_INT8, 2, 2, "do not go together"},
      {{0}, TensorType_FLOAT32, TensorType_FLOAT32, TensorType_INT8, 2, 2, "do not go together"},
      {{0}, TensorType_FLOAT32, TensorType_FLOAT32, TensorType_FLOAT32, 2, 3, "bias has 3 elements"},
      {{.activation = ActivationFunctionType_TANH},
       TensorType_FLOAT32,
       TensorType_FLOAT32,
       TensorType_FLOAT32,
       2,
       2,
       "fused activation"},
      {{.format = 1}, TensorType_FLOAT32, TensorType_FLOAT32, TensorType_FLOAT32, 2, 2, "outputs"},
      {{0}, TensorType_INT8, TensorType_INT8, TensorType_INT8, 2, 2, "no quantisation"},
  };
  static const int8_t zeros[64];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, table[i].input, OP_DIMS(1, 4)), y = op_test_output(&t, table[i].output, OP_DIMS(1, 2));
    int w = op_test_constant(&t, table[i].filter, OP_DIMS(table[i].units, 4), zeros);
    int bias = op_test_constant(&t, table[i].input == TensorType_FLOAT32 ? TensorType_FLOAT32 : TensorType_INT32,
                                OP_DIMS(table[i].bias), zeros);
    op_test_node(&t, BuiltinOperator_FULLY_CONNECTED, 4, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_FullyConnectedOptions, fc_writer, &table[i].options);
    op_test_expect_refusal(&t, table[i].text);
    op_test_end(&t);
  }
}

static fb_ref matmul_writer(fb_builder *b, const void *data) {
  const bool *adjoint = data;
  fb_build_table(b);
  fb_build_bool(b, BatchMatMulOptions_adj_x_id, adjoint[0], false);
  fb_build_bool(b, BatchMatMulOptions_adj_y_id, adjoint[1], false);
  return fb_build_table_end(b);
}

// [2, 1, 2, 3] times [3, 3, 2], broadcast to [2, 3, 2, 2], each operand stored either way.
static void broadcast_products(void **state) {
  (void)state;
  for (int way = 0; way < 4; way++) {
    const bool adjoint[] = {way & 1, way >> 1};
    float a[12], b[18], expected[24];
    for (int m = 0; m < 2; m++)
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) a[m * 6 + (adjoint[0] ? k * 2 + i : i * 3 + k)] = (float)(10 * m + 3 * i + k);
    for (int m = 0; m < 3; m++)
      for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++) b[m * 6 + (adjoint[1] ? j * 3 + k : k * 2 + j)] = (float)(m * 7 - 2 * k + j);
    for (int at = 0; at < 24; at++) {
      int m = at / 12, n = at / 4 % 3, i = at / 2 % 2, j = at % 2;
      expected[at] = 0;
      for (int k = 0; k < 3; k++) expected[at] += (float)(10 * m + 3 * i + k) * (float)(n * 7 - 2 * k + j);
    }
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, adjoint[0] ? OP_DIMS(2, 1, 3, 2) : OP_DIMS(2, 1, 2, 3));
    int w = op_test_constant(&t, TensorType_FLOAT32, adjoint[1] ? OP_DIMS(3, 2, 3) : OP_DIMS(3, 3, 2), b);
    int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    op_test_node(&t, BuiltinOperator_BATCH_MATMUL, 1, OP_TENSORS(x, w), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_BatchMatMulOptions, matmul_writer, adjoint);
    op_test_prepare(&t);
    op_test_set(&t, x, a);
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, OP_DIMS(2, 3, 2, 2));
    op_test_expect_f32(&t, y, expected, 24, 1e-6f);
    op_test_end(&t);
  }
}

static void refused_products(void **state) {
  (void)state;
  static const struct {
    op_test_list left, right;
    const char *text;
  } table[] = {
      {{2, {2, 3}}, {2, {2, 3}}, "3 columns"},
      {{3, {2, 1, 1}}, {3, {3, 1, 1}}, "do not broadcast"},
      {{1, {4}}, {2, {4, 1}}, "ranks 1 and 2"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    op_test t;
    op_test_begin(&t);
    int a = op_test_input(&t, TensorType_FLOAT32, table[i].left), b = op_test_input(&t, TensorType_FLOAT32, table[i].right);
    int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    op_test_node(&t, BuiltinOperator_BATCH_MATMUL, 1, OP_TENSORS(a, b), OP_TENSORS(y));
    op_test_expect_refusal(&t, table[i].text);
    op_test_end(&t);
  }
}

// ---- Pools. ----
typedef struct pool_options {
  int8_t padding, activation;
  int32_t filter, stride;
} pool_options;

static fb_ref pool_writer(fb_builder *b, const void *data) {
  const pool_options *o = data;
  fb_build_table(b);
  fb_build_i8(b, Pool2DOptions_padding_id, o->padding, Padding_SAME);
  fb_build_i32(b, Pool2DOptions_stride_w_id, o->stride, 0);
  fb_build_i32(b, Pool2DOptions_stride_h_id, o->stride, 0);
  fb_build_i32(b, Pool2DOptions_filter_width_id, o->filter, 0);
  fb_build_i32(b, Pool2DOptions_filter_height_id, o->filter, 0);
  fb_build_i8(b, Pool2DOptions_fused_activation_function_id, o->activation, ActivationFunctionType_NONE);
  return fb_build_table_end(b);
}

static void pools(void **state) {
  (void)state;
  static const struct {
    enum BuiltinOperator code;
    pool_options options;
    int rows, columns;
    float expected[4];
  } table[] = {
      {BuiltinOperator_AVERAGE_POOL_2D, {Padding_SAME, 0, 2, 2}, 2, 2, {3, 4.5f, 7.5f, 9}},
      {BuiltinOperator_AVERAGE_POOL_2D, {Padding_VALID, ActivationFunctionType_RELU6, 3, 1}, 1, 1, {5}},
      {BuiltinOperator_MAX_POOL_2D, {Padding_VALID, 0, 2, 1}, 2, 2, {5, 6, 8, 9}},
      {BuiltinOperator_MAX_POOL_2D, {Padding_SAME, ActivationFunctionType_RELU6, 2, 2}, 2, 2, {5, 6, 6, 6}},
      {BuiltinOperator_L2_POOL_2D, {Padding_VALID, 0, 2, 5}, 1, 1, {3.3911650f}},  // root of (1 + 4 + 16 + 25) / 4
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    op_test_node(&t, table[i].code, 1, OP_TENSORS(x), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Pool2DOptions, pool_writer, &table[i].options);
    op_test_prepare(&t);
    op_test_set(&t, x, ramp);
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, OP_DIMS(1, table[i].rows, table[i].columns, 1));
    op_test_expect_f32(&t, y, table[i].expected, (size_t)(table[i].rows * table[i].columns), 1e-6f);
    op_test_end(&t);
  }
}

static void refused_pools(void **state) {
  (void)state;
  static const struct {
    pool_options options;
    const char *text;
  } table[] = {{{Padding_SAME, 0, 0, 1}, "does not fit"},
               {{Padding_SAME, 0, 1, 0}, "does not fit"},
               {{Padding_VALID, 0, 5, 1}, "does not fit"},
               {{9, 0, 1, 1}, "padding"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    op_test_node(&t, BuiltinOperator_MAX_POOL_2D, 1, OP_TENSORS(x), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Pool2DOptions, pool_writer, &table[i].options);
    op_test_expect_refusal(&t, table[i].text);
    op_test_end(&t);
  }
}

// MediaPipe's pair: what the pool took away comes back where it was.
static void argmax_and_unpool(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2, 4, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int top = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1)), place = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  const int32_t options[10] = {1, 2, 2, 2, 2};  // SAME, strides, window
  op_test_custom(&t, "MaxPoolingWithArgmax2D", 1, options, sizeof options, OP_TENSORS(x), OP_TENSORS(top, place));
  op_test_custom(&t, "MaxUnpooling2D", 1, options, sizeof options, OP_TENSORS(top, place), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 7, 2, 3, 5, 6, 4, 0});
  op_test_invoke(&t);
  op_test_expect_f32(&t, top, (float[]){7, 4}, 2, 0);
  op_test_expect_f32(&t, place, (float[]){1.1f, 2.1f}, 2, 0);
  op_test_expect_dims(&t, y, OP_DIMS(1, 2, 4, 1));
  op_test_expect_f32(&t, y, (float[]){0, 7, 0, 0, 0, 0, 4, 0}, 8, 0);
  op_test_end(&t);
}

// ---- Along the last dimension. ----
static fb_ref softmax_writer(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_f32(b, SoftmaxOptions_beta_id, *(const float *)data, 0);
  return fb_build_table_end(b);
}

static void softmax_rows(void **state) {
  (void)state;
  const float beta = 2;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int q = op_test_input(&t, TensorType_INT8, OP_DIMS(1, 2)), p = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 2));
  op_test_quantize(&t, q, 0.5f, 0);
  op_test_quantize(&t, p, 1.0f / 256, -128);
  op_test_node(&t, BuiltinOperator_SOFTMAX, 1, OP_TENSORS(x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_SoftmaxOptions, softmax_writer, &beta);
  op_test_node(&t, BuiltinOperator_SOFTMAX, 2, OP_TENSORS(q), OP_TENSORS(p));
  op_test_options(&t, BuiltinOptions_SoftmaxOptions, softmax_writer, &beta);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, 3, 1000, 999});
  op_test_set(&t, q, (int8_t[]){10, 9});  // e^-1
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){0.5f, 0.5f, 0.8807971f, 0.1192029f}, 4, 1e-6f);
  op_test_expect_i8(&t, p, (int8_t[]){59, -59}, 2);  // 187.2 and 68.8 of 256
  op_test_end(&t);
}

static void refused_softmax(void **state) {
  (void)state;
  const float betas[] = {1, 0, 1};
  static const char *const texts[] = {"scale 1/256", "out of range", "scalar"};
  for (int i = 0; i < 3; i++) {
    op_test t;
    op_test_begin(&t);
    int q = op_test_input(&t, TensorType_INT8, i == 2 ? OP_SCALAR : OP_DIMS(1, 2)),
        p = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 2));
    op_test_quantize(&t, q, 0.5f, 0);
    op_test_quantize(&t, p, 1.0f / 256, i == 0 ? 0 : -128);
    op_test_node(&t, BuiltinOperator_SOFTMAX, 2, OP_TENSORS(q), OP_TENSORS(p));
    op_test_options(&t, BuiltinOptions_SoftmaxOptions, softmax_writer, &betas[i]);
    op_test_expect_refusal(&t, texts[i]);
    op_test_end(&t);
  }
}

static void normalised_rows(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int l = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1)), q = op_test_input(&t, TensorType_INT8, OP_DIMS(1, 2));
  int u = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 2)), v = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 2));
  op_test_quantize(&t, q, 0.5f, 1);
  op_test_quantize(&t, u, 1.0f / 128, 0);
  op_test_quantize(&t, v, 1.0f / 16, 127);
  op_test_node(&t, BuiltinOperator_L2_NORMALIZATION, 1, OP_TENSORS(x), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_LOG_SOFTMAX, 1, OP_TENSORS(x), OP_TENSORS(l));
  op_test_node(&t, BuiltinOperator_L2_NORMALIZATION, 2, OP_TENSORS(q), OP_TENSORS(u));
  op_test_node(&t, BuiltinOperator_LOG_SOFTMAX, 2, OP_TENSORS(q), OP_TENSORS(v));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, -4});
  op_test_set(&t, q, (int8_t[]){4, -3});  // 3, -4: 1.5 and -2
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){0.6f, -0.8f}, 2, 1e-6f);
  op_test_expect_f32(&t, l, (float[]){-0.00091147f, -7.0009115f}, 2, 1e-6f);
  op_test_expect_i8(&t, u, (int8_t[]){77, -102}, 2);  // 76.8, -102.4
  op_test_expect_i8(&t, v, (int8_t[]){127, 71}, 2);   // -0.0298 and -3.5298 in sixteenths
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(float_layers),       cmocka_unit_test(weights_that_are_inputs), cmocka_unit_test(a_filter_without_columns),
      cmocka_unit_test(int8_layers),        cmocka_unit_test(hybrid_layers),           cmocka_unit_test(refused_layers),
      cmocka_unit_test(broadcast_products), cmocka_unit_test(refused_products),        cmocka_unit_test(pools),
      cmocka_unit_test(refused_pools),      cmocka_unit_test(argmax_and_unpool),       cmocka_unit_test(softmax_rows),
      cmocka_unit_test(refused_softmax),    cmocka_unit_test(normalised_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
