// SPDX-License-Identifier: Apache-2.0
// The interpreter: what it makes of a file, how it runs, resizes, fails and says why.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "operators/op_harness.h"
#include "unit/test_kernels.h"

// One test asks for more memory than there is; the address sanitizer shall answer like malloc.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static arn_resolver *kernels;

static int make_kernels(void **state) {
  (void)state;
  if (arn_resolver_create(arn_resolver_builtin(), &kernels) != ARN_OK) return -1;
  add_test_kernels(kernels);
  return 0;
}
static int drop_kernels(void **state) { return (void)state, arn_resolver_destroy(kernels), 0; }

static void begin(op_test *t) {
  op_test_begin(t);
  t->options.resolver = kernels;
}

static void twice(op_test *t, int x, int y) { op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(y)); }

// x -> Double -> y -> Double -> z
static void chain(op_test *t, op_test_list dims, int *x, int *y, int *z) {
  begin(t);
  *x = op_test_input(t, TensorType_FLOAT32, dims);
  *y = op_test_between(t, TensorType_FLOAT32, dims);
  *z = op_test_output(t, TensorType_FLOAT32, dims);
  twice(t, *x, *y);
  twice(t, *y, *z);
}

// ---- What is made of the file. ----
static void tensors_are_filled_from_the_file(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  const int8_t filter[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(-1, 4)), w = op_test_constant(&t, TensorType_INT8, OP_DIMS(3, 4), filter);
  int v = op_test_variable(&t, TensorType_INT16, OP_DIMS(5)), s = op_test_output(&t, TensorType_STRING, OP_DIMS(1));
  twice(&t, x, s);  // the types do not fit, but nobody prepares it
  op_test_quantize(&t, x, 0.5f, -3);
  op_test_quantize_channels(&t, w, (float[]){0.25f, 0.5f, 1}, (int64_t[]){0, 1, 2}, 3, 0);
  op_test_build(&t);
  assert_int_equal(arn_model_open_buffer(t.bytes, t.size, 0, arn_heap(), &t.model, &t.error), ARN_OK);
  arn_status status = arn_interpreter_create(t.model, &t.options, &t.interpreter, &t.error);
  if (status != ARN_OK) fail_msg("%s", t.error.message);

  const TfLiteTensor *input = op_test_at(&t, x), *constant = op_test_at(&t, w);
  assert_int_equal(input->type, kTfLiteInt8);
  assert_int_equal(input->allocation_type, kTfLiteArenaRw);
  assert_string_equal(input->name, "t0");
  assert_int_equal(input->dims_signature->size, 2);
  assert_int_equal(input->dims_signature->data[0], -1);
  assert_int_equal(input->dims->data[0], 1);
  assert_int_equal(input->bytes, 4);
  assert_null(input->data.raw);
  assert_true(input->params.scale == 0.5f);
  assert_int_equal(input->params.zero_point, -3);
  const TfLiteAffineQuantization *one = input->quantization.params;
  assert_int_equal(one->scale->size, 1);
  assert_int_equal(one->zero_point->data[0], -3);

  assert_int_equal(constant->allocation_type, kTfLiteMmapRo);
  assert_in_range((uintptr_t)constant->data.raw, (uintptr_t)t.bytes, (uintptr_t)t.bytes + t.size - 12);  // in place
  assert_memory_equal(constant->data.raw, filter, 12);
  assert_int_equal(constant->quantization.type, kTfLiteAffineQuantization);
  const TfLiteAffineQuantization *channels = constant->quantization.params;
  assert_int_equal(channels->scale->size, 3);
  assert_true(channels->scale->data[1] == 0.5f);
  assert_int_equal(channels->zero_point->data[2], 2);
  assert_true(constant->params.scale == 0);  // per channel: the legacy pair stays empty

  assert_int_equal(op_test_at(&t, v)->allocation_type, kTfLiteArenaRwPersistent);
  assert_true(op_test_at(&t, v)->is_variable);
  assert_int_equal(op_test_at(&t, s)->allocation_type, kTfLiteDynamic);
  op_test_end(&t);
}

static int made, freed;
static char seen_options[16];
static void *counting_init(TfLiteContext *context, const char *buffer, size_t length) {
  (void)context;
  memcpy(seen_options, buffer, length < sizeof seen_options ? length : 0);
  return ++made, &made;
}
static void counting_free(TfLiteContext *context, void *buffer) {
  (void)context;
  assert_ptr_equal(buffer, &made);
  freed++;
}
static TfLiteStatus counting_invoke(TfLiteContext *context, TfLiteNode *node) {
  assert_ptr_equal(node->user_data, &made);
  return double_invoke(context, node);
}

static void a_custom_kernel_gets_its_options_and_its_state(void **state) {
  (void)state;
  made = freed = 0;
  const TfLiteRegistration kernel = {
      .init = counting_init, .free = counting_free, .prepare = double_prepare, .invoke = counting_invoke};
  arn_resolver *r = NULL;
  assert_int_equal(arn_resolver_create(NULL, &r), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(r, "Counting", &kernel, 1, 1), ARN_OK);
  op_test t;
  begin(&t);
  t.options.resolver = r;
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_custom(&t, "Counting", 1, "options", 8, OP_TENSORS(x), OP_TENSORS(y));
  op_test_prepare(&t);
  assert_string_equal(seen_options, "options");
  op_test_set(&t, x, (float[]){1, 2});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){2, 4}, 2, 0);
  assert_int_equal(made, 1);
  assert_int_equal(freed, 0);
  op_test_end(&t);
  assert_int_equal(freed, 1);
  arn_resolver_destroy(r);
}

static TfLiteReshapeParams seen_reshape;
static void *reshape_init(TfLiteContext *context, const char *buffer, size_t length) {
  (void)context;
  assert_int_equal(length, 0);  // as published: options of builtin operators come parsed, without a length
  seen_reshape = *(const TfLiteReshapeParams *)(const void *)buffer;
  return NULL;
}
static fb_ref reshape_options(fb_builder *b, const void *data) {
  fb_ref shape = fb_build_vector(b, data, 2, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, ReshapeOptions_new_shape_id, shape);
  return fb_build_table_end(b);
}

static void a_kernel_for_a_builtin_overrides_ours_and_gets_its_options(void **state) {
  (void)state;
  const TfLiteRegistration kernel = {.init = reshape_init, .prepare = double_prepare, .invoke = double_invoke};
  arn_resolver *r = NULL;
  assert_int_equal(arn_resolver_create(arn_resolver_builtin(), &r), ARN_OK);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_RESHAPE, &kernel, 1, 1), ARN_OK);
  op_test t;
  begin(&t);
  t.options.resolver = r;
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_ReshapeOptions, reshape_options, (int32_t[]){2, 1});
  op_test_prepare(&t);
  assert_int_equal(seen_reshape.num_dimensions, 2);
  assert_int_equal(seen_reshape.shape[0], 2);
  op_test_set(&t, x, (float[]){1, 2});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){2, 4}, 2, 0);  // ours would have copied
  arn_node_info info;
  assert_true(arn_interpreter_node(t.interpreter, 0, 0, &info));
  assert_string_equal(info.owner, "caller");
  assert_string_equal(info.name, "RESHAPE");
  op_test_end(&t);
  arn_resolver_destroy(r);
}

// ---- Running. ----
// The verifier refuses such a file; one that is trusted runs all the same.
static void nodes_run_in_an_order_that_serves_them(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  t.open_flags = ARN_MODEL_TRUSTED;
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(1));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  twice(&t, y, z);  // comes second
  twice(&t, x, y);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3});
  op_test_invoke(&t);
  op_test_expect_f32(&t, z, (float[]){12}, 1, 0);
  op_test_end(&t);
}

static void inputs_stay_for_the_next_inference(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(100), &x, &y, &z);
  float in[100], out[100];
  for (int i = 0; i < 100; i++) in[i] = (float)i, out[i] = 4 * (float)i;
  op_test_prepare(&t);
  op_test_set(&t, x, in);
  for (int run = 0; run < 3; run++) {
    op_test_invoke(&t);
    op_test_expect_f32(&t, z, out, 100, 0);
  }
  op_test_expect_f32(&t, x, in, 100, 0);
  op_test_end(&t);
}

static void all_tensors_can_be_kept(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  t.options.keep_all_tensors = true;
  int tensors[6] = {op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1))};
  for (int i = 1; i < 6; i++) {
    tensors[i] = i < 5 ? op_test_between(&t, TensorType_FLOAT32, OP_DIMS(1)) : op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
    twice(&t, tensors[i - 1], tensors[i]);
  }
  op_test_prepare(&t);
  op_test_set(&t, tensors[0], (float[]){1});
  op_test_invoke(&t);
  for (int i = 0; i < 6; i++) op_test_expect_f32(&t, tensors[i], (float[]){(float)(1 << i)}, 1, 0);
  op_test_end(&t);
}

static void variables_start_at_zero_and_persist(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  int f = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(3)), q = op_test_variable(&t, TensorType_INT8, OP_DIMS(3));
  op_test_quantize(&t, q, 0.5f, 7);
  twice(&t, x, y);
  op_test_prepare(&t);
  op_test_expect_f32(&t, f, (float[]){0, 0, 0}, 3, 0);
  op_test_expect_i8(&t, q, (int8_t[]){7, 7, 7}, 3);
  op_test_set(&t, f, (float[]){1, 2, 3});
  op_test_set(&t, q, (int8_t[]){1, 2, 3});
  op_test_invoke(&t);
  op_test_invoke(&t);
  op_test_expect_f32(&t, f, (float[]){1, 2, 3}, 3, 0);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, NULL), ARN_OK);  // nothing changed: nothing is reset
  op_test_expect_f32(&t, f, (float[]){1, 2, 3}, 3, 0);
  assert_int_equal(arn_interpreter_reset_variables(t.interpreter), ARN_OK);
  op_test_expect_f32(&t, f, (float[]){0, 0, 0}, 3, 0);
  op_test_expect_i8(&t, q, (int8_t[]){7, 7, 7}, 3);
  op_test_end(&t);
}

static void empty_tensors_run(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(3, 0), &x, &y, &z);
  op_test_prepare(&t);
  assert_non_null(op_test_at(&t, y)->data.raw);
  op_test_invoke(&t);
  op_test_expect_dims(&t, z, OP_DIMS(3, 0));
  op_test_resize(&t, x, OP_DIMS(2));
  op_test_set(&t, x, (float[]){1, 2});
  op_test_invoke(&t);
  op_test_expect_f32(&t, z, (float[]){4, 8}, 2, 0);
  op_test_resize(&t, x, OP_DIMS(0));
  op_test_invoke(&t);
  op_test_expect_dims(&t, z, OP_DIMS(0));
  op_test_end(&t);
}

// ---- Resizing. ----
static void resized_inputs_reach_the_outputs(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(-1, 2), &x, &y, &z);
  op_test_prepare(&t);
  for (int rows = 1; rows <= 5; rows += 2) {
    op_test_resize(&t, x, OP_DIMS(rows, 2));
    op_test_set(&t, x, (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    op_test_invoke(&t);
    op_test_expect_dims(&t, z, OP_DIMS(rows, 2));
    op_test_expect_f32(&t, z, (float[]){4, 8, 12, 16, 20, 24, 28, 32, 36, 40}, 2 * (size_t)rows, 0);
  }
  op_test_end(&t);
}

static void strict_resizing_changes_open_dimensions_only(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(-1, 2), &x, &y, &z);
  op_test_prepare(&t);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){4, 2}, 2, true, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){4, 3}, 2, true, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){4}, 1, true, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){4, 3}, 2, false, &t.error), ARN_OK);
  op_test_end(&t);
}

static void wrong_resizes_are_refused_and_change_nothing(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(2), &x, &y, &z);
  op_test_prepare(&t);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 1, (int[]){2}, 1, false, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, -1, (int[]){2}, 1, false, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){-2}, 1, false, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, NULL, 1, false, &t.error), ARN_INVALID_ARGUMENT);
  const int huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, huge, 3, false, &t.error), ARN_OUT_OF_MEMORY);
  op_test_set(&t, x, (float[]){1, 2});
  op_test_invoke(&t);  // still allocated
  op_test_expect_f32(&t, z, (float[]){4, 8}, 2, 0);
  op_test_end(&t);
}

static void a_shape_that_cannot_be_had_is_out_of_memory(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(2), &x, &y, &z);
  op_test_prepare(&t);
  const int large[] = {1 << 30, 1 << 20};  // 4 PiB
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, large, 2, false, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OUT_OF_MEMORY);
  assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_WRONG_STATE);
  op_test_resize(&t, x, OP_DIMS(1));
  op_test_set(&t, x, (float[]){5});
  op_test_invoke(&t);
  op_test_expect_f32(&t, z, (float[]){20}, 1, 0);
  op_test_end(&t);
}

static void invoke_wants_allocated_tensors(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(2), &x, &y, &z);
  op_test_build(&t);
  assert_int_equal(arn_model_open_buffer(t.bytes, t.size, 0, arn_heap(), &t.model, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_create(t.model, &t.options, &t.interpreter, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_WRONG_STATE);
  assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){3}, 1, false, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_WRONG_STATE);
  op_test_end(&t);
}

// ---- Errors. ----
static void fail_at(op_test *t, const char *where) {
  begin(t);
  int x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_between(t, TensorType_FLOAT32, OP_DIMS(2));
  int z = op_test_output(t, TensorType_FLOAT32, OP_DIMS(2));
  twice(t, x, y);
  op_test_custom(t, "Fail", 4, where, strlen(where), OP_TENSORS(y), OP_TENSORS(z));
}

static void errors_name_node_operator_and_version(void **state) {
  (void)state;
  op_test t;
  fail_at(&t, "prepare");
  op_test_expect_refusal(&t, "node 1 Fail v4: the filter has 7 channels");
  assert_int_equal(t.error.status, ARN_ERROR);
  assert_int_equal(t.error.subgraph, 0);
  assert_int_equal(t.error.node, 1);
  assert_string_equal(t.report, "node 1 Fail v4: the filter has 7 channels\n");
  op_test_end(&t);
  fail_at(&t, "invoke");
  op_test_expect_refusal(&t, "node 1 Fail v4: value 9 is out of range");
  assert_null(strchr(t.error.message, '\n'));
  op_test_end(&t);
  fail_at(&t, "silent");
  op_test_expect_refusal(&t, "node 1 Fail v4: could not be evaluated");
  op_test_end(&t);
  fail_at(&t, "init");
  op_test_expect_refusal(&t, "node 1 Fail v4: its kernel could not be initialised");
  op_test_end(&t);
  fail_at(&t, "cancel");
  op_test_expect_refusal(&t, "node 1 Fail v4: was cancelled");
  assert_int_equal(t.error.status, ARN_CANCELLED);
  op_test_end(&t);
}

static void an_input_that_nothing_wrote_is_refused(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  twice(&t, x, y);
  op_test_expect_refusal(&t, "");
  op_test_end(&t);
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  op_test t;
  int x, y, z;
  chain(&t, OP_DIMS(2), &x, &y, &z);
  t.options.alignment = 48;
  op_test_expect_refusal(&t, "a power of two");
  op_test_end(&t);
  arn_interpreter *in = NULL;
  assert_int_equal(arn_interpreter_create(NULL, NULL, &in, &t.error), ARN_INVALID_ARGUMENT);
  assert_null(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors_are_filled_from_the_file),
      cmocka_unit_test(a_custom_kernel_gets_its_options_and_its_state),
      cmocka_unit_test(a_kernel_for_a_builtin_overrides_ours_and_gets_its_options),
      cmocka_unit_test(nodes_run_in_an_order_that_serves_them),
      cmocka_unit_test(inputs_stay_for_the_next_inference),
      cmocka_unit_test(all_tensors_can_be_kept),
      cmocka_unit_test(variables_start_at_zero_and_persist),
      cmocka_unit_test(empty_tensors_run),
      cmocka_unit_test(resized_inputs_reach_the_outputs),
      cmocka_unit_test(strict_resizing_changes_open_dimensions_only),
      cmocka_unit_test(wrong_resizes_are_refused_and_change_nothing),
      cmocka_unit_test(a_shape_that_cannot_be_had_is_out_of_memory),
      cmocka_unit_test(invoke_wants_allocated_tensors),
      cmocka_unit_test(errors_name_node_operator_and_version),
      cmocka_unit_test(an_input_that_nothing_wrote_is_refused),
      cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, make_kernels, drop_kernels);
}
