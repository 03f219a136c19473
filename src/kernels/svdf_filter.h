// SPDX-License-Identifier: Apache-2.0
// SVDF: a fully connected layer over the last `memory` inputs, factored by a singular value decomposition. Each of the filters
// takes one number from the current input (feature weights [filters, inputs]), remembers the last `memory` of them (state
// [batches, filters, memory]) and weighs them (time weights [filters, memory]); `rank` filters make one unit: output [batches,
// filters / rank].
#ifndef KERNELS_SVDF_H
#define KERNELS_SVDF_H

#include "kernels/activate.h"
#include "quant/quant.h"

typedef struct svdf_shape {
  size_t batches, inputs, filters, memory, rank;  // memory, rank >= 1
} svdf_shape;

// bias: [units] or NULL.
void svdf_f32(const svdf_shape *s, const float *input, const float *feature_weights, const float *time_weights, const float *bias,
              activate_kind activation, float *state, float *output);

// Float activations, int8 weights. Every batch's input is quantised into q (inputs bytes of scratch). row_sums: of the feature
// weights, used when asymmetric only.
typedef struct svdf_hybrid_weights {
  const int8_t *feature, *time;
  float feature_scale, time_scale;
  const int32_t *row_sums;
  bool asymmetric;
} svdf_hybrid_weights;
void svdf_hybrid(const svdf_shape *s, const float *input, const svdf_hybrid_weights *weights, const float *bias,
                 activate_kind activation, int8_t *q, float *state, float *output);

// int8 throughout, the state int16 (zero point 0) or int8. folded: -input zero point * row sum of each filter's feature weights,
// NULL when the zero point is 0.
typedef struct svdf_quantized {
  quant_multiplier to_state, to_output;
  const int32_t *folded;
  int32_t state_zero_point, output_zero_point;
} svdf_quantized;
void svdf_s8_state16(const svdf_shape *s, const svdf_quantized *p, const int8_t *input, const int8_t *feature_weights,
                     const int16_t *time_weights, const int32_t *bias, int16_t *state, int8_t *output);
void svdf_s8_state8(const svdf_shape *s, const svdf_quantized *p, const int8_t *input, const int8_t *feature_weights,
                    const int8_t *time_weights, const int32_t *bias, int8_t *state, int8_t *output);

#endif
