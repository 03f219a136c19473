// SPDX-License-Identifier: Apache-2.0
// What the convolutions and fully connected layers share: output scaling, weights that may be packed, quantisation of float
// inputs.
#ifndef OPS_CONV_COMMON_H
#define OPS_CONV_COMMON_H

#include "kernels/conv.h"
#include "ops/op.h"

// ---- Output scaling. ----
typedef struct conv_scaling {
  requant out;
  quant_multiplier *multipliers;  // persistent memory behind out.multipliers, `room` of them
  size_t room;
} conv_scaling;

// Checks the quantisation of input, filter, bias (may be NULL) and output, and computes a multiplier an output channel (or one
// for all) and the output's clamp. channels: of the output.
TfLiteStatus conv_prepare_scaling(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                  const TfLiteTensor *bias, const TfLiteTensor *output, TfLiteFusedActivation activation,
                                  int channels, conv_scaling *s);
// Fails where a multiplier is too large for 64-bit sums.
TfLiteStatus conv_check_wide_scaling(TfLiteContext *context, const conv_scaling *s, int channels);
// The real multiplier input scale * filter scale / output scale of a channel; fails unless it is finite and >= 0.
TfLiteStatus conv_real_multiplier(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                  const TfLiteTensor *output, int channel, double *real);
// The same for one channel with the product of the scales in single precision: uint8 convolutions, matrix products and shuffled
// weights.
TfLiteStatus conv_single_multiplier(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                    const TfLiteTensor *output, double *real);
// The bias scale must be about input scale * filter scale: the sums are scaled by that product.
TfLiteStatus conv_check_bias_scale(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                   const TfLiteTensor *bias, const TfLiteTensor *output);
// Fails unless an input's or filter's zero point fits its 8- or 16-bit type.
TfLiteStatus conv_check_zero_point(TfLiteContext *context, const TfLiteTensor *t, const char *what);
// Fails unless every zero point of the filter is 0.
TfLiteStatus conv_check_symmetric(TfLiteContext *context, const TfLiteTensor *filter);
// Fails unless bias (may be NULL) has `channels` elements and suits the input's type: float32, int32 for 8 bits, int32 or int64
// for 16.
TfLiteStatus conv_check_bias(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *bias, int channels);

// ---- Weights: int4 and int2 become bytes, once when they are constant (hosts), else in every eval; sparse ones become dense,
// once. ----
typedef struct conv_weights {
  void *plain;  // persistent
  size_t room;  // bytes; 0: plain is not used
  int scratch;
} conv_weights;
static inline bool conv_is_packed(const TfLiteTensor *filter) {
  return filter->type == kTfLiteInt4 || filter->type == kTfLiteInt2;
}
TfLiteStatus conv_prepare_weights(TfLiteContext *context, const TfLiteTensor *filter, conv_weights *w);
// int8_t for packed types, else the filter's type.
const void *conv_weights_of(TfLiteContext *context, const TfLiteTensor *filter, const conv_weights *w);

// ---- Hybrid: float inputs quantised in eval, `rows` stretches of the input apart. ----
typedef struct conv_hybrid {
  float *filter_scales;  // persistent copy
  size_t filter_step, room;
  int quantized, scales, zero_points;  // scratch
} conv_hybrid;
TfLiteStatus conv_prepare_hybrid(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter, size_t rows,
                                 int channels, conv_hybrid *h);
// The same without the filter's scales.
TfLiteStatus conv_prepare_quantized_input(TfLiteContext *context, const TfLiteTensor *input, size_t rows, conv_hybrid *h);
// Quantises; stretches have count / rows elements.
void conv_quantize_input(TfLiteContext *context, const float *input, size_t count, size_t rows, bool asymmetric,
                         const conv_hybrid *h);

// Multiply-adds of a convolution: every output element takes filter_elements / channels products.
static inline uint64_t conv_macs(const TfLiteTensor *output, const TfLiteTensor *filter, int channels) {
  return channels > 0 ? (uint64_t)op_count(output) * (op_count(filter) / (size_t)channels) : 0;
}

#endif
