// SPDX-License-Identifier: Apache-2.0
// What LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM share: one direction of an LSTM cell, with its weights
// found by a layout of input numbers, run over a sequence.
#ifndef OPS_LSTM_NODE_H
#define OPS_LSTM_NODE_H

#include "kernels/lstm_cell.h"
#include "ops/op.h"

// Where a node has its inputs: the first of each row. Rows of four are input, forget, cell, output gate; the peephole row has no
// cell gate. -1: the operator has no such input.
typedef struct lstm_layout {
  int8_t input_weights, recurrent_weights, peephole, bias, projection, projection_bias, output_state, cell_state, layer_norm,
      aux_weights;
} lstm_layout;

typedef struct lstm_options {
  TfLiteFusedActivation activation;
  float cell_clip, projection_clip;
  bool asymmetric;
  bool may_be_diagonal;  // recurrent weights of rank 1 are a diagonal
  bool narrow;           // an int8 node with 12 intermediate tensors
} lstm_options;

// One direction. Part of an operator's state.
typedef struct lstm_node {
  const lstm_layout *layout;
  union {
    lstm_float f;
    lstm_s8 q;
    lstm_narrow narrow;
  } cell;
  bool integer, narrow;  // narrow: integer with 8 bits between the gates
  bool folds;            // needs row sums (hybrid asymmetric) or folded biases (integer)
  bool folds_in_eval;    // some weights are not constant: computed in each eval
  int32_t *kept;         // otherwise computed once
  int fold_scratch, scratch;
  size_t cells, outputs;
} lstm_node;

// Checks types and shapes of all inputs but `input` and `aux` themselves, whose last dimensions are `inputs` and `aux_inputs` (0:
// none), works out multipliers, and asks for memory. input_type tells floats from integers.
TfLiteStatus lstm_node_prepare(TfLiteContext *context, TfLiteNode *node, lstm_node *n, const lstm_layout *layout,
                               const lstm_options *options, TfLiteType input_type, int batches, int inputs, int aux_inputs);
// Finds the data of weights, for an eval.
void lstm_node_bind(TfLiteContext *context, TfLiteNode *node, lstm_node *n);

// A run over a sequence [steps, batches, size] (time_major) or [batches, steps, size].
typedef struct lstm_run {
  size_t batches, steps;
  bool time_major, backward;
  const TfLiteTensor *input, *aux;  // aux may be NULL
  TfLiteTensor *output;             // its last dimension may be longer than `outputs`: this run writes from output_offset on
  size_t output_offset;
} lstm_run;
void lstm_node_eval(TfLiteContext *context, TfLiteNode *node, lstm_node *n, const lstm_run *run);

// 2^*log2 == scale, to a thousandth of the exponent (TFLite reference: CheckedLog2).
bool lstm_log2(float scale, int *log2);
uint64_t lstm_node_macs(const lstm_node *n, uint64_t vectors);

#endif
