// SPDX-License-Identifier: Apache-2.0
// PACK: stacks inputs of one shape along a new axis.
#include "ops/move_common.h"

typedef struct pack_state {
  int32_t axis;
} pack_state;

static void pack_parse(fb_table options, void *params) {
  TfLitePackParams *p = params;
  p->values_count = PackOptions_values_count(options);
  p->axis = PackOptions_axis(options);
}

static TfLiteStatus pack_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLitePackParams *params = node->builtin_data;
  pack_state *state = node->user_data;
  int count = params->values_count;
  OP_CHECK(context, count >= 1, "values_count is %d", count);
  OP_TRY(op_check_counts(context, node, count, count, 1));
  const TfLiteTensor *head = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, head, "input 0", OP_TYPES_PACK));
  OP_TRY(move_same_type(context, output, head));
  int rank = op_rank(head), axis, dims[OP_MAX_RANK];
  OP_CHECK(context, rank < OP_MAX_RANK, "inputs of rank %d cannot be stacked", rank);
  OP_TRY(move_axis(context, params->axis, rank + 1, &axis));
  for (int i = 0; i < count; i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    OP_CHECK(context, t->type == head->type && op_same_shape(t, head), "input %d differs from input 0 in type or shape", i);
    OP_CHECK(context, move_same_quantisation(t, output), "input %d differs from the output in scale or zero point", i);
  }
  for (int i = 0; i <= rank; i++) dims[i] = i == axis ? count : op_dim(head, i - (i > axis));
  state->axis = axis;
  return op_resize(context, output, rank + 1, dims);
}

static TfLiteStatus pack_eval(TfLiteContext *context, TfLiteNode *node) {
  const pack_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  int count = op_input_count(node);
  if (op_count(output) == 0) return kTfLiteOk;
  size_t rows = op_count_between(output, 0, state->axis), run = op_count_between(output, state->axis + 1, op_rank(output));
  size_t bytes = op_type_size((TfLiteType)output->type);
  move_view view = {0};
  move_add(&view, rows, (ptrdiff_t)run, (ptrdiff_t)(run * (size_t)count));
  move_add(&view, run, 1, 1);
  for (int i = 0; i < count; i++)
    move_copy(&view, bytes, op_input(context, node, i)->data.raw, output->data.uint8 + (size_t)i * run * bytes);
  return kTfLiteOk;
}

static void pack_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const pack_state *state = node->user_data;
  if (op_count_between(op_output(context, node, 0), 0, state->axis) != 1) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_pack = {
    OP_ROW(PACK),         .state_size = sizeof(pack_state), .params_size = sizeof(TfLitePackParams),
    .parse = pack_parse,  .prepare = pack_prepare,          .eval = pack_eval,
    .cost = move_no_macs, .in_place = OP_JOIN,              .share = pack_share,
};
