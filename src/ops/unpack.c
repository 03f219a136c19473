// SPDX-License-Identifier: Apache-2.0
// UNPACK: cuts its input along one axis into slices of thickness 1 and drops that axis.
#include "ops/move_common.h"

typedef struct unpack_state {
  int32_t axis;
} unpack_state;

static void unpack_parse(fb_table options, void *params) {
  TfLiteUnpackParams *p = params;
  p->num = UnpackOptions_num(options);
  p->axis = UnpackOptions_axis(options);
}

static TfLiteStatus unpack_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteUnpackParams *params = node->builtin_data;
  unpack_state *state = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, params->num));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_UNPACK));
  OP_CHECK(context, op_count(input) > 0, "the input is empty");
  int rank = op_rank(input), axis, kept = 0, dims[OP_MAX_RANK];
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  OP_TRY(move_axis(context, params->axis, rank, &axis));
  OP_CHECK(context, op_dim(input, axis) == params->num, "num is %d, the input has %d slices", params->num, op_dim(input, axis));
  for (int i = 0; i < rank; i++) {
    if (i != axis) dims[kept++] = op_dim(input, i);
  }
  for (int i = 0; i < params->num; i++) {
    TfLiteTensor *output = op_output(context, node, i);
    OP_TRY(move_same_type(context, output, input));
    OP_CHECK(context, move_same_quantisation(input, output), "output %d differs from the input in scale or zero point", i);
    OP_TRY(op_resize(context, output, kept, dims));
  }
  state->axis = axis;
  return kTfLiteOk;
}

static TfLiteStatus unpack_eval(TfLiteContext *context, TfLiteNode *node) {
  const unpack_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  size_t rows = op_count_between(input, 0, state->axis), run = op_count_between(input, state->axis + 1, op_rank(input));
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_view view = {0};
  move_add(&view, rows, (ptrdiff_t)(run * (size_t)op_output_count(node)), (ptrdiff_t)run);
  move_add(&view, run, 1, 1);
  for (int i = 0; i < op_output_count(node); i++) {
    move_copy(&view, bytes, input->data.uint8 + (size_t)i * run * bytes, op_output(context, node, i)->data.raw);
  }
  return kTfLiteOk;
}

static void unpack_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const unpack_state *state = node->user_data;
  if (op_count_between(op_input(context, node, 0), 0, state->axis) != 1) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_unpack = {
    OP_ROW(UNPACK),        .state_size = sizeof(unpack_state), .params_size = sizeof(TfLiteUnpackParams),
    .parse = unpack_parse, .prepare = unpack_prepare,          .eval = unpack_eval,
    .cost = move_no_macs,  .in_place = OP_PARTS,               .share = unpack_share,
};
