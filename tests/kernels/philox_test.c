// SPDX-License-Identifier: Apache-2.0
// kernels/philox and kernels/fingerprint against published and independently computed values.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernels/fingerprint.h"
#include "kernels/philox.h"

// The known answers that come with the authors' Random123 library.
static void published_blocks(void **state) {
  (void)state;
  uint32_t words[4];
  const uint32_t zeros[4] = {0}, ones[4] = {~0u, ~0u, ~0u, ~0u};
  philox_block(zeros, zeros, words);
  assert_true(words[0] == 0x6627E8D5 && words[1] == 0xE169C58D && words[2] == 0xBC57AC4C && words[3] == 0x9B00DBD8);
  philox_block(ones, ones, words);
  assert_true(words[0] == 0x408F276D && words[1] == 0x41C83B0E && words[2] == 0xA20BC7C6 && words[3] == 0x6D5451FD);
  philox_threefry_block(zeros, zeros, words);
  assert_true(words[0] == 0x6B200159 && words[1] == 0x99BA4EFE);
  philox_threefry_block(ones, ones, words);
  assert_true(words[0] == 0x1CB996FC && words[1] == 0xBB002BE7);
}

static void skipping_is_stepping(void **state) {
  (void)state;
  philox_state a, b;
  philox_seed(&a, 0x123456789ABCDEFu, 42);
  a.counter[0] = 0xFFFFFFF0u;  // the steps carry into the next words
  a.counter[1] = 0xFFFFFFFFu;
  b = a;
  uint32_t one[4], other[4];
  for (int i = 0; i < 40; i++) philox_next(&a, one);
  philox_skip(&b, 39);
  philox_next(&b, other);
  for (int i = 0; i < 4; i++) assert_int_equal(one[i], other[i]);
  assert_int_equal(a.counter[2], 43);
}

static void numbers_stay_in_range(void **state) {
  (void)state;
  assert_true(philox_float(0) == 0 && philox_float(~0u) < 1 && philox_float(0x400000) == 0.5f);
  assert_true(philox_double(0, 0) == 0 && philox_double(~0u, ~0u) < 1 && philox_double(0x80000, 0) == 0.5);
  philox_state random;
  philox_seed(&random, 1, 2);
  double sum = 0, squares = 0;
  enum { PAIRS = 20000 };
  for (int i = 0; i < PAIRS; i++) {
    uint32_t words[4];
    float pair[2];
    philox_next(&random, words);
    philox_normals(words[0], words[1], pair);
    sum += pair[0] + pair[1];
    squares += pair[0] * pair[0] + pair[1] * pair[1];
  }
  assert_true(fabs(sum / (2 * PAIRS)) < 0.02);
  assert_true(fabs(squares / (2 * PAIRS) - 1) < 0.03);
  float pair[2];
  philox_normals(0, 0, pair);  // the logarithm of 0 is kept away
  assert_true(isfinite(pair[0]) && isfinite(pair[1]));
}

// By the Python package pyfarmhash, one of each class of lengths.
static void fingerprints(void **state) {
  (void)state;
  static const struct {
    size_t length;
    uint64_t value;
  } known[] = {{0, 0x9AE16A3B2F90404Fu},  {3, 0x40B4412E33EEFD64u},  {5, 0x156112F7C93E5CB3u},
               {12, 0x07E11FA045E761BCu}, {20, 0x7DAB3F979FD30094u}, {50, 0xC6FCD3AB3AD5BB2Fu},
               {64, 0x0566266CB579ECA2u}, {65, 0x77E0867714E6B0E4u}, {200, 0x6D7105B27CBE2FD7u}};
  uint8_t bytes[200];
  for (int i = 0; i < 200; i++) bytes[i] = (uint8_t)(i * 7 + 3);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_true(fingerprint_64(bytes, known[i].length) == known[i].value);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(published_blocks), cmocka_unit_test(skipping_is_stepping),
                                     cmocka_unit_test(numbers_stay_in_range), cmocka_unit_test(fingerprints)};
  return cmocka_run_group_tests_name("philox", tests, NULL, NULL);
}
