// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM: inputs as of LSTM, input 0 being a sequence, [batches, time, inputs] or [time, batches, inputs].
// Float, hybrid (int8 weights), or int8 with a 16-bit cell state; recurrent weights may be diagonals (floats).
#include <string.h>

#include "ops/lstm_node.h"

static const lstm_layout unidirectional_lstm_layout = {1, 5, 9, 12, 16, 17, 18, 19, 20, -1};

typedef struct unidirectional_lstm {
  lstm_node cell;
  bool time_major;
} unidirectional_lstm;

static void unidirectional_lstm_parse(fb_table options, void *params) {
  TfLiteUnidirectionalSequenceLSTMParams *p = params;
  p->activation = op_activation(UnidirectionalSequenceLSTMOptions_fused_activation_function(options));
  p->cell_clip = UnidirectionalSequenceLSTMOptions_cell_clip(options);
  p->proj_clip = UnidirectionalSequenceLSTMOptions_proj_clip(options);
  p->time_major = UnidirectionalSequenceLSTMOptions_time_major(options);
  p->asymmetric_quantize_inputs = UnidirectionalSequenceLSTMOptions_asymmetric_quantize_inputs(options);
  p->diagonal_recurrent_tensors = UnidirectionalSequenceLSTMOptions_diagonal_recurrent_tensors(options);
}

static TfLiteStatus unidirectional_lstm_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteUnidirectionalSequenceLSTMParams *p = node->builtin_data;
  unidirectional_lstm *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 24, 1));
  OP_CHECK(context, op_input_count(node) == 20 || op_input_count(node) == 24, "takes 20 or 24 inputs, the model gives %d",
           op_input_count(node));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_UNIDIRECTIONAL_SEQUENCE_LSTM));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_rank(input) == 3, "input has rank %d, not 3", op_rank(input));
  OP_CHECK(context, input->type == kTfLiteFloat32 || (node->intermediates && node->intermediates->size == 5),
           "an int8 node needs 5 intermediate tensors");
  op->time_major = p->time_major;
  lstm_options options = {p->activation, p->cell_clip, p->proj_clip, p->asymmetric_quantize_inputs, true, false};
  OP_TRY(lstm_node_prepare(context, node, &op->cell, &unidirectional_lstm_layout, &options, (TfLiteType)input->type,
                           op_dim(input, p->time_major ? 1 : 0), op_dim(input, 2), 0));
  return op_resize(context, output, 3, (int[]){op_dim(input, 0), op_dim(input, 1), (int)op->cell.outputs});
}

static TfLiteStatus unidirectional_lstm_eval(TfLiteContext *context, TfLiteNode *node) {
  unidirectional_lstm *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  lstm_run run = {.batches = (size_t)op_dim(input, op->time_major ? 1 : 0),
                  .steps = (size_t)op_dim(input, op->time_major ? 0 : 1),
                  .time_major = op->time_major,
                  .input = input,
                  .output = op_output(context, node, 0)};
  lstm_node_eval(context, node, &op->cell, &run);
  return kTfLiteOk;
}

static void unidirectional_lstm_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const unidirectional_lstm *op = node->user_data;
  cost->macs = lstm_node_macs(&op->cell, op_count_between(op_input(context, node, 0), 0, 2));
}

const op_descriptor arn_op_unidirectional_sequence_lstm = {
    OP_ROW(UNIDIRECTIONAL_SEQUENCE_LSTM),
    .state_size = sizeof(unidirectional_lstm),
    .params_size = sizeof(TfLiteUnidirectionalSequenceLSTMParams),
    .parse = unidirectional_lstm_parse,
    .prepare = unidirectional_lstm_prepare,
    .eval = unidirectional_lstm_eval,
    .cost = unidirectional_lstm_cost,
};
