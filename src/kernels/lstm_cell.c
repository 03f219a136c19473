// SPDX-License-Identifier: Apache-2.0
// The LSTM cell in floats, with float or int8 weights.
#include "kernels/lstm_cell.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/matvec.h"

// A vector [batches, size] that matrices are multiplied with; in hybrid cells also as int8, each batch with its scale.
typedef struct lstm_operand {
  const float *values;
  size_t size;
  int8_t *q;
  matvec_quantized *scales;
} lstm_operand;

typedef struct lstm_scratch {
  float *gates[LSTM_GATES];  // [batches, cells]
  lstm_operand input, aux, state, hidden;
} lstm_scratch;

bool lstm_float_scratch(const lstm_float *l, size_t batches, size_t *bytes) {
  size_t floats, q = 0, size, scales = 0;
  if (!checked_mul(l->cells, batches, &floats) || !checked_mul(floats, LSTM_GATES * sizeof(float), &floats)) return false;
  if (l->hybrid) {
    if (!checked_add(l->inputs, l->aux_inputs, &size) || !checked_add(size, l->outputs, &size) ||
        !checked_add(size, l->cells, &size) || !checked_mul(size, batches, &q) ||
        !checked_mul(batches, 4 * sizeof(matvec_quantized), &scales))
      return false;
  }
  return checked_add(floats, q, bytes) && checked_add(*bytes, scales, bytes);
}

static lstm_operand lstm_take_operand(const lstm_float *l, const float *values, size_t size, size_t batches, int8_t **q,
                                      matvec_quantized **scales) {
  lstm_operand operand = {values, size, *q, *scales};
  if (l->hybrid) {
    *q += size * batches;
    *scales += batches;
  }
  return operand;
}

// Layout: gates, scales, int8 copies; the widest alignment first.
static lstm_scratch lstm_lay_out(const lstm_float *l, size_t batches, const float *input, const float *aux, const float *state,
                                 void *memory) {
  lstm_scratch s;
  float *floats = memory;
  for (int g = 0; g < LSTM_GATES; g++, floats += batches * l->cells) s.gates[g] = floats;
  matvec_quantized *scales = (matvec_quantized *)floats;
  int8_t *q = l->hybrid ? (int8_t *)(scales + 4 * batches) : NULL;
  s.input = lstm_take_operand(l, input, l->inputs, batches, &q, &scales);
  s.aux = lstm_take_operand(l, aux, l->aux_inputs, batches, &q, &scales);
  s.state = lstm_take_operand(l, state, l->outputs, batches, &q, &scales);
  s.hidden = lstm_take_operand(l, s.gates[LSTM_CELL], l->cells, batches, &q, &scales);
  return s;
}

static void lstm_quantize(const lstm_float *l, const lstm_operand *operand, size_t batches) {
  if (!l->hybrid || !operand->values) return;
  for (size_t b = 0; b < batches; b++)
    operand->scales[b] =
        matvec_quantize(operand->values + b * operand->size, operand->size, l->asymmetric, operand->q + b * operand->size);
}

// out[batches, rows] += matrix * operand.
static void lstm_add_product(const lstm_float *l, const lstm_matrix *m, const lstm_operand *operand, size_t rows, size_t batches,
                             float *out) {
  if (!m->weights || !operand->values) return;
  if (!l->hybrid) {
    matvec_add_f32(m->weights, rows, operand->size, operand->values, batches, out);
    return;
  }
  for (size_t b = 0; b < batches; b++)
    matvec_add_hybrid(m->weights, rows, operand->size, operand->q + b * operand->size, m->scale * operand->scales[b].scale,
                      operand->scales[b].zero_point, m->row_sums, out + b * rows);
}

static void lstm_normalize(float *x, size_t n, const float *coefficients, const float *bias) {
  float sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  float mean = sum / (float)n;
  for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
  float inverse = 1.0f / sqrtf(squares / (float)n + 1e-8f);  // 1e-8: TFLite reference, MeanStddevNormalization
  for (size_t i = 0; i < n; i++) x[i] = (x[i] - mean) * inverse * coefficients[i] + bias[i];
}

static void lstm_run_gate(const lstm_float *l, int which, size_t batches, const lstm_scratch *s, const float *cell_state) {
  const lstm_gate *g = &l->gates[which];
  size_t cells = l->cells;
  float *out = s->gates[which];
  for (size_t b = 0; b < batches; b++) {
    if (g->layer_norm)
      memset(out + b * cells, 0, cells * sizeof *out);
    else
      memcpy(out + b * cells, g->bias, cells * sizeof *out);
  }
  lstm_add_product(l, &g->input, &s->input, cells, batches, out);
  lstm_add_product(l, &g->aux, &s->aux, cells, batches, out);
  if (g->diagonal) {
    const float *diagonal = g->recurrent.weights;
    for (size_t b = 0; b < batches; b++)
      for (size_t c = 0; c < cells; c++) out[b * cells + c] += diagonal[c] * s->state.values[b * cells + c];
  } else {
    lstm_add_product(l, &g->recurrent, &s->state, cells, batches, out);
  }
  if (g->peephole) {
    const float *w = g->peephole;
    const int8_t *w8 = g->peephole;
    for (size_t b = 0; b < batches; b++)
      for (size_t c = 0; c < cells; c++)
        out[b * cells + c] += (l->hybrid ? (float)w8[c] * g->peephole_scale : w[c]) * cell_state[b * cells + c];
  }
  if (g->layer_norm)
    for (size_t b = 0; b < batches; b++) lstm_normalize(out + b * cells, cells, g->layer_norm, g->bias);
  activate_f32(out, batches * cells, which == LSTM_CELL ? l->activation : ACTIVATE_SIGMOID);
}

static void lstm_clip(float *x, size_t n, float limit) {
  if (!(limit > 0)) return;
  for (size_t i = 0; i < n; i++) {
    float v = x[i] < limit ? x[i] : limit;
    x[i] = v > -limit ? v : -limit;
  }
}

void lstm_float_step(const lstm_float *l, size_t batches, const float *input, const float *aux, float *output_state,
                     float *cell_state, void *scratch, float *output, size_t output_stride) {
  lstm_scratch s = lstm_lay_out(l, batches, input, aux, output_state, scratch);
  size_t n = batches * l->cells;
  bool cifg = !l->gates[LSTM_INPUT].input.weights;
  lstm_quantize(l, &s.input, batches);
  lstm_quantize(l, &s.aux, batches);
  lstm_quantize(l, &s.state, batches);
  if (!cifg) lstm_run_gate(l, LSTM_INPUT, batches, &s, cell_state);
  lstm_run_gate(l, LSTM_FORGET, batches, &s, cell_state);
  lstm_run_gate(l, LSTM_CELL, batches, &s, cell_state);

  const float *forget = s.gates[LSTM_FORGET], *in = s.gates[LSTM_INPUT];
  float *cell = s.gates[LSTM_CELL];
  for (size_t i = 0; i < n; i++) cell_state[i] = forget[i] * cell_state[i] + cell[i] * (cifg ? 1.0f - forget[i] : in[i]);
  lstm_clip(cell_state, n, l->cell_clip);

  lstm_run_gate(l, LSTM_OUTPUT, batches, &s, cell_state);
  float *hidden = cell;  // its gate is done with
  memcpy(hidden, cell_state, n * sizeof *hidden);
  activate_f32(hidden, n, l->activation);
  for (size_t i = 0; i < n; i++) hidden[i] *= s.gates[LSTM_OUTPUT][i];

  if (l->projection.weights) {
    for (size_t b = 0; b < batches; b++) {
      if (l->projection_bias)
        memcpy(output_state + b * l->outputs, l->projection_bias, l->outputs * sizeof *output_state);
      else
        memset(output_state + b * l->outputs, 0, l->outputs * sizeof *output_state);
    }
    lstm_quantize(l, &s.hidden, batches);
    lstm_add_product(l, &l->projection, &s.hidden, l->outputs, batches, output_state);
    lstm_clip(output_state, batches * l->outputs, l->projection_clip);
  } else {
    memcpy(output_state, hidden, n * sizeof *hidden);
  }
  for (size_t b = 0; b < batches; b++)
    memcpy(output + b * output_stride, output_state + b * l->outputs, l->outputs * sizeof *output);
}
