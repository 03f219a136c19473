// SPDX-License-Identifier: Apache-2.0
// SHAPE and RANK: the input's shape as an int32 or int64 vector, its rank as an int32 scalar. Both are known as soon as the
// input's shape is, so prepare writes them and eval has nothing to do.
#include "ops/move_common.h"

static void shape_parse(fb_table options, void *params) {
  ((TfLiteShapeParams *)params)->out_type = op_type(ShapeOptions_out_type(options));
}

static TfLiteStatus shape_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteShapeParams *params = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, params->out_type == kTfLiteInt32 || params->out_type == kTfLiteInt64,
           "out_type is %s, INT32 or INT64 is needed", op_type_name(params->out_type));
  OP_TRY(move_take_type(context, output, params->out_type));
  int rank = op_rank(input);
  OP_TRY(op_resize_persistent(context, output, 1, &rank));
  for (int i = 0; i < rank; i++) {
    if (output->type == kTfLiteInt32)
      output->data.i32[i] = op_dim(input, i);
    else
      output->data.i64[i] = op_dim(input, i);
  }
  return kTfLiteOk;
}

static TfLiteStatus rank_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(move_take_type(context, output, kTfLiteInt32));
  OP_TRY(op_resize_persistent(context, output, 0, NULL));
  output->data.i32[0] = op_rank(op_input(context, node, 0));
  return kTfLiteOk;
}

static TfLiteStatus shape_eval(TfLiteContext *context, TfLiteNode *node) {
  (void)context, (void)node;
  return kTfLiteOk;
}

const op_descriptor arn_op_shape = {
    OP_ROW(SHAPE),        .params_size = sizeof(TfLiteShapeParams),
    .parse = shape_parse, .prepare = shape_prepare,
    .eval = shape_eval,   .cost = move_no_macs,
};
const op_descriptor arn_op_rank = {OP_ROW(RANK), .prepare = rank_prepare, .eval = shape_eval, .cost = move_no_macs};
