// SPDX-License-Identifier: Apache-2.0
// DILATE: puts dilations[i] - 1 padding values (input 2) between the elements along dimension i.
#include "ops/move_common.h"

static TfLiteStatus dilate_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *dilations = op_input(context, node, 1);
  int dims[OP_MAX_RANK];
  OP_CHECK(context, dilations->data.raw, "dilations have no data");
  for (int i = 0; i < op_rank(input); i++) {
    int64_t dilation = move_int_at(dilations, (size_t)i), size = (op_dim(input, i) - 1) * dilation + 1;
    OP_CHECK(context, dilation >= 1 && size >= 0 && size <= INT32_MAX, "dimension %d of size %d cannot be dilated by %lld", i,
             op_dim(input, i), (long long)dilation);
    dims[i] = (int)size;
  }
  return op_resize(context, op_output(context, node, 0), op_rank(input), dims);
}

static TfLiteStatus dilate_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *dilations = op_input(context, node, 1),
                     *padding = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_DILATE));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, dilations, "dilations", OP_I32));
  OP_CHECK(context, padding->type == input->type && op_count(padding) >= 1, "the padding value must be of the input's type");
  int rank = op_rank(input);
  OP_CHECK(context, rank >= 1 && rank <= OP_MAX_RANK, "the input has rank %d", rank);
  OP_CHECK(context, op_rank(dilations) == 1 && op_dim(dilations, 0) == rank, "dilations must have %d entries, the input's rank",
           rank);
  return op_is_constant(dilations) ? dilate_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus dilate_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *dilations = op_input(context, node, 1),
                     *padding = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(dilate_resize(context, node));
  if (op_count(output) == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_fill(output->data.raw, bytes, op_count(output), padding->data.raw);
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK];
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++)
    move_add(&view, (size_t)op_dim(input, i), from[i], to[i] * (ptrdiff_t)move_int_at(dilations, (size_t)i));
  move_copy(&view, bytes, input->data.raw, output->data.raw);
  return kTfLiteOk;
}

const op_descriptor arn_op_dilate = {OP_ROW(DILATE), .prepare = dilate_prepare, .eval = dilate_eval, .cost = move_no_macs};
