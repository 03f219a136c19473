// SPDX-License-Identifier: Apache-2.0
// Sessions: names of inputs and outputs, and that runs leave nothing behind when they should not.
#include "session.h"

#include "cli_test.h"
#include "operators/op_harness.h"
#include "values.h"

static fb_ref call_once(fb_builder *b, const void *data) {
  (void)data;
  fb_build_table(b);
  fb_build_i32(b, CallOnceOptions_init_subgraph_index_id, 1, 0);
  return fb_build_table_end(b);
}

static fb_ref count_handle(fb_builder *b, const void *data) {
  fb_ref name = fb_build_text(b, data);
  fb_build_table(b);
  fb_build_ref(b, VarHandleOptions_shared_name_id, name);
  return fb_build_table_end(b);
}

static fb_ref svdf_options(fb_builder *b, const void *data) {
  (void)data;
  fb_build_table(b);
  fb_build_i32(b, SVDFOptions_rank_id, 1, 0);
  return fb_build_table_end(b);
}

// Writes the described model to a file and opens a session on it.
static void open_session(op_test *t, session *s, const session_options *options) {
  char path[64];
  failure why;
  temporary_path(path, ".tflite");
  op_test_build(t);
  assert_good(command_write_file(path, t->bytes, t->size, &why), why);
  assert_good(session_open(s, path, options, &why), why);
  remove(path);  // it stays mapped
}

static double run_once(session *s, double x) {
  failure why;
  if (s->input_count) values_set_real(session_input(s, 0), 0, x);
  assert_good(session_invoke(s, &why), why);
  return values_real(session_output(s, 0), 0);
}

// A resource, set to 1 by CALL_ONCE and doubled by each run.
static void resources_are_forgotten(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int h = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1)), old = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_CALL_ONCE, 1, OP_NO_TENSORS, OP_NO_TENSORS);
  op_test_options(&t, BuiltinOptions_CallOnceOptions, call_once, NULL);
  op_test_node(&t, BuiltinOperator_VAR_HANDLE, 1, OP_NO_TENSORS, OP_TENSORS(h));
  op_test_options(&t, BuiltinOptions_VarHandleOptions, count_handle, "count");
  op_test_node(&t, BuiltinOperator_READ_VARIABLE, 1, OP_TENSORS(h), OP_TENSORS(old));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(old, old), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_ASSIGN_VARIABLE, 1, OP_TENSORS(h, y), OP_NO_TENSORS);
  op_test_subgraph(&t);
  int h2 = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1));
  int one = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){1});
  op_test_node(&t, BuiltinOperator_VAR_HANDLE, 1, OP_NO_TENSORS, OP_TENSORS(h2));
  op_test_options(&t, BuiltinOptions_VarHandleOptions, count_handle, "count");
  op_test_node(&t, BuiltinOperator_ASSIGN_VARIABLE, 1, OP_TENSORS(h2, one), OP_NO_TENSORS);
  session s;
  failure why;
  bool restarted;
  open_session(&t, &s, &(session_options){0});
  assert_good(session_allocate(&s, &why), why);
  assert_true(run_once(&s, 0) == 2 && run_once(&s, 0) == 4);
  assert_good(session_forget(&s, &restarted, &why), why);
  assert_true(restarted);
  assert_good(session_allocate(&s, &why), why);
  assert_true(run_once(&s, 0) == 2);
  session_close(&s);
  op_test_end(&t);
}

// The memory of an SVDF with two steps: its output is the sum of the last two inputs.
static void variables_are_forgotten(void **state) {
  (void)state;
  static const float one[] = {1}, ones[] = {1, 1};
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1)),
      feature = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 1), one);
  int time = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 2), ones),
      memory = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
  op_test_node(&t, BuiltinOperator_SVDF, 1, OP_TENSORS(x, feature, time, -1, memory), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_SVDFOptions, svdf_options, NULL);
  session s;
  failure why;
  bool restarted;
  open_session(&t, &s, &(session_options){0});
  assert_good(session_allocate(&s, &why), why);
  assert_true(run_once(&s, 3) == 3 && run_once(&s, 4) == 7);
  assert_good(session_forget(&s, &restarted, &why), why);
  assert_false(restarted);
  assert_true(run_once(&s, 5) == 5);
  session_close(&s);
  op_test_end(&t);
}

static void names_and_numbers(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), b = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_SUB, 1, OP_TENSORS(a, b), OP_TENSORS(y));
  t.signature = "difference";
  session s;
  failure why;
  open_session(&t, &s, &(session_options){.signature = "difference"});
  assert_int_equal(s.input_count, 2);
  assert_string_equal(session_input_name(&s, 1), "in1");
  assert_int_equal(session_find_input(&s, "in1", &why), 1);
  assert_int_equal(session_find_input(&s, session_input(&s, 1)->name, &why), 1);  // the tensor's name
  assert_int_equal(session_find_input(&s, "0", &why), 0);
  assert_int_equal(session_find_output(&s, "out0", &why), 0);
  assert_int_equal(session_find_input(&s, "in2", &why), -1);
  assert_non_null(strstr(why.text, "0 'in0' 1 'in1'"));
  assert_good(session_allocate(&s, &why), why);
  values_set_real(session_input(&s, 1), 0, 2);
  assert_true(run_once(&s, 5) == 3);
  session_close(&s);
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resources_are_forgotten),
      cmocka_unit_test(variables_are_forgotten),
      cmocka_unit_test(names_and_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
