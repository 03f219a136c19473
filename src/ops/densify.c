// SPDX-License-Identifier: Apache-2.0
// DENSIFY: a sparse constant of float32, float16 or int8 made dense, in prepare, so that what follows sees a constant.
// Source of the rules: TFLite reference, densify.cc.
#include "ops/sparse_common.h"

static TfLiteStatus densify_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_DENSIFY));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_is_constant(input) && op_is_sparse(input), "the input is not a sparse constant");
  OP_TRY(op_resize_persistent(context, output, op_rank(input), input->dims->data));
  return op_count(output) == 0 ? kTfLiteOk : op_densify(context, input, op_type_size((TfLiteType)input->type), output->data.raw);
}

static TfLiteStatus densify_eval(TfLiteContext *context, TfLiteNode *node) {  // prepare did it
  (void)context, (void)node;
  return kTfLiteOk;
}

const op_descriptor arn_op_densify = {OP_ROW(DENSIFY), .sparse_inputs = 1u << 0, .prepare = densify_prepare,
                                      .eval = densify_eval};
