// SPDX-License-Identifier: Apache-2.0
// The LSTM cell with 8-bit numbers between products and gates, whose activations and layer norm are floats. Source of the
// arithmetic: TFLite reference, lstm_eval.cc (LstmStepInteger8x8_8) and portable_tensor_utils.cc; sums of floats keep its order.
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/lstm_cell.h"
#include "kernels/matvec.h"
#include "quant/fixed16.h"

bool lstm_narrow_scratch(const lstm_narrow *l, size_t batches, size_t *bytes) {
  size_t n;  // three gates of int16, two products of int8
  return checked_mul(l->cells, batches, &n) && checked_mul(n, 3 * sizeof(int16_t) + 2, bytes);
}

static int32_t lstm_wrap_add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

// out[batches, rows] = scaled(matrix * (vector - zero point)) in 8 bits.
static void lstm_product_s8(const int8_t *matrix, size_t rows, size_t cols, const int8_t *vectors, int32_t zero_point,
                            quant_multiplier scale, int8_t out_zero_point, size_t batches, int8_t *out) {
  for (size_t r = 0; r < rows; r++) {
    uint32_t offset = zero_point ? (uint32_t)matvec_sum_s8(matrix + r * cols, cols) * (uint32_t)zero_point : 0;
    for (size_t b = 0; b < batches; b++) {
      uint32_t sum = (uint32_t)matvec_dot_s8(matrix + r * cols, vectors + b * cols, cols) - offset;
      out[b * rows + r] = (int8_t)quant_clamp(lstm_wrap_add(quant_scale((int32_t)sum, scale), out_zero_point), -128, 127);
    }
  }
}

// Layer norm in floats, to Q3.12.
static void lstm_normalize_narrow(const lstm_narrow_gate *g, size_t cells, int16_t *x) {
  float sum = 0, squares = 0;
  for (size_t i = 0; i < cells; i++) {
    float v = x[i];
    sum += v;
    squares += v * v;
  }
  float mean = sum / (float)cells, variance = squares / (float)cells - mean * mean;
  float inverse = 1.0f / sqrtf(variance == 0 ? 1e-8f : variance), bias_scale = 0x1p-10f * g->layer_norm_scale;
  for (size_t i = 0; i < cells; i++) {
    float normal = ((float)x[i] - mean) * inverse;
    float weighted = normal * (float)g->layer_norm[i] * g->layer_norm_scale + (float)g->bias[i] * bias_scale;
    float steps = roundf(weighted * 4096.0f);
    x[i] = (int16_t)(steps >= 32767.0f ? 32767 : steps > -32768.0f ? (int)steps : -32768);  // NaN becomes -32768
  }
}

static int16_t lstm_q15(float x) { return fixed16_saturate((int32_t)(x * 32768.0f)); }

static void lstm_run_narrow_gate(const lstm_narrow *l, int which, size_t batches, const int8_t *input, const int8_t *output_state,
                                 int8_t *products, int16_t *gate) {
  const lstm_narrow_gate *g = &l->gates[which];
  size_t n = batches * l->cells;
  int8_t *from_input = products, *from_state = products + n;
  lstm_product_s8(g->input, l->cells, l->inputs, input, l->input_zero_point, g->input_scale, g->input_zero_point, batches,
                  from_input);
  lstm_product_s8(g->recurrent, l->cells, l->outputs, output_state, l->output_zero_point, g->recurrent_scale,
                  g->recurrent_zero_point, batches, from_state);
  for (size_t i = 0; i < n; i++)
    gate[i] = fixed16_saturate(lstm_wrap_add(quant_scale(from_state[i] - g->recurrent_zero_point, g->recurrent_to_sum),
                                             quant_scale(from_input[i] - g->input_zero_point, g->input_to_sum)));
  for (size_t b = 0; b < batches; b++) lstm_normalize_narrow(g, l->cells, gate + b * l->cells);
  for (size_t i = 0; i < n; i++) {
    float x = (float)gate[i] * 0x1p-12f;
    gate[i] = lstm_q15(which == LSTM_CELL ? tanhf(x) : 1.0f / (1.0f + expf(-x)));
  }
}

void lstm_narrow_step(const lstm_narrow *l, size_t batches, const int8_t *input, int8_t *output_state, int16_t *cell_state,
                      void *scratch, int8_t *output) {
  size_t n = batches * l->cells;
  int16_t *forget = scratch, *cell = forget + n, *out = cell + n;
  int8_t *products = (int8_t *)(out + n);
  lstm_run_narrow_gate(l, LSTM_FORGET, batches, input, output_state, products, forget);
  lstm_run_narrow_gate(l, LSTM_CELL, batches, input, output_state, products, cell);
  for (size_t i = 0; i < n; i++) {
    int16_t kept = (int16_t)fixed16_round_shift(forget[i] * cell_state[i], 15);
    int16_t added = (int16_t)fixed16_round_shift((32767 - forget[i]) * cell[i], 15);
    int16_t state = fixed16_saturate(kept + added);
    cell_state[i] = l->cell_clip > 0 ? (int16_t)quant_clamp(state, -l->cell_clip, l->cell_clip) : state;
  }
  lstm_run_narrow_gate(l, LSTM_OUTPUT, batches, input, output_state, products, out);
  int16_t *hidden = forget;
  for (size_t i = 0; i < n; i++)
    hidden[i] = (int16_t)fixed16_round_shift(out[i] * lstm_q15(tanhf((float)cell_state[i] * 0x1p-15f)), 15);
  for (size_t b = 0; b < batches; b++) {
    for (size_t r = 0; r < l->outputs; r++) {
      int64_t sum = l->projection_bias[r];
      for (size_t i = 0; i < l->cells; i++) sum += l->projection[r * l->cells + i] * hidden[b * l->cells + i];
      int32_t v = quant_clamp(lstm_wrap_add(quant_scale64(sum, l->projection_scale), l->output_zero_point), -128, 127);
      output_state[b * l->outputs + r] =
          (int8_t)(l->projection_clip > 0 ? quant_clamp(v, -l->projection_clip, l->projection_clip) : v);
    }
  }
  memcpy(output, output_state, batches * l->outputs);
}
