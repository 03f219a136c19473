// SPDX-License-Identifier: Apache-2.0
// The basic LSTM cell. Source of the integer arithmetic: TFLite reference, internal/reference/lstm_cell.h.
#include <math.h>
#include <string.h>

#include "kernels/lstm_cell.h"
#include "kernels/matvec.h"
#include "quant/fixed16.h"

static float lstm_logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

void lstm_basic_f32(const lstm_basic *l, const float *input, const float *previous_output, const float *weights,
                    const float *bias, const float *previous_state, float *output, float *state, float *concatenation,
                    float *gates) {
  size_t n = l->outputs, depth = l->inputs + n;
  for (size_t b = 0; b < l->batches; b++) {
    float *all = concatenation + b * depth, *g = gates + b * 4 * n;
    memcpy(all, input + b * l->inputs, l->inputs * sizeof *all);
    memcpy(all + l->inputs, previous_output + b * n, n * sizeof *all);
    for (size_t r = 0; r < 4 * n; r++) g[r] = bias[r] + matvec_dot_f32(weights + r * depth, all, depth);
    for (size_t i = 0; i < n; i++) {
      float kept = lstm_logistic(g[2 * n + i]) * previous_state[b * n + i];
      float new_state = lstm_logistic(g[i]) * tanhf(g[n + i]) + kept;
      state[b * n + i] = new_state;
      output[b * n + i] = lstm_logistic(g[3 * n + i]) * tanhf(new_state);
    }
  }
}

void lstm_basic_u8(const lstm_basic *l, const uint8_t *input, const uint8_t *previous_output, const uint8_t *weights,
                   const int32_t *bias, const int16_t *previous_state, uint8_t *output, int16_t *state, uint8_t *concatenation,
                   int16_t *gates) {
  size_t n = l->outputs, depth = l->inputs + n;
  for (size_t b = 0; b < l->batches; b++) {
    uint8_t *all = concatenation + b * depth;
    int16_t *g = gates + b * 4 * n;
    memcpy(all, input + b * l->inputs, l->inputs);
    memcpy(all + l->inputs, previous_output + b * n, n);
    for (size_t r = 0; r < 4 * n; r++) {
      uint32_t sum = (uint32_t)bias[r];
      for (size_t i = 0; i < depth; i++)
        sum += (uint32_t)(all[i] - 128) * ((uint32_t)weights[r * depth + i] - (uint32_t)l->weights_zero_point);
      g[r] = fixed16_saturate(quant_scale((int32_t)sum, l->to_gates));
    }
    for (size_t i = 0; i < n; i++) {
      int16_t kept = fixed16_mul(fixed16_logistic(g[2 * n + i]), previous_state[b * n + i]);  // Q4
      int16_t added = fixed16_mul(fixed16_logistic(g[i]), fixed16_tanh(g[n + i], 3));         // Q0
      int16_t new_state = fixed16_saturate(fixed16_round_shift(added, 4) + kept);
      int16_t squashed = fixed16_tanh(fixed16_left(new_state, 1), 3);
      int32_t out = fixed16_round_shift(fixed16_mul(fixed16_logistic(g[3 * n + i]), squashed), 8);
      state[b * n + i] = new_state;
      output[b * n + i] = (uint8_t)(128 + quant_clamp(out, -128, 127));
    }
  }
}
