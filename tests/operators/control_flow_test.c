// SPDX-License-Identifier: Apache-2.0
// IF, WHILE, CALL_ONCE, STABLEHLO_COMPOSITE, variables and hash tables: models of several subgraphs.
#include "operators/op_cases.h"

typedef struct call_indices {
  int a, b;
} call_indices;
static fb_ref if_options(fb_builder *b, const void *data) {
  const call_indices *i = data;
  fb_build_table(b);
  fb_build_i32(b, IfOptions_then_subgraph_index_id, i->a, 0);
  fb_build_i32(b, IfOptions_else_subgraph_index_id, i->b, 0);
  return fb_build_table_end(b);
}
static fb_ref while_options(fb_builder *b, const void *data) {
  const call_indices *i = data;
  fb_build_table(b);
  fb_build_i32(b, WhileOptions_cond_subgraph_index_id, i->a, 0);
  fb_build_i32(b, WhileOptions_body_subgraph_index_id, i->b, 0);
  return fb_build_table_end(b);
}
static fb_ref call_once_options(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_i32(b, CallOnceOptions_init_subgraph_index_id, ((const call_indices *)data)->a, 0);
  return fb_build_table_end(b);
}
static fb_ref composite_options(fb_builder *b, const void *data) {
  fb_ref name = fb_build_string(b, "test.twice", 10);
  fb_build_table(b);
  fb_build_ref(b, StableHLOCompositeOptions_name_id, name);
  fb_build_i32(b, StableHLOCompositeOptions_decomposition_subgraph_index_id, ((const call_indices *)data)->a, 0);
  return fb_build_table_end(b);
}
static fb_ref handle_options(fb_builder *b, const void *data) {
  fb_ref name = fb_build_string(b, data, (uint32_t)strlen(data));
  fb_build_table(b);
  fb_build_ref(b, VarHandleOptions_shared_name_id, name);
  return fb_build_table_end(b);
}
static fb_ref table_options(fb_builder *b, const void *data) {
  const op_fields *f = data;
  fb_build_table(b);
  fb_build_i32(b, HashtableOptions_table_id_id, f->field[0].value, 0);
  fb_build_i8(b, HashtableOptions_key_dtype_id, (int8_t)f->field[1].value, 0);
  fb_build_i8(b, HashtableOptions_value_dtype_id, (int8_t)f->field[2].value, 0);
  return fb_build_table_end(b);
}
static const op_fields no_fields = {0, {{0, 0}}};

// Subgraph y = x + x, of one float.
static void doubling(op_test *t, int size) {
  op_test_subgraph(t);
  int x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(size)), y = op_test_output(t, TensorType_FLOAT32, OP_DIMS(size));
  op_test_node(t, BuiltinOperator_ADD, 1, OP_TENSORS(x, x), OP_TENSORS(y));
  op_test_options(t, BuiltinOptions_AddOptions, op_fields_i8, &no_fields);
}

static void if_takes_a_branch(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int c = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c, x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_IfOptions, if_options, &(call_indices){1, 2});
  doubling(&t, 2);
  op_test_subgraph(&t);  // the other branch gives its input back
  op_test_as_output(&t, op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, 4});
  for (int round = 0; round < 3; round++) {
    bool taken = round % 2 == 0;
    op_test_set(&t, c, &taken);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, taken ? (float[]){6, 8} : (float[]){3, 4}, 2, 0);
  }
  op_test_resize(&t, x, OP_DIMS(3));
  op_test_set(&t, x, (float[]){1, 2, 3});
  op_test_set(&t, c, (bool[]){true});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){2, 4, 6}, 3, 0);
  op_test_end(&t);
}

// The branches' results differ in shape: a row of two, or the two pads make it four.
static void if_with_unlike_branches(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int c = op_test_input(&t, TensorType_BOOL, OP_SCALAR), x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c, x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_IfOptions, if_options, &(call_indices){1, 2});
  doubling(&t, 2);
  op_test_subgraph(&t);
  int in = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), out = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(4));
  int pads = op_test_constant(&t, TensorType_INT32, OP_DIMS(1, 2), (int32_t[]){1, 1});
  op_test_node(&t, BuiltinOperator_PAD, 1, OP_TENSORS(in, pads), OP_TENSORS(out));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, 4});
  op_test_set(&t, c, (bool[]){true});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2));
  op_test_expect_f32(&t, y, (float[]){6, 8}, 2, 0);
  op_test_set(&t, c, (bool[]){false});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(4));
  op_test_expect_f32(&t, y, (float[]){0, 3, 4, 0}, 4, 0);
  op_test_end(&t);
}

// while (b[0]) (a, b, c) = (c, a, a + a): values change places, and the loop's memory must not mix them up. The condition is the
// variable itself.
static void while_swaps_its_variables(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int go = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), go2 = op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  int go3 = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int y = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int e[5] = {op_test_output(&t, TensorType_BOOL, OP_DIMS(1)), op_test_output(&t, TensorType_BOOL, OP_DIMS(1)),
              op_test_output(&t, TensorType_BOOL, OP_DIMS(1)), op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1)),
              op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1))};
  op_test_node(&t, BuiltinOperator_WHILE, 1, OP_TENSORS(go, go2, go3, x, y), OP_TENSORS(e[0], e[1], e[2], e[3], e[4]));
  op_test_options(&t, BuiltinOptions_WhileOptions, while_options, &(call_indices){1, 2});
  op_test_subgraph(&t);
  op_test_as_output(&t, op_test_input(&t, TensorType_BOOL, OP_DIMS(1)));
  for (int i = 0; i < 2; i++) op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  for (int i = 0; i < 2; i++) op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_subgraph(&t);
  int b[5];
  for (int i = 0; i < 5; i++) b[i] = op_test_input(&t, i < 3 ? TensorType_BOOL : TensorType_FLOAT32, OP_DIMS(1));
  op_test_as_output(&t, b[1]);  // the flags move up: as many rounds as there are leading ones
  op_test_as_output(&t, b[2]);
  int never = op_test_constant(&t, TensorType_BOOL, OP_DIMS(1), (bool[]){false});
  op_test_as_output(&t, never);
  op_test_as_output(&t, b[4]);
  int twice = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(b[3], b[3]), OP_TENSORS(twice));
  op_test_options(&t, BuiltinOptions_AddOptions, op_fields_i8, &no_fields);
  op_test_prepare(&t);
  static const float want[4][2] = {{3, 5}, {5, 6}, {6, 10}, {10, 12}};  // (x, y) -> (y, 2x)
  for (int rounds = 0; rounds < 4; rounds++) {
    op_test_set(&t, go, (bool[]){rounds > 0});
    op_test_set(&t, go2, (bool[]){rounds > 1});
    op_test_set(&t, go3, (bool[]){rounds > 2});
    op_test_set(&t, x, (float[]){3});
    op_test_set(&t, y, (float[]){5});
    op_test_invoke(&t);
    op_test_expect_f32(&t, e[3], &want[rounds][0], 1, 0);
    op_test_expect_f32(&t, e[4], &want[rounds][1], 1, 0);
  }
  op_test_end(&t);
}

// The body makes its variable longer: while (flag) (flag, rest, x) = (rest, false, pad(x)).
static void while_grows_a_variable(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int go = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), go2 = op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int e = op_test_output(&t, TensorType_BOOL, OP_DIMS(1)), e2 = op_test_output(&t, TensorType_BOOL, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_WHILE, 1, OP_TENSORS(go, go2, x), OP_TENSORS(e, e2, y));
  op_test_options(&t, BuiltinOptions_WhileOptions, while_options, &(call_indices){1, 2});
  op_test_subgraph(&t);
  op_test_as_output(&t, op_test_input(&t, TensorType_BOOL, OP_DIMS(1)));
  op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_subgraph(&t);
  op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  int b2 = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), b3 = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_as_output(&t, b2);
  op_test_as_output(&t, op_test_constant(&t, TensorType_BOOL, OP_DIMS(1), (bool[]){false}));
  int pads = op_test_constant(&t, TensorType_INT32, OP_DIMS(1, 2), (int32_t[]){1, 0});
  int longer = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_node(&t, BuiltinOperator_PAD, 1, OP_TENSORS(b3, pads), OP_TENSORS(longer));
  op_test_prepare(&t);
  op_test_set(&t, go, (bool[]){true});
  op_test_set(&t, go2, (bool[]){true});
  op_test_set(&t, x, (float[]){7});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(3));
  op_test_expect_f32(&t, y, (float[]){0, 0, 7}, 3, 0);
  op_test_set(&t, go, (bool[]){false});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(1));
  op_test_expect_f32(&t, y, (float[]){7}, 1, 0);
  op_test_end(&t);
}

// A loop variable that the body leaves alone needs no output.
static void while_without_an_output(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int go = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int sum = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int e = op_test_output(&t, TensorType_BOOL, OP_DIMS(1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_WHILE, 1, OP_TENSORS(go, x, sum), OP_TENSORS(e, -1, y));
  op_test_options(&t, BuiltinOptions_WhileOptions, while_options, &(call_indices){1, 2});
  op_test_subgraph(&t);
  op_test_as_output(&t, op_test_input(&t, TensorType_BOOL, OP_DIMS(1)));
  for (int i = 0; i < 2; i++) op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_subgraph(&t);
  op_test_input(&t, TensorType_BOOL, OP_DIMS(1));
  int bx = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), bs = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_as_output(&t, op_test_constant(&t, TensorType_BOOL, OP_DIMS(1), (bool[]){false}));
  op_test_as_output(&t, bx);
  int next = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(bx, bs), OP_TENSORS(next));
  op_test_options(&t, BuiltinOptions_AddOptions, op_fields_i8, &no_fields);
  op_test_prepare(&t);
  op_test_set(&t, go, (bool[]){true});
  op_test_set(&t, x, (float[]){3});
  op_test_set(&t, sum, (float[]){4});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){7}, 1, 0);
  op_test_end(&t);
}

static void a_subgraph_must_exist_and_fit(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int c = op_test_input(&t, TensorType_BOOL, OP_DIMS(1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_IF, 1, OP_TENSORS(c), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_IfOptions, if_options, &(call_indices){1, 1});
  doubling(&t, 1);  // takes one input, is given none
  op_test_expect_refusal(&t, "subgraph 1");
  op_test_end(&t);
}

static void composite_runs_its_decomposition(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), between = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  for (int i = 0; i < 2; i++) {  // twice, so that one call's memory must not be the other's
    op_test_node(&t, BuiltinOperator_STABLEHLO_COMPOSITE, 1, OP_TENSORS(i ? between : x), OP_TENSORS(i ? y : between));
    op_test_options_2(&t, BuiltinOptions2_StableHLOCompositeOptions, composite_options, &(call_indices){1, 0});
  }
  doubling(&t, 2);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 2.5f});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){4, 10}, 2, 0);
  op_test_end(&t);
}

// A counter: the first inference sets it to 1 (CALL_ONCE), each adds it to itself.
static void variable_lives_between_inferences(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int h = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1)), old = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_CALL_ONCE, 1, OP_NO_TENSORS, OP_NO_TENSORS);
  op_test_options(&t, BuiltinOptions_CallOnceOptions, call_once_options, &(call_indices){1, 0});
  op_test_node(&t, BuiltinOperator_VAR_HANDLE, 1, OP_NO_TENSORS, OP_TENSORS(h));
  op_test_options(&t, BuiltinOptions_VarHandleOptions, handle_options, "count");
  op_test_node(&t, BuiltinOperator_READ_VARIABLE, 1, OP_TENSORS(h), OP_TENSORS(old));
  op_test_node(&t, BuiltinOperator_ADD, 1, OP_TENSORS(old, old), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_AddOptions, op_fields_i8, &no_fields);
  op_test_node(&t, BuiltinOperator_ASSIGN_VARIABLE, 1, OP_TENSORS(h, y), OP_NO_TENSORS);
  op_test_subgraph(&t);
  int h2 = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1));
  int one = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){1});
  op_test_node(&t, BuiltinOperator_VAR_HANDLE, 1, OP_NO_TENSORS, OP_TENSORS(h2));
  op_test_options(&t, BuiltinOptions_VarHandleOptions, handle_options, "count");
  op_test_node(&t, BuiltinOperator_ASSIGN_VARIABLE, 1, OP_TENSORS(h2, one), OP_NO_TENSORS);
  op_test_prepare(&t);
  float want = 2;
  for (int i = 0; i < 4; i++, want *= 2) {
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, &want, 1, 0);
  }
  op_test_end(&t);
}

static void variable_without_a_value(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int h = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_VAR_HANDLE, 1, OP_NO_TENSORS, OP_TENSORS(h));
  op_test_options(&t, BuiltinOptions_VarHandleOptions, handle_options, "nothing");
  op_test_node(&t, BuiltinOperator_READ_VARIABLE, 1, OP_TENSORS(h), OP_TENSORS(y));
  op_test_expect_refusal(&t, "the variable has no value yet");
  op_test_end(&t);
}

// Both kinds of table: words to numbers, numbers to words; the first of two equal keys counts.
static void tables_find_what_was_imported(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int words = op_test_input(&t, TensorType_STRING, OP_DIMS(3)), numbers = op_test_input(&t, TensorType_INT64, OP_DIMS(2));
  int a = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1)), b = op_test_between(&t, TensorType_RESOURCE, OP_DIMS(1));
  int keys = op_test_strings(&t, OP_DIMS(4), (const char *[]){"one", "", "two", "one"}, 4);
  int values = op_test_constant(&t, TensorType_INT64, OP_DIMS(4), (int64_t[]){1, 100, 2, 11});
  int none = op_test_constant(&t, TensorType_INT64, OP_SCALAR, (int64_t[]){-1});
  int unknown = op_test_strings(&t, OP_SCALAR, (const char *[]){"?"}, 1);
  int found = op_test_output(&t, TensorType_INT64, OP_DIMS(3)), named = op_test_output(&t, TensorType_STRING, OP_DIMS(2));
  int size = op_test_output(&t, TensorType_INT64, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_HASHTABLE, 1, OP_NO_TENSORS, OP_TENSORS(a));
  op_test_options(&t, BuiltinOptions_HashtableOptions, table_options,
                  &(op_fields){3, {{0, 1}, {0, TensorType_STRING}, {0, TensorType_INT64}}});
  op_test_node(&t, BuiltinOperator_HASHTABLE, 1, OP_NO_TENSORS, OP_TENSORS(b));
  op_test_options(&t, BuiltinOptions_HashtableOptions, table_options,
                  &(op_fields){3, {{0, 2}, {0, TensorType_INT64}, {0, TensorType_STRING}}});
  op_test_node(&t, BuiltinOperator_HASHTABLE_IMPORT, 1, OP_TENSORS(a, keys, values), OP_NO_TENSORS);
  op_test_node(&t, BuiltinOperator_HASHTABLE_IMPORT, 1, OP_TENSORS(b, values, keys), OP_NO_TENSORS);
  op_test_node(&t, BuiltinOperator_HASHTABLE_FIND, 1, OP_TENSORS(a, words, none), OP_TENSORS(found));
  op_test_node(&t, BuiltinOperator_HASHTABLE_FIND, 1, OP_TENSORS(b, numbers, unknown), OP_TENSORS(named));
  op_test_node(&t, BuiltinOperator_HASHTABLE_SIZE, 1, OP_TENSORS(a), OP_TENSORS(size));
  op_test_prepare(&t);
  for (int i = 0; i < 2; i++) {
    op_test_set_strings(&t, words, (const char *[]){"two", "one", "three"}, 3);
    op_test_set(&t, numbers, (int64_t[]){5, 11});
    op_test_invoke(&t);
    op_test_expect_i64(&t, found, (int64_t[]){2, 1, -1}, 3);
    op_test_expect_strings(&t, named, (const char *[]){"?", "one"}, 2);
    op_test_expect_i64(&t, size, (int64_t[]){3}, 1);
  }
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(if_takes_a_branch),
      cmocka_unit_test(if_with_unlike_branches),
      cmocka_unit_test(while_swaps_its_variables),
      cmocka_unit_test(while_grows_a_variable),
      cmocka_unit_test(while_without_an_output),
      cmocka_unit_test(a_subgraph_must_exist_and_fit),
      cmocka_unit_test(composite_runs_its_decomposition),
      cmocka_unit_test(variable_lives_between_inferences),
      cmocka_unit_test(variable_without_a_value),
      cmocka_unit_test(tables_find_what_was_imported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
