// SPDX-License-Identifier: Apache-2.0
// model: the byte walk shows every byte of a model with the right rule, value and place, and stops where the file is damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/walk.h"
#include "flatbuffer/fb_read.h"
#include "schema/metadata.h"
#include "unit/model_zoo.h"

// What a walk said: events are looked for by kind and path.
typedef struct wanted {
  arn_walk_kind kind;
  const char *path;
  arn_walk_rule rule;
  const char *type, *text;
  bool seen;
} wanted;

typedef struct watcher {
  wanted *list;
  size_t count;
  const uint8_t *bytes;
  size_t size;
  uint8_t *covered;  // one flag a byte of the file
  uint32_t events, stop_after;
} watcher;

static bool watch(void *user, const arn_walk_event *event) {
  watcher *w = user;
  w->events++;
  assert_true(event->byte <= w->size && event->size <= w->size - event->byte);
  assert_ptr_equal(event->raw, w->bytes + event->byte);
  assert_true(event->target < (int64_t)w->size);
  for (uint64_t i = 0; i < event->size; ++i) w->covered[event->byte + i] = 1;
  for (size_t i = 0; i < w->count; ++i) {
    if (w->list[i].kind != event->kind || strcmp(w->list[i].path, event->path) != 0) continue;
    w->list[i].seen = true;
    assert_int_equal(event->rule, w->list[i].rule);
    assert_string_equal(event->type, w->list[i].type);
    if (w->list[i].text) assert_string_equal(event->text, w->list[i].text);
  }
  return w->events != w->stop_after;
}

static void a_model_is_shown_in_full(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.graphs[0].tensors[1].scales = m.graphs[0].tensors[1].zeros = 2;
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build_model(&m, &b, &bytes, &size), ARN_OK);
  char root_text[40], table_text[60];
  uint32_t root = fb_load_u32(bytes);
  snprintf(root_text, sizeof root_text, "+%u -> %u", (unsigned)root, (unsigned)root);
  int32_t soffset = fb_load_i32(bytes + root);
  snprintf(table_text, sizeof table_text, "soffset %d -> vtable at %d", (int)soffset, (int)root - soffset);
  wanted list[] = {
      {ARN_WALK_ROOT, "root", ARN_RULE_UOFFSET, "Model", root_text, false},
      {ARN_WALK_IDENTIFIER, "root", ARN_RULE_FIXED, "identifier", "\"TFL3\"", false},
      {ARN_WALK_TABLE, "root", ARN_RULE_SOFFSET, "Model", table_text, false},
      {ARN_WALK_VTABLE, "root", ARN_RULE_VTABLE, "vtable", "size 20, table size 32, field offsets 28 24 20 16 12 0 8 4", false},
      {ARN_WALK_SCALAR, "version", ARN_RULE_IN_PLACE, "u32", "3", false},
      {ARN_WALK_STRING, "description", ARN_RULE_LENGTH, "string", "\"a small model\"", false},
      {ARN_WALK_ABSENT, "metadata_buffer", ARN_RULE_VTABLE, "[i32]", "absent", false},
      {ARN_WALK_VECTOR, "operator_codes", ARN_RULE_LENGTH, "[OperatorCode]", "2 elements", false},
      {ARN_WALK_OFFSET, "operator_codes[1]", ARN_RULE_UOFFSET, "OperatorCode", NULL, false},
      {ARN_WALK_SCALAR, "operator_codes[1].builtin_code", ARN_RULE_IN_PLACE, "BuiltinOperator", "RELU (19)", false},
      {ARN_WALK_VECTOR, "subgraphs[0].operators[0].inputs", ARN_RULE_LENGTH, "[i32]", "[0, 1, -1]", false},
      {ARN_WALK_VECTOR, "subgraphs[0].tensors[1].quantization.scale", ARN_RULE_LENGTH, "[f32]", "[1, 2]", false},
      {ARN_WALK_ABSENT, "subgraphs[0].tensors[0].type", ARN_RULE_VTABLE, "TensorType", "absent, reads as FLOAT32 (0)", false},
      {ARN_WALK_VECTOR, "buffers[2].data", ARN_RULE_LENGTH, "[u8]", "[104, 101, 108, 108, 111]", false},
  };
  watcher w = {list, BASE_COUNT(list), bytes, size, calloc(1, size), 0, 0};
  assert_int_equal(arn_walk(bytes, size, 0, watch, &w, NULL), ARN_OK);
  for (size_t i = 0; i < BASE_COUNT(list); ++i)
    if (!list[i].seen) fail_msg("no event %d for %s", (int)list[i].kind, list[i].path);
  // Whatever no event covers is padding, and the builder pads with zeros.
  for (size_t i = 0; i < size; ++i) assert_true(w.covered[i] || bytes[i] == 0);
  free(w.covered);
  fb_build_release(&b);
}

static void the_visitor_may_end_the_walk(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build_model(&m, &b, &bytes, &size), ARN_OK);
  watcher w = {NULL, 0, bytes, size, calloc(1, size), 0, 7};
  arn_error error;
  assert_int_equal(arn_walk(bytes, size, 0, watch, &w, &error), ARN_CANCELLED);
  assert_int_equal(w.events, 7);
  assert_int_equal(arn_walk(NULL, 0, 0, watch, &w, &error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_walk(bytes, size, 0, NULL, &w, &error), ARN_INVALID_ARGUMENT);
  free(w.covered);
  fb_build_release(&b);
}

static void a_damaged_file_is_shown_up_to_the_fault(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build_model(&m, &b, &bytes, &size), ARN_OK);
  uint8_t *copy = malloc(size);
  memcpy(copy, bytes, size);
  uint8_t *slot = (uint8_t *)fb_field_at(fb_root(copy), Model_description_id);
  memset(slot, 0xFF, 4);
  wanted list[] = {{ARN_WALK_SCALAR, "version", ARN_RULE_IN_PLACE, "u32", "3", false},
                   {ARN_WALK_STRING, "description", ARN_RULE_LENGTH, "string", NULL, false}};
  watcher w = {list, 2, copy, size, calloc(1, size), 0, 0};
  arn_error error;
  assert_int_equal(arn_walk(copy, size, 0, watch, &w, &error), ARN_INVALID_MODEL);
  assert_true(list[0].seen && !list[1].seen);
  assert_int_equal(error.byte, slot - copy);
  free(w.covered);
  free(copy);
  fb_build_release(&b);
}

static fb_ref metadata_build(fb_builder *b, const uint8_t **bytes, size_t *size) {
  fb_build_init(b, host_heap());
  fb_ref mean = fb_build_vector(b, (float[]){127.5f}, 1, 4, 0), deviation = fb_build_vector(b, (float[]){127.5f}, 1, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, NormalizationOptions_mean_id, mean);
  fb_build_ref(b, NormalizationOptions_std_id, deviation);
  fb_ref options = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, ProcessUnit_options_type_id, ProcessUnitOptions_NormalizationOptions, 0);
  fb_build_ref(b, ProcessUnit_options_id, options);
  fb_ref unit = fb_build_table_end(b), units = fb_build_refs(b, &unit, 1);
  fb_build_table(b);
  fb_build_ref(b, TensorMetadata_process_units_id, units);
  fb_ref tensor = fb_build_table_end(b), tensors = fb_build_refs(b, &tensor, 1);
  fb_build_table(b);
  fb_build_ref(b, SubGraphMetadata_input_tensor_metadata_id, tensors);
  fb_ref graph = fb_build_table_end(b), graphs = fb_build_refs(b, &graph, 1);
  fb_build_table(b);
  fb_build_ref(b, ModelMetadata_subgraph_metadata_id, graphs);
  fb_ref root = fb_build_table_end(b);
  assert_int_equal(fb_build_finish(b, root, METADATA_IDENTIFIER, bytes, size), ARN_OK);
  return root;
}

static void metadata_is_a_schema_of_its_own(void **state) {
  (void)state;
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  metadata_build(&b, &bytes, &size);
  wanted list[] = {{ARN_WALK_SCALAR, "subgraph_metadata[0].input_tensor_metadata[0].process_units[0].options_type",
                    ARN_RULE_IN_PLACE, "ProcessUnitOptions", "NormalizationOptions (1)", false},
                   {ARN_WALK_VECTOR, "subgraph_metadata[0].input_tensor_metadata[0].process_units[0].options.mean",
                    ARN_RULE_LENGTH, "[f32]", "[127.5]", false}};
  watcher w = {list, 2, bytes, size, calloc(1, size), 0, 0};
  assert_int_equal(arn_walk(bytes, size, 0, watch, &w, NULL), ARN_OK);
  assert_true(list[0].seen && list[1].seen);
  free(w.covered);
  fb_build_release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_is_shown_in_full),
      cmocka_unit_test(the_visitor_may_end_the_walk),
      cmocka_unit_test(a_damaged_file_is_shown_up_to_the_fault),
      cmocka_unit_test(metadata_is_a_schema_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
