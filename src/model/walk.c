// SPDX-License-Identifier: Apache-2.0
// The byte walk: what fb_walk shows, made readable.
#include "arenite/walk.h"

#if ARENITE_MESSAGES

#include <stdarg.h>
#include <stdio.h>

#include "flatbuffer/fb_path.h"
#include "flatbuffer/fb_verify.h"
#include "model/model.h"
#include "schema/metadata.h"

// Elements and characters shown of a long vector or string.
enum { WALK_ELEMENTS = 16, WALK_BYTES = 32, WALK_CHARACTERS = 120 };

typedef struct walk_state {
  const fb_schema *schema;
  const uint8_t *data;   // of the FlatBuffer being walked
  uint64_t origin;       // where it lies in the file
  const char *prefix;    // of its paths
  arn_walk_visit visit;
  void *user;
  char path[256], type[64], text[512];
} walk_state;

// A bounded text that grows at its end; what does not fit is cut.
typedef struct text_sink {
  char *text;
  size_t capacity, length;
} text_sink;

BASE_PRINTF(2, 3)
static void sink_put(text_sink *sink, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(sink->text + sink->length, sink->capacity - sink->length, format, arguments);
  va_end(arguments);
  if (n > 0) sink->length += (size_t)n;
  if (sink->length >= sink->capacity) sink->length = sink->capacity - 1;
}

// Characters as in a C string literal; bytes above 127 (UTF-8) stay.
static void sink_quoted(text_sink *sink, const uint8_t *bytes, uint32_t count) {
  uint32_t shown = count < WALK_CHARACTERS ? count : WALK_CHARACTERS;
  sink_put(sink, "\"");
  for (uint32_t i = 0; i < shown; ++i) {
    uint8_t c = bytes[i];
    if (c == '"' || c == '\\') sink_put(sink, "\\%c", c);
    else if (c == '\n') sink_put(sink, "\\n");
    else if (c < 32 || c == 127) sink_put(sink, "\\%03o", c);
    else sink_put(sink, "%c", c);
  }
  sink_put(sink, shown < count ? "\"... (%u characters)" : "\"", (unsigned)count);
}

static void sink_scalar(text_sink *sink, const fb_schema *schema, const fb_field_desc *field, uint8_t base, const uint8_t *at) {
  if (base == FB_BASE_f32) return sink_put(sink, "%.9g", (double)fb_load_f32(at));
  if (base == FB_BASE_f64) return sink_put(sink, "%.17g", fb_load_f64(at));
  if (base == FB_BASE_bool) return sink_put(sink, fb_load_bool(at) ? "true" : "false");
  if (base == FB_BASE_u64) return sink_put(sink, "%llu", (unsigned long long)fb_load_u64(at));
  int64_t value = fb_load_integer(at, base);
  const char *name = NULL;
  if (field && field->kind == FB_KIND_UNION_TYPE) {
    uint16_t table = fb_union_table(schema, field->target, (uint8_t)value);
    if (table != FB_NO_TARGET) name = schema->tables[table].name;
  } else if (field) {
    name = fb_field_value_name(schema, field, value);
  }
  if (name) sink_put(sink, "%s (%lld)", name, (long long)value);
  else sink_put(sink, "%lld", (long long)value);
}

static void sink_vector(text_sink *sink, const walk_state *w, const fb_item *item) {
  const uint8_t *elements = w->data + item->at + 4;
  uint32_t width = fb_base_size(item->base), most = width == 1 ? WALK_BYTES : WALK_ELEMENTS;
  uint32_t shown = item->count < most ? item->count : most;
  bool offsets = item->field && (item->field->kind == FB_KIND_TABLES || item->field->kind == FB_KIND_STRINGS);
  if (offsets) return sink_put(sink, "%u elements", (unsigned)item->count);
  sink_put(sink, "[");
  for (uint32_t i = 0; i < shown; ++i) {
    if (i) sink_put(sink, ", ");
    sink_scalar(sink, w->schema, item->field, item->base, elements + (size_t)i * width);
  }
  sink_put(sink, shown < item->count ? ", ...] (%u elements)" : "]", (unsigned)item->count);
}

static void sink_vtable(text_sink *sink, const uint8_t *at, uint32_t size) {
  sink_put(sink, "size %u, table size %u, field offsets", (unsigned)size, (unsigned)fb_load_u16(at + 2));
  for (uint32_t entry = 4; entry < size; entry += 2) sink_put(sink, " %u", (unsigned)fb_load_u16(at + entry));
}

static const char *base_name(uint8_t base) {
  static const char names[][5] = {[FB_BASE_u8] = "u8",   [FB_BASE_bool] = "bool", [FB_BASE_i8] = "i8",   [FB_BASE_u16] = "u16",
                                  [FB_BASE_i16] = "i16", [FB_BASE_u32] = "u32",   [FB_BASE_i32] = "i32", [FB_BASE_f32] = "f32",
                                  [FB_BASE_u64] = "u64", [FB_BASE_i64] = "i64",   [FB_BASE_f64] = "f64"};
  return names[base];
}

// The declared type of a field, or of one of its elements.
static void sink_type(text_sink *sink, const fb_schema *schema, const fb_field_desc *field, bool element) {
  const char *name = base_name(field->base);
  bool list = field->kind == FB_KIND_VECTOR || field->kind == FB_KIND_TABLES || field->kind == FB_KIND_STRINGS;
  switch (field->kind) {
    case FB_KIND_STRING:
    case FB_KIND_STRINGS: name = "string"; break;
    case FB_KIND_TABLE:
    case FB_KIND_TABLES: name = schema->tables[field->target].name; break;
    case FB_KIND_UNION_TYPE:
    case FB_KIND_UNION: name = schema->unions[field->target].name; break;
    default:
      if (field->target < schema->enum_count) name = schema->enums[field->target].name;
      break;
  }
  sink_put(sink, list && !element ? "[%s]" : "%s", name);
}

static const struct {
  arn_walk_kind kind;
  arn_walk_rule rule;
} walk_kinds[] = {
    [FB_ITEM_ROOT] = {ARN_WALK_ROOT, ARN_RULE_UOFFSET},       [FB_ITEM_IDENTIFIER] = {ARN_WALK_IDENTIFIER, ARN_RULE_FIXED},
    [FB_ITEM_TABLE] = {ARN_WALK_TABLE, ARN_RULE_SOFFSET},     [FB_ITEM_VTABLE] = {ARN_WALK_VTABLE, ARN_RULE_VTABLE},
    [FB_ITEM_SCALAR] = {ARN_WALK_SCALAR, ARN_RULE_IN_PLACE},  [FB_ITEM_OFFSET] = {ARN_WALK_OFFSET, ARN_RULE_UOFFSET},
    [FB_ITEM_ABSENT] = {ARN_WALK_ABSENT, ARN_RULE_VTABLE},    [FB_ITEM_UNKNOWN] = {ARN_WALK_UNKNOWN, ARN_RULE_VTABLE},
    [FB_ITEM_VECTOR] = {ARN_WALK_VECTOR, ARN_RULE_LENGTH},    [FB_ITEM_STRING] = {ARN_WALK_STRING, ARN_RULE_LENGTH},
};

// Fills the value and its text; the type of what is no field.
static void describe_item(walk_state *w, const fb_item *item, arn_walk_event *event, text_sink *type, text_sink *text) {
  const uint8_t *at = w->data + item->at;
  long long target = (long long)(event->target);
  switch (item->kind) {
    case FB_ITEM_ROOT:
    case FB_ITEM_OFFSET:
      event->value = fb_load_u32(at);
      sink_put(text, "+%lld -> %lld", (long long)event->value, target);
      if (item->kind == FB_ITEM_ROOT) sink_put(type, "%s", w->schema->tables[w->schema->root].name);
      break;
    case FB_ITEM_IDENTIFIER:
      sink_put(type, "identifier");
      sink_quoted(text, at, 4);
      break;
    case FB_ITEM_TABLE:
      event->value = fb_load_i32(at);
      sink_put(type, "%s", item->table->name);
      sink_put(text, "soffset %lld -> vtable at %lld", (long long)event->value, target);
      break;
    case FB_ITEM_VTABLE:
      event->value = item->size;
      sink_put(type, "vtable");
      sink_vtable(text, at, item->size);
      break;
    case FB_ITEM_SCALAR:
      if (item->base != FB_BASE_f32 && item->base != FB_BASE_f64) event->value = fb_load_integer(at, item->base);
      sink_scalar(text, w->schema, item->field, item->base, at);
      break;
    case FB_ITEM_ABSENT: sink_put(text, "absent"); break;
    case FB_ITEM_UNKNOWN:
      event->value = fb_load_u16(at);
      sink_put(type, "unknown");
      sink_put(text, "unknown field at offset %lld", (long long)event->value);
      break;
    case FB_ITEM_VECTOR:
      event->value = item->count;
      sink_vector(text, w, item);
      break;
    case FB_ITEM_STRING:
      event->value = item->count;
      sink_quoted(text, at + 4, item->count);
      break;
  }
}

// What a field that is left out reads as.
static void describe_default(walk_state *w, const fb_field_desc *field, text_sink *text) {
  if (field->kind != FB_KIND_SCALAR) return;
  const char *name = fb_field_value_name(w->schema, field, field->otherwise);
  if (field->base == FB_BASE_bool) sink_put(text, ", reads as %s", field->otherwise ? "true" : "false");
  else if (name) sink_put(text, ", reads as %s (%d)", name, (int)field->otherwise);
  else sink_put(text, ", reads as %d", (int)field->otherwise);
}

static bool walk_item(void *user, const fb_item *item) {
  walk_state *w = user;
  text_sink path = {w->path, sizeof w->path, 0}, type = {w->type, sizeof w->type, 0}, text = {w->text, sizeof w->text, 0};
  w->type[0] = w->text[0] = '\0';
  sink_put(&path, "%s", w->prefix);
  fb_path_text(item->path, w->path + path.length, sizeof w->path - path.length);
  bool element = !item->path->field && item->path->up;  // of a vector
  arn_walk_event event = {
      .kind = walk_kinds[item->kind].kind,
      .rule = walk_kinds[item->kind].rule,
      .depth = item->depth ? (int)item->depth - 1 : 0,
      .path = w->path,
      .table = item->table ? item->table->name : "",
      .type = w->type,
      .byte = w->origin + item->at,
      .size = item->size,
      .target = item->target < 0 ? -1 : (int64_t)w->origin + item->target,
      .raw = w->data + item->at,
      .text = w->text,
  };
  bool is_field = item->kind == FB_ITEM_SCALAR || item->kind == FB_ITEM_OFFSET || item->kind == FB_ITEM_ABSENT ||
                  item->kind == FB_ITEM_VECTOR || item->kind == FB_ITEM_STRING;
  if (is_field) sink_type(&type, w->schema, item->field, element);
  describe_item(w, item, &event, &type, &text);
  if (item->kind == FB_ITEM_ABSENT) describe_default(w, item->field, &text);
  return w->visit(w->user, &event);
}

// The buffers whose bytes lie behind the FlatBuffer, which the schema only points to with plain numbers. On verified structure.
static arn_status walk_outside(walk_state *w, size_t size, arn_error *error) {
  fb_offsets buffers = Model_buffers(fb_root(w->data));
  for (uint32_t i = 0; i < buffers.count; ++i) {
    fb_table buffer = fb_table_at(buffers, i);
    uint64_t offset = Buffer_offset(buffer), length = Buffer_size(buffer);
    if (Buffer_data(buffer).data || offset <= 1) continue;
    if (length > size || offset > size - length) {
      error_set(error, ARN_INVALID_MODEL, "buffers[%u]: %llu bytes at %llu, outside the file's %zu", (unsigned)i,
                (unsigned long long)length, (unsigned long long)offset, size);
      if (error) error->byte = buffer.pos;
      return ARN_INVALID_MODEL;
    }
    snprintf(w->path, sizeof w->path, "buffers[%u]", (unsigned)i);
    snprintf(w->text, sizeof w->text, "%llu bytes", (unsigned long long)length);
    arn_walk_event event = {.kind = ARN_WALK_OUTSIDE, .rule = ARN_RULE_FIXED, .depth = 1, .path = w->path, .table = "Buffer",
                            .type = "[u8]", .byte = offset, .size = length, .target = -1, .value = (int64_t)length,
                            .raw = w->data + (size_t)offset, .text = w->text};
    if (!w->visit(w->user, &event)) return error_set(error, ARN_CANCELLED, "the visitor ended the walk");
  }
  return ARN_OK;
}

static arn_status walk_flatbuffer(walk_state *w, size_t size, arn_error *error) {
  arn_status status = fb_walk(w->schema, w->data, size, NULL, walk_item, w, error);
  if (status != ARN_OK && error && error->byte >= 0) error->byte += (int64_t)w->origin;
  return status;
}

arn_status arn_walk(const void *data, size_t size, unsigned flags, arn_walk_visit visit, void *user, arn_error *error) {
  if (!data || !visit) return error_set(error, ARN_INVALID_ARGUMENT, "no data or no visitor");
  walk_state w = {.schema = &schema_description, .data = data, .prefix = "", .visit = visit, .user = user};
  bool is_metadata = size >= 8 && fb_has_identifier(data, METADATA_IDENTIFIER);
  if (is_metadata) w.schema = &metadata_description;
  arn_status status = walk_flatbuffer(&w, size, error);
  if (status != ARN_OK || is_metadata) return status;
  status = walk_outside(&w, size, error);
  if (status != ARN_OK || !(flags & ARN_WALK_METADATA)) return status;
  arn_model model;
  if (model_init(&model, data, size, error) != ARN_OK) return ARN_OK;  // another version's: walked all the same
  model_bytes metadata = model_metadata(&model, METADATA_NAME);
  if (!metadata.data || metadata.size == 0) return ARN_OK;
  w.schema = &metadata_description;
  w.data = metadata.data;
  w.origin = (uint64_t)(metadata.data - model.data);
  w.prefix = METADATA_NAME ".";
  return walk_flatbuffer(&w, metadata.size, error);
}

#endif
