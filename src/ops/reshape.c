// SPDX-License-Identifier: Apache-2.0
// RESHAPE: the same elements under another shape, taken from the shape input or else from the options; one dimension may be -1.
#include "base/checked.h"
#include "ops/move_common.h"

typedef struct reshape_state {
  int32_t rank;  // of the options' shape; -1: more dimensions than the options struct holds
  int32_t shape[TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT];
} reshape_state;

static void reshape_parse(fb_table options, void *params) {
  TfLiteReshapeParams *p = params;
  fb_vector shape = ReshapeOptions_new_shape(options);
  if (shape.count > TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT) {
    p->num_dimensions = -1;
    return;
  }
  p->num_dimensions = (int)shape.count;
  for (uint32_t i = 0; i < shape.count; i++) p->shape[i] = fb_vector_i32(shape, i);
}

// Puts a number for the -1 in dims and checks that the element counts agree. Where dimensions are 0, the reference divides the
// products of the others (TFLite reference: reshape_utils.h).
static TfLiteStatus reshape_resolve(TfLiteContext *context, const TfLiteTensor *input, int rank, int *dims) {
  size_t in = op_count(input), in_nonzero = 1, out = 1, out_nonzero = 1;
  for (int i = 0; i < op_rank(input); i++) {
    if (op_dim(input, i))
      OP_CHECK(context, checked_mul(in_nonzero, (size_t)op_dim(input, i), &in_nonzero), "the input's size is too large");
  }
  int open = -1;
  for (int i = 0; i < rank; i++) {
    if (dims[i] == -1) {
      OP_CHECK(context, open < 0, "more than one dimension of the new shape is -1");
      open = i;
      continue;
    }
    OP_CHECK(context, dims[i] >= 0, "dimension %d of the new shape is %d", i, dims[i]);
    OP_CHECK(context, checked_mul(out, (size_t)dims[i], &out), "the new shape is too large");
    if (dims[i]) OP_CHECK(context, checked_mul(out_nonzero, (size_t)dims[i], &out_nonzero), "the new shape is too large");
  }
  if (open >= 0) {
    size_t rest = in == 0 && out != 0 ? 0 : in_nonzero / out_nonzero;
    OP_CHECK(context, rest <= INT32_MAX, "the dimension to infer is too large");
    dims[open] = (int)rest;
    OP_CHECK(context, checked_mul(out, rest, &out), "the new shape is too large");
  }
  OP_CHECK(context, in == out, "the input has %zu elements, the new shape %zu", in, out);
  return kTfLiteOk;
}

static TfLiteStatus reshape_resize(TfLiteContext *context, TfLiteNode *node, bool persistent) {
  const reshape_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *shape = op_input(context, node, 1);
  int rank, dims[OP_MAX_RANK];
  if (shape && op_rank(shape) == 1 && shape->type == kTfLiteInt32) {
    OP_TRY(op_read_ints(context, shape, "shape", OP_MAX_RANK, dims, &rank));
  } else {
    OP_CHECK(context, state->rank >= 0, "the options' shape has more than %d dimensions", OP_MAX_RANK);
    rank = state->rank == 1 && state->shape[0] == 0 ? 0 : state->rank;  // old models write a scalar's shape as [0]
    for (int i = 0; i < rank; i++) dims[i] = state->shape[i];
  }
  OP_TRY(reshape_resolve(context, input, rank, dims));
  TfLiteTensor *output = op_output(context, node, 0);
  return persistent ? op_resize_persistent(context, output, rank, dims) : op_resize(context, output, rank, dims);
}

static TfLiteStatus reshape_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 2, 1));
  const TfLiteReshapeParams *params = node->builtin_data;
  reshape_state *state = node->user_data;
  state->rank = params->num_dimensions;
  for (int i = 0; i < state->rank; i++) state->shape[i] = params->shape[i];
  const TfLiteTensor *input = op_input(context, node, 0), *shape = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, (input->type == kTfLiteString) == (output->type == kTfLiteString), "input and output are of different types");
  if (shape && !op_is_constant(shape)) return op_make_dynamic(context, output);
  bool fold = move_folds(input);
  OP_TRY(reshape_resize(context, node, fold));
  return fold ? move_as_is(context, input, output) : kTfLiteOk;
}

static TfLiteStatus reshape_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_constant(output)) return kTfLiteOk;
  if (op_is_dynamic(output)) OP_TRY(reshape_resize(context, node, false));
  return move_as_is(context, op_input(context, node, 0), output);
}

const op_descriptor arn_op_reshape = {
    OP_ROW(RESHAPE),
    .state_size = sizeof(reshape_state),
    .params_size = sizeof(TfLiteReshapeParams),
    .in_place = OP_VIEW,
    .parse = reshape_parse,
    .prepare = reshape_prepare,
    .eval = reshape_eval,
    .cost = move_no_macs,
};
