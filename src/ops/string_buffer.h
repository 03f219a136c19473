// SPDX-License-Identifier: Apache-2.0
// The bytes of a string tensor, as TensorFlow Lite lays them out: int32 count, int32 offsets[count + 1] from the buffer's start,
// then the text without terminators; string i is the bytes offsets[i]..offsets[i + 1]. Zero bytes are a buffer of no strings. For
// operators.
#ifndef OPS_STRING_BUFFER_H
#define OPS_STRING_BUFFER_H

#include <string.h>

#include "kernels/move.h"
#include "ops/op.h"

typedef struct string_view {
  const char *text;  // not terminated
  size_t length;
} string_view;

static inline int32_t string_load(const char *at) {
  int32_t v;
  memcpy(&v, at, sizeof v);
  return v;
}
// String i of a checked buffer.
static inline string_view string_at(const TfLiteTensor *t, size_t i) {
  const char *offset = t->data.raw_const + 4 * (i + 1);
  int32_t first = string_load(offset);
  return (string_view){t->data.raw_const + first, (size_t)(string_load(offset + 4) - first)};
}
static inline bool string_equal(string_view a, string_view b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

// Fails unless t's bytes are a well-formed buffer of as many strings as t has elements; `what` names t in the message.
TfLiteStatus string_check(TfLiteContext *context, const TfLiteTensor *t, const char *what);

// Writing: the total length must be known first. begin gives t (dynamic) the room, then one add for each of its elements.
typedef struct string_writer {
  char *data;
  size_t next, end;  // index of the next string, where its text goes
} string_writer;
TfLiteStatus string_begin(TfLiteContext *context, TfLiteTensor *t, size_t text_bytes, string_writer *writer);
static inline void string_add(string_writer *writer, string_view s) {
  if (s.length) memcpy(writer->data + writer->end, s.text, s.length);
  writer->end += s.length;
  int32_t end = (int32_t)writer->end;
  memcpy(writer->data + 4 * (writer->next++ + 2), &end, sizeof end);
}

// output's strings become those that the view visits in input (view->from counts strings, from `first` on); input is checked
// first.
TfLiteStatus string_move(TfLiteContext *context, const move_view *view, const TfLiteTensor *input, size_t first,
                         TfLiteTensor *output);
// output gets input's bytes (a reshape).
TfLiteStatus string_copy(TfLiteContext *context, const TfLiteTensor *input, TfLiteTensor *output);

#endif
