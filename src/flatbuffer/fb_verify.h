// SPDX-License-Identifier: Apache-2.0
// Checks the structure of a FlatBuffer that nobody has vouched for, following a schema's description: every offset, vtable,
// field, vector, string end and union. What passes can be read with fb_read.h without further checks.
#ifndef FLATBUFFER_FB_VERIFY_H
#define FLATBUFFER_FB_VERIFY_H

#include "base/error.h"
#include "flatbuffer/fb_schema.h"

// A FlatBuffer counts in signed 32 bits; what a file holds behind this many bytes can be raw data only.
#define FB_MAX_SIZE ((size_t)0x7FFFFFFF)

// Offsets point forward only, so a buffer has no cycles; but tables may be shared, so a small file can describe exponentially
// many paths. The budgets bound the work and the C stack.
typedef struct fb_limits {
  uint32_t depth;   // tables inside tables
  uint32_t tables;  // tables and string-vector elements met, a shared one as often as it is met
} fb_limits;

enum { FB_DEFAULT_DEPTH = 64, FB_DEFAULT_TABLES = 1000000 };  // as Google's verifier

// Verifies `size` bytes at `data` (any address) as a buffer of `schema`. limits NULL: the defaults. On failure *error holds
// the path and the byte: ARN_INVALID_MODEL, or ARN_BUDGET when a limit was reached before a fault.
arn_status fb_verify(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits, arn_error *error);

#if ARENITE_MESSAGES
// ---- The byte walk: verification that shows each part to a visitor, once it is known to be sound. It goes depth first in
// field order, and ends at the first fault with everything before it shown.
typedef enum fb_item_kind {
  FB_ITEM_ROOT,        // the root offset: 4 bytes at 0, `target` is the root table
  FB_ITEM_IDENTIFIER,  // 4 bytes
  FB_ITEM_TABLE,       // a table's soffset: 4 bytes, `target` is its vtable; `table` describes it
  FB_ITEM_VTABLE,      // `size` bytes; shown after each table that uses it
  FB_ITEM_SCALAR,      // a field in place, of type `base`
  FB_ITEM_OFFSET,      // a uoffset, in a field or as a vector's element: 4 bytes, leads to `target`
  FB_ITEM_ABSENT,      // a field that the table leaves out: its 2 bytes in the vtable (size 0: the vtable ends before)
  FB_ITEM_UNKNOWN,     // a vtable entry of a field that the schema does not know: 2 bytes, leads to `target`
  FB_ITEM_VECTOR,      // length and elements: `count` of type `base`
  FB_ITEM_STRING,      // length, `count` characters, NUL
} fb_item_kind;

typedef struct fb_item {
  fb_item_kind kind;
  const struct fb_path *path;
  uint32_t depth;  // tables around it
  uint32_t at, size;
  int64_t target;  // -1: leads nowhere
  uint32_t count;
  uint8_t base;    // fb_base
  const fb_table_desc *table;  // of TABLE, VTABLE and fields: the table
  const fb_field_desc *field;  // of fields, and what their offsets lead to; NULL: none
} fb_item;

// Returns false to end the walk (ARN_CANCELLED).
typedef bool (*fb_visit)(void *user, const fb_item *item);

arn_status fb_walk(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits, fb_visit visit, void *user,
                   arn_error *error);
#endif

#endif
