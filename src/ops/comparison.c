// SPDX-License-Identifier: Apache-2.0
// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL. Source of the rules: TFLite kernels/comparisons.cc.
#include "kernels/compare.h"
#include "ops/elementwise_common.h"
#include "ops/string_buffer.h"

typedef struct comparison_state {
  bool quantized;
  bool folded;               // the output was computed by prepare
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

static TfLiteStatus run_comparison(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *plain,
                                   const broadcast_rows *quantized, int first) {
  const comparison_state *s = node->user_data;
  if (s->folded) return kTfLiteOk;
  broadcast_row row = elementwise_row(s->quantized ? quantized : plain, (TfLiteType)op_input(context, node, 0)->type);
  return elementwise_run_sides(context, node, row, &s->params, first);
}

// ---- Strings ----
// The element of t that belongs to index at[rank] of the output.
static size_t string_of(const TfLiteTensor *t, int rank, const int *at) {
  size_t element = 0;
  for (int i = 0; i < op_rank(t); i++) {
    int dim = op_dim(t, i);
    element = element * (size_t)dim + (size_t)(dim == 1 ? 0 : at[rank - op_rank(t) + i]);
  }
  return element;
}

static TfLiteStatus compare_strings(TfLiteContext *context, TfLiteNode *node, bool equal) {
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(string_check(context, x, "input 0"));
  OP_TRY(string_check(context, y, "input 1"));
  int rank = op_rank(output), at[OP_MAX_RANK] = {0};
  size_t n = op_count(output);
  for (size_t i = 0; i < n; i++) {
    bool same = string_equal(string_at(x, string_of(x, rank, at)), string_at(y, string_of(y, rank, at)));
    output->data.b[i] = same == equal;
    for (int d = rank - 1; d >= 0 && ++at[d] == op_dim(output, d); d--) at[d] = 0;
  }
  return kTfLiteOk;
}

static TfLiteStatus equal_eval(TfLiteContext *context, TfLiteNode *node) {
  if (op_input(context, node, 0)->type == kTfLiteString) return compare_strings(context, node, true);
  return run_comparison(context, node, &compare_equal, &compare_equal_quantized, 0);
}
static TfLiteStatus not_equal_eval(TfLiteContext *context, TfLiteNode *node) {
  if (op_input(context, node, 0)->type == kTfLiteString) return compare_strings(context, node, false);
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

#define COMPARISON_OPERATOR(NAME, name, first)                                                                           \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                                         \
    OP_TRY(comparison_prepare(context, node, OP_TYPES_##NAME, first));                                                   \
    return elementwise_fold(context, node, name##_eval, &((comparison_state *)node->user_data)->folded);                 \
  }                                                                                                                      \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .state_size = sizeof(comparison_state), .in_place = OP_ELEMENTWISE, \
                                       .prepare = name##_prepare, .eval = name##_eval};

COMPARISON_OPERATOR(EQUAL, equal, 0)
COMPARISON_OPERATOR(NOT_EQUAL, not_equal, 0)
COMPARISON_OPERATOR(LESS, less, 0)
COMPARISON_OPERATOR(LESS_EQUAL, less_equal, 0)
COMPARISON_OPERATOR(GREATER, greater, 1)
COMPARISON_OPERATOR(GREATER_EQUAL, greater_equal, 1)
