// SPDX-License-Identifier: Apache-2.0
// GATHER: output[batch, outer, i, inner] = input[batch, outer, positions[batch, i], inner], where the input's shape is
// batch + outer + (axis) + inner and the positions' shape batch + any.
#include "ops/move_common.h"

#define GATHER_POSITION_TYPES (OP_I16 | OP_I32 | OP_I64)

typedef struct gather_state {
  int32_t axis, batch_dims;  // counted from the front
} gather_state;

static void gather_parse(fb_table options, void *params) {
  TfLiteGatherParams *p = params;
  p->axis = GatherOptions_axis(options);
  p->batch_dims = GatherOptions_batch_dims(options);
}

static TfLiteStatus gather_check_positions(TfLiteContext *context, const TfLiteTensor *positions, int64_t size) {
  size_t count = op_count(positions);
  for (size_t i = 0; i < count; i++) {
    int64_t at = move_int_at(positions, i);
    OP_CHECK(context, at >= 0 && at < size, "position %d is %lld, the input has %d there", (int)i, (long long)at, (int)size);
  }
  return kTfLiteOk;
}

static TfLiteStatus gather_strings(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *positions,
                                   TfLiteTensor *output) {
  OP_TRY(string_check(context, input, "input"));
  size_t text = 0, count = op_count(positions);
  for (size_t i = 0; i < count; i++)
    text += string_at(input, (size_t)move_int_at(positions, i)).length;  // < 2^31 a string, < 2^31 strings
  string_writer writer;
  OP_TRY(string_begin(context, output, text, &writer));
  for (size_t i = 0; i < count; i++) string_add(&writer, string_at(input, (size_t)move_int_at(positions, i)));
  return kTfLiteOk;
}

static void gather_nibbles(const uint8_t *source, size_t first, uint8_t *target, size_t to, size_t run) {
  for (size_t i = 0; i < run; i++) move_set_nibble(target, to + i, move_nibble(source, first + i));
}

static TfLiteStatus gather_run(TfLiteContext *context, TfLiteNode *node) {
  const gather_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *positions = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  int axis = state->axis;
  size_t size = (size_t)op_dim(input, axis);
  OP_TRY(gather_check_positions(context, positions, (int64_t)size));
  if (input->type == kTfLiteString) return gather_strings(context, input, positions, output);
  if (op_count(output) == 0) return kTfLiteOk;
  size_t batches = op_count_between(input, 0, state->batch_dims), outer = op_count_between(input, state->batch_dims, axis);
  size_t inner = op_count_between(input, axis + 1, op_rank(input));
  size_t picks = op_count_between(positions, state->batch_dims, op_rank(positions));
  size_t bytes = op_type_size((TfLiteType)input->type), run = inner * bytes;
  if (!bytes) output->data.uint8[op_bytes(output) - 1] = 0;  // packed: the padding nibble of an odd count
  size_t to = 0;
  for (size_t b = 0; b < batches; b++) {
    for (size_t o = 0; o < outer; o++) {
      size_t row = (b * outer + o) * size;
      for (size_t i = 0; i < picks; i++, to++) {
        size_t from = row + (size_t)move_int_at(positions, b * picks + i);
        if (bytes)
          memcpy(output->data.uint8 + to * run, input->data.uint8 + from * run, run);
        else
          gather_nibbles(input->data.uint8, from * inner, output->data.uint8, to * inner, inner);
      }
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus gather_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteGatherParams *params = node->builtin_data;
  gather_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *positions = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, positions, "positions", GATHER_POSITION_TYPES));
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_GATHER));
  OP_TRY(move_take_type(context, output, (TfLiteType)input->type));
  OP_CHECK(context, input->type != kTfLiteString || op_rank(input) == 1,
           "strings are gathered from a vector, the input has rank %d", op_rank(input));
  int axis, batch_dims = params->batch_dims;
  OP_TRY(move_axis(context, params->axis, op_rank(input), &axis));
  if (batch_dims < 0) batch_dims += op_rank(positions);
  OP_CHECK(context, batch_dims >= 0 && batch_dims <= axis && batch_dims <= op_rank(positions),
           "batch_dims %d does not fit axis %d and positions of rank %d", params->batch_dims, axis, op_rank(positions));
  for (int i = 0; i < batch_dims; i++) {
    OP_CHECK(context, op_dim(input, i) == op_dim(positions, i), "batch dimension %d is %d in the input, %d in the positions", i,
             op_dim(input, i), op_dim(positions, i));
  }
  int rank = op_rank(input) + op_rank(positions) - 1 - batch_dims, dims[OP_MAX_RANK], n = 0;
  OP_CHECK(context, rank <= OP_MAX_RANK, "the output has rank %d, over the limit of %d", rank, OP_MAX_RANK);
  for (int i = 0; i < axis; i++) dims[n++] = op_dim(input, i);
  for (int i = batch_dims; i < op_rank(positions); i++) dims[n++] = op_dim(positions, i);
  for (int i = axis + 1; i < op_rank(input); i++) dims[n++] = op_dim(input, i);
  state->axis = axis;
  state->batch_dims = batch_dims;
  if (!move_folds(input) || !move_folds(positions)) return op_resize(context, output, rank, dims);
  OP_TRY(op_resize_persistent(context, output, rank, dims));
  return gather_run(context, node);
}

static TfLiteStatus gather_eval(TfLiteContext *context, TfLiteNode *node) {
  return op_is_constant(op_output(context, node, 0)) ? kTfLiteOk : gather_run(context, node);
}

const op_descriptor arn_op_gather = {
    OP_ROW(GATHER),        .state_size = sizeof(gather_state), .params_size = sizeof(TfLiteGatherParams),
    .parse = gather_parse, .prepare = gather_prepare,          .eval = gather_eval,
    .cost = move_no_macs,
};
