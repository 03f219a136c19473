// SPDX-License-Identifier: Apache-2.0
// HASHTABLE_LOOKUP: for each number of input 0 the row of the values (input 2) at its place among the sorted keys (input 1),
// zeros or an empty string where it is not there; output 1 tells which were found.
#include "base/checked.h"
#include "ops/move_common.h"

static TfLiteStatus hashtable_lookup_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 2));
  const TfLiteTensor *wanted = op_input(context, node, 0), *keys = op_input(context, node, 1),
                     *values = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0), *hits = op_output(context, node, 1);
  OP_TRY(op_check_type(context, wanted, "input 0", OP_I32));
  OP_TRY(op_check_type(context, keys, "keys", OP_I32));
  OP_TRY(op_check_type(context, values, "values", OP_TYPES_HASHTABLE_LOOKUP));
  OP_TRY(op_check_type(context, hits, "output 1", OP_U8));
  OP_TRY(move_same_type(context, output, values));
  OP_CHECK(context, op_rank(wanted) == 1 && op_rank(keys) == 1 && op_rank(values) >= 1 && op_rank(values) <= OP_MAX_RANK,
           "input, keys and values have ranks %d, %d and %d", op_rank(wanted), op_rank(keys), op_rank(values));
  OP_CHECK(context, op_dim(keys, 0) == op_dim(values, 0) && op_dim(keys, 0) > 0, "%d keys for %d values", op_dim(keys, 0),
           op_dim(values, 0));
  OP_CHECK(context, values->type != kTfLiteString || op_rank(values) == 1, "strings must form a vector, they have rank %d",
           op_rank(values));
  int dims[OP_MAX_RANK] = {op_dim(wanted, 0)};
  for (int i = 1; i < op_rank(values); i++) dims[i] = op_dim(values, i);
  OP_TRY(op_resize(context, hits, 1, dims));
  return op_resize(context, output, op_rank(values), dims);
}

// The key's place, -1 where it is not there: binary search over sorted keys.
static int hashtable_lookup_place(const TfLiteTensor *keys, int32_t key) {
  int low = 0, high = op_dim(keys, 0);
  while (low < high) {
    int middle = low + (high - low) / 2;
    int32_t at = keys->data.i32[middle];
    if (at == key) return middle;
    if (at < key)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static TfLiteStatus hashtable_lookup_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *wanted = op_input(context, node, 0), *keys = op_input(context, node, 1),
                     *values = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0), *hits = op_output(context, node, 1);
  bool strings = values->type == kTfLiteString;
  int count = op_dim(wanted, 0);
  size_t bytes = op_count_between(values, 1, op_rank(values)) * op_type_size((TfLiteType)values->type), text = 0;
  if (strings) OP_TRY(string_check(context, values, "values"));
  string_writer writer = {0};
  for (int pass = strings ? 0 : 1; pass < 2; pass++) {  // strings: first how much text, then the text
    if (pass && strings) OP_TRY(string_begin(context, output, text, &writer));
    for (int i = 0; i < count; i++) {
      int place = hashtable_lookup_place(keys, wanted->data.i32[i]);
      if (!pass) {
        OP_CHECK(context, place < 0 || checked_add(text, string_at(values, (size_t)place).length, &text), "too much text");
        continue;
      }
      hits->data.uint8[i] = place >= 0;
      uint8_t *row = strings ? NULL : output->data.uint8 + (size_t)i * bytes;
      if (strings)
        string_add(&writer, place < 0 ? (string_view){"", 0} : string_at(values, (size_t)place));
      else if (bytes && place < 0)
        memset(row, 0, bytes);
      else if (bytes)
        memcpy(row, values->data.uint8 + (size_t)place * bytes, bytes);
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_hashtable_lookup = {OP_ROW(HASHTABLE_LOOKUP), .prepare = hashtable_lookup_prepare,
                                               .eval = hashtable_lookup_eval, .cost = move_no_macs};
