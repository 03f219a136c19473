// SPDX-License-Identifier: Apache-2.0
// Element-wise operators of one input without options: ABS, NEG, SIGN, EXP, LOG, SQRT, RSQRT, SQUARE, SIN, COS, CEIL, FLOOR,
// ROUND, LOGICAL_NOT. Source of the rules: TFLite kernels/elementwise.cc, exp.cc, neg.cc, sign.cc, ceil.cc, floor.cc, round.cc.
#include "ops/unary_common.h"

#include "quant/fixed_point.h"

static TfLiteStatus run_plain_unary(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *rows) {
  return elementwise_run_unary(context, node, elementwise_row(rows, (TfLiteType)op_input(context, node, 0)->type), NULL);
}

// Operators that are not defined on quantised numbers. SAME: the output's type is checked rather than set.
// The state is whether prepare did it all.
#define PLAIN_UNARY(NAME, name, rows, check)                                                                 \
  static TfLiteStatus name##_eval(TfLiteContext *context, TfLiteNode *node) {                                \
    return *(const bool *)node->user_data ? kTfLiteOk : run_plain_unary(context, node, &rows);               \
  }                                                                                                          \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                             \
    check OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_##NAME, kTfLiteNoType));                  \
    return elementwise_fold(context, node, name##_eval, node->user_data);                                    \
  }                                                                                                          \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE, \
                                       .prepare = name##_prepare, .eval = name##_eval};
#define SAME OP_TRY(elementwise_check_same_type(context, node));

PLAIN_UNARY(NEG, neg, unary_neg, )
PLAIN_UNARY(CEIL, ceil, unary_ceil, )
PLAIN_UNARY(FLOOR, floor, unary_floor, )
PLAIN_UNARY(ROUND, round, unary_round, )
PLAIN_UNARY(SIGN, sign, unary_sign, SAME)
PLAIN_UNARY(SQUARE, square, unary_square, SAME)
PLAIN_UNARY(SIN, sin, unary_sin, SAME)
PLAIN_UNARY(COS, cos, unary_cos, SAME)
PLAIN_UNARY(LOGICAL_NOT, logical_not, unary_not, SAME)

// The custom operator from before SIGN was built in.
const op_descriptor arn_op_sign_custom = {OP_CUSTOM_ROW(Sign), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE,
                                          .prepare = sign_prepare, .eval = sign_eval};

typedef struct unary_state {
  bool quantized;
  union {
    unary_quantized rescale;
    unary_root root;
  } number;
  void *table;
} unary_state;

static bool is_small(TfLiteType type) { return type == kTfLiteInt8 || type == kTfLiteInt16; }

// ---- ABS ----
static int32_t abs_number(int32_t q, const void *params) { return unary_rescale_abs(q, params); }

static TfLiteStatus abs_prepare(TfLiteContext *context, TfLiteNode *node) {
  unary_state *s = node->user_data;
  SAME OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_ABS, kTfLiteNoType));
  const TfLiteTensor *input = op_input(context, node, 0);
  s->quantized = input->type == kTfLiteInt8 || (input->type == kTfLiteInt16 && elementwise_is_quantized(input));
  if (!s->quantized) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  unary_quantized *q = &s->number.rescale;
  q->offset_in = scales.zero_point_in;
  q->offset_out = scales.zero_point_out;
  unary_type_range((TfLiteType)input->type, &q->low, &q->high);
  float ratio = scales.in / scales.out;
  OP_TRY(elementwise_multiplier(context, ratio, &q->scale));
  return input->type == kTfLiteInt16 ? kTfLiteOk : unary_table_8(context, kTfLiteInt8, abs_number, q, &s->table);
}

static TfLiteStatus abs_eval(TfLiteContext *context, TfLiteNode *node) {
  const unary_state *s = node->user_data;
  if (!s->quantized) return run_plain_unary(context, node, &unary_abs);
  if (op_input(context, node, 0)->type == kTfLiteInt8) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, unary_abs_16, &s->number.rescale);
}
const op_descriptor arn_op_abs = {OP_ROW(ABS), .state_size = sizeof(unary_state), .in_place = OP_ELEMENTWISE,
                                  .prepare = abs_prepare, .eval = abs_eval};

// ---- EXP, LOG: quantised ones by tables of real numbers ----
static float exp_real(float x, const void *params) {
  (void)params;
  return expf(x);
}
static TfLiteStatus exp_prepare(TfLiteContext *context, TfLiteNode *node) {
  unary_state *s = node->user_data;
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_EXP, kTfLiteNoType));
  return is_small((TfLiteType)op_input(context, node, 0)->type) ? unary_table_real(context, node, exp_real, NULL, &s->table)
                                                                : kTfLiteOk;
}

static float log_real(float x, const void *params) { return x <= 0.0f ? *(const float *)params : logf(x); }
static TfLiteStatus log_prepare(TfLiteContext *context, TfLiteNode *node) {
  unary_state *s = node->user_data;
  SAME OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_LOG, kTfLiteNoType));
  const TfLiteTensor *output = op_output(context, node, 0);
  if (!is_small((TfLiteType)output->type)) return kTfLiteOk;
  // Where there is no logarithm: the least number of the output.
  float least = (float)((output->type == kTfLiteInt8 ? INT8_MIN : INT16_MIN) - op_zero_point(output)) * op_scale(output);
  return unary_table_real(context, node, log_real, &least, &s->table);
}

static TfLiteStatus run_table_or(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *rows) {
  const unary_state *s = node->user_data;
  return is_small((TfLiteType)op_input(context, node, 0)->type) ? unary_run_table(context, node, s->table)
                                                                : run_plain_unary(context, node, rows);
}
static TfLiteStatus exp_eval(TfLiteContext *context, TfLiteNode *node) { return run_table_or(context, node, &unary_exp); }
static TfLiteStatus log_eval(TfLiteContext *context, TfLiteNode *node) { return run_table_or(context, node, &unary_log); }
const op_descriptor arn_op_exp = {OP_ROW(EXP), .state_size = sizeof(unary_state), .in_place = OP_ELEMENTWISE,
                                  .prepare = exp_prepare, .eval = exp_eval};
const op_descriptor arn_op_log = {OP_ROW(LOG), .state_size = sizeof(unary_state), .in_place = OP_ELEMENTWISE,
                                  .prepare = log_prepare, .eval = log_eval};

// ---- SQRT, RSQRT: quantised numbers below the zero point are an error of the data ----
static TfLiteStatus check_not_negative(TfLiteContext *context, const TfLiteTensor *t) {
  int32_t zero_point = op_zero_point(t), least = zero_point;
  size_t n = op_count(t);
  if (t->type == kTfLiteInt8) {
    for (size_t i = 0; i < n; i++) least = t->data.int8[i] < least ? t->data.int8[i] : least;
  } else {
    for (size_t i = 0; i < n; i++) least = t->data.i16[i] < least ? t->data.i16[i] : least;
  }
  OP_CHECK(context, least >= zero_point, "no square root of a negative number");
  return kTfLiteOk;
}

static int32_t sqrt_number(int32_t q, const void *params) {
  const unary_root *p = params;
  return q < p->offset_in ? p->low : unary_sqrt_quantized(q, p);
}
static TfLiteStatus sqrt_prepare(TfLiteContext *context, TfLiteNode *node) {
  unary_state *s = node->user_data;
  SAME OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_SQRT, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (!is_small(type)) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  unary_root *root = &s->number.root;
  *root = (unary_root){
      .scale_in = scales.in, .scale_out = scales.out, .offset_in = scales.zero_point_in, .offset_out = scales.zero_point_out};
  unary_type_range(type, &root->low, &root->high);
  return type == kTfLiteInt8 ? unary_table_8(context, type, sqrt_number, root, &s->table) : kTfLiteOk;
}
static TfLiteStatus sqrt_eval(TfLiteContext *context, TfLiteNode *node) {
  const unary_state *s = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  if (!is_small((TfLiteType)input->type)) return run_plain_unary(context, node, &unary_sqrt);
  OP_TRY(check_not_negative(context, input));
  if (input->type == kTfLiteInt8) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, unary_sqrt_16, &s->number.root);
}
const op_descriptor arn_op_sqrt = {OP_ROW(SQRT), .state_size = sizeof(unary_state), .in_place = OP_ELEMENTWISE,
                                   .prepare = sqrt_prepare, .eval = sqrt_eval};

static int32_t rsqrt_number(int32_t q, const void *params) {
  enum { FRACTION = 20 };  // bits kept of 1 / sqrt
  const unary_quantized *p = params;
  int32_t x = q - p->offset_in;
  if (x <= 0) return p->high;  // 1 / 0; negative numbers are refused by eval
  quant_multiplier inverse = fixed_inverse_sqrt(x), scale = p->scale;
  inverse.shift += FRACTION;
  scale.shift -= FRACTION;
  if (scale.shift < -31) scale = (quant_multiplier){0, 0};
  int64_t r = (int64_t)quant_scale(quant_scale(1, inverse), scale) + p->offset_out;
  return (int32_t)(r < p->low ? p->low : r > p->high ? p->high : r);
}
static float rsqrt_real(float x, const void *params) { return x <= 0.0f ? INT16_MAX * *(const float *)params : 1.0f / sqrtf(x); }

static TfLiteStatus rsqrt_prepare(TfLiteContext *context, TfLiteNode *node) {
  unary_state *s = node->user_data;
  SAME OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_RSQRT, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (!is_small(type)) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  if (type == kTfLiteInt16) return unary_table_real(context, node, rsqrt_real, &scales.out, &s->table);
  unary_quantized *q = &s->number.rescale;
  q->offset_in = scales.zero_point_in;
  q->offset_out = scales.zero_point_out;
  unary_type_range(type, &q->low, &q->high);
  float denominator = sqrtf(scales.in) * scales.out;
  OP_TRY(elementwise_multiplier(context, 1.0 / denominator, &q->scale));
  return unary_table_8(context, type, rsqrt_number, q, &s->table);
}
static TfLiteStatus rsqrt_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  if (is_small((TfLiteType)input->type)) OP_TRY(check_not_negative(context, input));
  return run_table_or(context, node, &unary_rsqrt);
}
const op_descriptor arn_op_rsqrt = {OP_ROW(RSQRT), .state_size = sizeof(unary_state), .in_place = OP_ELEMENTWISE,
                                    .prepare = rsqrt_prepare, .eval = rsqrt_eval};
