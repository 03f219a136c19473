// SPDX-License-Identifier: Apache-2.0
// The limit on an interpreter's memory: what counts, and that nothing passes it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arenite/report.h"
#include "operators/op_harness.h"

static void expect_message(const op_test *t, arn_status status, const char *text) {
  assert_int_equal(status, ARN_OUT_OF_MEMORY);
  assert_int_equal(t->error.status, ARN_OUT_OF_MEMORY);
  if (!strstr(t->error.message, text)) fail_msg("\"%s\" lacks \"%s\"", t->error.message, text);
}

// Builds and creates; the caller allocates.
static void create(op_test *t, size_t limit) {
  t->options.memory_limit = limit;
  op_test_build(t);
  assert_int_equal(arn_model_open_buffer(t->bytes, t->size, 0, arn_heap(), &t->model, &t->error), ARN_OK);
  assert_int_equal(arn_interpreter_create(t->model, &t->options, &t->interpreter, &t->error), ARN_OK);
}

// x[1000] -> RELU -> a[1000] -> RELU -> y[1000]: 8000 bytes at least.
static void describe_chain(op_test *t) {
  op_test_begin(t);
  int x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(1000)), a = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1000));
  int y = op_test_output(t, TensorType_FLOAT32, OP_DIMS(1000));
  op_test_node(t, BuiltinOperator_RELU, 1, OP_TENSORS(x), OP_TENSORS(a));
  op_test_node(t, BuiltinOperator_RELU, 1, OP_TENSORS(a), OP_TENSORS(y));
}

static void a_plan_over_the_limit_is_refused_with_its_largest_tensors(void **state) {
  (void)state;
  op_test t;
  describe_chain(&t);
  create(&t, 3999);
  expect_message(&t, arn_interpreter_allocate(t.interpreter, &t.error), "would pass the memory limit of 3999 bytes");
  assert_non_null(strstr(t.error.message, "largest tensors: 0 \"t0\" 4000 bytes"));
  // A smaller input fits, the old size still does not.
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){100}, 1, false, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
  op_test_invoke(&t);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){1000}, 1, false, &t.error), ARN_OK);
  expect_message(&t, arn_interpreter_allocate(t.interpreter, &t.error), "memory limit");
  op_test_end(&t);
}

static void what_an_interpreter_needs_is_a_limit_that_it_keeps(void **state) {
  (void)state;
  op_test t;
  describe_chain(&t);
  create(&t, 0);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
  arn_memory_totals totals;
  assert_int_equal(arn_memory_report(t.interpreter, &totals), ARN_OK);
  op_test_end(&t);
  describe_chain(&t);
  create(&t, totals.arena);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
  op_test_end(&t);
  describe_chain(&t);
  create(&t, totals.arena - 1);
  expect_message(&t, arn_interpreter_allocate(t.interpreter, &t.error), "memory limit");
  op_test_end(&t);
}

static void variables_count(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  op_test_variable(&t, TensorType_INT8, OP_DIMS(100000));
  create(&t, 99999);
  expect_message(&t, arn_interpreter_allocate(t.interpreter, &t.error), "100000 bytes more for a variable");
  op_test_end(&t);
}

// FILL(dims, value): the shape depends on data.
static void describe_fill(op_test *t, enum TensorType type, int *dims) {
  static const int32_t seven = 7;  // the harness borrows constants until the model is built
  static const char *const text[] = {"abcdefgh"};
  op_test_begin(t);
  *dims = op_test_input(t, TensorType_INT32, OP_DIMS(2));
  int value = type == TensorType_STRING ? op_test_strings(t, OP_SCALAR, text, 1) : op_test_constant(t, type, OP_SCALAR, &seven);
  int y = op_test_output(t, type, OP_DIMS(1));
  op_test_node(t, BuiltinOperator_FILL, 1, OP_TENSORS(*dims, value), OP_TENSORS(y));
}

static void shapes_that_depend_on_data_count(void **state) {
  (void)state;
  const enum TensorType types[] = {TensorType_INT32, TensorType_STRING};
  for (int i = 0; i < 2; i++) {
    op_test t;
    int dims;
    describe_fill(&t, types[i], &dims);
    create(&t, 1 << 20);
    assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
    const int32_t small[2] = {10, 10}, large[2] = {1000, 1000}, text[2] = {300, 300};
    op_test_set(&t, dims, small);
    op_test_invoke(&t);
    op_test_set(&t, dims, large);
    arn_status status = arn_interpreter_invoke(t.interpreter, &t.error);
    expect_message(&t, status, "memory limit");
    op_test_set(&t, dims, text);  // 360000 bytes of numbers or offsets; the text takes twice as much
    status = arn_interpreter_invoke(t.interpreter, &t.error);
    if (types[i] == TensorType_STRING)
      expect_message(&t, status, "memory limit");
    else
      assert_int_equal(status, ARN_OK);
    op_test_set(&t, dims, small);
    op_test_invoke(&t);
    op_test_end(&t);
  }
}

static void a_shape_without_elements_cannot_have_endless_dimensions(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int params = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(0));
  int indices = op_test_input(&t, TensorType_INT32, OP_DIMS(1 << 30, 1 << 30, 0));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_GATHER_ND, 1, OP_TENSORS(params, indices), OP_TENSORS(y));
  op_test_expect_refusal(&t, "tensor 1");
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_over_the_limit_is_refused_with_its_largest_tensors),
      cmocka_unit_test(what_an_interpreter_needs_is_a_limit_that_it_keeps),
      cmocka_unit_test(variables_count),
      cmocka_unit_test(shapes_that_depend_on_data_count),
      cmocka_unit_test(a_shape_without_elements_cannot_have_endless_dimensions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
