// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT: floats rounded to what a quantised tensor could hold. Source of the rules: TFLite kernels/fake_quant.cc.
#include "kernels/affine.h"
#include "ops/elementwise_common.h"

static void fake_quant_parse(fb_table options, void *params) {
  TfLiteFakeQuantParams *p = params;
  p->min = FakeQuantOptions_min(options);
  p->max = FakeQuantOptions_max(options);
  p->num_bits = FakeQuantOptions_num_bits(options);
  p->narrow_range = FakeQuantOptions_narrow_range(options);
}

static TfLiteStatus fake_quant_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteFakeQuantParams *options = node->builtin_data;
  affine_fake *range = node->user_data;
  OP_TRY(elementwise_prepare_unary(context, node, OP_TYPES_FAKE_QUANT, kTfLiteNoType));
  OP_CHECK(context, !options->narrow_range, "a narrow range is for weights, not for activations");
  OP_CHECK(context, options->num_bits >= 1 && options->num_bits <= 16, "cannot quantise to %d bits", options->num_bits);
  OP_CHECK(context, options->min < options->max && isfinite(options->max - options->min), "the range is empty or not finite");
  *range = affine_nudge(options->min, options->max, options->num_bits);
  return kTfLiteOk;
}

static TfLiteStatus fake_quant_eval(TfLiteContext *context, TfLiteNode *node) {
  return elementwise_run_unary(context, node, affine_fake_quantize, node->user_data);
}

const op_descriptor arn_op_fake_quant = {
    OP_ROW(FAKE_QUANT),         .state_size = sizeof(affine_fake), .params_size = sizeof(TfLiteFakeQuantParams),
    .in_place = OP_ELEMENTWISE, .parse = fake_quant_parse,         .prepare = fake_quant_prepare,
    .eval = fake_quant_eval};
