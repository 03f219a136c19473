// SPDX-License-Identifier: Apache-2.0
// SQUEEZE: drops dimensions of size 1: those that the options list, or all where they list none.
#include "ops/move_common.h"

static void squeeze_parse(fb_table options, void *params) {
  TfLiteSqueezeParams *p = params;
  fb_vector dims = SqueezeOptions_squeeze_dims(options);
  if (dims.count > BASE_COUNT(p->squeeze_dims)) {
    p->num_squeeze_dims = -1;
    return;
  }
  p->num_squeeze_dims = (int)dims.count;
  for (uint32_t i = 0; i < dims.count; i++) p->squeeze_dims[i] = fb_vector_i32(dims, i);
}

static TfLiteStatus squeeze_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteSqueezeParams *params = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, (input->type == kTfLiteString) == (output->type == kTfLiteString), "input and output are of different types");
  int rank = op_rank(input), dims[OP_MAX_RANK], kept = 0;
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  OP_CHECK(context, params->num_squeeze_dims >= 0, "the options list more than %d dimensions", OP_MAX_RANK);
  unsigned drop = 0;
  for (int i = 0; i < params->num_squeeze_dims; i++) {
    int axis;
    OP_TRY(move_axis(context, params->squeeze_dims[i], rank, &axis));
    OP_CHECK(context, op_dim(input, axis) == 1, "dimension %d is to be dropped, its size is %d", axis, op_dim(input, axis));
    drop |= 1u << axis;
  }
  for (int i = 0; i < rank; i++) {
    bool dropped = params->num_squeeze_dims ? drop >> i & 1 : op_dim(input, i) == 1;
    if (!dropped) dims[kept++] = op_dim(input, i);
  }
  return op_resize(context, output, kept, dims);
}

static TfLiteStatus squeeze_eval(TfLiteContext *context, TfLiteNode *node) {
  return move_as_is(context, op_input(context, node, 0), op_output(context, node, 0));
}

const op_descriptor arn_op_squeeze = {
    OP_ROW(SQUEEZE),
    .params_size = sizeof(TfLiteSqueezeParams),
    .in_place = OP_VIEW,
    .parse = squeeze_parse,
    .prepare = squeeze_prepare,
    .eval = squeeze_eval,
    .cost = move_no_macs,
};
