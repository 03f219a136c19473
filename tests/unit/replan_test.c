// SPDX-License-Identifier: Apache-2.0
// Planning again: other rules, limits, largest shapes, excluded nodes, an arena for several interpreters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/allocator.h"
#include "arenite/replan.h"
#include "operators/op_harness.h"
#include "runtime/subgraph.h"

enum { PIXELS = 64, CLASSES = 10 };

typedef struct loaded {
  arn_model *model;
  arn_interpreter *interpreter;
} loaded;

static loaded load(const char *path, const arn_interpreter_options *options) {
  loaded l;
  arn_error error;
  assert_int_equal(arn_model_open_file(path, 0, &l.model, &error), ARN_OK);
  assert_int_equal(arn_interpreter_create(l.model, options, &l.interpreter, &error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(l.interpreter, &error), ARN_OK);
  return l;
}
static void unload(loaded *l) {
  arn_interpreter_destroy(l->interpreter);
  arn_model_close(l->model);
}
static void set_digit(const loaded *l, int seed) {
  int8_t *pixels = arn_interpreter_input(l->interpreter, 0)->data.int8;
  for (int i = 0; i < PIXELS; i++) pixels[i] = (int8_t)((i * 37 + seed * 101) % 256 - 128);
}
static void classify(const loaded *l, int seed, int8_t *answer) {
  set_digit(l, seed);
  assert_int_equal(arn_interpreter_invoke(l->interpreter, NULL), ARN_OK);
  memcpy(answer, arn_interpreter_output(l->interpreter, 0)->data.int8, CLASSES);
}
static size_t arena_of(const loaded *l) {
  arn_memory_totals totals;
  assert_int_equal(arn_memory_report(l->interpreter, &totals), ARN_OK);
  return totals.arena;
}

static const arn_memory_options rules[] = {
    {.memory = ARN_MEMORY_SEPARATE},
    {.memory = ARN_MEMORY_VIEWS},
    {.memory = ARN_MEMORY_HOST | ARN_MEMORY_ROWS},
    {.memory = ARN_MEMORY_MICRO, .alignment = 16},
    {.planner = ARN_PLAN_LINEAR},
    {.planner = ARN_PLAN_GREEDY, .alignment = 128},
    {.planner = ARN_PLAN_SLOTS},
    {.planner = ARN_PLAN_EXACT, .memory = ARN_MEMORY_ROWS | ARN_MEMORY_FREE_INPUTS},
};

// What was predicted comes true, results stay, and a look ahead changes nothing.
static void what_if_tells_what_replanning_does(void **state) {
  (void)state;
  loaded l = load("models/digits/digits.tflite", NULL);
  int8_t expected[CLASSES], answer[CLASSES];
  classify(&l, 3, expected);
  for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
    arn_memory_totals ahead, again;
    size_t before = arena_of(&l);
    assert_int_equal(arn_memory_what_if(l.interpreter, &rules[r], &ahead, NULL), ARN_OK);
    assert_int_equal(arena_of(&l), before);
    classify(&l, 3, answer);
    assert_memory_equal(answer, expected, CLASSES);
    assert_int_equal(arn_interpreter_replan(l.interpreter, &rules[r], NULL), ARN_OK);
    assert_int_equal(arena_of(&l), ahead.arena);
    assert_int_equal(arn_memory_what_if(l.interpreter, &rules[r], &again, NULL), ARN_OK);
    assert_int_equal(again.arena, ahead.arena);
    for (int seed = 0; seed < 3; seed++) classify(&l, 3, answer);
    assert_memory_equal(answer, expected, CLASSES);
  }
  arn_error error;
  assert_int_equal(arn_interpreter_replan(l.interpreter, &(arn_memory_options){.alignment = 48}, &error), ARN_INVALID_ARGUMENT);
  unload(&l);
}

static void a_limit_that_cannot_be_kept_says_what_would_help(void **state) {
  (void)state;
  loaded l = load("models/digits/digits.tflite", NULL);
  int8_t expected[CLASSES], answer[CLASSES];
  classify(&l, 5, expected);
  arn_error error;
  arn_memory_options tight = {.memory = ARN_MEMORY_VIEWS, .limit = 1300};
  assert_int_equal(arn_interpreter_replan(l.interpreter, &tight, &error), ARN_OUT_OF_MEMORY);
  assert_non_null(strstr(error.message, "the limit is 1300"));
  assert_non_null(strstr(error.message, "overlapping rows would make it"));
  assert_true(error.node >= 0);
  classify(&l, 5, answer);  // the old plan stands
  assert_memory_equal(answer, expected, CLASSES);
  arn_memory_peak peak;
  assert_true(arn_memory_peak_of(l.interpreter, 0, &peak));
  assert_int_equal(peak.node, error.node);
  assert_false(arn_memory_peak_of(l.interpreter, 1, &peak));
  tight.memory = ARN_MEMORY_MICRO;
  assert_int_equal(arn_interpreter_replan(l.interpreter, &tight, &error), ARN_OK);
  assert_true(arena_of(&l) <= 1300);
  classify(&l, 5, answer);
  assert_memory_equal(answer, expected, CLASSES);
  unload(&l);
}

static void the_largest_shape_is_planned_ahead(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(-1, 4));
  int a = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(-1, 4)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(-1, 4));
  op_test_node(&t, BuiltinOperator_ABS, 1, OP_TENSORS(x), OP_TENSORS(a));
  op_test_node(&t, BuiltinOperator_NEG, 1, OP_TENSORS(a), OP_TENSORS(y));
  t.options.memory = ARN_MEMORY_SEPARATE;
  op_test_build(&t);
  assert_int_equal(arn_model_open_buffer(t.bytes, t.size, 0, arn_heap(), &t.model, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_create(t.model, &t.options, &t.interpreter, &t.error), ARN_OK);
  assert_int_equal(arn_interpreter_set_max_shape(t.interpreter, 1, (int[]){9, 4}, 2, &t.error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_interpreter_set_max_shape(t.interpreter, 0, (int[]){100, 4}, 2, &t.error), ARN_OK);
  arn_memory_totals largest, now;
  for (int rows = 1; rows <= 100; rows += 33) {
    assert_int_equal(arn_interpreter_resize_input(t.interpreter, 0, (int[]){rows, 4}, 2, false, &t.error), ARN_OK);
    assert_int_equal(arn_interpreter_allocate(t.interpreter, &t.error), ARN_OK);
    assert_int_equal(arn_interpreter_input(t.interpreter, 0)->dims->data[0], rows);
    assert_int_equal(arn_memory_report(t.interpreter, &now), ARN_OK);
    assert_true(now.heap - now.overhead >= 3 * 100 * 16);  // taken from the start
    if (rows == 1) largest = now;
    assert_int_equal(now.heap - now.overhead, largest.heap - largest.overhead);
    arn_interpreter_input(t.interpreter, 0)->data.f[4 * rows - 1] = -2.0f;
    assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_OK);
    assert_true(arn_interpreter_output(t.interpreter, 0)->data.f[4 * rows - 1] == -2.0f);
  }
  op_test_end(&t);
}

// Nodes 1 and 2 go to somebody else and come back: their inner tensor needs no memory meanwhile, what they hand over does.
static void excluded_nodes_give_up_their_inner_tensors(void **state) {
  (void)state;
  loaded l = load("models/digits/digits.tflite", &(arn_interpreter_options){.memory = ARN_MEMORY_SEPARATE});
  int8_t expected[CLASSES], answer[CLASSES];
  classify(&l, 7, expected);
  runtime_subgraph *sg = &l.interpreter->subgraphs[0];
  const int inner = sg->nodes[1].node.outputs->data[0], handed_over = sg->nodes[2].node.outputs->data[0];
  size_t before = arena_of(&l);
  assert_int_equal(runtime_set_excluded(sg, 1, true), ARN_OK);
  assert_int_equal(runtime_set_excluded(sg, 2, true), ARN_OK);
  assert_null(sg->context.tensors[inner].data.raw);
  assert_non_null(sg->context.tensors[handed_over].data.raw);
  assert_true(arena_of(&l) <= before);
  set_digit(&l, 7);
  assert_int_equal(arn_interpreter_invoke(l.interpreter, NULL), ARN_OK);  // the rest runs on what somebody else would have written
  assert_int_equal(runtime_set_excluded(sg, 1, false), ARN_OK);
  assert_int_equal(runtime_set_excluded(sg, 2, false), ARN_OK);
  assert_int_equal(arena_of(&l), before);
  classify(&l, 7, answer);
  assert_memory_equal(answer, expected, CLASSES);
  assert_int_equal(runtime_set_excluded(sg, 99, true), ARN_INVALID_ARGUMENT);
  unload(&l);
}

// Three interpreters in one arena: smaller than their sum, each other's inputs and outputs untouched, results as alone.
static void interpreters_share_an_arena(void **state) {
  (void)state;
  int8_t alone[2][CLASSES], answer[CLASSES];
  loaded single = load("models/digits/digits.tflite", NULL);
  size_t each = arena_of(&single);
  classify(&single, 1, alone[0]);
  classify(&single, 2, alone[1]);
  unload(&single);

  arn_arena *arena;
  assert_int_equal(arn_arena_create(NULL, 2 * each, &arena), ARN_OK);
  arn_interpreter_options options = {.arena = arena};
  loaded a = load("models/digits/digits.tflite", &options), b = load("models/digits/digits.tflite", &options), c = load("models/sine.tflite", &options);
  assert_true(arn_arena_used(arena) < 2 * each);
  int8_t *const output_a = arn_interpreter_output(a.interpreter, 0)->data.int8;
  set_digit(&a, 1);
  set_digit(&b, 2);
  arn_interpreter_input(c.interpreter, 0)->data.int8[0] = 55;
  assert_int_equal(arn_interpreter_invoke(a.interpreter, NULL), ARN_OK);
  assert_int_equal(arn_interpreter_invoke(b.interpreter, NULL), ARN_OK);
  assert_int_equal(arn_interpreter_invoke(c.interpreter, NULL), ARN_OK);
  assert_memory_equal(output_a, alone[0], CLASSES);  // after the others have run
  assert_memory_equal(arn_interpreter_output(b.interpreter, 0)->data.int8, alone[1], CLASSES);
  assert_int_equal(arn_interpreter_input(c.interpreter, 0)->data.int8[0], 55);
  assert_int_equal(arn_interpreter_invoke(a.interpreter, NULL), ARN_OK);  // its input is still what it was
  assert_memory_equal(output_a, alone[0], CLASSES);

  // What is placed stays; one that goes makes room for the next.
  assert_int_equal(arn_interpreter_replan(b.interpreter, &(arn_memory_options){.memory = ARN_MEMORY_HOST | ARN_MEMORY_ROWS}, NULL), ARN_OK);
  assert_ptr_equal(output_a, arn_interpreter_output(a.interpreter, 0)->data.int8);
  classify(&b, 2, answer);
  assert_memory_equal(answer, alone[1], CLASSES);
  assert_memory_equal(output_a, alone[0], CLASSES);
  unload(&b);
  for (int i = 0; i < 20; i++) {
    loaded next = load("models/digits/digits.tflite", &options);
    classify(&next, 2, answer);
    assert_memory_equal(answer, alone[1], CLASSES);
    unload(&next);
  }
  assert_memory_equal(output_a, alone[0], CLASSES);
  unload(&a);
  unload(&c);
  arn_arena_destroy(arena);

  arn_error error;
  arn_model *model;
  arn_interpreter *interpreter;
  assert_int_equal(arn_arena_create(NULL, each / 2, &arena), ARN_OK);
  options.arena = arena;
  assert_int_equal(arn_model_open_file("models/digits/digits.tflite", 0, &model, &error), ARN_OK);
  assert_int_equal(arn_interpreter_create(model, &options, &interpreter, &error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(interpreter, &error), ARN_ARENA_TOO_SMALL);
  assert_non_null(strstr(error.message, "shared arena"));
  arn_interpreter_destroy(interpreter);
  arn_model_close(model);
  arn_arena_destroy(arena);
}

// 512 bytes of fast memory beside slow: what is used most lies in it, and the answers are the same.
static void hot_tensors_lie_in_the_fast_region(void **state) {
  (void)state;
  static _Alignas(64) uint8_t fast[512];
  int8_t expected[CLASSES], answer[CLASSES];
  loaded plain = load("models/digits/digits.tflite", NULL);
  classify(&plain, 4, expected);
  arn_memory_division division;
  assert_false(arn_memory_division_of(plain.interpreter, &division));
  unload(&plain);
  const arn_memory_region regions[] = {{NULL, 0, 10.0f}, {fast, sizeof fast, 1.0f}};
  loaded l = load("models/digits/digits.tflite", &(arn_interpreter_options){.regions = regions, .region_count = 2});
  assert_true(arn_memory_division_of(l.interpreter, &division));
  assert_int_equal(division.count, 2);
  assert_true(division.used[1] > 0 && division.used[1] <= sizeof fast);
  assert_true(division.cost < division.cost_of_last);
  int in_fast = 0, in_slow = 0;
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(l.interpreter, i, &row); i++) {
    if (row.kind != ARN_MEMORY_PLANNED || row.tensor < 0) continue;
    const uint8_t *data = arn_interpreter_tensor(l.interpreter, 0, row.tensor)->data.uint8;
    bool inside = data >= fast && data + row.bytes <= fast + sizeof fast;
    assert_int_equal(inside, row.region == 1);
    in_fast += inside, in_slow += !inside;
  }
  assert_true(in_fast >= 2 && in_slow >= 1);
  for (int i = 0; i < 2; i++) classify(&l, 4, answer);
  assert_memory_equal(answer, expected, CLASSES);
  assert_int_equal(arn_interpreter_replan(l.interpreter, &(arn_memory_options){.planner = ARN_PLAN_GREEDY}, NULL), ARN_OK);
  classify(&l, 4, answer);
  assert_memory_equal(answer, expected, CLASSES);
  unload(&l);

  const arn_memory_region tiny[] = {{fast, 64, 1.0f}};
  arn_model *model;
  arn_interpreter *interpreter;
  arn_error error;
  assert_int_equal(arn_model_open_file("models/digits/digits.tflite", 0, &model, &error), ARN_OK);
  assert_int_equal(arn_interpreter_create(model, &(arn_interpreter_options){.regions = tiny, .region_count = 1}, &interpreter, &error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(interpreter, &error), ARN_ARENA_TOO_SMALL);
  assert_non_null(strstr(error.message, "none of the 1 regions"));
  arn_interpreter_destroy(interpreter);
  arn_model_close(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_if_tells_what_replanning_does),
      cmocka_unit_test(a_limit_that_cannot_be_kept_says_what_would_help),
      cmocka_unit_test(the_largest_shape_is_planned_ahead),
      cmocka_unit_test(excluded_nodes_give_up_their_inner_tensors),
      cmocka_unit_test(interpreters_share_an_arena),
      cmocka_unit_test(hot_tensors_lie_in_the_fast_region),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
