// SPDX-License-Identifier: Apache-2.0
// .npy files: element types, byte orders, shapes, what is refused, and damaged files.
#include "cli_test.h"

#include <math.h>

#include "npy.h"

// Bytes of a version-1 file with this dictionary and data.
static size_t make_npy(uint8_t *to, const char *dictionary, const void *data, size_t size) {
  size_t length = strlen(dictionary);
  memcpy(to, "\x93NUMPY\x01\x00", 8);
  to[8] = (uint8_t)length;
  to[9] = 0;
  memcpy(to + 10, dictionary, length);
  memcpy(to + 10 + length, data, size);
  return 10 + length + size;
}

static void reads_little_and_big_endian(void **state) {
  (void)state;
  static const uint8_t little[] = {1, 0, 0xFF, 0xFF, 0, 0x80}, big[] = {0, 1, 0xFF, 0xFF, 0x80, 0};
  uint8_t bytes[256];
  failure why;
  for (int order = 0; order < 2; order++) {
    npy array;
    const char *dictionary = order ? "{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }\n"
                                   : "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }\n";
    size_t size = make_npy(bytes, dictionary, order ? big : little, 6);
    assert_good(npy_parse(bytes, size, &array, &why), why);
    assert_int_equal(array.rank, 1);
    assert_int_equal(array.count, 3);
    assert_true(npy_real(&array, 0) == 1 && npy_real(&array, 1) == -1 && npy_real(&array, 2) == -32768);
    npy_free(&array);
  }
}

static void reads_every_number_type(void **state) {
  (void)state;
  static const struct {
    const char *descr, *name;
    uint8_t data[16];
    double value;
  } cases[] = {
      {"|b1", "bool", {1}, 1},
      {"|i1", "int8", {0x80}, -128},
      {"|u1", "uint8", {0x80}, 128},
      {"<u2", "uint16", {0, 0x80}, 32768},
      {"<i4", "int32", {0xFE, 0xFF, 0xFF, 0xFF}, -2},
      {"<u4", "uint32", {0, 0, 0, 0x80}, 2147483648.0},
      {"<i8", "int64", {0, 0, 0, 0, 0, 0, 0, 0x80}, -9223372036854775808.0},
      {"<u8", "uint64", {0, 0, 0, 0, 0, 0, 0, 0x80}, 9223372036854775808.0},
      {"<f2", "float16", {0x01, 0xC2}, -3.001953125},
      {"<f2", "float16", {0x01, 0x00}, 0x1p-24},
      {"<f4", "float32", {0, 0, 0xC0, 0x3F}, 1.5},
      {"<f8", "float64", {0, 0, 0, 0, 0, 0, 0xF8, 0x3F}, 1.5},
      {"<c8", "complex64", {0, 0, 0xC0, 0x3F, 1, 2, 3, 4}, 1.5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t bytes[256];
    char dictionary[128], name[16];
    npy array;
    failure why;
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (), }\n", cases[i].descr);
    size_t size = make_npy(bytes, dictionary, cases[i].data, 16);
    assert_good(npy_parse(bytes, size, &array, &why), why);
    assert_int_equal(array.rank, 0);
    npy_type_name(&array, name);
    assert_string_equal(name, cases[i].name);
    assert_true(npy_real(&array, 0) == cases[i].value);
    npy_free(&array);
  }
}

static void writes_what_it_reads(void **state) {
  (void)state;
  float data[6] = {1, -2.5f, 3, 1e30f, 0, -0.0f};
  npy array = {.kind = 'f', .item = 4, .rank = 3, .dims = {1, 2, 3}, .count = 6, .data = data}, again;
  char path[64];
  failure why;
  temporary_path(path, ".npy");
  assert_good(npy_write(path, &array, &why), why);
  assert_good(npy_read(path, &again, &why), why);
  assert_int_equal(again.rank, 3);
  assert_memory_equal(again.dims, array.dims, 3 * sizeof *array.dims);
  assert_memory_equal(again.data, data, sizeof data);
  npy_free(&again);
  // numpy reads only headers whose data begins at a multiple of 64.
  uint8_t *bytes;
  size_t size;
  assert_good(command_read_file(path, 1 << 20, &bytes, &size, &why), why);
  assert_int_equal((size - sizeof data) % 64, 0);
  assert_int_equal(bytes[size - sizeof data - 1], '\n');
  free(bytes);
  remove(path);
}

static void refuses_what_it_cannot_hold(void **state) {
  (void)state;
  static const struct {
    const char *dictionary, *part;
  } cases[] = {
      {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1), }", "ascontiguousarray"},
      {"{'descr': '|S5', 'fortran_order': False, 'shape': (1,), }", "element type"},
      {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "structured"},
      {"{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }", "element type"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "shape"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "too large"},
      {"{'descr': '<f4', 'fortran_order': False, }", "shape"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }", "ends early"},
      {"{'fortran_order': False, 'shape': (1,), }", "structured"},
  };
  uint8_t bytes[512], data[16] = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    npy array;
    failure why;
    size_t size = make_npy(bytes, cases[i].dictionary, data, sizeof data);
    assert_refused(npy_parse(bytes, size, &array, &why), why, cases[i].part);
  }
}

// Every shorter file is refused, every byte may be anything: memory stays within its bounds (run under sanitizers).
static void damaged_files_do_no_harm(void **state) {
  (void)state;
  uint8_t bytes[256], data[24] = {0};
  npy array;
  failure why;
  size_t size = make_npy(bytes, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", data, sizeof data);
  for (size_t length = 0; length < size; length++) {
    uint8_t *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    assert_false(npy_parse(exact, length, &array, &why));
    free(exact);
  }
  for (size_t at = 0; at < size; at++)
    for (int value = 0; value < 256; value++) {
      uint8_t old = bytes[at];
      bytes[at] = (uint8_t)value;
      if (npy_parse(bytes, size, &array, &why)) {
        double sum = 0;
        for (size_t i = 0; i < array.count; i++) sum += npy_real(&array, i);
        assert_true(isnan(sum) || sum == sum);
        npy_free(&array);
      }
      bytes[at] = old;
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_little_and_big_endian), cmocka_unit_test(reads_every_number_type),
      cmocka_unit_test(writes_what_it_reads),        cmocka_unit_test(refuses_what_it_cannot_hold),
      cmocka_unit_test(damaged_files_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
