// SPDX-License-Identifier: Apache-2.0
// One time step of an LSTM cell, in floats (weights float or int8) and in integers (int8 activations, 16-bit cell state).
//   gate = activation(W input + A aux + R output_state + peephole * cell_state + bias), with layer normalisation
//   gate = activation(normalised(W input + ...) * coefficients + bias)
//   cell_state = forget * cell_state + input * cell;  hidden = output * activation(cell_state);  output_state = P hidden + bias
// Without input gate (CIFG) 1 - forget stands for it; without projection the output state is the hidden state. Vectors are
// [batches, size].
#ifndef KERNELS_LSTM_CELL_H
#define KERNELS_LSTM_CELL_H

#include "kernels/activate.h"
#include "quant/quant.h"

enum { LSTM_INPUT = 0, LSTM_FORGET, LSTM_CELL, LSTM_OUTPUT, LSTM_GATES };  // order of gates in arrays

// ---- Floats. ----
typedef struct lstm_matrix {
  const void *weights;  // [rows, size of the operand]: float, or int8 times scale. NULL: no such operand
  float scale;
  const int32_t *row_sums;  // of int8 weights, needed for asymmetrically quantised operands
} lstm_matrix;

typedef struct lstm_gate {
  lstm_matrix input, aux, recurrent;
  bool diagonal;         // recurrent is a diagonal, floats [cells]
  const void *peephole;  // [cells], float or int8 times peephole_scale; NULL: none
  float peephole_scale;
  const float *layer_norm;  // [cells]; NULL: none
  const float *bias;        // [cells]
} lstm_gate;

typedef struct lstm_float {
  size_t inputs, aux_inputs, cells, outputs;
  lstm_gate gates[LSTM_GATES];       // gates[LSTM_INPUT].input.weights == NULL: CIFG
  lstm_matrix projection;            // [outputs, cells]; NULL: outputs == cells
  const float *projection_bias;      // [outputs] or NULL
  activate_kind activation;          // of the cell gate and the cell state; the other gates are logistic
  float cell_clip, projection_clip;  // 0: none
  bool hybrid;                       // int8 weights: operands are quantised on the fly,
  bool asymmetric;                   // with a zero point
} lstm_float;

// Bytes of scratch for a step; false when they do not fit a size_t.
bool lstm_float_scratch(const lstm_float *l, size_t batches, size_t *bytes);
// Row b of the output starts at output + b * output_stride. aux may be NULL.
void lstm_float_step(const lstm_float *l, size_t batches, const float *input, const float *aux, float *output_state,
                     float *cell_state, void *scratch, float *output, size_t output_stride);

// ---- Integers, 16 bits between the gates (TFLite "8x8->16"). ----
typedef struct lstm_gate_s8 {
  const int8_t *input, *recurrent;             // NULL input: CIFG
  const int32_t *input_bias, *recurrent_bias;  // zero points folded in; the gate's bias in input_bias when there is no layer norm
  const int16_t *peephole;                     // NULL: none
  const int16_t *layer_norm;                   // NULL: none
  const int32_t *layer_norm_bias;
  quant_multiplier input_scale, recurrent_scale, peephole_scale, layer_norm_scale;
  int32_t variance_guard;  // stands for a variance below 1
} lstm_gate_s8;

typedef struct lstm_s8 {
  size_t inputs, cells, outputs;
  lstm_gate_s8 gates[LSTM_GATES];
  const int8_t *projection;        // NULL: none
  const int32_t *projection_bias;  // with the hidden zero point folded in
  quant_multiplier hidden_scale, projection_scale;
  int32_t hidden_zero_point, output_zero_point;
  int cell_log2;           // the cell state's scale is 2^cell_log2; -15..-9
  int16_t cell_clip;       // 0: none
  int8_t projection_clip;  // 0: none
} lstm_s8;

bool lstm_s8_scratch(const lstm_s8 *l, size_t batches, size_t *bytes);
void lstm_s8_step(const lstm_s8 *l, size_t batches, const int8_t *input, int8_t *output_state, int16_t *cell_state, void *scratch,
                  int8_t *output);

// ---- Integers, 8 bits between the gates (TFLite "8x8->8"): layer norm and projection, no input gate, no peephole. ----
typedef struct lstm_narrow_gate {
  const int8_t *input, *recurrent;
  quant_multiplier input_scale, recurrent_scale;    // from the products to 8 bits
  int8_t input_zero_point, recurrent_zero_point;    // of those
  quant_multiplier input_to_sum, recurrent_to_sum;  // from there to the sum
  const int16_t *layer_norm;
  const int32_t *bias;
  float layer_norm_scale;
} lstm_narrow_gate;

typedef struct lstm_narrow {
  size_t inputs, cells, outputs;
  lstm_narrow_gate gates[LSTM_GATES];  // the first is not used
  int32_t input_zero_point, output_zero_point;
  const int8_t *projection;
  const int32_t *projection_bias;
  quant_multiplier projection_scale;
  int16_t cell_clip;
  int8_t projection_clip;
} lstm_narrow;

bool lstm_narrow_scratch(const lstm_narrow *l, size_t batches, size_t *bytes);
void lstm_narrow_step(const lstm_narrow *l, size_t batches, const int8_t *input, int8_t *output_state, int16_t *cell_state,
                      void *scratch, int8_t *output);

// ---- The basic cell: one matrix [4 * outputs, inputs + outputs] of input, cell, forget and output gate over the concatenation
// of input and previous output, which it also hands out, as it does the matrix's product. ----
typedef struct lstm_basic {
  size_t batches, inputs, outputs;
  int32_t weights_zero_point;  // uint8 only
  quant_multiplier to_gates;   // uint8 only: from the product to Q3.12
} lstm_basic;

void lstm_basic_f32(const lstm_basic *l, const float *input, const float *previous_output, const float *weights,
                    const float *bias, const float *previous_state, float *output, float *state, float *concatenation,
                    float *gates);
// Activations are uint8 with scale 1/128 and zero point 128, the state int16 in Q4.11.
void lstm_basic_u8(const lstm_basic *l, const uint8_t *input, const uint8_t *previous_output, const uint8_t *weights,
                   const int32_t *bias, const int16_t *previous_state, uint8_t *output, int16_t *state, uint8_t *concatenation,
                   int16_t *gates);

#endif
