// SPDX-License-Identifier: Apache-2.0
// The LSTM cell in integers: 8-bit inputs, weights and outputs, 16-bit gates and cell state. Source of the arithmetic: TFLite
// reference, lstm_eval.cc (LstmStepInteger8x8_16) and portable_tensor_utils.cc.
#include <string.h>

#include "base/checked.h"
#include "kernels/lstm_cell.h"
#include "kernels/matvec.h"
#include "quant/fixed16.h"
#include "quant/fixed_point.h"

bool lstm_s8_scratch(const lstm_s8 *l, size_t batches, size_t *bytes) {
  size_t n;  // four gates of int16, the hidden state as int8
  return checked_mul(l->cells, batches, &n) && checked_mul(n, LSTM_GATES * sizeof(int16_t) + 1, bytes);
}

// Wraps at 32 bits, saturates to 16.
static int16_t lstm_saturating_add(int32_t a, int32_t b) { return fixed16_saturate((int32_t)((uint32_t)a + (uint32_t)b)); }

// gate += scaled(bias + matrix * vector), saturated to 16 bits.
static void lstm_add_s8(const int8_t *matrix, const int32_t *bias, quant_multiplier scale, const int8_t *vectors, size_t rows,
                        size_t cols, size_t batches, int16_t *gate) {
  for (size_t r = 0; r < rows; r++) {
    for (size_t b = 0; b < batches; b++) {
      uint32_t sum = (uint32_t)matvec_dot_s8(matrix + r * cols, vectors + b * cols, cols) + (uint32_t)bias[r];
      gate[b * rows + r] = lstm_saturating_add(quant_scale((int32_t)sum, scale), gate[b * rows + r]);
    }
  }
}

// Normalises to Q3.12. Sums of squares and the inverse deviation have 20 and 10 more fraction bits, divisions truncate.
static void lstm_normalize_s16(const lstm_gate_s8 *g, size_t cells, int16_t *x) {
  int64_t sum = 0, squares = 0;
  for (size_t i = 0; i < cells; i++) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  int32_t mean = (int32_t)(sum * 1024 / (int64_t)cells);
  int32_t per_cell = (int32_t)((1 << 20) / (int64_t)cells);
  int32_t variance = (int32_t)((squares * per_cell - (int64_t)mean * mean) / (1 << 20));
  quant_multiplier inverse = fixed_inverse_sqrt(variance < 1 ? g->variance_guard : variance);
  quant_multiplier scale = {g->layer_norm_scale.mantissa, g->layer_norm_scale.shift + 12};
  for (size_t i = 0; i < cells; i++) {
    int32_t scaled = quant_scale(1024 * x[i] - mean, inverse);
    int64_t weighted = (int32_t)((uint32_t)scaled * (uint32_t)(int32_t)g->layer_norm[i] + (uint32_t)g->layer_norm_bias[i]);
    int32_t rounded = (int32_t)((weighted > 0 ? weighted + 512 : weighted - 512) / 1024);
    x[i] = fixed16_saturate(quant_scale(rounded, scale));
  }
}

static void lstm_run_gate_s8(const lstm_s8 *l, int which, size_t batches, const int8_t *input, const int8_t *output_state,
                             const int16_t *cell_state, int16_t *gate) {
  const lstm_gate_s8 *g = &l->gates[which];
  size_t n = batches * l->cells;
  memset(gate, 0, n * sizeof *gate);
  lstm_add_s8(g->input, g->input_bias, g->input_scale, input, l->cells, l->inputs, batches, gate);
  lstm_add_s8(g->recurrent, g->recurrent_bias, g->recurrent_scale, output_state, l->cells, l->outputs, batches, gate);
  if (g->peephole) {
    // The reference takes the rows to be as long as the output; with a projection to fewer outputs that covers a part of the
    // cells only.
    size_t row = l->outputs < l->cells ? l->outputs : l->cells;
    for (size_t i = 0; i < batches * row; i++)
      gate[i] = lstm_saturating_add(quant_scale(g->peephole[i % row] * cell_state[i], g->peephole_scale), gate[i]);
  }
  if (g->layer_norm)
    for (size_t b = 0; b < batches; b++) lstm_normalize_s16(g, l->cells, gate + b * l->cells);
  for (size_t i = 0; i < n; i++) gate[i] = which == LSTM_CELL ? fixed16_tanh(gate[i], 3) : fixed16_logistic(gate[i]);
}

static int8_t lstm_saturate_s8(int32_t x) { return (int8_t)quant_clamp(x, -128, 127); }

// output_state = projection * hidden, hidden being [batches, cells] in scratch.
static void lstm_project_s8(const lstm_s8 *l, size_t batches, const int8_t *hidden, int8_t *output_state) {
  for (size_t r = 0; r < l->outputs; r++) {
    for (size_t b = 0; b < batches; b++) {
      uint32_t sum = (uint32_t)matvec_dot_s8(l->projection + r * l->cells, hidden + b * l->cells, l->cells) +
                     (uint32_t)l->projection_bias[r];
      uint32_t scaled = (uint32_t)quant_scale((int32_t)sum, l->projection_scale) + (uint32_t)l->output_zero_point;
      int8_t v = lstm_saturate_s8((int32_t)scaled);
      if (l->projection_clip > 0) v = (int8_t)quant_clamp(v, -l->projection_clip, l->projection_clip);
      output_state[b * l->outputs + r] = v;
    }
  }
}

void lstm_s8_step(const lstm_s8 *l, size_t batches, const int8_t *input, int8_t *output_state, int16_t *cell_state, void *scratch,
                  int8_t *output) {
  size_t n = batches * l->cells;
  int16_t *in = scratch, *forget = in + n, *cell = forget + n, *out = cell + n;
  bool cifg = !l->gates[LSTM_INPUT].input;
  if (!cifg) lstm_run_gate_s8(l, LSTM_INPUT, batches, input, output_state, cell_state, in);
  lstm_run_gate_s8(l, LSTM_FORGET, batches, input, output_state, cell_state, forget);
  lstm_run_gate_s8(l, LSTM_CELL, batches, input, output_state, cell_state, cell);
  for (size_t i = 0; i < n; i++) {
    int16_t kept = (int16_t)fixed16_round_shift(forget[i] * cell_state[i], 15);
    int16_t update = cifg ? (int16_t)(32767 - forget[i]) : in[i];
    int16_t added = (int16_t)fixed16_round_shift(update * cell[i], 30 + l->cell_log2);
    int16_t state = fixed16_saturate(kept + added);
    if (l->cell_clip > 0) state = (int16_t)quant_clamp(state, -l->cell_clip, l->cell_clip);
    cell_state[i] = state;
  }
  lstm_run_gate_s8(l, LSTM_OUTPUT, batches, input, output_state, cell_state, out);
  // With a projection the reference stores the hidden state with its zero point negated; the folded bias takes that into account.
  int32_t zero_point = l->projection ? -l->hidden_zero_point : l->hidden_zero_point;
  int8_t *hidden = l->projection ? (int8_t *)(out + n) : output_state;
  for (size_t i = 0; i < n; i++) {
    int32_t product = out[i] * fixed16_tanh(cell_state[i], 15 + l->cell_log2);
    hidden[i] = lstm_saturate_s8((int32_t)((uint32_t)quant_scale(product, l->hidden_scale) + (uint32_t)zero_point));
  }
  if (l->projection) lstm_project_s8(l, batches, hidden, output_state);
  memcpy(output, output_state, batches * l->outputs);
}
