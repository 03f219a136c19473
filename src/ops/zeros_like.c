// SPDX-License-Identifier: Apache-2.0
// ZEROS_LIKE: zeros of the input's type and shape.
#include "ops/move_common.h"

static TfLiteStatus zeros_like_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_ZEROS_LIKE));
  OP_TRY(move_take_type(context, output, (TfLiteType)input->type));
  return op_resize_like(context, output, input);
}

static TfLiteStatus zeros_like_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output)) memset(output->data.raw, 0, op_bytes(output));
  return kTfLiteOk;
}

const op_descriptor arn_op_zeros_like = {OP_ROW(ZEROS_LIKE), .prepare = zeros_like_prepare, .eval = zeros_like_eval,
                                         .cost = move_no_macs};
