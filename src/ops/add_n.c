// SPDX-License-Identifier: Apache-2.0
// ADD_N: the sum of two or more tensors of one shape. Source of the rules: TFLite kernels/add_n.cc.
#include "kernels/arith.h"
#include "ops/elementwise_common.h"

static TfLiteStatus add_n_prepare(TfLiteContext *context, TfLiteNode *node) {
  int count = op_input_count(node);
  OP_TRY(op_check_counts(context, node, 2, count, 1));
  const TfLiteTensor *first = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, first, "input 0", OP_TYPES_ADD_N));
  for (int i = 1; i < count; i++) {
    const TfLiteTensor *input = op_input(context, node, i);
    OP_CHECK(context, input, "input %d is required, the model leaves it out", i);
    OP_CHECK(context, input->type == first->type && op_same_shape(input, first), "input %d differs from input 0 in type or shape",
             i);
  }
  output->type = first->type;
  return op_resize_like(context, output, first);
}

static TfLiteStatus add_n_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *first = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  broadcast_row add = elementwise_row(&arith_plain_add, (TfLiteType)first->type);
  const size_t step[2] = {1, 1};
  const void *sum = first->data.raw;
  for (int i = 1; i < op_input_count(node); i++) {
    const void *in[2] = {sum, op_input(context, node, i)->data.raw};
    add(NULL, in, step, output->data.raw, op_count(first));
    sum = output->data.raw;
  }
  return kTfLiteOk;
}

static void add_n_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *first = op_input(context, node, 0);
  cost->macs = first ? (uint64_t)(op_input_count(node) - 1) * op_count(first) : 0;
}

const op_descriptor arn_op_add_n = {OP_ROW(ADD_N), .prepare = add_n_prepare, .eval = add_n_eval, .cost = add_n_cost};
