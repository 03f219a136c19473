// SPDX-License-Identifier: Apache-2.0
// Three-dimensional convolution in portable C.
#include "kernels/conv3d.h"

#include "kernels/dot.h"

enum { CONV3D_CHANNELS = 64 };  // of a tile: its sums are on the stack

// Adds what one tap gives to a tile of output channels; w: the tap's weights of the tile's first channel, [in_c, out_c].
static void conv3d_tap(const float *pixel, const float *w, size_t in_c, size_t out_c, size_t count, float *sums) {
  for (size_t k = 0; k < in_c; k++, w += out_c) {
    float v = pixel[k];
    for (size_t i = 0; i < count; i++) sums[i] += v * w[i];
  }
}

void conv3d_f32(const conv3d_shape *s, const conv_f32_args *a, int64_t row0, int64_t row1) {
  size_t in_c = (size_t)s->in_c, out_c = (size_t)s->out_c, line = (size_t)s->x.in * in_c, plane = (size_t)s->y.in * line;
  for (int64_t row = row0; row < row1; row++) {
    int64_t slice = row / s->y.out;
    window_taps y = window_taps_at(&s->y, (int)(row % s->y.out)), z = window_taps_at(&s->z, (int)(slice % s->z.out));
    const float *image = a->input + (size_t)(slice / s->z.out) * (size_t)s->z.in * plane;
    float *out = a->output + (size_t)row * (size_t)s->x.out * out_c;
    for (int i = 0; i < s->x.out; i++, out += out_c) {
      window_taps x = window_taps_at(&s->x, i);
      size_t count;
      for (size_t c = 0; c < out_c; c += count) {
        float sums[CONV3D_CHANNELS] = {0};
        count = out_c - c < CONV3D_CHANNELS ? out_c - c : CONV3D_CHANNELS;
        for (int kz = z.first; kz < z.last; kz++) {
          for (int ky = y.first; ky < y.last; ky++) {
            const float *in =
                image + (size_t)(z.origin + kz * s->z.dilation) * plane + (size_t)(y.origin + ky * s->y.dilation) * line;
            const float *w = a->filter + ((size_t)kz * (size_t)s->y.taps + (size_t)ky) * (size_t)s->x.taps * in_c * out_c + c;
            for (int kx = x.first; kx < x.last; kx++)
              conv3d_tap(in + (size_t)(x.origin + kx * s->x.dilation) * in_c, w + (size_t)kx * in_c * out_c, in_c, out_c, count,
                         sums);
          }
        }
        for (size_t k = 0; k < count; k++)
          out[c + k] = requant_clamp_f32(sums[k] + (a->bias ? a->bias[c + k] : 0.0f), a->low, a->high);
      }
    }
  }
}

// The input pixel from which tap k leads to output position `at` (padding included), or -1.
static int conv3d_source(const window_axis *axis, int at, int k) {
  int from = at - k * axis->dilation;
  return from >= 0 && from % axis->stride == 0 && from / axis->stride < axis->out ? from / axis->stride : -1;
}

// What one tap gives to a block of output channels, over all taps of a row of the filter.
static void conv3d_transposed_line(const conv3d_shape *s, const float *line, const float *w, int at, size_t out_c, int rows,
                         dot_f32_sums *sums) {
  size_t in_c = (size_t)s->in_c;
  for (int kx = 0; kx < s->x.taps; kx++) {
    int x = conv3d_source(&s->x, at, kx);
    if (x >= 0) dot_f32(line + (size_t)x * in_c, w + (size_t)kx * out_c * in_c, in_c, in_c, rows, sums);
  }
}

void conv3d_transposed_f32(const conv3d_shape *s, const conv_f32_args *a, int64_t row0, int64_t row1) {
  size_t in_c = (size_t)s->in_c, out_c = (size_t)s->out_c, line = (size_t)s->x.out * in_c, plane = (size_t)s->y.out * line;
  size_t filter_line = (size_t)s->x.taps * out_c * in_c;
  for (int64_t row = row0; row < row1; row++) {
    int64_t slice = row / s->y.in;
    int at_y = (int)(row % s->y.in) + s->y.pad, at_z = (int)(slice % s->z.in) + s->z.pad;
    const float *image = a->input + (size_t)(slice / s->z.in) * (size_t)s->z.out * plane;
    float *out = a->output + (size_t)row * (size_t)s->x.in * out_c;
    for (int i = 0; i < s->x.in; i++, out += out_c) {
      int rows;
      for (int c = 0; c < s->out_c; c += rows) {
        dot_f32_sums sums;
        memset(&sums, 0, sizeof sums);
        rows = s->out_c - c < DOT_ROWS ? s->out_c - c : DOT_ROWS;
        for (int kz = 0; kz < s->z.taps; kz++) {
          int z = conv3d_source(&s->z, at_z, kz);
          for (int ky = 0; z >= 0 && ky < s->y.taps; ky++) {
            int y = conv3d_source(&s->y, at_y, ky);
            const float *w = a->filter + ((size_t)kz * (size_t)s->y.taps + (size_t)ky) * filter_line + (size_t)c * in_c;
            if (y >= 0) conv3d_transposed_line(s, image + (size_t)z * plane + (size_t)y * line, w, i + s->x.pad, out_c, rows, &sums);
          }
        }
        for (int r = 0; r < rows; r++)
          out[c + r] = requant_clamp_f32(dot_f32_fold(&sums, r) + (a->bias ? a->bias[c + r] : 0.0f), a->low, a->high);
      }
    }
  }
}
