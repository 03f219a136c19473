// SPDX-License-Identifier: Apache-2.0
// Row macros that turn schema.def or metadata.def into constants and typed accessors. No include guard: define nothing,
// include this, then the .def (which undefines the macros again).
//
// For an enum E: `enum E { E_NAME = value }`. For a union U: `enum U { U_NONE = 0, U_Table = value }`.
// For a table T with a field f:
//   T_f_id        the field's id;     T_f(fb_table)   its value, the default when the field or the whole table is absent:
//   a scalar; an fb_vector of scalars; an fb_string; an fb_offsets of tables or strings; an fb_table; for a union the fb_table,
//   and T_f_type(fb_table), which member it is. A table read as another than it is gives garbage: check the type first.
#include "flatbuffer/fb_read.h"

#define SCHEMA_ENUM(name, base) enum name {
#define SCHEMA_VALUE(name, value, number) name##_##value = (number),
#define SCHEMA_ENUM_END(name) };
#define SCHEMA_UNION(name) enum name { name##_NONE = 0,
#define SCHEMA_MEMBER(name, table, number) name##_##table = (number),
#define SCHEMA_UNION_END(name) };

#define SCHEMA_SCALAR(table, id, field, base, otherwise) \
  enum { table##_##field##_id = (id) };                  \
  static inline FB_TYPE_##base table##_##field(fb_table t) { return fb_field_##base(t, (id), (otherwise)); }
#define SCHEMA_CHOSEN(table, id, field, base, choices, otherwise) \
  enum { table##_##field##_id = (id) };                           \
  static inline FB_TYPE_##base table##_##field(fb_table t) { return fb_field_##base(t, (id), (otherwise)); }
#define SCHEMA_VECTOR(table, id, field, base, alignment) \
  enum { table##_##field##_id = (id) };                  \
  static inline fb_vector table##_##field(fb_table t) { return fb_field_vector(t, (id)); }
#define SCHEMA_ENUM_VECTOR(table, id, field, base, choices) \
  enum { table##_##field##_id = (id) };                     \
  static inline fb_vector table##_##field(fb_table t) { return fb_field_vector(t, (id)); }
#define SCHEMA_STRING(table, id, field) \
  enum { table##_##field##_id = (id) }; \
  static inline fb_string table##_##field(fb_table t) { return fb_field_string(t, (id)); }
#define SCHEMA_STRINGS(table, id, field) \
  enum { table##_##field##_id = (id) };  \
  static inline fb_offsets table##_##field(fb_table t) { return fb_field_offsets(t, (id)); }
#define SCHEMA_CHILD(table, id, field, target) \
  enum { table##_##field##_id = (id) };        \
  static inline fb_table table##_##field(fb_table t) { return fb_field_table(t, (id)); }
#define SCHEMA_CHILDREN(table, id, field, target) \
  enum { table##_##field##_id = (id) };           \
  static inline fb_offsets table##_##field(fb_table t) { return fb_field_offsets(t, (id)); }
#define SCHEMA_CHOICE(table, id, field, choices)                                                           \
  enum { table##_##field##_type_id = (id) - 1, table##_##field##_id = (id) };                             \
  static inline uint8_t table##_##field##_type(fb_table t) { return fb_field_u8(t, (id) - 1, 0); }        \
  static inline fb_table table##_##field(fb_table t) { return fb_field_table(t, (id)); }
