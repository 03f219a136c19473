// SPDX-License-Identifier: Apache-2.0
// What RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN share: one direction of a plain recurrent cell, run over a
// sequence.
#ifndef OPS_RNN_NODE_H
#define OPS_RNN_NODE_H

#include "kernels/rnn_cell.h"
#include "ops/op.h"

// Numbers of a node's inputs; -1: the operator has no such input.
typedef struct rnn_layout {
  int8_t weights, recurrent, bias, state, aux_weights;
} rnn_layout;

// One direction. Part of an operator's state.
typedef struct rnn_node {
  const rnn_layout *layout;
  rnn_cell cell;
  bool sums_in_eval;  // hybrid asymmetric, and some weights are not constant
  int32_t *sums;      // otherwise kept
  int sums_scratch, scratch;
} rnn_node;

TfLiteStatus rnn_node_prepare(TfLiteContext *context, TfLiteNode *node, rnn_node *n, const rnn_layout *layout,
                              TfLiteFusedActivation activation, bool asymmetric, int batches, int inputs, int aux_inputs);

// A run over a sequence [steps, batches, size] (time_major) or [batches, steps, size].
typedef struct rnn_run {
  size_t batches, steps;
  bool time_major, backward;
  const TfLiteTensor *input, *aux;  // aux may be NULL
  TfLiteTensor *output;             // its last dimension may be longer than the units: this run writes from output_offset on
  size_t output_offset;
} rnn_run;
void rnn_node_eval(TfLiteContext *context, TfLiteNode *node, rnn_node *n, const rnn_run *run);

static inline uint64_t rnn_node_macs(const rnn_node *n, uint64_t vectors) {
  return vectors * n->cell.units * (n->cell.inputs + n->cell.aux_inputs + n->cell.units);
}

#endif
