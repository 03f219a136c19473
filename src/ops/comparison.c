// SPDX-License-Identifier: Apache-2.0
// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL. Source of the rules: TFLite kernels/comparisons.cc.
#include "kernels/compare.h"
#include "ops/elementwise_common.h"
#include "ops/string_buffer.h"

typedef struct comparison_state {
  bool quantized;
  compare_quantized params;  // of inputs 0 and 1, in the order in which they are compared
} comparison_state;

// first: the input on the left side. GREATER is LESS with sides changed.
static TfLiteStatus comparison_prepare(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, int first) {
  comparison_state *s = node->user_data;
  OP_TRY(elementwise_prepare_binary(context, node, type_bits, kTfLiteBool));
  const TfLiteTensor *x = op_input(context, node, first), *y = op_input(context, node, 1 - first);
  TfLiteType type = (TfLiteType)x->type;
  // 16-bit numbers are compared by scale for equality only, as the reference has it; numbers without scales as they are.
  bool equality = type_bits & OP_BOOL;
  s->quantized = (elementwise_is_8bit(type) || (type == kTfLiteInt16 && equality)) && elementwise_is_quantized(x);
  if (!s->quantized) return kTfLiteOk;
  OP_TRY(elementwise_check_quantized(context, x, "one input"));
  OP_TRY(elementwise_check_quantized(context, y, "the other input"));
  s->params.offset_x = -op_zero_point(x);
  s->params.offset_y = -op_zero_point(y);
  OP_TRY(elementwise_multiplier(context, op_scale(x), &s->params.x));
  return elementwise_multiplier(context, op_scale(y), &s->params.y);
}

static TfLiteStatus run_comparison(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *plain, const broadcast_rows *quantized, int first) {
  const comparison_state *s = node->user_data;
  broadcast_row row = elementwise_row(s->quantized ? quantized : plain, (TfLiteType)op_input(context, node, 0)->type);
  return elementwise_run_sides(context, node, row, &s->params, first);
}

// ---- Strings: an element is its place in the table of offsets, the params are where both buffers start. ----
static bool strings_differ(const char *const *starts, const char *x, const char *y) {
  int32_t x_begin = string_load(x), x_end = string_load(x + 4), y_begin = string_load(y), y_end = string_load(y + 4);
  return !string_equal((string_view){starts[0] + x_begin, (size_t)(x_end - x_begin)}, (string_view){starts[1] + y_begin, (size_t)(y_end - y_begin)});
}
static void row_strings(const void *params, const void *const *in, const size_t *step, void *out, size_t n, bool differ) {
  const char *x = in[0], *y = in[1];
  uint8_t *rs = out;
  for (size_t i = 0; i < n; i++) rs[i] = strings_differ(params, x + 4 * i * step[0], y + 4 * i * step[1]) == differ;
}
static void row_strings_equal(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  row_strings(params, in, step, out, n, false);
}
static void row_strings_differ(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  row_strings(params, in, step, out, n, true);
}

static TfLiteStatus compare_strings(TfLiteContext *context, TfLiteNode *node, broadcast_row row) {
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1);
  OP_TRY(string_check(context, x, "input 0"));
  OP_TRY(string_check(context, y, "input 1"));
  if (op_count(x) == 0 || op_count(y) == 0) return kTfLiteOk;
  const char *starts[2] = {x->data.raw_const, y->data.raw_const};
  const broadcast_input inputs[2] = {{starts[0] + 4, 4, op_rank(x), x->dims->data}, {starts[1] + 4, 4, op_rank(y), y->dims->data}};
  broadcast_run(row, starts, 2, inputs, op_output(context, node, 0)->data.raw, 1);
  return kTfLiteOk;
}

static TfLiteStatus equal_eval(TfLiteContext *context, TfLiteNode *node) {
  if (op_input(context, node, 0)->type == kTfLiteString) return compare_strings(context, node, row_strings_equal);
  return run_comparison(context, node, &compare_equal, &compare_equal_quantized, 0);
}
static TfLiteStatus not_equal_eval(TfLiteContext *context, TfLiteNode *node) {
  if (op_input(context, node, 0)->type == kTfLiteString) return compare_strings(context, node, row_strings_differ);
  return run_comparison(context, node, &compare_not_equal, &compare_not_equal_quantized, 0);
}
static TfLiteStatus less_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_comparison(context, node, &compare_less, &compare_less_quantized, 0);
}
static TfLiteStatus less_equal_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_comparison(context, node, &compare_less_equal, &compare_less_equal_quantized, 0);
}
static TfLiteStatus greater_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_comparison(context, node, &compare_less, &compare_less_quantized, 1);
}
static TfLiteStatus greater_equal_eval(TfLiteContext *context, TfLiteNode *node) {
  return run_comparison(context, node, &compare_less_equal, &compare_less_equal_quantized, 1);
}

#define COMPARISON_OPERATOR(NAME, name, first)                                                     \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                   \
    return comparison_prepare(context, node, OP_TYPES_##NAME, first);                              \
  }                                                                                                \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .state_size = sizeof(comparison_state), .prepare = name##_prepare, .eval = name##_eval};

COMPARISON_OPERATOR(EQUAL, equal, 0)
COMPARISON_OPERATOR(NOT_EQUAL, not_equal, 0)
COMPARISON_OPERATOR(LESS, less, 0)
COMPARISON_OPERATOR(LESS_EQUAL, less_equal, 0)
COMPARISON_OPERATOR(GREATER, greater, 1)
COMPARISON_OPERATOR(GREATER_EQUAL, greater_equal, 1)
