// SPDX-License-Identifier: Apache-2.0
// kernels/conv3d: random shapes, each product of an input, a weight and an output scattered one by one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/conv3d.h"

static uint64_t seed = 33166247;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

enum { ROOM = 20000 };
static float large[ROOM], small[ROOM], filter[ROOM], bias[80], out[ROOM];
static double exact[ROOM];
static conv3d_shape s;

static window_axis draw_axis(void) {
  return (window_axis){
      .in = 1 + (int)draw(5), .taps = 1 + (int)draw(3), .stride = 1 + (int)draw(3), .dilation = 1 + (int)draw(2)};
}

// For each pair of a pixel of the large image and one of the small image that share a tap: both pixels and the tap, as numbers.
static void each_tap(void (*use)(size_t large_pixel, size_t small_pixel, size_t tap)) {
  for (int b = 0; b < s.batches; b++)
    for (int z = 0; z < s.z.out; z++)
      for (int y = 0; y < s.y.out; y++)
        for (int x = 0; x < s.x.out; x++)
          for (int tap = 0; tap < s.z.taps * s.y.taps * s.x.taps; tap++) {
            int kz = tap / (s.y.taps * s.x.taps), ky = tap / s.x.taps % s.y.taps, kx = tap % s.x.taps;
            int lz = z * s.z.stride - s.z.pad + kz * s.z.dilation, ly = y * s.y.stride - s.y.pad + ky * s.y.dilation;
            int lx = x * s.x.stride - s.x.pad + kx * s.x.dilation;
            if (lz < 0 || lz >= s.z.in || ly < 0 || ly >= s.y.in || lx < 0 || lx >= s.x.in) continue;
            use((size_t)(((b * s.z.in + lz) * s.y.in + ly) * s.x.in + lx),
                (size_t)(((b * s.z.out + z) * s.y.out + y) * s.x.out + x), (size_t)tap);
          }
}

static void forward(size_t large_pixel, size_t small_pixel, size_t tap) {  // filter [tap, in_c, out_c]
  for (int o = 0; o < s.out_c; o++)
    for (int c = 0; c < s.in_c; c++)
      exact[small_pixel * (size_t)s.out_c + (size_t)o] +=
          (double)large[large_pixel * (size_t)s.in_c + (size_t)c] *
          (double)filter[(tap * (size_t)s.in_c + (size_t)c) * (size_t)s.out_c + (size_t)o];
}

static void backward(size_t large_pixel, size_t small_pixel, size_t tap) {  // filter [tap, out_c, in_c]
  for (int o = 0; o < s.out_c; o++)
    for (int c = 0; c < s.in_c; c++)
      exact[large_pixel * (size_t)s.out_c + (size_t)o] +=
          (double)small[small_pixel * (size_t)s.in_c + (size_t)c] *
          (double)filter[(tap * (size_t)s.out_c + (size_t)o) * (size_t)s.in_c + (size_t)c];
}

static void check(size_t count, const float *with_bias) {
  for (size_t i = 0; i < count; i++) {
    double value = exact[i] + (double)(with_bias ? with_bias[i % (size_t)s.out_c] : 0);
    assert_true(fabs((double)out[i] - fmin(fmax(value, -9), 9)) < 1e-4);
  }
}

static void convolutions(void **state) {
  (void)state;
  for (int i = 0; i < ROOM; i++)
    large[i] = (float)draw(200) / 100 - 1, small[i] = (float)draw(200) / 100 - 1, filter[i] = (float)draw(200) / 100 - 1;
  for (int i = 0; i < 80; i++) bias[i] = (float)draw(200) / 50 - 2;
  for (int round = 0; round < 300; round++) {
    s = (conv3d_shape){1 + (int)draw(2), 1 + (int)draw(5), 1 + (int)draw(round % 9 ? 6 : 70),
                       draw_axis(),      draw_axis(),      draw_axis()};
    bool same = draw(2);
    if (!window_fit(&s.z, same, NULL) || !window_fit(&s.y, same, NULL) || !window_fit(&s.x, same, NULL)) continue;
    const float *with_bias = draw(2) ? bias : NULL;
    size_t outputs = (size_t)(s.batches * s.z.out * s.y.out * s.x.out * s.out_c);
    if (outputs > ROOM || (size_t)(s.z.taps * s.y.taps * s.x.taps * s.in_c * s.out_c) > ROOM) continue;
    conv_f32_args a = {large, filter, with_bias, out, -9, 9};
    int64_t rows = (int64_t)s.batches * s.z.out * s.y.out;
    conv3d_f32(&s, &a, rows / 2, rows);
    conv3d_f32(&s, &a, 0, rows / 2);
    memset(exact, 0, sizeof exact);
    each_tap(forward);
    check(outputs, with_bias);
    outputs = (size_t)(s.batches * s.z.in * s.y.in * s.x.in * s.out_c);
    if (outputs > ROOM) continue;
    a.input = small;
    rows = (int64_t)s.batches * s.z.in * s.y.in;
    conv3d_transposed_f32(&s, &a, rows / 2, rows);
    conv3d_transposed_f32(&s, &a, 0, rows / 2);
    memset(exact, 0, sizeof exact);
    each_tap(backward);
    check(outputs, with_bias);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(convolutions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
