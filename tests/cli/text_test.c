// SPDX-License-Identifier: Apache-2.0
// Labels, clean text, tables, JSON numbers.
#include "cli_test.h"

#include <math.h>

#include "json.h"
#include "labels.h"
#include "table.h"
#include "text.h"

static labels parse(const char *text) {
  labels out;
  failure why;
  assert_good(labels_parse(text, strlen(text), &out, &why), why);
  return out;
}

static void plain_labels(void **state) {
  (void)state;
  labels l = parse(
      "\xEF\xBB\xBF"
      "cat\r\n dog \n\nbird\n\n\n");
  assert_int_equal(l.count, 4);
  assert_string_equal(labels_name(&l, 0), "cat");
  assert_string_equal(labels_name(&l, 1), "dog");
  assert_string_equal(labels_name(&l, 2), "");
  assert_string_equal(labels_name(&l, 3), "bird");
  assert_null(labels_name(&l, 4));
  assert_null(labels_name(&l, -1));
  assert_int_equal(labels_find(&l, "BIRD"), 3);
  assert_int_equal(labels_find(&l, "17"), 17);
  assert_int_equal(labels_find(&l, "fish"), -1);
  labels_free(&l);
}

static void numbered_labels(void **state) {
  (void)state;
  labels l = parse("0  person\n2: car\n7,truck\n");
  assert_int_equal(l.count, 8);
  assert_string_equal(labels_name(&l, 0), "person");
  assert_null(labels_name(&l, 1));
  assert_string_equal(labels_name(&l, 2), "car");
  assert_string_equal(labels_name(&l, 7), "truck");
  labels_free(&l);
  // Digits are names, and one line without a number makes all lines names.
  l = parse("0\n1\n2\n");
  assert_string_equal(labels_name(&l, 2), "2");
  labels_free(&l);
  l = parse("3 musketeers\nzorro\n");
  assert_string_equal(labels_name(&l, 0), "3 musketeers");
  labels_free(&l);
  l = parse("99999999 x\n");  // no such class: a name
  assert_int_equal(l.count, 1);
  labels_free(&l);
}

static void labels_are_clean(void **state) {
  (void)state;
  labels l = parse("\033[31mred\nbr\xFFken\ngr\xC3\xBCn\n"), none;
  failure why;
  assert_string_equal(labels_name(&l, 0), "?[31mred");
  assert_string_equal(labels_name(&l, 1), "br\xEF\xBF\xBDken");
  assert_string_equal(labels_name(&l, 2), "gr\xC3\xBCn");
  labels_free(&l);
  assert_refused(labels_parse("\n\n", 2, &none, &why), why, "no labels");
}

static void utf8_is_checked(void **state) {
  (void)state;
  static const char *const good[] = {"a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"};
  static const char *const bad[] = {
      "\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
      "\xC3", "\xE2\x82", "\xFF"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_int_equal(text_utf8_length(good[i], strlen(good[i])), strlen(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(text_utf8_length(bad[i], strlen(bad[i])), 0);
  char text[] =
      "a\tb\xC2\x9B"
      "c\xE2\x82\xACz\x7F\xFF";
  text_clean(text);
  assert_string_equal(text, "a?b?c\xE2\x82\xACz??");
  assert_int_equal(text_columns("gr\xC3\xBCn"), 4);
}

static void numbers_for_people(void **state) {
  (void)state;
  char out[TEXT_NUMBER];
  assert_string_equal(text_count(out, 0), "0");
  assert_string_equal(text_count(out, 999), "999");
  assert_string_equal(text_count(out, 1234567), "1,234,567");
  assert_string_equal(text_count(out, UINT64_MAX), "18,446,744,073,709,551,615");
  assert_string_equal(text_bytes(out, 1023), "1023 B");
  assert_string_equal(text_bytes(out, 1536), "1.5 KB");
  assert_string_equal(text_time(out, 999), "999 ns");
  assert_string_equal(text_time(out, 1234567), "1.235 ms");
}

static void printed(const table *t, char *text, size_t size, void (*print)(const table *, FILE *)) {
  FILE *file = tmpfile();
  assert_non_null(file);
  print(t, file);
  rewind(file);
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
}

static void tables_align(void **state) {
  (void)state;
  static const char *const headers[] = {"name", ">n", "last"};
  table *t = table_create(3, headers);
  table_cell(t, "gr\xC3\xBCn");
  table_cell(t, "%d", 5);
  table_end_row(t);
  table_cell(t, "a\nb");
  table_cell(t, "%d", 12345);
  table_cell(t, "x|y");
  char text[512];
  printed(t, text, sizeof text, table_print);
  assert_string_equal(text, "name      n  last\ngr\xC3\xBCn      5\na?b   12345  x|y\n");
  printed(t, text, sizeof text, table_print_markdown);
  assert_string_equal(text, "| name | n | last |\n|---|---:|---|\n| gr\xC3\xBCn | 5 |  |\n| a?b | 12345 | x\\|y |\n");
  table_destroy(t);
}

static void json_numbers_are_exact(void **state) {
  (void)state;
  cJSON *object = json_object();
  json_add_int(object, "low", INT64_MIN);
  json_add_size(object, "high", UINT64_MAX);
  json_add_float(object, "tenth", 0.1f);
  json_add_float(object, "third", 1.0f / 3);
  json_add_real(object, "real", 0.1);
  json_add_float(object, "nan", NAN);
  json_add_bytes(object, "text",
                 "a\xFF"
                 "b",
                 3);
  char *text = cJSON_PrintUnformatted(object);
  assert_non_null(text);
  assert_string_equal(text,
                      "{\"low\":-9223372036854775808,\"high\":18446744073709551615,\"tenth\":0.1,\"third\":0.33333334,"
                      "\"real\":0.1,\"nan\":null,\"text\":\"a\xEF\xBF\xBD"
                      "b\"}");
  cJSON_free(text);
  cJSON_Delete(object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_labels),           cmocka_unit_test(numbered_labels),    cmocka_unit_test(labels_are_clean),
      cmocka_unit_test(utf8_is_checked),        cmocka_unit_test(numbers_for_people), cmocka_unit_test(tables_align),
      cmocka_unit_test(json_numbers_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
