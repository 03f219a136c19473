// SPDX-License-Identifier: Apache-2.0
// SPLIT_V: cuts its input along an axis (input 2) into parts of the sizes that input 1 lists; one size may be -1, the rest.
#include "ops/move_common.h"

static void split_v_parse(fb_table options, void *params) {
  ((TfLiteSplitVParams *)params)->num_splits = SplitVOptions_num_splits(options);
}

// The axis, and the size that -1 stands for.
static TfLiteStatus split_v_read(TfLiteContext *context, TfLiteNode *node, int *axis, int64_t *rest) {
  const TfLiteTensor *input = op_input(context, node, 0), *sizes = op_input(context, node, 1),
                     *given = op_input(context, node, 2);
  OP_CHECK(context, op_count(given) >= 1 && given->data.raw, "the axis has no value");
  OP_CHECK(context, sizes->data.raw, "the sizes have no values");
  OP_TRY(move_axis(context, (int)move_int_at(given, 0), op_rank(input), axis));
  int64_t sum = 0, whole = op_dim(input, *axis);
  int open = 0;
  for (int i = 0; i < op_dim(sizes, 0); i++) {
    int64_t size = move_int_at(sizes, (size_t)i);
    OP_CHECK(context, size >= -1 && size <= whole, "size %d is %lld, the dimension %d", i, (long long)size, (int)whole);
    if (size == -1)
      open++;
    else
      sum += size;  // at most 2^31 terms below 2^31
  }
  OP_CHECK(context, open <= 1, "more than one size is -1");
  OP_CHECK(context, open ? sum <= whole : sum == whole, "the sizes add up to %lld, the dimension is %d", (long long)sum,
           (int)whole);
  *rest = whole - sum;
  return kTfLiteOk;
}

static TfLiteStatus split_v_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *sizes = op_input(context, node, 1);
  int axis, dims[OP_MAX_RANK];
  int64_t rest;
  OP_TRY(split_v_read(context, node, &axis, &rest));
  for (int i = 0; i < op_rank(input); i++) dims[i] = op_dim(input, i);
  for (int i = 0; i < op_output_count(node); i++) {
    int64_t size = move_int_at(sizes, (size_t)i);
    dims[axis] = (int)(size == -1 ? rest : size);
    OP_TRY(op_resize(context, op_output(context, node, i), op_rank(input), dims));
  }
  return kTfLiteOk;
}

static TfLiteStatus split_v_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteSplitVParams *params = node->builtin_data;
  OP_TRY(op_check_counts(context, node, 3, 3, params->num_splits));
  const TfLiteTensor *input = op_input(context, node, 0), *sizes = op_input(context, node, 1), *axis = op_input(context, node, 2);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SPLIT_V));
  OP_TRY(op_check_type(context, sizes, "sizes", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, axis, "axis", OP_I32));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  OP_CHECK(context, op_rank(sizes) == 1 && op_dim(sizes, 0) == params->num_splits,
           "there must be one size for each of %d outputs", params->num_splits);
  bool known = op_is_constant(sizes) && op_is_constant(axis);
  for (int i = 0; i < params->num_splits; i++) {
    OP_TRY(move_take_type(context, op_output(context, node, i), (TfLiteType)input->type));
    if (!known) OP_TRY(op_make_dynamic(context, op_output(context, node, i)));
  }
  return known ? split_v_resize(context, node) : kTfLiteOk;
}

static TfLiteStatus split_v_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  if (!op_is_constant(op_input(context, node, 1)) || !op_is_constant(op_input(context, node, 2)))
    OP_TRY(split_v_resize(context, node));
  if (op_count(input) == 0) return kTfLiteOk;
  int axis;
  int64_t rest;
  OP_TRY(split_v_read(context, node, &axis, &rest));
  size_t rows = op_count_between(input, 0, axis), inner = op_count_between(input, axis + 1, op_rank(input));
  size_t bytes = op_type_size((TfLiteType)input->type), first = 0;
  for (int i = 0; i < op_output_count(node); i++) {
    TfLiteTensor *output = op_output(context, node, i);
    size_t run = (size_t)op_dim(output, axis) * inner;
    move_view view = {0};
    move_add(&view, rows, (ptrdiff_t)((size_t)op_dim(input, axis) * inner), (ptrdiff_t)run);
    move_add(&view, run, 1, 1);
    move_copy(&view, bytes, input->data.uint8 + first * bytes, output->data.raw);
    first += run;
  }
  return kTfLiteOk;
}

// The parts lie one behind the other in the input where nothing is in front of the axis.
static void split_v_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 2);
  int64_t axis = op_is_constant(given) && given->data.raw ? move_int_at(given, 0) : op_rank(input);
  if (axis < 0) axis += op_rank(input);
  if (axis < 0 || axis >= op_rank(input) || op_count_between(input, 0, (int)axis) != 1) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_split_v = {
    OP_ROW(SPLIT_V),        .params_size = sizeof(TfLiteSplitVParams),
    .in_place = OP_PARTS,   .share = split_v_share,
    .parse = split_v_parse, .prepare = split_v_prepare,
    .eval = split_v_eval,   .cost = move_no_macs,
};
