// SPDX-License-Identifier: Apache-2.0
// ELU, LEAKY_RELU, PRELU, HARD_SWISH, GELU. Source of the rules: TFLite kernels/activations.cc.
#include "ops/unary_common.h"

// ---- ELU ----
typedef struct elu_state {
  void *table;
} elu_state;

static float elu_real(float x, const void *params) {
  (void)params;
  return x < 0.0f ? expm1f(x) : x;
}
static TfLiteStatus elu_prepare(TfLiteContext *context, TfLiteNode *node) {
  elu_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_ELU, kTfLiteNoType));
  return op_input(context, node, 0)->type == kTfLiteInt8 ? unary_table_real(context, node, elu_real, NULL, &s->table) : kTfLiteOk;
}
static TfLiteStatus elu_eval(TfLiteContext *context, TfLiteNode *node) {
  const elu_state *s = node->user_data;
  if (op_input(context, node, 0)->type == kTfLiteInt8) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, unary_elu.f32, NULL);
}
const op_descriptor arn_op_elu = {OP_ROW(ELU), .state_size = sizeof(elu_state), .in_place = OP_ELEMENTWISE,
                                  .prepare = elu_prepare, .eval = elu_eval};

// ---- LEAKY_RELU ----
typedef struct leaky_relu_state {
  float alpha;
  unary_quantized quantized;
  void *table;
} leaky_relu_state;

static void leaky_relu_parse(fb_table options, void *params) {
  TfLiteLeakyReluParams *p = params;
  p->alpha = LeakyReluOptions_alpha(options);
}
static int32_t leaky_relu_number(int32_t q, const void *params) { return unary_rescale_leaky(q, params); }
static TfLiteStatus leaky_relu_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteLeakyReluParams *options = node->builtin_data;
  leaky_relu_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_LEAKY_RELU, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  s->alpha = options->alpha;
  if (type == kTfLiteFloat32) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  unary_quantized *q = &s->quantized;
  q->offset_in = scales.zero_point_in;
  q->offset_out = scales.zero_point_out;
  unary_type_range(type, &q->low, &q->high);
  float negative = scales.in * s->alpha / scales.out, positive = scales.in / scales.out;  // in float, as in the reference
  q->flip_negative = negative < 0;
  OP_TRY(elementwise_multiplier(context, fabsf(negative), &q->negative));
  OP_TRY(elementwise_multiplier(context, positive, &q->scale));
  return type == kTfLiteInt16 ? kTfLiteOk : unary_table_8(context, type, leaky_relu_number, q, &s->table);
}
static TfLiteStatus leaky_relu_eval(TfLiteContext *context, TfLiteNode *node) {
  const leaky_relu_state *s = node->user_data;
  switch (op_input(context, node, 0)->type) {
    case kTfLiteFloat32: return elementwise_run_unary(context, node, unary_leaky.f32, &s->alpha);
    case kTfLiteInt16: return elementwise_run_unary(context, node, unary_leaky_16, &s->quantized);
    default: return unary_run_table(context, node, s->table);
  }
}
const op_descriptor arn_op_leaky_relu = {OP_ROW(LEAKY_RELU),
                                         .state_size = sizeof(leaky_relu_state),
                                         .params_size = sizeof(TfLiteLeakyReluParams),
                                         .in_place = OP_ELEMENTWISE,
                                         .parse = leaky_relu_parse,
                                         .prepare = leaky_relu_prepare,
                                         .eval = leaky_relu_eval};

// ---- PRELU ----
static TfLiteStatus prelu_prepare(TfLiteContext *context, TfLiteNode *node) {
  arith_prelu_params *p = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *alpha = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  TfLiteType type = (TfLiteType)input->type;
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_PRELU));
  OP_TRY(op_check_type(context, alpha, "alpha", type == kTfLiteInt16 ? OP_I8 : OP_TYPE(type)));
  output->type = type;
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_broadcast_shape(context, input, alpha, &rank, dims));
  OP_CHECK(context, TfLiteIntArrayEqualsArray(input->dims, rank, dims), "alpha is larger than the input");
  OP_TRY(op_resize_like(context, output, input));
  if (type == kTfLiteFloat32) return kTfLiteOk;
  OP_TRY(elementwise_check_quantized(context, input, "the input"));
  OP_TRY(elementwise_check_quantized(context, alpha, "alpha"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  p->offset_x = -op_zero_point(input);
  p->offset_y = -op_zero_point(alpha);
  p->offset_out = op_zero_point(output);
  unary_type_range(type, &p->low, &p->high);
  float positive = op_scale(input) / op_scale(output), negative = op_scale(input) * op_scale(alpha) / op_scale(output);
  OP_TRY(elementwise_multiplier(context, positive, &p->positive));
  return elementwise_multiplier(context, negative, &p->negative);
}
static TfLiteStatus prelu_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  const broadcast_rows *rows = type == kTfLiteFloat32 ? &arith_prelu : &arith_prelu_quantized;
  return elementwise_run_binary(context, node, elementwise_row(rows, type), node->user_data);
}
const op_descriptor arn_op_prelu = {OP_ROW(PRELU), .state_size = sizeof(arith_prelu_params), .in_place = OP_ELEMENTWISE,
                                    .prepare = prelu_prepare, .eval = prelu_eval};

// ---- HARD_SWISH ----
static int32_t hard_swish_number(int32_t q, const void *params) { return unary_hard_swish_quantized(q, params); }

// A multiplier's mantissa with 15 fractional bits.
static int16_t mantissa_16(quant_multiplier m) {
  return (int16_t)(m.mantissa >= INT32_MAX - (1 << 15) ? INT16_MAX : (m.mantissa + (1 << 15)) >> 16);
}
static TfLiteStatus hard_swish_prepare(TfLiteContext *context, TfLiteNode *node) {
  elu_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_HARD_SWISH, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type == kTfLiteFloat32) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  const float fine = (1.0f / 128.0f) * scales.in;  // the input with 7 more bits
  const float reluish = 3.0f / 32768.0f;           // 3 is the largest 16-bit number
  quant_multiplier to_output, to_reluish;
  OP_TRY(elementwise_multiplier(context, fine / scales.out, &to_output));
  OP_TRY(elementwise_multiplier(context, fine / reluish, &to_reluish));
  OP_CHECK(context, to_output.shift <= 0, "the output's scale is too small for the input's");
  unary_hard_swish_8 p = {.zero_point_in = scales.zero_point_in,
                          .zero_point_out = scales.zero_point_out,
                          .to_output = mantissa_16(to_output),
                          .to_reluish = mantissa_16(to_reluish),
                          .to_output_exponent = to_output.shift,
                          .to_reluish_exponent = to_reluish.shift};
  unary_type_range(type, &p.low, &p.high);
  return unary_table_8(context, type, hard_swish_number, &p, &s->table);
}
static TfLiteStatus hard_swish_eval(TfLiteContext *context, TfLiteNode *node) {
  const elu_state *s = node->user_data;
  if (op_input(context, node, 0)->type != kTfLiteFloat32) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, unary_hard_swish.f32, NULL);
}
const op_descriptor arn_op_hard_swish = {OP_ROW(HARD_SWISH), .state_size = sizeof(elu_state), .in_place = OP_ELEMENTWISE,
                                         .prepare = hard_swish_prepare, .eval = hard_swish_eval};

// ---- GELU ----
typedef struct gelu_state {
  bool approximate;
  void *table;
} gelu_state;

static void gelu_parse(fb_table options, void *params) {
  TfLiteGeluParams *p = params;
  p->approximate = GeluOptions_approximate(options);
}
static float gelu_real(float x, const void *params) {
  (void)params;
  return 0.5f * x * erfcf(x * -0.707106781f);
}
static float gelu_tanh_real(float x, const void *params) {
  (void)params;
  return 0.5f * x * (1.0f + tanhf(0.797884561f * (x + 0.044715f * x * x * x)));
}
static TfLiteStatus gelu_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteGeluParams *options = node->builtin_data;
  gelu_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_GELU, kTfLiteNoType));
  s->approximate = options->approximate;
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type == kTfLiteFloat32 || type == kTfLiteFloat16) return kTfLiteOk;
  return unary_table_real(context, node, s->approximate ? gelu_tanh_real : gelu_real, NULL, &s->table);
}
static TfLiteStatus gelu_eval(TfLiteContext *context, TfLiteNode *node) {
  const gelu_state *s = node->user_data;
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type != kTfLiteFloat32 && type != kTfLiteFloat16) return unary_run_table(context, node, s->table);
  return elementwise_run_unary(context, node, elementwise_row(s->approximate ? &unary_gelu_tanh : &unary_gelu, type), NULL);
}
const op_descriptor arn_op_gelu = {OP_ROW(GELU),
                                   .state_size = sizeof(gelu_state),
                                   .params_size = sizeof(TfLiteGeluParams),
                                   .in_place = OP_ELEMENTWISE,
                                   .parse = gelu_parse,
                                   .prepare = gelu_prepare,
                                   .eval = gelu_eval};
