// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D: float32, uint8, int8, int16 with int8 or int4 filters, and hybrid (float input, int8 filter).
// Source of the rules: TFLite reference, depthwise_conv.cc. The depth multiplier of the options is not used: the shapes say it.
#include "kernels/dwconv.h"
#include "ops/conv_common.h"

typedef struct dwconv_state {
  conv_shape shape;
  conv_weights weights;
  union {
    conv_scaling scaling;  // quantised
    struct {               // float and hybrid
      conv_hybrid hybrid;
      float low, high;
    };
  };
} dwconv_state;

static void dwconv_parse(fb_table options, void *params) {
  TfLiteDepthwiseConvParams *p = params;
  *p = (TfLiteDepthwiseConvParams){
      .padding = op_padding(DepthwiseConv2DOptions_padding(options)),
      .stride_width = DepthwiseConv2DOptions_stride_w(options),
      .stride_height = DepthwiseConv2DOptions_stride_h(options),
      .depth_multiplier = DepthwiseConv2DOptions_depth_multiplier(options),
      .activation = op_activation(DepthwiseConv2DOptions_fused_activation_function(options)),
      .dilation_width_factor = DepthwiseConv2DOptions_dilation_w_factor(options),
      .dilation_height_factor = DepthwiseConv2DOptions_dilation_h_factor(options),
  };
}

static TfLiteStatus dwconv_set_shape(TfLiteContext *context, const TfLiteDepthwiseConvParams *p, const TfLiteTensor *input,
                                     const TfLiteTensor *filter, conv_shape *s) {
  OP_CHECK(context, op_rank(input) == 4 && op_rank(filter) == 4, "input and filter have ranks %d and %d, 4 is needed",
           op_rank(input), op_rank(filter));
  for (int i = 1; i < 4; i++)
    OP_CHECK(context, op_dim(input, i) > 0 && op_dim(filter, i) > 0, "dimension %d of input or filter is empty", i);
  OP_CHECK(context, op_dim(filter, 0) == 1, "the filter's first dimension is %d, 1 is needed", op_dim(filter, 0));
  *s = (conv_shape){
      .batches = op_dim(input, 0),
      .in_c = op_dim(input, 3),
      .filter_c = 1,
      .out_c = op_dim(filter, 3),
      .y = {.in = op_dim(input, 1), .taps = op_dim(filter, 1), .stride = p->stride_height, .dilation = p->dilation_height_factor},
      .x = {.in = op_dim(input, 2), .taps = op_dim(filter, 2), .stride = p->stride_width, .dilation = p->dilation_width_factor},
  };
  OP_CHECK(context,
           s->y.stride <= INT16_MAX && s->x.stride <= INT16_MAX && s->y.dilation <= INT16_MAX && s->x.dilation <= INT16_MAX,
           "strides and dilations are limited to %d", INT16_MAX);
  OP_CHECK(context, s->out_c % s->in_c == 0, "%d input channels do not divide the filter's %d channels", s->in_c, s->out_c);
  bool same = p->padding == kTfLitePaddingSame;
  OP_CHECK(context, same || p->padding == kTfLitePaddingValid, "unknown padding");
  OP_CHECK(context, window_fit(&s->y, same, NULL) && window_fit(&s->x, same, NULL),
           "a %d x %d filter, strides %d and %d, dilations %d and %d do not fit a %d x %d image", s->y.taps, s->x.taps,
           s->y.stride, s->x.stride, s->y.dilation, s->x.dilation, s->y.in, s->x.in);
  OP_CHECK(context, (int64_t)s->batches * s->y.out <= INT32_MAX, "too many output rows");
  return kTfLiteOk;
}

static TfLiteStatus dwconv_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteDepthwiseConvParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  dwconv_state *state = node->user_data;
  OP_TRY(op_check_type(context, input, "input", OP_F32 | OP_U8 | OP_I8 | OP_I16));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_TRY(op_check_type(context, filter, "filter",
                       input->type == kTfLiteFloat32 ? OP_F32 | OP_I8
                       : input->type == kTfLiteUInt8 ? OP_U8
                                                     : OP_I8 | OP_I4));
  OP_TRY(dwconv_set_shape(context, p, input, filter, &state->shape));
  const conv_shape *s = &state->shape;
  OP_TRY(conv_check_bias(context, input, bias, s->out_c));
  if (input->type == kTfLiteFloat32) {
    op_activation_range_f32(p->activation, &state->low, &state->high);
    if (filter->type == kTfLiteInt8)
      OP_TRY(conv_prepare_hybrid(context, input, filter, (size_t)s->batches, s->out_c, &state->hybrid));
  } else {
    OP_TRY(conv_prepare_scaling(context, input, filter, bias, output, p->activation, s->out_c, &state->scaling));
    if (input->type == kTfLiteUInt8) OP_TRY(conv_check_zero_point(context, filter, "filter"));
  }
  if (input->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(input) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
    if (bias) OP_TRY(op_check_type(context, bias, "bias", OP_I64));
    OP_TRY(conv_check_wide_scaling(context, &state->scaling, s->out_c));
  }
  OP_TRY(conv_prepare_weights(context, filter, &state->weights));
  return op_resize(context, output, 4, (int[]){s->batches, s->y.out, s->x.out, s->out_c});
}

static void dwconv_eval_hybrid(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter, const float *bias,
                               const dwconv_state *state, float *output, int rows) {
  const conv_hybrid *h = &state->hybrid;
  conv_quantize_input(context, input->data.f, op_count(input), (size_t)state->shape.batches, true, h);
  conv_hybrid_args a = {
      .input = op_scratch(context, h->quantized),
      .filter = conv_weights_of(context, filter, &state->weights),
      .bias = bias,
      .output = output,
      .input_scales = op_scratch(context, h->scales),
      .input_zero_points = op_scratch(context, h->zero_points),
      .filter_scales = h->filter_scales,
      .filter_step = h->filter_step,
      .low = state->low,
      .high = state->high,
  };
  dwconv_hybrid_rows(&state->shape, &a, 0, rows);
}

static TfLiteStatus dwconv_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  const dwconv_state *state = node->user_data;
  const conv_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  int rows = s->batches * s->y.out;
  const int32_t *bias32 = bias ? bias->data.i32 : NULL;
  switch (input->type) {
    case kTfLiteFloat32:
      if (filter->type == kTfLiteInt8) {
        dwconv_eval_hybrid(context, input, filter, bias ? bias->data.f : NULL, state, output->data.f, rows);
      } else {
        conv_f32_args a = {input->data.f,
                           conv_weights_of(context, filter, &state->weights),
                           bias ? bias->data.f : NULL,
                           output->data.f,
                           state->low,
                           state->high};
        for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) dwconv_f32(s, &a, w.first, w.end);
      }
      break;
    case kTfLiteUInt8: {
      conv_u8_args a = {input->data.uint8,     filter->data.uint8, bias32, output->data.uint8, op_zero_point(input),
                        op_zero_point(filter), state->scaling.out};
      for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) dwconv_u8(s, &a, w.first, w.end);
      break;
    }
    case kTfLiteInt8: {
      conv_s8_args a = {
          input->data.int8,  conv_weights_of(context, filter, &state->weights), bias32, output->data.int8, op_zero_point(input),
          state->scaling.out};
      for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) dwconv_s8(s, &a, w.first, w.end);
      break;
    }
    default: {  // prepare let only int16 through
      conv_s16_wide_args a = {input->data.i16, conv_weights_of(context, filter, &state->weights), bias ? bias->data.i64 : NULL,
                              output->data.i16, state->scaling.out};
      for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) dwconv_s16_wide(s, &a, w.first, w.end);
    }
  }
  return kTfLiteOk;
}

// Hybrid ones quantise the whole input first, in pieces of their own: they keep apart.
static void dwconv_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const dwconv_state *state = node->user_data;
  const window_axis *y = &state->shape.y;
  if (op_input(context, node, 0)->type == kTfLiteFloat32 && op_input(context, node, 1)->type == kTfLiteInt8)
    share->kind = OP_SEPARATE;
  else
    op_share_rows(share, op_input(context, node, 0), op_output(context, node, 0), y->stride, y->pad, y->taps, y->dilation);
}

static void dwconv_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = conv_macs(op_output(context, node, 0), filter, op_dim(filter, 3));
}

const op_descriptor arn_op_depthwise_conv_2d = {
    OP_ROW(DEPTHWISE_CONV_2D),
    .state_size = sizeof(dwconv_state),
    .params_size = sizeof(TfLiteDepthwiseConvParams),
    .parse = dwconv_parse,
    .prepare = dwconv_prepare,
    .eval = dwconv_eval,
    .cost = dwconv_cost,
    .in_place = OP_ROWS,
    .share = dwconv_share,
    .sparse_inputs = 1u << 1,
};
