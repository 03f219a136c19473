// SPDX-License-Identifier: Apache-2.0
// TILE: repeats the input multiples[i] (input 1) times along dimension i.
#include "ops/move_common.h"

static TfLiteStatus tile_resize(TfLiteContext *context, TfLiteNode *node, bool persistent) {
  const TfLiteTensor *input = op_input(context, node, 0), *multiples = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  int dims[OP_MAX_RANK];
  for (int i = 0; i < op_rank(input); i++) {
    int64_t times = move_int_at(multiples, (size_t)i), size = op_dim(input, i);
    OP_CHECK(context, times >= 0 && (size == 0 || times <= INT32_MAX / size),
             "dimension %d of size %d times %lld is out of range", i, (int)size, (long long)times);
    dims[i] = (int)(size * (size ? times : 0));
  }
  return persistent ? op_resize_persistent(context, output, op_rank(input), dims)
                    : op_resize(context, output, op_rank(input), dims);
}

static TfLiteStatus tile_run(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK];
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++) {
    int size = op_dim(input, i);
    move_add(&view, size ? (size_t)(op_dim(output, i) / size) : 0, 0, size * to[i]);
    move_add(&view, (size_t)size, from[i], to[i]);
  }
  return move_tensor(context, &view, input, 0, output);
}

static TfLiteStatus tile_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *multiples = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_TILE));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, multiples, "multiples", OP_I32 | OP_I64));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  OP_CHECK(context, op_count(multiples) == (size_t)op_rank(input), "multiples has %d entries, the input's rank is %d",
           (int)op_count(multiples), op_rank(input));
  if (!op_is_constant(multiples)) return op_make_dynamic(context, output);
  bool fold = move_folds(input);
  OP_TRY(tile_resize(context, node, fold));
  return fold ? tile_run(context, node) : kTfLiteOk;
}

static TfLiteStatus tile_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_constant(output)) return kTfLiteOk;
  if (op_is_dynamic(output)) OP_TRY(tile_resize(context, node, false));
  return tile_run(context, node);
}

const op_descriptor arn_op_tile = {OP_ROW(TILE), .prepare = tile_prepare, .eval = tile_eval, .cost = move_no_macs};
