// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5 (soft). Inputs: 0 boxes [n, 4], 1 scores [n], then scalars: 2 max_output_size (int32), 3 iou
// threshold, 4 score threshold, 5 sigma (V5). Outputs: numbers of the selected boxes [max_output_size], V5: their scores, then
// how many are valid (the rest are 0).
#include <string.h>

#include "base/checked.h"
#include "kernels/nms.h"
#include "ops/op.h"

typedef struct nms_op {
  int heap_scratch;
} nms_op;

static TfLiteStatus nms_check_scalar(TfLiteContext *context, const TfLiteNode *node, int i, const char *what, uint32_t types) {
  const TfLiteTensor *t = op_input(context, node, i);
  OP_TRY(op_check_type(context, t, what, types));
  OP_CHECK(context, op_rank(t) == 0, "%s is not a scalar", what);
  return kTfLiteOk;
}

static TfLiteStatus nms_set_outputs(TfLiteContext *context, TfLiteNode *node) {
  int32_t size = op_input(context, node, 2)->data.i32[0];
  OP_CHECK(context, size >= 0, "max_output_size is %d", (int)size);
  for (int i = 0; i < op_output_count(node) - 1; i++)
    OP_TRY(op_resize(context, op_output(context, node, i), 1, (int[]){(int)size}));
  return kTfLiteOk;
}

static TfLiteStatus nms_prepare(TfLiteContext *context, TfLiteNode *node, bool soft) {
  nms_op *op = node->user_data;
  int inputs = soft ? 6 : 5, outputs = soft ? 3 : 2;
  OP_TRY(op_check_counts(context, node, inputs, inputs, outputs));
  const TfLiteTensor *boxes = op_input(context, node, 0), *scores = op_input(context, node, 1);
  OP_TRY(op_check_type(context, boxes, "boxes", OP_F32));
  OP_TRY(op_check_type(context, scores, "scores", OP_F32));
  OP_CHECK(context, op_rank(boxes) == 2 && op_dim(boxes, 1) == 4, "boxes are not [n, 4]");
  OP_CHECK(context, op_rank(scores) == 1 && op_dim(scores, 0) == op_dim(boxes, 0), "scores are not [%d]", op_dim(boxes, 0));
  OP_TRY(nms_check_scalar(context, node, 2, "max_output_size", OP_I32));
  OP_TRY(nms_check_scalar(context, node, 3, "iou_threshold", OP_F32));
  OP_TRY(nms_check_scalar(context, node, 4, "score_threshold", OP_F32));
  if (soft) OP_TRY(nms_check_scalar(context, node, 5, "sigma", OP_F32));
  op_output(context, node, 0)->type = kTfLiteInt32;
  if (soft) op_output(context, node, 1)->type = kTfLiteFloat32;
  TfLiteTensor *count = op_output(context, node, outputs - 1);
  count->type = kTfLiteInt32;
  OP_TRY(op_resize(context, count, 0, (int[]){0}));
  size_t bytes;
  OP_CHECK(context, checked_mul((size_t)op_dim(boxes, 0), sizeof(nms_candidate), &bytes), "too many boxes");
  OP_TRY(op_request_scratch(context, bytes, &op->heap_scratch));
  if (op_is_constant(op_input(context, node, 2))) return nms_set_outputs(context, node);
  for (int i = 0; i < outputs - 1; i++) OP_TRY(op_make_dynamic(context, op_output(context, node, i)));
  return kTfLiteOk;
}

static TfLiteStatus nms_prepare_v4(TfLiteContext *context, TfLiteNode *node) { return nms_prepare(context, node, false); }
static TfLiteStatus nms_prepare_v5(TfLiteContext *context, TfLiteNode *node) { return nms_prepare(context, node, true); }

static TfLiteStatus nms_eval(TfLiteContext *context, TfLiteNode *node) {
  const nms_op *op = node->user_data;
  bool soft = op_input_count(node) == 6;
  TfLiteTensor *selected = op_output(context, node, 0), *scores = soft ? op_output(context, node, 1) : NULL;
  if (op_is_dynamic(selected)) OP_TRY(nms_set_outputs(context, node));
  float sigma = soft ? op_input(context, node, 5)->data.f[0] : 0;
  OP_CHECK(context, sigma >= 0, "sigma is %g", (double)sigma);
  size_t room = (size_t)op_dim(selected, 0);
  size_t count = nms_soft(op_input(context, node, 0)->data.f, op_input(context, node, 1)->data.f,
                          (size_t)op_dim(op_input(context, node, 0), 0), op_input(context, node, 4)->data.f[0],
                          op_input(context, node, 3)->data.f[0], sigma, room, op_scratch(context, op->heap_scratch),
                          selected->data.i32, scores ? scores->data.f : NULL);
  for (size_t i = count; i < room; i++) selected->data.i32[i] = 0;
  for (size_t i = count; scores && i < room; i++) scores->data.f[i] = 0;
  op_output(context, node, op_output_count(node) - 1)->data.i32[0] = (int32_t)count;
  return kTfLiteOk;
}

const op_descriptor arn_op_non_max_suppression_v4 = {
    OP_ROW(NON_MAX_SUPPRESSION_V4),
    .state_size = sizeof(nms_op),
    .prepare = nms_prepare_v4,
    .eval = nms_eval,
};

const op_descriptor arn_op_non_max_suppression_v5 = {
    OP_ROW(NON_MAX_SUPPRESSION_V5),
    .state_size = sizeof(nms_op),
    .prepare = nms_prepare_v5,
    .eval = nms_eval,
};
