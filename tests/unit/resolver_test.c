// SPDX-License-Identifier: Apache-2.0
// Resolvers: exact versions, overriding, chaining, and the report of everything that is missing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "operators/op_harness.h"
#include "ops/op.h"

static TfLiteStatus invoke_nothing(TfLiteContext *context, TfLiteNode *node) { return (void)context, (void)node, kTfLiteOk; }
static TfLiteStatus invoke_other(TfLiteContext *context, TfLiteNode *node) { return (void)context, (void)node, kTfLiteOk; }

static arn_resolver *new_resolver(const arn_resolver *next) {
  arn_resolver *resolver = NULL;
  assert_int_equal(arn_resolver_create(next, &resolver), ARN_OK);
  return resolver;
}

static void versions_match_exactly(void **state) {
  (void)state;
  arn_resolver *r = new_resolver(NULL);
  const TfLiteRegistration kernel = {.invoke = invoke_nothing};
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_CONV_2D, &kernel, 2, 4), ARN_OK);
  arn_resolver_entry entry;
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CONV_2D, NULL, 1, &entry), ARN_UNRESOLVED_OP);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CONV_2D, NULL, 2, &entry), ARN_OK);
  assert_string_equal(entry.name, "CONV_2D");
  assert_int_equal(entry.low, 2);
  assert_int_equal(entry.high, 4);
  assert_null(entry.op);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CONV_2D, NULL, 5, &entry), ARN_UNRESOLVED_OP);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_ADD, NULL, 2, &entry), ARN_UNRESOLVED_OP);
  arn_resolver_destroy(r);
}

static void several_versions_stand_side_by_side(void **state) {
  (void)state;
  arn_resolver *r = new_resolver(NULL);
  const TfLiteRegistration one = {.invoke = invoke_nothing}, two = {.invoke = invoke_other};
  assert_int_equal(arn_resolver_add_custom(r, "Frob", &one, 1, 1), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(r, "Frob", &two, 2, 3), ARN_OK);
  arn_resolver_entry entry;
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CUSTOM, "Frob", 1, &entry), ARN_OK);
  assert_int_equal(entry.high, 1);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CUSTOM, "Frob", 3, &entry), ARN_OK);
  assert_int_equal(entry.low, 2);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CUSTOM, "Frobnicate", 1, &entry), ARN_UNRESOLVED_OP);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_CUSTOM, NULL, 1, &entry), ARN_UNRESOLVED_OP);
  arn_resolver_destroy(r);
}

static void own_entries_come_before_the_chain(void **state) {
  (void)state;
  arn_resolver *r = new_resolver(arn_resolver_builtin());
  arn_resolver_entry entry;
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_RESHAPE, NULL, 1, &entry), ARN_OK);
  assert_non_null(entry.op);  // from behind
  const TfLiteRegistration kernel = {.invoke = invoke_nothing};
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_RESHAPE, &kernel, 1, 1), ARN_OK);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_RESHAPE, NULL, 1, &entry), ARN_OK);
  assert_null(entry.op);  // overridden
  assert_true(arn_resolver_entry_at(r, 0, &entry));
  assert_null(entry.op);
  int count = 0, builtin = 0;
  while (arn_resolver_entry_at(r, count, &entry)) count++;
  while (arn_resolver_entry_at(arn_resolver_builtin(), builtin, &entry)) builtin++;
  assert_int_equal(count, builtin + 1);
  assert_false(arn_resolver_entry_at(r, -1, &entry));
  arn_resolver_destroy(r);
}

static void the_last_entry_of_a_version_wins(void **state) {
  (void)state;
  arn_resolver *r = new_resolver(NULL);
  const TfLiteRegistration kernel = {.invoke = invoke_nothing};
  assert_int_equal(arn_resolver_add_op(r, &arn_op_reshape), ARN_OK);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_RESHAPE, &kernel, 1, 1), ARN_OK);
  arn_resolver_entry entry;
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_RESHAPE, NULL, 1, &entry), ARN_OK);
  assert_null(entry.op);
  assert_int_equal(arn_resolver_add_op(r, &arn_op_reshape), ARN_OK);
  assert_int_equal(arn_resolver_find(r, BuiltinOperator_RESHAPE, NULL, 1, &entry), ARN_OK);
  assert_ptr_equal(entry.op, &arn_op_reshape);
  arn_resolver_destroy(r);
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  arn_resolver *r = new_resolver(NULL);
  const TfLiteRegistration kernel = {.invoke = invoke_nothing};
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_CUSTOM, &kernel, 1, 1), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_ADD, &kernel, 2, 1), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_ADD, NULL, 1, 1), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_resolver_add_custom(r, NULL, &kernel, 1, 1), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_resolver_add_op((arn_resolver *)(uintptr_t)arn_resolver_builtin(), &arn_op_reshape), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_resolver_add_op(r, NULL), ARN_INVALID_ARGUMENT);
  arn_resolver_destroy(r);
  arn_resolver_destroy(NULL);
}

// A program built against a header from before 2.10 has a shorter struct: what lies behind it must not be read.
static void a_short_registration_is_not_read_beyond_its_end(void **state) {
  (void)state;
  const size_t old_size = 64;
  TfLiteRegistration *kernel = test_malloc(old_size);  // guarded by cmocka and by sanitizers
  memset(kernel, 0, old_size);
  kernel->invoke = invoke_nothing;
  arn_resolver *r = new_resolver(NULL);
  assert_int_equal(arn_resolver_add_custom(r, "Old", kernel, 1, 1), ARN_OK);
  test_free(kernel);
  arn_resolver_destroy(r);
}

static void everything_missing_is_reported_at_once(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2));
  int z = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2)), w = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_custom(&t, "Frobnicate", 3, NULL, 0, OP_TENSORS(x), OP_TENSORS(y));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(y), OP_TENSORS(z));
  op_test_node(&t, BuiltinOperator_CONV_2D, 77, OP_TENSORS(z, z), OP_TENSORS(w));
  arn_resolver *r = new_resolver(NULL);
  const TfLiteRegistration kernel = {.invoke = invoke_nothing};
  assert_int_equal(arn_resolver_add_op(r, &arn_op_reshape), ARN_OK);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_CONV_2D, &kernel, 1, 5), ARN_OK);
  assert_int_equal(arn_resolver_add_builtin(r, BuiltinOperator_CONV_2D, &kernel, 8, 8), ARN_OK);
  t.options.resolver = r;
  op_test_expect_refusal(&t,
                         "no kernel for Frobnicate (code 32) version 3 of node 0, registry has version none; "
                         "CONV_2D (code 3) version 77 of node 2, registry has version 1 to 5, 8");
  assert_int_equal(t.error.status, ARN_UNRESOLVED_OP);
  assert_int_equal(t.error.node, 0);
  assert_non_null(strstr(t.report, "no kernel for Frobnicate (code 32) version 3 of node 0"));
  assert_non_null(strstr(t.report, "\nno kernel for CONV_2D (code 3) version 77"));
  op_test_end(&t);
  arn_resolver_destroy(r);
}

// More missing operators than fit into one message: the message says how many are left out, the report has a line for each.
static void many_missing_operators_do_not_overflow_the_message(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  static char names[20][64];
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2));
  for (int i = 0; i < 20; i++) {
    int y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2));
    snprintf(names[i], sizeof names[i], "an operator with quite a long name, number %d", i);
    op_test_custom(&t, names[i], 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(y));
    x = y;
  }
  op_test_as_output(&t, x);
  op_test_expect_refusal(&t, "more operators");
  assert_true(strlen(t.error.message) < ARN_MESSAGE_MAX);
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(versions_match_exactly),
      cmocka_unit_test(several_versions_stand_side_by_side),
      cmocka_unit_test(own_entries_come_before_the_chain),
      cmocka_unit_test(the_last_entry_of_a_version_wins),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(a_short_registration_is_not_read_beyond_its_end),
      cmocka_unit_test(everything_missing_is_reported_at_once),
      cmocka_unit_test(many_missing_operators_do_not_overflow_the_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
