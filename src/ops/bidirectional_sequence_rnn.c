// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_RNN: two plain recurrent cells, one from the first step on, one from the last. Inputs: 0 input, 1..4
// weights, recurrent weights, bias and state of the forward cell, 5..8 of the backward cell, 9 aux input, 10 and 11 aux weights
// of either cell (9..11 optional).
#include "ops/bidirectional_common.h"
#include "ops/rnn_node.h"

static const rnn_layout bidirectional_rnn_layouts[2] = {{1, 2, 3, 4, 10}, {5, 6, 7, 8, 11}};

typedef struct bidirectional_rnn {
  rnn_node forward, backward;
  bidirectional_shape shape;
  bool time_major, merge;
} bidirectional_rnn;

static void bidirectional_rnn_parse(fb_table options, void *params) {
  TfLiteBidirectionalSequenceRNNParams *p = params;
  p->time_major = BidirectionalSequenceRNNOptions_time_major(options);
  p->activation = op_activation(BidirectionalSequenceRNNOptions_fused_activation_function(options));
  p->merge_outputs = BidirectionalSequenceRNNOptions_merge_outputs(options);
  p->asymmetric_quantize_inputs = BidirectionalSequenceRNNOptions_asymmetric_quantize_inputs(options);
}

static TfLiteStatus bidirectional_rnn_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteBidirectionalSequenceRNNParams *p = node->builtin_data;
  bidirectional_rnn *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 9, 12, p->merge_outputs ? 1 : 2));
  OP_CHECK(context, op_input_count(node) == 12, "takes 12 inputs, the model gives %d", op_input_count(node));
  bool has_aux_weights = op_input(context, node, 10) != NULL;
  OP_CHECK(context, has_aux_weights == (op_input(context, node, 11) != NULL), "aux weights are there for one cell only");
  OP_TRY(bidirectional_check(context, node, 9, has_aux_weights, p->time_major, &op->shape));
  op->time_major = p->time_major;
  op->merge = p->merge_outputs;
  const bidirectional_shape *s = &op->shape;
  OP_TRY(rnn_node_prepare(context, node, &op->forward, &bidirectional_rnn_layouts[0], p->activation,
                          p->asymmetric_quantize_inputs, s->batches, s->inputs, s->aux_inputs));
  OP_TRY(rnn_node_prepare(context, node, &op->backward, &bidirectional_rnn_layouts[1], p->activation,
                          p->asymmetric_quantize_inputs, s->batches, s->inputs, s->aux_inputs));
  return bidirectional_resize(context, node, op->merge, (int)op->forward.cell.units, (int)op->backward.cell.units);
}

static TfLiteStatus bidirectional_rnn_eval(TfLiteContext *context, TfLiteNode *node) {
  bidirectional_rnn *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *aux = op_input(context, node, 9);
  bool separate = aux && op->shape.aux_inputs == 0;  // the backward cell has an input of its own
  rnn_run forward = {.batches = (size_t)op->shape.batches,
                     .steps = (size_t)op->shape.steps,
                     .time_major = op->time_major,
                     .input = input,
                     .aux = separate ? NULL : aux,
                     .output = op_output(context, node, 0)};
  rnn_run backward = forward;
  backward.backward = true;
  // The reference takes the common input all the same where batches come first.
  if (separate && op->time_major) backward.input = aux;
  backward.output = op_output(context, node, op->merge ? 0 : 1);
  backward.output_offset = op->merge ? op->forward.cell.units : 0;
  // The reference runs hybrid cells over time-major sequences once for every step, each run going on from the states of the one
  // before: outputs and states are those of the last.
  size_t runs = op->forward.cell.hybrid && op->time_major ? forward.steps : 1;
  for (size_t i = 0; i < runs; i++) {
    rnn_node_eval(context, node, &op->forward, &forward);
    rnn_node_eval(context, node, &op->backward, &backward);
  }
  return kTfLiteOk;
}

static void bidirectional_rnn_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const bidirectional_rnn *op = node->user_data;
  uint64_t vectors = op_count_between(op_input(context, node, 0), 0, 2);
  cost->macs = rnn_node_macs(&op->forward, vectors) + rnn_node_macs(&op->backward, vectors);
}

const op_descriptor arn_op_bidirectional_sequence_rnn = {
    OP_ROW(BIDIRECTIONAL_SEQUENCE_RNN),
    .state_size = sizeof(bidirectional_rnn),
    .params_size = sizeof(TfLiteBidirectionalSequenceRNNParams),
    .parse = bidirectional_rnn_parse,
    .prepare = bidirectional_rnn_prepare,
    .eval = bidirectional_rnn_eval,
    .cost = bidirectional_rnn_cost,
};
