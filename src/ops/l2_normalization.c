// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION along the last dimension of float32, uint8 and int8. Source of the rules: TFLite reference, l2norm.cc.
#include "kernels/normalize.h"
#include "ops/op.h"

static void l2_norm_parse(fb_table options, void *params) {
  *(TfLiteL2NormParams *)params = (TfLiteL2NormParams){op_activation(L2NormOptions_fused_activation_function(options))};
}

static TfLiteStatus l2_norm_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteL2NormParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_L2_NORMALIZATION));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_rank(input) >= 1, "the input is a scalar");
  OP_CHECK(context, p->activation == kTfLiteActNone, "a fused activation is not possible here");
  if (input->type != kTfLiteFloat32) {
    bool has_sign = input->type == kTfLiteInt8;
    int32_t zero = op_zero_point(input), low = has_sign ? INT8_MIN : 0;
    OP_CHECK(context, op_scale(output) == 1.0f / 128 && op_zero_point(output) == (has_sign ? 0 : 128),
             "the output must have scale 1/128 and zero point %d, it has %g and %d", has_sign ? 0 : 128, (double)op_scale(output),
             (int)op_zero_point(output));
    OP_CHECK(context, zero >= low && zero <= low + UINT8_MAX, "input zero point %d is outside its type", (int)zero);
  }
  return op_resize_like(context, output, input);
}

static TfLiteStatus l2_norm_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(input) == 0) return kTfLiteOk;
  size_t depth = (size_t)op_dim(input, op_rank(input) - 1), rows = op_count(input) / depth;
  switch (input->type) {
    case kTfLiteFloat32: normalize_l2_f32(depth, input->data.f, output->data.f, 0, rows); break;
    case kTfLiteUInt8: normalize_l2_u8(depth, op_zero_point(input), input->data.uint8, output->data.uint8, 0, rows); break;
    default:
      normalize_l2_s8(depth, op_zero_point(input), input->data.int8, output->data.int8, 0,
                      rows);  // prepare let only int8 through
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_l2_normalization = {
    OP_ROW(L2_NORMALIZATION), .params_size = sizeof(TfLiteL2NormParams), .parse = l2_norm_parse, .prepare = l2_norm_prepare,
    .eval = l2_norm_eval,
};
