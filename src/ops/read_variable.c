// SPDX-License-Identifier: Apache-2.0
// READ_VARIABLE: the value that was last assigned to the variable behind a handle. Where the model gives the output no
// dimensions, it takes the variable's.
#include "ops/resource_common.h"

static TfLiteStatus read_variable_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  OP_TRY(resource_check_handle(context, op_input(context, node, 0), OP_RESOURCE | OP_I32));
  TfLiteTensor *output = op_output(context, node, 0);
  return op_rank(output) == 0 ? op_make_dynamic(context, output) : kTfLiteOk;
}

static TfLiteStatus read_variable_eval(TfLiteContext *context, TfLiteNode *node) {
  const resource_variable *variable = resource_find_variable(context, op_input(context, node, 0));
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, variable, "the variable has no value yet");
  OP_CHECK(context, variable->type == output->type, "the variable is of type %s, the output of type %s",
           op_type_name(variable->type), op_type_name((TfLiteType)output->type));
  if (op_is_dynamic(output)) {
    OP_TRY(op_resize(context, output, variable->rank, variable->dims));
    if (op_type_size(variable->type) == 0) OP_TRY(op_realloc(context, output, variable->bytes));
  }
  OP_CHECK(context, variable->bytes == op_bytes(output), "the variable has %d bytes, the output %d", (int)variable->bytes,
           (int)op_bytes(output));
  if (variable->bytes) memcpy(output->data.raw, variable->data, variable->bytes);
  return kTfLiteOk;
}

const op_descriptor arn_op_read_variable = {OP_ROW(READ_VARIABLE), .prepare = read_variable_prepare, .eval = read_variable_eval,
                                            .cost = move_no_macs};
