// SPDX-License-Identifier: Apache-2.0
// flatbuffer: what fb_build writes, fb_read reads, at any address; layout rules; errors; failing allocations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "flatbuffer/fb_read.h"
#include "flatbuffer/fb_verify.h"
#include "host/heap.h"
#include "unit/fb_zoo.h"

static void check_zoo(const uint8_t *bytes) {
  fb_table zoo = fb_root(bytes);
  assert_int_equal(fb_field_i32(zoo, ZOO_count, 7), -5);
  assert_true(fb_string_is(fb_field_string(zoo, ZOO_name), "Basel"));
  assert_int_equal(fb_field_u8(fb_field_table(zoo, ZOO_only), 0, 0), 1);
  assert_int_equal(fb_field_u8(fb_field_table(fb_field_table(zoo, ZOO_only), 1), 0, 0), 3);
  fb_offsets all = fb_field_offsets(zoo, ZOO_all);
  assert_int_equal(all.count, 3);
  assert_int_equal(fb_field_u8(fb_table_at(all, 2), 0, 0), 2);
  fb_vector numbers = fb_field_vector(zoo, ZOO_numbers);
  assert_int_equal(numbers.count, 3);
  assert_true(fb_vector_i64(numbers, 0) == -1 && fb_vector_i64(numbers, 1) == INT64_MAX && fb_vector_i64(numbers, 2) == 3);
  fb_offsets words = fb_field_offsets(zoo, ZOO_words);
  assert_int_equal(words.count, 2);
  assert_true(fb_string_is(fb_string_at(words, 0), "gnu"));
  assert_true(fb_string_is(fb_string_at(words, 1), ""));
  assert_int_equal(fb_field_u8(zoo, ZOO_choice_type, 0), 1);
  assert_int_equal(fb_field_u8(fb_field_table(zoo, ZOO_choice), 0, 0), 9);
  assert_true(fb_field_bool(zoo, ZOO_open, false));
  assert_false(fb_has(zoo, 9));
  assert_int_equal(fb_field_u8(zoo, 4000, 77), 77);
}

static void what_is_built_reads_back_at_every_address(void **state) {
  (void)state;
  fb_builder b;
  fb_build_init(&b, host_heap());
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(zoo_build(&b, &bytes, &size), ARN_OK);
  assert_int_equal(size % 32, 0);
  uint8_t *room = malloc(size + 16);
  for (size_t shift = 0; shift < 16; ++shift) {
    memcpy(room + shift, bytes, size);
    assert_int_equal(fb_verify(&zoo_schema, room + shift, size, NULL, NULL), ARN_OK);
    check_zoo(room + shift);
  }
  free(room);
  // The aligned vector is where it was asked to be.
  fb_vector numbers = fb_field_vector(fb_root(bytes), ZOO_numbers);
  assert_int_equal((numbers.data - bytes) % 32, 0);
  fb_build_release(&b);
}

static void equal_vtables_are_shared(void **state) {
  (void)state;
  fb_builder b;
  fb_build_init(&b, host_heap());
  fb_ref tables[3];
  uint32_t used[3];
  for (int i = 0; i < 3; ++i) {
    fb_build_table(&b);
    fb_build_i32(&b, 0, i + 1, 0);
    tables[i] = fb_build_table_end(&b);
    used[i] = b.used;
  }
  // The first table is 8 bytes. Behind its vtable's 6 bytes the second needs 2 of padding, which counts as the table's: another
  // vtable. The third is like the second.
  assert_int_equal(b.vtable_count, 2);
  assert_int_equal(used[2] - used[1], 8 + 2);
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(fb_build_finish(&b, tables[2], "TEST", &bytes, &size), ARN_OK);
  fb_table third = fb_root(bytes);
  assert_true(fb_load_i32(bytes + third.pos) < 0);  // its vtable lies behind it
  assert_int_equal(fb_field_i32(third, 0, 0), 3);
  fb_build_release(&b);
}

// The head of the C2_BN detector: eight root fields of which metadata_buffer is absent, added in id order, root table at 32.
static void a_table_lies_as_its_calls_say(void **state) {
  (void)state;
  fb_builder b;
  fb_build_init(&b, host_heap());
  fb_ref operator_codes = fb_build_refs(&b, NULL, 0), subgraphs = fb_build_refs(&b, NULL, 0);
  fb_ref description = fb_build_text(&b, "C2_BN detector");
  fb_ref buffers = fb_build_refs(&b, NULL, 0), metadata = fb_build_refs(&b, NULL, 0), signatures = fb_build_refs(&b, NULL, 0);
  fb_build_table(&b);
  fb_build_u32(&b, 0, 3, 0);
  fb_build_ref(&b, 1, operator_codes);
  fb_build_ref(&b, 2, subgraphs);
  fb_build_ref(&b, 3, description);
  fb_build_ref(&b, 4, buffers);
  fb_build_ref(&b, 6, metadata);
  fb_build_ref(&b, 7, signatures);
  b.alignment = 8;
  const uint8_t *bytes;
  size_t size;
  assert_int_equal(fb_build_finish(&b, fb_build_table_end(&b), "TFL3", &bytes, &size), ARN_OK);
  const uint8_t expected[] = {32, 0, 0, 0,  'T', 'F', 'L', '3', 0,  0, 0,  0, 20, 0, 32, 0, 28, 0, 24, 0,
                              20, 0, 16, 0, 12,  0,   0,   0,   8, 0, 4, 0, 20, 0, 0,  0};
  assert_true(size > sizeof expected + 28);
  assert_memory_equal(bytes, expected, sizeof expected);
  assert_int_equal(fb_load_u32(bytes + 60), 3);                              // version, at offset 28
  assert_int_equal(36 + fb_load_u32(bytes + 36), 64);                        // signature_defs follow the table
  assert_int_equal(40 + fb_load_u32(bytes + 40), 68);                        // then the metadata
  assert_true(fb_string_is(fb_field_string(fb_root(bytes), 3), "C2_BN detector"));
  fb_build_release(&b);
}

static void defaults_are_left_out_unless_kept(void **state) {
  (void)state;
  for (int keep = 0; keep <= 1; ++keep) {
    fb_builder b;
    fb_build_init(&b, host_heap());
    b.keep_defaults = keep;
    fb_build_table(&b);
    fb_build_i32(&b, 0, 7, 7);
    fb_build_f32(&b, 1, -0.0f, 0.0f);  // not the default: the sign is kept
    const uint8_t *bytes;
    size_t size;
    assert_int_equal(fb_build_finish(&b, fb_build_table_end(&b), "TEST", &bytes, &size), ARN_OK);
    assert_int_equal(fb_has(fb_root(bytes), 0), keep);
    assert_true(fb_has(fb_root(bytes), 1));
    fb_build_release(&b);
  }
}

static void misuse_is_an_error(void **state) {
  (void)state;
  const uint8_t *bytes;
  size_t size;
  fb_builder b;
  fb_build_init(&b, host_heap());
  fb_build_table(&b);
  assert_int_equal(fb_build_text(&b, "inside a table"), 0);
  assert_int_equal(fb_build_finish(&b, fb_build_table_end(&b), "TEST", &bytes, &size), ARN_WRONG_STATE);
  assert_null(bytes);
  fb_build_release(&b);

  fb_build_init(&b, host_heap());
  fb_build_table(&b);
  fb_build_u8(&b, 3, 1, 0);
  fb_build_u8(&b, 3, 2, 0);
  assert_int_equal(fb_build_finish(&b, fb_build_table_end(&b), "TEST", &bytes, &size), ARN_INVALID_ARGUMENT);
  fb_build_release(&b);

  fb_build_init(&b, host_heap());
  assert_int_equal(fb_build_refs(&b, (fb_ref[]){1000}, 1), 0);
  assert_int_equal(fb_build_finish(&b, 4, "TEST", &bytes, &size), ARN_INVALID_ARGUMENT);
  fb_build_release(&b);

  fb_build_init(&b, host_heap());
  assert_int_equal(fb_build_vector(&b, NULL, 0, 3, 0), 0);
  assert_int_equal(b.status, ARN_INVALID_ARGUMENT);
  fb_build_release(&b);
}

typedef struct scarce_heap {
  int left;  // allocations that succeed
} scarce_heap;

static void *scarce_allocate(void *self, size_t size, size_t alignment) {
  scarce_heap *heap = self;
  return heap->left-- > 0 ? host_heap()->allocate(NULL, size, alignment) : NULL;
}
static void scarce_release(void *self, void *memory) {
  (void)self;
  host_heap()->release(NULL, memory);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  int failures = 0;
  for (int n = 0; n < 100; ++n) {
    scarce_heap heap = {n};
    base_allocator allocator = {scarce_allocate, scarce_release, &heap};
    fb_builder b;
    fb_build_init(&b, &allocator);
    for (int i = 0; i < 200; ++i) fb_build_text(&b, "something to fill more than one growth of the buffer");
    const uint8_t *bytes;
    size_t size;
    arn_status status = zoo_build(&b, &bytes, &size);
    fb_build_release(&b);
    if (status == ARN_OK) break;
    assert_int_equal(status, ARN_OUT_OF_MEMORY);
    ++failures;
  }
  assert_in_range(failures, 4, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_built_reads_back_at_every_address),
      cmocka_unit_test(equal_vtables_are_shared),
      cmocka_unit_test(a_table_lies_as_its_calls_say),
      cmocka_unit_test(defaults_are_left_out_unless_kept),
      cmocka_unit_test(misuse_is_an_error),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
