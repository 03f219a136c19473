// SPDX-License-Identifier: Apache-2.0
// Reading FlexBuffers. Every position is checked before it is read.
#include "flatbuffer/flex_read.h"

#include <math.h>
#include <string.h>

#include "flatbuffer/fb_read.h"

enum flex_type {
  FLEX_NULL = 0,
  FLEX_INT,
  FLEX_UINT,
  FLEX_FLOAT,
  FLEX_KEY,
  FLEX_STRING,
  FLEX_INDIRECT_INT,
  FLEX_INDIRECT_UINT,
  FLEX_INDIRECT_FLOAT,
  FLEX_MAP,
  FLEX_VECTOR,
  FLEX_VECTOR_INT,  // typed vectors of INT, UINT, FLOAT, KEY, and (deprecated) STRING
  FLEX_VECTOR_STRING = 15,
  FLEX_VECTOR_INT2,  // counted ones of INT, UINT, FLOAT: 2, 3 and 4 elements
  FLEX_VECTOR_FLOAT4 = 24,
  FLEX_BLOB,
  FLEX_BOOL,
  FLEX_VECTOR_BOOL = 36,
};

static const flex_value flex_null = {NULL, 0, 0, 1, FLEX_NULL, 1};

static bool flex_inside(flex_value v, size_t at, size_t bytes) { return at <= v.size && bytes <= v.size - at; }

// A number of `width` bytes at `at`; *ok becomes false outside the buffer.
static uint64_t flex_unsigned(flex_value v, size_t at, size_t width, bool *ok) {
  if (!flex_inside(v, at, width)) {
    *ok = false;
    return 0;
  }
  const uint8_t *p = v.base + at;
  return width == 1 ? *p : width == 2 ? fb_load_u16(p) : width == 4 ? fb_load_u32(p) : fb_load_u64(p);
}

static int64_t flex_signed(uint64_t x, size_t width) {
  return width == 1 ? (int8_t)x : width == 2 ? (int16_t)x : width == 4 ? (int32_t)x : (int64_t)x;
}

static double flex_double(flex_value v, size_t at, size_t width) {
  if (width < 4 || !flex_inside(v, at, width)) return 0;
  return width == 4 ? (double)fb_load_f32(v.base + at) : fb_load_f64(v.base + at);
}

// Where a slot of `width` bytes leads: it holds the distance back.
static size_t flex_follow(flex_value v, size_t at, size_t width, bool *ok) {
  uint64_t distance = flex_unsigned(v, at, width, ok);
  if (distance > at) *ok = false;
  return *ok ? at - (size_t)distance : 0;
}

static flex_value flex_slot(flex_value of, size_t at, size_t slot_width, uint8_t packed) {
  return (flex_value){of.base, of.size, at, (uint8_t)slot_width, packed >> 2, (uint8_t)(1 << (packed & 3))};
}

flex_value flex_root(const void *buffer, size_t size) {
  const uint8_t *bytes = buffer;
  if (!bytes || size < 3) return flex_null;
  size_t width = bytes[size - 1];
  if ((width != 1 && width != 2 && width != 4 && width != 8) || width > size - 2) return flex_null;
  flex_value whole = {bytes, size, 0, 1, FLEX_NULL, 1};
  return flex_slot(whole, size - 2 - width, width, bytes[size - 2]);
}

// Elements, their width, and how each is typed.
typedef struct flex_elements {
  size_t first, count, width;
  size_t types;         // where their packed types are
  uint8_t common_type;  // FLEX_NULL: see types
} flex_elements;

static bool flex_open(flex_value v, flex_elements *e) {
  bool ok = true;
  bool counted = v.type >= FLEX_VECTOR_INT2 && v.type <= FLEX_VECTOR_FLOAT4;
  bool typed = (v.type >= FLEX_VECTOR_INT && v.type <= FLEX_VECTOR_STRING) || v.type == FLEX_VECTOR_BOOL;
  if (v.type != FLEX_MAP && v.type != FLEX_VECTOR && !typed && !counted) return false;
  e->first = flex_follow(v, v.at, v.slot_width, &ok);
  e->width = v.width;
  e->common_type = FLEX_NULL;
  if (!ok) return false;
  if (counted) {
    e->count = (size_t)(v.type - FLEX_VECTOR_INT2) / 3 + 2;
    e->common_type = (uint8_t)((v.type - FLEX_VECTOR_INT2) % 3 + FLEX_INT);
  } else {
    if (e->first < e->width) return false;
    uint64_t count = flex_unsigned(v, e->first - e->width, e->width, &ok);
    if (!ok || count > v.size) return false;
    e->count = (size_t)count;
    if (typed) e->common_type = v.type == FLEX_VECTOR_BOOL ? FLEX_BOOL : (uint8_t)(v.type - FLEX_VECTOR_INT + FLEX_INT);
  }
  if (e->count > (v.size - e->first) / e->width) return false;
  e->types = e->first + e->count * e->width;
  return e->common_type != FLEX_NULL || flex_inside(v, e->types, e->count);
}

size_t flex_count(flex_value v) {
  flex_elements e;
  return flex_open(v, &e) ? e.count : 0;
}

flex_value flex_at(flex_value v, size_t index) {
  flex_elements e;
  if (!flex_open(v, &e) || index >= e.count) return flex_null;
  uint8_t packed = e.common_type != FLEX_NULL ? (uint8_t)(e.common_type << 2) : v.base[e.types + index];
  return flex_slot(v, e.first + index * e.width, e.width, packed);
}

// A text that ends within the buffer; NULL otherwise.
static const char *flex_terminated(flex_value v, size_t at) {
  return at < v.size && memchr(v.base + at, 0, v.size - at) ? (const char *)v.base + at : NULL;
}

static bool flex_key_is(flex_value v, size_t at, const char *key) {
  size_t length = strlen(key) + 1;
  return flex_inside(v, at, length) && memcmp(v.base + at, key, length) == 0;
}

bool flex_text_is(flex_value v, const char *text) {
  bool ok = true;
  if (v.type != FLEX_STRING && v.type != FLEX_KEY) return false;
  size_t at = flex_follow(v, v.at, v.slot_width, &ok);
  return ok && flex_key_is(v, at, text);  // both end with a NUL
}

// Where the vector of a map's keys is, and how wide its elements are.
static bool flex_keys(flex_value map, flex_elements *e, size_t *keys, size_t *width) {
  bool ok = true;
  if (map.type != FLEX_MAP || !flex_open(map, e) || e->first < 3 * e->width) return false;
  *keys = flex_follow(map, e->first - 3 * e->width, e->width, &ok);
  uint64_t wide = flex_unsigned(map, e->first - 2 * e->width, e->width, &ok);
  *width = (size_t)wide;
  return ok && (wide == 1 || wide == 2 || wide == 4 || wide == 8);
}

flex_value flex_get(flex_value map, const char *key) {
  flex_elements e;
  size_t keys, width;
  if (!flex_keys(map, &e, &keys, &width)) return flex_null;
  for (size_t i = 0; i < e.count; i++) {  // options are few: no binary search
    bool inside = true;
    size_t at = flex_follow(map, keys + i * width, width, &inside);
    if (inside && flex_key_is(map, at, key)) return flex_at(map, i);
  }
  return flex_null;
}

const char *flex_key(flex_value map, size_t index) {
  flex_elements e;
  size_t keys, width;
  bool ok = true;
  if (!flex_keys(map, &e, &keys, &width) || index >= e.count) return NULL;
  size_t at = flex_follow(map, keys + index * width, width, &ok);
  return ok ? flex_terminated(map, at) : NULL;
}

flex_kind flex_kind_of(flex_value v) {
  switch (v.type) {
    case FLEX_NULL: return FLEX_IS_NULL;
    case FLEX_INT:
    case FLEX_UINT:
    case FLEX_INDIRECT_INT:
    case FLEX_INDIRECT_UINT: return FLEX_IS_INT;
    case FLEX_FLOAT:
    case FLEX_INDIRECT_FLOAT: return FLEX_IS_FLOAT;
    case FLEX_BOOL: return FLEX_IS_BOOL;
    case FLEX_KEY:
    case FLEX_STRING: return FLEX_IS_TEXT;
    case FLEX_MAP: return FLEX_IS_MAP;
    default: return FLEX_IS_OTHER;
  }
}

const char *flex_text(flex_value v) {
  bool ok = true;
  if (v.type != FLEX_KEY && v.type != FLEX_STRING) return "";
  size_t at = flex_follow(v, v.at, v.slot_width, &ok);
  const char *text = ok ? flex_terminated(v, at) : NULL;
  return text ? text : "";
}

// The number's place and width; false when v is no number.
static bool flex_number(flex_value v, uint8_t *type, size_t *at, size_t *width) {
  bool ok = true;
  *at = v.at;
  *width = v.slot_width;
  *type = v.type;
  if (v.type >= FLEX_INDIRECT_INT && v.type <= FLEX_INDIRECT_FLOAT) {
    *type = (uint8_t)(v.type - FLEX_INDIRECT_INT + FLEX_INT);
    *at = flex_follow(v, v.at, v.slot_width, &ok);
    *width = v.width;
  }
  return ok && ((*type >= FLEX_INT && *type <= FLEX_FLOAT) || *type == FLEX_BOOL) && flex_inside(v, *at, *width);
}

int64_t flex_int(flex_value v) {
  uint8_t type;
  size_t at, width;
  bool ok = true;
  if (!flex_number(v, &type, &at, &width)) return 0;
  if (type == FLEX_FLOAT) {
    double x = flex_double(v, at, width);
    return isnan(x) ? 0 : x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
  }
  uint64_t bits = flex_unsigned(v, at, width, &ok);
  if (type == FLEX_INT) return flex_signed(bits, width);
  return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

int32_t flex_int32(flex_value v) {
  int64_t wide = flex_int(v);
  return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

double flex_float(flex_value v) {
  uint8_t type;
  size_t at, width;
  bool ok = true;
  if (!flex_number(v, &type, &at, &width)) return 0;
  if (type == FLEX_FLOAT) return flex_double(v, at, width);
  uint64_t bits = flex_unsigned(v, at, width, &ok);
  return type == FLEX_INT ? (double)flex_signed(bits, width) : (double)bits;
}

bool flex_bool(flex_value v) { return flex_float(v) != 0; }
