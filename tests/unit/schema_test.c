// SPDX-License-Identifier: Apache-2.0
// schema: constants, names, options of operators, and that the description agrees with the accessors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "schema/metadata.h"
#include "schema/schema.h"

static void operators_have_their_published_numbers_and_names(void **state) {
  (void)state;
  assert_int_equal(BuiltinOperator_CONV_2D, 3);
  assert_int_equal(BuiltinOperator_STABLEHLO_CASE, 209);
  assert_string_equal(schema_builtin_operator_name(3), "CONV_2D");
  assert_string_equal(schema_builtin_operator_name(206), "STABLEHLO_COMPOSITE");
  assert_null(schema_builtin_operator_name(-1));
  assert_null(schema_builtin_operator_name(210));
  assert_string_equal(schema_tensor_type_name(TensorType_FLOAT8_E5M2), "FLOAT8_E5M2");
}

static void every_operator_code_has_a_name(void **state) {
  (void)state;
  for (int32_t code = 0; code <= 209; ++code) assert_non_null(schema_builtin_operator_name(code));
}

static void operators_know_their_options(void **state) {
  (void)state;
  bool second = true;
  assert_int_equal(schema_operator_options(BuiltinOperator_MAX_POOL_2D, &second), BuiltinOptions_Pool2DOptions);
  assert_false(second);
  assert_int_equal(schema_operator_options(BuiltinOperator_STABLEHLO_COMPOSITE, &second),
                   BuiltinOptions2_StableHLOCompositeOptions);
  assert_true(second);
  assert_int_equal(schema_operator_options(BuiltinOperator_LOGISTIC, &second), 0);
  assert_int_equal(schema_operator_options(BuiltinOperator_CUSTOM, &second), 0);
}

static void absent_tables_read_as_defaults(void **state) {
  (void)state;
  assert_int_equal(Conv2DOptions_dilation_w_factor(FB_ABSENT_TABLE), 1);
  assert_true(AddOptions_pot_scale_int16(FB_ABSENT_TABLE));
  assert_int_equal(UniqueOptions_idx_out_type(FB_ABSENT_TABLE), TensorType_INT32);
  assert_int_equal(Operator_debug_metadata_index(FB_ABSENT_TABLE), -1);
  assert_null(Tensor_shape(FB_ABSENT_TABLE).data);
  assert_int_equal(Model_subgraphs(FB_ABSENT_TABLE).count, 0);
  assert_string_equal(fb_text(Tensor_name(FB_ABSENT_TABLE)), "");
}

static const fb_table_desc *table_named(const fb_schema *schema, const char *name) {
  for (uint32_t i = 0; i < schema->table_count; ++i)
    if (strcmp(schema->tables[i].name, name) == 0) return &schema->tables[i];
  return NULL;
}

static void the_description_follows_the_rows(void **state) {
  (void)state;
  const fb_schema *s = &schema_description;
  assert_string_equal(s->tables[s->root].name, "Model");
  const fb_table_desc *op = table_named(s, "Operator");
  assert_non_null(op);
  assert_int_equal(op->count, 14);
  const fb_field_desc *options = &s->fields[op->first + Operator_builtin_options_id];
  assert_string_equal(options->name, "builtin_options");
  assert_int_equal(options->kind, FB_KIND_UNION);
  assert_int_equal(options[-1].kind, FB_KIND_UNION_TYPE);
  assert_string_equal(s->tables[fb_union_table(s, options->target, BuiltinOptions_GeluOptions)].name, "GeluOptions");
  assert_int_equal(fb_union_table(s, options->target, 0), FB_NO_TARGET);
  assert_int_equal(fb_union_table(s, options->target, 255), FB_NO_TARGET);
  const fb_table_desc *buffer = table_named(s, "Buffer");
  assert_int_equal(s->fields[buffer->first].alignment, 16);
  assert_int_equal(s->fields[op->first + Operator_debug_metadata_index_id].otherwise, -1);
  assert_string_equal(metadata_description.tables[metadata_description.root].name, "ModelMetadata");
  assert_string_equal(metadata_description.identifier, "M001");
}

// Nothing in a description may point outside it, whatever rows a newer schema adds.
static void targets_lie_inside(void **state) {
  (void)state;
  const fb_schema *schemas[] = {&schema_description, &metadata_description};
  for (size_t k = 0; k < BASE_COUNT(schemas); ++k) {
    const fb_schema *s = schemas[k];
    for (uint32_t t = 0; t < s->table_count; ++t) {
      for (uint32_t i = 0; i < s->tables[t].count; ++i) {
        fb_field_desc f = s->fields[s->tables[t].first + i];
        if (f.kind == FB_KIND_TABLE || f.kind == FB_KIND_TABLES) assert_true(f.target < s->table_count);
        else if (f.kind == FB_KIND_UNION || f.kind == FB_KIND_UNION_TYPE) assert_true(f.target < s->union_count);
        else if (f.target != FB_NO_TARGET) assert_true(f.target < s->enum_count);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_have_their_published_numbers_and_names),
      cmocka_unit_test(every_operator_code_has_a_name),
      cmocka_unit_test(operators_know_their_options),
      cmocka_unit_test(absent_tables_read_as_defaults),
      cmocka_unit_test(the_description_follows_the_rows),
      cmocka_unit_test(targets_lie_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
