// SPDX-License-Identifier: Apache-2.0
// REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW: running sums, pools, dilations, paddings by hand; what is refused.
#include "operators/op_cases.h"

static fb_ref window_function(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_i32(b, ReduceWindowOptions_reduce_function_id, *(const int32_t *)data, -1);
  return fb_build_table_end(b);
}

// The rows 1 2 3, 4 5 6, 7 8 9 under a window.
typedef struct window_case {
  int32_t function;
  int64_t numbers[3][2];  // shape, strides, dilations
  op_test_list dims;
  float out[9];
  const char *refusal;
} window_case;

static void rows_under_windows(void **state) {
  (void)state;
  static const float rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, one = 1;
  static const window_case cases[] = {
      {ReduceWindowFunction_ADD, {{2, 2}, {1, 1}, {1, 1}}, OP_DIMS(2, 2), {13, 17, 25, 29}, NULL},
      {ReduceWindowFunction_MUL, {{1, 2}, {2, 1}, {1, 1}}, OP_DIMS(2, 2), {2, 6, 56, 72}, NULL},
      {ReduceWindowFunction_MAXIMUM, {{2, 2}, {1, 1}, {2, 2}}, OP_DIMS(1, 1), {9}, NULL},
      {ReduceWindowFunction_MINIMUM, {{2, 1}, {1, 2}, {1, 1}}, OP_DIMS(2, 2), {1, 1, 1, 1}, NULL},
      {ReduceWindowFunction_ALL, {{3, 3}, {1, 1}, {1, 1}}, OP_DIMS(1, 1), {1}, NULL},
      {ReduceWindowFunction_ANY, {{1, 1}, {3, 3}, {9, 9}}, OP_DIMS(1, 1), {1}, NULL},
      {ReduceWindowFunction_ADD, {{4, 1}, {1, 1}, {1, 1}}, OP_DIMS(0, 3), {0}, NULL},
      {ReduceWindowFunction_UNSUPPORTED, {{1, 1}, {1, 1}, {1, 1}}, OP_DIMS(1, 1), {0}, "reduce_function is 0"},
      {7, {{1, 1}, {1, 1}, {1, 1}}, OP_DIMS(1, 1), {0}, "reduce_function is 7"},
      {ReduceWindowFunction_ADD, {{0, 1}, {1, 1}, {1, 1}}, OP_DIMS(1, 1), {0}, "axis 0: window 0"},
      {ReduceWindowFunction_ADD, {{1, 1}, {1, 0}, {1, 1}}, OP_DIMS(1, 1), {0}, "axis 1: window 1, stride 0"},
      {ReduceWindowFunction_ADD, {{1, 1}, {1, 1}, {1, INT64_MIN}}, OP_DIMS(1, 1), {0}, "axis 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static op_test t;
    const window_case *c = &cases[i];
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 3)),
        in[5] = {x, op_test_constant(&t, TensorType_FLOAT32, OP_SCALAR, &one)};
    for (int k = 0; k < 3; k++) in[2 + k] = op_test_constant(&t, TensorType_INT64, OP_DIMS(2), c->numbers[k]);
    int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
    op_test_node(&t, BuiltinOperator_REDUCE_WINDOW, 1, OP_TENSORS(in[0], in[1], in[2], in[3], in[4]), OP_TENSORS(y));
    op_test_options_2(&t, BuiltinOptions2_ReduceWindowOptions, window_function, &c->function);
    if (c->refusal) {
      op_test_expect_refusal(&t, c->refusal);
    } else {
      op_test_prepare(&t);
      op_test_set(&t, x, rows);
      op_test_invoke(&t);
      op_test_expect_dims(&t, y, c->dims);
      op_test_expect_f32(&t, y, c->out, op_case_count(c->dims), 0);
    }
    op_test_end(&t);
  }
}

static void windows_that_are_not_constant(void **state) {
  (void)state;
  static op_test t;
  static const int64_t ones[] = {1, 1};
  static const int32_t function = ReduceWindowFunction_ADD;
  for (int open = 2; open < 6; open++) {  // 5: one number too few
    int in[5];
    op_test_begin(&t);
    in[0] = op_test_input(&t, TensorType_INT32, OP_DIMS(3, 3));
    in[1] = op_test_input(&t, TensorType_INT32, OP_DIMS(1));
    for (int k = 2; k < 5; k++)
      in[k] = k == open ? op_test_input(&t, TensorType_INT64, OP_DIMS(2))
                        : op_test_constant(&t, TensorType_INT64, open == 5 ? OP_DIMS(1) : OP_DIMS(2), ones);
    int y = op_test_output(&t, TensorType_INT32, OP_DIMS(1, 1));
    op_test_node(&t, BuiltinOperator_REDUCE_WINDOW, 1, OP_TENSORS(in[0], in[1], in[2], in[3], in[4]), OP_TENSORS(y));
    op_test_options_2(&t, BuiltinOptions2_ReduceWindowOptions, window_function, &function);
    op_test_expect_refusal(&t, open < 5 ? "is not constant" : "has 1 numbers for rank 2");
    op_test_end(&t);
  }
}

// ---- STABLEHLO_REDUCE_WINDOW. ----
typedef struct stablehlo_window {
  int64_t numbers[5][4];  // dimensions, strides, base dilations, window dilations, padding
  int count[5];
} stablehlo_window;

static fb_ref stablehlo_options(fb_builder *b, const void *data) {
  const stablehlo_window *w = data;
  fb_ref vectors[5];
  for (int i = 0; i < 5; i++) vectors[i] = fb_build_vector(b, w->numbers[i], (uint32_t)w->count[i], 8, 8);
  fb_build_table(b);
  fb_build_ref(b, StablehloReduceWindowOptions_window_dimensions_id, vectors[0]);
  if (w->count[1]) fb_build_ref(b, StablehloReduceWindowOptions_window_strides_id, vectors[1]);
  if (w->count[2]) fb_build_ref(b, StablehloReduceWindowOptions_base_dilations_id, vectors[2]);
  if (w->count[3]) fb_build_ref(b, StablehloReduceWindowOptions_window_dilations_id, vectors[3]);
  if (w->count[4]) fb_build_ref(b, StablehloReduceWindowOptions_padding_id, vectors[4]);
  fb_build_i32(b, StablehloReduceWindowOptions_body_subgraph_index_id, 1, 0);
  return fb_build_table_end(b);
}

typedef struct stablehlo_case {
  enum BuiltinOperator body;
  int32_t initial;
  stablehlo_window window;
  op_test_list dims;
  int32_t out[9];
  const char *refusal;
} stablehlo_case;

static void describe_body(op_test *t, enum BuiltinOperator code) {
  op_test_subgraph(t);
  int a = op_test_input(t, TensorType_INT32, OP_SCALAR), b = op_test_input(t, TensorType_INT32, OP_SCALAR);
  int y = op_test_output(t, TensorType_INT32, OP_SCALAR);
  op_test_node(t, code, 1, OP_TENSORS(a, b), OP_TENSORS(y));
}

// The rows 1 2 3, 4 5 6.
static void stablehlo_windows(void **state) {
  (void)state;
  static const int32_t rows[] = {1, 2, 3, 4, 5, 6};
  static const stablehlo_case cases[] = {
      // Running sums along the rows: padded in front.
      {BuiltinOperator_STABLEHLO_ADD,
       0,
       {{{1, 3}, {0}, {0}, {0}, {0, 0, 2, 0}}, {2, 0, 0, 0, 4}},
       OP_DIMS(2, 3),
       {1, 3, 6, 4, 9, 15},
       NULL},
      // The padding is the initial value, and counts: 10 to begin with and four times in the corners.
      {BuiltinOperator_ADD, 10, {{{2, 3}, {2, 3}, {0}, {0}, {1, 0, 1, 0}}, {2, 2, 0, 0, 4}}, OP_DIMS(1, 1), {53}, NULL},
      // 1 0 2 0 3 under a window of two, two apart or side by side.
      {BuiltinOperator_STABLEHLO_MAXIMUM,
       -9,
       {{{1, 2}, {1, 1}, {1, 2}, {1, 2}, {0}}, {2, 2, 2, 2, 0}},
       OP_DIMS(2, 3),
       {2, -9, 3, 5, -9, 6},
       NULL},
      {BuiltinOperator_STABLEHLO_MULTIPLY,
       1,
       {{{1, 2}, {1, 1}, {1, 2}, {1, 1}, {0}}, {2, 2, 2, 2, 0}},
       OP_DIMS(2, 4),
       {1, 2, 2, 3, 4, 5, 5, 6},
       NULL},
      // Cropped to 2 3, 5 6.
      {BuiltinOperator_MINIMUM, 99, {{{2, 1}, {0}, {0}, {0}, {0, 0, -1, 0}}, {2, 0, 0, 0, 4}}, OP_DIMS(1, 2), {2, 3}, NULL},
      {BuiltinOperator_STABLEHLO_ADD,
       0,
       {{{1, 1}, {0}, {0}, {0}, {0, 0, -2, -1}}, {2, 0, 0, 0, 4}},
       OP_DIMS(1, 1),
       {0},
       "nothing of axis 1"},
      {BuiltinOperator_SUB, 0, {{{1, 1}, {0}, {0}, {0}, {0}}, {2, 0, 0, 0, 0}}, OP_DIMS(1, 1), {0}, "subgraph 1 is not one"},
      {BuiltinOperator_ADD, 0, {{{1, 1}, {1}, {0}, {0}, {0}}, {2, 1, 0, 0, 0}}, OP_DIMS(1, 1), {0}, "axis 0: window 0"},
      {BuiltinOperator_ADD, 0, {{{1, 1}, {0}, {0}, {0}, {0}}, {1, 0, 0, 0, 0}}, OP_DIMS(1, 1), {0}, "axis 1: window 0"},
      {BuiltinOperator_ADD, 0, {{{1, 1}, {0}, {1 << 30, 1 << 30}, {0}, {0}}, {2, 0, 2, 0, 0}}, OP_DIMS(1, 1), {0}, "too large"},
      {BuiltinOperator_ADD,
       0,
       {{{1, 1}, {0}, {0}, {0}, {0, 0, INT64_MAX, INT64_MAX}}, {2, 0, 0, 0, 4}},
       OP_DIMS(1, 1),
       {0},
       "axis 1: padding"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static op_test t;
    const stablehlo_case *c = &cases[i];
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_INT32, OP_DIMS(2, 3)),
        initial = op_test_constant(&t, TensorType_INT32, OP_SCALAR, &c->initial);
    int y = op_test_output(&t, TensorType_INT32, OP_DIMS(1, 1));
    op_test_node(&t, BuiltinOperator_STABLEHLO_REDUCE_WINDOW, 1, OP_TENSORS(x, initial), OP_TENSORS(y));
    op_test_options_2(&t, BuiltinOptions2_StablehloReduceWindowOptions, stablehlo_options, &c->window);
    describe_body(&t, c->body);
    if (c->refusal) {
      op_test_expect_refusal(&t, c->refusal);
    } else {
      op_test_prepare(&t);
      op_test_set(&t, x, rows);
      op_test_invoke(&t);
      op_test_expect_dims(&t, y, c->dims);
      op_test_expect_i32(&t, y, c->out, op_case_count(c->dims));
    }
    op_test_end(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_under_windows), cmocka_unit_test(windows_that_are_not_constant),
                                     cmocka_unit_test(stablehlo_windows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
