// SPDX-License-Identifier: Apache-2.0
// CONV_3D of float32. Source of the rules: TFLite reference, conv3d.cc.
#include "ops/conv_3d_common.h"

static TfLiteStatus conv_3d_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteConv3DParams *p = node->builtin_data;
  const TfLiteTensor *image = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_3d_state *state = node->user_data;
  conv3d_shape *s = &state->shape;
  OP_TRY(conv_3d_check(context, image, filter, bias, output, 3, 4));
  s->batches = op_dim(image, 0);
  s->in_c = op_dim(image, 4);
  s->out_c = op_dim(filter, 4);
  OP_TRY(conv_3d_set_axes(context, p, filter, &image->dims->data[1], s));
  op_activation_range_f32(p->activation, &state->low, &state->high);
  return op_resize(context, output, 5, (int[]){s->batches, s->z.out, s->y.out, s->x.out, s->out_c});
}

static TfLiteStatus conv_3d_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  const conv_3d_state *state = node->user_data;
  const conv3d_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  conv_f32_args a = {.input = op_input(context, node, 0)->data.f,
                     .filter = op_input(context, node, 1)->data.f,
                     .bias = bias ? bias->data.f : NULL,
                     .output = output->data.f,
                     .low = state->low,
                     .high = state->high};
  conv3d_f32(s, &a, 0, (int64_t)s->batches * s->z.out * s->y.out);
  return kTfLiteOk;
}

static void conv_3d_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = (uint64_t)op_count(op_output(context, node, 0)) * op_count_between(filter, 0, 4);
}

const op_descriptor arn_op_conv_3d = {
    OP_ROW(CONV_3D),        .state_size = sizeof(conv_3d_state), .params_size = sizeof(TfLiteConv3DParams),
    .parse = conv_3d_parse, .prepare = conv_3d_prepare,          .eval = conv_3d_eval,
    .cost = conv_3d_cost,
};
