// SPDX-License-Identifier: Apache-2.0
// CONV_2D: float32, uint8, int8, int16 with int8 or int4 filters, and hybrid (float input, int8 or int4 filter).
// Source of the rules: TFLite reference, conv.cc.
#include "ops/conv_common.h"

typedef struct conv_2d_state {
  conv_shape shape;
  conv_weights weights;
  union {
    conv_scaling scaling;  // quantised
    struct {               // float and hybrid
      conv_hybrid hybrid;
      float low, high;
    };
  };
  bool is_hybrid, asymmetric;
} conv_2d_state;

static void conv_2d_parse(fb_table options, void *params) {
  TfLiteConvParams *p = params;
  *p = (TfLiteConvParams){
      .padding = op_padding(Conv2DOptions_padding(options)),
      .stride_width = Conv2DOptions_stride_w(options),
      .stride_height = Conv2DOptions_stride_h(options),
      .activation = op_activation(Conv2DOptions_fused_activation_function(options)),
      .dilation_width_factor = Conv2DOptions_dilation_w_factor(options),
      .dilation_height_factor = Conv2DOptions_dilation_h_factor(options),
      .quantized_bias_type = op_type(Conv2DOptions_quantized_bias_type(options)),
  };
}

static TfLiteStatus conv_2d_set_shape(TfLiteContext *context, const TfLiteConvParams *p, const TfLiteTensor *input,
                                      const TfLiteTensor *filter, conv_shape *s) {
  OP_CHECK(context, op_rank(input) == 4 && op_rank(filter) == 4, "input and filter have ranks %d and %d, 4 is needed",
           op_rank(input), op_rank(filter));
  for (int i = 0; i < 4; i++)
    OP_CHECK(context, (i == 0 || op_dim(input, i) > 0) && op_dim(filter, i) > 0, "dimension %d of input or filter is empty", i);
  *s = (conv_shape){
      .batches = op_dim(input, 0),
      .in_c = op_dim(input, 3),
      .filter_c = op_dim(filter, 3),
      .out_c = op_dim(filter, 0),
      .y = {.in = op_dim(input, 1), .taps = op_dim(filter, 1), .stride = p->stride_height, .dilation = p->dilation_height_factor},
      .x = {.in = op_dim(input, 2), .taps = op_dim(filter, 2), .stride = p->stride_width, .dilation = p->dilation_width_factor},
  };
  OP_CHECK(context, op_count(filter) <= INT32_MAX, "the filter is too large");
  OP_CHECK(context, s->in_c % s->filter_c == 0, "the filter's %d input channels do not divide the input's %d", s->filter_c,
           s->in_c);
  OP_CHECK(context, s->out_c % (s->in_c / s->filter_c) == 0, "%d groups do not divide %d output channels", s->in_c / s->filter_c,
           s->out_c);
  bool same = p->padding == kTfLitePaddingSame;
  OP_CHECK(context, same || p->padding == kTfLitePaddingValid, "unknown padding");
  OP_CHECK(context, window_fit(&s->y, same, NULL) && window_fit(&s->x, same, NULL),
           "a %d x %d filter, strides %d and %d, dilations %d and %d do not fit a %d x %d image", s->y.taps, s->x.taps,
           s->y.stride, s->x.stride, s->y.dilation, s->x.dilation, s->y.in, s->x.in);
  OP_CHECK(context, (int64_t)s->batches * s->y.out <= INT32_MAX, "too many output rows");
  return kTfLiteOk;
}

static bool conv_2d_scales_differ(const TfLiteTensor *filter) {
  for (int i = 1; i < op_scale_count(filter); i++) {
    if (op_channel_scale(filter, i) != op_channel_scale(filter, 0)) return true;
  }
  return false;
}

static TfLiteStatus conv_2d_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteConvParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_2d_state *state = node->user_data;
  OP_TRY(op_check_type(context, input, "input", OP_F32 | OP_U8 | OP_I8 | OP_I16));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_TRY(op_check_type(context, filter, "filter",
                       input->type == kTfLiteFloat32 ? OP_F32 | OP_U8 | OP_I8 | OP_I4
                       : input->type == kTfLiteUInt8 ? OP_U8
                                                     : OP_I8 | OP_I4));
  OP_TRY(conv_2d_set_shape(context, p, input, filter, &state->shape));
  const conv_shape *s = &state->shape;
  OP_TRY(conv_check_bias(context, input, bias, s->out_c));
  state->is_hybrid = input->type == kTfLiteFloat32 && filter->type != kTfLiteFloat32;
  if (input->type == kTfLiteFloat32) {
    op_activation_range_f32(p->activation, &state->low, &state->high);
    if (state->is_hybrid) {
      // The reference quantises symmetrically where one scale serves all channels, and has no such path for groups.
      state->asymmetric = conv_2d_scales_differ(filter) || s->filter_c != s->in_c;
      OP_TRY(conv_prepare_hybrid(context, input, filter, (size_t)s->batches, s->out_c, &state->hybrid));
    }
  } else {
    OP_TRY(conv_prepare_scaling(context, input, filter, bias, output, p->activation, s->out_c, &state->scaling));
    if (input->type == kTfLiteUInt8)
      OP_TRY(conv_check_zero_point(context, filter, "filter"));
    else
      OP_TRY(conv_check_symmetric(context, filter));
  }
  if (input->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(input) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
    OP_CHECK(context, p->quantized_bias_type == kTfLiteFloat32 || !bias || p->quantized_bias_type == bias->type,
             "the bias is not of the type that the options name");
    if (!bias || bias->type == kTfLiteInt64) OP_TRY(conv_check_wide_scaling(context, &state->scaling, s->out_c));
  }
  OP_TRY(conv_prepare_weights(context, filter, &state->weights));
  return op_resize(context, output, 4, (int[]){s->batches, s->y.out, s->x.out, s->out_c});
}

static void conv_2d_eval_16bit(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                               const TfLiteTensor *bias, const conv_2d_state *state, TfLiteTensor *output, int rows) {
  const int8_t *weights = conv_weights_of(context, filter, &state->weights);
  if (bias && bias->type == kTfLiteInt32) {
    conv_s16_args a = {input->data.i16, weights, bias->data.i32, output->data.i16, state->scaling.out};
    for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_s16(&state->shape, &a, w.first, w.end);
  } else {
    conv_s16_wide_args a = {input->data.i16, weights, bias ? bias->data.i64 : NULL, output->data.i16, state->scaling.out};
    for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_s16_wide(&state->shape, &a, w.first, w.end);
  }
}

// Where one filter scale serves all channels, it is multiplied into the images' scales first, as the reference does: a product
// rounded otherwise may tip the next layer's quantisation.
static void conv_2d_eval_hybrid(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter, const float *bias,
                                const conv_2d_state *state, float *output, int rows) {
  static const float one = 1.0f;
  const conv_hybrid *h = &state->hybrid;
  float *input_scales = op_scratch(context, h->scales);
  bool per_channel = state->asymmetric;
  conv_quantize_input(context, input->data.f, op_count(input), (size_t)state->shape.batches, state->asymmetric, h);
  for (int b = 0; !per_channel && b < state->shape.batches; b++) input_scales[b] *= h->filter_scales[0];
  conv_hybrid_args a = {
      .input = op_scratch(context, h->quantized),
      .filter = conv_weights_of(context, filter, &state->weights),
      .bias = bias,
      .output = output,
      .input_scales = input_scales,
      .input_zero_points = op_scratch(context, h->zero_points),
      .filter_scales = per_channel ? h->filter_scales : &one,
      .filter_step = per_channel ? h->filter_step : 0,
      .low = state->low,
      .high = state->high,
  };
  conv_hybrid_rows(&state->shape, &a, 0, rows);
}

static TfLiteStatus conv_2d_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  const conv_2d_state *state = node->user_data;
  const conv_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  int rows = s->batches * s->y.out;
  const int32_t *bias32 = bias ? bias->data.i32 : NULL;
  switch (input->type) {
    case kTfLiteFloat32:
      if (state->is_hybrid) {
        conv_2d_eval_hybrid(context, input, filter, bias ? bias->data.f : NULL, state, output->data.f, rows);
      } else {
        conv_f32_args a = {input->data.f,
                           conv_weights_of(context, filter, &state->weights),
                           bias ? bias->data.f : NULL,
                           output->data.f,
                           state->low,
                           state->high};
        for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_f32(s, &a, w.first, w.end);
      }
      break;
    case kTfLiteUInt8: {
      conv_u8_args a = {input->data.uint8,     filter->data.uint8, bias32, output->data.uint8, op_zero_point(input),
                        op_zero_point(filter), state->scaling.out};
      for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_u8(s, &a, w.first, w.end);
      break;
    }
    case kTfLiteInt8: {
      conv_s8_args a = {
          input->data.int8,  conv_weights_of(context, filter, &state->weights), bias32, output->data.int8, op_zero_point(input),
          state->scaling.out};
      for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_s8(s, &a, w.first, w.end);
      break;
    }
    default:  // prepare let only int16 through
      conv_2d_eval_16bit(context, input, filter, bias, state, output, rows);
  }
  return kTfLiteOk;
}

// Hybrid ones quantise the whole input first, in pieces of their own: they keep apart.
static void conv_2d_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const conv_2d_state *state = node->user_data;
  const window_axis *y = &state->shape.y;
  if (state->is_hybrid)
    share->kind = OP_SEPARATE;
  else
    op_share_rows(share, op_input(context, node, 0), op_output(context, node, 0), y->stride, y->pad, y->taps, y->dilation);
}

static void conv_2d_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = conv_macs(op_output(context, node, 0), filter, op_dim(filter, 0));
}

const op_descriptor arn_op_conv_2d = {
    OP_ROW(CONV_2D),
    .state_size = sizeof(conv_2d_state),
    .params_size = sizeof(TfLiteConvParams),
    .parse = conv_2d_parse,
    .prepare = conv_2d_prepare,
    .eval = conv_2d_eval,
    .cost = conv_2d_cost,
    .in_place = OP_ROWS,
    .share = conv_2d_share,
    .sparse_inputs = 1u << 1,
};
