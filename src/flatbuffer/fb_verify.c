// SPDX-License-Identifier: Apache-2.0
// The structure verifier. Positions are uint32_t below FB_MAX_SIZE < 2^31. Every check compares with what is left (`end - at`,
// which cannot wrap once at <= end is known) instead of adding a value from the file to a position; the argument stands beside
// it.
#include "flatbuffer/fb_verify.h"

#if ARENITE_MESSAGES
#include <stdarg.h>
#include <stdio.h>
#endif

#include "flatbuffer/fb_path.h"
#include "flatbuffer/fb_read.h"

typedef struct verify_state {
  const fb_schema *schema;
  const uint8_t *data;
  uint32_t end;  // bytes that may hold FlatBuffer parts
  fb_limits left;
  arn_error *error;
#if ARENITE_MESSAGES
  fb_visit visit;  // NULL: nobody watches
  void *user;
  uint32_t depth;
  const fb_table_desc *table;  // the innermost around
  const fb_field_desc *field;  // whose value is being verified
#endif
} verify_state;

#if ARENITE_MESSAGES
BASE_PRINTF(5, 6)
static arn_status verify_fail(verify_state *v, arn_status status, const fb_path *path, uint32_t at, const char *format, ...) {
  if (!v->error) return status;
  char where[256], what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  fb_path_text(path, where, sizeof where);
  error_set(v->error, status, "%s: %s (byte %u)", where, what, (unsigned)at);
  v->error->byte = at;
  return status;
}
#else
static arn_status verify_fail_code(verify_state *v, arn_status status, uint32_t at) {
  error_set(v->error, status, "");
  if (v->error) v->error->byte = at;
  return status;
}
#define verify_fail(v, status, path, at, ...) ((void)(path), verify_fail_code((v), (status), (at)))
#endif

// Shows a part to the visitor.
#if ARENITE_MESSAGES
static arn_status verify_show(verify_state *v, fb_item item) {
  if (!v->visit) return ARN_OK;
  item.depth = v->depth;
  item.table = v->table;
  item.field = v->field;
  return v->visit(v->user, &item) ? ARN_OK : error_set(v->error, ARN_CANCELLED, "the visitor ended the walk");
}
#define SHOW(v, ...) verify_show((v), (fb_item){__VA_ARGS__})
#else
#define SHOW(v, ...) ARN_OK
#endif

// The number of bytes from `at` to the end; 0 when at is the end or behind it.
static uint32_t verify_left(const verify_state *v, uint32_t at) { return at < v->end ? v->end - at : 0; }

// Follows the uoffset stored at `at` (4 bytes that are known to be inside). *target < v->end afterwards.
static arn_status follow_uoffset(verify_state *v, const fb_path *path, uint32_t at, uint32_t *target) {
  uint32_t offset = fb_load_u32(v->data + at);
  // at + offset < end, written so that it cannot wrap. 0 would point at itself.
  if (offset == 0 || offset >= v->end - at) {
    return verify_fail(v, ARN_INVALID_MODEL, path, at, "the offset %u leads outside the %u bytes", (unsigned)offset,
                       (unsigned)v->end);
  }
  *target = at + offset;
  return SHOW(v, .kind = at == 0 ? FB_ITEM_ROOT : FB_ITEM_OFFSET, .path = path, .at = at, .size = 4, .target = *target);
}

// A vector at `at` whose elements take `width` bytes each (1, 2, 4, 8) plus `extra` bytes after the last.
static arn_status verify_length(verify_state *v, const fb_path *path, uint32_t at, uint32_t width, uint32_t extra,
                                uint32_t *count) {
  if (at % 4 != 0) return verify_fail(v, ARN_INVALID_MODEL, path, at, "a vector that is not 4-aligned");
  if (verify_left(v, at) < 4) return verify_fail(v, ARN_INVALID_MODEL, path, at, "a vector cut off in its length");
  uint32_t have = v->end - at - 4;  // >= 0 by the check above
  *count = fb_load_u32(v->data + at);
  // count * width + extra <= have, without the product: extra <= have first, then a division.
  if (extra > have || *count > (have - extra) / width) {
    return verify_fail(v, ARN_INVALID_MODEL, path, at, "a vector of %u elements of %u bytes, with %u bytes left",
                       (unsigned)*count, (unsigned)width, (unsigned)have);
  }
  // Elements of 8 bytes may stand 4-aligned: writers of real models leave them so, and readers load through memcpy.
  return ARN_OK;
}

static arn_status verify_vector(verify_state *v, const fb_path *path, uint32_t at, uint8_t base, uint32_t *count) {
  uint32_t width = fb_base_size(base);
  arn_status status = verify_length(v, path, at, width, 0, count);
  if (status != ARN_OK) return status;
  return SHOW(v, .kind = FB_ITEM_VECTOR, .path = path, .at = at, .size = 4 + *count * width, .target = -1, .count = *count,
              .base = base);
}

static arn_status verify_string(verify_state *v, const fb_path *path, uint32_t at) {
  uint32_t length = 0;
  arn_status status = verify_length(v, path, at, 1, 1, &length);
  if (status != ARN_OK) return status;
  // at + 4 + length + 1 <= end: verify_length asked for the one extra byte.
  if (v->data[at + 4 + length] != 0) {
    return verify_fail(v, ARN_INVALID_MODEL, path, at, "a string of %u bytes without a NUL behind it", (unsigned)length);
  }
  return SHOW(v, .kind = FB_ITEM_STRING, .path = path, .at = at, .size = 4 + length + 1, .target = -1, .count = length,
              .base = FB_BASE_u8);
}

static arn_status verify_spend(verify_state *v, const fb_path *path, uint32_t at) {
  if (v->left.tables == 0) return verify_fail(v, ARN_BUDGET, path, at, "more tables than the budget allows");
  v->left.tables--;
  return ARN_OK;
}

static arn_status verify_table(verify_state *v, const fb_path *path, uint32_t at, uint16_t table);

static arn_status verify_offsets(verify_state *v, const fb_path *path, uint32_t at, fb_field_desc field) {
  uint32_t count = 0;
  arn_status status = verify_vector(v, path, at, FB_BASE_u32, &count);
  for (uint32_t i = 0; status == ARN_OK && i < count; ++i) {
    fb_path element = {path, NULL, i};
    uint32_t slot = at + 4 + 4 * i, target = 0;  // inside: i < count, and verify_length found count * 4 bytes
    status = follow_uoffset(v, &element, slot, &target);
    if (status != ARN_OK) break;
    if (field.kind == FB_KIND_TABLES) {
      status = verify_table(v, &element, target, field.target);
    } else {
      status = verify_spend(v, &element, target);
      if (status == ARN_OK) status = verify_string(v, &element, target);
    }
  }
  return status;
}

static arn_status verify_target(verify_state *v, const fb_path *path, uint32_t slot, fb_field_desc field, uint8_t member) {
  uint32_t at = 0, count;
  arn_status status = follow_uoffset(v, path, slot, &at);
  if (status != ARN_OK) return status;
  switch (field.kind) {
    case FB_KIND_STRING: return verify_string(v, path, at);
    case FB_KIND_TABLE: return verify_table(v, path, at, field.target);
    case FB_KIND_VECTOR: return verify_vector(v, path, at, field.base, &count);
    case FB_KIND_UNION: {
      uint16_t table = fb_union_table(v->schema, field.target, member);
      // A member that a newer schema added: nobody here reads it.
      return table == FB_NO_TARGET ? ARN_OK : verify_table(v, path, at, table);
    }
    default: return verify_offsets(v, path, at, field);
  }
}

// What a verified vtable says about one table.
typedef struct verify_frame {
  uint32_t table, vtable;
  uint32_t vtable_size, table_size;
} verify_frame;

// The offset of field `id` inside its table; 0: absent. The vtable's size is even, so id's two bytes are inside when the first
// is.
static uint32_t verify_field_offset(const verify_state *v, const verify_frame *frame, uint32_t id) {
  uint32_t entry = 4 + 2 * id;
  return entry < frame->vtable_size ? fb_load_u16(v->data + frame->vtable + entry) : 0;
}

static arn_status verify_frame_at(verify_state *v, const fb_path *path, uint32_t at, verify_frame *frame) {
  if (at % 4 != 0) return verify_fail(v, ARN_INVALID_MODEL, path, at, "a table that is not 4-aligned");
  if (verify_left(v, at) < 4) return verify_fail(v, ARN_INVALID_MODEL, path, at, "a table cut off in its first bytes");
  // In 64 bits neither the difference nor its comparison can overflow: |soffset| <= 2^31, at < 2^31.
  int64_t vtable = (int64_t)at - fb_load_i32(v->data + at);
  if (vtable < 0 || vtable > (int64_t)v->end - 4 || vtable % 2 != 0) {
    return verify_fail(v, ARN_INVALID_MODEL, path, at, "no vtable can lie at %lld, where the table says it is",
                       (long long)vtable);
  }
  *frame = (verify_frame){.table = at, .vtable = (uint32_t)vtable};
  frame->vtable_size = fb_load_u16(v->data + frame->vtable);
  frame->table_size = fb_load_u16(v->data + frame->vtable + 2);
  if (frame->vtable_size < 4 || frame->vtable_size % 2 != 0 || frame->vtable_size > v->end - frame->vtable) {
    return verify_fail(v, ARN_INVALID_MODEL, path, frame->vtable, "a vtable of %u bytes", (unsigned)frame->vtable_size);
  }
  if (frame->table_size < 4 || frame->table_size > v->end - at) {
    return verify_fail(v, ARN_INVALID_MODEL, path, frame->vtable + 2, "a table of %u bytes, with %u bytes left",
                       (unsigned)frame->table_size, (unsigned)(v->end - at));
  }
  arn_status status = SHOW(v, .kind = FB_ITEM_TABLE, .path = path, .at = at, .size = 4, .target = vtable);
  if (status != ARN_OK) return status;
  return SHOW(v, .kind = FB_ITEM_VTABLE, .path = path, .at = frame->vtable, .size = frame->vtable_size, .target = -1);
}

static arn_status verify_field(verify_state *v, const fb_path *path, const verify_frame *frame, uint32_t id,
                               fb_field_desc field) {
  uint32_t offset = verify_field_offset(v, frame, id);
  uint8_t member = 0;
  if (field.kind == FB_KIND_UNION) {
    // The type field has the id before (the description says so) and was verified just now.
    uint32_t type_offset = verify_field_offset(v, frame, id - 1);
    if (type_offset) member = v->data[frame->table + type_offset];
    // A type without a value is how some writers say "that table, all defaults"; a value without a type says nothing.
    if (member == 0 && offset != 0) {
      return verify_fail(v, ARN_INVALID_MODEL, path, frame->table + offset, "a union value without a type");
    }
  }
  if (offset == 0) {
    return SHOW(v, .kind = FB_ITEM_ABSENT, .path = path, .at = frame->vtable + 4 + 2 * id,
                .size = 4 + 2 * id < frame->vtable_size ? 2 : 0, .target = -1, .base = field.base);
  }
  bool in_place = field.kind == FB_KIND_SCALAR || field.kind == FB_KIND_UNION_TYPE;
  uint32_t width = in_place ? fb_base_size(field.base) : 4;
  // offset + width <= table_size, both below 2^16; and table + table_size <= end was checked.
  if (offset < 4 || offset + width > frame->table_size) {
    return verify_fail(v, ARN_INVALID_MODEL, path, frame->vtable + 4 + 2 * id,
                       "a field of %u bytes at offset %u of a table of %u bytes", (unsigned)width, (unsigned)offset,
                       (unsigned)frame->table_size);
  }
  uint32_t at = frame->table + offset;
  if (at % width != 0) {
    return verify_fail(v, ARN_INVALID_MODEL, path, at, "a field of %u bytes that is not aligned", (unsigned)width);
  }
  if (!in_place) return verify_target(v, path, at, field, member);
  return SHOW(v, .kind = FB_ITEM_SCALAR, .path = path, .at = at, .size = width, .target = -1, .base = field.base);
}

// Shows the vtable entries of fields that the schema does not know: a newer writer's. Nobody reads them, nothing is verified.
static arn_status show_unknown(verify_state *v, const fb_path *path, const verify_frame *frame, uint16_t known) {
#if ARENITE_MESSAGES
  for (uint32_t entry = 4 + 2 * (uint32_t)known; v->visit && entry < frame->vtable_size; entry += 2) {
    uint32_t offset = fb_load_u16(v->data + frame->vtable + entry);
    fb_path link = {path, NULL, (entry - 4) / 2};
    arn_status status = SHOW(v, .kind = FB_ITEM_UNKNOWN, .path = &link, .at = frame->vtable + entry, .size = 2,
                             .target = offset ? (int64_t)frame->table + offset : -1);
    if (status != ARN_OK) return status;
  }
#endif
  (void)v, (void)path, (void)frame, (void)known;
  return ARN_OK;
}

static arn_status verify_table(verify_state *v, const fb_path *path, uint32_t at, uint16_t table) {
  if (v->left.depth == 0) return verify_fail(v, ARN_BUDGET, path, at, "tables nested deeper than the budget allows");
  arn_status status = verify_spend(v, path, at);
  if (status != ARN_OK) return status;
  fb_table_desc description = v->schema->tables[table];
#if ARENITE_MESSAGES
  const verify_state outside = *v;
  v->table = &v->schema->tables[table];
  v->depth++;
#endif
  v->left.depth--;
  verify_frame frame = {0};
  status = verify_frame_at(v, path, at, &frame);
  for (uint16_t id = 0; status == ARN_OK && id < description.count; ++id) {
    const fb_field_desc *field = &v->schema->fields[description.first + id];
    fb_path link = {path, fb_field_name(field), 0};
#if ARENITE_MESSAGES
    v->field = field;
#endif
    status = verify_field(v, &link, &frame, id, *field);
  }
  if (status == ARN_OK) status = show_unknown(v, path, &frame, description.count);
  v->left.depth++;
#if ARENITE_MESSAGES
  v->table = outside.table;
  v->field = outside.field;
  v->depth = outside.depth;
#endif
  return status;
}

static arn_status verify_buffer_of(verify_state *v) {
  fb_path root = {NULL, NULL, 0};
  if (!v->data || v->end < 8) {
    return verify_fail(v, ARN_INVALID_MODEL, &root, 0, "%u bytes cannot hold a root offset and an identifier", (unsigned)v->end);
  }
  if (!fb_has_identifier(v->data, v->schema->identifier)) {
    return verify_fail(v, ARN_INVALID_MODEL, &root, 4, "the file identifier is not \"%s\"", v->schema->identifier);
  }
  uint32_t at = 0;
  arn_status status = follow_uoffset(v, &root, 0, &at);
  if (status == ARN_OK) status = SHOW(v, .kind = FB_ITEM_IDENTIFIER, .path = &root, .at = 4, .size = 4, .target = -1);
  return status == ARN_OK ? verify_table(v, &root, at, v->schema->root) : status;
}

static verify_state verify_begin(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits,
                                 arn_error *error) {
  return (verify_state){
      .schema = schema,
      .data = data,
      .end = (uint32_t)(size < FB_MAX_SIZE ? size : FB_MAX_SIZE),
      .left = limits ? *limits : (fb_limits){FB_DEFAULT_DEPTH, FB_DEFAULT_TABLES},
      .error = error,
  };
}

arn_status fb_verify(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits, arn_error *error) {
  verify_state v = verify_begin(schema, data, size, limits, error);
  return verify_buffer_of(&v);
}

#if ARENITE_MESSAGES
arn_status fb_walk(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits, fb_visit visit, void *user,
                   arn_error *error) {
  verify_state v = verify_begin(schema, data, size, limits, error);
  v.visit = visit;
  v.user = user;
  return verify_buffer_of(&v);
}
#endif
