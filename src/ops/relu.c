// SPDX-License-Identifier: Apache-2.0
// RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1. Source of the rules: TFLite kernels/activations.cc (QuantizedReluX).
#include "ops/unary_common.h"

typedef struct relu_state {
  unary_quantized quantized;
  void *table;
} relu_state;

static int32_t relu_number(int32_t q, const void *params) { return unary_rescale(q, params); }

// round(real / scale) + zero point; saturated far outside every type's range.
static int32_t quantized_bound(float real, const table_scales *scales) {
  float steps = roundf(real / scales->out);
  return (int32_t)(steps > 1e6f ? 1e6f : steps < -1e6f ? -1e6f : steps) + scales->zero_point_out;
}

static TfLiteStatus relu_prepare_range(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, float low, float high) {
  relu_state *s = node->user_data;
  OP_TRY(elementwise_check_same_type(context, node));
  OP_TRY(elementwise_prepare_unary(context, node, type_bits, kTfLiteNoType));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  if (type == kTfLiteFloat32) return kTfLiteOk;
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  unary_quantized *q = &s->quantized;
  q->offset_in = scales.zero_point_in;
  q->offset_out = scales.zero_point_out;
  float ratio = scales.in / scales.out;  // in float, as in the reference
  OP_TRY(elementwise_multiplier(context, ratio, &q->scale));
  unary_type_range(type, &q->low, &q->high);
  int32_t bound = quantized_bound(low, &scales);
  if (bound > q->low) q->low = bound;
  if (high < HUGE_VALF) {
    bound = quantized_bound(high, &scales);
    if (bound < q->high) q->high = bound;
  }
  return type == kTfLiteInt16 ? kTfLiteOk : unary_table_8(context, type, relu_number, q, &s->table);
}

static TfLiteStatus relu_run(TfLiteContext *context, TfLiteNode *node, float low, float high) {
  const relu_state *s = node->user_data;
  const unary_bounds bounds = {low, high};
  switch (op_input(context, node, 0)->type) {
    case kTfLiteFloat32: return elementwise_run_unary(context, node, unary_clamp.f32, &bounds);
    case kTfLiteInt16: return elementwise_run_unary(context, node, unary_rescale_16, &s->quantized);
    default: return unary_run_table(context, node, s->table);
  }
}

#define RELU_OPERATOR(NAME, name, low, high)                                                                                   \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                                               \
    return relu_prepare_range(context, node, OP_TYPES_##NAME, (low), (high));                                                  \
  }                                                                                                                            \
  static TfLiteStatus name##_eval(TfLiteContext *context, TfLiteNode *node) { return relu_run(context, node, (low), (high)); } \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .state_size = sizeof(relu_state), .in_place = OP_ELEMENTWISE,             \
                                       .prepare = name##_prepare, .eval = name##_eval};

RELU_OPERATOR(RELU, relu, 0.0f, HUGE_VALF)
RELU_OPERATOR(RELU6, relu6, 0.0f, 6.0f)
RELU_OPERATOR(RELU_N1_TO_1, relu_n1_to_1, -1.0f, 1.0f)
RELU_OPERATOR(RELU_0_TO_1, relu_0_to_1, 0.0f, 1.0f)
