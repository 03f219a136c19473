// SPDX-License-Identifier: Apache-2.0
// flatbuffer: the structure verifier names path and byte of each kind of damage, respects its budgets, and never reads outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "flatbuffer/fb_path.h"
#include "flatbuffer/fb_read.h"
#include "flatbuffer/fb_verify.h"
#include "host/heap.h"
#include "unit/fb_zoo.h"

typedef struct zoo_copy {
  uint8_t *bytes;  // exactly `size` bytes on the heap, so that a sanitizer sees a read outside
  size_t size;
} zoo_copy;

static zoo_copy zoo_make(void) {
  fb_builder b;
  fb_build_init(&b, host_heap());
  const uint8_t *bytes;
  zoo_copy zoo;
  assert_int_equal(zoo_build(&b, &bytes, &zoo.size), ARN_OK);
  zoo.bytes = malloc(zoo.size);
  memcpy(zoo.bytes, bytes, zoo.size);
  fb_build_release(&b);
  return zoo;
}

static void poke_u32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = (uint8_t)(value >> (8 * i));
}

// Expects a fault at `byte` whose message begins with `path` and contains `words`.
static void expect_fault(zoo_copy *zoo, const char *path, const uint8_t *byte, const char *words) {
  arn_error error;
  assert_int_equal(fb_verify(&zoo_schema, zoo->bytes, zoo->size, NULL, &error), ARN_INVALID_MODEL);
  assert_int_equal(error.status, ARN_INVALID_MODEL);
  assert_memory_equal(error.message, path, strlen(path));
  assert_int_equal(error.message[strlen(path)], ':');
  assert_non_null(strstr(error.message, words));
  assert_int_equal(error.byte, byte - zoo->bytes);
  free(zoo->bytes);
}

static uint8_t *field(zoo_copy zoo, uint32_t id) { return (uint8_t *)fb_field_at(fb_root(zoo.bytes), id); }
static uint8_t *target(zoo_copy zoo, uint32_t id) { return field(zoo, id) + fb_load_u32(field(zoo, id)); }

static void damage_is_named(void **state) {
  (void)state;
  zoo_copy z = zoo_make();
  z.bytes[4] = 'z';
  expect_fault(&z, "root", z.bytes + 4, "identifier");

  z = zoo_make();
  poke_u32(z.bytes, (uint32_t)z.size);
  expect_fault(&z, "root", z.bytes, "outside");

  z = zoo_make();
  poke_u32(field(z, ZOO_name), 0);
  expect_fault(&z, "name", field(z, ZOO_name), "outside");

  z = zoo_make();
  poke_u32(field(z, ZOO_name), 0xFFFFFFFFu);
  expect_fault(&z, "name", field(z, ZOO_name), "outside");

  z = zoo_make();
  target(z, ZOO_name)[4 + 5] = '!';
  expect_fault(&z, "name", target(z, ZOO_name), "NUL");

  z = zoo_make();
  poke_u32(target(z, ZOO_numbers), 0x20000001u);  // * 8 wraps to 8 in 32 bits
  expect_fault(&z, "numbers", target(z, ZOO_numbers), "536870913 elements");

  z = zoo_make();
  poke_u32(target(z, ZOO_numbers), 0xFFFFFFFFu);
  expect_fault(&z, "numbers", target(z, ZOO_numbers), "4294967295 elements");

  z = zoo_make();
  uint8_t *second = target(z, ZOO_all) + 4 + 4;
  poke_u32(second, 0x7FFFFFFFu);
  expect_fault(&z, "all[1]", second, "outside");

  z = zoo_make();
  second = target(z, ZOO_words) + 4 + 4;
  second += fb_load_u32(second);
  poke_u32(second, 0x7FFFFFFFu);
  expect_fault(&z, "words[1]", second, "elements");

  z = zoo_make();
  uint8_t *only = target(z, ZOO_only);
  poke_u32(only, 0x80000000u);
  expect_fault(&z, "only", only, "vtable");

  z = zoo_make();
  only = target(z, ZOO_only);
  uint8_t *vtable = only - fb_load_i32(only);
  vtable[0] = 3;
  expect_fault(&z, "only", vtable, "vtable of 3 bytes");

  z = zoo_make();
  only = target(z, ZOO_only);
  vtable = only - fb_load_i32(only);
  vtable[2] = 0xFF, vtable[3] = 0xFF;
  expect_fault(&z, "only", vtable + 2, "table of 65535 bytes");

  z = zoo_make();
  only = target(z, ZOO_only);
  vtable = only - fb_load_i32(only);
  vtable[4 + 2] = 200;
  expect_fault(&z, "only.child", vtable + 4 + 2, "offset 200");

  z = zoo_make();
  only = target(z, ZOO_only);
  vtable = only - fb_load_i32(only);
  vtable[4 + 2] = 2;  // on top of the soffset
  expect_fault(&z, "only.child", vtable + 4 + 2, "offset 2");

  z = zoo_make();
  *field(z, ZOO_choice_type) = 0;
  expect_fault(&z, "choice", field(z, ZOO_choice), "without a type");

  z = zoo_make();
  poke_u32(field(z, ZOO_only), fb_load_u32(field(z, ZOO_only)) + 2);
  expect_fault(&z, "only", field(z, ZOO_only) + fb_load_u32(field(z, ZOO_only)), "4-aligned");
}

static void members_of_newer_schemas_are_accepted(void **state) {
  (void)state;
  zoo_copy z = zoo_make();
  *field(z, ZOO_choice_type) = 200;
  assert_int_equal(fb_verify(&zoo_schema, z.bytes, z.size, NULL, NULL), ARN_OK);
  free(z.bytes);
}

static void budgets_hold(void **state) {
  (void)state;
  zoo_copy z = zoo_make();
  arn_error error;
  // Zoo, only, only.child, all[0], all[0].child, all[1], all[2], two words, choice.
  assert_int_equal(fb_verify(&zoo_schema, z.bytes, z.size, &(fb_limits){3, 10}, &error), ARN_OK);
  assert_int_equal(fb_verify(&zoo_schema, z.bytes, z.size, &(fb_limits){3, 9}, &error), ARN_BUDGET);
  assert_non_null(strstr(error.message, "more tables"));
  assert_int_equal(fb_verify(&zoo_schema, z.bytes, z.size, &(fb_limits){2, 10}, &error), ARN_BUDGET);
  assert_memory_equal(error.message, "only.child: ", 12);
  free(z.bytes);
}

// A chain of vectors that each name the next twice describes 2^n tables in n steps: the budget ends it.
static void shared_tables_cannot_explode(void **state) {
  (void)state;
  // Child has one child only, so sharing goes through Zoo.all: one vector naming the same long chain many times.
  fb_builder b;
  fb_build_init(&b, host_heap());
  fb_ref chain = 0;
  for (int i = 0; i < 60; ++i) chain = zoo_child(&b, 1, chain);
  static fb_ref refs[60000];
  for (size_t i = 0; i < BASE_COUNT(refs); ++i) refs[i] = chain;
  fb_ref all = fb_build_refs(&b, refs, BASE_COUNT(refs));
  fb_build_table(&b);
  fb_build_ref(&b, ZOO_all, all);
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(fb_build_finish(&b, fb_build_table_end(&b), "ZOO1", &bytes, &size), ARN_OK);
  arn_error error;
  assert_int_equal(fb_verify(&zoo_schema, bytes, size, NULL, &error), ARN_BUDGET);
  fb_build_release(&b);
}

// Reads everything that the schema reaches: after a good verdict nothing of it may lie outside.
static uint32_t read_child(fb_table t, int depth) {
  return fb_present(t) && depth ? fb_field_u8(t, 0, 0) + read_child(fb_field_table(t, 1), depth - 1) : 0;
}
static uint32_t read_all(const uint8_t *bytes) {
  fb_table zoo = fb_root(bytes);
  uint32_t sum = (uint32_t)fb_field_i32(zoo, ZOO_count, 7) + fb_field_bool(zoo, ZOO_open, false);
  fb_string name = fb_field_string(zoo, ZOO_name);
  if (name.text) sum += (uint32_t)strlen(name.text);
  sum += read_child(fb_field_table(zoo, ZOO_only), 100);
  fb_offsets all = fb_field_offsets(zoo, ZOO_all), words = fb_field_offsets(zoo, ZOO_words);
  for (uint32_t i = 0; i < all.count; ++i) sum += read_child(fb_table_at(all, i), 100);
  for (uint32_t i = 0; i < words.count; ++i) sum += (uint32_t)strlen(fb_string_at(words, i).text);
  fb_vector numbers = fb_field_vector(zoo, ZOO_numbers);
  for (uint32_t i = 0; i < numbers.count; ++i) sum += (uint32_t)fb_vector_i64(numbers, i);
  if (fb_field_u8(zoo, ZOO_choice_type, 0) == 1) sum += read_child(fb_field_table(zoo, ZOO_choice), 100);
  return sum;
}

static void every_truncation_and_every_flip_is_safe(void **state) {
  (void)state;
  zoo_copy z = zoo_make();
  uint32_t sum = 0, refused = 0;
  for (size_t size = 0; size < z.size; ++size) {
    uint8_t *cut = malloc(size ? size : 1);
    memcpy(cut, z.bytes, size);
    if (fb_verify(&zoo_schema, cut, size, NULL, NULL) == ARN_OK) sum += read_all(cut);
    else ++refused;
    free(cut);
  }
  assert_true(refused > z.size / 2);
  refused = 0;
  for (size_t at = 0; at < z.size; ++at) {
    for (int value = 0; value < 256; ++value) {
      uint8_t old = z.bytes[at];
      z.bytes[at] = (uint8_t)value;
      arn_error error;
      if (fb_verify(&zoo_schema, z.bytes, z.size, NULL, &error) == ARN_OK) sum += read_all(z.bytes);
      else ++refused, assert_in_range(error.byte, 0, z.size);
      z.bytes[at] = old;
    }
  }
  assert_true(refused > 0 && sum > 0);
  assert_int_equal(fb_verify(&zoo_schema, z.bytes, z.size, NULL, NULL), ARN_OK);
  free(z.bytes);
}

static void paths_are_cut_at_their_front(void **state) {
  (void)state;
  fb_path root = {NULL, NULL, 0}, a = {&root, "subgraphs", 0}, b = {&a, NULL, 12}, c = {&b, "operators", 0},
          d = {&c, NULL, 4294967295u}, e = {&d, "inputs", 0};
  char text[64], small[16];
  fb_path_text(&e, text, sizeof text);
  assert_string_equal(text, "subgraphs[12].operators[4294967295].inputs");
  fb_path_text(&root, text, sizeof text);
  assert_string_equal(text, "root");
  fb_path_text(&e, small, sizeof small);
  assert_string_equal(small, "....inputs");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damage_is_named),
      cmocka_unit_test(members_of_newer_schemas_are_accepted),
      cmocka_unit_test(budgets_hold),
      cmocka_unit_test(shared_tables_cannot_explode),
      cmocka_unit_test(every_truncation_and_every_flip_is_safe),
      cmocka_unit_test(paths_are_cut_at_their_front),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
