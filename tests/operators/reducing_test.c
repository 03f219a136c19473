// SPDX-License-Identifier: Apache-2.0
// Reductions, positions of extremes, running sums, segments, buckets: results worked out by hand, and reductions over random
// shapes against a formulation by index arithmetic.
#include "operators/op_cases.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/reduction.h"

static fb_ref keep_options(fb_builder *b, const void *data) {
  (void)data;
  fb_build_table(b);
  fb_build_bool(b, ReducerOptions_keep_dims_id, true, false);
  return fb_build_table_end(b);
}
#define KEEP_DIMS .options_type = BuiltinOptions_ReducerOptions, .options = keep_options

static const op_case reduction_cases[] = {
    {.name = "mean over height and width",
     .code = BuiltinOperator_MEAN,
     KEEP_DIMS,
     .in = {ARG_F(ARG_D(1, 2, 2, 2), 1, 10, 2, 20, 3, 30, 6, 40), ARG_C_I32(ARG_D(2), 1, 2)},
     .out = {ARG_F(ARG_D(1, 1, 1, 2), 3, 25)}},
    {.name = "mean of int32 is cut off",
     .code = BuiltinOperator_MEAN,
     .in = {ARG_I32(ARG_D(2, 2), 1, 2, -1, -2), ARG_C_I32(ARG_D(1), -1)},
     .out = {ARG_I32(ARG_D(2), 1, -1)}},
    {.name = "mean of int8",
     .code = BuiltinOperator_MEAN,
     .version = 2,
     .in = {ARG_I8(ARG_D(1, 4), 10, 20, 30, 40), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_I8(ARG_D(1), 25)},
     .scale = 0.5f,
     .zero_point = 3},
    {.name = "mean of int16",
     .code = BuiltinOperator_MEAN,
     .version = 3,
     .in = {ARG_I16(ARG_D(3), 30000, 30000, -3), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_I16(ARG_SCALAR, 19999)},
     .scale = 0.5f},
    {.name = "sum over everything, axes named twice",
     .code = BuiltinOperator_SUM,
     .in = {ARG_F(ARG_D(2, 2), 1, 2, 3, 4), ARG_C_I32(ARG_D(3), 0, 1, -1)},
     .out = {ARG_F(ARG_SCALAR, 10)}},
    {.name = "sum over the outer axis",
     .code = BuiltinOperator_SUM,
     .in = {ARG_I64(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_I64(ARG_D(3), 5, 7, 9)}},
    {.name = "sum over no axis",
     .code = BuiltinOperator_SUM,
     .in = {ARG_I32(ARG_D(2), 1, 2), ARG_EMPTY(TensorType_INT32, ARG_D(0))},
     .out = {ARG_I32(ARG_D(2), 1, 2)}},
    {.name = "sum of nothing",
     .code = BuiltinOperator_SUM,
     .in = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(0, 2)), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(2), 0, 0)}},
    {.name = "sum of uint8",
     .code = BuiltinOperator_SUM,
     .in = {ARG_U8(ARG_D(3), 102, 101, 97), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_U8(ARG_SCALAR, 100)},
     .scale = 1,
     .zero_point = 100},
    {.name = "sum of a scalar",
     .code = BuiltinOperator_SUM,
     .in = {ARG_F(ARG_SCALAR, 5), ARG_C_I32(ARG_D(1), 7)},
     .out = {ARG_F(ARG_SCALAR, 5)}},
    {.name = "product over alternate axes",
     .code = BuiltinOperator_REDUCE_PROD,
     .in = {ARG_F(ARG_D(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), ARG_C_I32(ARG_D(2), 0, 2)},
     .out = {ARG_F(ARG_D(2), 60, 672)}},
    {.name = "product of int8",
     .code = BuiltinOperator_REDUCE_PROD,
     .version = 2,
     .in = {ARG_I8(ARG_D(3), 4, 6, 4), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_I8(ARG_SCALAR, 24)},
     .scale = 0.5f},  // 2 * 3 * 2 = 12
    {.name = "maximum",
     .code = BuiltinOperator_REDUCE_MAX,
     .in = {ARG_I8(ARG_D(2, 2), -3, -5, -128, -7), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_I8(ARG_D(2), -3, -7)},
     .scale = 0.5f,
     .zero_point = 1},
    {.name = "minimum",
     .code = BuiltinOperator_REDUCE_MIN,
     .in = {ARG_F(ARG_D(2, 2), -3, 5, 2, 7), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(2), -3, 5)}},
    {.name = "any",
     .code = BuiltinOperator_REDUCE_ANY,
     .in = {ARG_BOOL(ARG_D(2, 2), false, false, true, false), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_BOOL(ARG_D(2), false, true)}},
    {.name = "all",
     .code = BuiltinOperator_REDUCE_ALL,
     .in = {ARG_BOOL(ARG_D(2, 2), true, true, true, false), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_BOOL(ARG_D(2), true, false)}},
    {.name = "an axis that is not there",
     .code = BuiltinOperator_SUM,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(1), 1)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "axis 1 is out of range for rank 1"},
    {.name = "any of floats",
     .code = BuiltinOperator_REDUCE_ANY,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "the input is of type FLOAT32"},
};
OP_CASES_TEST(reduction_cases)

static fb_ref position_options(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_i8(b, ArgMaxOptions_output_type_id, *(const int8_t *)data, 0);
  return fb_build_table_end(b);
}
#define POSITIONS(kind, type)                                                                                      \
  .options_type = BuiltinOptions_##kind##Options, .options = position_options, .options_data = (const int8_t[1]) { \
    TensorType_##type                                                                                              \
  }
static fb_ref running_options(fb_builder *b, const void *data) {
  const bool *flags = data;
  fb_build_table(b);
  fb_build_bool(b, CumsumOptions_exclusive_id, flags[0], false);
  fb_build_bool(b, CumsumOptions_reverse_id, flags[1], false);
  return fb_build_table_end(b);
}
#define RUNNING(...) \
  .options_type = BuiltinOptions_CumsumOptions, .options = running_options, .options_data = (const bool[2]) { __VA_ARGS__ }
static fb_ref bucket_options(fb_builder *b, const void *data) {
  fb_ref boundaries = fb_build_vector(b, data, 3, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, BucketizeOptions_boundaries_id, boundaries);
  return fb_build_table_end(b);
}
#define BUCKETS(...) \
  .options_type = BuiltinOptions_BucketizeOptions, .options = bucket_options, .options_data = (const float[3]) { __VA_ARGS__ }

static const op_case search_cases[] = {
    {.name = "arg_max of the last axis, first of equals",
     .code = BuiltinOperator_ARG_MAX,
     POSITIONS(ArgMax, INT32),
     .in = {ARG_F(ARG_D(2, 3), 1, 5, 5, 9, 2, 3), ARG_C_I32(ARG_SCALAR, -1)},
     .out = {ARG_I32(ARG_D(2), 1, 0)}},
    {.name = "arg_max past a NaN",
     .code = BuiltinOperator_ARG_MAX,
     POSITIONS(ArgMax, INT64),
     .in = {ARG_F(ARG_D(3), NAN, -2, -1), ARG_C_I32(ARG_D(1), 0)},
     .out = {ARG_I64(ARG_SCALAR, 2)}},
    {.name = "arg_min of a middle axis",
     .code = BuiltinOperator_ARG_MIN,
     POSITIONS(ArgMin, INT32),
     .in = {ARG_U8(ARG_D(1, 3, 2), 5, 1, 4, 2, 6, 0), ARG_C_I64(ARG_D(1), 1)},
     .out = {ARG_I32(ARG_D(1, 2), 1, 2)}},
    {.name = "arg_max of an empty axis",
     .code = BuiltinOperator_ARG_MAX,
     POSITIONS(ArgMax, INT32),
     .in = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(2, 0)), ARG_C_I32(ARG_SCALAR, 1)},
     .out = {ARG_I32(ARG_D(1), 0)},
     .refusal = "an empty axis"},
    {.name = "cumsum",
     .code = BuiltinOperator_CUMSUM,
     .in = {ARG_F(ARG_D(2, 3), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_SCALAR, 1)},
     .out = {ARG_F(ARG_D(2, 3), 1, 3, 6, 4, 9, 15)}},
    {.name = "cumsum, exclusive and from the end",
     .code = BuiltinOperator_CUMSUM,
     RUNNING(true, true),
     .in = {ARG_I32(ARG_D(3, 2), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(1), -2)},
     .out = {ARG_I32(ARG_D(3, 2), 8, 10, 5, 6, 0, 0)}},
    {.name = "segment_sum",
     .code = BuiltinOperator_SEGMENT_SUM,
     .in = {ARG_F(ARG_D(3, 2), 1, 2, 3, 4, 5, 6), ARG_C_I32(ARG_D(3), 0, 0, 1)},
     .out = {ARG_F(ARG_D(2, 2), 4, 6, 5, 6)}},
    {.name = "segment_sum with a gap",
     .code = BuiltinOperator_SEGMENT_SUM,
     .in = {ARG_F(ARG_D(2), 1, 2), ARG_C_I32(ARG_D(2), 0, 2)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "rise by at most 1: 2 after 0"},
    {.name = "unsorted_segment_sum",
     .code = BuiltinOperator_UNSORTED_SEGMENT_SUM,
     .in = {ARG_I32(ARG_D(4), 1, 2, 3, 4), ARG_C_I32(ARG_D(4), 2, 0, -1, 2), ARG_C_I32(ARG_SCALAR, 4)},
     .out = {ARG_I32(ARG_D(4), 2, 0, 5, 0)}},
    {.name = "unsorted_segment_prod, ids of rank 2",
     .code = BuiltinOperator_UNSORTED_SEGMENT_PROD,
     .in = {ARG_F(ARG_D(2, 2), 2, 3, 4, 5), ARG_C_I32(ARG_D(2, 2), 0, 1, 0, 1), ARG_C_I32(ARG_D(1), 2)},
     .out = {ARG_F(ARG_D(2), 8, 15)}},
    {.name = "unsorted_segment_max",
     .code = BuiltinOperator_UNSORTED_SEGMENT_MAX,
     .in = {ARG_I32(ARG_D(2, 2), 1, 9, 3, 4), ARG_C_I32(ARG_D(2), 0, 0), ARG_C_I32(ARG_SCALAR, 2)},
     .out = {ARG_I32(ARG_D(2, 2), 3, 9, INT32_MIN, INT32_MIN)}},
    {.name = "unsorted_segment_min",
     .code = BuiltinOperator_UNSORTED_SEGMENT_MIN,
     .in = {ARG_F(ARG_D(2), 1, 9), ARG_C_I32(ARG_D(2), 0, 0), ARG_C_I32(ARG_SCALAR, 1)},
     .out = {ARG_F(ARG_D(1), 1)}},
    {.name = "unsorted_segment_sum beyond the last segment",
     .code = BuiltinOperator_UNSORTED_SEGMENT_SUM,
     .in = {ARG_F(ARG_D(1), 1), ARG_C_I32(ARG_D(1), 3), ARG_C_I32(ARG_SCALAR, 3)},
     .out = {ARG_F(ARG_D(1), 0)},
     .refusal = "id 3 is out of range for 3"},
    {.name = "bucketize",
     .code = BuiltinOperator_BUCKETIZE,
     BUCKETS(0, 10, 100),
     .in = {ARG_F(ARG_D(2, 3), -5, 0, 9.5f, 10, 100, 1000)},
     .out = {ARG_I32(ARG_D(2, 3), 0, 1, 1, 2, 3, 3)}},
    {.name = "bucketize by boundaries out of order",
     .code = BuiltinOperator_BUCKETIZE,
     BUCKETS(0, 10, 1),
     .in = {ARG_I32(ARG_D(1), 1)},
     .out = {ARG_I32(ARG_D(1), 0)},
     .refusal = "boundary 2 is below the one before"},
};
OP_CASES_TEST(search_cases)

// ---- Random shapes ----
static uint64_t reduce_seed = 20260805;
static int draw_upto(int most) {
  reduce_seed = reduce_seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((reduce_seed >> 33) % (uint64_t)(most + 1));
}

static void sums_follow_index_arithmetic(void **state) {
  (void)state;
  static int32_t in[1 << 13], out[1 << 13], expected[1 << 13];
  for (int round = 0; round < 2000; round++) {
    int rank = draw_upto(5), dims[5];
    size_t count = 1, outputs = 1;
    uint32_t axes = (uint32_t)draw_upto(31) & ((1u << rank) - 1);
    for (int i = 0; i < rank; i++) {
      dims[i] = 1 + draw_upto(rank > 3 ? 4 : 16);
      count *= (size_t)dims[i];
      if (!(axes >> i & 1)) outputs *= (size_t)dims[i];
    }
    for (size_t i = 0; i < outputs; i++) expected[i] = 0;
    for (size_t i = 0; i < count; i++) {
      in[i] = draw_upto(2000) - 1000;
      size_t rest = i, to = 0, step = 1;
      for (int d = rank - 1; d >= 0; d--) {
        size_t at = rest % (size_t)dims[d];
        rest /= (size_t)dims[d];
        if (axes >> d & 1) continue;
        to += at * step;
        step *= (size_t)dims[d];
      }
      expected[to] += in[i];
    }
    reduction_plan plan;
    reduction_plan_make(&plan, rank, dims, axes);
    assert_int_equal(plan.outputs, outputs);
    assert_int_equal(plan.outputs * plan.count, count);
    const size_t bytes = sizeof *out;
    reduction_run(&plan, reduction_sum.i32, NULL, in, reduction_copy, &bytes, out);
    assert_memory_equal(out, expected, outputs * sizeof *out);
  }
}

static void long_rows_are_summed_closely(void **state) {
  (void)state;
  static float in[100003];
  double exact = 0;
  for (size_t i = 0; i < BASE_COUNT(in); i++) {
    in[i] = (float)draw_upto(1000000) / 1e6f - 0.25f;
    exact += in[i];
  }
  const int dims[1] = {(int)BASE_COUNT(in)};
  reduction_plan plan;
  reduction_plan_make(&plan, 1, dims, 1);
  float sum, largest, smallest;
  const size_t bytes = sizeof sum;
  reduction_run(&plan, reduction_sum.f32, NULL, in, reduction_copy, &bytes, &sum);
  reduction_run(&plan, reduction_maximum.f32, NULL, in, reduction_copy, &bytes, &largest);
  reduction_run(&plan, reduction_minimum.f32, NULL, in, reduction_copy, &bytes, &smallest);
  assert_true(fabs(sum - exact) < 1e-5 * exact);
  for (size_t i = 0; i < BASE_COUNT(in); i++) assert_true(in[i] <= largest && in[i] >= smallest);
}

static void quantised_means_round_to_the_nearest(void **state) {
  (void)state;
  static op_test t;
  for (int round = 0; round < 20; round++) {
    int n = 1 + draw_upto(300);
    int8_t values[301];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      values[i] = (int8_t)(draw_upto(255) - 128);
      sum += values[i] + 7;
    }
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_INT8, OP_DIMS(1, n)),
        axis = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){1});
    int y = op_test_output(&t, TensorType_INT8, OP_DIMS(1));
    op_test_quantize(&t, x, 0.5f, -7);
    op_test_quantize(&t, y, 0.3f, 5);
    op_test_node(&t, BuiltinOperator_MEAN, 2, OP_TENSORS(x, axis), OP_TENSORS(y));
    op_test_prepare(&t);
    op_test_set(&t, x, values);
    op_test_invoke(&t);
    double exact = sum / n * 0.5 / 0.3 + 5;
    double bounded = exact > 127 ? 127 : exact < -128 ? -128 : exact;
    assert_true(fabs(op_test_at(&t, y)->data.int8[0] - bounded) <= 0.5 + 1e-3);
    op_test_end(&t);
  }
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)reduce_seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduction_cases_hold),
      cmocka_unit_test(search_cases_hold),
      cmocka_unit_test(sums_follow_index_arithmetic),
      cmocka_unit_test(long_rows_are_summed_closely),
      cmocka_unit_test(quantised_means_round_to_the_nearest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
