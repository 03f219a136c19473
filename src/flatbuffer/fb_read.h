// SPDX-License-Identifier: Apache-2.0
// Zero-copy FlatBuffer reader: values are read where they lie. Everything here trusts its input, so the bytes must have passed
// fb_verify (or been written by fb_build) first; nothing is bounds-checked, and an absent table or vector reads as defaults.
// Loads go through memcpy: any address works, also on hosts that fault on unaligned access; the compiler makes them one load.
//
// The format (FlatBuffers internals document): all integers little-endian; a uoffset (u32) points forward from where it
// is stored; a table starts with a soffset (i32), and its vtable lies at table - soffset; a vtable is u16 vtable size, u16
// table size, then one u16 per field: the field's offset from the table's start, 0 when absent; a vector is a u32 count and
// its elements; a string is a vector of bytes followed by a NUL that the count leaves out.
#ifndef FLATBUFFER_FB_READ_H
#define FLATBUFFER_FB_READ_H

#include <string.h>

#include "base/compiler.h"

#ifdef FB_BIG_ENDIAN  // a test sets it, to see the byte swaps on any machine
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FB_BIG_ENDIAN 1
#else
#define FB_BIG_ENDIAN 0
#endif

// A table inside a buffer. base == NULL: absent. Pass by value.
typedef struct fb_table {
  const uint8_t *base;  // first byte of the buffer that the offsets count from
  uint32_t pos;         // where the table starts in it
} fb_table;

// Elements of a scalar vector. data == NULL: absent (an empty vector that is there has a data pointer and count 0).
typedef struct fb_vector {
  const uint8_t *data;  // little-endian elements, back to back, at any alignment
  uint32_t count;       // elements
} fb_vector;

// A string: `length` bytes and a NUL. text == NULL: absent.
typedef struct fb_string {
  const char *text;
  uint32_t length;
} fb_string;

// A vector of offsets, to tables or to strings. base == NULL: absent.
typedef struct fb_offsets {
  const uint8_t *base;
  uint32_t pos;    // where the first element lies
  uint32_t count;
} fb_offsets;

#define FB_ABSENT_TABLE ((fb_table){NULL, 0})

static inline uint16_t fb_load_u16(const uint8_t *at) {
  uint16_t v;
  memcpy(&v, at, sizeof v);
#if FB_BIG_ENDIAN
  v = (uint16_t)(v << 8 | v >> 8);
#endif
  return v;
}
static inline uint32_t fb_load_u32(const uint8_t *at) {
  uint32_t v;
  memcpy(&v, at, sizeof v);
#if FB_BIG_ENDIAN
  v = v << 24 | (v & 0xFF00u) << 8 | (v >> 8 & 0xFF00u) | v >> 24;
#endif
  return v;
}
static inline uint64_t fb_load_u64(const uint8_t *at) {
#if FB_BIG_ENDIAN
  return (uint64_t)fb_load_u32(at + 4) << 32 | fb_load_u32(at);
#else
  uint64_t v;
  memcpy(&v, at, sizeof v);
  return v;
#endif
}
static inline uint8_t fb_load_u8(const uint8_t *at) { return *at; }
static inline bool fb_load_bool(const uint8_t *at) { return *at != 0; }
static inline int8_t fb_load_i8(const uint8_t *at) { return (int8_t)*at; }
static inline int16_t fb_load_i16(const uint8_t *at) { return (int16_t)fb_load_u16(at); }
static inline int32_t fb_load_i32(const uint8_t *at) { return (int32_t)fb_load_u32(at); }
static inline int64_t fb_load_i64(const uint8_t *at) { return (int64_t)fb_load_u64(at); }
static inline float fb_load_f32(const uint8_t *at) {
  uint32_t bits = fb_load_u32(at);
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}
static inline double fb_load_f64(const uint8_t *at) {
  uint64_t bits = fb_load_u64(at);
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

// A scalar of any integer base (fb_schema.h), widened; u64 above INT64_MAX come out negative.
int64_t fb_load_integer(const uint8_t *at, uint8_t base);

// The root table of a buffer that holds at least a root offset.
static inline fb_table fb_root(const uint8_t *buffer) { return (fb_table){buffer, fb_load_u32(buffer)}; }
static inline bool fb_has_identifier(const uint8_t *buffer, const char identifier[4]) {
  return memcmp(buffer + 4, identifier, 4) == 0;
}
static inline bool fb_present(fb_table t) { return t.base != NULL; }

// Where field `id` is stored, or NULL when the table or the field is absent. `at < size` suffices, for the sizes of
// verified vtables are even.
static inline const uint8_t *fb_field_at(fb_table t, uint32_t id) {
  if (!t.base) return NULL;
  const uint8_t *table = t.base + t.pos;
  const uint8_t *vtable = table - (ptrdiff_t)(int32_t)fb_load_u32(table);  // relative: a table at pos 0 of its own base reads too
  uint32_t at = 4 + 2 * id;
  uint32_t offset = at < fb_load_u16(vtable) ? fb_load_u16(vtable + at) : 0;
  return offset ? table + offset : NULL;
}
static inline bool fb_has(fb_table t, uint32_t id) { return fb_field_at(t, id) != NULL; }

// The C type of each scalar base.
#define FB_TYPE_u8 uint8_t
#define FB_TYPE_bool bool
#define FB_TYPE_i8 int8_t
#define FB_TYPE_u16 uint16_t
#define FB_TYPE_i16 int16_t
#define FB_TYPE_u32 uint32_t
#define FB_TYPE_i32 int32_t
#define FB_TYPE_u64 uint64_t
#define FB_TYPE_i64 int64_t
#define FB_TYPE_f32 float
#define FB_TYPE_f64 double

// fb_field_<base>(table, id, default) and fb_vector_<base>(vector, index).
#define FB_READERS(name, type)                                                       \
  static inline type fb_field_##name(fb_table t, uint32_t id, type otherwise) {      \
    const uint8_t *at = fb_field_at(t, id);                                          \
    return at ? fb_load_##name(at) : otherwise;                                      \
  }                                                                                  \
  static inline type fb_vector_##name(fb_vector v, uint32_t index) {                 \
    return fb_load_##name(v.data + (size_t)index * (sizeof(type)));                  \
  }
FB_READERS(u8, uint8_t)
FB_READERS(bool, bool)
FB_READERS(i8, int8_t)
FB_READERS(u16, uint16_t)
FB_READERS(i16, int16_t)
FB_READERS(u32, uint32_t)
FB_READERS(i32, int32_t)
FB_READERS(u64, uint64_t)
FB_READERS(i64, int64_t)
FB_READERS(f32, float)
FB_READERS(f64, double)
#undef FB_READERS

// Follows the uoffset stored in field `id`; NULL when absent.
static inline const uint8_t *fb_field_target(fb_table t, uint32_t id) {
  const uint8_t *at = fb_field_at(t, id);
  return at ? at + fb_load_u32(at) : NULL;
}
static inline fb_table fb_field_table(fb_table t, uint32_t id) {
  const uint8_t *target = fb_field_target(t, id);
  return target ? (fb_table){t.base, (uint32_t)(target - t.base)} : FB_ABSENT_TABLE;
}
static inline fb_vector fb_field_vector(fb_table t, uint32_t id) {
  const uint8_t *target = fb_field_target(t, id);
  return target ? (fb_vector){target + 4, fb_load_u32(target)} : (fb_vector){NULL, 0};
}
static inline fb_string fb_field_string(fb_table t, uint32_t id) {
  const uint8_t *target = fb_field_target(t, id);
  return target ? (fb_string){(const char *)target + 4, fb_load_u32(target)} : (fb_string){NULL, 0};
}
static inline fb_offsets fb_field_offsets(fb_table t, uint32_t id) {
  const uint8_t *target = fb_field_target(t, id);
  return target ? (fb_offsets){t.base, (uint32_t)(target - t.base) + 4, fb_load_u32(target)} : (fb_offsets){NULL, 0, 0};
}

// Element `index` of a vector of tables or strings; index < v.count.
static inline const uint8_t *fb_offsets_target(fb_offsets v, uint32_t index) {
  const uint8_t *at = v.base + v.pos + (size_t)index * 4;
  return at + fb_load_u32(at);
}
static inline fb_table fb_table_at(fb_offsets v, uint32_t index) {
  return (fb_table){v.base, (uint32_t)(fb_offsets_target(v, index) - v.base)};
}
static inline fb_string fb_string_at(fb_offsets v, uint32_t index) {
  const uint8_t *target = fb_offsets_target(v, index);
  return (fb_string){(const char *)target + 4, fb_load_u32(target)};
}

// The root of a FlatBuffer that a byte vector holds (a nested FlatBuffer); verify the vector's bytes as a buffer first.
static inline fb_table fb_nested_root(fb_vector v) { return v.data ? fb_root(v.data) : FB_ABSENT_TABLE; }

// The text of a string, "" when absent.
static inline const char *fb_text(fb_string s) { return s.text ? s.text : ""; }
static inline bool fb_string_is(fb_string s, const char *text) {
  size_t length = strlen(text);
  return s.text && s.length == length && memcmp(s.text, text, length) == 0;
}

#endif
