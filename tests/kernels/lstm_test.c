// SPDX-License-Identifier: Apache-2.0
// kernels/lstm: float cells against the definition in doubles, integer cells against the float cell of the numbers they stand
// for, in every mixture of input gate, peephole, layer norm and projection; quant/fixed16 against tanh and exp.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/lstm_cell.h"
#include "kernels/matvec.h"
#include "quant/fixed16.h"

static uint64_t seed = 16180339;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static float draw_float(void) { return (float)draw(20001) / 10000.0f - 1.0f; }
static void fill(float *x, size_t n, float size) {
  for (size_t i = 0; i < n; i++) x[i] = draw_float() * size;
}

static void fixed_point_functions(void **state) {
  (void)state;
  for (int x = -32768; x <= 32767; x++) {
    assert_true(fabs(fixed16_logistic((int16_t)x) / 32768.0 - 1 / (1 + exp(-x / 4096.0))) < 4e-4);
    for (int bits = 0; bits <= 6; bits++)
      assert_true(fabs(fixed16_tanh((int16_t)x, bits) / 32768.0 - tanh(ldexp(x, bits - 15))) < 2e-3);
  }
  assert_int_equal(fixed16_logistic(0), 16384);
  assert_int_equal(fixed16_tanh(0, 3), 0);
  assert_int_equal(fixed16_tanh(-5000, 3), -fixed16_tanh(5000, 3));
  assert_int_equal(fixed16_mul(INT16_MIN, INT16_MIN), INT16_MAX);
  assert_int_equal(fixed16_round_shift(5, 1), 3);
  assert_int_equal(fixed16_round_shift(-5, 1), -3);
}

enum { BATCHES = 2, INPUTS = 5, AUX = 3, CELLS = 6, OUTPUTS = 4, STEPS = 4 };

// All weights of a cell; those that a mixture leaves out are not looked at.
static struct {
  float input[4][CELLS * INPUTS], aux[4][CELLS * AUX], recurrent[4][CELLS * CELLS], diagonal[4][CELLS], peephole[4][CELLS];
  float norm[4][CELLS], bias[4][CELLS], projection[OUTPUTS * CELLS], projection_bias[OUTPUTS];
} w;

typedef struct mixture {
  bool cifg, aux, diagonal, peephole, norm, projection, projection_bias;
} mixture;

static lstm_float make_float(mixture m) {
  lstm_float l = {.inputs = INPUTS,
                  .aux_inputs = m.aux ? AUX : 0,
                  .cells = CELLS,
                  .outputs = m.projection ? OUTPUTS : CELLS,
                  .activation = ACTIVATE_TANH};
  for (int g = m.cifg; g < 4; g++) {
    l.gates[g].input.weights = w.input[g];
    l.gates[g].aux.weights = m.aux ? w.aux[g] : NULL;
    l.gates[g].recurrent.weights = m.diagonal ? w.diagonal[g] : w.recurrent[g];
    l.gates[g].diagonal = m.diagonal;
    l.gates[g].peephole = m.peephole && g != LSTM_CELL ? w.peephole[g] : NULL;
    l.gates[g].layer_norm = m.norm ? w.norm[g] : NULL;
    l.gates[g].bias = w.bias[g];
  }
  l.projection.weights = m.projection ? w.projection : NULL;
  l.projection_bias = m.projection && m.projection_bias ? w.projection_bias : NULL;
  return l;
}

static mixture draw_mixture(void) {
  mixture m = {draw(2), draw(2), draw(2), draw(2), draw(2), draw(2), draw(2)};
  if (m.projection) m.diagonal = false;
  return m;
}

static void draw_weights(void) {
  for (int g = 0; g < 4; g++) {
    fill(w.input[g], CELLS * INPUTS, 1), fill(w.aux[g], CELLS * AUX, 1), fill(w.recurrent[g], CELLS * CELLS, 1);
    fill(w.diagonal[g], CELLS, 1), fill(w.peephole[g], CELLS, 1), fill(w.norm[g], CELLS, 1), fill(w.bias[g], CELLS, 1);
  }
  fill(w.projection, OUTPUTS * CELLS, 1), fill(w.projection_bias, OUTPUTS, 1);
}

// One batch of one step by the definition.
static void define_step(mixture m, float clip, float projection_clip, const float *x, const float *aux, double *h, double *c) {
  int outputs = m.projection ? OUTPUTS : CELLS;
  double gates[4][CELLS], hidden[CELLS];
  for (int pass = 0; pass < 2; pass++) {  // the output gate looks at the new cell state
    for (int g = pass ? LSTM_OUTPUT : m.cifg; g < (pass ? 4 : LSTM_OUTPUT); g++) {
      double mean = 0, variance = 0;
      for (int r = 0; r < CELLS; r++) {
        double sum = m.norm ? 0 : w.bias[g][r];
        for (int i = 0; i < INPUTS; i++) sum += (double)w.input[g][r * INPUTS + i] * x[i];
        for (int i = 0; m.aux && i < AUX; i++) sum += (double)w.aux[g][r * AUX + i] * aux[i];
        for (int i = 0; !m.diagonal && i < outputs; i++) sum += (double)w.recurrent[g][r * outputs + i] * h[i];
        if (m.diagonal) sum += (double)w.diagonal[g][r] * h[r];
        if (m.peephole && g != LSTM_CELL) sum += (double)w.peephole[g][r] * c[r];
        gates[g][r] = sum;
        mean += sum / CELLS;
      }
      for (int r = 0; r < CELLS; r++) variance += (gates[g][r] - mean) * (gates[g][r] - mean) / CELLS;
      for (int r = 0; r < CELLS; r++) {
        double v =
            m.norm ? (gates[g][r] - mean) / sqrt(variance + 1e-8) * (double)w.norm[g][r] + (double)w.bias[g][r] : gates[g][r];
        gates[g][r] = g == LSTM_CELL ? tanh(v) : 1 / (1 + exp(-v));
      }
    }
    for (int r = 0; r < CELLS; r++) {
      if (pass) {
        hidden[r] = gates[LSTM_OUTPUT][r] * tanh(c[r]);
      } else {
        c[r] = gates[LSTM_FORGET][r] * c[r] + gates[LSTM_CELL][r] * (m.cifg ? 1 - gates[LSTM_FORGET][r] : gates[LSTM_INPUT][r]);
        if (clip > 0) c[r] = fmax(fmin(c[r], (double)clip), -(double)clip);
      }
    }
  }
  for (int o = 0; o < outputs; o++) {
    double sum = m.projection ? (m.projection_bias ? (double)w.projection_bias[o] : 0) : hidden[o];
    for (int i = 0; m.projection && i < CELLS; i++) sum += (double)w.projection[o * CELLS + i] * hidden[i];
    h[o] = m.projection && projection_clip > 0 ? fmax(fmin(sum, (double)projection_clip), -(double)projection_clip) : sum;
  }
}

static void float_cells_follow_the_definition(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    mixture m = draw_mixture();
    draw_weights();
    lstm_float l = make_float(m);
    l.cell_clip = draw(3) ? 0 : 0.4f;
    l.projection_clip = draw(3) ? 0 : 0.3f;
    size_t bytes, stride = l.outputs + draw(3);
    assert_true(lstm_float_scratch(&l, BATCHES, &bytes));
    void *scratch = malloc(bytes);
    float h[BATCHES * CELLS] = {0}, c[BATCHES * CELLS] = {0}, out[BATCHES * (CELLS + 2)];
    double defined_h[BATCHES][CELLS] = {{0}}, defined_c[BATCHES][CELLS] = {{0}};
    for (int step = 0; step < STEPS; step++) {
      float x[BATCHES * INPUTS], aux[BATCHES * AUX];
      fill(x, BATCHES * INPUTS, 1), fill(aux, BATCHES * AUX, 1);
      lstm_float_step(&l, BATCHES, x, m.aux ? aux : NULL, h, c, scratch, out, stride);
      for (size_t b = 0; b < BATCHES; b++) {
        define_step(m, l.cell_clip, l.projection_clip, x + b * INPUTS, aux + b * AUX, defined_h[b], defined_c[b]);
        for (size_t i = 0; i < CELLS; i++) assert_true(fabs(c[b * CELLS + i] - defined_c[b][i]) < 2e-4);
        for (size_t i = 0; i < l.outputs; i++) {
          assert_true(fabs(h[b * l.outputs + i] - defined_h[b][i]) < 2e-4);
          assert_true(out[b * stride + i] == h[b * l.outputs + i]);
        }
      }
    }
    free(scratch);
  }
}

// Weights as int8 / 127: the hybrid cell comes near the float cell that has those very weights.
static void hybrid_cells_are_near_float_cells(void **state) {
  (void)state;
  static int8_t q_input[4][CELLS * INPUTS], q_aux[4][CELLS * AUX], q_recurrent[4][CELLS * CELLS], q_peephole[4][CELLS],
      q_projection[OUTPUTS * CELLS];
  static int32_t sums[13][CELLS];
#define ROUND_WEIGHTS(q, f) \
  for (size_t i = 0; i < sizeof(q); i++) f[i] = (float)(q[i] = (int8_t)lroundf(f[i] * 127)) / 127
  for (int round = 0; round < 100; round++) {
    mixture m = draw_mixture();
    m.norm = false;  // blows errors up
    draw_weights();
    ROUND_WEIGHTS(q_projection, w.projection);
    for (int g = 0; g < 4; g++) {
      ROUND_WEIGHTS(q_input[g], w.input[g]);
      ROUND_WEIGHTS(q_aux[g], w.aux[g]);
      ROUND_WEIGHTS(q_recurrent[g], w.recurrent[g]);
      ROUND_WEIGHTS(q_peephole[g], w.peephole[g]);
    }
    lstm_float l = make_float(m), hybrid = l;
    hybrid.hybrid = true;
    hybrid.asymmetric = round & 1;
    for (int g = m.cifg; g < 4; g++) {
      matvec_row_sums_s8(q_input[g], CELLS, INPUTS, sums[g]);
      matvec_row_sums_s8(q_aux[g], CELLS, AUX, sums[4 + g]);
      matvec_row_sums_s8(q_recurrent[g], CELLS, l.outputs, sums[8 + g]);
      hybrid.gates[g].input = (lstm_matrix){q_input[g], 1.0f / 127, sums[g]};
      if (m.aux) hybrid.gates[g].aux = (lstm_matrix){q_aux[g], 1.0f / 127, sums[4 + g]};
      if (!m.diagonal) hybrid.gates[g].recurrent = (lstm_matrix){q_recurrent[g], 1.0f / 127, sums[8 + g]};
      if (hybrid.gates[g].peephole) hybrid.gates[g].peephole = q_peephole[g];
      hybrid.gates[g].peephole_scale = 1.0f / 127;
    }
    matvec_row_sums_s8(q_projection, OUTPUTS, CELLS, sums[12]);
    if (m.projection) hybrid.projection = (lstm_matrix){q_projection, 1.0f / 127, sums[12]};
    size_t bytes, hybrid_bytes = 0;
    assert_true(lstm_float_scratch(&l, BATCHES, &bytes) && lstm_float_scratch(&hybrid, BATCHES, &hybrid_bytes));
    void *scratch = malloc(bytes), *hybrid_scratch = malloc(hybrid_bytes);
    float h[2][BATCHES * CELLS] = {{0}}, c[2][BATCHES * CELLS] = {{0}}, out[BATCHES * CELLS];
    for (int step = 0; step < STEPS; step++) {
      float x[BATCHES * INPUTS], aux[BATCHES * AUX];
      fill(x, BATCHES * INPUTS, 1), fill(aux, BATCHES * AUX, 1);
      lstm_float_step(&l, BATCHES, x, m.aux ? aux : NULL, h[0], c[0], scratch, out, l.outputs);
      lstm_float_step(&hybrid, BATCHES, x, m.aux ? aux : NULL, h[1], c[1], hybrid_scratch, out, l.outputs);
      for (size_t i = 0; i < BATCHES * l.outputs; i++) assert_true(fabsf(h[0][i] - h[1][i]) < 0.06f);
      for (size_t i = 0; i < BATCHES * CELLS; i++) assert_true(fabsf(c[0][i] - c[1][i]) < 0.06f);
    }
    free(scratch), free(hybrid_scratch);
  }
}

// The integer cell against the float cell of the numbers its inputs and weights stand for.
static void integer_cells_are_near_float_cells(void **state) {
  (void)state;
  static int8_t q_input[4][CELLS * INPUTS], q_recurrent[4][CELLS * CELLS], q_projection[OUTPUTS * CELLS];
  static int16_t q_peephole[4][CELLS], q_norm[4][CELLS];
  static int32_t input_bias[4][CELLS], recurrent_bias[4][CELLS], norm_bias[4][CELLS], projection_bias[OUTPUTS];
  const int input_zero = 5, output_zero = -3, hidden_zero = 2;
  const double input_scale = 1.0 / 128, output_scale = 1.0 / 100, weight_scale = 1.0 / 127, hidden_scale = 1.0 / 128,
               sum_scale = 1.0 / 4096;
  for (int round = 0; round < 300; round++) {
    mixture m = draw_mixture();
    m.aux = m.diagonal = false;
    if (m.projection) m.peephole = false;  // with fewer outputs than cells the reference's peephole covers a part only
    draw_weights();
    ROUND_WEIGHTS(q_projection, w.projection);
    lstm_s8 q = {.inputs = INPUTS, .cells = CELLS, .outputs = m.projection ? OUTPUTS : CELLS, .cell_log2 = -11};
    for (int g = m.cifg; g < 4; g++) {
      ROUND_WEIGHTS(q_input[g], w.input[g]);
      ROUND_WEIGHTS(q_recurrent[g], w.recurrent[g]);
      for (size_t i = 0; i < CELLS; i++) {
        q_peephole[g][i] = (int16_t)lroundf(w.peephole[g][i] * 32767);
        q_norm[g][i] = (int16_t)lroundf(w.norm[g][i] * 1024);
        norm_bias[g][i] = (int32_t)lroundf(w.bias[g][i] * 1024 * 1024);  // scale of the coefficients, 10 more fraction bits
        int32_t bias = m.norm ? 0 : (int32_t)lround((double)w.bias[g][i] / (input_scale * weight_scale));
        input_bias[g][i] = bias - input_zero * matvec_sum_s8(q_input[g] + i * INPUTS, INPUTS);
        recurrent_bias[g][i] = -output_zero * matvec_sum_s8(q_recurrent[g] + i * q.outputs, q.outputs);
      }
      q.gates[g] = (lstm_gate_s8){.input = q_input[g],
                                  .recurrent = q_recurrent[g],
                                  .input_bias = input_bias[g],
                                  .recurrent_bias = recurrent_bias[g],
                                  .peephole = m.peephole && g != LSTM_CELL ? q_peephole[g] : NULL,
                                  .layer_norm = m.norm ? q_norm[g] : NULL,
                                  .layer_norm_bias = norm_bias[g],
                                  .input_scale = quant_from_real(input_scale * weight_scale / sum_scale),
                                  .recurrent_scale = quant_from_real(output_scale * weight_scale / sum_scale),
                                  .peephole_scale = quant_from_real(0x1p-11 / 32767 / sum_scale),
                                  .layer_norm_scale = quant_from_real(1.0 / 1024),
                                  .variance_guard = 9};
    }
    for (size_t i = 0; i < OUTPUTS; i++)
      projection_bias[i] =
          hidden_zero * matvec_sum_s8(q_projection + i * CELLS, CELLS) +
          (m.projection_bias ? (int32_t)lround((double)w.projection_bias[i] / (hidden_scale * weight_scale)) : 0);
    q.projection = m.projection ? q_projection : NULL;
    q.projection_bias = projection_bias;
    q.hidden_scale = quant_from_real(0x1p-30 / (m.projection ? hidden_scale : output_scale));
    q.hidden_zero_point = m.projection ? hidden_zero : output_zero;
    q.projection_scale = quant_from_real(hidden_scale * weight_scale / output_scale);
    q.output_zero_point = output_zero;
    lstm_float l = make_float(m);
    size_t bytes, float_bytes = 0;
    assert_true(lstm_s8_scratch(&q, BATCHES, &bytes) && lstm_float_scratch(&l, BATCHES, &float_bytes));
    void *scratch = malloc(bytes), *float_scratch = malloc(float_bytes);
    int8_t h8[BATCHES * CELLS], out8[BATCHES * CELLS];
    int16_t c16[BATCHES * CELLS] = {0};
    float h[BATCHES * CELLS] = {0}, c[BATCHES * CELLS] = {0}, out[BATCHES * CELLS];
    memset(h8, output_zero, sizeof h8);
    for (int step = 0; step < 2; step++) {
      int8_t x8[BATCHES * INPUTS];
      float x[BATCHES * INPUTS];
      for (size_t i = 0; i < BATCHES * INPUTS; i++) x[i] = (float)(((x8[i] = (int8_t)draw(256)) - input_zero) * input_scale);
      lstm_s8_step(&q, BATCHES, x8, h8, c16, scratch, out8);
      lstm_float_step(&l, BATCHES, x, NULL, h, c, float_scratch, out, l.outputs);
      float slack = m.norm ? 0.12f : 0.04f;
      for (size_t i = 0; i < BATCHES * CELLS; i++) assert_true(fabsf((float)c16[i] / 2048 - c[i]) < slack);
      for (size_t i = 0; i < BATCHES * q.outputs; i++) {
        float exact = h[i] / (float)output_scale + (float)output_zero;
        exact = exact > 127 ? 127 : exact < -128 ? -128 : exact;
        assert_true(fabsf((float)out8[i] - exact) < 3 + 2 * slack / (float)output_scale);
        assert_int_equal(out8[i], h8[i]);
        h[i] = (float)((h8[i] - output_zero) * output_scale);  // both go on from the same state
      }
      for (size_t i = 0; i < BATCHES * CELLS; i++) c[i] = (float)c16[i] / 2048;
    }
    free(scratch), free(float_scratch);
  }
}

// A cell of one input and one output whose numbers can be followed by hand.
static void one_integer_cell_by_hand(void **state) {
  (void)state;
  const int8_t one = 64, zero = 0;
  const int32_t none = 0;
  const quant_multiplier unit = {1 << 30, 1};  // 1
  lstm_s8 q = {
      .inputs = 1, .cells = 1, .outputs = 1, .cell_log2 = -15, .hidden_scale = quant_from_real(0x1p-23), .hidden_zero_point = 1};
  for (int g = 0; g < 4; g++)
    q.gates[g] = (lstm_gate_s8){.input = &one,
                                .recurrent = &zero,
                                .input_bias = &none,
                                .recurrent_bias = &none,
                                .input_scale = unit,
                                .recurrent_scale = unit};
  int8_t x = 64, h = 0, out;  // sum 4096: 1.0 in Q3.12
  int16_t c = 16384, scratch[5];
  int16_t gate = fixed16_logistic(4096), cell = fixed16_tanh(4096, 3);
  lstm_s8_step(&q, 1, &x, &h, &c, scratch, &out);
  int32_t expected = fixed16_round_shift(gate * 16384, 15) + fixed16_round_shift(gate * cell, 15);
  assert_int_equal(c, expected);
  assert_int_equal(out, fixed16_round_shift(gate * fixed16_tanh((int16_t)expected, 0), 23) + 1);
  // Clipped.
  q.cell_clip = 1000;
  c = 16384;
  lstm_s8_step(&q, 1, &x, &h, &c, scratch, &out);
  assert_int_equal(c, 1000);
}

// The basic cell's matrix taken apart makes a full cell.
static void basic_cell_is_a_full_cell(void **state) {
  (void)state;
  enum { DEPTH = INPUTS + CELLS };
  static float weights[4 * CELLS * DEPTH], bias[4 * CELLS];
  for (int round = 0; round < 50; round++) {
    const int order[4] = {LSTM_INPUT, LSTM_CELL, LSTM_FORGET, LSTM_OUTPUT};
    draw_weights();
    for (size_t k = 0; k < 4; k++) {
      for (size_t r = 0; r < CELLS; r++) {
        float *row = weights + (k * CELLS + r) * DEPTH;
        memcpy(row, w.input[order[k]] + r * INPUTS, INPUTS * sizeof(float));
        memcpy(row + INPUTS, w.recurrent[order[k]] + r * CELLS, CELLS * sizeof(float));
        bias[k * CELLS + r] = w.bias[order[k]][r];
      }
    }
    lstm_float l = make_float((mixture){0});
    lstm_basic basic = {.batches = BATCHES, .inputs = INPUTS, .outputs = CELLS};
    size_t bytes;
    assert_true(lstm_float_scratch(&l, BATCHES, &bytes));
    void *scratch = malloc(bytes);
    float x[BATCHES * INPUTS], h[BATCHES * CELLS], c[BATCHES * CELLS], out[BATCHES * CELLS], basic_out[BATCHES * CELLS],
        basic_c[BATCHES * CELLS];
    float concatenation[BATCHES * DEPTH], gates[BATCHES * 4 * CELLS];
    fill(x, BATCHES * INPUTS, 1), fill(h, BATCHES * CELLS, 1), fill(c, BATCHES * CELLS, 1);
    lstm_basic_f32(&basic, x, h, weights, bias, c, basic_out, basic_c, concatenation, gates);
    assert_memory_equal(concatenation, x, INPUTS * sizeof(float));
    assert_memory_equal(concatenation + INPUTS, h, CELLS * sizeof(float));
    lstm_float_step(&l, BATCHES, x, NULL, h, c, scratch, out, CELLS);
    for (size_t i = 0; i < BATCHES * CELLS; i++)
      assert_true(fabsf(out[i] - basic_out[i]) < 1e-5f && fabsf(c[i] - basic_c[i]) < 1e-5f);
    // uint8: inputs and outputs are (q - 128) / 128, weights (q - 120) * 0.01, the state q / 2048.
    uint8_t x8[BATCHES * INPUTS], h8[BATCHES * CELLS], weights8[4 * CELLS * DEPTH], out8[BATCHES * CELLS],
        concatenation8[BATCHES * DEPTH];
    int32_t bias32[4 * CELLS];
    int16_t c16[BATCHES * CELLS], new_c16[BATCHES * CELLS], gates16[BATCHES * 4 * CELLS];
    for (size_t i = 0; i < BATCHES * INPUTS; i++) x[i] = (float)((x8[i] = (uint8_t)draw(256)) - 128) / 128;
    for (size_t i = 0; i < BATCHES * CELLS; i++) h[i] = (float)((h8[i] = (uint8_t)draw(256)) - 128) / 128;
    for (size_t i = 0; i < BATCHES * CELLS; i++) c[i] = (float)(c16[i] = (int16_t)((int)draw(4096) - 2048)) / 2048;
    for (size_t i = 0; i < 4 * CELLS * DEPTH; i++) weights[i] = (float)((weights8[i] = (uint8_t)draw(256)) - 120) * 0.01f;
    for (size_t i = 0; i < 4 * CELLS; i++) bias32[i] = (int32_t)lroundf(bias[i] * 12800);
    basic.weights_zero_point = 120;
    basic.to_gates = quant_from_real(4096 * 0.01 / 128);
    lstm_basic_f32(&basic, x, h, weights, bias, c, basic_out, basic_c, concatenation, gates);
    lstm_basic_u8(&basic, x8, h8, weights8, bias32, c16, out8, new_c16, concatenation8, gates16);
    for (size_t i = 0; i < BATCHES * CELLS; i++) {
      assert_true(fabsf((float)new_c16[i] / 2048 - basic_c[i]) < 0.003f);
      assert_true(fabsf((float)(out8[i] - 128) / 128 - basic_out[i]) < 0.012f || basic_out[i] > 0.99f);
    }
    free(scratch);
  }
}

// The narrow cell with wide intermediates against the float cell.
static void narrow_cells_are_near_float_cells(void **state) {
  (void)state;
  static int8_t q_input[4][CELLS * INPUTS], q_recurrent[4][CELLS * CELLS], q_projection[OUTPUTS * CELLS];
  static int16_t q_norm[4][CELLS];
  static int32_t norm_bias[4][CELLS], projection_bias[OUTPUTS];
  const double scale = 1.0 / 128, weight_scale = 1.0 / 127, product_scale = 1.0 / 32;
  const quant_multiplier to_sum = quant_from_real(64);
  for (int round = 0; round < 200; round++) {
    draw_weights();
    ROUND_WEIGHTS(q_projection, w.projection);
    lstm_narrow q = {.inputs = INPUTS,
                     .cells = CELLS,
                     .outputs = OUTPUTS,
                     .projection = q_projection,
                     .projection_bias = projection_bias,
                     .projection_scale = quant_from_real(0x1p-15 * weight_scale / scale),
                     .input_zero_point = 7,
                     .output_zero_point = -2};
    for (int g = LSTM_FORGET; g < 4; g++) {
      ROUND_WEIGHTS(q_input[g], w.input[g]);
      ROUND_WEIGHTS(q_recurrent[g], w.recurrent[g]);
      for (size_t i = 0; i < CELLS; i++) {
        q_norm[g][i] = (int16_t)lroundf(w.norm[g][i] * 1024);
        norm_bias[g][i] = (int32_t)lroundf(w.bias[g][i] * 1024 * 1024);
      }
      q.gates[g] = (lstm_narrow_gate){.input = q_input[g],
                                      .recurrent = q_recurrent[g],
                                      .input_scale = quant_from_real(scale * weight_scale / product_scale),
                                      .recurrent_scale = quant_from_real(scale * weight_scale / product_scale),
                                      .input_zero_point = 4,
                                      .recurrent_zero_point = -9,
                                      .input_to_sum = to_sum,
                                      .recurrent_to_sum = to_sum,
                                      .layer_norm = q_norm[g],
                                      .bias = norm_bias[g],
                                      .layer_norm_scale = 1.0f / 1024};
    }
    for (size_t i = 0; i < OUTPUTS; i++)
      projection_bias[i] = (int32_t)lround((double)w.projection_bias[i] / (0x1p-15 * weight_scale));
    lstm_float l = make_float((mixture){.cifg = true, .norm = true, .projection = true, .projection_bias = true});
    size_t bytes, float_bytes = 0;
    assert_true(lstm_narrow_scratch(&q, BATCHES, &bytes) && lstm_float_scratch(&l, BATCHES, &float_bytes));
    void *scratch = malloc(bytes), *float_scratch = malloc(float_bytes);
    int8_t x8[BATCHES * INPUTS], h8[BATCHES * OUTPUTS], out8[BATCHES * OUTPUTS];
    int16_t c16[BATCHES * CELLS];
    float x[BATCHES * INPUTS], h[BATCHES * OUTPUTS], c[BATCHES * CELLS], out[BATCHES * OUTPUTS];
    for (size_t i = 0; i < BATCHES * INPUTS; i++) x[i] = (float)(((x8[i] = (int8_t)draw(256)) - 7) * scale);
    for (size_t i = 0; i < BATCHES * OUTPUTS; i++) h[i] = (float)(((h8[i] = (int8_t)((int)draw(128) - 64)) + 2) * scale);
    for (size_t i = 0; i < BATCHES * CELLS; i++) c[i] = (float)(c16[i] = (int16_t)draw(65536)) / 32768;
    lstm_narrow_step(&q, BATCHES, x8, h8, c16, scratch, out8);
    lstm_float_step(&l, BATCHES, x, NULL, h, c, float_scratch, out, OUTPUTS);
    for (size_t i = 0; i < BATCHES * CELLS; i++) assert_true(fabsf((float)c16[i] / 32768 - c[i]) < 0.15f);
    for (size_t i = 0; i < BATCHES * OUTPUTS; i++) {
      float exact = out[i] * 128 - 2;
      exact = exact > 127 ? 127 : exact < -128 ? -128 : exact;
      assert_true(fabsf((float)out8[i] - exact) < 20);
    }
    free(scratch), free(float_scratch);
  }
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_point_functions),
      cmocka_unit_test(float_cells_follow_the_definition),
      cmocka_unit_test(hybrid_cells_are_near_float_cells),
      cmocka_unit_test(integer_cells_are_near_float_cells),
      cmocka_unit_test(one_integer_cell_by_hand),
      cmocka_unit_test(basic_cell_is_a_full_cell),
      cmocka_unit_test(narrow_cells_are_near_float_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
