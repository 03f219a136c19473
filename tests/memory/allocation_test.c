// SPDX-License-Identifier: Apache-2.0
// Memory: every allocation may fail, nothing is lost or half-done; a static graph's inference allocates nothing; what lies
// between an inference's tensors does not matter. All of malloc is watched, through the linker's --wrap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/poison.h"
#include "operators/op_harness.h"
#include "runtime/subgraph.h"
#include "unit/test_kernels.h"

// ---- The watched heap. ----
static long live, calls, fail_at;  // fail_at: this call (counted from 1) fails, and only it; 0: none
static bool refuse_now(void) { return ++calls == fail_at; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) { return refuse_now() ? NULL : (live++, __real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) { return refuse_now() ? NULL : (live++, __real_calloc(count, size)); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return refuse_now() ? NULL : (live++, __real_aligned_alloc(alignment, size));
}
void __wrap_free(void *memory) {
  live -= memory != NULL;
  __real_free(memory);
}

// ---- Models to run. ----
static arn_resolver *kernels;

// A static graph with builtin operators, a variable, quantised tensors, a constant, a called subgraph and a signature.
static void describe_static(op_test *t) {
  op_test_begin(t);
  t->options.resolver = kernels;
  static const float filter[8] = {1, -1, 2, -2, 3, -3, 4, -4}, bias[2] = {0.5f, -0.5f};
  static const uint8_t callee = 1;
  static const int32_t new_shape[2] = {1, 4};
  int x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(2, 2)), a = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1, 4));
  int b = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1, 2)), c = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int d = op_test_output(t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int w = op_test_constant(t, TensorType_FLOAT32, OP_DIMS(2, 4), filter),
      w0 = op_test_constant(t, TensorType_FLOAT32, OP_DIMS(2), bias);
  int shape = op_test_constant(t, TensorType_INT32, OP_DIMS(2), new_shape);
  int v = op_test_variable(t, TensorType_INT8, OP_DIMS(100));
  op_test_quantize(t, v, 0.5f, 3);
  op_test_node(t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x, shape), OP_TENSORS(a));
  op_test_node(t, BuiltinOperator_FULLY_CONNECTED, 1, OP_TENSORS(a, w, w0), OP_TENSORS(b));
  op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(b), OP_TENSORS(c));
  op_test_custom(t, "Call", 1, &callee, 1, OP_TENSORS(c), OP_TENSORS(d));
  op_test_subgraph(t);
  int in = op_test_input(t, TensorType_FLOAT32, OP_DIMS(1, 2)), out = op_test_output(t, TensorType_FLOAT32, OP_DIMS(1, 2));
  op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(in), OP_TENSORS(out));
  t->signature = "inner";
}
static const float static_input[4] = {1, 2, 3, 4}, static_expected[2] = {-10, -30};  // 4 * (filter . x + bias)

// A graph whose shape depends on data.
static void describe_dynamic(op_test *t) {
  op_test_begin(t);
  t->options.resolver = kernels;
  int x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(6)), n = op_test_input(t, TensorType_INT32, OP_DIMS(1));
  int a = op_test_between(t, TensorType_FLOAT32, OP_DIMS(6)), b = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1));
  int c = op_test_between(t, TensorType_FLOAT32, OP_DIMS(1)), d = op_test_output(t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(a));
  op_test_custom(t, "Take", 1, NULL, 0, OP_TENSORS(a, n), OP_TENSORS(b));
  op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(b), OP_TENSORS(c));
  op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(c), OP_TENSORS(d));
}

static arn_status feed_and_run_static(op_test *t) {
  arn_status status = arn_interpreter_allocate(t->interpreter, &t->error);
  if (status != ARN_OK) return status;
  memcpy(arn_interpreter_input(t->interpreter, 0)->data.f, static_input, sizeof static_input);
  status = arn_interpreter_invoke(t->interpreter, &t->error);
  if (status == ARN_OK)
    assert_memory_equal(arn_interpreter_output(t->interpreter, 0)->data.f, static_expected, sizeof static_expected);
  return status;
}

static arn_status feed_and_run_dynamic(op_test *t) {
  arn_status status = arn_interpreter_allocate(t->interpreter, &t->error);
  if (status != ARN_OK) return status;
  memcpy(arn_interpreter_input(t->interpreter, 0)->data.f, (float[]){1, 2, 3, 4, 5, 6}, 24);
  for (int32_t count = 2; count <= 6; count += 2) {
    arn_interpreter_input(t->interpreter, 1)->data.i32[0] = count;
    status = arn_interpreter_invoke(t->interpreter, &t->error);
    if (status != ARN_OK) return status;
    const TfLiteTensor *y = arn_interpreter_output(t->interpreter, 0);
    assert_int_equal(y->dims->data[0], count);
    for (int i = 0; i < count; i++) assert_true(y->data.f[i] == 8 * (float)(i + 1));
  }
  return ARN_OK;
}

// ---- Every allocation fails once. ----
static arn_status open_and_run(op_test *t, arn_status (*run)(op_test *t)) {
  arn_status status = arn_model_open_buffer(t->bytes, t->size, 0, arn_heap(), &t->model, &t->error);
  if (status == ARN_OK) status = arn_interpreter_create(t->model, &t->options, &t->interpreter, &t->error);
  if (status == ARN_OK) status = run(t);
  return status;
}

static void fail_every_allocation(void (*describe)(op_test *t), arn_status (*run)(op_test *t)) {
  long total = 0, survived = 0;
  for (long n = 0; n <= total; n++) {  // the first round counts
    op_test t;
    describe(&t);
    op_test_build(&t);
    long before = live;
    calls = 0;
    fail_at = n;
    arn_status status = open_and_run(&t, run);
    fail_at = 0;
    if (n == 0) {
      if (status != ARN_OK) fail_msg("%s", t.error.message);
      total = calls;
      assert_true(total > 20);
    } else if (status != ARN_OK) {
      assert_int_equal(t.error.status, status);
      assert_true(t.error.message[0] != '\0');
      // What was made so far works once there is memory again.
      if (t.interpreter && run(&t) != ARN_OK) fail_msg("after allocation %ld failed: %s", n, t.error.message);
    } else {
      survived++;
    }
    arn_interpreter_destroy(t.interpreter);
    arn_model_close(t.model);
    assert_int_equal(live, before);
    t.interpreter = NULL, t.model = NULL;
    op_test_end(&t);
  }
  assert_true(survived < total);
}

static void every_allocation_of_a_static_graph_may_fail(void **state) {
  (void)state;
  fail_every_allocation(describe_static, feed_and_run_static);
}

static void every_allocation_of_a_dynamic_graph_may_fail(void **state) {
  (void)state;
  fail_every_allocation(describe_dynamic, feed_and_run_dynamic);
}

// ---- Inference allocates nothing. ----
static void count_allocations(const char *path) {
  arn_model *model = NULL;
  arn_interpreter *in = NULL;
  arn_error error;
  assert_int_equal(arn_model_open_file(path, 0, &model, &error), ARN_OK);
  assert_int_equal(arn_interpreter_create(model, NULL, &in, &error), ARN_OK);
  assert_int_equal(arn_interpreter_allocate(in, &error), ARN_OK);
  long before = calls;
  for (int run = 0; run < 3; run++) assert_int_equal(arn_interpreter_invoke(in, &error), ARN_OK);
  assert_int_equal(calls, before);
  arn_interpreter_destroy(in);
  arn_model_close(model);
}

static void inference_of_a_static_graph_allocates_nothing(void **state) {
  (void)state;
  count_allocations("models/sine.tflite");
  count_allocations("models/digits/digits.tflite");
  op_test t;
  describe_static(&t);
  op_test_prepare(&t);
  long before = calls;
  for (int run = 0; run < 3; run++) op_test_invoke(&t);
  assert_int_equal(calls, before);
  op_test_end(&t);
}

// A data-dependent shape that stays the same costs shapes only, not tensors or plans.
static void a_dynamic_shape_that_stays_is_not_planned_again(void **state) {
  (void)state;
  op_test t;
  describe_dynamic(&t);
  op_test_prepare(&t);
  op_test_set(&t, 0, (float[]){1, 2, 3, 4, 5, 6});
  op_test_set(&t, 1, (int32_t[]){4});
  op_test_invoke(&t);
  long before = calls;
  op_test_invoke(&t);
  assert_true(calls - before <= 1);  // the shape that Take hands over
  op_test_end(&t);
}

// ---- What else is in the arena does not matter. ----
static arn_interpreter *open_digits(arn_model **model, bool keep_all) {
  arn_interpreter *in = NULL;
  arn_error error;
  arn_interpreter_options options = {.keep_all_tensors = keep_all};
  if (arn_model_open_file("models/digits/digits.tflite", 0, model, &error) != ARN_OK) fail_msg("%s", error.message);
  if (arn_interpreter_create(*model, &options, &in, &error) != ARN_OK) fail_msg("%s", error.message);
  if (arn_interpreter_allocate(in, &error) != ARN_OK) fail_msg("%s", error.message);
  return in;
}

static void set_input(arn_interpreter *in, unsigned seed) {
  TfLiteTensor *input = arn_interpreter_input(in, 0);
  for (size_t i = 0; i < input->bytes; i++) input->data.uint8[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
}

static void poison_arena(arn_interpreter *in, uint8_t value) {
  for (int s = 0; s < in->subgraph_count; s++) {
    for (int i = 0; i < in->subgraphs[s].segment_count; i++) {
      const runtime_segment *segment = &in->subgraphs[s].segments[i];
      base_unpoison(segment->memory, segment->peak);  // the gaps
      memset(segment->memory, value, segment->peak);
    }
  }
}

static void poisoning_the_arena_between_inferences_changes_nothing(void **state) {
  (void)state;
  arn_model *model = NULL, *kept_model = NULL;
  arn_interpreter *in = open_digits(&model, false), *kept = open_digits(&kept_model, true);
  size_t bytes = arn_interpreter_output(in, 0)->bytes;
  for (unsigned seed = 1; seed < 20; seed++) {
    poison_arena(in, (uint8_t)(seed * 37));
    set_input(in, seed);
    set_input(kept, seed);
    assert_int_equal(arn_interpreter_invoke(in, NULL), ARN_OK);
    assert_int_equal(arn_interpreter_invoke(kept, NULL), ARN_OK);
    assert_memory_equal(arn_interpreter_output(in, 0)->data.raw, arn_interpreter_output(kept, 0)->data.raw, bytes);
  }
  arn_interpreter_destroy(in);
  arn_interpreter_destroy(kept);
  arn_model_close(model);
  arn_model_close(kept_model);
}

// ---- The books are right. ----
static size_t counted;
typedef union counted_head {
  struct {
    size_t size;
    void *start;
  } of;
  max_align_t align;
} counted_head;
static void *counted_allocate(void *self, size_t size, size_t alignment) {
  (void)self;
  uint8_t *start = malloc(size + alignment + sizeof(counted_head));
  if (!start) return NULL;
  uintptr_t at = ((uintptr_t)start + sizeof(counted_head) + alignment - 1) & ~(uintptr_t)(alignment - 1);
  ((counted_head *)at)[-1].of.size = size;
  ((counted_head *)at)[-1].of.start = start;
  counted += size;
  return (void *)at;
}
static void counted_release(void *self, void *memory) {
  (void)self;
  counted -= ((counted_head *)memory)[-1].of.size;
  free(((counted_head *)memory)[-1].of.start);
}

static size_t booked(const arn_interpreter *in) {
  size_t bytes = in->overhead + in->packed + in->persistent;
  for (int s = 0; s < in->subgraph_count; s++) {
    for (int i = 0; i < in->subgraphs[s].segment_capacity; i++) bytes += in->subgraphs[s].segments[i].capacity;
  }
  return bytes;
}

static void the_books_agree_with_the_allocator(void **state) {
  (void)state;
  static const base_allocator allocator = {counted_allocate, counted_release, NULL};
  void (*const describe[])(op_test * t) = {describe_static, describe_dynamic};
  arn_status (*const run[])(op_test * t) = {feed_and_run_static, feed_and_run_dynamic};
  for (int i = 0; i < 2; i++) {
    op_test t;
    describe[i](&t);
    op_test_build(&t);
    assert_int_equal(arn_model_open_buffer(t.bytes, t.size, 0, arn_heap(), &t.model, &t.error), ARN_OK);
    assert_int_equal(counted, 0);
    assert_int_equal(runtime_create(t.model, &t.options, &allocator, &t.interpreter, &t.error), ARN_OK);
    assert_int_equal(booked(t.interpreter), counted);
    assert_int_equal(run[i](&t), ARN_OK);
    assert_int_equal(booked(t.interpreter), counted);
    op_test_end(&t);
    assert_int_equal(counted, 0);
  }
}

static int make_kernels(void **state) {
  (void)state;
  if (arn_resolver_create(arn_resolver_builtin(), &kernels) != ARN_OK) return -1;
  add_test_kernels(kernels);
  return 0;
}
static int drop_kernels(void **state) { return (void)state, arn_resolver_destroy(kernels), 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_of_a_static_graph_may_fail),
      cmocka_unit_test(every_allocation_of_a_dynamic_graph_may_fail),
      cmocka_unit_test(inference_of_a_static_graph_allocates_nothing),
      cmocka_unit_test(a_dynamic_shape_that_stays_is_not_planned_again),
      cmocka_unit_test(poisoning_the_arena_between_inferences_changes_nothing),
      cmocka_unit_test(the_books_agree_with_the_allocator),
  };
  return cmocka_run_group_tests(tests, make_kernels, drop_kernels);
}
