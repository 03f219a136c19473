// SPDX-License-Identifier: Apache-2.0
// LSTM: one step of a cell. The full kernel takes input [batches, inputs], weights, biases and states in 20 or 24 inputs (float,
// hybrid, int8 with 5 or, 8 bits between the gates, 12 intermediate tensors). The basic kernel takes 0 input, 1 previous output,
// 2 one matrix of weights, 3 biases, 4 previous state (1 and 4 variables), and gives 0 output, 1 state, 2 concatenation of input
// and previous output, 3 gates before activation; float or uint8.
#include <math.h>
#include <string.h>

#include "ops/lstm_node.h"

static const lstm_layout lstm_full_layout = {1, 5, 9, 12, 16, 17, 18, 19, 20, -1};

typedef struct lstm_op {
  union {
    lstm_node full;
    lstm_basic basic;
  } kernel;
  bool is_basic;
} lstm_op;

static void lstm_parse(fb_table options, void *params) {
  TfLiteLSTMParams *p = params;
  p->activation = op_activation(LSTMOptions_fused_activation_function(options));
  p->cell_clip = LSTMOptions_cell_clip(options);
  p->proj_clip = LSTMOptions_proj_clip(options);
  p->kernel_type = LSTMOptions_kernel_type(options) == LSTMKernelType_BASIC ? kTfLiteLSTMBasicKernel : kTfLiteLSTMFullKernel;
  p->asymmetric_quantize_inputs = LSTMOptions_asymmetric_quantize_inputs(options);
}

static TfLiteStatus lstm_prepare_full(TfLiteContext *context, TfLiteNode *node, lstm_node *cell) {
  const TfLiteLSTMParams *p = node->builtin_data;
  OP_TRY(op_check_counts(context, node, 1, 24, 1));
  OP_CHECK(context, op_input_count(node) == 20 || op_input_count(node) == 24, "takes 20 or 24 inputs, the model gives %d",
           op_input_count(node));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_F32 | OP_I8));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_rank(input) == 2, "input has rank %d, not 2", op_rank(input));
  int intermediates = node->intermediates ? node->intermediates->size : 0;
  OP_CHECK(context, input->type == kTfLiteFloat32 || intermediates == 5 || intermediates == 12,
           "an int8 node needs 5 or 12 intermediate tensors");
  lstm_options options = {p->activation, p->cell_clip, p->proj_clip, p->asymmetric_quantize_inputs, false, intermediates == 12};
  OP_TRY(lstm_node_prepare(context, node, cell, &lstm_full_layout, &options, (TfLiteType)input->type, op_dim(input, 0),
                           op_dim(input, 1), 0));
  return op_resize(context, output, 2, (int[]){op_dim(input, 0), (int)cell->outputs});
}

static TfLiteStatus lstm_check_basic(TfLiteContext *context, const TfLiteNode *node) {
  static const uint32_t u8_inputs[5] = {OP_U8, OP_U8, OP_U8, OP_I32, OP_I16}, u8_outputs[4] = {OP_U8, OP_I16, OP_U8, OP_I16};
  const TfLiteTensor *input = op_input(context, node, 0), *previous = op_input(context, node, 1),
                     *weights = op_input(context, node, 2);
  const TfLiteTensor *bias = op_input(context, node, 3), *state = op_input(context, node, 4);
  OP_TRY(op_check_type(context, input, "input", OP_F32 | OP_U8));
  bool is_float = input->type == kTfLiteFloat32;
  for (int i = 0; i < 5; i++)
    OP_TRY(op_check_type(context, op_input(context, node, i), "an input", is_float ? OP_F32 : u8_inputs[i]));
  for (int i = 0; i < 4; i++)
    OP_TRY(op_check_type(context, op_output(context, node, i), "an output", is_float ? OP_F32 : u8_outputs[i]));
  OP_CHECK(context,
           op_rank(input) == 2 && op_rank(previous) == 2 && op_rank(weights) == 2 && op_rank(bias) == 1 && op_rank(state) == 2,
           "an input has a wrong rank");
  int64_t batches = op_dim(input, 0), outputs = op_dim(previous, 1), depth = op_dim(input, 1) + outputs;
  OP_CHECK(context, op_dim(previous, 0) == batches, "previous output is not of %d batches", (int)batches);
  OP_CHECK(context, op_dim(weights, 0) == 4 * outputs && op_dim(weights, 1) == depth, "weights are not [4 * %d, %d]",
           (int)outputs, (int)depth);
  OP_CHECK(context, op_dim(bias, 0) == 4 * outputs, "bias is not [4 * %d]", (int)outputs);
  OP_CHECK(context, op_dim(state, 0) == batches && op_dim(state, 1) == outputs, "state is not [%d, %d]", (int)batches,
           (int)outputs);
  return kTfLiteOk;
}

static TfLiteStatus lstm_prepare_basic(TfLiteContext *context, TfLiteNode *node, lstm_basic *l) {
  OP_TRY(op_check_counts(context, node, 5, 5, 4));
  OP_TRY(lstm_check_basic(context, node));
  const TfLiteTensor *input = op_input(context, node, 0), *previous = op_input(context, node, 1),
                     *weights = op_input(context, node, 2);
  int batches = op_dim(input, 0), outputs = op_dim(previous, 1);
  *l = (lstm_basic){.batches = (size_t)batches, .inputs = (size_t)op_dim(input, 1), .outputs = (size_t)outputs};
  if (input->type == kTfLiteUInt8) {
    int log2;
    OP_CHECK(context, lstm_log2(op_scale(op_output(context, node, 1)), &log2) && log2 == -11, "the state's scale is not 2^-11");
    double scale = (double)(4096 * op_scale(op_input(context, node, 3)));
    OP_CHECK(context, scale >= 0 && isfinite(scale), "bias has no usable scale");
    l->to_gates = quant_from_real(scale);
    l->weights_zero_point = op_zero_point(weights);
  }
  OP_TRY(op_resize(context, op_output(context, node, 0), 2, (int[]){batches, outputs}));
  OP_TRY(op_resize(context, op_output(context, node, 1), 2, (int[]){batches, outputs}));
  OP_TRY(op_resize(context, op_output(context, node, 2), 2, (int[]){batches, op_dim(weights, 1)}));
  return op_resize(context, op_output(context, node, 3), 2, (int[]){batches, op_dim(weights, 0)});
}

static TfLiteStatus lstm_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteLSTMParams *p = node->builtin_data;
  lstm_op *op = node->user_data;
  op->is_basic = p->kernel_type == kTfLiteLSTMBasicKernel;
  return op->is_basic ? lstm_prepare_basic(context, node, &op->kernel.basic) : lstm_prepare_full(context, node, &op->kernel.full);
}

static void lstm_eval_basic(TfLiteContext *context, TfLiteNode *node, const lstm_basic *l) {
  const TfLiteTensor *input = op_input(context, node, 0), *previous = op_input(context, node, 1),
                     *weights = op_input(context, node, 2);
  const TfLiteTensor *bias = op_input(context, node, 3), *previous_state = op_input(context, node, 4);
  TfLiteTensor *output = op_output(context, node, 0), *state = op_output(context, node, 1);
  TfLiteTensor *concatenation = op_output(context, node, 2), *gates = op_output(context, node, 3);
  if (input->type == kTfLiteFloat32)
    lstm_basic_f32(l, input->data.f, previous->data.f, weights->data.f, bias->data.f, previous_state->data.f, output->data.f,
                   state->data.f, concatenation->data.f, gates->data.f);
  else
    lstm_basic_u8(l, input->data.uint8, previous->data.uint8, weights->data.uint8, bias->data.i32, previous_state->data.i16,
                  output->data.uint8, state->data.i16, concatenation->data.uint8, gates->data.i16);
  // The next step finds the new states in the variables.
  TfLiteTensor *output_variable = op_variable(context, node, 1), *state_variable = op_variable(context, node, 4);
  if (output_variable) memcpy(output_variable->data.raw, output->data.raw, op_bytes(output));
  if (state_variable) memcpy(state_variable->data.raw, state->data.raw, op_bytes(state));
}

static TfLiteStatus lstm_eval(TfLiteContext *context, TfLiteNode *node) {
  lstm_op *op = node->user_data;
  if (op->is_basic) {
    lstm_eval_basic(context, node, &op->kernel.basic);
    return kTfLiteOk;
  }
  const TfLiteTensor *input = op_input(context, node, 0);
  lstm_run run = {
      .batches = (size_t)op_dim(input, 0), .steps = 1, .time_major = true, .input = input, .output = op_output(context, node, 0)};
  lstm_node_eval(context, node, &op->kernel.full, &run);
  return kTfLiteOk;
}

static void lstm_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const lstm_op *op = node->user_data;
  uint64_t batches = (uint64_t)op_dim(op_input(context, node, 0), 0);
  cost->macs = op->is_basic ? batches * op_count(op_input(context, node, 2)) : lstm_node_macs(&op->kernel.full, batches);
}

const op_descriptor arn_op_lstm = {
    OP_ROW(LSTM),        .state_size = sizeof(lstm_op), .params_size = sizeof(TfLiteLSTMParams),
    .parse = lstm_parse, .prepare = lstm_prepare,       .eval = lstm_eval,
    .cost = lstm_cost,
};
