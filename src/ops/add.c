// SPDX-License-Identifier: Apache-2.0
// ADD and SUB. Source of the rules: TFLite kernels/add.cc, kernels/sub.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

// How prepare decided to compute; the parameters are those of the rows.
typedef enum add_way { ADD_PLAIN, ADD_QUANTIZED, ADD_SHIFTED } add_way;
typedef struct add_state {
  add_way way;
  bool folded;  // the output was computed by prepare
  union {
    arith_clamp clamp;
    arith_quantized quantized;
    arith_shifts shifts;
  } params;
} add_state;

static void add_parse(fb_table options, void *params) {
  TfLiteAddParams *p = params;
  p->activation = op_activation(AddOptions_fused_activation_function(options));
  p->pot_scale_int16 = AddOptions_pot_scale_int16(options);
}
static void sub_parse(fb_table options, void *params) {
  TfLiteSubParams *p = params;
  p->activation = op_activation(SubOptions_fused_activation_function(options));
  p->pot_scale_int16 = SubOptions_pot_scale_int16(options);
}

// Whether a scale is a power of two, nearly (1 part in 1000 of the exponent, as the reference has it).
static bool log2_of_scale(const TfLiteTensor *t, int *log2) {
  float scale = op_scale(t);
  if (!(scale > 0) || !isfinite(scale)) return false;
  float exact = logf(scale) * (1.0f / logf(2.0f)), rounded = roundf(exact);
  *log2 = (int)rounded;
  return fabsf(exact - rounded) < 1e-3f;
}

// 16-bit operands whose scales are powers of two: only one of them may need a shift, to the right.
static TfLiteStatus prepare_shifts(TfLiteContext *context, int log2_x, int log2_y, int log2_out, arith_shifts *shifts) {
  shifts->right_x = log2_out - log2_x;
  shifts->right_y = log2_out - log2_y;
  OP_CHECK(context, (shifts->right_x == 0 || shifts->right_y == 0) && shifts->right_x >= 0 && shifts->right_y >= 0,
           "16-bit operands with power-of-two scales: one must have the output's scale, the other one no larger");
  if (shifts->right_x > 31) shifts->right_x = 31;
  if (shifts->right_y > 31) shifts->right_y = 31;
  return kTfLiteOk;
}

// Both operands are brought to a scale of twice the larger one, with left_shift more bits; the sum then goes to the output's
// scale.
static TfLiteStatus prepare_scales(TfLiteContext *context, const TfLiteTensor *x, const TfLiteTensor *y,
                                   const TfLiteTensor *output, arith_quantized *q) {
  OP_TRY(elementwise_check_quantized(context, x, "input 0"));
  OP_TRY(elementwise_check_quantized(context, y, "input 1"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  q->offset_x = -op_zero_point(x);
  q->offset_y = -op_zero_point(y);
  q->offset_out = op_zero_point(output);
  q->left_shift = output->type == kTfLiteInt16 ? 15 : 20;
  double twice_larger = 2 * (op_scale(x) > op_scale(y) ? op_scale(x) : op_scale(y));
  OP_TRY(elementwise_multiplier(context, op_scale(x) / twice_larger, &q->x));
  OP_TRY(elementwise_multiplier(context, op_scale(y) / twice_larger, &q->y));
  return elementwise_multiplier(context, twice_larger / ((float)(1 << q->left_shift) * op_scale(output)), &q->out);
}

static TfLiteStatus prepare_way(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteAddParams *options = node->builtin_data;
  add_state *s = node->user_data;
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (output->type == kTfLiteInt16 && elementwise_is_quantized(x)) {
    OP_CHECK(context, op_zero_point(x) == 0 && op_zero_point(y) == 0 && op_zero_point(output) == 0,
             "16-bit tensors must have zero point 0");
    int log2_x, log2_y, log2_out;
    if (options->pot_scale_int16 && log2_of_scale(x, &log2_x) && log2_of_scale(y, &log2_y) && log2_of_scale(output, &log2_out)) {
      arith_shifts *shifts = &s->params.shifts;
      s->way = ADD_SHIFTED;
      OP_TRY(prepare_shifts(context, log2_x, log2_y, log2_out, shifts));
      return op_activation_range(context, options->activation, output, &shifts->low, &shifts->high);
    }
  } else if (!elementwise_is_8bit((TfLiteType)output->type)) {
    s->way = ADD_PLAIN;
    elementwise_clamp(options->activation, (TfLiteType)output->type, &s->params.clamp);
    return kTfLiteOk;
  }
  s->way = ADD_QUANTIZED;
  OP_TRY(prepare_scales(context, x, y, output, &s->params.quantized));
  return op_activation_range(context, options->activation, output, &s->params.quantized.low, &s->params.quantized.high);
}

static TfLiteStatus run_rows(TfLiteContext *context, TfLiteNode *node, const broadcast_rows *const rows[3]) {
  const add_state *s = node->user_data;
  if (s->folded) return kTfLiteOk;
  TfLiteType type = (TfLiteType)op_output(context, node, 0)->type;
  return elementwise_run_binary(context, node, elementwise_row(rows[s->way], type), &s->params);
}

static TfLiteStatus add_eval(TfLiteContext *context, TfLiteNode *node) {
  static const broadcast_rows *const rows[3] = {&arith_add, &arith_add_quantized, &arith_add_shifted};
  return run_rows(context, node, rows);
}

static TfLiteStatus sub_eval(TfLiteContext *context, TfLiteNode *node) {
  static const broadcast_rows *const rows[3] = {&arith_sub, &arith_sub_quantized, &arith_sub_shifted};
  return run_rows(context, node, rows);
}

static TfLiteStatus add_prepare(TfLiteContext *context, TfLiteNode *node) {
  add_state *s = node->user_data;
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_ADD, kTfLiteNoType));
  OP_TRY(prepare_way(context, node));
  return elementwise_fold(context, node, add_eval, &s->folded);
}

static TfLiteStatus sub_prepare(TfLiteContext *context, TfLiteNode *node) {
  add_state *s = node->user_data;
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_SUB, kTfLiteNoType));
  OP_CHECK(context, op_input(context, node, 0)->type != kTfLiteInt16 || elementwise_is_quantized(op_input(context, node, 0)),
           "16-bit inputs must be quantised");
  OP_TRY(prepare_way(context, node));
  return elementwise_fold(context, node, sub_eval, &s->folded);
}

const op_descriptor arn_op_add = {OP_ROW(ADD),
                                  .state_size = sizeof(add_state),
                                  .params_size = sizeof(TfLiteAddParams),
                                  .in_place = OP_ELEMENTWISE,
                                  .parse = add_parse,
                                  .prepare = add_prepare,
                                  .eval = add_eval};
const op_descriptor arn_op_sub = {OP_ROW(SUB),
                                  .state_size = sizeof(add_state),
                                  .params_size = sizeof(TfLiteSubParams),
                                  .in_place = OP_ELEMENTWISE,
                                  .parse = sub_parse,
                                  .prepare = sub_prepare,
                                  .eval = sub_eval};
