// SPDX-License-Identifier: Apache-2.0
// String tensors: checking, writing and moving their bytes (layout in string_buffer.h).
#include "ops/string_buffer.h"

#include "base/checked.h"

TfLiteStatus string_check(TfLiteContext *context, const TfLiteTensor *t, const char *what) {
  (void)what;
  size_t bytes = op_bytes(t), count = op_count(t);
  if (count == 0) return kTfLiteOk;
  OP_CHECK(context, t->data.raw && bytes >= 8 && count <= bytes / 4 - 2, "%s's buffer of %d bytes is too short for its strings",
           what, (int)bytes);
  OP_CHECK(context, string_load(t->data.raw) >= 0 && (size_t)string_load(t->data.raw) == count,
           "%s has %d elements, its buffer %d strings", what, (int)count, (int)string_load(t->data.raw));
  int32_t last = string_load(t->data.raw + 4);
  OP_CHECK(context, last >= 0, "%s's string offsets are negative", what);
  for (size_t i = 1; i <= count; i++) {
    int32_t next = string_load(t->data.raw + 4 * (i + 1));
    OP_CHECK(context, next >= last && (size_t)next <= bytes, "%s's string %d ends at byte %d, its buffer has %d", what,
             (int)i - 1, (int)next, (int)bytes);
    last = next;
  }
  return kTfLiteOk;
}

TfLiteStatus string_begin(TfLiteContext *context, TfLiteTensor *t, size_t text_bytes, string_writer *writer) {
  size_t count = op_count(t), bytes;
  OP_CHECK(context, checked_mul(count, 4, &bytes) && checked_add(bytes, 8, &bytes), "too many strings");
  writer->end = bytes;
  OP_CHECK(context, checked_add(bytes, text_bytes, &bytes) && bytes <= INT32_MAX,
           "strings of %zu bytes are over the format's limit", text_bytes);
  OP_TRY(op_realloc(context, t, bytes));
  writer->data = t->data.raw;
  writer->next = 0;
  int32_t head[2] = {(int32_t)count, (int32_t)writer->end};
  memcpy(writer->data, head, sizeof head);
  return kTfLiteOk;
}

TfLiteStatus string_move(TfLiteContext *context, const move_view *view, const TfLiteTensor *input, size_t first,
                         TfLiteTensor *output) {
  OP_TRY(string_check(context, input, "input"));
  move_walk walk;
  size_t text = 0;
  for (move_walk_begin(&walk, view); !walk.done; move_walk_next(&walk)) {
    OP_CHECK(context, checked_add(text, string_at(input, first + (size_t)walk.from).length, &text), "too much text");
  }
  string_writer writer;
  OP_TRY(string_begin(context, output, text, &writer));
  for (move_walk_begin(&walk, view); !walk.done; move_walk_next(&walk))
    string_add(&writer, string_at(input, first + (size_t)walk.from));
  return kTfLiteOk;
}

TfLiteStatus string_copy(TfLiteContext *context, const TfLiteTensor *input, TfLiteTensor *output) {
  OP_TRY(string_check(context, input, "input"));
  size_t bytes = op_bytes(input);
  OP_TRY(op_realloc(context, output, bytes));
  if (bytes) memcpy(output->data.raw, input->data.raw, bytes);
  return kTfLiteOk;
}
