// SPDX-License-Identifier: Apache-2.0
// Resizing of images in portable C. Columns are done in tiles: where a tile's columns come from is worked out once, in a small
// table on the stack, and used for every row.
#include "kernels/resize.h"

#include <math.h>
#include <string.h>

enum { RESIZE_TILE = 32 };

static inline int resize_min(int a, int b) { return a < b ? a : b; }

// Between which two input pixels an output pixel lies along one axis, and how far past the first.
typedef struct resize_tap {
  int low, high;
  float part;      // float and uint8 images
  int fixed_part;  // int8 and int16 images: in 1/1024
} resize_tap;

// How output positions become input positions along one axis.
typedef struct resize_axis {
  int in;
  bool half_pixel_centers;
  float step;
  int64_t fixed_step;  // in 1/1024
} resize_axis;

static resize_axis resize_axis_of(const resize_shape *s, int in, int out) {
  int from = in, to = out;
  if (s->align_corners && out > 1) {
    from--;
    to--;
  }
  return (resize_axis){in, s->half_pixel_centers, (float)from / (float)to, (INT64_C(1024) * from + to / 2) / to};
}

// Source of the rule: TFLite reference, ComputeInterpolationValues. With half_pixel_centers the position may be negative: both
// taps are pixel 0 then, and the parts cancel.
static resize_tap resize_float_tap(const resize_axis *axis, int at) {
  float position = axis->half_pixel_centers ? ((float)at + 0.5f) * axis->step - 0.5f : (float)at * axis->step;
  int low = (int)floorf(position), high = (int)ceilf(position), last = axis->in - 1;
  if (low < 0) low = 0;
  if (low > last) return (resize_tap){.low = last, .high = last};  // float rounding on huge images only
  return (resize_tap){.low = low, .high = resize_min(high, last), .part = position - (float)low};
}

// Source of the rule: TFLite reference, ComputeInterpolationValuesInteger. The step is rounded, so that far columns of long rows
// may come out behind the last pixel, where the reference reads past the end: here they are the last pixel.
static resize_tap resize_fixed_tap(const resize_axis *axis, int at) {
  int64_t position = at * axis->fixed_step + (axis->half_pixel_centers ? axis->fixed_step / 2 - 512 : 0);
  int64_t low = position / 1024, high = (position + 1023) / 1024, last = axis->in - 1;
  if (low < 0) low = 0;
  if (low > last) return (resize_tap){.low = (int)last, .high = (int)last};
  return (resize_tap){.low = (int)low, .high = (int)(high < last ? high : last), .fixed_part = (int)(position - low * 1024)};
}

// A stretch of one output row: `columns` pixels from two input rows.
typedef void resize_stretch(const void *top, const void *bottom, const resize_tap *y, const resize_tap *x, int columns,
                            size_t depth, void *out);

static void resize_bilinear(const resize_shape *s, const void *input, void *output, size_t element, bool fixed,
                            resize_stretch *stretch, int row0, int row1) {
  resize_tap x[RESIZE_TILE];
  resize_axis across = resize_axis_of(s, s->in_w, s->out_w), down = resize_axis_of(s, s->in_h, s->out_h);
  size_t pixel = (size_t)s->depth * element, in_row = (size_t)s->in_w * pixel, out_row = (size_t)s->out_w * pixel;
  for (int x0 = 0; x0 < s->out_w; x0 += RESIZE_TILE) {
    int columns = resize_min(RESIZE_TILE, s->out_w - x0);
    for (int i = 0; i < columns; i++) x[i] = fixed ? resize_fixed_tap(&across, x0 + i) : resize_float_tap(&across, x0 + i);
    for (int row = row0; row < row1; row++) {
      int at = row % s->out_h;
      resize_tap y = fixed ? resize_fixed_tap(&down, at) : resize_float_tap(&down, at);
      const uint8_t *image = (const uint8_t *)input + (size_t)(row / s->out_h) * (size_t)s->in_h * in_row;
      uint8_t *out = (uint8_t *)output + (size_t)row * out_row + (size_t)x0 * pixel;
      stretch(image + (size_t)y.low * in_row, image + (size_t)y.high * in_row, &y, x, columns, (size_t)s->depth, out);
    }
  }
}

// The sum is ordered as the reference orders it: uint8 results are truncated, so that its last bit counts.
#define RESIZE_STRETCH_FLOAT(suffix, type, rounding)                                                                        \
  static void resize_stretch_##suffix(const void *top, const void *bottom, const resize_tap *y, const resize_tap *x,        \
                                      int columns, size_t depth, void *output) {                                            \
    type *out = output;                                                                                                     \
    float part_y = y->part, rest_y = 1.0f - part_y;                                                                         \
    for (int i = 0; i < columns; i++, out += depth) {                                                                       \
      const type *a = (const type *)top + (size_t)x[i].low * depth, *b = (const type *)bottom + (size_t)x[i].low * depth;   \
      const type *c = (const type *)top + (size_t)x[i].high * depth, *d = (const type *)bottom + (size_t)x[i].high * depth; \
      float part_x = x[i].part, rest_x = 1.0f - part_x;                                                                     \
      for (size_t k = 0; k < depth; k++) {                                                                                  \
        float sum = (float)a[k] * rest_y * rest_x + (float)b[k] * part_y * rest_x;                                          \
        sum += (float)c[k] * rest_y * part_x;                                                                               \
        sum += (float)d[k] * part_y * part_x;                                                                               \
        out[k] = (type)(sum + (rounding));                                                                                  \
      }                                                                                                                     \
    }                                                                                                                       \
  }
RESIZE_STRETCH_FLOAT(f32, float, 0.0f)
RESIZE_STRETCH_FLOAT(u8, uint8_t, 0.5f)

// Rounds to nearest, ties away from zero. The weights' magnitudes sum to at most 2^22, so that int8 sums fit 32 bits.
#define RESIZE_STRETCH_FIXED(suffix, type, wide)                                                                            \
  static void resize_stretch_##suffix(const void *top, const void *bottom, const resize_tap *y, const resize_tap *x,        \
                                      int columns, size_t depth, void *output) {                                            \
    type *out = output;                                                                                                     \
    int part_y = y->fixed_part, rest_y = 1024 - part_y;                                                                     \
    for (int i = 0; i < columns; i++, out += depth) {                                                                       \
      const type *a = (const type *)top + (size_t)x[i].low * depth, *b = (const type *)bottom + (size_t)x[i].low * depth;   \
      const type *c = (const type *)top + (size_t)x[i].high * depth, *d = (const type *)bottom + (size_t)x[i].high * depth; \
      int part_x = x[i].fixed_part, rest_x = 1024 - part_x;                                                                 \
      wide wa = rest_y * rest_x, wb = part_y * rest_x, wc = rest_y * part_x, wd = part_y * part_x;                          \
      for (size_t k = 0; k < depth; k++) {                                                                                  \
        wide sum = a[k] * wa + b[k] * wb + c[k] * wc + d[k] * wd;                                                           \
        out[k] = (type)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));                                              \
      }                                                                                                                     \
    }                                                                                                                       \
  }
RESIZE_STRETCH_FIXED(s8, int8_t, int32_t)
RESIZE_STRETCH_FIXED(s16, int16_t, int64_t)

void resize_bilinear_f32(const resize_shape *s, const float *input, float *output, int row0, int row1) {
  resize_bilinear(s, input, output, sizeof *input, false, resize_stretch_f32, row0, row1);
}
void resize_bilinear_u8(const resize_shape *s, const uint8_t *input, uint8_t *output, int row0, int row1) {
  resize_bilinear(s, input, output, sizeof *input, false, resize_stretch_u8, row0, row1);
}
void resize_bilinear_s8(const resize_shape *s, const int8_t *input, int8_t *output, int row0, int row1) {
  resize_bilinear(s, input, output, sizeof *input, true, resize_stretch_s8, row0, row1);
}
void resize_bilinear_s16(const resize_shape *s, const int16_t *input, int16_t *output, int row0, int row1) {
  resize_bilinear(s, input, output, sizeof *input, true, resize_stretch_s16, row0, row1);
}

// ---- Nearest neighbour. ----

// Source of the rule: TFLite reference, GetNearestNeighbor; all of it in float, rounding half away from zero.
static int resize_nearest_pixel(const resize_axis *axis, int at, bool align_corners) {
  float position = ((float)at + (axis->half_pixel_centers ? 0.5f : 0.0f)) * axis->step;
  return resize_min((int)(align_corners ? roundf(position) : floorf(position)), axis->in - 1);
}

// Copies pixels of a fixed size, so that the compiler makes single moves of them.
#define RESIZE_COPY_PIXELS(size)                                                                                 \
  case size:                                                                                                     \
    for (int x = 0; x < columns; x++) memcpy(out + (size_t)x * (size), in + (size_t)pixels[x] * (size), (size)); \
    return
static void resize_copy_pixels(const uint8_t *in, const int *pixels, int columns, size_t size, uint8_t *out) {
  switch (size) {
    RESIZE_COPY_PIXELS(1);
    RESIZE_COPY_PIXELS(2);
    RESIZE_COPY_PIXELS(3);
    RESIZE_COPY_PIXELS(4);
    RESIZE_COPY_PIXELS(8);
    RESIZE_COPY_PIXELS(12);
    RESIZE_COPY_PIXELS(16);
    RESIZE_COPY_PIXELS(32);
    default: break;
  }
  for (int x = 0; x < columns; x++) memcpy(out + (size_t)x * size, in + (size_t)pixels[x] * size, size);
}

void resize_nearest(const resize_shape *s, const void *input, void *output, size_t element, int row0, int row1) {
  int pixels[RESIZE_TILE];
  resize_axis across = resize_axis_of(s, s->in_w, s->out_w), down = resize_axis_of(s, s->in_h, s->out_h);
  size_t size = (size_t)s->depth * element, in_row = (size_t)s->in_w * size, out_row = (size_t)s->out_w * size;
  for (int x0 = 0; x0 < s->out_w; x0 += RESIZE_TILE) {
    int columns = resize_min(RESIZE_TILE, s->out_w - x0), previous = -1;
    for (int i = 0; i < columns; i++) pixels[i] = resize_nearest_pixel(&across, x0 + i, s->align_corners);
    for (int row = row0; row < row1; row++) {
      int y = row / s->out_h * s->in_h + resize_nearest_pixel(&down, row % s->out_h, s->align_corners);
      uint8_t *out = (uint8_t *)output + (size_t)row * out_row + (size_t)x0 * size;
      if (y == previous)  // the row above came from the same input row
        memcpy(out, out - out_row, (size_t)columns * size);
      else
        resize_copy_pixels((const uint8_t *)input + (size_t)y * in_row, pixels, columns, size, out);
      previous = y;
    }
  }
}
