// SPDX-License-Identifier: Apache-2.0
// How a schema is described to the verifier and the byte walk: tables of fields, unions and enums that refer to each other by
// index, so that a description is plain read-only data without relocations on micro targets. Names are there only with
// messages.
#ifndef FLATBUFFER_FB_SCHEMA_H
#define FLATBUFFER_FB_SCHEMA_H

#include "base/compiler.h"

typedef enum fb_kind {
  FB_KIND_SCALAR,
  FB_KIND_STRING,      // uoffset to a string
  FB_KIND_TABLE,       // uoffset to a table: `target` is its index
  FB_KIND_VECTOR,      // uoffset to a vector of scalars of type `base`
  FB_KIND_STRINGS,     // uoffset to a vector of uoffsets to strings
  FB_KIND_TABLES,      // uoffset to a vector of uoffsets to tables
  FB_KIND_UNION_TYPE,  // u8: which member the next field is; `target` is the union's index
  FB_KIND_UNION,       // uoffset to a table that the field before selects
} fb_kind;

typedef enum fb_base {
  FB_BASE_u8,
  FB_BASE_bool,
  FB_BASE_i8,
  FB_BASE_u16,
  FB_BASE_i16,
  FB_BASE_u32,
  FB_BASE_i32,
  FB_BASE_f32,
  FB_BASE_u64,
  FB_BASE_i64,
  FB_BASE_f64,
} fb_base;

// Bytes of a scalar.
static inline uint32_t fb_base_size(uint8_t base) {
  return base <= FB_BASE_i8 ? 1 : base <= FB_BASE_i16 ? 2 : base <= FB_BASE_f32 ? 4 : 8;
}

enum { FB_NO_TARGET = 0xFFFF };

typedef struct fb_field_desc {
#if ARENITE_MESSAGES
  const char *name;
  int32_t otherwise;  // the default of a scalar (every float default in the known schemas is 0)
#endif
  uint16_t target;    // table, union, or (of a scalar or scalar vector) enum; FB_NO_TARGET: none
  uint8_t kind;       // fb_kind
  uint8_t base;       // fb_base of a scalar or of a scalar vector's elements
  uint8_t alignment;  // of a vector's elements: force_align, or their size. A writer must keep it; readers cope with less.
} fb_field_desc;

typedef struct fb_table_desc {
#if ARENITE_MESSAGES
  const char *name;
#endif
  uint16_t first, count;  // its fields in fb_schema.fields: id i is fields[first + i]
} fb_table_desc;

typedef struct fb_member_desc {
  uint16_t table;
  uint16_t value;  // of the type field
} fb_member_desc;

typedef struct fb_union_desc {
#if ARENITE_MESSAGES
  const char *name;
#endif
  uint16_t first, count;  // its members in fb_schema.members
} fb_union_desc;

typedef struct fb_value_desc {
  const char *name;
  int32_t number;
} fb_value_desc;

typedef struct fb_enum_desc {
  const char *name;
  uint16_t first, count;  // its values in fb_schema.values
} fb_enum_desc;

typedef struct fb_schema {
  const fb_table_desc *tables;
  const fb_field_desc *fields;
  const fb_union_desc *unions;
  const fb_member_desc *members;
#if ARENITE_MESSAGES
  const fb_enum_desc *enums;
  const fb_value_desc *values;
#endif
  uint16_t table_count, union_count, enum_count;
  uint16_t root;       // the root table
  char identifier[5];  // the file identifier
} fb_schema;

// The table that a union's type value selects; FB_NO_TARGET for 0 and for values that the schema does not know.
static inline uint16_t fb_union_table(const fb_schema *schema, uint16_t choices, uint8_t value) {
  fb_union_desc u = schema->unions[choices];
  for (uint16_t i = 0; i < u.count; ++i)
    if (schema->members[u.first + i].value == value) return schema->members[u.first + i].table;
  return FB_NO_TARGET;
}

// Names, "" without messages.
static inline const char *fb_table_name(const fb_table_desc *table) {
#if ARENITE_MESSAGES
  return table->name;
#else
  return (void)table, "";
#endif
}
static inline const char *fb_field_name(const fb_field_desc *field) {
#if ARENITE_MESSAGES
  return field->name;
#else
  return (void)field, "";
#endif
}

// The name of an enum's value, NULL when it has none. Most enums count 0, 1, 2 ..., so the value is tried as an index first.
static inline const char *fb_value_name(const fb_value_desc *values, uint32_t count, int64_t number) {
  if (number >= 0 && number < count && values[number].number == number) return values[number].name;
  for (uint32_t i = 0; i < count; ++i)
    if (values[i].number == number) return values[i].name;
  return NULL;
}

// The same for the enum that a field's target names; NULL when it has none.
static inline const char *fb_field_value_name(const fb_schema *schema, const fb_field_desc *field, int64_t number) {
#if ARENITE_MESSAGES
  if (field->target >= schema->enum_count) return NULL;
  return fb_value_name(schema->values + schema->enums[field->target].first, schema->enums[field->target].count, number);
#else
  return (void)schema, (void)field, (void)number, NULL;
#endif
}

#endif
