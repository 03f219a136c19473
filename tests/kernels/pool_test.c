// SPDX-License-Identifier: Apache-2.0
// kernels/pool: random shapes against a formula that fetches each pixel by its coordinates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/pool.h"

static uint64_t seed = 14142135;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static int between(int low, int high) { return low + (int)draw((uint32_t)(high - low + 1)); }

enum { ROOM = 3 * 3 * 9 * 9 * 130 };
static int8_t x8[ROOM], average8[ROOM], max8[ROOM];
static uint8_t xu8[ROOM], average_u8[ROOM], max_u8[ROOM];
static int16_t x16[ROOM], average16[ROOM], max16[ROOM];
static float xf[ROOM], average_f[ROOM], max_f[ROOM], l2_f[ROOM];
static pool_shape s;

// Sum, sum of squares and maximum of the window of one output, over values f(i).
typedef struct gathered {
  double sum, squares, top;
  int count;
} gathered;
static gathered gather(double (*value)(size_t), int b, int oz, int oy, int ox, int c) {
  gathered g = {0, 0, -INFINITY, 0};
  for (int z = 0; z < s.z.in; z++) {
    for (int y = 0; y < s.y.in; y++) {
      for (int x = 0; x < s.x.in; x++) {
        int dz = z - (oz * s.z.stride - s.z.pad), dy = y - (oy * s.y.stride - s.y.pad), dx = x - (ox * s.x.stride - s.x.pad);
        if (dz < 0 || dz >= s.z.taps || dy < 0 || dy >= s.y.taps || dx < 0 || dx >= s.x.taps) continue;
        double v = value((size_t)((((b * s.z.in + z) * s.y.in + y) * s.x.in + x) * s.channels + c));
        g.sum += v, g.squares += v * v, g.top = fmax(g.top, v), g.count++;
      }
    }
  }
  return g;
}
static double value_s8(size_t i) { return x8[i]; }
static double value_u8(size_t i) { return xu8[i]; }
static double value_s16(size_t i) { return x16[i]; }
static double value_f32(size_t i) { return (double)xf[i]; }
static int limit(double v, int low, int high) { return (int)fmin(fmax(v, low), high); }

static void check_output(int b, int z, int y, int x, int c) {
  size_t at = (size_t)((((b * s.z.out + z) * s.y.out + y) * s.x.out + x) * s.channels + c);
  gathered g = gather(value_s8, b, z, y, x, c);
  assert_int_equal(average8[at], limit(round(g.sum / g.count), -100, 90));
  assert_int_equal(max8[at], limit(g.top, -100, 90));
  g = gather(value_u8, b, z, y, x, c);
  assert_int_equal(average_u8[at], limit(round(g.sum / g.count), 10, 250));
  assert_int_equal(max_u8[at], limit(g.top, 10, 250));
  g = gather(value_s16, b, z, y, x, c);
  assert_int_equal(average16[at], limit(round(g.sum / g.count), -32768, 30000));
  assert_int_equal(max16[at], limit(g.top, -32768, 30000));
  g = gather(value_f32, b, z, y, x, c);
  assert_true(fabs((double)average_f[at] - fmin(fmax(g.sum / g.count, -3), 3)) < 1e-5);
  assert_true((double)max_f[at] == fmin(fmax(g.top, -3), 3));
  assert_true(fabs((double)l2_f[at] - fmin(fmax(sqrt(g.squares / g.count), -3), 3)) < 1e-5);
}

static void run(int row0, int row1) {
  pool_average_s8(&s, x8, average8, -100, 90, row0, row1);
  pool_max_s8(&s, x8, max8, -100, 90, row0, row1);
  pool_average_u8(&s, xu8, average_u8, 10, 250, row0, row1);
  pool_max_u8(&s, xu8, max_u8, 10, 250, row0, row1);
  pool_average_s16(&s, x16, average16, -32768, 30000, row0, row1);
  pool_max_s16(&s, x16, max16, -32768, 30000, row0, row1);
  pool_average_f32(&s, xf, average_f, -3, 3, row0, row1);
  pool_max_f32(&s, xf, max_f, -3, 3, row0, row1);
  pool_l2_f32(&s, xf, l2_f, -3, 3, row0, row1);
}

static void pools(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    s = (pool_shape){.batches = between(1, 3),
                     .channels = draw(10) ? between(1, 9) : between(60, 130),  // some need more than one tile of channels
                     .y = {.in = between(1, 9), .taps = between(1, 10), .stride = between(1, 4), .dilation = 1},
                     .x = {.in = between(1, 9), .taps = between(1, 5), .stride = between(1, 4), .dilation = 1}};
    bool same = draw(2);
    s.z = (window_axis)POOL_FLAT;
    if (round % 3 == 0) s.z = (window_axis){.in = between(1, 3), .taps = between(1, 3), .stride = between(1, 2), .dilation = 1};
    if (!window_fit(&s.z, same, NULL)) continue;
    if (!window_fit(&s.y, same, NULL) || !window_fit(&s.x, same, NULL)) continue;
    for (size_t i = 0; i < ROOM; i++) {
      x8[i] = (int8_t)between(-128, 127), xu8[i] = (uint8_t)draw(256), x16[i] = (int16_t)between(-32768, 32767);
      xf[i] = (float)between(-1000, 1000) / 256;
    }
    int rows = s.batches * s.z.out * s.y.out;
    run(rows / 2, rows);
    run(0, rows / 2);
    for (int b = 0; b < s.batches; b++)
      for (int z = 0; z < s.z.out; z++)
        for (int y = 0; y < s.y.out; y++)
          for (int x = 0; x < s.x.out; x++)
            for (int c = 0; c < s.channels; c++) check_output(b, z, y, x, c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pools)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
