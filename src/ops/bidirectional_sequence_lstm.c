// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: two LSTM cells, one from the first step on, one from the last; float or hybrid. Inputs: 0
// input, 1..17 weights and biases of the forward cell as in LSTM, 18..34 those of the backward cell, 35..38 output and cell state
// of either, 39 aux input, 40..47 aux weights.
#include "ops/bidirectional_common.h"
#include "ops/lstm_node.h"

static const lstm_layout bidirectional_lstm_layouts[2] = {
    {1, 5, 9, 12, 16, 17, 35, 36, -1, 40},
    {18, 22, 26, 29, 33, 34, 37, 38, -1, 44},
};

typedef struct bidirectional_lstm {
  lstm_node forward, backward;
  bidirectional_shape shape;
  bool time_major, merge;
} bidirectional_lstm;

static void bidirectional_lstm_parse(fb_table options, void *params) {
  TfLiteBidirectionalSequenceLSTMParams *p = params;
  p->activation = op_activation(BidirectionalSequenceLSTMOptions_fused_activation_function(options));
  p->cell_clip = BidirectionalSequenceLSTMOptions_cell_clip(options);
  p->proj_clip = BidirectionalSequenceLSTMOptions_proj_clip(options);
  p->merge_outputs = BidirectionalSequenceLSTMOptions_merge_outputs(options);
  p->time_major = BidirectionalSequenceLSTMOptions_time_major(options);
  p->asymmetric_quantize_inputs = BidirectionalSequenceLSTMOptions_asymmetric_quantize_inputs(options);
}

static TfLiteStatus bidirectional_lstm_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteBidirectionalSequenceLSTMParams *p = node->builtin_data;
  bidirectional_lstm *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 48, p->merge_outputs ? 1 : 2));
  OP_CHECK(context, op_input_count(node) == 48, "takes 48 inputs, the model gives %d", op_input_count(node));
  bool has_aux_weights = op_input(context, node, 41) != NULL;
  for (int i = 41; i < 48; i++)  // 44, of the input gate, is missing in CIFG cells
    OP_CHECK(context, i == 44 || has_aux_weights == (op_input(context, node, i) != NULL),
             "aux weights are there for some gates only");
  OP_TRY(bidirectional_check(context, node, 39, has_aux_weights, p->time_major, &op->shape));
  op->time_major = p->time_major;
  op->merge = p->merge_outputs;
  const bidirectional_shape *s = &op->shape;
  lstm_options options = {p->activation, p->cell_clip, p->proj_clip, p->asymmetric_quantize_inputs, false, false};
  OP_TRY(lstm_node_prepare(context, node, &op->forward, &bidirectional_lstm_layouts[0], &options, kTfLiteFloat32, s->batches,
                           s->inputs, s->aux_inputs));
  OP_TRY(lstm_node_prepare(context, node, &op->backward, &bidirectional_lstm_layouts[1], &options, kTfLiteFloat32, s->batches,
                           s->inputs, s->aux_inputs));
  return bidirectional_resize(context, node, op->merge, (int)op->forward.outputs, (int)op->backward.outputs);
}

static TfLiteStatus bidirectional_lstm_eval(TfLiteContext *context, TfLiteNode *node) {
  bidirectional_lstm *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *aux = op_input(context, node, 39);
  bool separate = aux && op->shape.aux_inputs == 0;  // the backward cell has an input of its own
  lstm_run run = {.batches = (size_t)op->shape.batches,
                  .steps = (size_t)op->shape.steps,
                  .time_major = op->time_major,
                  .input = input,
                  .aux = separate ? NULL : aux,
                  .output = op_output(context, node, 0)};
  lstm_node_eval(context, node, &op->forward, &run);
  run.backward = true;
  if (separate) run.input = aux;
  run.output = op_output(context, node, op->merge ? 0 : 1);
  run.output_offset = op->merge ? op->forward.outputs : 0;
  lstm_node_eval(context, node, &op->backward, &run);
  return kTfLiteOk;
}

static void bidirectional_lstm_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const bidirectional_lstm *op = node->user_data;
  uint64_t vectors = op_count_between(op_input(context, node, 0), 0, 2);
  cost->macs = lstm_node_macs(&op->forward, vectors) + lstm_node_macs(&op->backward, vectors);
}

const op_descriptor arn_op_bidirectional_sequence_lstm = {
    OP_ROW(BIDIRECTIONAL_SEQUENCE_LSTM),
    .state_size = sizeof(bidirectional_lstm),
    .params_size = sizeof(TfLiteBidirectionalSequenceLSTMParams),
    .parse = bidirectional_lstm_parse,
    .prepare = bidirectional_lstm_prepare,
    .eval = bidirectional_lstm_eval,
    .cost = bidirectional_lstm_cost,
};
