// SPDX-License-Identifier: Apache-2.0
// TOPK_V2: the k (input 1) largest elements of each row in falling order, with their places; of equal ones the first comes first,
// NaNs come last.
#include <math.h>

#include "ops/move_common.h"

// Whether element a of a row comes before element b.
typedef bool topk_before(const void *row, int32_t a, int32_t b);

#define TOPK_BEFORE(name, type)                                           \
  static bool topk_before_##name(const void *row, int32_t a, int32_t b) { \
    type va = ((const type *)row)[a], vb = ((const type *)row)[b];        \
    return va > vb || (va == vb && a < b);                                \
  }
TOPK_BEFORE(u8, uint8_t)
TOPK_BEFORE(i8, int8_t)
TOPK_BEFORE(i16, int16_t)
TOPK_BEFORE(i32, int32_t)
TOPK_BEFORE(i64, int64_t)
static bool topk_before_f32(const void *row, int32_t a, int32_t b) {
  float va = ((const float *)row)[a], vb = ((const float *)row)[b];
  if (isnan(va) || isnan(vb)) return isnan(va) && isnan(vb) ? a < b : isnan(vb) != 0;
  return va > vb || (va == vb && a < b);
}

static topk_before *topk_order(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32: return topk_before_f32;
    case kTfLiteUInt8: return topk_before_u8;
    case kTfLiteInt8: return topk_before_i8;
    case kTfLiteInt16: return topk_before_i16;
    case kTfLiteInt32: return topk_before_i32;
    default: return topk_before_i64;
  }
}

// Heap of places with the last in order on top; lets place[at] sink.
static void topk_sink(const void *row, topk_before *before, int32_t *place, int32_t count, int32_t at) {
  int32_t moved = place[at];
  for (int32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && before(row, place[child], place[child + 1])) child++;
    if (!before(row, moved, place[child])) break;
    place[at] = place[child];
  }
  place[at] = moved;
}

// The first k places of a row in order: a heap of k, through which all go, then sorted. place has k entries, 1 <= k <= size.
static void topk_row(const void *row, topk_before *before, int32_t size, int32_t k, int32_t *place) {
  for (int32_t i = 0; i < k; i++) place[i] = i;
  for (int32_t i = k / 2 - 1; i >= 0; i--) topk_sink(row, before, place, k, i);
  for (int32_t i = k; i < size; i++) {
    if (!before(row, i, place[0])) continue;
    place[0] = i;
    topk_sink(row, before, place, k, 0);
  }
  for (int32_t i = k - 1; i > 0; i--) {
    int32_t last = place[0];
    place[0] = place[i];
    place[i] = last;
    topk_sink(row, before, place, i, 0);
  }
}

static TfLiteStatus topk_v2_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 1);
  int rank = op_rank(input), dims[OP_MAX_RANK];
  OP_CHECK(context, given->data.raw, "k has no value");
  int64_t k = move_int_at(given, 0);
  OP_CHECK(context, k <= 0 || k <= op_dim(input, rank - 1), "k is %d, a row has %d elements", (int)k, op_dim(input, rank - 1));
  for (int i = 0; i < rank - 1; i++) dims[i] = op_dim(input, i);
  dims[rank - 1] = k > 0 ? (int)k : 0;
  OP_TRY(op_resize(context, op_output(context, node, 1), rank, dims));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

typedef struct topk_v2_state {
  int32_t scratch;  // a row of places, for int16 places
} topk_v2_state;

static TfLiteStatus topk_v2_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 2));
  topk_v2_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *k = op_input(context, node, 1);
  TfLiteTensor *values = op_output(context, node, 0), *places = op_output(context, node, 1);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_TOPK_V2));
  OP_TRY(move_same_type(context, values, input));
  OP_TRY(op_check_type(context, k, "k", OP_I32 | OP_I16));
  OP_TRY(op_check_type(context, places, "output 1", OP_I32 | OP_I16));
  int rank = op_rank(input);
  OP_CHECK(context, rank >= 1 && rank <= OP_MAX_RANK, "the input has rank %d", rank);
  OP_CHECK(context, op_count(k) == 1, "k must be one value, it has %d", (int)op_count(k));
  if (places->type == kTfLiteInt16) {
    OP_CHECK(context, op_dim(input, rank - 1) <= INT16_MAX, "rows of %d elements are too long for int16 places",
             op_dim(input, rank - 1));
    int index;
    OP_TRY(op_request_scratch(context, (size_t)op_dim(input, rank - 1) * sizeof(int32_t), &index));
    state->scratch = index;
  }
  if (op_is_constant(k)) return topk_v2_resize(context, node);
  OP_TRY(op_make_dynamic(context, values));
  return op_make_dynamic(context, places);
}

static TfLiteStatus topk_v2_eval(TfLiteContext *context, TfLiteNode *node) {
  const topk_v2_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *values = op_output(context, node, 0), *places = op_output(context, node, 1);
  if (op_is_dynamic(values)) OP_TRY(topk_v2_resize(context, node));
  if (op_count(values) == 0) return kTfLiteOk;
  int last = op_rank(input) - 1, size = op_dim(input, last), k = op_dim(values, last);
  size_t rows = op_count_between(input, 0, last), bytes = op_type_size((TfLiteType)input->type);
  topk_before *before = topk_order((TfLiteType)input->type);
  for (size_t r = 0; r < rows; r++) {
    const uint8_t *row = input->data.uint8 + r * (size_t)size * bytes;
    uint8_t *value = values->data.uint8 + r * (size_t)k * bytes;
    int32_t *place = places->type == kTfLiteInt32 ? places->data.i32 + r * (size_t)k : op_scratch(context, state->scratch);
    topk_row(row, before, size, k, place);
    for (int i = 0; i < k; i++) {
      memcpy(value + (size_t)i * bytes, row + (size_t)place[i] * bytes, bytes);
      if (places->type == kTfLiteInt16) places->data.i16[r * (size_t)k + (size_t)i] = (int16_t)place[i];
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_topk_v2 = {OP_ROW(TOPK_V2), .state_size = sizeof(topk_v2_state), .prepare = topk_v2_prepare,
                                      .eval = topk_v2_eval};
