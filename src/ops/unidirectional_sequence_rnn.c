// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_RNN: inputs as of RNN, input 0 being a sequence, [batches, time, inputs] or [time, batches, inputs].
#include "ops/rnn_node.h"

typedef struct unidirectional_rnn {
  rnn_node cell;
  bool time_major;
} unidirectional_rnn;

static const rnn_layout unidirectional_rnn_layout = {1, 2, 3, 4, -1};

static void unidirectional_rnn_parse(fb_table options, void *params) {
  TfLiteSequenceRNNParams *p = params;
  p->time_major = SequenceRNNOptions_time_major(options);
  p->activation = op_activation(SequenceRNNOptions_fused_activation_function(options));
  p->asymmetric_quantize_inputs = SequenceRNNOptions_asymmetric_quantize_inputs(options);
}

static TfLiteStatus unidirectional_rnn_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteSequenceRNNParams *p = node->builtin_data;
  unidirectional_rnn *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 5, 5, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(input) == 3, "input has rank %d, not 3", op_rank(input));
  op->time_major = p->time_major;
  OP_TRY(rnn_node_prepare(context, node, &op->cell, &unidirectional_rnn_layout, p->activation, p->asymmetric_quantize_inputs,
                          op_dim(input, p->time_major ? 1 : 0), op_dim(input, 2), 0));
  return op_resize(context, output, 3, (int[]){op_dim(input, 0), op_dim(input, 1), (int)op->cell.cell.units});
}

static TfLiteStatus unidirectional_rnn_eval(TfLiteContext *context, TfLiteNode *node) {
  unidirectional_rnn *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  rnn_run run = {.batches = (size_t)op_dim(input, op->time_major ? 1 : 0),
                 .steps = (size_t)op_dim(input, op->time_major ? 0 : 1),
                 .time_major = op->time_major,
                 .input = input,
                 .output = op_output(context, node, 0)};
  rnn_node_eval(context, node, &op->cell, &run);
  return kTfLiteOk;
}

static void unidirectional_rnn_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const unidirectional_rnn *op = node->user_data;
  cost->macs = rnn_node_macs(&op->cell, op_count_between(op_input(context, node, 0), 0, 2));
}

const op_descriptor arn_op_unidirectional_sequence_rnn = {
    OP_ROW(UNIDIRECTIONAL_SEQUENCE_RNN), .state_size = sizeof(unidirectional_rnn), .params_size = sizeof(TfLiteSequenceRNNParams),
    .parse = unidirectional_rnn_parse,   .prepare = unidirectional_rnn_prepare,    .eval = unidirectional_rnn_eval,
    .cost = unidirectional_rnn_cost,
};
