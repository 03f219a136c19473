// SPDX-License-Identifier: Apache-2.0
// kernels/unpool: by hand, and there and back on random images.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/unpool.h"

static uint64_t seed = 36055512;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static void by_hand(void **state) {
  (void)state;
  const float image[12] = {1, 9, 2, 8, 3, 3, 7, 4, 6, 5, 0, 0};  // 3 x 4
  pool_shape s = {
      1, 1, {.in = 3, .taps = 2, .stride = 2, .dilation = 1}, {.in = 4, .taps = 2, .stride = 2, .dilation = 1}, POOL_FLAT};
  assert_true(window_fit(&s.y, true, NULL) && window_fit(&s.x, true, NULL));
  float out[4], taps[4], back[16];
  int32_t pixels[4];
  unpool_max_f32(&s, image, out, taps, pixels, -FLT_MAX, 8.5f, 0, 2);
  assert_memory_equal(out, ((float[]){8.5f, 8, 6, 0}), sizeof out);
  assert_memory_equal(taps, ((float[]){1.1f, 1.1f, 0.1f, 0.1f}), sizeof taps);
  assert_memory_equal(pixels, ((int32_t[]){1, 3, 8, 10}), sizeof pixels);
  unpool_taps_f32(&s, out, taps, back);
  assert_memory_equal(back, ((float[]){0, 8.5f, 0, 8, 0, 0, 0, 0, 6, 0, 0, 0}), 12 * sizeof *back);
  assert_true(unpool_pixels_f32(&s, out, pixels, back));
  assert_memory_equal(back, ((float[]){0, 8.5f, 0, 8, 0, 0, 0, 0, 6, 0, 0, 0}), 12 * sizeof *back);
  pixels[2] = 12;
  assert_false(unpool_pixels_f32(&s, out, pixels, back));
  pixels[2] = -1;
  assert_false(unpool_pixels_f32(&s, out, pixels, back));
  const float strange[4] = {NAN, -3, 1e30f, 3.1f};  // the last window's fourth tap is below the image
  unpool_taps_f32(&s, out, strange, back);
  for (int i = 0; i < 12; i++) assert_true(back[i] == 0);
  const float lowest[12] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
                            -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  unpool_max_f32(&s, lowest, out, taps, pixels, -FLT_MAX, FLT_MAX, 0, 2);  // nothing is above the lowest number: place 0
  assert_true(out[3] == -FLT_MAX && taps[3] == 0.1f && pixels[3] == 0);
}

static void there_and_back(void **state) {
  (void)state;
  enum { ROOM = 2 * 10 * 10 * 3 };
  static float image[ROOM], out[ROOM], taps[ROOM], from_taps[ROOM], from_pixels[ROOM];
  static int32_t pixels[ROOM];
  for (int round = 0; round < 200; round++) {
    pool_shape s = {1 + (int)draw(2),
                    1 + (int)draw(3),
                    {.in = 1 + (int)draw(10), .taps = 1 + (int)draw(3), .stride = 1 + (int)draw(3), .dilation = 1},
                    {.in = 1 + (int)draw(10), .taps = 1 + (int)draw(3), .stride = 1 + (int)draw(3), .dilation = 1},
                    POOL_FLAT};
    bool same = draw(2);
    if (!window_fit(&s.y, same, NULL) || !window_fit(&s.x, same, NULL)) continue;
    size_t count = (size_t)(s.batches * s.y.in * s.x.in * s.channels),
           outputs = (size_t)(s.batches * s.y.out * s.x.out * s.channels);
    for (size_t i = 0; i < count; i++) image[i] = 1 + (float)draw(1 << 20);
    int rows = s.batches * s.y.out;
    unpool_max_f32(&s, image, out, taps, pixels, -FLT_MAX, FLT_MAX, rows / 2, rows);
    unpool_max_f32(&s, image, out, taps, pixels, -FLT_MAX, FLT_MAX, 0, rows / 2);
    unpool_taps_f32(&s, out, taps, from_taps);
    assert_true(unpool_pixels_f32(&s, out, pixels, from_pixels));
    assert_memory_equal(from_taps, from_pixels, count * sizeof *image);
    size_t image_size = count / (size_t)s.batches;
    for (size_t i = 0; i < count; i++) assert_true(from_taps[i] == 0 || from_taps[i] == image[i]);
    for (size_t i = 0; i < outputs; i++) {
      size_t batch = i / (outputs / (size_t)s.batches);
      assert_true(out[i] == image[batch * image_size + (size_t)pixels[i]]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(there_and_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
