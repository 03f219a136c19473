// SPDX-License-Identifier: Apache-2.0
// MUL. Source of the rules: TFLite kernels/mul.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

typedef struct mul_state {
  bool quantized;
  bool folded;  // the output was computed by prepare
  union {
    arith_clamp clamp;
    arith_quantized quantized;
  } params;
} mul_state;

static void mul_parse(fb_table options, void *params) {
  TfLiteMulParams *p = params;
  p->activation = op_activation(MulOptions_fused_activation_function(options));
}

static TfLiteStatus mul_run(TfLiteContext *context, TfLiteNode *node) {
  const mul_state *s = node->user_data;
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type, output_type = (TfLiteType)op_output(context, node, 0)->type;
  broadcast_row row;
  if (type == output_type) {
    row = elementwise_row(s->quantized ? &arith_mul_quantized : &arith_mul, type);
  } else {
    row = output_type == kTfLiteInt8 ? arith_mul_i16_to_i8 : arith_mul_i16_to_u8;
  }
  return elementwise_run_binary(context, node, row, &s->params);
}

static TfLiteStatus prepare_product(TfLiteContext *context, TfLiteNode *node, TfLiteFusedActivation activation) {
  mul_state *s = node->user_data;
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  arith_quantized *q = &s->params.quantized;
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  OP_TRY(op_activation_range(context, activation, output, &q->low, &q->high));
  q->offset_out = op_zero_point(output);
  if (x->type != output->type) return kTfLiteOk;  // 16-bit fractions: scales play no role
  OP_TRY(elementwise_check_quantized(context, x, "input 0"));
  OP_TRY(elementwise_check_quantized(context, y, "input 1"));
  q->offset_x = -op_zero_point(x);
  q->offset_y = -op_zero_point(y);
  OP_CHECK(context, x->type != kTfLiteInt16 || (q->offset_x == 0 && q->offset_y == 0 && q->offset_out == 0),
           "16-bit tensors must have zero point 0");
  float ratio = op_scale(x) * op_scale(y) / op_scale(output);  // in float, as in the reference
  return elementwise_multiplier(context, ratio, &q->out);
}

static TfLiteStatus mul_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteMulParams *options = node->builtin_data;
  mul_state *s = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *x = op_input(context, node, 0), *y = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  TfLiteType type = (TfLiteType)output->type;
  OP_CHECK(context, type == (TfLiteType)x->type || (x->type == kTfLiteInt16 && elementwise_is_8bit(type)),
           "no product of %s numbers as %s", op_type_name((TfLiteType)x->type), op_type_name(type));
  OP_CHECK(context, type != kTfLiteComplex64 || options->activation == kTfLiteActNone,
           "complex numbers take no fused activation");
  OP_TRY(elementwise_prepare_binary(context, node, OP_TYPES_MUL, type));
  s->quantized = elementwise_is_8bit(type) || (type == kTfLiteInt16 && elementwise_is_quantized(output));
  if (s->quantized) {
    OP_TRY(prepare_product(context, node, options->activation));
  } else {
    elementwise_clamp(options->activation, type, &s->params.clamp);
  }
  s->folded = op_is_constant(x) && op_is_constant(y);
  if (!s->folded) return kTfLiteOk;
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_broadcast_shape(context, x, y, &rank, dims));
  OP_TRY(op_resize_persistent(context, output, rank, dims));
  return mul_run(context, node);
}

static TfLiteStatus mul_eval(TfLiteContext *context, TfLiteNode *node) {
  const mul_state *s = node->user_data;
  return s->folded ? kTfLiteOk : mul_run(context, node);
}

const op_descriptor arn_op_mul = {OP_ROW(MUL),
                                  .state_size = sizeof(mul_state),
                                  .params_size = sizeof(TfLiteMulParams),
                                  .in_place = OP_ELEMENTWISE,
                                  .parse = mul_parse,
                                  .prepare = mul_prepare,
                                  .eval = mul_eval};
