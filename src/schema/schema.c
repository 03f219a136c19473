// SPDX-License-Identifier: Apache-2.0
// The description, the names and the operator facts that schema.def holds.
#include "schema/schema.h"

#define DESCRIBE_DEF "schema/schema.def"
#define DESCRIBE(name) schema_##name
#define DESCRIBE_ROOT DESCRIBE(table_Model)
#define DESCRIBE_IDENTIFIER SCHEMA_IDENTIFIER
#include "schema/describe_template.h"

#if ARENITE_MESSAGES
static const char *schema_value_name(uint32_t enumeration, int32_t number) {
  const fb_enum_desc e = schema_enums[enumeration];
  return fb_value_name(schema_values + e.first, e.count, number);
}
const char *schema_builtin_operator_name(int32_t code) { return schema_value_name(schema_enum_BuiltinOperator, code); }
const char *schema_tensor_type_name(int32_t type) { return schema_value_name(schema_enum_TensorType, type); }
#else
const char *schema_builtin_operator_name(int32_t code) { return (void)code, NULL; }
const char *schema_tensor_type_name(int32_t type) { return (void)type, NULL; }
#endif

#define SCHEMA_SECOND_BuiltinOptions false
#define SCHEMA_SECOND_BuiltinOptions2 true

uint8_t schema_operator_options(int32_t code, bool *second) {
  switch (code) {
#define SCHEMA_OPTIONS(op, choices, table) \
  case BuiltinOperator_##op: *second = SCHEMA_SECOND_##choices; return choices##_##table;
#include "schema/schema.def"
  }
  *second = false;
  return 0;
}
