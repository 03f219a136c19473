// SPDX-License-Identifier: Apache-2.0
// What the bidirectional sequence operators share: where the inputs of the two cells come from, and the outputs' shapes.
// Without aux weights an aux input is the backward cell's input (the other half of a bidirectional network below, without cross
// links); with them it is a second input of both cells.
#ifndef OPS_BIDIRECTIONAL_COMMON_H
#define OPS_BIDIRECTIONAL_COMMON_H

#include "ops/op.h"

typedef struct bidirectional_shape {
  int batches, steps, inputs, aux_inputs;  // aux_inputs: of both cells; 0: none
} bidirectional_shape;

static inline TfLiteStatus bidirectional_check(TfLiteContext *context, const TfLiteNode *node, int aux_input,
                                               bool has_aux_weights, bool time_major, bidirectional_shape *shape) {
  const TfLiteTensor *input = op_input(context, node, 0), *aux = op_input(context, node, aux_input);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_CHECK(context, op_rank(input) == 3, "input has rank %d, not 3", op_rank(input));
  *shape = (bidirectional_shape){op_dim(input, time_major ? 1 : 0), op_dim(input, time_major ? 0 : 1), op_dim(input, 2), 0};
  OP_CHECK(context, aux || !has_aux_weights, "there are aux weights, but no aux input");
  if (!aux) return kTfLiteOk;
  OP_TRY(op_check_type(context, aux, "aux input", OP_F32));
  OP_CHECK(context, op_rank(aux) == 3 && op_dim(aux, 0) == op_dim(input, 0) && op_dim(aux, 1) == op_dim(input, 1),
           "aux input is not [%d, %d, ...]", op_dim(input, 0), op_dim(input, 1));
  if (has_aux_weights)
    shape->aux_inputs = op_dim(aux, 2);
  else
    OP_CHECK(context, op_dim(aux, 2) == shape->inputs, "the backward cell's input has %d values, not %d", op_dim(aux, 2),
             shape->inputs);
  return kTfLiteOk;
}

static inline TfLiteStatus bidirectional_resize(TfLiteContext *context, TfLiteNode *node, bool merge, int forward, int backward) {
  const TfLiteTensor *input = op_input(context, node, 0);
  for (int i = 0; i < op_output_count(node); i++) OP_TRY(op_check_type(context, op_output(context, node, i), "output", OP_F32));
  OP_CHECK(context, forward <= INT32_MAX - backward, "the outputs are too large");
  OP_TRY(op_resize(context, op_output(context, node, 0), 3,
                   (int[]){op_dim(input, 0), op_dim(input, 1), merge ? forward + backward : forward}));
  if (merge) return kTfLiteOk;
  return op_resize(context, op_output(context, node, 1), 3, (int[]){op_dim(input, 0), op_dim(input, 1), backward});
}

#endif
