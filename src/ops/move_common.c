// SPDX-License-Identifier: Apache-2.0
// Helpers of the data-moving operators (move_common.h).
#include "ops/move_common.h"

void move_no_macs(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  (void)context, (void)node;
  cost->macs = 0;
}

TfLiteStatus move_tensor(TfLiteContext *context, const move_view *view, const TfLiteTensor *input, size_t first,
                         TfLiteTensor *output) {
  if (input->type == kTfLiteString) return string_move(context, view, input, first, output);
  if (op_count(output) == 0) return kTfLiteOk;
  if (input->type == kTfLiteInt4 || input->type == kTfLiteUInt4) {
    output->data.uint8[op_bytes(output) - 1] = 0;  // the padding nibble of an odd count
    move_copy_nibbles(view, input->data.uint8, first, output->data.uint8, 0);
    return kTfLiteOk;
  }
  size_t bytes = op_type_size((TfLiteType)input->type);
  OP_CHECK(context, bytes, "elements of type %s cannot be moved", op_type_name((TfLiteType)input->type));
  move_copy(view, bytes, input->data.uint8 + first * bytes, output->data.raw);
  return kTfLiteOk;
}

TfLiteStatus move_as_is(TfLiteContext *context, const TfLiteTensor *input, TfLiteTensor *output) {
  if (input->type == kTfLiteString) return string_copy(context, input, output);
  size_t bytes = op_bytes(input);
  OP_CHECK(context, bytes == op_bytes(output), "the input has %d bytes, the output %d", (int)bytes, (int)op_bytes(output));
  if (bytes && output->data.raw != input->data.raw) memmove(output->data.raw, input->data.raw, bytes);
  return kTfLiteOk;
}

TfLiteStatus move_axis(TfLiteContext *context, int axis, int rank, int *result) {
  OP_CHECK(context, axis >= -rank && axis < rank, "axis %d is outside rank %d", axis, rank);
  *result = axis < 0 ? axis + rank : axis;
  return kTfLiteOk;
}

TfLiteStatus move_dimension_bits(TfLiteContext *context, const int64_t *dims, int count, int rank, uint32_t *bits) {
  OP_CHECK(context, count >= 0 && count <= rank, "%d dimensions are listed for rank %d", count, rank);
  *bits = 0;
  for (int i = 0; i < count; i++) {
    OP_CHECK(context, dims[i] >= 0 && dims[i] < rank && !(*bits >> dims[i] & 1),
             "dimension %lld does not fit rank %d or is given twice", (long long)dims[i], rank);
    *bits |= 1u << dims[i];
  }
  return kTfLiteOk;
}

int64_t move_int_at(const TfLiteTensor *t, size_t i) {
  int64_t wide;
  int32_t plain;
  int16_t half;
  switch (t->type) {
    case kTfLiteInt64: return memcpy(&wide, t->data.i64 + i, sizeof wide), wide;
    case kTfLiteInt32: return memcpy(&plain, t->data.i32 + i, sizeof plain), plain;
    case kTfLiteInt16: return memcpy(&half, t->data.i16 + i, sizeof half), half;
    case kTfLiteInt8: return t->data.int8[i];
    case kTfLiteBool:
    case kTfLiteUInt8: return t->data.uint8[i];
    default: return 0;
  }
}

TfLiteStatus move_read_one(TfLiteContext *context, const TfLiteTensor *t, const char *what, int *value) {
  OP_TRY(op_check_type(context, t, what, OP_I32 | OP_I64));
  OP_CHECK(context, op_count(t) == 1, "%s must be one value, it has %d", what, (int)op_count(t));
  OP_CHECK(context, t->data.raw, "%s has no data", what);
  int64_t wide = move_int_at(t, 0);
  OP_CHECK(context, wide >= INT32_MIN && wide <= INT32_MAX, "%s is out of range", what);
  *value = (int)wide;
  return kTfLiteOk;
}

TfLiteStatus move_read_paddings(TfLiteContext *context, const TfLiteTensor *t, uint32_t type_bits, int rank, int *before,
                                int *after) {
  OP_TRY(op_check_type(context, t, "paddings", type_bits));
  OP_CHECK(context, op_rank(t) == 2 && op_dim(t, 0) == rank && op_dim(t, 1) == 2,
           "paddings must be of shape (%d, 2), the input's rank", rank);
  OP_CHECK(context, rank == 0 || t->data.raw, "paddings have no data");
  for (int i = 0; i < rank; i++) {
    int64_t low = move_int_at(t, 2 * (size_t)i), high = move_int_at(t, 2 * (size_t)i + 1);
    OP_CHECK(context, low >= 0 && high >= 0 && low <= INT32_MAX && high <= INT32_MAX, "paddings of dimension %d are out of range",
             i);
    before[i] = (int)low;
    after[i] = (int)high;
  }
  return kTfLiteOk;
}

TfLiteStatus move_same_type(TfLiteContext *context, const TfLiteTensor *output, const TfLiteTensor *input) {
  OP_CHECK(context, output->type == input->type, "the output is of type %s, the input of type %s",
           op_type_name((TfLiteType)output->type), op_type_name((TfLiteType)input->type));
  return kTfLiteOk;
}

TfLiteStatus move_take_type(TfLiteContext *context, TfLiteTensor *output, TfLiteType type) {
  if (output->type == type) return kTfLiteOk;
  OP_CHECK(context, output->type != kTfLiteString && type != kTfLiteString, "the output is of type %s, not %s",
           op_type_name((TfLiteType)output->type), op_type_name(type));
  output->type = type;
  return kTfLiteOk;
}
