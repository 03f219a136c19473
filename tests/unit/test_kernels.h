// SPDX-License-Identifier: Apache-2.0
// Callers' kernels for tests of the runtime: small operators with one behaviour each, registered as custom operators.
#ifndef UNIT_TEST_KERNELS_H
#define UNIT_TEST_KERNELS_H

#include <string.h>

#include "arenite/resolver.h"
#include "ops/op.h"

// "Double": y = 2 x, float.
static inline TfLiteStatus double_prepare(TfLiteContext *context, TfLiteNode *node) {
  return op_resize_like(context, op_output(context, node, 0), op_input(context, node, 0));
}
static inline TfLiteStatus double_invoke(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *x = op_input(context, node, 0);
  for (size_t i = 0; i < op_count(x); i++) op_output(context, node, 0)->data.f[i] = 2 * x->data.f[i];
  return kTfLiteOk;
}

// "Take": input 0 float [n], input 1 int32 [1]; the output is the first input[1][0] values: its shape depends on data.
static inline TfLiteStatus take_prepare(TfLiteContext *context, TfLiteNode *node) {
  return op_make_dynamic(context, op_output(context, node, 0));
}
static inline TfLiteStatus take_invoke(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *x = op_input(context, node, 0);
  int count = op_input(context, node, 1)->data.i32[0];
  OP_CHECK(context, count >= 0 && (size_t)count <= op_count(x), "cannot take %d of %d", count, (int)op_count(x));
  TfLiteTensor *y = op_output(context, node, 0);
  TfLiteStatus status = op_resize(context, y, 1, &count);
  if (status == kTfLiteOk && count) memcpy(y->data.f, x->data.f, (size_t)count * sizeof(float));
  return status;
}

// "Fail": its option string says where: "prepare", "invoke", "silent" (invoke, without a message), "cancel", "init".
static inline bool fail_wants(const TfLiteNode *node, const char *where) {
  size_t length = strlen(where);
  return node->custom_initial_data_size == (int)length && memcmp(node->custom_initial_data, where, length) == 0;
}
static inline void *fail_init(TfLiteContext *context, const char *buffer, size_t length) {
  (void)context;
  return length == 4 && memcmp(buffer, "init", 4) == 0 ? (void *)(intptr_t)-1 : NULL;
}
static inline TfLiteStatus fail_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_CHECK(context, !fail_wants(node, "prepare"), "the filter has %d channels", 7);
  return double_prepare(context, node);
}
static inline TfLiteStatus fail_invoke(TfLiteContext *context, TfLiteNode *node) {
  OP_CHECK(context, !fail_wants(node, "invoke"), "value %d is out of range\n", 9);
  if (fail_wants(node, "silent")) return kTfLiteError;
  if (fail_wants(node, "cancel")) return kTfLiteCancelled;
  return double_invoke(context, node);
}

// "Call": invokes the subgraph whose index is its one option byte, passing input 0 through input and output 0 of that subgraph.
static inline TfLiteStatus call_prepare(TfLiteContext *context, TfLiteNode *node) {
  const op_services *services = op_services_of(context);
  const TfLiteTensor *x = op_input(context, node, 0);
  int index = *(const uint8_t *)node->custom_initial_data;
  OP_TRY(services->subgraph_resize_input(context, index, 0, op_rank(x), x->dims->data));
  OP_TRY(services->subgraph_allocate(context, index));
  return op_resize_like(context, op_output(context, node, 0), x);
}
static inline TfLiteStatus call_invoke(TfLiteContext *context, TfLiteNode *node) {
  const op_services *services = op_services_of(context);
  const TfLiteIntArray *inputs, *outputs;
  int index = *(const uint8_t *)node->custom_initial_data;
  TfLiteContext *callee = services->subgraph(context, index, &inputs, &outputs);
  const TfLiteTensor *x = op_input(context, node, 0);
  memcpy(callee->tensors[inputs->data[0]].data.raw, x->data.raw, x->bytes);
  OP_TRY(services->subgraph_invoke(context, index));
  TfLiteTensor *y = op_output(context, node, 0);
  memcpy(y->data.raw, callee->tensors[outputs->data[0]].data.raw, y->bytes);
  return kTfLiteOk;
}

static inline void add_test_kernels(arn_resolver *resolver) {
  const TfLiteRegistration twice = {.prepare = double_prepare, .invoke = double_invoke};
  const TfLiteRegistration take = {.prepare = take_prepare, .invoke = take_invoke};
  const TfLiteRegistration fail = {.init = fail_init, .prepare = fail_prepare, .invoke = fail_invoke};
  const TfLiteRegistration call = {.prepare = call_prepare, .invoke = call_invoke};
  assert_int_equal(arn_resolver_add_custom(resolver, "Double", &twice, 1, 2), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(resolver, "Take", &take, 1, 1), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(resolver, "Fail", &fail, 1, 9), ARN_OK);
  assert_int_equal(arn_resolver_add_custom(resolver, "Call", &call, 1, 1), ARN_OK);
}

#endif
