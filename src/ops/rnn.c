// SPDX-License-Identifier: Apache-2.0
// RNN: one step of a plain recurrent cell. Inputs: 0 input [batches, inputs], 1 weights [units, inputs], 2 recurrent weights
// [units, units], 3 bias [units], 4 hidden state [batches, units] (variable). Float, or hybrid with int8 weights.
#include "ops/rnn_node.h"

static const rnn_layout rnn_step_layout = {1, 2, 3, 4, -1};

static void rnn_parse(fb_table options, void *params) {
  TfLiteRNNParams *p = params;
  p->activation = op_activation(RNNOptions_fused_activation_function(options));
  p->asymmetric_quantize_inputs = RNNOptions_asymmetric_quantize_inputs(options);
}

static TfLiteStatus rnn_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteRNNParams *p = node->builtin_data;
  rnn_node *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 5, 5, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(input) == 2, "input has rank %d, not 2", op_rank(input));
  OP_TRY(rnn_node_prepare(context, node, op, &rnn_step_layout, p->activation, p->asymmetric_quantize_inputs, op_dim(input, 0),
                          op_dim(input, 1), 0));
  return op_resize(context, output, 2, (int[]){op_dim(input, 0), (int)op->cell.units});
}

static TfLiteStatus rnn_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  rnn_run run = {
      .batches = (size_t)op_dim(input, 0), .steps = 1, .time_major = true, .input = input, .output = op_output(context, node, 0)};
  rnn_node_eval(context, node, node->user_data, &run);
  return kTfLiteOk;
}

static void rnn_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  cost->macs = rnn_node_macs(node->user_data, (uint64_t)op_dim(op_input(context, node, 0), 0));
}

const op_descriptor arn_op_rnn = {
    OP_ROW(RNN),        .state_size = sizeof(rnn_node), .params_size = sizeof(TfLiteRNNParams),
    .parse = rnn_parse, .prepare = rnn_prepare,         .eval = rnn_eval,
    .cost = rnn_cost,
};
