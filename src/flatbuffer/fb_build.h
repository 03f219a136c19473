// SPDX-License-Identifier: Apache-2.0
// A small FlatBuffer builder. As in every builder, the buffer grows from its end to its front: children are written before the
// tables and vectors that refer to them, and within a table the field added first stands at the highest address. So the order
// of calls decides every byte of the layout. Equal vtables are shared. Knows no schema: field ids come from the caller.
//
//   fb_builder b;
//   fb_build_init(&b, allocator);
//   fb_ref name = fb_build_text(&b, "conv");
//   fb_build_table(&b);
//   fb_build_u32(&b, Tensor_buffer_id, 3, 0);     // value, default: not stored when equal
//   fb_build_ref(&b, Tensor_name_id, name);
//   fb_ref tensor = fb_build_table_end(&b);
//   ...
//   status = fb_build_finish(&b, root, "TFL3", &bytes, &size);   // any error on the way shows here
//   fb_build_release(&b);                                        // `bytes` lie in the builder until then
#ifndef FLATBUFFER_FB_BUILD_H
#define FLATBUFFER_FB_BUILD_H

#include "arenite/status.h"
#include "base/allocator.h"

// Something that was built: its distance from the end of the buffer. 0: nothing (an absent child, or an error).
typedef uint32_t fb_ref;

enum { FB_BUILD_MAX_FIELDS = 64 };  // of one table

typedef struct fb_builder {
  const base_allocator *allocator;
  uint8_t *data;
  uint32_t capacity, used;  // the last `used` bytes of data are written
  uint32_t alignment;       // the largest that was asked for: what the finished buffer needs
  uint32_t *vtables;        // refs of the distinct vtables
  uint32_t vtable_count, vtable_capacity;
  bool in_table;
  bool keep_defaults;       // the caller may set it: store scalars that equal their default too
  uint32_t table_start;     // `used` when the table began
  uint32_t field_count;     // highest id + 1
  uint32_t fields[FB_BUILD_MAX_FIELDS];  // refs of the open table's fields, 0: absent
  arn_status status;        // sticky: after an error every call does nothing
} fb_builder;

void fb_build_init(fb_builder *b, const base_allocator *allocator);
void fb_build_release(fb_builder *b);

fb_ref fb_build_string(fb_builder *b, const char *text, uint32_t length);
fb_ref fb_build_text(fb_builder *b, const char *text);  // NUL-terminated

// A vector of `count` elements of `width` bytes (1, 2, 4, 8), given in the machine's byte order; elements start at a
// multiple of `alignment` (a power of two >= width; 0: width).
fb_ref fb_build_vector(fb_builder *b, const void *elements, uint32_t count, uint32_t width, uint32_t alignment);
// A vector of references to tables or strings, none of them 0.
fb_ref fb_build_refs(fb_builder *b, const fb_ref *refs, uint32_t count);

// Opens a table; until fb_build_table_end only fields may be added, in any order of ids, each once.
void fb_build_table(fb_builder *b);
void fb_build_ref(fb_builder *b, uint32_t id, fb_ref child);  // 0: leaves the field out
void fb_build_bool(fb_builder *b, uint32_t id, bool value, bool otherwise);
void fb_build_u8(fb_builder *b, uint32_t id, uint8_t value, uint8_t otherwise);
void fb_build_i8(fb_builder *b, uint32_t id, int8_t value, int8_t otherwise);
void fb_build_u16(fb_builder *b, uint32_t id, uint16_t value, uint16_t otherwise);
void fb_build_i32(fb_builder *b, uint32_t id, int32_t value, int32_t otherwise);
void fb_build_u32(fb_builder *b, uint32_t id, uint32_t value, uint32_t otherwise);
void fb_build_i64(fb_builder *b, uint32_t id, int64_t value, int64_t otherwise);
void fb_build_u64(fb_builder *b, uint32_t id, uint64_t value, uint64_t otherwise);
void fb_build_f32(fb_builder *b, uint32_t id, float value, float otherwise);
fb_ref fb_build_table_end(fb_builder *b);

// Writes root offset and identifier (4 characters). The buffer starts at *bytes (aligned for its contents if the allocator's
// memory was 16-aligned) and lives in the builder. Returns the first error of the whole build: ARN_OUT_OF_MEMORY,
// ARN_UNSUPPORTED (more than 2 GiB), ARN_INVALID_ARGUMENT (a wrong id, width, alignment or reference), ARN_WRONG_STATE (tables
// opened inside tables).
arn_status fb_build_finish(fb_builder *b, fb_ref root, const char *identifier, const uint8_t **bytes, size_t *size);

#endif
