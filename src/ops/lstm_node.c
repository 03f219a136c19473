// SPDX-License-Identifier: Apache-2.0
// One direction of an LSTM: checks, multipliers, and the loop over time.
#include "ops/lstm_node.h"

#include <math.h>

#include "base/checked.h"
#include "kernels/matvec.h"

static const TfLiteTensor *lstm_tensor(const TfLiteContext *context, const TfLiteNode *node, int first, int i) {
  return first < 0 ? NULL : op_input(context, node, first + i);
}
static const TfLiteTensor *lstm_peephole(const TfLiteContext *context, const TfLiteNode *node, const lstm_layout *layout,
                                         int gate) {
  return gate == LSTM_CELL ? NULL : lstm_tensor(context, node, layout->peephole, gate == LSTM_OUTPUT ? 2 : gate);
}

// ---- Checks. ----
typedef struct lstm_check {
  TfLiteContext *context;
  const TfLiteNode *node;
  const lstm_layout *layout;
  uint32_t weight_type;
  int cells, outputs;
  bool integer, cifg, layer_norm, peephole;
} lstm_check;

static TfLiteStatus lstm_check_matrix(const lstm_check *c, const TfLiteTensor *t, const char *what, int rows, int cols) {
  (void)what;
  OP_CHECK(c->context, t, "%s are required, the model leaves some out", what);
  OP_TRY(op_check_type(c->context, t, what, c->weight_type));
  OP_CHECK(c->context, op_rank(t) == 2 && op_dim(t, 0) == rows && op_dim(t, 1) == cols, "%s are not all [%d, %d]", what, rows,
           cols);
  return kTfLiteOk;
}

static TfLiteStatus lstm_check_vector(const lstm_check *c, const TfLiteTensor *t, const char *what, uint32_t types, int size) {
  (void)what;
  OP_CHECK(c->context, t, "%s are required, the model leaves some out", what);
  OP_TRY(op_check_type(c->context, t, what, types));
  OP_CHECK(c->context, op_rank(t) == 1 && op_dim(t, 0) == size, "%s are not all [%d]", what, size);
  return kTfLiteOk;
}

// The inputs of one gate: all there, or none of an input gate that is left out.
static TfLiteStatus lstm_check_gate(const lstm_check *c, int gate, int inputs, int aux_inputs, bool may_be_diagonal) {
  const lstm_layout *at = c->layout;
  const TfLiteTensor *recurrent = lstm_tensor(c->context, c->node, at->recurrent_weights, gate);
  const TfLiteTensor *bias = lstm_tensor(c->context, c->node, at->bias, gate),
                     *peephole = lstm_peephole(c->context, c->node, at, gate);
  const TfLiteTensor *norm = lstm_tensor(c->context, c->node, at->layer_norm, gate);
  const TfLiteTensor *aux = aux_inputs > 0 ? lstm_tensor(c->context, c->node, at->aux_weights, gate) : NULL;
  OP_CHECK(c->context, c->peephole || !peephole, "peephole weights are there for some gates only");
  OP_CHECK(c->context, c->layer_norm || !norm, "layer norm coefficients are there for some gates only");
  if (gate == LSTM_INPUT && c->cifg) {
    OP_CHECK(c->context, !recurrent && !bias && !norm && !aux,
             "there are no input weights of the input gate, but other inputs of it");
    return kTfLiteOk;
  }
  OP_TRY(lstm_check_matrix(c, lstm_tensor(c->context, c->node, at->input_weights, gate), "input weights", c->cells, inputs));
  if (may_be_diagonal && recurrent && op_rank(recurrent) == 1) {
    OP_CHECK(c->context, !c->integer && c->outputs == c->cells,
             "diagonal recurrent weights go with floats and without projection only");
    OP_TRY(lstm_check_vector(c, recurrent, "diagonal recurrent weights", OP_F32, c->cells));
  } else {
    OP_TRY(lstm_check_matrix(c, recurrent, "recurrent weights", c->cells, c->outputs));
  }
  OP_TRY(lstm_check_vector(c, bias, "gate biases", c->integer ? OP_I32 : OP_F32, c->cells));
  if (c->peephole && gate != LSTM_CELL)
    OP_TRY(lstm_check_vector(c, peephole, "peephole weights", c->integer ? OP_I16 : c->weight_type, c->cells));
  if (c->layer_norm) OP_TRY(lstm_check_vector(c, norm, "layer norm coefficients", c->integer ? OP_I16 : OP_F32, c->cells));
  if (aux_inputs > 0) OP_TRY(lstm_check_matrix(c, aux, "aux input weights", c->cells, aux_inputs));
  return kTfLiteOk;
}

static TfLiteStatus lstm_check_states(const lstm_check *c, int batches) {
  const TfLiteTensor *output = op_variable(c->context, c->node, c->layout->output_state);
  const TfLiteTensor *cell = op_variable(c->context, c->node, c->layout->cell_state);
  OP_CHECK(c->context, output && cell, "the states are not variables");
  // Integer models in the field declare the output state as int16; its bytes are int8 all the same.
  OP_TRY(op_check_type(c->context, output, "output state", c->integer ? OP_I8 | OP_I16 : OP_F32));
  OP_TRY(op_check_type(c->context, cell, "cell state", c->integer ? OP_I16 : OP_F32));
  OP_CHECK(c->context, op_count(output) == (size_t)batches * (size_t)c->outputs, "output state does not have %d x %d values",
           batches, c->outputs);
  OP_CHECK(c->context, op_count(cell) == (size_t)batches * (size_t)c->cells, "cell state does not have %d x %d values", batches,
           c->cells);
  return kTfLiteOk;
}

static TfLiteStatus lstm_check_inputs(lstm_check *c, const lstm_options *options, int batches, int inputs, int aux_inputs) {
  TfLiteContext *context = c->context;
  const lstm_layout *at = c->layout;
  OP_CHECK(context, options->cell_clip >= 0 && options->projection_clip >= 0, "a clip value is negative");
  const TfLiteTensor *weights = lstm_tensor(context, c->node, at->input_weights, LSTM_OUTPUT);
  const TfLiteTensor *recurrent = lstm_tensor(context, c->node, at->recurrent_weights, LSTM_OUTPUT);
  OP_CHECK(context, weights && recurrent, "the output gate has no weights");
  OP_TRY(op_check_type(context, weights, "input weights", c->integer ? OP_I8 : OP_F32 | OP_I8 | OP_U8));
  c->weight_type = OP_TYPE(weights->type);
  OP_CHECK(context, op_rank(weights) == 2 && op_dim(weights, 0) > 0, "input weights are not a matrix");
  OP_CHECK(context, op_rank(recurrent) == 2 || (options->may_be_diagonal && op_rank(recurrent) == 1),
           "recurrent weights are not a matrix");
  c->cells = op_dim(weights, 0);
  c->outputs = op_dim(recurrent, op_rank(recurrent) - 1);
  c->cifg = !lstm_tensor(context, c->node, at->input_weights, LSTM_INPUT);
  c->peephole = lstm_peephole(context, c->node, at, LSTM_OUTPUT) != NULL;
  c->layer_norm = lstm_tensor(context, c->node, at->layer_norm, LSTM_FORGET) != NULL;
  OP_CHECK(context, c->peephole == (lstm_peephole(context, c->node, at, LSTM_FORGET) != NULL),
           "peephole weights are there for some gates only");
  for (int gate = 0; gate < LSTM_GATES; gate++) OP_TRY(lstm_check_gate(c, gate, inputs, aux_inputs, options->may_be_diagonal));
  const TfLiteTensor *projection = op_input(context, c->node, at->projection),
                     *bias = op_input(context, c->node, at->projection_bias);
  OP_CHECK(context, projection || !bias, "there is a projection bias, but no projection");
  OP_CHECK(context, projection || c->cells == c->outputs, "%d outputs of %d cells need a projection", c->outputs, c->cells);
  if (projection) OP_TRY(lstm_check_matrix(c, projection, "projection weights", c->outputs, c->cells));
  if (bias) OP_TRY(lstm_check_vector(c, bias, "projection biases", c->integer ? OP_I32 : OP_F32, c->outputs));
  return lstm_check_states(c, batches);
}

// ---- Integer multipliers. ----
bool lstm_log2(float scale, int *log2) {
  float exact = logf(scale) * (1.0f / logf(2.0f)), rounded = roundf(exact);
  if (!(fabsf(rounded) < 128.0f)) return false;
  *log2 = (int)rounded;
  return fabsf(exact - rounded) < 1e-3f;
}

static TfLiteStatus lstm_multiplier(TfLiteContext *context, float scale, const char *what, quant_multiplier *multiplier) {
  (void)what;
  OP_CHECK(context, scale >= 0 && isfinite(scale), "quantisation gives no usable scale for the %s", what);
  *multiplier = quant_from_real((double)scale);
  return kTfLiteOk;
}

static TfLiteStatus lstm_intermediate(TfLiteContext *context, const TfLiteNode *node, int i, const TfLiteTensor **t) {
  const TfLiteIntArray *all = node->intermediates;
  OP_CHECK(context, all && i < all->size && all->data[i] >= 0 && (size_t)all->data[i] < context->tensors_size,
           "intermediate tensor %d is required", i);
  *t = &context->tensors[all->data[i]];
  OP_CHECK(context, op_scale(*t) > 0, "intermediate tensor %d has no scale", i);
  return kTfLiteOk;
}

static TfLiteStatus lstm_gate_multipliers(const lstm_check *c, int gate, float input_scale, float state_scale, lstm_gate_s8 *g) {
  TfLiteContext *context = c->context;
  float sum_scale = 1.0f / 4096;  // Q3.12, what the activations take
  if (c->layer_norm) {
    const TfLiteTensor *sum, *norm = lstm_tensor(context, c->node, c->layout->layer_norm, gate);
    OP_TRY(lstm_intermediate(context, c->node, gate, &sum));
    sum_scale = op_scale(sum);
    float norm_scale = op_scale(norm);
    OP_CHECK(context, norm_scale > 0 && norm_scale < 1e5f, "layer norm coefficients have no usable scale");
    OP_TRY(lstm_multiplier(context, norm_scale, "layer norm", &g->layer_norm_scale));
    int32_t guard = (int32_t)(10000 * norm_scale);
    g->variance_guard = guard > 1 ? guard : 1;
  }
  float weights = op_scale(lstm_tensor(context, c->node, c->layout->input_weights, gate));
  float recurrent = op_scale(lstm_tensor(context, c->node, c->layout->recurrent_weights, gate));
  OP_TRY(lstm_multiplier(context, weights * input_scale / sum_scale, "input weights", &g->input_scale));
  OP_TRY(lstm_multiplier(context, recurrent * state_scale / sum_scale, "recurrent weights", &g->recurrent_scale));
  if (c->peephole && gate != LSTM_CELL) {
    int cell_log2;
    OP_CHECK(context, lstm_log2(op_scale(op_input(context, c->node, c->layout->cell_state)), &cell_log2),
             "the cell state's scale is no power of two");
    double cell_scale = ldexp(1.0, cell_log2);
    float scale = (float)(cell_scale * (double)op_scale(lstm_peephole(context, c->node, c->layout, gate)) / (double)sum_scale);
    OP_TRY(lstm_multiplier(context, scale, "peephole weights", &g->peephole_scale));
  }
  return kTfLiteOk;
}

static float lstm_limit(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

static TfLiteStatus lstm_prepare_s8(const lstm_check *c, const lstm_options *options, float input_scale, size_t inputs,
                                    lstm_s8 *q) {
  TfLiteContext *context = c->context;
  const TfLiteTensor *state = op_input(context, c->node, c->layout->output_state),
                     *cell = op_input(context, c->node, c->layout->cell_state);
  const TfLiteTensor *output = op_output(context, c->node, 0), *projection = op_input(context, c->node, c->layout->projection),
                     *hidden;
  OP_TRY(op_check_type(context, output, "output", OP_I8));
  *q = (lstm_s8){.inputs = inputs, .cells = (size_t)c->cells, .outputs = (size_t)c->outputs};
  OP_CHECK(context, lstm_log2(op_scale(cell), &q->cell_log2), "the cell state's scale is no power of two");
  OP_CHECK(context, q->cell_log2 >= -15 && q->cell_log2 <= -9, "the cell state's scale is 2^%d, must be 2^-15 to 2^-9",
           q->cell_log2);
  OP_CHECK(context, input_scale > 0 && op_scale(state) > 0 && op_scale(output) > 0, "input, output or output state has no scale");
  if (options->cell_clip > 0) q->cell_clip = (int16_t)lstm_limit(options->cell_clip / op_scale(cell), -32768.0f, 32767.0f);
  if (options->projection_clip > 0)
    q->projection_clip = (int8_t)lstm_limit(options->projection_clip / op_scale(output), -128.0f, 127.0f);
  for (int gate = c->cifg ? LSTM_FORGET : LSTM_INPUT; gate < LSTM_GATES; gate++)
    OP_TRY(lstm_gate_multipliers(c, gate, input_scale, op_scale(state), &q->gates[gate]));
  OP_TRY(lstm_intermediate(context, c->node, 4, &hidden));
  q->hidden_zero_point = op_zero_point(hidden);
  q->output_zero_point = op_zero_point(state);
  OP_CHECK(context, q->hidden_zero_point >= -128 && q->hidden_zero_point <= 127, "the hidden state has zero point %d",
           (int)q->hidden_zero_point);
  float hidden_scale = (float)(0x1p-15 / (double)op_scale(hidden) * 0x1p-15);
  OP_TRY(lstm_multiplier(context, hidden_scale, "hidden state", &q->hidden_scale));
  if (projection)
    OP_TRY(
        lstm_multiplier(context, op_scale(projection) * op_scale(hidden) / op_scale(state), "projection", &q->projection_scale));
  return kTfLiteOk;
}

// What the 12 intermediate tensors hold: the sum, the input's and the recurrent product of each gate.
static TfLiteStatus lstm_narrow_gate_multipliers(const lstm_check *c, int gate, float input_scale, float state_scale,
                                                 lstm_narrow_gate *g) {
  TfLiteContext *context = c->context;
  const TfLiteTensor *sum, *from_input, *from_state, *norm = lstm_tensor(context, c->node, c->layout->layer_norm, gate);
  OP_TRY(lstm_intermediate(context, c->node, 3 * gate, &sum));
  OP_TRY(lstm_intermediate(context, c->node, 3 * gate + 1, &from_input));
  OP_TRY(lstm_intermediate(context, c->node, 3 * gate + 2, &from_state));
  float weights = op_scale(lstm_tensor(context, c->node, c->layout->input_weights, gate));
  float recurrent = op_scale(lstm_tensor(context, c->node, c->layout->recurrent_weights, gate));
  OP_TRY(lstm_multiplier(context, weights * input_scale / op_scale(from_input), "input weights", &g->input_scale));
  OP_TRY(lstm_multiplier(context, recurrent * state_scale / op_scale(from_state), "recurrent weights", &g->recurrent_scale));
  OP_TRY(lstm_multiplier(context, op_scale(from_input) / op_scale(sum), "input product", &g->input_to_sum));
  OP_TRY(lstm_multiplier(context, op_scale(from_state) / op_scale(sum), "recurrent product", &g->recurrent_to_sum));
  g->input_zero_point = (int8_t)op_zero_point(from_input);
  g->recurrent_zero_point = (int8_t)op_zero_point(from_state);
  quant_multiplier norm_scale;
  OP_TRY(lstm_multiplier(context, op_scale(norm), "layer norm", &norm_scale));
  g->layer_norm_scale = (float)ldexp((double)norm_scale.mantissa, norm_scale.shift - 31);
  return kTfLiteOk;
}

static TfLiteStatus lstm_prepare_narrow(const lstm_check *c, const lstm_options *options, size_t inputs, lstm_narrow *q) {
  TfLiteContext *context = c->context;
  const TfLiteTensor *input = op_input(context, c->node, 0), *output = op_output(context, c->node, 0);
  const TfLiteTensor *state = op_input(context, c->node, c->layout->output_state),
                     *cell = op_input(context, c->node, c->layout->cell_state);
  const TfLiteTensor *projection = op_input(context, c->node, c->layout->projection);
  OP_TRY(op_check_type(context, output, "output", OP_I8));
  OP_CHECK(context,
           c->cifg && c->layer_norm && !c->peephole && projection && op_input(context, c->node, c->layout->projection_bias),
           "int8 with 12 intermediate tensors goes with layer norm and a biased projection, without input gate and peephole");
  OP_CHECK(context, op_scale(cell) == 0x1p-15f, "the cell state's scale is not 2^-15");
  OP_CHECK(context, op_scale(input) > 0 && op_scale(state) > 0 && op_scale(output) > 0,
           "input, output or output state has no scale");
  *q = (lstm_narrow){.inputs = inputs, .cells = (size_t)c->cells, .outputs = (size_t)c->outputs};
  q->input_zero_point = op_zero_point(input);
  q->output_zero_point = op_zero_point(state);
  for (int gate = LSTM_FORGET; gate < LSTM_GATES; gate++)
    OP_TRY(lstm_narrow_gate_multipliers(c, gate, op_scale(input), op_scale(state), &q->gates[gate]));
  // As the reference computes it: the recurrent product of the output gate gets the zero point of the cell gate's input product,
  // and for its mantissa the shift of the forget gate's recurrent product (it reads intermediate_scale_a[11] of 8, and
  // intermediate_zp[7]).
  lstm_narrow_gate *last = &q->gates[LSTM_OUTPUT];
  last->recurrent_zero_point = q->gates[LSTM_CELL].input_zero_point;
  last->recurrent_to_sum.mantissa = q->gates[LSTM_FORGET].recurrent_to_sum.shift;
  float scale = (float)((double)op_scale(projection) * 0x1p-15 / (double)op_scale(state));
  OP_TRY(lstm_multiplier(context, scale, "projection", &q->projection_scale));
  OP_CHECK(context, q->projection_scale.shift < 8, "the projection's scale is too large");
  if (options->cell_clip > 0 && options->cell_clip < 1)
    q->cell_clip = (int16_t)lstm_limit(options->cell_clip * 32768.0f, -32768.0f, 32767.0f);
  if (options->projection_clip > 0)
    q->projection_clip = (int8_t)lstm_limit(options->projection_clip / op_scale(output), -128.0f, 127.0f);
  return kTfLiteOk;
}

// ---- Row sums and folded biases. ----
// Row sums of the matrix, times `factor`, plus the bias.
static void lstm_fold(const TfLiteTensor *matrix, const TfLiteTensor *bias, int32_t factor, int32_t *folded) {
  size_t rows = (size_t)op_dim(matrix, 0), cols = (size_t)op_dim(matrix, 1);
  for (size_t r = 0; r < rows; r++) {
    uint32_t sum = factor ? (uint32_t)matvec_sum_s8(matrix->data.int8 + r * cols, cols) * (uint32_t)factor : 0;
    folded[r] = (int32_t)(sum + (bias ? (uint32_t)bias->data.i32[r] : 0));
  }
}

static int32_t lstm_negate(int32_t x) { return (int32_t)(0u - (uint32_t)x); }

// Fills `room` and points the cell at it; with room == NULL only counts.
static size_t lstm_fold_all(TfLiteContext *context, TfLiteNode *node, lstm_node *n, int32_t *room) {
  const lstm_layout *at = n->layout;
  const TfLiteTensor *projection = op_input(context, node, at->projection);
  int32_t input_zero = n->integer ? lstm_negate(op_zero_point(op_input(context, node, 0))) : 1;
  int32_t state_zero = n->integer ? lstm_negate(op_zero_point(op_input(context, node, at->output_state))) : 1;
  size_t used = 0;
  for (int gate = 0; gate < LSTM_GATES; gate++) {
    const TfLiteTensor *input = lstm_tensor(context, node, at->input_weights, gate);
    const TfLiteTensor *recurrent = lstm_tensor(context, node, at->recurrent_weights, gate);
    const TfLiteTensor *aux = !n->integer && n->cell.f.aux_inputs > 0 ? lstm_tensor(context, node, at->aux_weights, gate) : NULL;
    const TfLiteTensor *norm = lstm_tensor(context, node, at->layer_norm, gate);
    const TfLiteTensor *bias = n->integer && !norm ? lstm_tensor(context, node, at->bias, gate) : NULL;
    if (!input) continue;
    int32_t *sums[3] = {NULL, NULL, NULL};
    const TfLiteTensor *matrices[3] = {input, op_rank(recurrent) == 2 ? recurrent : NULL, aux};
    for (int k = 0; k < 3; k++) {
      if (!matrices[k]) continue;
      if (room) lstm_fold(matrices[k], k == 0 ? bias : NULL, k == 1 ? state_zero : input_zero, sums[k] = room + used);
      used += n->cells;
    }
    if (!room) continue;
    if (n->integer) {
      n->cell.q.gates[gate].input_bias = sums[0];
      n->cell.q.gates[gate].recurrent_bias = sums[1];
    } else {
      n->cell.f.gates[gate].input.row_sums = sums[0];
      n->cell.f.gates[gate].recurrent.row_sums = sums[1];
      n->cell.f.gates[gate].aux.row_sums = sums[2];
    }
  }
  if (projection) {
    const TfLiteTensor *bias = n->integer ? op_input(context, node, at->projection_bias) : NULL;
    if (room) lstm_fold(projection, bias, n->integer ? n->cell.q.hidden_zero_point : 1, room + used);
    if (room && n->integer) n->cell.q.projection_bias = room + used;
    if (room && !n->integer) n->cell.f.projection.row_sums = room + used;
    used += n->outputs;
  }
  return used;
}

static bool lstm_is_constant(const TfLiteContext *context, const TfLiteNode *node, const lstm_layout *at) {
  const int rows[] = {at->input_weights, at->recurrent_weights, at->bias, at->aux_weights, at->projection, at->projection_bias};
  for (size_t k = 0; k < BASE_COUNT(rows); k++) {
    for (int i = 0; i < (k < 4 ? 4 : 1); i++) {
      const TfLiteTensor *t = lstm_tensor(context, node, rows[k], i);
      if (t && !op_is_constant(t)) return false;
    }
  }
  return true;
}

static TfLiteStatus lstm_prepare_folds(TfLiteContext *context, TfLiteNode *node, lstm_node *n) {
  size_t bytes;
  OP_CHECK(context, checked_mul(lstm_fold_all(context, node, n, NULL), sizeof(int32_t), &bytes), "too many cells");
  n->folds_in_eval = !lstm_is_constant(context, node, n->layout);
  if (n->folds_in_eval) return op_request_scratch(context, bytes, &n->fold_scratch);
  if (!n->kept) n->kept = op_persistent(context, bytes);
  OP_CHECK(context, n->kept, "out of memory");
  lstm_fold_all(context, node, n, n->kept);
  return kTfLiteOk;
}

// ---- Prepare. ----
static void lstm_prepare_float(const lstm_check *c, const lstm_options *options, size_t inputs, size_t aux_inputs,
                               lstm_float *f) {
  *f = (lstm_float){.inputs = inputs, .aux_inputs = aux_inputs, .cells = (size_t)c->cells, .outputs = (size_t)c->outputs};
  f->activation = (activate_kind)options->activation;
  f->cell_clip = options->cell_clip;
  f->projection_clip = options->projection_clip;
  f->hybrid = c->weight_type != OP_F32;
  f->asymmetric = f->hybrid && options->asymmetric;
}

TfLiteStatus lstm_node_prepare(TfLiteContext *context, TfLiteNode *node, lstm_node *n, const lstm_layout *layout,
                               const lstm_options *options, TfLiteType input_type, int batches, int inputs, int aux_inputs) {
  lstm_check c = {.context = context, .node = node, .layout = layout, .integer = input_type == kTfLiteInt8};
  OP_TRY(lstm_check_inputs(&c, options, batches, inputs, aux_inputs));
  n->layout = layout;
  n->integer = c.integer;
  n->narrow = c.integer && options->narrow;
  n->cells = (size_t)c.cells;
  n->outputs = (size_t)c.outputs;
  size_t bytes;
  bool fits;
  if (n->narrow) {
    OP_TRY(lstm_prepare_narrow(&c, options, (size_t)inputs, &n->cell.narrow));
    fits = lstm_narrow_scratch(&n->cell.narrow, (size_t)batches, &bytes);
  } else if (n->integer) {
    OP_TRY(lstm_prepare_s8(&c, options, op_scale(op_input(context, node, 0)), (size_t)inputs, &n->cell.q));
    fits = lstm_s8_scratch(&n->cell.q, (size_t)batches, &bytes);
  } else {
    lstm_prepare_float(&c, options, (size_t)inputs, (size_t)aux_inputs, &n->cell.f);
    fits = lstm_float_scratch(&n->cell.f, (size_t)batches, &bytes);
  }
  OP_CHECK(context, fits, "%d batches of %d cells are too many", batches, c.cells);
  OP_TRY(op_request_scratch(context, bytes, &n->scratch));
  n->folds = n->integer ? !n->narrow : n->cell.f.asymmetric;
  return n->folds ? lstm_prepare_folds(context, node, n) : kTfLiteOk;
}

// ---- Eval. ----
static lstm_matrix lstm_bind_matrix(const TfLiteTensor *t, const int32_t *row_sums) {
  return (lstm_matrix){t ? t->data.raw : NULL, t ? op_scale(t) : 0, row_sums};
}

static void lstm_bind_gate(TfLiteContext *context, TfLiteNode *node, lstm_node *n, int gate) {
  const lstm_layout *at = n->layout;
  const TfLiteTensor *input = lstm_tensor(context, node, at->input_weights, gate);
  const TfLiteTensor *recurrent = lstm_tensor(context, node, at->recurrent_weights, gate);
  const TfLiteTensor *bias = lstm_tensor(context, node, at->bias, gate), *peephole = lstm_peephole(context, node, at, gate);
  const TfLiteTensor *norm = lstm_tensor(context, node, at->layer_norm, gate);
  if (n->narrow) {
    lstm_narrow_gate *g = &n->cell.narrow.gates[gate];
    g->input = input ? input->data.int8 : NULL;
    g->recurrent = recurrent ? recurrent->data.int8 : NULL;
    g->layer_norm = norm ? norm->data.i16 : NULL;
    g->bias = bias ? bias->data.i32 : NULL;
    return;
  }
  if (n->integer) {
    lstm_gate_s8 *g = &n->cell.q.gates[gate];
    g->input = input ? input->data.int8 : NULL;
    g->recurrent = recurrent ? recurrent->data.int8 : NULL;
    g->peephole = peephole ? peephole->data.i16 : NULL;
    g->layer_norm = norm ? norm->data.i16 : NULL;
    g->layer_norm_bias = bias ? bias->data.i32 : NULL;
    return;
  }
  lstm_gate *g = &n->cell.f.gates[gate];
  const TfLiteTensor *aux = n->cell.f.aux_inputs > 0 ? lstm_tensor(context, node, at->aux_weights, gate) : NULL;
  g->input = lstm_bind_matrix(input, g->input.row_sums);
  g->recurrent = lstm_bind_matrix(recurrent, g->recurrent.row_sums);
  g->aux = lstm_bind_matrix(aux, g->aux.row_sums);
  g->diagonal = recurrent && op_rank(recurrent) == 1;
  g->peephole = peephole ? peephole->data.raw : NULL;
  g->peephole_scale = peephole ? op_scale(peephole) : 0;
  g->layer_norm = norm ? norm->data.f : NULL;
  g->bias = bias ? bias->data.f : NULL;
}

void lstm_node_bind(TfLiteContext *context, TfLiteNode *node, lstm_node *n) {
  const TfLiteTensor *projection = op_input(context, node, n->layout->projection),
                     *bias = op_input(context, node, n->layout->projection_bias);
  if (n->folds && n->folds_in_eval) lstm_fold_all(context, node, n, op_scratch(context, n->fold_scratch));
  for (int gate = 0; gate < LSTM_GATES; gate++) lstm_bind_gate(context, node, n, gate);
  if (n->narrow) {
    n->cell.narrow.projection = projection->data.int8;
    n->cell.narrow.projection_bias = bias->data.i32;
  } else if (n->integer) {
    n->cell.q.projection = projection ? projection->data.int8 : NULL;
  } else {
    n->cell.f.projection = lstm_bind_matrix(projection, n->cell.f.projection.row_sums);
    n->cell.f.projection_bias = bias ? bias->data.f : NULL;
  }
}

void lstm_node_eval(TfLiteContext *context, TfLiteNode *node, lstm_node *n, const lstm_run *run) {
  lstm_node_bind(context, node, n);
  TfLiteTensor *output_state = op_variable(context, node, n->layout->output_state),
               *cell_state = op_variable(context, node, n->layout->cell_state);
  void *scratch = op_scratch(context, n->scratch);
  size_t inputs = n->narrow ? n->cell.narrow.inputs : n->integer ? n->cell.q.inputs : n->cell.f.inputs;
  size_t aux_inputs = n->integer ? 0 : n->cell.f.aux_inputs;
  size_t stride = (size_t)op_dim(run->output, op_rank(run->output) - 1);
  // Batches go together through a step where their vectors lie together.
  size_t together = run->time_major ? run->batches : 1, rounds = run->time_major ? 1 : run->batches;
  for (size_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < run->steps; i++) {
      size_t t = run->backward ? run->steps - 1 - i : i;
      size_t vector = run->time_major ? t * run->batches : round * run->steps + t;
      size_t out = vector * stride + run->output_offset;
      if (n->narrow)
        lstm_narrow_step(&n->cell.narrow, together, run->input->data.int8 + vector * inputs,
                         output_state->data.int8 + round * n->outputs, cell_state->data.i16 + round * n->cells, scratch,
                         run->output->data.int8 + out);
      else if (n->integer)
        lstm_s8_step(&n->cell.q, together, run->input->data.int8 + vector * inputs, output_state->data.int8 + round * n->outputs,
                     cell_state->data.i16 + round * n->cells, scratch, run->output->data.int8 + out);
      else
        lstm_float_step(&n->cell.f, together, run->input->data.f + vector * inputs,
                        run->aux ? run->aux->data.f + vector * aux_inputs : NULL, output_state->data.f + round * n->outputs,
                        cell_state->data.f + round * n->cells, scratch, run->output->data.f + out, stride);
    }
  }
}

uint64_t lstm_node_macs(const lstm_node *n, uint64_t vectors) {
  uint64_t inputs = n->narrow ? n->cell.narrow.inputs : n->integer ? n->cell.q.inputs : n->cell.f.inputs + n->cell.f.aux_inputs;
  return vectors * (4 * n->cells * (inputs + n->outputs) + (n->cells != n->outputs ? n->cells * n->outputs : 0));
}
