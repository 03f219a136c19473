// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE: the operand with a box of it, from input 2 on, replaced by the update (input 1). Starts that would let
// the box stick out are moved inside.
#include "ops/move_common.h"

static TfLiteStatus dynamic_update_slice_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *operand = op_input(context, node, 0), *update = op_input(context, node, 1),
                     *start = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, operand, "operand", OP_TYPES_DYNAMIC_UPDATE_SLICE));
  OP_CHECK(context, update->type == operand->type, "the update is of type %s, the operand of type %s",
           op_type_name((TfLiteType)update->type), op_type_name((TfLiteType)operand->type));
  OP_TRY(op_check_type(context, start, "start", OP_I32 | OP_I64));
  int rank = op_rank(operand);
  OP_CHECK(context, rank <= OP_MAX_RANK && op_rank(update) == rank, "operand and update have ranks %d and %d", rank,
           op_rank(update));
  OP_CHECK(context, op_rank(start) == 1 && op_dim(start, 0) == rank, "start must have %d entries, the operand's rank", rank);
  for (int i = 0; i < rank; i++) {
    OP_CHECK(context, op_dim(update, i) <= op_dim(operand, i), "dimension %d of the update is %d, of the operand %d", i,
             op_dim(update, i), op_dim(operand, i));
  }
  OP_TRY(move_take_type(context, output, (TfLiteType)operand->type));
  return op_resize_like(context, output, operand);
}

static TfLiteStatus dynamic_update_slice_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *operand = op_input(context, node, 0), *update = op_input(context, node, 1),
                     *start = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output) == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)operand->type);
  if (output->data.raw != operand->data.raw) memmove(output->data.raw, operand->data.raw, op_bytes(operand));
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], first = 0;
  move_steps(op_rank(update), update->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(output); i++) {
    int64_t at = move_int_at(start, (size_t)i), most = op_dim(output, i) - op_dim(update, i);
    first += (ptrdiff_t)(at < 0 ? 0 : at > most ? most : at) * to[i];
    move_add(&view, (size_t)op_dim(update, i), from[i], to[i]);
  }
  if (bytes)
    move_copy(&view, bytes, update->data.raw, output->data.uint8 + (size_t)first * bytes);
  else
    move_copy_nibbles(&view, update->data.uint8, 0, output->data.uint8, (size_t)first);
  return kTfLiteOk;
}

// The output may take the operand's place: what is not replaced stays or moves as a whole.
static void dynamic_update_slice_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  (void)context, (void)node;
  share->inputs = 1;
}

const op_descriptor arn_op_dynamic_update_slice = {
    OP_ROW(DYNAMIC_UPDATE_SLICE),        .in_place = OP_ELEMENTWISE,
    .share = dynamic_update_slice_share, .prepare = dynamic_update_slice_prepare,
    .eval = dynamic_update_slice_eval,   .cost = move_no_macs,
};
