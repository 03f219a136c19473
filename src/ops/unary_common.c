// SPDX-License-Identifier: Apache-2.0
// Tables of quantised functions, for operators.
#include "ops/unary_common.h"

TfLiteStatus unary_scales(TfLiteContext *context, const TfLiteNode *node, table_scales *scales) {
  const TfLiteTensor *input = op_input(context, node, 0), *output = op_output(context, node, 0);
  OP_TRY(elementwise_check_quantized(context, input, "the input"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  OP_CHECK(context, op_scale(output) > 0, "the output is not quantised");
  *scales = (table_scales){.in = op_scale(input),
                           .out = op_scale(output),
                           .zero_point_in = op_zero_point(input),
                           .zero_point_out = op_zero_point(output)};
  OP_CHECK(context, input->type != kTfLiteInt16 || (scales->zero_point_in == 0 && scales->zero_point_out == 0),
           "16-bit tensors must have zero point 0");
  return kTfLiteOk;
}

TfLiteStatus unary_table_room(TfLiteContext *context, size_t bytes, void **table) {
  if (!*table) *table = op_persistent(context, bytes);
  OP_CHECK(context, *table, "no memory for a table of %d bytes", (int)bytes);
  return kTfLiteOk;
}

TfLiteStatus unary_table_real(TfLiteContext *context, const TfLiteNode *node, table_function f, const void *params,
                              void **table) {
  table_scales scales;
  OP_TRY(unary_scales(context, node, &scales));
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type;
  OP_TRY(unary_table_room(context, type == kTfLiteInt16 ? TABLE_POINTS_16 * sizeof(int16_t) : TABLE_SIZE_8, table));
  if (type == kTfLiteInt16) {
    table_build_16(*table, &scales, f, params);
  } else {
    table_build_8(*table, type == kTfLiteInt8, &scales, f, params);
  }
  return kTfLiteOk;
}

TfLiteStatus unary_table_8(TfLiteContext *context, TfLiteType type, unary_function f, const void *params, void **table) {
  OP_TRY(unary_table_room(context, TABLE_SIZE_8, table));
  int32_t low, high;
  unary_type_range(type, &low, &high);
  for (int32_t q = low; q <= high; q++) ((uint8_t *)*table)[(uint8_t)q] = (uint8_t)f(q, params);
  return kTfLiteOk;
}

TfLiteStatus unary_run_table(TfLiteContext *context, TfLiteNode *node, const void *table) {
  bool wide = op_input(context, node, 0)->type == kTfLiteInt16;
  return elementwise_run_unary(context, node, wide ? table_row_16 : table_row_8, table);
}
