// SPDX-License-Identifier: Apache-2.0
// base: checked arithmetic, the bump arena, status texts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/error.h"

static void checked_arithmetic_refuses_overflow(void **state) {
  (void)state;
  size_t out = 7;
  assert_false(checked_add(SIZE_MAX, 1, &out));
  assert_false(checked_mul(SIZE_MAX / 2 + 1, 2, &out));
  assert_false(checked_align(SIZE_MAX - 3, 16, &out));
  assert_int_equal(out, 7);
  assert_true(checked_add(SIZE_MAX - 1, 1, &out) && out == SIZE_MAX);
  assert_true(checked_mul(0, SIZE_MAX, &out) && out == 0);
  assert_true(checked_align(17, 16, &out) && out == 32);
}

static void arena_serves_both_ends_and_says_what_lacked(void **state) {
  (void)state;
  static uint64_t block[16];
  arena a;
  arena_init(&a, block, sizeof block);
  uint8_t *head = arena_head(&a, 3, 1), *aligned = arena_head(&a, 8, 8), *tail = arena_tail(&a, 5, 16);
  assert_ptr_equal(head, (uint8_t *)block);
  assert_ptr_equal(aligned, (uint8_t *)block + 8);
  assert_int_equal((uintptr_t)tail % 16, 0);
  assert_true(tail + 5 <= (uint8_t *)(block + 16));
  assert_int_equal(a.shortfall, 0);
  assert_null(arena_head(&a, 1000, 8));
  assert_true(a.shortfall > 0);
  assert_null(arena_tail(&a, SIZE_MAX, 8));
}

static void statuses_have_texts(void **state) {
  (void)state;
  assert_string_equal(arn_status_text(ARN_OK), "success");
  assert_string_equal(arn_status_text((arn_status)999), "unknown status");
  arn_error error;
  assert_int_equal(error_set(&error, ARN_IO, "%s: %d", "x", 3), ARN_IO);
  assert_string_equal(error.message, "x: 3");
  assert_int_equal(error.node, -1);
  assert_int_equal(error_set(NULL, ARN_IO, "nobody listens"), ARN_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checked_arithmetic_refuses_overflow),
      cmocka_unit_test(arena_serves_both_ends_and_says_what_lacked),
      cmocka_unit_test(statuses_have_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
