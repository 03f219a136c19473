// SPDX-License-Identifier: Apache-2.0
// Recurrent operators through the public API: small cells by hand, sequences against single steps, both directions against one,
// what they refuse.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "operators/op_harness.h"

typedef struct options {
  int activation;
  bool time_major, merge, asymmetric, basic;
  int rank;
  float cell_clip;
} options;

static fb_ref rnn_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_i8(b, RNNOptions_fused_activation_function_id, (int8_t)o->activation, 0);
  fb_build_bool(b, RNNOptions_asymmetric_quantize_inputs_id, o->asymmetric, false);
  return fb_build_table_end(b);
}
static fb_ref sequence_rnn_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_bool(b, SequenceRNNOptions_time_major_id, o->time_major, false);
  fb_build_i8(b, SequenceRNNOptions_fused_activation_function_id, (int8_t)o->activation, 0);
  return fb_build_table_end(b);
}
static fb_ref bidirectional_rnn_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_bool(b, BidirectionalSequenceRNNOptions_time_major_id, o->time_major, false);
  fb_build_i8(b, BidirectionalSequenceRNNOptions_fused_activation_function_id, (int8_t)o->activation, 0);
  fb_build_bool(b, BidirectionalSequenceRNNOptions_merge_outputs_id, o->merge, false);
  return fb_build_table_end(b);
}
static fb_ref svdf_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_i32(b, SVDFOptions_rank_id, o->rank, 0);
  fb_build_i8(b, SVDFOptions_fused_activation_function_id, (int8_t)o->activation, 0);
  return fb_build_table_end(b);
}
static fb_ref lstm_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_i8(b, LSTMOptions_fused_activation_function_id, ActivationFunctionType_TANH, 0);
  fb_build_f32(b, LSTMOptions_cell_clip_id, o->cell_clip, 0);
  fb_build_i8(b, LSTMOptions_kernel_type_id, o->basic ? LSTMKernelType_BASIC : LSTMKernelType_FULL, 0);
  return fb_build_table_end(b);
}
static fb_ref sequence_lstm_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_i8(b, UnidirectionalSequenceLSTMOptions_fused_activation_function_id, ActivationFunctionType_TANH, 0);
  fb_build_bool(b, UnidirectionalSequenceLSTMOptions_time_major_id, o->time_major, false);
  return fb_build_table_end(b);
}
static fb_ref bidirectional_lstm_options(fb_builder *b, const void *data) {
  const options *o = data;
  fb_build_table(b);
  fb_build_i8(b, BidirectionalSequenceLSTMOptions_fused_activation_function_id, ActivationFunctionType_TANH, 0);
  fb_build_bool(b, BidirectionalSequenceLSTMOptions_merge_outputs_id, o->merge, false);
  fb_build_bool(b, BidirectionalSequenceLSTMOptions_time_major_id, o->time_major, true);
  return fb_build_table_end(b);
}

// ---- A plain cell: two inputs, two units. ----
static const float rnn_weights[] = {1, 0, 0, 2}, rnn_recurrent[] = {0, 0.5f, 0, 0}, rnn_bias[] = {0.25f, -1};
// h0 = x0 + h1 / 2 + 0.25, h1 = 2 x1 - 1, below zero: 0. For the inputs (1, 1), (0, 2), (-3, 0):
static const float rnn_in[] = {1, 1, 0, 2, -3, 0}, rnn_out[] = {1.25f, 1, 0.75f, 3, 0, 0};
static const options relu = {.activation = ActivationFunctionType_RELU};

// Inputs 1..4 of an RNN cell, as the next tensors.
static int rnn_cell(op_test *t, int batches, int weights_type) {
  static const int8_t q_weights[] = {64, 0, 0, 127}, q_recurrent[] = {0, 64, 0, 0};
  bool q = weights_type != TensorType_FLOAT32;
  int first = op_test_constant(t, (enum TensorType)weights_type, OP_DIMS(2, 2), q ? (const void *)q_weights : rnn_weights);
  int recurrent =
      op_test_constant(t, (enum TensorType)weights_type, OP_DIMS(2, 2), q ? (const void *)q_recurrent : rnn_recurrent);
  if (q) op_test_quantize(t, first, 2.0f / 127, 0), op_test_quantize(t, recurrent, 1.0f / 127, 0);
  op_test_constant(t, TensorType_FLOAT32, OP_DIMS(2), rnn_bias);
  op_test_variable(t, TensorType_FLOAT32, OP_DIMS(batches, 2));
  return first;
}

static void rnn_keeps_its_state(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int c = rnn_cell(&t, 1, TensorType_FLOAT32);
  op_test_node(&t, BuiltinOperator_RNN, 1, OP_TENSORS(x, c, c + 1, c + 2, c + 3), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_RNNOptions, rnn_options, &relu);
  op_test_prepare(&t);
  for (int step = 0; step < 3; step++) {
    op_test_set(&t, x, rnn_in + 2 * step);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, rnn_out + 2 * step, 2, 1e-6f);
  }
  op_test_end(&t);
}

static void hybrid_rnn_is_near(void **state) {
  (void)state;
  for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
    int c = rnn_cell(&t, 1, TensorType_INT8);
    op_test_node(&t, BuiltinOperator_RNN, 3, OP_TENSORS(x, c, c + 1, c + 2, c + 3), OP_TENSORS(y));
    options o = {.activation = ActivationFunctionType_RELU, .asymmetric = asymmetric};
    op_test_options(&t, BuiltinOptions_RNNOptions, rnn_options, &o);
    op_test_prepare(&t);
    for (int step = 0; step < 3; step++) {
      op_test_set(&t, x, rnn_in + 2 * step);
      op_test_invoke(&t);
      op_test_expect_f32(&t, y, rnn_out + 2 * step, 2, 0.05f);
    }
    op_test_end(&t);
  }
}

static void rnn_refuses_other_shapes(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int c = rnn_cell(&t, 1, TensorType_FLOAT32);
  op_test_node(&t, BuiltinOperator_RNN, 1, OP_TENSORS(x, c, c + 1, c + 2, c + 3), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_RNNOptions, rnn_options, &relu);
  op_test_expect_refusal(&t, "weights are not [2, 3]");
  op_test_end(&t);
}

static void a_sequence_is_its_steps(void **state) {
  (void)state;
  for (int time_major = 0; time_major < 2; time_major++) {
    // Two batches: the sequence, and zeros (which give the bias alone).
    float in[12] = {0}, expected[12];
    for (int step = 0; step < 3; step++) {
      int at = time_major ? 4 * step : 2 * step, zeros = time_major ? at + 2 : 6 + at;
      memcpy(in + at, rnn_in + 2 * step, 8), memcpy(expected + at, rnn_out + 2 * step, 8);
      expected[zeros] = 0.25f, expected[zeros + 1] = 0;
    }
    op_test t;
    op_test_begin(&t);
    op_test_list dims = time_major ? OP_DIMS(3, 2, 2) : OP_DIMS(2, 3, 2);
    int x = op_test_input(&t, TensorType_FLOAT32, dims), y = op_test_output(&t, TensorType_FLOAT32, dims);
    int c = rnn_cell(&t, 2, TensorType_FLOAT32);
    op_test_node(&t, BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN, 1, OP_TENSORS(x, c, c + 1, c + 2, c + 3), OP_TENSORS(y));
    options o = {.activation = ActivationFunctionType_RELU, .time_major = time_major};
    op_test_options(&t, BuiltinOptions_SequenceRNNOptions, sequence_rnn_options, &o);
    op_test_prepare(&t);
    op_test_set(&t, x, in);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, expected, 12, 1e-6f);
    op_test_end(&t);
  }
}

// The backward cell sees the last step first: (-3, 0) gives (0, 0), then (0, 2) gives (0.25, 3), then (1, 1) gives (2.75, 1).
static void both_directions(void **state) {
  (void)state;
  const float back[6] = {2.75f, 1, 0.25f, 3, 0, 0};
  for (int merge = 0; merge < 2; merge++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 2)),
        y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3, merge ? 4 : 2));
    int z = merge ? -1 : op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 2));
    int f = rnn_cell(&t, 1, TensorType_FLOAT32), b = rnn_cell(&t, 1, TensorType_FLOAT32);
    op_test_node(&t, BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN, 1,
                 OP_TENSORS(x, f, f + 1, f + 2, f + 3, b, b + 1, b + 2, b + 3, -1, -1, -1),
                 merge ? OP_TENSORS(y) : OP_TENSORS(y, z));
    options o = {.activation = ActivationFunctionType_RELU, .merge = merge};
    op_test_options(&t, BuiltinOptions_BidirectionalSequenceRNNOptions, bidirectional_rnn_options, &o);
    op_test_prepare(&t);
    op_test_set(&t, x, rnn_in);
    op_test_invoke(&t);
    if (merge) {
      float both[12];
      for (int i = 0; i < 12; i++) both[i] = i % 4 < 2 ? rnn_out[i / 4 * 2 + i % 4] : back[i / 4 * 2 + i % 4 - 2];
      op_test_expect_f32(&t, y, both, 12, 1e-6f);
    } else {
      op_test_expect_f32(&t, y, rnn_out, 6, 1e-6f);
      op_test_expect_f32(&t, z, back, 6, 1e-6f);
    }
    op_test_end(&t);
  }
}

// ---- SVDF: one unit of rank 2 over two inputs and a memory of two. ----
static void svdf_by_hand(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
  int feature = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), (float[]){1, 0, 0, 1});
  int time = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), (float[]){10, 1, -10, 2});  // the older one first
  int bias = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1), (float[]){0.5f});
  int memory = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 4));
  op_test_node(&t, BuiltinOperator_SVDF, 1, OP_TENSORS(x, feature, time, bias, memory), OP_TENSORS(y));
  options o = {.rank = 2};
  op_test_options(&t, BuiltinOptions_SVDFOptions, svdf_options, &o);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){3, 4});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){11.5f}, 1, 1e-6f);
  op_test_set(&t, x, (float[]){1, 1});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){30 + 1 - 40 + 2 + 0.5f}, 1, 1e-6f);
  op_test_end(&t);
}

static void svdf_refuses(void **state) {
  (void)state;
  const struct {
    int rank, memory;
    bool variable;
    const char *text;
  } cases[] = {
      {0, 4, true, "rank 0"}, {3, 4, true, "do not divide"}, {2, 6, true, "state is not"}, {2, 4, false, "not a variable"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
    int feature = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), rnn_weights);
    int time = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), rnn_weights);
    int memory = cases[i].variable ? op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, cases[i].memory))
                                   : op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, cases[i].memory));
    op_test_node(&t, BuiltinOperator_SVDF, 1, OP_TENSORS(x, feature, time, -1, memory), OP_TENSORS(y));
    options o = {.rank = cases[i].rank};
    op_test_options(&t, BuiltinOptions_SVDFOptions, svdf_options, &o);
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

// ---- LSTM: one input, one cell. ----
static const float lstm_w[4] = {0.5f, -0.25f, 1.0f, 0.75f}, lstm_r[4] = {0.3f, 0.6f, -0.4f, 0.1f},
                   lstm_b[4] = {0.1f, 0.2f, 0.0f, -0.1f};

static float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }
static void lstm_by_hand(float x, float *h, float *c) {
  float g[4];
  for (int k = 0; k < 4; k++) g[k] = lstm_w[k] * x + lstm_r[k] * *h + lstm_b[k];
  *c = logistic(g[1]) * *c + logistic(g[0]) * tanhf(g[2]);
  *h = logistic(g[3]) * tanhf(*c);
}

// The 20 inputs of a full cell behind `x`; states for `batches`.
static op_test_list lstm_cell(op_test *t, int x, int batches) {
  op_test_list list = {20, {x, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}};
  for (int k = 0; k < 4; k++) {
    list.values[1 + k] = op_test_constant(t, TensorType_FLOAT32, OP_DIMS(1, 1), &lstm_w[k]);
    list.values[5 + k] = op_test_constant(t, TensorType_FLOAT32, OP_DIMS(1, 1), &lstm_r[k]);
    list.values[12 + k] = op_test_constant(t, TensorType_FLOAT32, OP_DIMS(1), &lstm_b[k]);
  }
  list.values[18] = op_test_variable(t, TensorType_FLOAT32, OP_DIMS(batches, 1));
  list.values[19] = op_test_variable(t, TensorType_FLOAT32, OP_DIMS(batches, 1));
  return list;
}

static void lstm_keeps_its_states(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
  op_test_node(&t, BuiltinOperator_LSTM, 1, lstm_cell(&t, x, 1), OP_TENSORS(y));
  options o = {0};
  op_test_options(&t, BuiltinOptions_LSTMOptions, lstm_options, &o);
  op_test_prepare(&t);
  float h = 0, c = 0;
  for (int step = 0; step < 4; step++) {
    float in = (float)step - 1.5f;
    lstm_by_hand(in, &h, &c);
    op_test_set(&t, x, &in);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, &h, 1, 1e-5f);
  }
  op_test_end(&t);
}

static void lstm_sequences(void **state) {
  (void)state;
  for (int time_major = 0; time_major < 2; time_major++) {
    float in[6], expected[6];
    for (int b = 0; b < 2; b++) {
      float h = 0, c = 0;
      for (int step = 0; step < 3; step++) {
        int at = time_major ? 2 * step + b : 3 * b + step;
        in[at] = (float)(step + 2 * b) - 1.5f;
        lstm_by_hand(in[at], &h, &c);
        expected[at] = h;
      }
    }
    op_test t;
    op_test_begin(&t);
    op_test_list dims = time_major ? OP_DIMS(3, 2, 1) : OP_DIMS(2, 3, 1);
    int x = op_test_input(&t, TensorType_FLOAT32, dims), y = op_test_output(&t, TensorType_FLOAT32, dims);
    op_test_node(&t, BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, 1, lstm_cell(&t, x, 2), OP_TENSORS(y));
    options o = {.time_major = time_major};
    op_test_options(&t, BuiltinOptions_UnidirectionalSequenceLSTMOptions, sequence_lstm_options, &o);
    op_test_prepare(&t);
    op_test_set(&t, x, in);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, expected, 6, 1e-5f);
    op_test_end(&t);
  }
}

static void lstm_in_both_directions(void **state) {
  (void)state;
  const float in[3] = {0.5f, -1.0f, 2.0f};
  float expected[6], h = 0, c = 0;
  for (int i = 0; i < 3; i++) lstm_by_hand(in[i], &h, &c), expected[2 * i] = h;
  h = c = 0;
  for (int i = 2; i >= 0; i--) lstm_by_hand(in[i], &h, &c), expected[2 * i + 1] = h;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 2));
  op_test_list forward = lstm_cell(&t, x, 1), backward = lstm_cell(&t, x, 1), all = {48, {x}};
  for (int i = 1; i < 18; i++) all.values[i] = forward.values[i], all.values[17 + i] = backward.values[i];
  all.values[35] = forward.values[18], all.values[36] = forward.values[19];
  all.values[37] = backward.values[18], all.values[38] = backward.values[19];
  for (int i = 39; i < 48; i++) all.values[i] = -1;
  op_test_node(&t, BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM, 1, all, OP_TENSORS(y));
  options o = {.merge = true};
  op_test_options(&t, BuiltinOptions_BidirectionalSequenceLSTMOptions, bidirectional_lstm_options, &o);
  op_test_prepare(&t);
  op_test_set(&t, x, in);
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, expected, 6, 1e-5f);
  op_test_end(&t);
}

static void basic_lstm(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
  int new_state = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1)),
      joined = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2));
  int gates = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 4));
  // Rows: input, cell, forget, output gate.
  float weights[8] = {lstm_w[0], lstm_r[0], lstm_w[2], lstm_r[2], lstm_w[1], lstm_r[1], lstm_w[3], lstm_r[3]};
  float bias[4] = {lstm_b[0], lstm_b[2], lstm_b[1], lstm_b[3]};
  int w = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(4, 2), weights),
      b = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(4), bias);
  int last = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 1)),
      memory = op_test_variable(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
  op_test_node(&t, BuiltinOperator_LSTM, 2, OP_TENSORS(x, last, w, b, memory), OP_TENSORS(y, new_state, joined, gates));
  options o = {.basic = true};
  op_test_options(&t, BuiltinOptions_LSTMOptions, lstm_options, &o);
  op_test_prepare(&t);
  float h = 0, c = 0;
  for (int step = 0; step < 3; step++) {
    float in = 1.0f - (float)step, before = h;
    lstm_by_hand(in, &h, &c);
    op_test_set(&t, x, &in);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, &h, 1, 1e-5f);
    op_test_expect_f32(&t, new_state, &c, 1, 1e-5f);
    op_test_expect_f32(&t, joined, (float[]){in, before}, 2, 1e-5f);
  }
  op_test_end(&t);
}

static void lstm_refuses(void **state) {
  (void)state;
  const struct {
    int input;  // is left out (or, with `to`, replaced by another of the list)
    int to;
    float clip;
    const char *text;
  } cases[] = {
      {6, -1, 0, "recurrent weights are required"},
      {13, -1, 0, "gate biases are required"},
      {1, -1, 0, "no input weights of the input gate"},
      {18, -1, 0, "not variables"},
      {19, 12, 0, "not variables"},
      {9, 12, 0, "peephole weights are there for some"},
      {17, 12, 0, "no projection"},
      {2, 12, 0, "input weights are not all"},
      {0, 0, -1, "clip value is negative"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    op_test t;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1));
    op_test_list list = lstm_cell(&t, x, 1);
    list.values[cases[i].input] = cases[i].to < 0 ? -1 : list.values[cases[i].to];
    op_test_node(&t, BuiltinOperator_LSTM, 1, list, OP_TENSORS(y));
    options o = {.cell_clip = cases[i].clip};
    op_test_options(&t, BuiltinOptions_LSTMOptions, lstm_options, &o);
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rnn_keeps_its_state),
      cmocka_unit_test(hybrid_rnn_is_near),
      cmocka_unit_test(rnn_refuses_other_shapes),
      cmocka_unit_test(a_sequence_is_its_steps),
      cmocka_unit_test(both_directions),
      cmocka_unit_test(svdf_by_hand),
      cmocka_unit_test(svdf_refuses),
      cmocka_unit_test(lstm_keeps_its_states),
      cmocka_unit_test(lstm_sequences),
      cmocka_unit_test(lstm_in_both_directions),
      cmocka_unit_test(basic_lstm),
      cmocka_unit_test(lstm_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
