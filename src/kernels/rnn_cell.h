// SPDX-License-Identifier: Apache-2.0
// One step of a plain recurrent cell: state = activation(bias + W input + A aux + R state), in floats with float or int8 weights.
#ifndef KERNELS_RNN_CELL_H
#define KERNELS_RNN_CELL_H

#include "kernels/activate.h"

typedef struct rnn_matrix {
  const void *weights;  // [units, size of the operand]: float, or int8 times scale; NULL: none
  float scale;
  const int32_t *row_sums;  // of int8 weights, needed for asymmetrically quantised operands
} rnn_matrix;

typedef struct rnn_cell {
  size_t inputs, aux_inputs, units;
  rnn_matrix input, aux, recurrent;
  const float *bias;  // [units]
  activate_kind activation;
  bool hybrid;      // int8 weights: operands are quantised on the fly,
  bool asymmetric;  // with a zero point
} rnn_cell;

// Bytes of scratch: none without hybrid.
size_t rnn_cell_scratch(const rnn_cell *cell);
// For each of the batches: input [inputs], aux [aux_inputs] (or NULL), state [units] lie back to back, outputs output_stride
// apart.
void rnn_cell_step(const rnn_cell *cell, size_t batches, const float *input, const float *aux, float *state, int8_t *scratch,
                   float *output, size_t output_stride);

#endif
