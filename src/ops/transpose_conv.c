// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: inputs are the output's shape, filter [out, height, width, in], image, and an optional bias. float32, uint8,
// int8, int16 with int8 filters, and hybrid (float input, int8 filter). Source of the rules: TFLite reference, transpose_conv.cc.
#include "ops/conv_common.h"

typedef struct conv_transposed_state {
  conv_shape shape;
  conv_weights weights;
  union {
    conv_scaling scaling;  // quantised
    struct {               // float and hybrid
      conv_hybrid hybrid;
      float low, high;
    };
  };
  int stride_height, stride_width;
  bool same;
} conv_transposed_state;

static void conv_transposed_parse(fb_table options, void *params) {
  TfLiteTransposeConvParams *p = params;
  *p = (TfLiteTransposeConvParams){
      .padding = op_padding(TransposeConvOptions_padding(options)),
      .stride_width = TransposeConvOptions_stride_w(options),
      .stride_height = TransposeConvOptions_stride_h(options),
      .activation = op_activation(TransposeConvOptions_fused_activation_function(options)),
      .quantized_bias_type = op_type(TransposeConvOptions_quantized_bias_type(options)),
  };
}

// Reads the output's shape, checks that the image follows from it, and resizes the output.
static TfLiteStatus conv_transposed_set_shape(TfLiteContext *context, TfLiteNode *node, conv_transposed_state *state) {
  const TfLiteTensor *shape = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *image = op_input(context, node, 2);
  int dims[4], count;
  OP_TRY(op_read_ints(context, shape, "output shape", 4, dims, &count));
  OP_CHECK(context, count == 4, "the output shape has %d values, 4 are needed", count);
  OP_CHECK(context, dims[0] == op_dim(image, 0) && dims[3] == op_dim(filter, 0),
           "%d batches and %d channels are asked for, there are %d and %d", dims[0], dims[3], op_dim(image, 0),
           op_dim(filter, 0));
  OP_CHECK(context, dims[1] > 0 && dims[2] > 0, "the output shape is empty");
  conv_shape *s = &state->shape;
  *s = (conv_shape){
      .batches = dims[0],
      .in_c = op_dim(image, 3),
      .filter_c = op_dim(image, 3),
      .out_c = dims[3],
      .y = {.in = dims[1], .taps = op_dim(filter, 1), .stride = state->stride_height, .dilation = 1},
      .x = {.in = dims[2], .taps = op_dim(filter, 2), .stride = state->stride_width, .dilation = 1},
  };
  OP_CHECK(context,
           window_fit(&s->y, state->same, NULL) && window_fit(&s->x, state->same, NULL) && s->y.out == op_dim(image, 1) &&
               s->x.out == op_dim(image, 2),
           "a %d x %d output does not follow from a %d x %d image", dims[1], dims[2], op_dim(image, 1), op_dim(image, 2));
  OP_CHECK(context, (int64_t)s->batches * s->y.in <= INT32_MAX, "too many output rows");
  return op_resize(context, op_output(context, node, 0), 4, dims);
}

static TfLiteStatus conv_transposed_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 4, 1));
  const TfLiteTransposeConvParams *p = node->builtin_data;
  const TfLiteTensor *filter = op_input(context, node, 1), *image = op_input(context, node, 2),
                     *bias = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_transposed_state *state = node->user_data;
  OP_TRY(op_check_type(context, op_input(context, node, 0), "output shape", OP_I32));
  OP_TRY(op_check_type(context, image, "input", OP_F32 | OP_U8 | OP_I8 | OP_I16));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(image->type)));
  OP_TRY(op_check_type(context, filter, "filter",
                       image->type == kTfLiteFloat32 ? OP_F32 | OP_I8
                       : image->type == kTfLiteUInt8 ? OP_U8
                                                     : OP_I8));
  OP_CHECK(context, op_rank(image) == 4 && op_rank(filter) == 4, "input and filter have ranks %d and %d, 4 is needed",
           op_rank(image), op_rank(filter));
  for (int i = 0; i < 4; i++)
    OP_CHECK(context, (i == 0 || op_dim(image, i) > 0) && op_dim(filter, i) > 0, "dimension %d of input or filter is empty", i);
  OP_CHECK(context, op_dim(image, 3) == op_dim(filter, 3), "the input has %d channels, the filter %d", op_dim(image, 3),
           op_dim(filter, 3));
  OP_CHECK(context, p->padding == kTfLitePaddingSame || p->padding == kTfLitePaddingValid, "unknown padding");
  state->same = p->padding == kTfLitePaddingSame;
  state->stride_height = p->stride_height;
  state->stride_width = p->stride_width;
  int channels = op_dim(filter, 0);
  OP_TRY(conv_check_bias(context, image, bias, channels));
  if (image->type == kTfLiteFloat32) {
    op_activation_range_f32(p->activation, &state->low, &state->high);
    if (filter->type == kTfLiteInt8)
      OP_TRY(conv_prepare_hybrid(context, image, filter, (size_t)op_dim(image, 0), channels, &state->hybrid));
  } else {
    OP_TRY(conv_prepare_scaling(context, image, filter, bias, output, p->activation, channels, &state->scaling));
    if (image->type == kTfLiteUInt8) OP_TRY(conv_check_zero_point(context, filter, "filter"));
  }
  if (image->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(image) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
    OP_CHECK(context, p->quantized_bias_type == kTfLiteFloat32 || !bias || p->quantized_bias_type == bias->type,
             "the bias is not of the type that the options name");
    if (!bias || bias->type == kTfLiteInt64) OP_TRY(conv_check_wide_scaling(context, &state->scaling, channels));
  }
  OP_TRY(conv_prepare_weights(context, filter, &state->weights));
  if (!op_is_constant(op_input(context, node, 0))) return op_make_dynamic(context, output);
  return conv_transposed_set_shape(context, node, state);
}

static void conv_transposed_eval_float(TfLiteContext *context, const TfLiteTensor *image, const TfLiteTensor *filter,
                                       const float *bias, const conv_transposed_state *state, float *output, int rows) {
  const conv_hybrid *h = &state->hybrid;
  if (filter->type == kTfLiteFloat32) {
    conv_f32_args a = {image->data.f, conv_weights_of(context, filter, &state->weights), bias, output, state->low, state->high};
    conv_transposed_f32(&state->shape, &a, 0, rows);
    return;
  }
  conv_quantize_input(context, image->data.f, op_count(image), (size_t)state->shape.batches, true, h);
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
  conv_transposed_hybrid_rows(&state->shape, &a, 0, rows);
}

static TfLiteStatus conv_transposed_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *filter = op_input(context, node, 1), *image = op_input(context, node, 2),
                     *bias = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  conv_transposed_state *state = node->user_data;
  if (op_is_dynamic(output)) OP_TRY(conv_transposed_set_shape(context, node, state));
  const conv_shape *s = &state->shape;
  if (op_count(output) == 0) return kTfLiteOk;
  int rows = s->batches * s->y.in;
  const int32_t *bias32 = bias ? bias->data.i32 : NULL;
  switch (image->type) {
    case kTfLiteFloat32:
      conv_transposed_eval_float(context, image, filter, bias ? bias->data.f : NULL, state, output->data.f, rows);
      break;
    case kTfLiteUInt8: {
      conv_u8_args a = {image->data.uint8,
                        conv_weights_of(context, filter, &state->weights),
                        bias32,
                        output->data.uint8,
                        op_zero_point(image),
                        op_zero_point(filter),
                        state->scaling.out};
      conv_transposed_u8(s, &a, 0, rows);
      break;
    }
    case kTfLiteInt8: {
      conv_s8_args a = {
          image->data.int8,  conv_weights_of(context, filter, &state->weights), bias32, output->data.int8, op_zero_point(image),
          state->scaling.out};
      conv_transposed_s8(s, &a, 0, rows);
      break;
    }
    default:  // prepare let only int16 through
      if (bias && bias->type == kTfLiteInt32) {
        conv_s16_args a = {image->data.i16, conv_weights_of(context, filter, &state->weights), bias32, output->data.i16,
                           state->scaling.out};
        conv_transposed_s16(s, &a, 0, rows);
      } else {
        conv_s16_wide_args a = {image->data.i16, conv_weights_of(context, filter, &state->weights), bias ? bias->data.i64 : NULL,
                                output->data.i16, state->scaling.out};
        conv_transposed_s16_wide(s, &a, 0, rows);
      }
  }
  return kTfLiteOk;
}

static void conv_transposed_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *filter = op_input(context, node, 1);
  cost->macs = conv_macs(op_input(context, node, 2), filter, op_dim(filter, 3));
}

const op_descriptor arn_op_transpose_conv = {
    OP_ROW(TRANSPOSE_CONV),
    .state_size = sizeof(conv_transposed_state),
    .params_size = sizeof(TfLiteTransposeConvParams),
    .parse = conv_transposed_parse,
    .prepare = conv_transposed_prepare,
    .eval = conv_transposed_eval,
    .cost = conv_transposed_cost,
    .sparse_inputs = 1u << 1,
};
