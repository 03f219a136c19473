// SPDX-License-Identifier: Apache-2.0
// Normalisations in portable C.
#include "kernels/normalize.h"

#include <math.h>

#include "quant/fixed_point.h"

void normalize_l2_f32(size_t depth, const float *input, float *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const float *in = input + row * depth;
    float *out = output + row * depth;
    float squares = 0;
    for (size_t c = 0; c < depth; c++) squares += in[c] * in[c];
    float norm = sqrtf(squares);
    if (norm < 1e-6f) norm = 1e-6f;
    for (size_t c = 0; c < depth; c++) out[c] = in[c] / norm;
  }
}

static int32_t normalize_saturate(uint64_t sum) { return sum > INT32_MAX ? INT32_MAX : (int32_t)sum; }

void normalize_l2_s8(size_t depth, int32_t zero_point, const int8_t *input, int8_t *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const int8_t *in = input + row * depth;
    int8_t *out = output + row * depth;
    uint64_t squares = 0;
    for (size_t c = 0; c < depth; c++) squares += (uint32_t)((in[c] - zero_point) * (in[c] - zero_point));
    quant_multiplier inverse = fixed_inverse_sqrt(normalize_saturate(squares));
    inverse.shift += 7;
    for (size_t c = 0; c < depth; c++) out[c] = (int8_t)quant_clamp(quant_scale(in[c] - zero_point, inverse), INT8_MIN, INT8_MAX);
  }
}

void normalize_l2_u8(size_t depth, int32_t zero_point, const uint8_t *input, uint8_t *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const uint8_t *in = input + row * depth;
    uint8_t *out = output + row * depth;
    uint64_t squares = 0;
    for (size_t c = 0; c < depth; c++) squares += (uint32_t)((in[c] - zero_point) * (in[c] - zero_point));
    quant_multiplier inverse = fixed_inverse_sqrt(normalize_saturate(squares));
    for (size_t c = 0; c < depth; c++)
      out[c] = (uint8_t)quant_clamp(128 + quant_scale(128 * (in[c] - zero_point), inverse), 0, UINT8_MAX);
  }
}

// Source of the rule: TFLite, optimized_ops.h, as TensorFlow defines the operator; the reference's window misses its last
// neighbour.
void normalize_local_f32(size_t depth, const normalize_local *n, const float *input, float *output, size_t row0, size_t row1) {
  size_t radius = n->radius < 0 ? 0 : (size_t)n->radius;
  for (size_t row = row0; row < row1; row++) {
    const float *in = input + row * depth;
    float *out = output + row * depth;
    for (size_t c = 0; c < depth; c++) {
      size_t first = c > radius ? c - radius : 0, last = depth - c > radius ? c + radius + 1 : depth;
      float squares = 0;
      for (size_t k = first; k < last; k++) squares += in[k] * in[k];
      out[c] = in[c] * powf(n->bias + n->alpha * squares, -n->beta);
    }
  }
}
