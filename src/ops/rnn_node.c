// SPDX-License-Identifier: Apache-2.0
// One direction of a plain recurrent network: checks, row sums, and the loop over time.
#include "ops/rnn_node.h"

#include "base/checked.h"
#include "kernels/matvec.h"

static const TfLiteTensor *rnn_tensor(const TfLiteContext *context, const TfLiteNode *node, int i) {
  return i < 0 ? NULL : op_input(context, node, i);
}

static TfLiteStatus rnn_check_matrix(TfLiteContext *context, const TfLiteTensor *t, const char *what, uint32_t types, int rows,
                                     int cols) {
  (void)what;
  OP_CHECK(context, t, "%s are required, the model leaves them out", what);
  OP_TRY(op_check_type(context, t, what, types));
  OP_CHECK(context, op_rank(t) == 2 && op_dim(t, 0) == rows && op_dim(t, 1) == cols, "%s are not [%d, %d]", what, rows, cols);
  return kTfLiteOk;
}

// Row sums of all matrices, [units] each: input, aux (if any), recurrent.
static void rnn_fill_sums(TfLiteContext *context, TfLiteNode *node, rnn_node *n, int32_t *sums) {
  rnn_cell *cell = &n->cell;
  matvec_row_sums_s8(op_input(context, node, n->layout->weights)->data.int8, cell->units, cell->inputs, sums);
  cell->input.row_sums = sums;
  sums += cell->units;
  if (cell->aux_inputs > 0) {
    matvec_row_sums_s8(op_input(context, node, n->layout->aux_weights)->data.int8, cell->units, cell->aux_inputs, sums);
    cell->aux.row_sums = sums;
    sums += cell->units;
  }
  matvec_row_sums_s8(op_input(context, node, n->layout->recurrent)->data.int8, cell->units, cell->units, sums);
  cell->recurrent.row_sums = sums;
}

static TfLiteStatus rnn_prepare_sums(TfLiteContext *context, TfLiteNode *node, rnn_node *n) {
  const TfLiteTensor *aux = rnn_tensor(context, node, n->layout->aux_weights);
  size_t bytes;
  OP_CHECK(context, checked_mul(n->cell.units, 3 * sizeof(int32_t), &bytes), "too many units");
  n->sums_in_eval = !op_is_constant(op_input(context, node, n->layout->weights)) ||
                    !op_is_constant(op_input(context, node, n->layout->recurrent)) || (aux && !op_is_constant(aux));
  if (n->sums_in_eval) return op_request_scratch(context, bytes, &n->sums_scratch);
  if (!n->sums) n->sums = op_persistent(context, bytes);
  OP_CHECK(context, n->sums, "out of memory");
  rnn_fill_sums(context, node, n, n->sums);
  return kTfLiteOk;
}

TfLiteStatus rnn_node_prepare(TfLiteContext *context, TfLiteNode *node, rnn_node *n, const rnn_layout *layout,
                              TfLiteFusedActivation activation, bool asymmetric, int batches, int inputs, int aux_inputs) {
  const TfLiteTensor *weights = op_input(context, node, layout->weights), *bias = op_input(context, node, layout->bias);
  const TfLiteTensor *state = op_variable(context, node, layout->state);
  OP_CHECK(context, weights && op_rank(weights) == 2 && op_dim(weights, 0) > 0, "weights are not a matrix");
  OP_CHECK(context, state, "the hidden state is not a variable");
  int units = op_dim(weights, 0);
  OP_TRY(rnn_check_matrix(context, weights, "weights", OP_F32 | OP_I8 | OP_U8, units, inputs));
  uint32_t type = OP_TYPE(weights->type);
  OP_TRY(rnn_check_matrix(context, op_input(context, node, layout->recurrent), "recurrent weights", type, units, units));
  if (aux_inputs > 0)
    OP_TRY(rnn_check_matrix(context, rnn_tensor(context, node, layout->aux_weights), "aux weights", type, units, aux_inputs));
  OP_CHECK(context, bias, "bias is required, the model leaves it out");
  OP_TRY(op_check_type(context, bias, "bias", OP_F32));
  OP_CHECK(context, op_rank(bias) == 1 && op_dim(bias, 0) == units, "bias is not [%d]", units);
  OP_TRY(rnn_check_matrix(context, state, "hidden states", OP_F32, batches, units));
  n->layout = layout;
  n->cell = (rnn_cell){.inputs = (size_t)inputs,
                       .aux_inputs = (size_t)aux_inputs,
                       .units = (size_t)units,
                       .activation = (activate_kind)activation};
  n->cell.hybrid = type != OP_F32;
  n->cell.asymmetric = n->cell.hybrid && asymmetric;
  n->sums_in_eval = false;
  OP_TRY(op_request_scratch(context, rnn_cell_scratch(&n->cell), &n->scratch));
  return n->cell.asymmetric ? rnn_prepare_sums(context, node, n) : kTfLiteOk;
}

static void rnn_bind(const TfLiteTensor *t, rnn_matrix *m) {
  m->weights = t ? t->data.raw : NULL;
  m->scale = t ? op_scale(t) : 0;
}

void rnn_node_eval(TfLiteContext *context, TfLiteNode *node, rnn_node *n, const rnn_run *run) {
  rnn_cell *cell = &n->cell;
  rnn_bind(op_input(context, node, n->layout->weights), &cell->input);
  rnn_bind(op_input(context, node, n->layout->recurrent), &cell->recurrent);
  rnn_bind(cell->aux_inputs > 0 ? rnn_tensor(context, node, n->layout->aux_weights) : NULL, &cell->aux);
  cell->bias = op_input(context, node, n->layout->bias)->data.f;
  if (n->sums_in_eval) rnn_fill_sums(context, node, n, op_scratch(context, n->sums_scratch));
  float *state = op_variable(context, node, n->layout->state)->data.f;
  int8_t *scratch = op_scratch(context, n->scratch);
  size_t stride = (size_t)op_dim(run->output, op_rank(run->output) - 1);
  // Batches go together through a step where their vectors lie together.
  size_t together = run->time_major ? run->batches : 1, rounds = run->time_major ? 1 : run->batches;
  for (size_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < run->steps; i++) {
      size_t t = run->backward ? run->steps - 1 - i : i;
      size_t vector = run->time_major ? t * run->batches : round * run->steps + t;
      rnn_cell_step(cell, together, run->input->data.f + vector * cell->inputs,
                    run->aux ? run->aux->data.f + vector * cell->aux_inputs : NULL, state + round * cell->units, scratch,
                    run->output->data.f + vector * stride + run->output_offset, stride);
    }
  }
}
