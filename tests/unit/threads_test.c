// SPDX-License-Identifier: Apache-2.0
// Interpreters on several threads at once, of one model and of different ones, and cancelling from another thread. Meant for the
// thread sanitizer's build, where a race is a report; elsewhere wrong results are.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arenite/profile.h"
#include "operators/op_cases.h"

enum { THREADS = 4, ROUNDS = 12, SEEDS = 5, MOST_OUTPUT = 256 };

// ---- Inferences side by side. ----
typedef struct subject {
  const char *path;
  arn_model *model;
  uint8_t expected[SEEDS][MOST_OUTPUT];
  size_t bytes;
} subject;
static subject subjects[] = {{.path = "models/digits/digits.tflite"}, {.path = "models/sine.tflite"}};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static void fill_input(arn_interpreter *in, unsigned seed) {
  TfLiteTensor *input = arn_interpreter_input(in, 0);
  for (size_t i = 0; i < input->bytes; i++) input->data.uint8[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 25);
}

// What goes wrong on a thread is text: cmocka's asserts belong to the main one.
static const char *infer(arn_interpreter *in, const subject *s, int seed) {
  fill_input(in, (unsigned)seed);
  if (arn_interpreter_invoke(in, NULL) != ARN_OK) return "an invoke failed";
  return memcmp(arn_interpreter_output(in, 0)->data.raw, s->expected[seed], s->bytes) == 0 ? NULL : "a result differs";
}

static const char *run_rounds(const subject *s, bool own_model) {
  arn_model *model = s->model;
  const char *wrong = NULL;
  if (own_model && arn_model_open_file(s->path, 0, &model, NULL) != ARN_OK) return "a model did not open";
  for (int round = 0; round < ROUNDS && !wrong; round++) {
    arn_interpreter *in;
    if (arn_interpreter_create(model, NULL, &in, NULL) != ARN_OK) return "an interpreter could not be created";
    if (arn_interpreter_allocate(in, NULL) != ARN_OK) wrong = "allocate failed";
    for (int seed = 0; seed < SEEDS && !wrong; seed++) wrong = infer(in, s, seed);
    arn_interpreter_destroy(in);
  }
  if (own_model) arn_model_close(model);
  return wrong;
}

typedef struct job {
  pthread_t thread;
  int number;
  const char *wrong;
} job;

static void *on_one_model(void *data) {
  job *j = data;
  j->wrong = run_rounds(&subjects[0], false);
  return NULL;
}
static void *on_different_models(void *data) {
  job *j = data;
  j->wrong = run_rounds(&subjects[j->number % SUBJECTS], j->number % 4 >= 2);
  return NULL;
}

static void run_threads(void *(*work)(void *)) {
  job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){.number = i};
    assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    if (jobs[i].wrong) fail_msg("thread %d: %s", i, jobs[i].wrong);
  }
}

static int open_subjects(void **state) {
  (void)state;
  for (int i = 0; i < SUBJECTS; i++) {
    subject *s = &subjects[i];
    arn_interpreter *in;
    if (arn_model_open_file(s->path, 0, &s->model, NULL) != ARN_OK || arn_interpreter_create(s->model, NULL, &in, NULL) != ARN_OK)
      return -1;
    if (arn_interpreter_allocate(in, NULL) != ARN_OK) return -1;
    s->bytes = arn_interpreter_output(in, 0)->bytes;
    if (s->bytes > MOST_OUTPUT) return -1;
    for (int seed = 0; seed < SEEDS; seed++) {
      fill_input(in, (unsigned)seed);
      if (arn_interpreter_invoke(in, NULL) != ARN_OK) return -1;
      memcpy(s->expected[seed], arn_interpreter_output(in, 0)->data.raw, s->bytes);
    }
    arn_interpreter_destroy(in);
  }
  return 0;
}

static int close_subjects(void **state) {
  (void)state;
  for (int i = 0; i < SUBJECTS; i++) arn_model_close(subjects[i].model);
  return 0;
}

static void interpreters_of_one_model(void **state) {
  (void)state;
  run_threads(on_one_model);
}

static void interpreters_of_different_models(void **state) {
  (void)state;
  run_threads(on_different_models);
}

// ---- Cancelling. ----
static fb_ref loop_options(fb_builder *b, const void *data) {
  (void)data;
  fb_build_table(b);
  fb_build_i32(b, WhileOptions_cond_subgraph_index_id, 1, 0);
  fb_build_i32(b, WhileOptions_body_subgraph_index_id, 2, 0);
  return fb_build_table_end(b);
}

// while (c) c = body(c); the body has `nodes` nodes and leaves c as it is. With 0 nothing but the loop itself can notice.
static int describe_endless_loop(op_test *t, int nodes) {
  op_test_begin(t);
  int c = op_test_input(t, TensorType_BOOL, OP_DIMS(1)), y = op_test_output(t, TensorType_BOOL, OP_DIMS(1));
  op_test_node(t, BuiltinOperator_WHILE, 1, OP_TENSORS(c), OP_TENSORS(y));
  op_test_options(t, BuiltinOptions_WhileOptions, loop_options, NULL);
  op_test_subgraph(t);  // the condition
  op_test_as_output(t, op_test_input(t, TensorType_BOOL, OP_DIMS(1)));
  op_test_subgraph(t);  // the body
  int last = op_test_input(t, TensorType_BOOL, OP_DIMS(1));
  for (int i = 0; i < nodes; i++) {
    int next = op_test_between(t, TensorType_BOOL, OP_DIMS(1));
    op_test_node(t, BuiltinOperator_LOGICAL_OR, 1, OP_TENSORS(last, last), OP_TENSORS(next));
    last = next;
  }
  op_test_as_output(t, last);
  return c;
}

static void *invoke_on_thread(void *data) {
  op_test *t = data;
  return (void *)(intptr_t)arn_interpreter_invoke(t->interpreter, &t->error);
}

static void another_thread_ends_a_loop_without_end(void **state) {
  (void)state;
  for (int nodes = 0; nodes < 3; nodes++) {
    op_test t;
    int c = describe_endless_loop(&t, nodes);
    op_test_prepare(&t);
    op_test_set(&t, c, (bool[]){true});
    for (int round = 0; round < 3; round++) {
      pthread_t thread;
      void *result;
      assert_int_equal(pthread_create(&thread, NULL, invoke_on_thread, &t), 0);
      uint64_t end = arn_clock_ns() + 2000000u * (uint64_t)round;  // before it begins, or while it runs
      while (arn_clock_ns() < end) continue;
      uint64_t begin = arn_clock_ns();
      arn_interpreter_cancel(t.interpreter);
      assert_int_equal(pthread_join(thread, &result), 0);
      assert_int_equal((intptr_t)result, ARN_CANCELLED);
      assert_int_equal(t.error.status, ARN_CANCELLED);
      assert_true(arn_clock_ns() - begin < 5000000000u);
    }
    op_test_set(&t, c, (bool[]){false});  // the next inference knows nothing of it
    op_test_invoke(&t);
    op_test_end(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interpreters_of_one_model),
      cmocka_unit_test(interpreters_of_different_models),
      cmocka_unit_test(another_thread_ends_a_loop_without_end),
  };
  return cmocka_run_group_tests(tests, open_subjects, close_subjects);
}
