// SPDX-License-Identifier: Apache-2.0
// Checks and preparations that convolutions and fully connected layers share.
// Source of the rules: TFLite reference, kernel_util.cc (PopulateConvolutionQuantizationParams,
// GetQuantizedConvolutionMultipler).
#include "ops/conv_common.h"

#include <math.h>

#include "base/checked.h"
#include "kernels/matvec.h"
#include "kernels/unpack.h"
#include "ops/sparse_common.h"

TfLiteStatus conv_real_multiplier(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                  const TfLiteTensor *output, int channel, double *real) {
  *real = (double)op_scale(input) * (double)op_channel_scale(filter, channel) / (double)op_scale(output);
  OP_CHECK(context, *real >= 0 && isfinite(*real), "scales of input, filter and output (%g, %g, %g) give no usable multiplier",
           (double)op_scale(input), (double)op_channel_scale(filter, channel), (double)op_scale(output));
  return kTfLiteOk;
}

TfLiteStatus conv_check_bias_scale(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                   const TfLiteTensor *bias, const TfLiteTensor *output) {
  if (!bias) return kTfLiteOk;
  double product = (double)op_scale(input) * (double)op_scale(filter), bias_scale = (double)op_scale(bias);
  OP_CHECK(context, fabs(product - bias_scale) / (double)op_scale(output) <= 0.02,
           "bias scale %g is far from input scale times filter scale, %g", bias_scale, product);
  return kTfLiteOk;
}

TfLiteStatus conv_check_zero_point(TfLiteContext *context, const TfLiteTensor *t, const char *what) {
  bool wide = t->type == kTfLiteInt16, no_sign = t->type == kTfLiteUInt8;
  int32_t zero = op_zero_point(t), low = no_sign ? 0 : wide ? INT16_MIN : INT8_MIN;
  (void)what;
  OP_CHECK(context, zero >= low && zero <= low + (wide ? UINT16_MAX : UINT8_MAX), "%s zero point %d is outside its type", what,
           (int)zero);
  return kTfLiteOk;
}

TfLiteStatus conv_check_symmetric(TfLiteContext *context, const TfLiteTensor *filter) {
  int count = op_scale_count(filter);
  for (int i = 0; i < count; i++)
    OP_CHECK(context, op_channel_zero_point(filter, i) == 0, "filter zero point %d of channel %d: it must be 0",
             (int)op_channel_zero_point(filter, i), i);
  return kTfLiteOk;
}

TfLiteStatus conv_check_bias(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *bias, int channels) {
  if (!bias) return kTfLiteOk;
  uint32_t types = input->type == kTfLiteFloat32 ? OP_F32 : input->type == kTfLiteInt16 ? OP_I32 | OP_I64 : OP_I32;
  OP_TRY(op_check_type(context, bias, "bias", types));
  OP_CHECK(context, op_count(bias) == (size_t)channels, "bias has %d elements, the filter %d output channels",
           (int)op_count(bias), channels);
  OP_CHECK(context, input->type == kTfLiteFloat32 || op_zero_point(bias) == 0, "bias zero point %d: it must be 0",
           (int)op_zero_point(bias));
  return kTfLiteOk;
}

TfLiteStatus conv_single_multiplier(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                    const TfLiteTensor *output, double *real) {
  float product = op_scale(input) * op_scale(filter);
  *real = (double)product / (double)op_scale(output);
  OP_CHECK(context, *real >= 0 && isfinite(*real), "scales of input, filter and output give no usable multiplier");
  return kTfLiteOk;
}

TfLiteStatus conv_prepare_scaling(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                  const TfLiteTensor *bias, const TfLiteTensor *output, TfLiteFusedActivation activation,
                                  int channels, conv_scaling *s) {
  int scales = op_scale_count(filter);
  OP_CHECK(context, op_scale_count(input) > 0, "the input has no quantisation");
  OP_CHECK(context, scales > 0, "the filter has no quantisation");
  OP_CHECK(context, op_scale_count(output) > 0, "the output has no quantisation");
  OP_CHECK(context, scales == 1 || scales == channels, "the filter has %d scales for %d output channels", scales, channels);
  if (scales > 1) {
    int dimension = op_quantized_dimension(filter);
    OP_CHECK(context, input->type != kTfLiteUInt8, "uint8 filters cannot be quantised per channel");
    OP_CHECK(context, dimension >= 0 && dimension < op_rank(filter) && op_dim(filter, dimension) == channels,
             "the filter is quantised along dimension %d, which is not that of its output channels", dimension);
  }
  if (input->type != kTfLiteInt16) OP_TRY(conv_check_zero_point(context, input, "input"));
  if (s->room < (size_t)scales) {
    s->room = 0;
    s->multipliers = op_persistent(context, (size_t)scales * sizeof *s->multipliers);
    OP_CHECK(context, s->multipliers, "no memory for %d multipliers", scales);
    s->room = (size_t)scales;
  }
  if (input->type == kTfLiteUInt8) OP_TRY(conv_check_bias_scale(context, input, filter, bias, output));
  for (int i = 0; i < scales; i++) {
    double real;
    OP_TRY(input->type == kTfLiteUInt8 ? conv_single_multiplier(context, input, filter, output, &real)
                                       : conv_real_multiplier(context, input, filter, output, i, &real));
    s->multipliers[i] = quant_from_real(real);
  }
  s->out = (requant){.multipliers = s->multipliers, .step = scales > 1, .zero_point = op_zero_point(output)};
  return op_activation_range(context, activation, output, &s->out.low, &s->out.high);
}

TfLiteStatus conv_check_wide_scaling(TfLiteContext *context, const conv_scaling *s, int channels) {
  for (int i = 0; i < (s->out.step ? channels : 1); i++)
    OP_CHECK(context, s->multipliers[i].shift <= 7, "the scales of output channel %d give a multiplier of 2^7 or more", i);
  return kTfLiteOk;
}

// ---- Weights. ----
static void conv_unpack(const TfLiteTensor *filter, int8_t *out) {
  if (filter->type == kTfLiteInt4)
    unpack_s4(filter->data.uint8, op_count(filter), out);
  else
    unpack_s2(filter->data.uint8, op_count(filter), out);
}

TfLiteStatus conv_prepare_weights(TfLiteContext *context, const TfLiteTensor *filter, conv_weights *w) {
  bool packed = conv_is_packed(filter), sparse = op_is_sparse(filter);
  if (!packed && !sparse) {
    w->room = 0;
    return kTfLiteOk;
  }
  OP_CHECK(context, !packed || !sparse, "packed filters cannot be sparse");
  size_t element = packed ? 1 : op_type_size((TfLiteType)filter->type), bytes;
  OP_CHECK(context, checked_mul(op_count(filter), element, &bytes), "the filter is too large");
  if (packed && (ARENITE_MICRO || !op_is_constant(filter))) return op_request_scratch(context, bytes, &w->scratch);
  if (w->room < bytes) {
    w->room = 0;
    w->plain = op_persistent(context, bytes);
    OP_CHECK(context, w->plain, "no memory for plain weights");
    w->room = bytes;
  }
  OP_CHECK(context, filter->data.raw || bytes == 0, "the filter has no data");
  if (sparse) return op_densify(context, filter, element, w->plain);
  conv_unpack(filter, w->plain);
  return kTfLiteOk;
}

const void *conv_weights_of(TfLiteContext *context, const TfLiteTensor *filter, const conv_weights *w) {
  if (w->room) return w->plain;
  if (!conv_is_packed(filter)) return filter->data.raw;
  int8_t *bytes = op_scratch(context, w->scratch);
  conv_unpack(filter, bytes);
  return bytes;
}

// ---- Hybrid. ----
TfLiteStatus conv_prepare_hybrid(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter, size_t rows,
                                 int channels, conv_hybrid *h) {
  int scales = op_scale_count(filter);
  OP_CHECK(context, scales == 1 || scales == channels, "the filter has %d scales for %d output channels", scales, channels);
  if (h->room < (size_t)scales) {
    h->room = 0;
    h->filter_scales = op_persistent(context, (size_t)scales * sizeof *h->filter_scales);
    OP_CHECK(context, h->filter_scales, "no memory for %d scales", scales);
    h->room = (size_t)scales;
  }
  for (int i = 0; i < scales; i++) h->filter_scales[i] = op_channel_scale(filter, i);
  h->filter_step = scales > 1;
  return conv_prepare_quantized_input(context, input, rows, h);
}

TfLiteStatus conv_prepare_quantized_input(TfLiteContext *context, const TfLiteTensor *input, size_t rows, conv_hybrid *h) {
  size_t bytes;
  OP_CHECK(context, checked_mul(rows, sizeof(float), &bytes), "the input is too large");
  OP_TRY(op_request_scratch(context, op_count(input), &h->quantized));
  OP_TRY(op_request_scratch(context, bytes, &h->scales));
  return op_request_scratch(context, bytes, &h->zero_points);
}

void conv_quantize_input(TfLiteContext *context, const float *input, size_t count, size_t rows, bool asymmetric,
                         const conv_hybrid *h) {
  int8_t *quantized = op_scratch(context, h->quantized);
  float *scales = op_scratch(context, h->scales);
  int32_t *zero_points = op_scratch(context, h->zero_points);
  size_t length = rows ? count / rows : 0;
  for (size_t r = 0; r < rows; r++) {
    matvec_quantized q = matvec_quantize(input + r * length, length, asymmetric, quantized + r * length);
    scales[r] = q.scale;
    zero_points[r] = q.zero_point;
  }
}
