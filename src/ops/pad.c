// SPDX-License-Identifier: Apache-2.0
// PAD and PADV2: puts `before` and `after` (input 1, shape (rank, 2)) elements around the input in each dimension, of the value
// that input 2 gives, else of zero (the zero point, where quantised).
#include "ops/move_common.h"

enum { PAD_MAX_RANK = 5 };  // of the reference
#define PAD_TABLE_TYPES (OP_I64 | OP_I32 | OP_I16 | OP_I8 | OP_BOOL)

static bool pad_quantised(const TfLiteTensor *input) {
  return input->type == kTfLiteUInt8 ||
         ((input->type == kTfLiteInt8 || input->type == kTfLiteInt16) && op_scale_count(input) > 0);
}

static TfLiteStatus pad_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int rank = op_rank(input), before[PAD_MAX_RANK], after[PAD_MAX_RANK], dims[PAD_MAX_RANK];
  OP_TRY(move_read_paddings(context, op_input(context, node, 1), PAD_TABLE_TYPES, rank, before, after));
  for (int i = 0; i < rank; i++) {
    int64_t size = (int64_t)before[i] + op_dim(input, i) + after[i];
    OP_CHECK(context, size <= INT32_MAX, "dimension %d becomes too large", i);
    dims[i] = (int)size;
  }
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus pad_check_value(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *output = op_output(context, node, 0),
                     *value = op_input(context, node, 2);
  if (value) {
    OP_CHECK(context, value->type == input->type, "the padding value is of type %s, the input of type %s",
             op_type_name((TfLiteType)value->type), op_type_name((TfLiteType)input->type));
    OP_CHECK(context, op_count(value) == 1, "the padding value must be one value, it has %d", (int)op_count(value));
  }
  if (!pad_quantised(input)) return kTfLiteOk;
  if (value) {
    OP_CHECK(context, move_same_quantisation(value, output), "padding value and output differ in scale or zero point");
  } else {
    int32_t zero = op_zero_point(output), low = input->type == kTfLiteUInt8  ? 0
                                                : input->type == kTfLiteInt8 ? INT8_MIN
                                                                             : INT16_MIN;
    int32_t high = input->type == kTfLiteUInt8 ? UINT8_MAX : input->type == kTfLiteInt8 ? INT8_MAX : INT16_MAX;
    OP_CHECK(context, zero >= low && zero <= high, "the output's zero point %d is outside its type", (int)zero);
  }
  return kTfLiteOk;
}

static TfLiteStatus pad_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *paddings = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_PAD));
  OP_TRY(op_check_type(context, paddings, "paddings", PAD_TABLE_TYPES));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, op_rank(input) <= PAD_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), PAD_MAX_RANK);
  OP_CHECK(context, op_rank(paddings) == 2 && op_dim(paddings, 1) == 2, "paddings must be of shape (rank, 2)");
  OP_TRY(pad_check_value(context, node));
  if (op_rank(input) == 0 || !op_is_constant(paddings)) return op_make_dynamic(context, output);
  return pad_resize(context, node);
}

// Fills the borders of dimension d: outer dimensions over the input's extent only, inner ones (borders included) in full, so that
// every border element is written once.
static void pad_border(const TfLiteTensor *input, TfLiteTensor *output, const int *before, int d, int first, int count,
                       const void *value) {
  ptrdiff_t step[OP_MAX_RANK], start = 0;
  int rank = op_rank(output);
  size_t bytes = op_type_size((TfLiteType)output->type);
  move_steps(rank, output->dims->data, step);
  move_view view = {0};
  for (int i = 0; i < rank; i++) {
    move_add(&view, (size_t)(i < d ? op_dim(input, i) : i == d ? count : op_dim(output, i)), 0, step[i]);
    start += i < d ? before[i] * step[i] : i == d ? first * step[i] : 0;
  }
  move_copy(&view, bytes, value, output->data.uint8 + (size_t)start * bytes);
}

static TfLiteStatus pad_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(pad_resize(context, node));
  int rank = op_rank(input), before[PAD_MAX_RANK], after[PAD_MAX_RANK];
  OP_TRY(move_read_paddings(context, op_input(context, node, 1), PAD_TABLE_TYPES, rank, before, after));
  if (op_count(output) == 0) return kTfLiteOk;

  uint8_t value[8] = {0};
  size_t bytes = op_type_size((TfLiteType)input->type);
  if (given) {
    memcpy(value, given->data.raw, bytes);
  } else if (pad_quantised(input)) {
    int16_t zero = (int16_t)op_zero_point(output);
    if (bytes == 1)
      value[0] = (uint8_t)zero;
    else
      memcpy(value, &zero, sizeof zero);
  }
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], start = 0;
  move_steps(rank, input->dims->data, from);
  move_steps(rank, output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < rank; i++) {
    if (before[i]) pad_border(input, output, before, i, 0, before[i], value);
    if (after[i]) pad_border(input, output, before, i, before[i] + op_dim(input, i), after[i], value);
    move_add(&view, (size_t)op_dim(input, i), from[i], to[i]);
    start += before[i] * to[i];
  }
  move_copy(&view, bytes, input->data.raw, output->data.uint8 + (size_t)start * bytes);
  return kTfLiteOk;
}

const op_descriptor arn_op_pad = {OP_ROW(PAD), .prepare = pad_prepare, .eval = pad_eval, .cost = move_no_macs};
const op_descriptor arn_op_padv2 = {OP_ROW(PADV2), .prepare = pad_prepare, .eval = pad_eval, .cost = move_no_macs};
