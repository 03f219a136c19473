// SPDX-License-Identifier: Apache-2.0
// The custom operator Table: int8 values through a table of 256 (first those of 0..127, then those of -128..-1), int16 values
// through one of 513 entries with straight lines between them.
#include "ops/move_common.h"

static TfLiteStatus table_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *table = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I8 | OP_I16));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, table->type == input->type, "the table is of type %s, the input of type %s",
           op_type_name((TfLiteType)table->type), op_type_name((TfLiteType)input->type));
  OP_CHECK(context, input->type != kTfLiteInt16 || (op_zero_point(input) == 0 && op_zero_point(output) == 0),
           "16-bit tensors have zero points");
  int size = input->type == kTfLiteInt8 ? 256 : 513;
  OP_CHECK(context, op_rank(table) == 1 && op_dim(table, 0) == size, "the table must have %d entries", size);
  return op_resize_like(context, output, input);
}

static TfLiteStatus table_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *table = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  size_t count = op_count(input);
  if (input->type == kTfLiteInt8) {
    for (size_t i = 0; i < count; i++) output->data.int8[i] = table->data.int8[input->data.uint8[i]];
    return kTfLiteOk;
  }
  for (size_t i = 0; i < count; i++) {  // 7 bits between entries
    int value = input->data.i16[i], at = 256 + (value >> 7), base = table->data.i16[at];
    output->data.i16[i] = (int16_t)(base + (((int16_t)(table->data.i16[at + 1] - base) * (value & 127) + 64) >> 7));
  }
  return kTfLiteOk;
}

static void table_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  (void)context, (void)node;
  share->inputs = 1;  // not the table
}

const op_descriptor arn_op_table = {OP_CUSTOM_ROW(Table), .in_place = OP_ELEMENTWISE, .share = table_share,
                                    .prepare = table_prepare, .eval = table_eval};
