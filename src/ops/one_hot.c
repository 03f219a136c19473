// SPDX-License-Identifier: Apache-2.0
// ONE_HOT: for each index a vector of `depth` (input 1) elements along a new axis: on_value (input 2) at the index, off_value
// (input 3) elsewhere; off_value only where the index is outside.
#include "ops/move_common.h"

typedef struct one_hot_state {
  int32_t axis;
} one_hot_state;

static void one_hot_parse(fb_table options, void *params) { ((TfLiteOneHotParams *)params)->axis = OneHotOptions_axis(options); }

static TfLiteStatus one_hot_resize(TfLiteContext *context, TfLiteNode *node) {
  const one_hot_state *state = node->user_data;
  const TfLiteTensor *indices = op_input(context, node, 0), *depth = op_input(context, node, 1);
  int rank = op_rank(indices) + 1, dims[OP_MAX_RANK];
  OP_CHECK(context, depth->data.raw && move_int_at(depth, 0) >= 0, "depth has no value or a negative one");
  for (int i = 0; i < rank; i++) dims[i] = i == state->axis ? (int)move_int_at(depth, 0) : op_dim(indices, i - (i > state->axis));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus one_hot_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 4, 4, 1));
  const TfLiteOneHotParams *params = node->builtin_data;
  one_hot_state *state = node->user_data;
  const TfLiteTensor *indices = op_input(context, node, 0), *depth = op_input(context, node, 1);
  const TfLiteTensor *on = op_input(context, node, 2), *off = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, on, "on_value", OP_TYPES_ONE_HOT));
  OP_TRY(op_check_type(context, indices, "indices", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, depth, "depth", OP_I32));
  OP_CHECK(context, off->type == on->type, "on_value and off_value differ in type");
  OP_CHECK(context, op_count(depth) == 1 && op_count(on) == 1 && op_count(off) == 1,
           "depth, on_value and off_value must be single values");
  int rank = op_rank(indices);
  OP_CHECK(context, rank < OP_MAX_RANK, "indices of rank %d are over the limit", rank);
  OP_CHECK(context, params->axis >= -1 && params->axis <= rank, "axis %d is outside rank %d", params->axis, rank + 1);
  state->axis = params->axis == -1 ? rank : params->axis;
  OP_TRY(move_take_type(context, output, (TfLiteType)on->type));
  return op_is_constant(depth) ? one_hot_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus one_hot_eval(TfLiteContext *context, TfLiteNode *node) {
  const one_hot_state *state = node->user_data;
  const TfLiteTensor *indices = op_input(context, node, 0), *on = op_input(context, node, 2), *off = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(one_hot_resize(context, node));
  if (op_count(output) == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)output->type), count = op_count(indices);
  size_t inner = op_count_between(indices, state->axis, op_rank(indices)), depth = (size_t)op_dim(output, state->axis);
  move_fill(output->data.raw, bytes, op_count(output), off->data.raw);
  for (size_t i = 0; i < count; i++) {
    int32_t at =
        (int32_t)(uint32_t)(uint64_t)move_int_at(indices, i);  // the reference looks at the low 32 bits of an int64 index
    if (at < 0 || (size_t)at >= depth) continue;
    memcpy(output->data.uint8 + ((i / inner * depth + (size_t)at) * inner + i % inner) * bytes, on->data.raw, bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_one_hot = {
    OP_ROW(ONE_HOT),        .state_size = sizeof(one_hot_state), .params_size = sizeof(TfLiteOneHotParams),
    .parse = one_hot_parse, .prepare = one_hot_prepare,          .eval = one_hot_eval,
    .cost = move_no_macs,
};
