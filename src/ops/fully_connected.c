// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED: float32; uint8 (to uint8 or int16); int8 and int16 with int8, int4 or int2 filters; int16 with int16 filters;
// hybrid (float input with int8, uint8-typed int8, int4 or int2 filters). Source of the rules: TFLite reference,
// fully_connected.cc.
#include "base/checked.h"
#include "kernels/activate.h"
#include "kernels/fc_packed.h"
#include "ops/conv_common.h"
#include "ops/sparse_common.h"

typedef enum fc_kind {
  FC_EMPTY,  // a filter without columns: zeros
  FC_F32,
  FC_HYBRID,
  FC_BLOCKWISE,
  FC_U8,
  FC_U8_S16,
  FC_SHUFFLED,
  FC_S8,
  FC_S8_SPARSE,
  FC_S16,
  FC_S16_S16,
} fc_kind;

typedef struct fc_state {
  fc_shape shape;
  conv_weights weights;
  uint8_t kind, activation;
  bool asymmetric;
  union {
    struct {  // FC_U8, FC_U8_S16, FC_S8, FC_S16: real multipliers, persistent when there is one a unit, else `scale`
      double scale;
      double *scales;
      size_t room;
      fc_rescale out;
    };
    conv_scaling fixed;  // FC_SHUFFLED, FC_S8_SPARSE, FC_S16_S16
    struct {             // float and hybrid
      conv_hybrid hybrid;
      float low, high;
      int block, block_scales, unpacked;  // FC_BLOCKWISE: columns of a block, the tensor of scales, scratch
    };
  };
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

static TfLiteStatus fc_choose_kind(TfLiteContext *context, const TfLiteFullyConnectedParams *p, const TfLiteTensor *input,
                                   const TfLiteTensor *filter, const TfLiteTensor *output, uint8_t *kind) {
  static const struct {
    uint8_t input, output, kind;
    uint32_t filters;
  } rows[] = {
      {kTfLiteFloat32, kTfLiteFloat32, FC_F32, OP_F32},
      {kTfLiteFloat32, kTfLiteFloat32, FC_HYBRID, OP_U8 | OP_I8 | OP_I4 | OP_I2},
      {kTfLiteUInt8, kTfLiteUInt8, FC_U8, OP_U8},
      {kTfLiteUInt8, kTfLiteInt16, FC_U8_S16, OP_U8},
      {kTfLiteInt8, kTfLiteInt8, FC_S8, OP_I8 | OP_I4 | OP_I2},
      {kTfLiteInt16, kTfLiteInt16, FC_S16, OP_I8 | OP_I4 | OP_I2},
      {kTfLiteInt16, kTfLiteInt16, FC_S16_S16, OP_I16},
  };
  size_t i = 0;
  while (i < BASE_COUNT(rows) && !(rows[i].input == (uint8_t)input->type && rows[i].output == (uint8_t)output->type &&
                                   (rows[i].filters & OP_TYPE(filter->type))))
    i++;
  OP_CHECK(context, i < BASE_COUNT(rows), "%s input, %s filter and %s output do not go together",
           op_type_name((TfLiteType)input->type), op_type_name((TfLiteType)filter->type), op_type_name((TfLiteType)output->type));
  *kind = rows[i].kind;
  bool sparse = op_is_sparse(filter);
  if (p->weights_format == kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8) {
    OP_CHECK(context, *kind == FC_U8_S16 && !sparse, "shuffled weights need uint8 input, uint8 weights and int16 output");
    *kind = FC_SHUFFLED;
  } else if (sparse && *kind == FC_S8) {
    *kind = FC_S8_SPARSE;
  }
  return kTfLiteOk;
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

// Multipliers in fixed point. A single one is made of the product of the scales in single precision.
static TfLiteStatus fc_prepare_fixed(TfLiteContext *context, const TfLiteFullyConnectedParams *p, const TfLiteTensor *input,
                                     const TfLiteTensor *filter, const TfLiteTensor *bias, const TfLiteTensor *output,
                                     fc_state *state) {
  int units = op_dim(filter, 0);
  OP_TRY(conv_prepare_scaling(context, input, filter, bias, output, p->activation, units, &state->fixed));
  if (op_scale_count(filter) == 1) {
    double real;
    OP_TRY(conv_single_multiplier(context, input, filter, output, &real));
    state->fixed.multipliers[0] = quant_from_real(real);
  }
  return state->kind == FC_S16_S16 ? conv_check_wide_scaling(context, &state->fixed, units) : kTfLiteOk;
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
  if (input->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(input) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
    OP_CHECK(context, p->quantized_bias_type == kTfLiteFloat32 || !bias || p->quantized_bias_type == bias->type,
             "the bias is not of the type that the options name");
  } else {
    OP_TRY(conv_check_zero_point(context, input, "input"));
  }
  OP_TRY(conv_check_zero_point(context, filter, "filter"));
  if (state->kind == FC_S8_SPARSE) OP_TRY(conv_check_symmetric(context, filter));
  if (state->kind == FC_SHUFFLED || state->kind == FC_S8_SPARSE || state->kind == FC_S16_S16)
    return fc_prepare_fixed(context, p, input, filter, bias, output, state);
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
  return op_activation_range(context, p->activation, output, &state->out.low, &state->out.high);
}

// The second output takes the input in the weights' order.
static TfLiteStatus fc_prepare_shuffled(TfLiteContext *context, TfLiteNode *node, const fc_shape *s) {
  TfLiteTensor *workspace = op_output(context, node, 1);
  OP_TRY(op_check_type(context, workspace, "workspace", OP_U8));
  OP_CHECK(context, (s->batches == 1 || s->batches == 4) && s->units % 4 == 0 && s->depth % 16 == 0,
           "shuffled weights are for 1 or 4 batches, units by fours and columns by sixteens, not %d, %d and %d", (int)s->batches,
           (int)s->units, (int)s->depth);
  return op_resize(context, workspace, 2, (int[]){(int)s->batches, (int)s->depth});
}

#if ARENITE_MICRO
static bool fc_is_blockwise(const TfLiteTensor *filter) {
  (void)filter;
  return false;
}
static TfLiteStatus fc_prepare_blockwise(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                         fc_state *state) {
  (void)input, (void)filter, (void)state;
  OP_FAIL(context, "a micro build has no blockwise quantisation");
}
#else
static bool fc_is_blockwise(const TfLiteTensor *filter) { return filter->quantization.type == kTfLiteBlockwiseQuantization; }

static TfLiteStatus fc_prepare_blockwise(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *filter,
                                         fc_state *state) {
  const TfLiteBlockwiseQuantization *q = filter->quantization.params;
  const fc_shape *s = &state->shape;
  OP_CHECK(context, filter->type == kTfLiteInt4 && q->blocksize > 0 && s->depth % (size_t)q->blocksize == 0 && s->depth % 2 == 0,
           "blocks of %d columns do not fit %d columns of %s", q->blocksize, (int)s->depth, op_type_name(filter->type));
  OP_CHECK(context, q->scale >= 0 && (size_t)q->scale < context->tensors_size, "the filter's block scales are in no tensor");
  const TfLiteTensor *scales = &context->tensors[q->scale];
  OP_TRY(op_check_type(context, scales, "tensor of block scales", OP_F16));
  OP_CHECK(context, op_is_constant(scales) && op_count(scales) == s->units * (s->depth / (size_t)q->blocksize),
           "%d block scales for %d units of %d columns, blocks of %d", (int)op_count(scales), (int)s->units, (int)s->depth,
           q->blocksize);
  state->block = q->blocksize;
  state->block_scales = q->scale;
  OP_TRY(op_request_scratch(context, (size_t)q->blocksize, &state->unpacked));
  return conv_prepare_quantized_input(context, input, s->batches, &state->hybrid);
}
#endif

static TfLiteStatus fc_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteFullyConnectedParams *p = node->builtin_data;
  bool shuffled = p->weights_format == kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8;
  OP_TRY(op_check_counts(context, node, 2, 3, shuffled ? 2 : 1));
  const TfLiteTensor *input = op_input(context, node, 0), *filter = op_input(context, node, 1),
                     *bias = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  fc_state *state = node->user_data;
  OP_TRY(fc_choose_kind(context, p, input, filter, output, &state->kind));
  OP_TRY(fc_set_shape(context, p, input, filter, output, &state->shape));
  if (state->shape.depth == 0) {
    state->kind = FC_EMPTY;
    return kTfLiteOk;
  }
  OP_TRY(conv_check_bias(context, input, bias, op_dim(filter, 0)));
  state->activation = (uint8_t)p->activation;
  state->asymmetric = p->asymmetric_quantize_inputs;
  OP_CHECK(context, state->kind == FC_HYBRID || p->activation <= kTfLiteActRelu6,
           "this fused activation needs float input and a quantised filter");
  if (state->kind == FC_SHUFFLED) OP_TRY(fc_prepare_shuffled(context, node, &state->shape));
  if (state->kind == FC_HYBRID && fc_is_blockwise(filter)) {
    state->kind = FC_BLOCKWISE;
    return fc_prepare_blockwise(context, input, filter, state);
  }
  if (conv_is_packed(filter)) OP_TRY(conv_check_symmetric(context, filter));
  OP_TRY(conv_prepare_weights(context, filter, &state->weights));
  if (state->kind == FC_F32) {
    op_activation_range_f32(p->activation, &state->low, &state->high);
    return kTfLiteOk;
  }
  if (state->kind == FC_HYBRID)
    return conv_prepare_hybrid(context, input, filter, state->shape.batches, op_dim(filter, 0), &state->hybrid);
  return fc_prepare_quantized(context, p, input, filter, bias, output, state);
}

static void fc_eval_hybrid(TfLiteContext *context, const TfLiteTensor *input, const void *weights, const float *bias,
                           const fc_state *state, TfLiteTensor *output) {
  const conv_hybrid *h = &state->hybrid;
  const fc_shape *s = &state->shape;
  bool blockwise = state->kind == FC_BLOCKWISE;  // those are always quantised asymmetrically
  conv_quantize_input(context, input->data.f, s->batches * s->depth, s->batches, blockwise || state->asymmetric, h);
  if (blockwise) {
    fc_blockwise_args a = {
        .input = op_scratch(context, h->quantized),
        .input_scales = op_scratch(context, h->scales),
        .input_zero_points = op_scratch(context, h->zero_points),
        .weights = weights,
        .scales = (const uint16_t *)context->tensors[state->block_scales].data.raw,
        .block = (size_t)state->block,
        .bias = bias,
        .output = output->data.f,
        .unpacked = op_scratch(context, state->unpacked),
    };
    fc_blockwise(s, &a, 0, s->units);
  } else {
    fc_hybrid_args a = {
        .input = op_scratch(context, h->quantized),
        .filter = weights,
        .bias = bias,
        .output = output->data.f,
        .input_scales = op_scratch(context, h->scales),
        .input_zero_points = op_scratch(context, h->zero_points),
        .filter_scales = h->filter_scales,
        .filter_step = h->filter_step,
    };
    fc_hybrid(s, &a, 0, s->units);
  }
  activate_f32(output->data.f, op_count(output), (activate_kind)state->activation);
}

static void fc_eval_8bit(const TfLiteTensor *input, const void *weights, int32_t filter_zero, const int32_t *bias,
                         const fc_state *state, TfLiteTensor *output, TfLiteTensor *workspace) {
  const fc_shape *s = &state->shape;
  int32_t input_zero = op_zero_point(input);
  if (state->kind == FC_SHUFFLED) {
    fc_shuffled_args a = {input->data.uint8, weights, bias, output->data.i16, workspace->data.uint8, state->fixed.out};
    fc_shuffled(s, &a);
  } else if (state->kind == FC_U8) {
    fc_u8_args a = {input->data.uint8, weights, bias, output->data.uint8, NULL, input_zero, filter_zero, state->out};
    fc_u8(s, &a, 0, s->units);
  } else if (state->kind == FC_U8_S16) {
    fc_u8_args a = {input->data.uint8, weights, bias, NULL, output->data.i16, input_zero, filter_zero, state->out};
    fc_u8_s16(s, &a, 0, s->units);
  } else if (state->kind == FC_S8) {
    fc_s8_args a = {input->data.int8, weights, bias, output->data.int8, input_zero, filter_zero, state->out};
    fc_s8(s, &a, 0, s->units);
  } else {  // sparse: what a 1 x 1 convolution over an image of batches does
    int depth = (int)s->depth, batches = (int)s->batches;
    conv_shape one = {1, depth, depth, (int)s->units, {1, 1, 1, 1, 1, 0}, {batches, batches, 1, 1, 1, 0}};
    conv_s8_args a = {input->data.int8, weights, bias, output->data.int8, input_zero, state->fixed.out};
    conv_s8(&one, &a, 0, 1);
  }
}

static void fc_eval_16bit(const TfLiteTensor *input, const void *weights, int32_t filter_zero, const TfLiteTensor *bias,
                          const fc_state *state, TfLiteTensor *output) {
  const fc_shape *s = &state->shape;
  const int32_t *bias32 = bias && bias->type == kTfLiteInt32 ? bias->data.i32 : NULL;
  const int64_t *bias64 = bias && bias->type == kTfLiteInt64 ? bias->data.i64 : NULL;
  if (state->kind == FC_S16_S16) {
    fc_s16_s16_args a = {input->data.i16, weights, filter_zero, bias32, bias64, output->data.i16, state->fixed.out};
    fc_s16_s16(s, &a, 0, s->units);
  } else {
    fc_s16_args a = {input->data.i16, weights, filter_zero, bias32, bias64, output->data.i16, state->out};
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
  if (state->kind == FC_EMPTY) {
    memset(output->data.raw, 0, op_bytes(output));
    return kTfLiteOk;
  }
  const void *weights = state->kind == FC_BLOCKWISE ? filter->data.raw : conv_weights_of(context, filter, &state->weights);
  // A filter with a scale a unit is symmetric, whatever zero points it carries.
  int32_t filter_zero = op_scale_count(filter) > 1 ? 0 : op_zero_point(filter);
  switch ((fc_kind)state->kind) {
    case FC_F32: {
      fc_f32_args a = {input->data.f, weights, bias ? bias->data.f : NULL, output->data.f, state->low, state->high};
      fc_f32(s, &a, 0, s->units);
      break;
    }
    case FC_HYBRID:
    case FC_BLOCKWISE: fc_eval_hybrid(context, input, weights, bias ? bias->data.f : NULL, state, output); break;
    case FC_S16:
    case FC_S16_S16: fc_eval_16bit(input, weights, filter_zero, bias, state, output); break;
    default: fc_eval_8bit(input, weights, filter_zero, bias ? bias->data.i32 : NULL, state, output, op_output(context, node, 1));
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
    .cost = fc_cost,         .sparse_inputs = 1u << 1,
};
