// SPDX-License-Identifier: Apache-2.0
// Convolutions, through whole models: hand-computed values in every number format, shapes that change, sparse and packed filters,
// and what prepare refuses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "operators/op_harness.h"

typedef struct conv_options {
  int8_t padding, activation;
  int32_t stride_h, stride_w, dilation;
} conv_options;

static fb_ref conv_writer(fb_builder *b, const void *data) {
  const conv_options *o = data;
  fb_build_table(b);
  fb_build_i8(b, Conv2DOptions_padding_id, o->padding, Padding_SAME);
  fb_build_i32(b, Conv2DOptions_stride_w_id, o->stride_w, 0);
  fb_build_i32(b, Conv2DOptions_stride_h_id, o->stride_h, 0);
  fb_build_i8(b, Conv2DOptions_fused_activation_function_id, o->activation, ActivationFunctionType_NONE);
  fb_build_i32(b, Conv2DOptions_dilation_w_factor_id, o->dilation, 1);
  fb_build_i32(b, Conv2DOptions_dilation_h_factor_id, o->dilation, 1);
  return fb_build_table_end(b);
}

static fb_ref depthwise_writer(fb_builder *b, const void *data) {
  const conv_options *o = data;
  fb_build_table(b);
  fb_build_i8(b, DepthwiseConv2DOptions_padding_id, o->padding, Padding_SAME);
  fb_build_i32(b, DepthwiseConv2DOptions_stride_w_id, o->stride_w, 0);
  fb_build_i32(b, DepthwiseConv2DOptions_stride_h_id, o->stride_h, 0);
  fb_build_i8(b, DepthwiseConv2DOptions_fused_activation_function_id, o->activation, ActivationFunctionType_NONE);
  return fb_build_table_end(b);
}

static fb_ref transpose_writer(fb_builder *b, const void *data) {
  const conv_options *o = data;
  fb_build_table(b);
  fb_build_i8(b, TransposeConvOptions_padding_id, o->padding, Padding_SAME);
  fb_build_i32(b, TransposeConvOptions_stride_w_id, o->stride_w, 0);
  fb_build_i32(b, TransposeConvOptions_stride_h_id, o->stride_h, 0);
  return fb_build_table_end(b);
}

static const conv_options same = {Padding_SAME, ActivationFunctionType_NONE, 1, 1, 1};
static const conv_options valid = {Padding_VALID, ActivationFunctionType_NONE, 1, 1, 1};
static const float ramp[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static void float_images(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3, 1)),
      y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3, 2));
  int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2, 2, 1), (float[]){1, 10, 100, 1000, 0, 0, 0, -1});
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2), (float[]){0.5f, 2});
  op_test_node(&t, BuiltinOperator_CONV_2D, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer,
                  &(conv_options){Padding_SAME, ActivationFunctionType_RELU, 1, 1, 1});
  op_test_prepare(&t);
  op_test_set(&t, x, ramp);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(1, 3, 3, 2));
  op_test_expect_f32(
      &t, y, (float[]){5421.5f, 0, 6532.5f, 0, 603.5f, 2, 8754.5f, 0, 9865.5f, 0, 906.5f, 2, 87.5f, 2, 98.5f, 2, 9.5f, 2}, 18, 0);
  op_test_resize(&t, x, OP_DIMS(2, 1, 1, 1));
  op_test_set(&t, x, (float[]){3, 4});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2, 1, 1, 2));
  op_test_expect_f32(&t, y, (float[]){3.5f, 2, 4.5f, 2}, 4, 0);
  op_test_end(&t);
}

// Two groups of one channel each, taps two pixels apart.
static void groups_and_dilation(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 4, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 2, 1), (float[]){1, 10, 1, -1});
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2), (float[]){0, 0});
  op_test_node(&t, BuiltinOperator_CONV_2D, 6, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer,
                  &(conv_options){Padding_VALID, ActivationFunctionType_NONE, 1, 1, 2});
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 5, 2, 6, 3, 7, 4, 8});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(1, 1, 2, 2));
  op_test_expect_f32(&t, y, (float[]){31, -2, 42, -2}, 4, 0);
  op_test_end(&t);
}

// input (q + 1) / 2, filter channels in 1/4 and 1/8, output (q - 10): sums are scaled by 1/8 and 1/16.
static void begin_int8(op_test *t, int *x, int *y, enum TensorType filter_type, const void *filter) {
  static const float scales[] = {0.25f, 0.125f};
  static const int64_t zeros[] = {0, 0};
  static const int32_t biases[] = {8, -16};
  op_test_begin(t);
  *x = op_test_input(t, TensorType_INT8, OP_DIMS(1, 1, 2, 2));
  *y = op_test_output(t, TensorType_INT8, OP_DIMS(1, 1, 2, 2));
  int w = op_test_constant(t, filter_type, OP_DIMS(2, 1, 1, 2), filter);
  int bias = op_test_constant(t, TensorType_INT32, OP_DIMS(2), biases);
  op_test_quantize(t, *x, 0.5f, -1);
  op_test_quantize_channels(t, w, scales, zeros, 2, 0);
  op_test_quantize(t, *y, 1, 10);
  op_test_node(t, BuiltinOperator_CONV_2D, 3, OP_TENSORS(*x, w, bias), OP_TENSORS(*y));
  op_test_options(t, BuiltinOptions_Conv2DOptions, conv_writer, &same);
}

static void int8_and_int4_filters(void **state) {
  (void)state;
  const int8_t bytes[] = {3, -2, 7, 1};
  const uint8_t nibbles[] = {0xE3, 0x17};
  for (int packed = 0; packed < 2; packed++) {
    op_test t;
    int x, y;
    begin_int8(&t, &x, &y, packed ? TensorType_INT4 : TensorType_INT8, packed ? (const void *)nibbles : bytes);
    op_test_prepare(&t);
    op_test_set(&t, x, (int8_t[]){3, 7, 127, -128});  // 4, 8; 128, -127
    op_test_invoke(&t);
    // (12 - 16 + 8) / 8 = 0.5 rounds to 1, (28 + 8 - 16) / 16 = 1.25; (384 + 254 + 8) / 8 = 80.75, (896 - 127 - 16) / 16 = 47.06
    op_test_expect_i8(&t, y, (int8_t[]){11, 11, 91, 57}, 4);
    op_test_end(&t);
  }
}

// A packed filter that is computed: it is unpacked in every run.
static void an_int4_filter_that_is_an_input(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 3)), y = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 1));
  int w = op_test_input(&t, TensorType_INT4, OP_DIMS(1, 1, 1, 3));
  int bias = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){0});
  op_test_quantize(&t, x, 1, 0);
  op_test_quantize(&t, w, 1, 0);
  op_test_quantize(&t, y, 1, 0);
  op_test_node(&t, BuiltinOperator_CONV_2D, 3, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &same);
  op_test_prepare(&t);
  op_test_set(&t, x, (int8_t[]){1, 2, 3});
  op_test_set(&t, w, (uint8_t[]){0x81, 0x07});  // 1, -8, 7
  op_test_invoke(&t);
  op_test_expect_i8(&t, y, (int8_t[]){6}, 1);
  op_test_set(&t, w, (uint8_t[]){0x00, 0x0F});
  op_test_invoke(&t);
  op_test_expect_i8(&t, y, (int8_t[]){-3}, 1);
  op_test_end(&t);
}

static void uint8_images(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_UINT8, OP_DIMS(1, 2, 1, 1)), y = op_test_output(&t, TensorType_UINT8, OP_DIMS(1, 2, 1, 1));
  int w = op_test_constant(&t, TensorType_UINT8, OP_DIMS(1, 2, 1, 1), (uint8_t[]){101, 98});  // 1, -2
  int bias = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){4});
  op_test_quantize(&t, x, 0.5f, 128);
  op_test_quantize(&t, w, 0.5f, 100);
  op_test_quantize(&t, bias, 0.25f, 0);
  op_test_quantize(&t, y, 0.5f, 20);
  op_test_node(&t, BuiltinOperator_CONV_2D, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer,
                  &(conv_options){Padding_SAME, ActivationFunctionType_RELU6, 1, 1, 1});
  op_test_prepare(&t);
  op_test_set(&t, x, (uint8_t[]){138, 118});  // 10, -10
  op_test_invoke(&t);
  op_test_expect_u8(&t, y, (uint8_t[]){32, 20}, 2);  // (10 + 20 + 4) / 2 = 17, above 6.0; (-10 + 4) / 2 = -3, below 0
  op_test_end(&t);
}

// 16-bit activations: a bias of 64 bits has sums of 64, one of 32 bits sums of 32.
static void int16_images(void **state) {
  (void)state;
  for (int wide = 0; wide < 2; wide++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_INT16, OP_DIMS(1, 1, 1, 2)),
        y = op_test_output(&t, TensorType_INT16, OP_DIMS(1, 1, 1, 1));
    int w = op_test_constant(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 2), (int8_t[]){100, -50});
    int bias = wide ? op_test_constant(&t, TensorType_INT64, OP_DIMS(1), (int64_t[]){INT64_C(1) << 33})
                    : op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){1 << 20});
    op_test_quantize(&t, x, 0.001f, 0);
    op_test_quantize(&t, w, 0.25f, 0);
    op_test_quantize(&t, y, wide ? 256.0f : 0.064f, 0);  // multipliers 2^-20 and 2^-8
    if (wide) op_test_quantize(&t, x, 0.0009765625f, 0);
    op_test_node(&t, BuiltinOperator_CONV_2D, 4, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &valid);
    op_test_prepare(&t);
    op_test_set(&t, x, (int16_t[]){30000, 1000});
    op_test_invoke(&t);
    // 2950000 + 2^33 = 8192 * 2^20 + 2.8 * 2^20; (2950000 + 2^20) / 256 = 15619.4
    op_test_expect_i16(&t, y, wide ? (int16_t[]){8195} : (int16_t[]){15619}, 1);
    op_test_end(&t);
  }
}

static void hybrid_images(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 2)),
      y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 1));
  int w = op_test_constant(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 2), (int8_t[]){127, -64});
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){0.5f});
  op_test_quantize(&t, w, 0.5f, 0);
  op_test_node(&t, BuiltinOperator_CONV_2D, 2, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &valid);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){127, 1, 0.5f, -0.25f});  // exact in 1/127 of the largest
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){8033, 40.3110f}, 2, 1e-4f);  // image 2: 127 and -64 of 0.5 / 127
  op_test_end(&t);
}

static void depthwise_images(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(1, 2, 2, 2)), y = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 4));
  int w =
      op_test_constant(&t, TensorType_INT8, OP_DIMS(1, 2, 2, 4), (int8_t[]){1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, -1, -1});
  int bias = op_test_constant(&t, TensorType_INT32, OP_DIMS(4), (int32_t[]){0, 0, 4, 0});
  op_test_quantize(&t, x, 1, 2);
  op_test_quantize(&t, w, 0.5f, 0);
  op_test_quantize(&t, y, 1, 0);
  op_test_node(&t, BuiltinOperator_DEPTHWISE_CONV_2D, 3, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_DepthwiseConv2DOptions, depthwise_writer, &(conv_options){Padding_VALID, 0, 2, 2, 1});
  op_test_prepare(&t);
  op_test_set(&t, x, (int8_t[]){12, 22, 0, 0, 0, 0, 6, 10});  // 10 and 20; 4 and 8 in the last pixel
  op_test_invoke(&t);
  op_test_expect_i8(&t, y, (int8_t[]){7, 12, 28, 36}, 4);  // (10 + 4) / 2, (20 + 4) / 2, (60 - 8 + 4) / 2, (80 - 8) / 2
  op_test_end(&t);
}

// The output's shape as a constant and as an input that is known at run time only.
static void transposed_images(void **state) {
  (void)state;
  for (int known = 0; known < 2; known++) {
    op_test t;
    op_test_begin(&t);
    const int32_t dims[] = {1, 1, 5, 1};
    int shape =
        known ? op_test_constant(&t, TensorType_INT32, OP_DIMS(4), dims) : op_test_input(&t, TensorType_INT32, OP_DIMS(4));
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 2, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 3, 1), (float[]){1, 2, 3});
    int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){0.5f});
    op_test_node(&t, BuiltinOperator_TRANSPOSE_CONV, 3, OP_TENSORS(shape, w, x, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_TransposeConvOptions, transpose_writer, &(conv_options){Padding_VALID, 0, 1, 2, 1});
    op_test_prepare(&t);
    if (!known) op_test_set(&t, shape, dims);
    op_test_set(&t, x, (float[]){10, 100});
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, OP_DIMS(1, 1, 5, 1));
    op_test_expect_f32(&t, y, (float[]){10.5f, 20.5f, 130.5f, 200.5f, 300.5f}, 5, 0);
    op_test_end(&t);
  }
}

// [2, 1, 1, 4] in runs of the last dimension cut by two: one of four blocks is there.
static fb_ref block_writer(fb_builder *b, const void *data) {
  (void)data;
  fb_ref levels[5];
  for (int i = 0; i < 5; i++) {
    static const int32_t sizes[] = {2, 1, 1, 0, 2};
    if (i == 3) {
      fb_ref segments = fb_build_vector(b, (uint8_t[]){0, 0, 1}, 3, 1, 0), indices = fb_build_vector(b, (uint8_t[]){1}, 1, 1, 0);
      fb_build_table(b);
      fb_build_ref(b, Uint8Vector_values_id, segments);
      segments = fb_build_table_end(b);
      fb_build_table(b);
      fb_build_ref(b, Uint8Vector_values_id, indices);
      indices = fb_build_table_end(b);
      fb_build_table(b);
      fb_build_i8(b, DimensionMetadata_format_id, DimensionType_SPARSE_CSR, 0);
      fb_build_u8(b, DimensionMetadata_array_segments_type_id, SparseIndexVector_Uint8Vector, 0);
      fb_build_ref(b, DimensionMetadata_array_segments_id, segments);
      fb_build_u8(b, DimensionMetadata_array_indices_type_id, SparseIndexVector_Uint8Vector, 0);
      fb_build_ref(b, DimensionMetadata_array_indices_id, indices);
    } else {
      fb_build_table(b);
      fb_build_i32(b, DimensionMetadata_dense_size_id, sizes[i], 0);
    }
    levels[i] = fb_build_table_end(b);
  }
  fb_ref order = fb_build_vector(b, (int32_t[]){0, 1, 2, 3, 4}, 5, 4, 0), map = fb_build_vector(b, (int32_t[]){3}, 1, 4, 0);
  fb_ref metadata = fb_build_refs(b, levels, 5);
  fb_build_table(b);
  fb_build_ref(b, SparsityParameters_traversal_order_id, order);
  fb_build_ref(b, SparsityParameters_block_map_id, map);
  fb_build_ref(b, SparsityParameters_dim_metadata_id, metadata);
  return fb_build_table_end(b);
}

// A sparse filter as the convolution's own, and through DENSIFY.
static void sparse_filters(void **state) {
  (void)state;
  for (int densify = 0; densify < 2; densify++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1, 4)),
        y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1, 2));
    int w = op_test_sparse(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4), (float[]){5, 7}, 8, block_writer, NULL);
    int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2), (float[]){1, 2});
    if (densify) {
      int dense = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4));
      op_test_node(&t, BuiltinOperator_DENSIFY, 1, OP_TENSORS(w), OP_TENSORS(dense));
      w = dense;
    }
    op_test_node(&t, BuiltinOperator_CONV_2D, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &same);
    op_test_prepare(&t);
    op_test_set(&t, x, ramp);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, (float[]){1, 3 * 5 + 4 * 7 + 2}, 2, 0);
    op_test_end(&t);
  }
}

// The bytes of a sparse constant are too few for its shape: who does not know of them must not get them.
static void sparse_inputs_elsewhere(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4)),
      y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4));
  int w = op_test_sparse(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4), (float[]){5, 7}, 8, block_writer, NULL);
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(x, w), OP_TENSORS(y));
  op_test_expect_refusal(&t, "is a sparse constant");
  op_test_end(&t);
  op_test_begin(&t);
  x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1, 8));
  w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(8, 1, 1, 1), (float[8]){0});
  int bias = op_test_sparse(&t, TensorType_FLOAT32, OP_DIMS(2, 1, 1, 4), (float[]){5, 7}, 8, block_writer, NULL);
  op_test_node(&t, BuiltinOperator_CONV_2D, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &same);
  op_test_expect_refusal(&t, "is a sparse constant");
  op_test_end(&t);
}

// MediaPipe's options are structs as they lie in memory.
static void mediapipe_transposed(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 2, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 3, 1), (float[]){1, 2, 3});
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){0.5f});
  const uint8_t options[12] = {1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0};  // SAME, strides 2 and 1
  op_test_custom(&t, "Convolution2DTransposeBias", 1, options, sizeof options, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){10, 100});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(1, 1, 4, 1));  // 5, less 3 - 1 % 2 - 1 that SAME takes off
  op_test_expect_f32(&t, y, (float[]){10.5f, 20.5f, 130.5f, 200.5f}, 4, 0);
  op_test_end(&t);
  op_test_begin(&t);
  x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 2, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 3, 1), (float[]){1, 2, 3});
  bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){0.5f});
  op_test_custom(&t, "Convolution2DTransposeBias", 1, options, 11, OP_TENSORS(x, w, bias), OP_TENSORS(y));
  op_test_expect_refusal(&t, "12 are needed");
  op_test_end(&t);
}

// ---- What prepare refuses: a float convolution [1, 3, 3, in] * [out, 2, 2, filter in], one thing wrong each time. ----
typedef struct refusal {
  conv_options options;
  int in, filter_in, out, bias;
  const char *text;
} refusal;

static void refused_convolutions(void **state) {
  (void)state;
  static const refusal table[] = {
      {{Padding_SAME, 0, 0, 1, 1}, 1, 1, 1, 1, "do not fit"},          {{Padding_SAME, 0, 1, -1, 1}, 1, 1, 1, 1, "do not fit"},
      {{Padding_SAME, 0, 1, 1, 0}, 1, 1, 1, 1, "do not fit"},          {{Padding_VALID, 0, 1, 1, 4}, 1, 1, 1, 1, "do not fit"},
      {{Padding_SAME, 0, 1, 1, INT32_MAX}, 1, 1, 1, 1, "do not fit"},  {{7, 0, 1, 1, 1}, 1, 1, 1, 1, "padding"},
      {{Padding_SAME, 0, 1, 1, 1}, 3, 2, 1, 1, "do not divide"},       {{Padding_SAME, 0, 1, 1, 1}, 4, 2, 3, 3, "2 groups"},
      {{Padding_SAME, 0, 1, 1, 1}, 2, 2, 3, 2, "bias has 2 elements"},
  };
  static const float zeros[64];
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const refusal *r = &table[i];
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3, r->in)),
        y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(r->out, 2, 2, r->filter_in), zeros);
    int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(r->bias), zeros);
    op_test_node(&t, BuiltinOperator_CONV_2D, 1, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &r->options);
    op_test_expect_refusal(&t, r->text);
    op_test_end(&t);
  }
}

static void refused_quantisations(void **state) {
  (void)state;
  static const int8_t weights[4] = {1, 2, 3, 4};
  for (int wrong = 0; wrong < 4; wrong++) {
    static const char *const texts[] = {"zero point 3", "no usable multiplier", "of dimension 1", "no quantisation"};
    static const float two[] = {0.5f, 0.25f}, no_scale = 0;
    static const int64_t no_zeros[] = {0, 0};
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 2)), y = op_test_output(&t, TensorType_INT8, OP_DIMS(1, 1, 1, 2));
    int w = op_test_constant(&t, TensorType_INT8, OP_DIMS(2, 1, 1, 2), weights);
    int bias = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){0, 0});
    if (wrong != 3) op_test_quantize(&t, x, 0.5f, 0);
    if (wrong == 1)
      op_test_quantize_channels(&t, y, &no_scale, no_zeros, 1, 0);
    else
      op_test_quantize(&t, y, 1, 0);
    if (wrong == 2)
      op_test_quantize_channels(&t, w, two, no_zeros, 2, 1);
    else
      op_test_quantize(&t, w, 0.5f, wrong == 0 ? 3 : 0);
    op_test_node(&t, BuiltinOperator_CONV_2D, 3, OP_TENSORS(x, w, bias), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_Conv2DOptions, conv_writer, &same);
    op_test_expect_refusal(&t, texts[wrong]);
    op_test_end(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(float_images),
      cmocka_unit_test(groups_and_dilation),
      cmocka_unit_test(int8_and_int4_filters),
      cmocka_unit_test(uint8_images),
      cmocka_unit_test(an_int4_filter_that_is_an_input),
      cmocka_unit_test(int16_images),
      cmocka_unit_test(hybrid_images),
      cmocka_unit_test(depthwise_images),
      cmocka_unit_test(transposed_images),
      cmocka_unit_test(sparse_filters),
      cmocka_unit_test(sparse_inputs_elsewhere),
      cmocka_unit_test(mediapipe_transposed),
      cmocka_unit_test(refused_convolutions),
      cmocka_unit_test(refused_quantisations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
