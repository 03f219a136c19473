// SPDX-License-Identifier: Apache-2.0
// Max pooling with positions in portable C.
#include "kernels/unpool.h"

#include <float.h>
#include <string.h>

#include "kernels/requant.h"

void unpool_max_f32(const pool_shape *s, const float *input, float *output, float *taps, int32_t *pixels, float low, float high,
                    int row0, int row1) {
  size_t channels = (size_t)s->channels, line = (size_t)s->x.in * channels;
  for (int row = row0; row < row1; row++) {
    window_taps y = window_taps_at(&s->y, row % s->y.out);
    const float *image = input + (size_t)(row / s->y.out) * (size_t)s->y.in * line;
    size_t out = (size_t)row * (size_t)s->x.out * channels;
    for (int i = 0; i < s->x.out; i++) {
      window_taps x = window_taps_at(&s->x, i);
      for (size_t c = 0; c < channels; c++, out++) {
        float top = -FLT_MAX;
        int best_y = -y.origin, best_x = -x.origin;  // pixel 0, where nothing is larger
        bool found = false;
        for (int ky = y.first; ky < y.last; ky++) {
          for (int kx = x.first; kx < x.last; kx++) {
            float v = image[(size_t)(y.origin + ky) * line + (size_t)(x.origin + kx) * channels + c];
            if (v > top) {
              top = v;
              best_y = ky;
              best_x = kx;
              found = true;
            }
          }
        }
        output[out] = requant_clamp_f32(top, low, high);
        if (taps) taps[out] = found ? (float)(best_y * s->x.taps + best_x) + 0.1f : 0.1f;
        if (pixels) pixels[out] = (int32_t)((size_t)(y.origin + best_y) * line + (size_t)(x.origin + best_x) * channels + c);
      }
    }
  }
}

void unpool_taps_f32(const pool_shape *s, const float *input, const float *taps, float *output) {
  size_t channels = (size_t)s->channels, line = (size_t)s->x.in * channels;
  float limit = (float)s->y.taps * (float)s->x.taps;
  memset(output, 0, (size_t)s->batches * (size_t)s->y.in * line * sizeof *output);
  for (int row = 0; row < s->batches * s->y.out; row++) {
    float *image = output + (size_t)(row / s->y.out) * (size_t)s->y.in * line;
    int top = row % s->y.out * s->y.stride - s->y.pad;
    for (int i = 0; i < s->x.out; i++) {
      int left = i * s->x.stride - s->x.pad;
      for (size_t c = 0; c < channels; c++, input++, taps++) {
        if (!(*taps >= 0 && *taps < limit)) continue;
        int tap = (int)*taps, y = top + tap / s->x.taps, x = left + tap % s->x.taps;
        if (y >= 0 && y < s->y.in && x >= 0 && x < s->x.in) image[(size_t)y * line + (size_t)x * channels + c] = *input;
      }
    }
  }
}

bool unpool_pixels_f32(const pool_shape *s, const float *input, const int32_t *pixels, float *output) {
  size_t from = (size_t)s->y.out * (size_t)s->x.out * (size_t)s->channels,
         to = (size_t)s->y.in * (size_t)s->x.in * (size_t)s->channels;
  memset(output, 0, (size_t)s->batches * to * sizeof *output);
  for (int b = 0; b < s->batches; b++, output += to) {
    for (size_t i = 0; i < from; i++, input++, pixels++) {
      if (*pixels < 0 || (size_t)*pixels >= to) return false;
      output[*pixels] = *input;
    }
  }
  return true;
}
