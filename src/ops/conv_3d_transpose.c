// SPDX-License-Identifier: Apache-2.0
// CONV_3D_TRANSPOSE of float32: inputs are the output's shape, filter, image, and an optional bias.
// Source of the rules: TFLite reference, conv3d_transpose.cc.
#include "ops/conv_3d_common.h"

typedef struct conv_transposed_3d_state {
  conv_3d_state common;
  TfLiteConv3DParams params;  // for shapes that are known in eval only
} conv_transposed_3d_state;

static TfLiteStatus conv_transposed_3d_set_shape(TfLiteContext *context, TfLiteNode *node, conv_transposed_3d_state *state) {
  const TfLiteTensor *filter = op_input(context, node, 1), *image = op_input(context, node, 2);
  conv3d_shape *s = &state->common.shape;
  int dims[5], count;
  OP_TRY(op_read_ints(context, op_input(context, node, 0), "output shape", 5, dims, &count));
  OP_CHECK(context, count == 5, "the output shape has %d values, 5 are needed", count);
  OP_CHECK(context, dims[0] == op_dim(image, 0) && dims[4] == op_dim(filter, 3),
           "%d batches and %d channels are asked for, there are %d and %d", dims[0], dims[4], op_dim(image, 0),
           op_dim(filter, 3));
  s->batches = dims[0];
  s->in_c = op_dim(image, 4);
  s->out_c = dims[4];
  OP_TRY(conv_3d_set_axes(context, &state->params, filter, dims + 1, s));
  OP_CHECK(context, s->z.out == op_dim(image, 1) && s->y.out == op_dim(image, 2) && s->x.out == op_dim(image, 3),
           "a %d x %d x %d output does not follow from the image", dims[1], dims[2], dims[3]);
  return op_resize(context, op_output(context, node, 0), 5, dims);
}

static TfLiteStatus conv_transposed_3d_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 4, 1));
  conv_transposed_3d_state *state = node->user_data;
  state->params = *(const TfLiteConv3DParams *)node->builtin_data;
  const TfLiteTensor *shape = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, shape, "output shape", OP_I32));
  OP_TRY(
      conv_3d_check(context, op_input(context, node, 2), op_input(context, node, 1), op_input(context, node, 3), output, 4, 3));
  op_activation_range_f32(state->params.activation, &state->common.low, &state->common.high);
  return op_is_constant(shape) ? conv_transposed_3d_set_shape(context, node, state) : op_make_dynamic(context, output);
}

static TfLiteStatus conv_transposed_3d_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *bias = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_transposed_3d_state *state = node->user_data;
  if (op_is_dynamic(output)) OP_TRY(conv_transposed_3d_set_shape(context, node, state));
  const conv3d_shape *s = &state->common.shape;
  if (op_count(output) == 0) return kTfLiteOk;
  conv_f32_args a = {.input = op_input(context, node, 2)->data.f,
                     .filter = op_input(context, node, 1)->data.f,
                     .bias = bias ? bias->data.f : NULL,
                     .output = output->data.f,
                     .low = state->common.low,
                     .high = state->common.high};
  conv3d_transposed_f32(s, &a, 0, (int64_t)s->batches * s->z.in * s->y.in);
  return kTfLiteOk;
}

static void conv_transposed_3d_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = (uint64_t)op_count(op_input(context, node, 2)) * op_count_between(filter, 0, 4);
}

const op_descriptor arn_op_conv_3d_transpose = {
    OP_ROW(CONV_3D_TRANSPOSE), .state_size = sizeof(conv_transposed_3d_state), .params_size = sizeof(TfLiteConv3DParams),
    .parse = conv_3d_parse,    .prepare = conv_transposed_3d_prepare,          .eval = conv_transposed_3d_eval,
    .cost = conv_transposed_3d_cost,
};
