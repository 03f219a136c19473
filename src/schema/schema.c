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

// One byte an operator: the union's member number, and the top bit for the second union. A table, for micro targets carry it too.
enum { SCHEMA_SECOND_UNION = 0x80 };
#define SCHEMA_UNION_BIT_BuiltinOptions 0
#define SCHEMA_UNION_BIT_BuiltinOptions2 SCHEMA_SECOND_UNION
#define SCHEMA_MEMBER(name, table, number) _Static_assert((number) < SCHEMA_SECOND_UNION, "a member number fits seven bits");
#include "schema/schema.def"

uint8_t schema_operator_options(int32_t code, bool *second) {
  static const uint8_t options[] = {
#define SCHEMA_OPTIONS(op, choices, table) [BuiltinOperator_##op] = choices##_##table | SCHEMA_UNION_BIT_##choices,
#include "schema/schema.def"
  };
  uint8_t row = code >= 0 && (uint32_t)code < sizeof options ? options[code] : 0;
  *second = (row & SCHEMA_SECOND_UNION) != 0;
  return row & (SCHEMA_SECOND_UNION - 1);
}

static const fb_table_desc *schema_member(uint16_t choices, uint8_t type) {
  uint16_t table = fb_union_table(&schema_description, choices, type);
  return table == FB_NO_TARGET ? NULL : &schema_description.tables[table];
}

const fb_table_desc *schema_options_table(uint8_t type, bool second) {
  return schema_member(second ? schema_union_BuiltinOptions2 : schema_union_BuiltinOptions, type);
}

const fb_table_desc *schema_quantization_details(uint8_t type) {
  return schema_member(schema_union_QuantizationDetails, type);
}
