// SPDX-License-Identifier: Apache-2.0
// LOCAL_RESPONSE_NORMALIZATION over the channels of a float32 image. Source of the rules: TFLite reference,
// local_response_norm.cc.
#include "kernels/normalize.h"
#include "ops/op.h"

static void local_norm_parse(fb_table options, void *params) {
  *(TfLiteLocalResponseNormParams *)params = (TfLiteLocalResponseNormParams){
      .radius = LocalResponseNormalizationOptions_radius(options),
      .bias = LocalResponseNormalizationOptions_bias(options),
      .alpha = LocalResponseNormalizationOptions_alpha(options),
      .beta = LocalResponseNormalizationOptions_beta(options),
  };
}

static TfLiteStatus local_norm_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteLocalResponseNormParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(input) == 4, "the input has rank %d, 4 is needed", op_rank(input));
  *(normalize_local *)node->user_data = (normalize_local){p->radius, p->bias, p->alpha, p->beta};
  return op_resize_like(context, output, input);
}

static TfLiteStatus local_norm_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  if (op_count(input) == 0) return kTfLiteOk;
  size_t depth = (size_t)op_dim(input, 3);
  normalize_local_f32(depth, node->user_data, input->data.f, op_output(context, node, 0)->data.f, 0, op_count(input) / depth);
  return kTfLiteOk;
}

const op_descriptor arn_op_local_response_normalization = {
    OP_ROW(LOCAL_RESPONSE_NORMALIZATION),
    .state_size = sizeof(normalize_local),
    .params_size = sizeof(TfLiteLocalResponseNormParams),
    .parse = local_norm_parse,
    .prepare = local_norm_prepare,
    .eval = local_norm_eval,
};
