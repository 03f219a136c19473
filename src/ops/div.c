// SPDX-License-Identifier: Apache-2.0
// DIV, FLOOR_DIV and FLOOR_MOD. Source of the rules: TFLite kernels/div.cc, floor_div.cc, floor_mod.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

typedef struct div_state {
  bool quantized;
  union {
    arith_clamp clamp;
    arith_quantized quantized;
  } params;
} div_state;

static void div_parse(fb_table options, void *params) {
  TfLiteDivParams *p = params;
  p->activation = op_activation(DivOptions_fused_activation_function(options));
}

// Whether a divisor is zero (its zero point when quantised).
static bool has_zero(const TfLiteTensor *t, int32_t zero) {
  size_t n = op_count(t);
  bool found = false;
  switch (t->type) {
    case kTfLiteInt8:
      for (size_t i = 0; i < n; i++) found |= t->data.int8[i] == zero;
      break;
    case kTfLiteUInt8:
      for (size_t i = 0; i < n; i++) found |= t->data.uint8[i] == zero;
      break;
    case kTfLiteInt16:
      for (size_t i = 0; i < n; i++) found |= t->data.i16[i] == zero;
      break;
    case kTfLiteInt32:
      for (size_t i = 0; i < n; i++) found |= t->data.i32[i] == zero;
      break;
    case kTfLiteInt64:
      for (size_t i = 0; i < n; i++) found |= t->data.i64[i] == zero;
      break;
    case kTfLiteFloat32:
      for (size_t i = 0; i < n; i++) found |= t->data.f[i] == 0.0f;
      break;
    default: break;
  }
  return found;
}
static TfLiteStatus check_divisors(TfLiteContext *context, const TfLiteTensor *t, int32_t zero) {
  OP_CHECK(context, !has_zero(t, zero), "division by zero");
  return kTfLiteOk;
}

static TfLiteStatus div_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteDivParams *options = node->builtin_data;
  div_state *s = node->user_data;
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_DIV, kTfLiteNoType));
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1), *output = op_output(context, node, 0);
  s->quantized = elementwise_is_8bit((TfLiteType)x->type) || x->type == kTfLiteInt16;
  if (!s->quantized) {
    elementwise_clamp(options->activation, (TfLiteType)output->type, &s->params.clamp);
    return kTfLiteOk;
  }
  arith_quantized *q = &s->params.quantized;
  OP_TRY(elementwise_check_quantized(context, x, "input 0"));
  OP_TRY(elementwise_check_quantized(context, y, "input 1"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  OP_CHECK(context, op_scale_count(y) == 1, "a divisor must be quantised per tensor");
  q->offset_x = -op_zero_point(x);
  q->offset_y = -op_zero_point(y);
  q->offset_out = op_zero_point(output);
  float ratio = op_scale(x) / (op_scale(y) * op_scale(output));  // in float, as in the reference
  OP_TRY(elementwise_multiplier(context, ratio, &q->out));
  return op_activation_range(context, options->activation, output, &q->low, &q->high);
}

static TfLiteStatus div_eval(TfLiteContext *context, TfLiteNode *node) {
  const div_state *s = node->user_data;
  const TfLiteTensor *y = op_input(context, node, 1);
  if (y->type != kTfLiteFloat32) OP_TRY(check_divisors(context, y, s->quantized ? op_zero_point(y) : 0));
  const broadcast_rows *rows = s->quantized ? &arith_div_quantized : &arith_div;
  return elementwise_run_binary(context, node, elementwise_row(rows, (TfLiteType)y->type), &s->params);
}

const op_descriptor arn_op_div = {OP_ROW(DIV),
                                  .state_size = sizeof(div_state),
                                  .params_size = sizeof(TfLiteDivParams),
                                  .in_place = OP_ELEMENTWISE,
                                  .parse = div_parse,
                                  .prepare = div_prepare,
                                  .eval = div_eval};

// FLOOR_DIV and FLOOR_MOD: the state is whether prepare did it all. A division by zero is left to eval to find.
static TfLiteStatus fold_unless_zero(TfLiteContext *context, TfLiteNode *node,
                                     TfLiteStatus (*run)(TfLiteContext *context, TfLiteNode *node)) {
  const TfLiteTensor *y = op_input(context, node, 1);
  *(bool *)node->user_data = false;
  return op_is_constant(y) && !has_zero(y, 0) ? elementwise_fold(context, node, run, node->user_data) : kTfLiteOk;
}

static TfLiteStatus floor_div_eval(TfLiteContext *context, TfLiteNode *node) {
  if (*(const bool *)node->user_data) return kTfLiteOk;
  const TfLiteTensor *y = op_input(context, node, 1);
  OP_TRY(check_divisors(context, y, 0));  // floats too
  return elementwise_run_binary(context, node, elementwise_row(&arith_floor_div, (TfLiteType)y->type), NULL);
}
static TfLiteStatus floor_div_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_FLOOR_DIV, kTfLiteNoType));
  return fold_unless_zero(context, node, floor_div_eval);
}
const op_descriptor arn_op_floor_div = {OP_ROW(FLOOR_DIV), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE,
                                        .prepare = floor_div_prepare, .eval = floor_div_eval};

static TfLiteStatus floor_mod_eval(TfLiteContext *context, TfLiteNode *node) {
  if (*(const bool *)node->user_data) return kTfLiteOk;
  const TfLiteTensor *y = op_input(context, node, 1);
  if (y->type != kTfLiteFloat32) OP_TRY(check_divisors(context, y, 0));
  return elementwise_run_binary(context, node, elementwise_row(&arith_floor_mod, (TfLiteType)y->type), NULL);
}
static TfLiteStatus floor_mod_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_FLOOR_MOD, kTfLiteNoType));
  return fold_unless_zero(context, node, floor_mod_eval);
}
const op_descriptor arn_op_floor_mod = {OP_ROW(FLOOR_MOD), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE,
                                        .prepare = floor_mod_prepare, .eval = floor_mod_eval};
