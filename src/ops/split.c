// SPDX-License-Identifier: Apache-2.0
// SPLIT: cuts input 1 along an axis (input 0, a scalar) into num_splits equal parts.
#include "ops/move_common.h"

static void split_parse(fb_table options, void *params) {
  ((TfLiteSplitParams *)params)->num_splits = SplitOptions_num_splits(options);
}

static TfLiteStatus split_read_axis(TfLiteContext *context, TfLiteNode *node, int *axis) {
  const TfLiteTensor *given = op_input(context, node, 0);
  OP_CHECK(context, op_count(given) >= 1 && given->data.raw, "the axis has no value");
  return move_axis(context, (int)move_int_at(given, 0), op_rank(op_input(context, node, 1)), axis);
}

static TfLiteStatus split_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 1);
  int axis, dims[OP_MAX_RANK], parts = op_output_count(node);
  OP_TRY(split_read_axis(context, node, &axis));
  OP_CHECK(context, op_dim(input, axis) % parts == 0, "a dimension of %d does not split into %d equal parts", op_dim(input, axis),
           parts);
  for (int i = 0; i < op_rank(input); i++) dims[i] = i == axis ? op_dim(input, axis) / parts : op_dim(input, i);
  for (int i = 0; i < parts; i++) OP_TRY(op_resize(context, op_output(context, node, i), op_rank(input), dims));
  return kTfLiteOk;
}

static TfLiteStatus split_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteSplitParams *params = node->builtin_data;
  OP_CHECK(context, params->num_splits >= 1, "num_splits is %d", params->num_splits);
  OP_TRY(op_check_counts(context, node, 2, 2, params->num_splits));
  const TfLiteTensor *axis = op_input(context, node, 0), *input = op_input(context, node, 1);
  OP_TRY(op_check_type(context, axis, "axis", OP_I32));
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SPLIT));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  bool known = op_is_constant(axis);
  for (int i = 0; i < op_output_count(node); i++) {
    OP_TRY(move_take_type(context, op_output(context, node, i), (TfLiteType)input->type));
    if (!known) OP_TRY(op_make_dynamic(context, op_output(context, node, i)));
  }
  return known ? split_resize(context, node) : kTfLiteOk;
}

static TfLiteStatus split_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 1);
  int axis, parts = op_output_count(node);
  if (!op_is_constant(op_input(context, node, 0))) OP_TRY(split_resize(context, node));
  if (op_count(input) == 0) return kTfLiteOk;
  OP_TRY(split_read_axis(context, node, &axis));
  size_t rows = op_count_between(input, 0, axis), run = op_count_between(input, axis, op_rank(input)) / (size_t)parts;
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_view view = {0};
  move_add(&view, rows, (ptrdiff_t)(run * (size_t)parts), (ptrdiff_t)run);
  move_add(&view, run, 1, 1);
  for (int i = 0; i < parts; i++)
    move_copy(&view, bytes, input->data.uint8 + (size_t)i * run * bytes, op_output(context, node, i)->data.raw);
  return kTfLiteOk;
}

// The parts lie one behind the other in the input where nothing is in front of the axis.
static void split_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const TfLiteTensor *given = op_input(context, node, 0), *input = op_input(context, node, 1);
  int64_t axis = op_is_constant(given) && given->data.raw ? move_int_at(given, 0) : op_rank(input);
  if (axis < 0) axis += op_rank(input);
  share->inputs = 1u << 1;
  if (axis < 0 || axis >= op_rank(input) || op_count_between(input, 0, (int)axis) != 1) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_split = {
    OP_ROW(SPLIT),        .params_size = sizeof(TfLiteSplitParams),
    .parse = split_parse, .prepare = split_prepare,
    .eval = split_eval,   .cost = move_no_macs,
    .in_place = OP_PARTS, .share = split_share,
};
