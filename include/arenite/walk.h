// SPDX-License-Identifier: Apache-2.0
// The byte-level walk of a .tflite or .tflitemeta file: every root, vtable, field, vector and string with its place, its value
// and the rule by which one finds it. Needs no open model and no memory. Builds with messages only (ARENITE_MESSAGES).
#ifndef ARENITE_WALK_H
#define ARENITE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum arn_walk_kind {
  ARN_WALK_ROOT,        // the root offset, at byte 0
  ARN_WALK_IDENTIFIER,  // "TFL3"
  ARN_WALK_TABLE,       // where a table begins: its soffset
  ARN_WALK_VTABLE,      // its vtable (several tables may share one; it is shown with each)
  ARN_WALK_SCALAR,      // a field whose value stands in the table
  ARN_WALK_OFFSET,      // a field or vector element that leads elsewhere
  ARN_WALK_ABSENT,      // a field that the table leaves out: it has its default
  ARN_WALK_UNKNOWN,     // a field that this library's schema does not know
  ARN_WALK_VECTOR,      // length and elements
  ARN_WALK_STRING,      // length, characters, NUL
  ARN_WALK_OUTSIDE,     // a buffer's bytes behind the FlatBuffer
} arn_walk_kind;

// How one gets to the bytes or on from them.
typedef enum arn_walk_rule {
  ARN_RULE_FIXED,     // a fixed place in the file
  ARN_RULE_SOFFSET,   // int32: the vtable is at (this byte) - value, before or behind the table
  ARN_RULE_UOFFSET,   // uint32: the target is at (this byte) + value, always ahead
  ARN_RULE_VTABLE,    // uint16 entries: vtable size, table size, then the offset in the table of field 0, 1, ... (0: absent)
  ARN_RULE_IN_PLACE,  // the value itself
  ARN_RULE_LENGTH,    // uint32 length, then that many elements
} arn_walk_rule;

typedef struct arn_walk_event {
  arn_walk_kind kind;
  arn_walk_rule rule;
  int depth;           // tables around it; the root table is at depth 0
  const char *path;    // "subgraphs[0].operators[3].inputs"; "root" for the root table
  const char *table;   // name of the table that it is (TABLE, VTABLE) or belongs to; "" outside
  const char *type;    // of the value: "i32", "Padding", "[f32]", "string", "Conv2DOptions", "[Tensor]"
  uint64_t byte;       // where it lies in the file
  uint64_t size;       // how many bytes it takes there
  int64_t target;      // where an offset leads, -1: nowhere
  int64_t value;       // the stored number: offset, length, or an integer scalar
  const void *raw;     // the bytes themselves
  const char *text;    // the value for people: "SAME (0)", "\"conv\"", "[1, 120, 160, 1]", "+28 -> 64"
} arn_walk_event;

// Returns false to end the walk. The event and its texts live until it returns.
typedef bool (*arn_walk_visit)(void *user, const arn_walk_event *event);

enum {
  // Walk the model's TFLite metadata (a FlatBuffer of its own inside a buffer) too; its paths begin with "TFLITE_METADATA.".
  ARN_WALK_METADATA = 1,
};

// Walks `size` bytes at `data` in the order: root, then each table with its fields, depth first. What is shown has been
// verified; at the first fault the walk ends with its error. ARN_CANCELLED: the visitor ended it.
arn_status arn_walk(const void *data, size_t size, unsigned flags, arn_walk_visit visit, void *user, arn_error *error);

#ifdef __cplusplus
}
#endif
#endif
