// SPDX-License-Identifier: Apache-2.0
// flatbuffer/flex_read: values of a hand-made map, and the same bytes cut and bent in every place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "flatbuffer/flex_read.h"

// {"a": -7, "b": 2.5, "f": true, "v": [1, 300]}; little-endian words.
static const uint8_t map_bytes[] = {
    'a',        0,          'b',     0,           'f', 0, 'v',  0,  // 0: keys
    2,          0,          1,       0,           44,  1,           // 8: [1, 300] as 16-bit ints: count, elements from 10 on
    0,          0,                                                  // 14: padding
    4,          0,          0,       0,           20,  0, 0,    0,
    22,         0,          0,       0,                             // 16: key vector: count; elements from 20 on, distances back
    24,         0,          0,       0,           26,  0, 0,    0,  //
    16,         0,          0,       0,           4,   0, 0,    0,
    4,          0,          0,       0,                                // 36: distance to the keys, their width, count of the map
    0xF9,       0xFF,       0xFF,    0xFF,        0,   0, 0x20, 0x40,  // 48: -7, 2.5
    1,          0,          0,       0,           50,  0, 0,    0,     // 56: true, 60 - 10
    1 << 2 | 2, 3 << 2 | 2, 26 << 2, 11 << 2 | 1,                      // 64: types
    20,         9 << 2 | 2, 1,  // 68: root: distance back to 48, map of 4-byte slots, 1 byte wide
};

static void values_of_a_map(void **state) {
  (void)state;
  flex_value map = flex_root(map_bytes, sizeof map_bytes);
  assert_int_equal(flex_count(map), 4);
  assert_int_equal(flex_int32(flex_get(map, "a")), -7);
  assert_true(flex_float(flex_get(map, "a")) == -7.0);
  assert_true(flex_float(flex_get(map, "b")) == 2.5);
  assert_int_equal(flex_int(flex_get(map, "b")), 2);
  assert_true(flex_bool(flex_get(map, "f")));
  flex_value vector = flex_get(map, "v");
  assert_int_equal(flex_count(vector), 2);
  assert_int_equal(flex_int(flex_at(vector, 0)), 1);
  assert_int_equal(flex_int(flex_at(vector, 1)), 300);
  assert_true(flex_is_null(flex_at(vector, 2)));
  assert_true(flex_is_null(flex_get(map, "ab")));
  assert_true(flex_is_null(flex_get(vector, "a")));
  assert_int_equal(flex_int(flex_get(map, "v")), 0);
}

static void what_a_map_holds(void **state) {
  (void)state;
  static const char *const keys[] = {"a", "b", "f", "v"};
  static const flex_kind kinds[] = {FLEX_IS_INT, FLEX_IS_FLOAT, FLEX_IS_BOOL, FLEX_IS_OTHER};
  flex_value map = flex_root(map_bytes, sizeof map_bytes);
  assert_int_equal(flex_kind_of(map), FLEX_IS_MAP);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(flex_key(map, i), keys[i]);
    assert_int_equal(flex_kind_of(flex_at(map, i)), kinds[i]);
    assert_string_equal(flex_text(flex_at(map, i)), "");
  }
  assert_null(flex_key(map, 4));
  assert_null(flex_key(flex_get(map, "v"), 0));
  // "hi" as a string: count, letters, NUL, then the root's distance back.
  static const uint8_t text[] = {2, 'h', 'i', 0, 3, 5 << 2, 1};
  assert_string_equal(flex_text(flex_root(text, sizeof text)), "hi");
  assert_int_equal(flex_kind_of(flex_root(text, sizeof text)), FLEX_IS_TEXT);
  static const uint8_t endless[] = {2, 'h', 'i', 'x', 3, 5 << 2, 1};
  assert_string_equal(flex_text(flex_root(endless, sizeof endless)), "");
}

static void a_root_that_is_a_number(void **state) {
  (void)state;
  const uint8_t number[] = {0x39, 0x30, 2 << 2 | 1, 2};  // 12345, 16 bits, unsigned
  assert_int_equal(flex_int(flex_root(number, sizeof number)), 12345);
  assert_int_equal(flex_count(flex_root(number, sizeof number)), 0);
  const uint8_t wide[] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2 << 2 | 3, 8};
  assert_true(flex_int(flex_root(wide, sizeof wide)) == INT64_MAX);
  assert_int_equal(flex_int32(flex_root(wide, sizeof wide)), INT32_MAX);
  assert_true(flex_is_null(flex_root(NULL, 0)));
  assert_true(flex_is_null(flex_root(number, 2)));
}

static void a_text(void **state) {
  (void)state;
  const uint8_t text[] = {4, 'S', 'A', 'M', 'E', 0, 5, 5 << 2, 1};  // length, string, distance back to it, type, width
  flex_value root = flex_root(text, sizeof text);
  assert_true(flex_text_is(root, "SAME"));
  assert_false(flex_text_is(root, "SAM"));
  assert_false(flex_text_is(root, "SAMEE"));
  assert_false(flex_text_is(flex_root(map_bytes, sizeof map_bytes), "a"));
}

// Reads whatever is there; a sanitizer or a guard page sees a step outside.
static int64_t read_all(const uint8_t *bytes, size_t size) {
  int64_t sum = 0;
  flex_value map = flex_root(bytes, size);
  for (size_t i = 0; i < flex_count(map) && i < 100; i++) {
    const char *key = flex_key(map, i);
    sum ^= flex_int(flex_at(map, i)) ^ (int64_t)strlen(flex_text(flex_at(map, i))) ^ (int64_t)(key ? strlen(key) : 0);
  }
  const char *keys[] = {"a", "b", "f", "v"};
  for (size_t i = 0; i < 4; i++) {
    flex_value v = flex_get(map, keys[i]);
    sum ^= flex_int(v) ^ (int64_t)flex_bool(v) ^ flex_int(flex_at(v, 1));
  }
  return sum;
}

static void bent_bytes_stay_inside(void **state) {
  (void)state;
  int64_t sum = 0;
  for (size_t size = 0; size <= sizeof map_bytes; size++) {  // cut at either end
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, map_bytes, size);
    sum ^= read_all(copy, size);
    memcpy(copy, map_bytes + sizeof map_bytes - size, size);
    sum ^= read_all(copy, size);
    free(copy);
  }
  uint8_t *copy = malloc(sizeof map_bytes);
  for (size_t at = 0; at < sizeof map_bytes; at++) {
    for (int value = 0; value < 256; value++) {
      memcpy(copy, map_bytes, sizeof map_bytes);
      copy[at] = (uint8_t)value;
      sum ^= read_all(copy, sizeof map_bytes);
    }
  }
  free(copy);
  // A count larger than the buffer is no vector.
  uint8_t bent[sizeof map_bytes];
  memcpy(bent, map_bytes, sizeof bent);
  bent[47] = 0x7F;
  assert_int_equal(flex_count(flex_root(bent, sizeof bent)), 0);
  (void)sum;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_a_map),
      cmocka_unit_test(what_a_map_holds),
      cmocka_unit_test(a_root_that_is_a_number), cmocka_unit_test(a_text),
      cmocka_unit_test(bent_bytes_stay_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
