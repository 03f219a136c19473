// SPDX-License-Identifier: Apache-2.0
// SVDF in portable C.
#include "kernels/svdf_filter.h"

#include <string.h>

#include "kernels/matvec.h"

// Forgets the oldest number of every filter: the others move down by one, the place of the newest is free.
static void svdf_shift(void *state, size_t filters, size_t memory, size_t element) {
  size_t bytes = filters * memory * element;
  memmove(state, (uint8_t *)state + element, bytes - element);
}

// The float part behind the feature product, whose results are in the newest places of the state: a row of units for one batch.
static void svdf_units_f32(const svdf_shape *s, const float *state, const float *time_weights, const float *bias,
                           activate_kind activation, float *output) {
  size_t units = s->filters / s->rank;
  for (size_t u = 0; u < units; u++) {
    size_t taps = s->rank * s->memory;
    float sum = matvec_dot_f32(time_weights + u * taps, state + u * taps, taps);
    output[u] = bias ? sum + bias[u] : sum;
  }
  activate_f32(output, units, activation);
}

void svdf_f32(const svdf_shape *s, const float *input, const float *feature_weights, const float *time_weights, const float *bias,
              activate_kind activation, float *state, float *output) {
  for (size_t b = 0; b < s->batches; b++, input += s->inputs, state += s->filters * s->memory, output += s->filters / s->rank) {
    svdf_shift(state, s->filters, s->memory, sizeof *state);
    for (size_t f = 0; f < s->filters; f++)
      state[(f + 1) * s->memory - 1] = matvec_dot_f32(feature_weights + f * s->inputs, input, s->inputs);
    svdf_units_f32(s, state, time_weights, bias, activation, output);
  }
}

void svdf_hybrid(const svdf_shape *s, const float *input, const svdf_hybrid_weights *weights, const float *bias,
                 activate_kind activation, int8_t *q, float *state, float *output) {
  size_t units = s->filters / s->rank;
  for (size_t b = 0; b < s->batches; b++, input += s->inputs, state += s->filters * s->memory, output += units) {
    svdf_shift(state, s->filters, s->memory, sizeof *state);
    matvec_quantized in = matvec_quantize(input, s->inputs, weights->asymmetric, q);
    float scale = in.scale * weights->feature_scale;
    for (size_t f = 0; f < s->filters; f++) {
      float *newest = &state[(f + 1) * s->memory - 1];
      *newest = 0;
      matvec_add_hybrid(weights->feature + f * s->inputs, 1, s->inputs, q, scale, in.zero_point,
                        weights->asymmetric ? weights->row_sums + f : NULL, newest);
    }
    for (size_t u = 0; u < units; u++) {
      size_t taps = s->rank * s->memory;
      float sum = matvec_dot_s8_f32(weights->time + u * taps, state + u * taps, taps) * weights->time_scale;
      output[u] = bias ? sum + bias[u] : sum;
    }
    activate_f32(output, units, activation);
  }
}

// Source of the rules: TFLite reference, EvalIntegerSVDF (int16 state), and the TFLite Micro one (int8 state with a zero point).
#define SVDF_INTEGER(suffix, type, low, high)                                                                             \
  static uint32_t svdf_time_##suffix(const type *time_weights, const type *state, size_t n, int32_t zero_point) {         \
    uint32_t sum = 0;                                                                                                     \
    for (size_t i = 0; i < n; i++) sum += (uint32_t)time_weights[i] * (uint32_t)(state[i] - zero_point);                  \
    return sum;                                                                                                           \
  }                                                                                                                       \
  void svdf_s8_##suffix(const svdf_shape *s, const svdf_quantized *p, const int8_t *input, const int8_t *feature_weights, \
                        const type *time_weights, const int32_t *bias, type *state, int8_t *output) {                     \
    size_t units = s->filters / s->rank, taps = s->rank * s->memory;                                                      \
    for (size_t b = 0; b < s->batches; b++, input += s->inputs, state += s->filters * s->memory, output += units) {       \
      svdf_shift(state, s->filters, s->memory, sizeof *state);                                                            \
      for (size_t f = 0; f < s->filters; f++) {                                                                           \
        uint32_t sum = (uint32_t)matvec_dot_s8(feature_weights + f * s->inputs, input, s->inputs);                        \
        if (p->folded) sum += (uint32_t)p->folded[f];                                                                     \
        int32_t newest = quant_clamp(quant_scale((int32_t)sum, p->to_state), (low), (high));                              \
        state[(f + 1) * s->memory - 1] = (type)(newest + p->state_zero_point);                                            \
      }                                                                                                                   \
      for (size_t u = 0; u < units; u++) {                                                                                \
        uint32_t sum = svdf_time_##suffix(time_weights + u * taps, state + u * taps, taps, p->state_zero_point);          \
        if (bias) sum += (uint32_t)bias[u];                                                                               \
        int32_t scaled = (int32_t)((uint32_t)quant_scale((int32_t)sum, p->to_output) + (uint32_t)p->output_zero_point);   \
        output[u] = (int8_t)quant_clamp(scaled, -128, 127);                                                               \
      }                                                                                                                   \
    }                                                                                                                     \
  }
SVDF_INTEGER(state16, int16_t, -32768, 32767)
SVDF_INTEGER(state8, int8_t, -128, 127)
