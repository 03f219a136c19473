// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX along the last dimension of float32, uint8 and int8. Source of the rules: TFLite reference, activations.cc
// (LogSoftmaxPrepare).
#include "kernels/softmax_rows.h"
#include "ops/op.h"

static TfLiteStatus log_softmax_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_LOG_SOFTMAX));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_rank(input) >= 1, "the input is a scalar");
  if (input->type != kTfLiteFloat32) {
    int32_t zero = input->type == kTfLiteInt8 ? INT8_MAX : UINT8_MAX;
    OP_CHECK(context, op_scale(output) == 16.0f / 256 && op_zero_point(output) == zero,
             "the output must have scale 1/16 and zero point %d, it has %g and %d", (int)zero, (double)op_scale(output),
             (int)op_zero_point(output));
    OP_CHECK(context, log_softmax_scale_from_real((double)op_scale(input), node->user_data), "input scale %g is out of range",
             (double)op_scale(input));
  }
  return op_resize_like(context, output, input);
}

static TfLiteStatus log_softmax_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(input) == 0) return kTfLiteOk;
  size_t depth = (size_t)op_dim(input, op_rank(input) - 1), rows = op_count(input) / depth;
  switch (input->type) {
    case kTfLiteFloat32: log_softmax_f32(depth, input->data.f, output->data.f, 0, rows); break;
    case kTfLiteUInt8: log_softmax_u8(depth, node->user_data, input->data.uint8, output->data.uint8, 0, rows); break;
    default:
      log_softmax_s8(depth, node->user_data, input->data.int8, output->data.int8, 0, rows);  // prepare let only int8 through
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_log_softmax = {
    OP_ROW(LOG_SOFTMAX),
    .state_size = sizeof(log_softmax_scale),
    .prepare = log_softmax_prepare,
    .eval = log_softmax_eval,
};
