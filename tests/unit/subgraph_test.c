// SPDX-License-Identifier: Apache-2.0
// Data-dependent shapes, calls between subgraphs, signatures, resources, scratch and temporaries of kernels, profiling,
// cancelling, the memory report.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arenite/profile.h"
#include "arenite/report.h"
#include "operators/op_harness.h"
#include "runtime/subgraph.h"
#include "unit/test_kernels.h"

static arn_resolver *kernels;

static void begin(op_test *t) {
  op_test_begin(t);
  t->options.resolver = kernels;
}

static void twice(op_test *t, int x, int y) { op_test_custom(t, "Double", 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(y)); }

// ---- Shapes that depend on data. ----
// x[6] -> Double -> a -> Take(n) -> b -> Double -> c -> Double -> d
typedef struct taking {
  op_test t;
  int x, n, a, b, c, d;
} taking;

static void describe_taking(taking *g) {
  begin(&g->t);
  g->x = op_test_input(&g->t, TensorType_FLOAT32, OP_DIMS(6));
  g->n = op_test_input(&g->t, TensorType_INT32, OP_DIMS(1));
  g->a = op_test_between(&g->t, TensorType_FLOAT32, OP_DIMS(6));
  g->b = op_test_between(&g->t, TensorType_FLOAT32, OP_DIMS(1));
  g->c = op_test_between(&g->t, TensorType_FLOAT32, OP_DIMS(1));
  g->d = op_test_output(&g->t, TensorType_FLOAT32, OP_DIMS(1));
  twice(&g->t, g->x, g->a);
  op_test_custom(&g->t, "Take", 1, NULL, 0, OP_TENSORS(g->a, g->n), OP_TENSORS(g->b));
  twice(&g->t, g->b, g->c);
  twice(&g->t, g->c, g->d);
}

static void take_values(taking *g, int32_t count) {
  op_test_set(&g->t, g->n, &count);
  op_test_invoke(&g->t);
  op_test_expect_dims(&g->t, g->d, OP_DIMS(count));
  op_test_expect_f32(&g->t, g->d, (float[]){8, 16, 24, 32, 40, 48}, (size_t)count, 0);
}

static void shapes_may_depend_on_data(void **state) {
  (void)state;
  taking g;
  describe_taking(&g);
  op_test_prepare(&g.t);
  op_test_set(&g.t, g.x, (float[]){1, 2, 3, 4, 5, 6});
  const void *fixed = op_test_at(&g.t, g.a)->data.raw, *input = op_test_at(&g.t, g.x)->data.raw;
  const int32_t counts[] = {3, 6, 1, 1, 0, 5, 5, 2};
  for (size_t i = 0; i < BASE_COUNT(counts); i++) {
    take_values(&g, counts[i]);
    assert_ptr_equal(op_test_at(&g.t, g.a)->data.raw, fixed);  // what was placed before stays
    assert_ptr_equal(op_test_at(&g.t, g.x)->data.raw, input);
  }
  op_test_end(&g.t);
}

static void an_error_behind_a_dynamic_shape_can_be_survived(void **state) {
  (void)state;
  taking g;
  describe_taking(&g);
  op_test_prepare(&g.t);
  op_test_set(&g.t, g.x, (float[]){1, 2, 3, 4, 5, 6});
  take_values(&g, 2);
  op_test_set(&g.t, g.n, (int32_t[]){7});
  assert_int_equal(arn_interpreter_invoke(g.t.interpreter, &g.t.error), ARN_ERROR);
  assert_string_equal(g.t.error.message, "node 1 Take v1: cannot take 7 of 6");
  take_values(&g, 4);
  op_test_end(&g.t);
}

// The count out of Take's reach comes after it has resized its output: what lies behind must not run on the old plan.
static TfLiteStatus take_then_fail(TfLiteContext *context, TfLiteNode *node) {
  TfLiteStatus status = take_invoke(context, node);
  return op_input(context, node, 0)->data.f[0] < 0 ? kTfLiteError : status;
}

static void a_shape_that_changed_before_an_error_is_planned_anew(void **state) {
  (void)state;
  const TfLiteRegistration kernel = {.prepare = take_prepare, .invoke = take_then_fail};
  arn_resolver *r = NULL;
  assert_int_equal(arn_resolver_create(kernels, &r), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(r, "Take", &kernel, 1, 1), ARN_OK);
  taking g;
  describe_taking(&g);
  g.t.options.resolver = r;
  op_test_prepare(&g.t);
  op_test_set(&g.t, g.x, (float[]){1, 2, 3, 4, 5, 6});
  take_values(&g, 1);
  op_test_set(&g.t, g.x, (float[]){-1, 2, 3, 4, 5, 6});
  op_test_set(&g.t, g.n, (int32_t[]){6});
  assert_int_equal(arn_interpreter_invoke(g.t.interpreter, NULL), ARN_ERROR);
  op_test_set(&g.t, g.x, (float[]){1, 2, 3, 4, 5, 6});
  take_values(&g, 6);
  op_test_end(&g.t);
  arn_resolver_destroy(r);
}

// ---- Calls. ----
static void call(op_test *t, uint8_t index, int x, int y) {
  static uint8_t options[OP_TEST_SUBGRAPHS] = {0, 1, 2, 3, 4, 5, 6, 7};
  op_test_custom(t, "Call", 1, &options[index], 1, OP_TENSORS(x), OP_TENSORS(y));
}

static void subgraphs_call_each_other(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 1, x, y);
  call(&t, 1, y, z);
  assert_int_equal(op_test_subgraph(&t), 1);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), b = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  twice(&t, a, b);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 2});
  op_test_invoke(&t);
  op_test_expect_f32(&t, z, (float[]){4, 8}, 2, 0);
  op_test_end(&t);
}

static void a_subgraph_that_calls_itself_is_refused(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 1, x, y);
  op_test_subgraph(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), b = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 2, a, b);
  op_test_subgraph(&t);
  int c = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), d = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 1, c, d);
  op_test_expect_refusal(&t, "subgraph 1 calls itself");
  op_test_end(&t);
}

static void the_deepest_message_is_the_one_reported(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 1, x, y);
  op_test_subgraph(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), b = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_custom(&t, "Fail", 1, "invoke", 6, OP_TENSORS(a), OP_TENSORS(b));
  op_test_expect_refusal(&t, "subgraph 1, node 0 Fail v1: value 9 is out of range");
  assert_int_equal(t.error.subgraph, 1);
  assert_int_equal(t.error.node, 0);
  op_test_end(&t);
}

// ---- Signatures. ----
static void signatures_run_their_subgraph(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  twice(&t, x, y);
  op_test_subgraph(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(-1)), n = op_test_input(&t, TensorType_INT32, OP_DIMS(1));
  int b = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_custom(&t, "Take", 1, NULL, 0, OP_TENSORS(a, n), OP_TENSORS(b));
  t.signature = "take";
  op_test_prepare(&t);

  assert_int_equal(arn_interpreter_signature_count(t.interpreter), 1);
  assert_string_equal(arn_interpreter_signature_key(t.interpreter, 0), "take");
  assert_null(arn_interpreter_signature_key(t.interpreter, 1));
  assert_null(arn_interpreter_signature_runner(t.interpreter, "give"));
  arn_signature_runner *runner = arn_interpreter_signature_runner(t.interpreter, "take");
  assert_ptr_equal(arn_interpreter_signature_runner(t.interpreter, NULL), runner);
  assert_int_equal(arn_signature_input_count(runner), 2);
  assert_int_equal(arn_signature_output_count(runner), 1);
  assert_string_equal(arn_signature_input_name(runner, 1), "in1");
  assert_string_equal(arn_signature_output_name(runner, 0), "out0");
  assert_null(arn_signature_input_name(runner, 2));
  assert_null(arn_signature_input(runner, "out0"));

  assert_int_equal(arn_signature_invoke(runner, &t.error), ARN_WRONG_STATE);
  assert_int_equal(arn_signature_resize_input(runner, "in7", (int[]){3}, 1, &t.error), ARN_NOT_FOUND);
  assert_int_equal(arn_signature_resize_input(runner, "in0", (int[]){3}, 1, &t.error), ARN_OK);
  assert_int_equal(arn_signature_allocate(runner, &t.error), ARN_OK);
  memcpy(arn_signature_input(runner, "in0")->data.f, (float[]){7, 8, 9}, 12);
  arn_signature_input(runner, "in1")->data.i32[0] = 2;
  assert_int_equal(arn_signature_invoke(runner, &t.error), ARN_OK);
  const TfLiteTensor *out = arn_signature_output(runner, "out0");
  assert_int_equal(out->dims->data[0], 2);
  assert_true(out->data.f[1] == 8);
  op_test_end(&t);
}

// ---- What kernels may ask for. ----
typedef struct workspace {
  int first, second;
  char *kept;
} workspace;

static void *workspace_init(TfLiteContext *context, const char *buffer, size_t length) {
  (void)buffer, (void)length;
  return context->AllocatePersistentBuffer(context, sizeof(workspace));
}
static TfLiteStatus workspace_prepare(TfLiteContext *context, TfLiteNode *node) {
  workspace *w = node->user_data;
  if (!w->kept) w->kept = context->AllocatePersistentBuffer(context, 10);
  if (!w->kept) return kTfLiteError;
  memset(w->kept, 5, 10);
  int temporary;
  if (node->temporaries->size == 0) {
    if (context->AddTensors(context, 1, &temporary) != kTfLiteOk) return kTfLiteError;
    TfLiteIntArrayFree(node->temporaries);
    node->temporaries = TfLiteIntArrayCreate(1);
    if (!node->temporaries) return kTfLiteError;
    node->temporaries->data[0] = temporary;
  }
  TfLiteTensor *t = &context->tensors[node->temporaries->data[0]];
  t->type = kTfLiteFloat32;
  t->allocation_type = kTfLiteArenaRw;
  if (context->ResizeTensorExplicit(context, t, 1, (int[]){50}) != kTfLiteOk) return kTfLiteError;
  if (context->RequestScratchBufferInArena(context, 1000, &w->first) != kTfLiteOk) return kTfLiteError;
  if (context->RequestScratchBufferInArena(context, 3000, &w->second) != kTfLiteOk) return kTfLiteError;
  return double_prepare(context, node);
}
static TfLiteStatus workspace_invoke(TfLiteContext *context, TfLiteNode *node) {
  workspace *w = node->user_data;
  uint8_t *first = context->GetScratchBuffer(context, w->first), *second = context->GetScratchBuffer(context, w->second);
  float *temporary = context->tensors[node->temporaries->data[0]].data.f;
  bool placed = first && second && temporary && ((uintptr_t)first & 63) == 0 && ((uintptr_t)second & 63) == 0;
  if (!placed || w->kept[9] != 5) return kTfLiteError;
  // Everything at once, each with its own pattern: what overlaps is overwritten.
  memset(first, 1, 1000), memset(second, 2, 3000), memset(temporary, 3, 200);
  TfLiteStatus status = double_invoke(context, node);
  for (int i = 0; i < 1000; i++) OP_CHECK(context, first[i] == 1, "the first scratch buffer is overwritten at %d", i);
  for (int i = 0; i < 3000; i++) OP_CHECK(context, second[i] == 2, "the second scratch buffer is overwritten at %d", i);
  for (int i = 0; i < 200; i++) OP_CHECK(context, ((char *)temporary)[i] == 3, "the temporary is overwritten at %d", i);
  OP_CHECK(context, context->GetScratchBuffer(context, 1000000) == NULL, "a scratch buffer that was never asked for");
  return status;
}

static void scratch_temporaries_and_persistent_memory_are_the_nodes_own(void **state) {
  (void)state;
  const TfLiteRegistration kernel = {.init = workspace_init, .prepare = workspace_prepare, .invoke = workspace_invoke};
  arn_resolver *r = NULL;
  assert_int_equal(arn_resolver_create(kernels, &r), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(r, "Workspace", &kernel, 1, 1), ARN_OK);
  op_test t;
  begin(&t);
  t.options.resolver = r;
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(40)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(40));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(40));
  op_test_custom(&t, "Workspace", 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(y));
  op_test_custom(&t, "Workspace", 1, NULL, 0, OP_TENSORS(y), OP_TENSORS(z));
  op_test_prepare(&t);
  for (int size = 1; size <= 40; size += 13) {
    op_test_resize(&t, x, OP_DIMS(size));
    float in[40], out[40];
    for (int i = 0; i < size; i++) in[i] = (float)i, out[i] = 4 * (float)i;
    op_test_set(&t, x, in);
    op_test_invoke(&t);
    op_test_expect_f32(&t, z, out, (size_t)size, 0);
  }
  int scratch = 0;
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(t.interpreter, i, &row); i++) {
    if (row.kind != ARN_MEMORY_SCRATCH) continue;
    scratch++;
    assert_int_equal(row.first_use, row.last_use);
    assert_true(row.bytes == 1000 || row.bytes == 3000);
  }
  assert_int_equal(scratch, 4);  // two nodes, two each, not more after several preparations
  op_test_end(&t);
  arn_resolver_destroy(r);
}

static TfLiteStatus outlaw_prepare(TfLiteContext *context, TfLiteNode *node) {
  TfLiteIntArray *plan;
  TfLiteNode *other;
  TfLiteRegistration *registration;
  TfLiteDelegateParams *partitions;
  int count;
  TfLiteContext *acquired;
  bool refused =
      context->GetExecutionPlan(context, &plan) == kTfLiteError &&
      context->GetNodeAndRegistration(context, 0, &other, &registration) == kTfLiteError &&
      context->ReplaceNodeSubsetsWithDelegateKernels(context, (TfLiteRegistration){0}, node->inputs, NULL) == kTfLiteError &&
      context->PreviewDelegatePartitioning(context, node->inputs, &partitions, &count) == kTfLiteError &&
      context->AcquireSubgraphContext(context, 0, &acquired) == kTfLiteError &&
      context->ReleaseSubgraphContext(context, 0) == kTfLiteError;
  return refused ? double_prepare(context, node) : kTfLiteError;
}

static void graph_changes_are_for_delegates_only(void **state) {
  (void)state;
  const TfLiteRegistration kernel = {.prepare = outlaw_prepare, .invoke = double_invoke};
  arn_resolver *r = NULL;
  assert_int_equal(arn_resolver_create(NULL, &r), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(r, "Outlaw", &kernel, 1, 1), ARN_OK);
  op_test t;
  begin(&t);
  t.options.resolver = r;
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  op_test_custom(&t, "Outlaw", 1, NULL, 0, OP_TENSORS(x), OP_TENSORS(y));
  op_test_prepare(&t);
  assert_non_null(strstr(t.report, "GetExecutionPlan may be called in a delegate's Prepare only"));
  op_test_end(&t);
  arn_resolver_destroy(r);
}

static int destroyed;
static void count_destroyed(TfLiteContext *context, void *object) {
  op_services_of(context)->release(context, object);
  destroyed++;
}

static void resources_live_as_long_as_the_interpreter(void **state) {
  (void)state;
  destroyed = 0;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  twice(&t, x, y);
  op_test_prepare(&t);
  TfLiteContext *context = &t.interpreter->subgraphs[0].context;
  const op_services *services = op_services_of(context);
  int first = services->resource_id(context, "", "a"), second = services->resource_id(context, "a", "");
  assert_int_not_equal(first, second);
  assert_int_equal(services->resource_id(context, NULL, "a"), first);
  assert_null(services->resource(context, first));
  assert_null(services->resource(context, 99));
  assert_int_equal(services->put_resource(context, 99, &t, NULL), kTfLiteError);
  void *object = services->allocate(context, 100), *other = services->allocate(context, 100);
  assert_int_equal(services->put_resource(context, first, object, count_destroyed), kTfLiteOk);
  assert_ptr_equal(services->resource(context, first), object);
  assert_int_equal(services->put_resource(context, first, other, count_destroyed), kTfLiteOk);
  assert_int_equal(destroyed, 1);  // replaced
  assert_true(services->first_call(context, 0));
  assert_false(services->first_call(context, 0));
  op_test_end(&t);
  assert_int_equal(destroyed, 2);
}

// ---- Watching and stopping. ----
static void the_profile_counts_every_node(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(2));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  call(&t, 1, x, y);
  twice(&t, y, z);
  op_test_subgraph(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), b = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  twice(&t, a, b);
  op_test_prepare(&t);
  arn_profile *profile = NULL;
  assert_int_equal(arn_profile_create(&profile), ARN_OK);
  arn_interpreter_set_profiler(t.interpreter, arn_profile_hooks(profile));
  for (int run = 0; run < 3; run++) op_test_invoke(&t);
  arn_interpreter_set_profiler(t.interpreter, NULL);
  op_test_invoke(&t);
  const int where[][2] = {{0, 0}, {0, 1}, {1, 0}};
  arn_profile_row rows[3], none;
  for (int i = 0; i < 3; i++) {
    assert_true(arn_profile_row_at(profile, i, &rows[i]));
    assert_int_equal(rows[i].subgraph, where[i][0]);
    assert_int_equal(rows[i].node, where[i][1]);
    assert_int_equal(rows[i].calls, 3);
    assert_true(rows[i].min_ns <= rows[i].max_ns && rows[i].max_ns <= rows[i].total_ns);
  }
  assert_true(rows[0].total_ns >= rows[2].total_ns);  // the call contains what it calls
  assert_false(arn_profile_row_at(profile, 3, &none));
  arn_profile_reset(profile);
  assert_false(arn_profile_row_at(profile, 0, &none));
  arn_profile_destroy(profile);
  op_test_end(&t);
}

static void cancel_node(void *user, int subgraph, int node) {
  (void)subgraph;
  if (node == 0) arn_interpreter_cancel(user);
}

static void cancelling_stops_before_the_next_node(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), y = op_test_between(&t, TensorType_FLOAT32, OP_DIMS(1));
  int z = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  twice(&t, x, y);
  twice(&t, y, z);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1});
  const arn_profiler hooks[] = {{.user = t.interpreter, .end = cancel_node}, {.user = t.interpreter, .begin = cancel_node}};
  for (int i = 0; i < 2; i++) {  // behind node 0, then in front of it
    arn_interpreter_set_profiler(t.interpreter, &hooks[i]);
    assert_int_equal(arn_interpreter_invoke(t.interpreter, &t.error), ARN_CANCELLED);
    assert_int_equal(t.error.node, 1 - i);
    assert_non_null(strstr(t.error.message, "cancelled before this node"));
    op_test_expect_f32(&t, z, (float[]){0}, 1, 0);
  }
  arn_interpreter_set_profiler(t.interpreter, NULL);
  op_test_invoke(&t);
  op_test_expect_f32(&t, z, (float[]){4}, 1, 0);
  op_test_end(&t);
}

// ---- The memory report. ----
static void the_report_accounts_for_every_tensor(void **state) {
  (void)state;
  op_test t;
  begin(&t);
  int last = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(100));
  op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(25), (float[25]){0});
  op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(10));
  for (int i = 0; i < 6; i++) {
    int next =
        i < 5 ? op_test_between(&t, TensorType_FLOAT32, OP_DIMS(100)) : op_test_output(&t, TensorType_FLOAT32, OP_DIMS(100));
    twice(&t, last, next);
    last = next;
  }
  op_test_prepare(&t);
  arn_memory_totals totals;
  assert_int_equal(arn_memory_report(t.interpreter, &totals), ARN_OK);
  assert_int_equal(totals.alignment, 64);
  assert_int_equal(totals.planned_sum, 7 * 400);
  assert_int_equal(totals.arena, 3 * 448);  // the input, and two that take turns; 400 rounded up to 64
  assert_int_equal(totals.lower_bound, totals.arena);
  assert_true(totals.proven);
  assert_int_equal(totals.constants, 100);
  assert_int_equal(totals.persistent, 40);
  assert_int_equal(totals.dynamic, 0);
  assert_int_equal(totals.heap, totals.arena + totals.persistent + totals.packed + totals.overhead);
  int rows[ARN_MEMORY_NONE + 1] = {0};
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(t.interpreter, i, &row); i++) {
    rows[row.kind]++;
    if (row.kind != ARN_MEMORY_PLANNED) continue;
    assert_int_equal(row.bytes, 400);
    assert_true(row.offset >= 0 && (size_t)row.offset + row.bytes <= totals.arena);
    assert_int_equal(row.first_use, row.tensor == 0 ? -1 : row.node);
    assert_int_equal(row.last_use, row.tensor == 0 || row.tensor == last ? 6 : row.node + 1);
  }
  assert_int_equal(rows[ARN_MEMORY_PLANNED], 7);
  assert_int_equal(rows[ARN_MEMORY_CONSTANT], 1);
  assert_int_equal(rows[ARN_MEMORY_PERSISTENT], 1);
  op_test_end(&t);
}

static void alignment_and_planner_are_options(void **state) {
  (void)state;
  for (size_t alignment = 16; alignment <= 4096; alignment *= 4) {
    for (int planner = ARN_PLAN_LINEAR; planner <= ARN_PLAN_EXACT; planner++) {
      op_test t;
      begin(&t);
      t.options.alignment = alignment;
      t.options.planner = (arn_plan_algorithm)planner;
      int tensors[4] = {op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3))};
      for (int i = 1; i < 4; i++) {
        tensors[i] =
            i < 3 ? op_test_between(&t, TensorType_FLOAT32, OP_DIMS(3)) : op_test_output(&t, TensorType_FLOAT32, OP_DIMS(3));
        twice(&t, tensors[i - 1], tensors[i]);
      }
      op_test_prepare(&t);
      for (int i = 0; i < 4; i++) assert_int_equal((uintptr_t)op_test_at(&t, tensors[i])->data.raw & (alignment - 1), 0);
      op_test_set(&t, tensors[0], (float[]){1, 2, 3});
      op_test_invoke(&t);
      op_test_expect_f32(&t, tensors[3], (float[]){8, 16, 24}, 3, 0);
      arn_memory_totals totals;
      assert_int_equal(arn_memory_report(t.interpreter, &totals), ARN_OK);
      assert_int_equal(totals.planner, planner);
      assert_int_equal(totals.arena, (planner == ARN_PLAN_LINEAR ? 4 : 3) * (alignment < 16 ? 16 : alignment));
      op_test_end(&t);
    }
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
      cmocka_unit_test(shapes_may_depend_on_data),
      cmocka_unit_test(an_error_behind_a_dynamic_shape_can_be_survived),
      cmocka_unit_test(a_shape_that_changed_before_an_error_is_planned_anew),
      cmocka_unit_test(subgraphs_call_each_other),
      cmocka_unit_test(a_subgraph_that_calls_itself_is_refused),
      cmocka_unit_test(the_deepest_message_is_the_one_reported),
      cmocka_unit_test(signatures_run_their_subgraph),
      cmocka_unit_test(scratch_temporaries_and_persistent_memory_are_the_nodes_own),
      cmocka_unit_test(graph_changes_are_for_delegates_only),
      cmocka_unit_test(resources_live_as_long_as_the_interpreter),
      cmocka_unit_test(the_profile_counts_every_node),
      cmocka_unit_test(cancelling_stops_before_the_next_node),
      cmocka_unit_test(the_report_accounts_for_every_tensor),
      cmocka_unit_test(alignment_and_planner_are_options),
  };
  return cmocka_run_group_tests(tests, make_kernels, drop_kernels);
}
