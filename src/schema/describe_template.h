// SPDX-License-Identifier: Apache-2.0
// Turns a schema table into an fb_schema. Not a header to include for declarations: schema.c and metadata.c each define
//   DESCRIBE_DEF     the .def file, quoted
//   DESCRIBE(name)   name with the file's own prefix, e.g. schema_##name
//   DESCRIBE_ROOT    the root table, as DESCRIBE(table_Name)
//   DESCRIBE_IDENTIFIER
// and include this once, which defines `const fb_schema DESCRIBE(description)` from the arrays below.
#include "flatbuffer/fb_schema.h"

#define DESCRIBE_JOIN(a, b) DESCRIBE(a##b)

// Indices of tables, unions and enums, and where the fields of each table begin. An enumerator that ends a run takes a number;
// the one behind it gives the number back.
enum {
#define SCHEMA_TABLE(name) DESCRIBE_JOIN(table_, name),
#include DESCRIBE_DEF
  DESCRIBE(table_count)
};
enum {
#define SCHEMA_UNION(name) DESCRIBE_JOIN(union_, name),
#include DESCRIBE_DEF
  DESCRIBE(union_count)
};
enum {
#define SCHEMA_ENUM(name, base) DESCRIBE_JOIN(enum_, name),
#include DESCRIBE_DEF
  DESCRIBE(enum_count)
};
enum {
#define SCHEMA_TABLE(name) DESCRIBE_JOIN(first_, name), DESCRIBE_JOIN(back_, name) = DESCRIBE_JOIN(first_, name) - 1,
#define SCHEMA_SCALAR(table, id, field, base, otherwise) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_CHOSEN(table, id, field, base, choices, otherwise) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_VECTOR(table, id, field, base, alignment) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_ENUM_VECTOR(table, id, field, base, choices) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_STRING(table, id, field) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_STRINGS(table, id, field) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_CHILD(table, id, field, target) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_CHILDREN(table, id, field, target) DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_CHOICE(table, id, field, choices) DESCRIBE_JOIN(type_, table##_##field), DESCRIBE_JOIN(field_, table##_##field),
#define SCHEMA_TABLE_END(name) DESCRIBE_JOIN(end_, name), DESCRIBE_JOIN(reset_, name) = DESCRIBE_JOIN(end_, name) - 1,
#include DESCRIBE_DEF
};
enum {
#define SCHEMA_UNION(name) \
  DESCRIBE_JOIN(first_union_, name), DESCRIBE_JOIN(back_union_, name) = DESCRIBE_JOIN(first_union_, name) - 1,
#define SCHEMA_MEMBER(name, table, number) DESCRIBE_JOIN(member_, name##_##table),
#define SCHEMA_UNION_END(name) \
  DESCRIBE_JOIN(end_union_, name), DESCRIBE_JOIN(reset_union_, name) = DESCRIBE_JOIN(end_union_, name) - 1,
#include DESCRIBE_DEF
};

// A row's id is its place: an id skipped or given twice does not compile.
#define DESCRIBE_CHECK(table, id, field) \
  _Static_assert(DESCRIBE_JOIN(field_, table##_##field) - DESCRIBE_JOIN(first_, table) == (id), "ids are dense");
#define SCHEMA_SCALAR(table, id, field, base, otherwise) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_CHOSEN(table, id, field, base, choices, otherwise) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_VECTOR(table, id, field, base, alignment) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_ENUM_VECTOR(table, id, field, base, choices) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_STRING(table, id, field) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_STRINGS(table, id, field) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_CHILD(table, id, field, target) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_CHILDREN(table, id, field, target) DESCRIBE_CHECK(table, id, field)
#define SCHEMA_CHOICE(table, id, field, choices) DESCRIBE_CHECK(table, id, field)
#include DESCRIBE_DEF
#undef DESCRIBE_CHECK

#if ARENITE_MESSAGES
#define DESCRIBE_NAME(text) #text,
#define DESCRIBE_FIELD(text, otherwise) #text, (int32_t)(otherwise),
#else
#define DESCRIBE_NAME(text)
#define DESCRIBE_FIELD(text, otherwise)
#endif

static const fb_field_desc DESCRIBE(fields)[] = {
#define SCHEMA_SCALAR(table, id, field, base, otherwise) \
  {DESCRIBE_FIELD(field, otherwise) FB_NO_TARGET, FB_KIND_SCALAR, FB_BASE_##base, 0},
#define SCHEMA_CHOSEN(table, id, field, base, choices, otherwise) \
  {DESCRIBE_FIELD(field, otherwise) DESCRIBE_JOIN(enum_, choices), FB_KIND_SCALAR, FB_BASE_##base, 0},
#define SCHEMA_VECTOR(table, id, field, base, alignment) \
  {DESCRIBE_FIELD(field, 0) FB_NO_TARGET, FB_KIND_VECTOR, FB_BASE_##base, (alignment)},
#define SCHEMA_ENUM_VECTOR(table, id, field, base, choices) \
  {DESCRIBE_FIELD(field, 0) DESCRIBE_JOIN(enum_, choices), FB_KIND_VECTOR, FB_BASE_##base, sizeof(FB_TYPE_##base)},
#define SCHEMA_STRING(table, id, field) {DESCRIBE_FIELD(field, 0) FB_NO_TARGET, FB_KIND_STRING, FB_BASE_u8, 1},
#define SCHEMA_STRINGS(table, id, field) {DESCRIBE_FIELD(field, 0) FB_NO_TARGET, FB_KIND_STRINGS, FB_BASE_u32, 4},
#define SCHEMA_CHILD(table, id, field, target) \
  {DESCRIBE_FIELD(field, 0) DESCRIBE_JOIN(table_, target), FB_KIND_TABLE, FB_BASE_u32, 4},
#define SCHEMA_CHILDREN(table, id, field, target) \
  {DESCRIBE_FIELD(field, 0) DESCRIBE_JOIN(table_, target), FB_KIND_TABLES, FB_BASE_u32, 4},
#define SCHEMA_CHOICE(table, id, field, choices)                                                              \
  {DESCRIBE_FIELD(field##_type, 0) DESCRIBE_JOIN(union_, choices), FB_KIND_UNION_TYPE, FB_BASE_u8, 0}, \
      {DESCRIBE_FIELD(field, 0) DESCRIBE_JOIN(union_, choices), FB_KIND_UNION, FB_BASE_u32, 4},
#include DESCRIBE_DEF
};

static const fb_table_desc DESCRIBE(tables)[] = {
#define SCHEMA_TABLE(name) \
  {DESCRIBE_NAME(name) DESCRIBE_JOIN(first_, name), DESCRIBE_JOIN(end_, name) - DESCRIBE_JOIN(first_, name)},
#include DESCRIBE_DEF
};

static const fb_union_desc DESCRIBE(unions)[] = {
#define SCHEMA_UNION(name) \
  {DESCRIBE_NAME(name) DESCRIBE_JOIN(first_union_, name), DESCRIBE_JOIN(end_union_, name) - DESCRIBE_JOIN(first_union_, name)},
#include DESCRIBE_DEF
};

static const fb_member_desc DESCRIBE(members)[] = {
#define SCHEMA_MEMBER(name, table, number) {DESCRIBE_JOIN(table_, table), (number)},
#include DESCRIBE_DEF
};

#if ARENITE_MESSAGES
enum {
#define SCHEMA_ENUM(name, base) \
  DESCRIBE_JOIN(first_value_, name), DESCRIBE_JOIN(back_value_, name) = DESCRIBE_JOIN(first_value_, name) - 1,
#define SCHEMA_VALUE(name, value, number) DESCRIBE_JOIN(value_, name##_##value),
#define SCHEMA_ENUM_END(name) \
  DESCRIBE_JOIN(end_value_, name), DESCRIBE_JOIN(reset_value_, name) = DESCRIBE_JOIN(end_value_, name) - 1,
#include DESCRIBE_DEF
};

static const fb_value_desc DESCRIBE(values)[] = {
#define SCHEMA_VALUE(name, value, number) {#value, (number)},
#include DESCRIBE_DEF
};

static const fb_enum_desc DESCRIBE(enums)[] = {
#define SCHEMA_ENUM(name, base) \
  {#name, DESCRIBE_JOIN(first_value_, name), DESCRIBE_JOIN(end_value_, name) - DESCRIBE_JOIN(first_value_, name)},
#include DESCRIBE_DEF
};
#endif

const fb_schema DESCRIBE(description) = {
    .tables = DESCRIBE(tables),
    .fields = DESCRIBE(fields),
    .unions = DESCRIBE(unions),
    .members = DESCRIBE(members),
#if ARENITE_MESSAGES
    .enums = DESCRIBE(enums),
    .values = DESCRIBE(values),
#endif
    .table_count = DESCRIBE(table_count),
    .union_count = DESCRIBE(union_count),
    .enum_count = DESCRIBE(enum_count),
    .root = DESCRIBE_ROOT,
    .identifier = DESCRIBE_IDENTIFIER,
};

#undef DESCRIBE_JOIN
#undef DESCRIBE_NAME
#undef DESCRIBE_FIELD
#undef DESCRIBE_DEF
#undef DESCRIBE
#undef DESCRIBE_ROOT
#undef DESCRIBE_IDENTIFIER
