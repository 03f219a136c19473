// SPDX-License-Identifier: Apache-2.0
// SVDF. Inputs: 0 input [batches, inputs], 1 feature weights [filters, inputs], 2 time weights [filters, memory], 3 bias [units]
// (optional), 4 state [batches, memory * filters] (variable). Output [batches, units], units = filters / rank. Float, hybrid
// (int8 weights) or int8 with an int16 or (TFLite Micro) int8 state.
#include <math.h>

#include "kernels/matvec.h"
#include "kernels/svdf_filter.h"
#include "ops/op.h"

typedef struct svdf_op {
  svdf_shape shape;
  svdf_quantized quantized;
  float feature_scale, time_scale;
  int32_t input_zero_point;
  uint8_t activation;
  bool asymmetric;
  bool needs_sums;
  int32_t *sums;     // of the feature weights' rows; int8: times -zero point. Kept when the weights are constant
  int sums_scratch;  // otherwise where eval puts them
  int q_scratch;
} svdf_op;

static void svdf_parse(fb_table options, void *params) {
  TfLiteSVDFParams *p = params;
  p->rank = SVDFOptions_rank(options);
  p->activation = op_activation(SVDFOptions_fused_activation_function(options));
  p->asymmetric_quantize_inputs = SVDFOptions_asymmetric_quantize_inputs(options);
}

static void svdf_fill_sums(const svdf_op *op, const int8_t *weights, int32_t *sums) {
  matvec_row_sums_s8(weights, op->shape.filters, op->shape.inputs, sums);
  if (op->asymmetric) return;
  for (size_t f = 0; f < op->shape.filters; f++) sums[f] = (int32_t)(0u - (uint32_t)sums[f] * (uint32_t)op->input_zero_point);
}

static TfLiteStatus svdf_check_shapes(TfLiteContext *context, TfLiteNode *node, int rank, svdf_shape *shape) {
  const TfLiteTensor *input = op_input(context, node, 0), *feature = op_input(context, node, 1),
                     *time = op_input(context, node, 2);
  const TfLiteTensor *bias = op_input(context, node, 3), *state = op_input(context, node, 4);
  OP_CHECK(context, op_rank(input) == 2 && op_rank(feature) == 2 && op_rank(time) == 2 && op_rank(state) == 2,
           "input, weights or state is not a matrix");
  int batches = op_dim(input, 0), filters = op_dim(feature, 0), memory = op_dim(time, 1);
  OP_CHECK(context, rank > 0 && filters % rank == 0, "%d filters do not divide by rank %d", filters, rank);
  OP_CHECK(context, op_dim(input, 1) == op_dim(feature, 1), "input has %d values, feature weights %d", op_dim(input, 1),
           op_dim(feature, 1));
  OP_CHECK(context, op_dim(time, 0) == filters, "time weights have %d filters, feature weights %d", op_dim(time, 0), filters);
  OP_CHECK(context, memory > 0, "time weights have no columns");
  OP_CHECK(context, !bias || (op_rank(bias) == 1 && op_dim(bias, 0) == filters / rank),
           "bias does not have one value a unit (%d)", filters / rank);
  OP_CHECK(context, op_dim(state, 0) == batches && op_count_between(state, 1, 2) == (size_t)memory * (size_t)filters,
           "state is not [%d, %d * %d]", batches, memory, filters);
  OP_CHECK(context, op_variable(context, node, 4), "state is not a variable");
  *shape = (svdf_shape){(size_t)batches, (size_t)op_dim(input, 1), (size_t)filters, (size_t)memory, (size_t)rank};
  return kTfLiteOk;
}

// The reference multiplies scales as floats.
static TfLiteStatus svdf_effective_scale(TfLiteContext *context, float a, float b, float by, const char *what,
                                         quant_multiplier *multiplier) {
  (void)what;
  double scale = (double)(a * b / by);
  OP_CHECK(context, scale >= 0 && isfinite(scale), "quantisation gives no usable scale for the %s", what);
  *multiplier = quant_from_real(scale);
  return kTfLiteOk;
}

static TfLiteStatus svdf_prepare_int8(TfLiteContext *context, TfLiteNode *node, svdf_op *op) {
  const TfLiteTensor *input = op_input(context, node, 0), *feature = op_input(context, node, 1),
                     *time = op_input(context, node, 2);
  const TfLiteTensor *state = op_input(context, node, 4), *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, feature, "feature weights", OP_I8));
  OP_TRY(op_check_type(context, state, "state", OP_I16 | OP_I8));
  OP_TRY(op_check_type(context, time, "time weights", OP_TYPE(state->type)));
  OP_TRY(op_check_type(context, output, "output", OP_I8));
  OP_CHECK(context, op->activation == kTfLiteActRelu || op->activation == kTfLiteActNone,
           "int8 goes with RELU only, not activation %d", op->activation);
  OP_TRY(svdf_effective_scale(context, op_scale(input), op_scale(feature), op_scale(state), "state", &op->quantized.to_state));
  OP_TRY(svdf_effective_scale(context, op_scale(state), op_scale(time), op_scale(output), "output", &op->quantized.to_output));
  op->quantized.state_zero_point = state->type == kTfLiteInt8 ? op_zero_point(state) : 0;
  op->quantized.output_zero_point = op_zero_point(output);
  OP_CHECK(context, op->quantized.state_zero_point >= -128 && op->quantized.state_zero_point <= 127, "state has zero point %d",
           (int)op->quantized.state_zero_point);
  op->input_zero_point = op_zero_point(input);
  op->asymmetric = false;
  op->needs_sums = op->input_zero_point != 0;
  return kTfLiteOk;
}

static TfLiteStatus svdf_prepare(TfLiteContext *context, TfLiteNode *node) {
  svdf_op *op = node->user_data;
  const TfLiteSVDFParams *p = node->builtin_data;
  OP_TRY(op_check_counts(context, node, 3, 5, 1));
  OP_CHECK(context, op_input(context, node, 4), "input 4, the state, is required, the model leaves it out");
  const TfLiteTensor *input = op_input(context, node, 0), *feature = op_input(context, node, 1),
                     *time = op_input(context, node, 2);
  const TfLiteTensor *bias = op_input(context, node, 3), *state = op_input(context, node, 4);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(svdf_check_shapes(context, node, p->rank, &op->shape));
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SVDF));
  if (bias) OP_TRY(op_check_type(context, bias, "bias", input->type == kTfLiteFloat32 ? OP_F32 : OP_I32));
  op->activation = (uint8_t)p->activation;
  op->asymmetric = p->asymmetric_quantize_inputs;
  op->needs_sums = false;
  if (input->type == kTfLiteInt8) {
    OP_TRY(svdf_prepare_int8(context, node, op));
  } else {
    OP_TRY(op_check_type(context, feature, "feature weights", OP_F32 | OP_I8 | OP_U8));
    OP_TRY(op_check_type(context, time, "time weights", feature->type == kTfLiteFloat32 ? OP_F32 : OP_I8 | OP_U8));
    OP_TRY(op_check_type(context, state, "state", OP_F32));
    OP_TRY(op_check_type(context, output, "output", OP_F32));
    if (feature->type != kTfLiteFloat32) {
      op->needs_sums = op->asymmetric;
      op->feature_scale = op_scale(feature);
      op->time_scale = op_scale(time);
      OP_TRY(op_request_scratch(context, op->shape.inputs, &op->q_scratch));
    }
  }
  if (op->needs_sums && !op_is_constant(feature))
    OP_TRY(op_request_scratch(context, op->shape.filters * sizeof(int32_t), &op->sums_scratch));
  if (op->needs_sums && op_is_constant(feature) && !op->sums) {
    op->sums = op_persistent(context, op->shape.filters * sizeof(int32_t));
    OP_CHECK(context, op->sums, "out of memory");
    svdf_fill_sums(op, feature->data.int8, op->sums);
  }
  return op_resize(context, output, 2, (int[]){(int)op->shape.batches, (int)(op->shape.filters / op->shape.rank)});
}

static TfLiteStatus svdf_eval(TfLiteContext *context, TfLiteNode *node) {
  const svdf_op *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *feature = op_input(context, node, 1),
                     *time = op_input(context, node, 2);
  const TfLiteTensor *bias = op_input(context, node, 3);
  TfLiteTensor *state = op_variable(context, node, 4), *output = op_output(context, node, 0);
  const int32_t *sums = NULL;
  if (op->needs_sums) {
    sums = op->sums;
    if (!op_is_constant(feature)) {
      int32_t *scratch = op_scratch(context, op->sums_scratch);
      svdf_fill_sums(op, feature->data.int8, scratch);
      sums = scratch;
    }
  }
  if (input->type == kTfLiteInt8) {
    svdf_quantized q = op->quantized;
    q.folded = sums;
    if (state->type == kTfLiteInt16)
      svdf_s8_state16(&op->shape, &q, input->data.int8, feature->data.int8, time->data.i16, bias ? bias->data.i32 : NULL,
                      state->data.i16, output->data.int8);
    else
      svdf_s8_state8(&op->shape, &q, input->data.int8, feature->data.int8, time->data.int8, bias ? bias->data.i32 : NULL,
                     state->data.int8, output->data.int8);
  } else if (feature->type == kTfLiteFloat32) {
    svdf_f32(&op->shape, input->data.f, feature->data.f, time->data.f, bias ? bias->data.f : NULL, (activate_kind)op->activation,
             state->data.f, output->data.f);
  } else {
    svdf_hybrid_weights w = {feature->data.int8, time->data.int8, op->feature_scale, op->time_scale, sums, op->asymmetric};
    svdf_hybrid(&op->shape, input->data.f, &w, bias ? bias->data.f : NULL, (activate_kind)op->activation,
                op_scratch(context, op->q_scratch), state->data.f, output->data.f);
  }
  return kTfLiteOk;
}

static void svdf_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  uint64_t batches = (uint64_t)op_dim(op_input(context, node, 0), 0);
  cost->macs = batches * (op_count(op_input(context, node, 1)) + op_count(op_input(context, node, 2)));
}

const op_descriptor arn_op_svdf = {
    OP_ROW(SVDF),        .state_size = sizeof(svdf_op), .params_size = sizeof(TfLiteSVDFParams),
    .parse = svdf_parse, .prepare = svdf_prepare,       .eval = svdf_eval,
    .cost = svdf_cost,
};
