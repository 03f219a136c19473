// SPDX-License-Identifier: Apache-2.0
// A bounds-checked reader of FlexBuffers, the schemaless cousin of FlatBuffers in which custom operators keep their options.
// Nothing has to be verified before: a malformed or missing value reads as null, 0, false or "".
//
// The format (FlexBuffers documentation): the buffer ends with the root's value, its packed type, and the byte width of its slot.
// A packed type is type << 2 | log2(width of what it holds). Numbers lie in their slot, everything else at slot - offset. A
// vector is a count, elements, and a packed type for each; a map is that with the offset and width of a vector of sorted keys in
// front of the count.
#ifndef FLATBUFFER_FLEX_READ_H
#define FLATBUFFER_FLEX_READ_H

#include "base/compiler.h"

typedef struct flex_value {
  const uint8_t *base;  // the whole buffer
  size_t size;
  size_t at;           // where the value's slot is
  uint8_t slot_width;  // bytes: 1, 2, 4 or 8
  uint8_t type;        // 0: null
  uint8_t width;       // bytes of what the slot leads to
} flex_value;

flex_value flex_root(const void *buffer, size_t size);
static inline bool flex_is_null(flex_value v) { return v.type == 0; }

// The value under a key of a map; null when there is none.
flex_value flex_get(flex_value map, const char *key);
// Elements of a map or vector (also of typed ones); 0 for anything else.
size_t flex_count(flex_value v);
flex_value flex_at(flex_value v, size_t index);
// The key of a map's element; NULL when there is none or it does not end within the buffer.
const char *flex_key(flex_value map, size_t index);

// What a value is, for those who do not know beforehand.
typedef enum flex_kind { FLEX_IS_NULL, FLEX_IS_INT, FLEX_IS_FLOAT, FLEX_IS_BOOL, FLEX_IS_TEXT, FLEX_IS_MAP, FLEX_IS_OTHER } flex_kind;
flex_kind flex_kind_of(flex_value v);

// Numbers convert to each other as by a cast, out-of-range ones to the nearest end.
int64_t flex_int(flex_value v);
int32_t flex_int32(flex_value v);
double flex_float(flex_value v);
bool flex_bool(flex_value v);
// Whether v is a string (or key) of just this text.
bool flex_text_is(flex_value v, const char *text);
const char *flex_text(flex_value v);  // of a string or key, NUL-terminated

#endif
