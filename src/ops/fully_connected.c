// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED: float32; uint8 (to uint8 or int16); int8 and int16 with int8, int4 or int2 filters; int16 with int16 filters;
// hybrid (float input with int8, uint8-typed int8, int4 or int2 filters). Source of the rules: TFLite reference,
// fully_connected.cc.
#include "base/checked.h"
#include "kernels/activate.h"
#include "kernels/fc.h"
#include "ops/conv_common.h"

typedef struct fc_state {
  fc_shape shape;
  conv_weights weights;
  // Quantised. Real multipliers, persistent when there is one a unit, else `scale`; int16 filters use fixed-point ones.
  double *scales;
  size_t room;
  double scale;
  fc_rescale out;
  conv_scaling fixed;
  bool wide;  // 16 bits: 64-bit sums without a bias
  // Float and hybrid.
  conv_hybrid hybrid;
  float low, high;
  bool is_hybrid, asymmetric;
  uint8_t activation;
} fc_state;

static void fc_parse(fb_table options, void *params) {
  TfLiteFullyConnectedParams *p = params;
  *p = (TfLiteFullyConnectedParams){
      .activation = op_activation(FullyConnectedOptions_fused_activation_function(options)),
      .weights_format = FullyConnectedOptions_weights_format(options) == FullyConnectedOptionsWeightsFormat_SHUFFLED4x16INT8
                            ? kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8
                            : kTfLiteFullyConnectedWeightsFormatDefault,
      .keep_num_dims = FullyConnectedOptions_keep_num_dims(options),
      .asymmetric_quantize_inputs = FullyConnectedOptions_asymmetric_quantize_inputs(options),
      .quantized_bias_type = op_type(FullyConnectedOptions_quantized_bias_type(options)),
  };
}

static TfLiteStatus fc_check_types(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                   const TfLiteTensor *output) {
  static const struct {
    uint8_t input;
    uint32_t filters, outputs;
  } allowed[] = {
      {kTfLiteFloat32, OP_F32 | OP_U8 | OP_I8 | OP_I4 | OP_I2, OP_F32},
      {kTfLiteUInt8, OP_U8, OP_U8 | OP_I16},
      {kTfLiteInt8, OP_I8 | OP_I4 | OP_I2, OP_I8},
      {kTfLiteInt16, OP_I8 | OP_I4 | OP_I2 | OP_I16, OP_I16},
  };
  for (size_t i = 0; i < BASE_COUNT(allowed); i++) {
    if (allowed[i].input != (uint8_t)input->type) continue;
    OP_TRY(op_check_type(context, filter, "filter", allowed[i].filters));
    return op_check_type(context, output, "output", allowed[i].outputs);
  }
  return op_check_type(context, input, "input", OP_F32 | OP_U8 | OP_I8 | OP_I16);
}

// Shapes: a filter without columns gives zeros, a batch an input row; otherwise the input is cut into rows as long as the
// filter's.
static TfLiteStatus fc_set_shape(TfLiteContext *context, const TfLiteFullyConnectedParams *p, const TfLiteTensor *input,
                                 const TfLiteTensor *filter, TfLiteTensor *output, fc_shape *s) {
  OP_CHECK(context, op_rank(filter) == 2, "the filter has rank %d, 2 is needed", op_rank(filter));
  int rank = op_rank(input), units = op_dim(filter, 0), depth = op_dim(filter, 1);
  size_t batches = depth == 0 ? op_count_between(input, 0, rank - 1) : op_count(input) / (size_t)depth;
  OP_CHECK(context, batches <= INT32_MAX, "too many batches");
  *s = (fc_shape){batches, (size_t)units, (size_t)depth};
  if (!p->keep_num_dims) return op_resize(context, output, 2, (int[]){(int)batches, units});
  int dims[OP_MAX_RANK];
  OP_CHECK(context, rank >= 1 && rank <= OP_MAX_RANK, "keep_num_dims with an input of rank %d", rank);
  OP_CHECK(context, depth == 0 || op_dim(input, rank - 1) == depth, "the input's last dimension is %d, the filter has %d columns",
           op_dim(input, rank - 1), depth);
  for (int i = 0; i < rank - 1; i++) dims[i] = op_dim(input, i);
  dims[rank - 1] = units;
  return op_resize(context, output, rank, dims);
}

static TfLiteStatus fc_prepare_quantized(TfLiteContext *context, const TfLiteFullyConnectedParams *p, const TfLiteTensor *input,
                                         const TfLiteTensor *filter, const TfLiteTensor *bias, const TfLiteTensor *output,
                                         fc_state *state) {
  int scales = op_scale_count(filter), units = op_dim(filter, 0);
  OP_CHECK(context, op_scale_count(input) > 0 && scales > 0, "input or filter has no quantisation");
  if (scales > 1) {
    OP_CHECK(context, input->type != kTfLiteUInt8, "uint8 filters cannot be quantised per channel");
    OP_CHECK(context, op_quantized_dimension(filter) == 0 && scales == units,
             "the filter has %d scales along dimension %d for %d units", scales, op_quantized_dimension(filter), units);
  } else {
    OP_TRY(conv_check_bias_scale(context, input, filter, bias, output));
  }
  if (state->room < (size_t)scales && scales > 1) {
    size_t bytes;
    OP_CHECK(context, checked_mul((size_t)scales, sizeof *state->scales, &bytes), "too many scales");
    state->room = 0;
    state->scales = op_persistent(context, bytes);
    OP_CHECK(context, state->scales, "no memory for %d scales", scales);
    state->room = (size_t)scales;
  }
  double *real = scales > 1 ? state->scales : &state->scale;
  for (int i = 0; i < scales; i++) OP_TRY(conv_real_multiplier(context, input, filter, output, i, &real[i]));
  state->out = (fc_rescale){.scales = real, .step = scales > 1, .zero_point = op_zero_point(output)};
  if (input->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(input) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
    OP_CHECK(context, p->quantized_bias_type == kTfLiteFloat32 || !bias || p->quantized_bias_type == bias->type,
             "the bias is not of the type that the options name");
  } else {
    OP_TRY(conv_check_zero_point(context, input, "input"));
  }
  OP_TRY(conv_check_zero_point(context, filter, "filter"));
  if (filter->type == kTfLiteInt16) {
    OP_TRY(conv_prepare_scaling(context, input, filter, bias, output, p->activation, units, &state->fixed));
    OP_TRY(conv_check_wide_scaling(context, &state->fixed, units));
  }
  return op_activation_range(context, p->activation, output, &state->out.low, &state->out.high);
}

static TfLiteStatus fc_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteFullyConnectedParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  fc_state *state = node->user_data;
  OP_TRY(fc_check_types(context, input, filter, output));
  OP_TRY(fc_set_shape(context, p, input, filter, output, &state->shape));
  if (state->shape.depth == 0) return kTfLiteOk;
  OP_TRY(conv_check_bias(context, input, bias, op_dim(filter, 0)));
  state->is_hybrid = input->type == kTfLiteFloat32 && filter->type != kTfLiteFloat32;
  state->activation = (uint8_t)p->activation;
  state->asymmetric = p->asymmetric_quantize_inputs;
  OP_CHECK(context, state->is_hybrid || p->activation <= kTfLiteActRelu6,
           "this fused activation needs float input and a quantised filter");
  if (conv_is_packed(filter)) OP_TRY(conv_check_symmetric(context, filter));
  OP_TRY(conv_prepare_weights(context, filter, &state->weights));
  if (input->type != kTfLiteFloat32) return fc_prepare_quantized(context, p, input, filter, bias, output, state);
  if (state->is_hybrid)
    return conv_prepare_hybrid(context, input, filter, state->shape.batches, op_dim(filter, 0), &state->hybrid);
  op_activation_range_f32(p->activation, &state->low, &state->high);
  return kTfLiteOk;
}

static void fc_eval_hybrid(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                           const TfLiteTensor *bias, const fc_state *state, TfLiteTensor *output) {
  const conv_hybrid *h = &state->hybrid;
  const fc_shape *s = &state->shape;
  conv_quantize_input(context, input->data.f, s->batches * s->depth, s->batches, state->asymmetric, h);
  fc_hybrid_args a = {
      .input = op_scratch(context, h->quantized),
      .filter = conv_weights_of(context, filter, &state->weights),
      .bias = bias ? bias->data.f : NULL,
      .output = output->data.f,
      .input_scales = op_scratch(context, h->scales),
      .input_zero_points = op_scratch(context, h->zero_points),
      .filter_scales = h->filter_scales,
      .filter_step = h->filter_step,
  };
  fc_hybrid(s, &a, 0, s->units);
  activate_f32(output->data.f, op_count(output), (activate_kind)state->activation);
}

static void fc_eval_16bit(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter, const TfLiteTensor *bias,
                          const fc_state *state, TfLiteTensor *output) {
  const fc_shape *s = &state->shape;
  const int32_t *bias32 = bias && bias->type == kTfLiteInt32 ? bias->data.i32 : NULL;
  const int64_t *bias64 = bias && bias->type == kTfLiteInt64 ? bias->data.i64 : NULL;
  // A filter with a scale a unit is symmetric, whatever zero points it carries.
  int32_t filter_zero = state->out.step ? 0 : op_zero_point(filter);
  if (filter->type == kTfLiteInt16) {
    fc_s16_s16_args a = {input->data.i16, filter->data.i16, filter_zero, bias32, bias64, output->data.i16, state->fixed.out};
    fc_s16_s16(s, &a, 0, s->units);
  } else {
    fc_s16_args a = {
        input->data.i16, conv_weights_of(context, filter, &state->weights), filter_zero, bias32, bias64, output->data.i16,
        state->out};
    fc_s16(s, &a, 0, s->units);
  }
}

static TfLiteStatus fc_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  const fc_state *state = node->user_data;
  const fc_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  if (s->depth == 0) {
    memset(output->data.raw, 0, op_bytes(output));
    return kTfLiteOk;
  }
  const int32_t *bias32 = bias ? bias->data.i32 : NULL;
  switch (input->type) {
    case kTfLiteFloat32:
      if (state->is_hybrid) {
        fc_eval_hybrid(context, input, filter, bias, state, output);
      } else {
        fc_f32_args a = {input->data.f, filter->data.f, bias ? bias->data.f : NULL, output->data.f, state->low, state->high};
        fc_f32(s, &a, 0, s->units);
      }
      break;
    case kTfLiteUInt8: {
      bool narrow = output->type == kTfLiteUInt8;
      fc_u8_args a = {input->data.uint8,
                      filter->data.uint8,
                      bias32,
                      narrow ? output->data.uint8 : NULL,
                      narrow ? NULL : output->data.i16,
                      op_zero_point(input),
                      op_zero_point(filter),
                      state->out};
      if (narrow)
        fc_u8(s, &a, 0, s->units);
      else
        fc_u8_s16(s, &a, 0, s->units);
      break;
    }
    case kTfLiteInt8: {
      fc_s8_args a = {input->data.int8,     conv_weights_of(context, filter, &state->weights), bias32,    output->data.int8,
                      op_zero_point(input), state->out.step ? 0 : op_zero_point(filter),       state->out};
      fc_s8(s, &a, 0, s->units);
      break;
    }
    default:  // prepare let only int16 through
      fc_eval_16bit(context, input, filter, bias, state, output);
  }
  return kTfLiteOk;
}

static void fc_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = conv_macs(op_output(context, node, 0), filter, op_dim(filter, 0));
}

const op_descriptor arn_op_fully_connected = {
    OP_ROW(FULLY_CONNECTED), .state_size = sizeof(fc_state), .params_size = sizeof(TfLiteFullyConnectedParams),
    .parse = fc_parse,       .prepare = fc_prepare,          .eval = fc_eval,
    .cost = fc_cost,
};
