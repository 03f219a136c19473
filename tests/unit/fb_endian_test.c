// SPDX-License-Identifier: Apache-2.0
// flatbuffer: the loads of a big-endian machine swap bytes. Compiled as if for one; on the little-endian machine that runs it the swapped
// loads must therefore read big-endian numbers.
#define FB_BIG_ENDIAN 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "flatbuffer/fb_read.h"

static void swapped_loads_read_the_other_order(void **state) {
  (void)state;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const uint8_t bytes[] = {0x81, 0x02, 0x03, 0x04, 0x85, 0x06, 0x07, 0x08};
  assert_int_equal(fb_load_u16(bytes), 0x8102);
  assert_int_equal(fb_load_i16(bytes), (int16_t)0x8102);
  assert_int_equal(fb_load_u32(bytes), 0x81020304u);
  assert_int_equal(fb_load_i32(bytes), (int32_t)0x81020304u);
  // Two halves, the low one first, each swapped.
  assert_true(fb_load_u64(bytes) == 0x8506070881020304u);
  const uint8_t one_and_a_half[] = {0x3F, 0xC0, 0, 0};
  assert_true(fb_load_f32(one_and_a_half) == 1.5f);
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(swapped_loads_read_the_other_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
