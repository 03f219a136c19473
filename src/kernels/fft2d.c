// SPDX-License-Identifier: Apache-2.0
// Two-dimensional transforms: complex ones of power-of-two length in place (bit reversal, then radix 2), real rows packed as
// complex ones of half the length.
#include "kernels/fft2d.h"

#include <math.h>
#include <string.h>

#define FFT2D_PI 3.14159265358979323846

// `count` transforms at once: element i of transform v is the complex number at x[2 * (i * step + v * between)].
typedef struct fft2d_batch {
  float *x;
  size_t n, step, count, between;
} fft2d_batch;

static void fft2d_reverse(const fft2d_batch *t) {
  for (size_t i = 0, j = 0; i < t->n; i++) {
    for (size_t v = 0; i < j && v < t->count; v++) {
      float *a = t->x + 2 * (i * t->step + v * t->between), *b = t->x + 2 * (j * t->step + v * t->between);
      float re = a[0], im = a[1];
      a[0] = b[0], a[1] = b[1];
      b[0] = re, b[1] = im;
    }
    size_t bit = t->n >> 1;  // adds one to j, highest bit first
    for (; bit && (j & bit); bit >>= 1) j ^= bit;
    j |= bit;
  }
}

static void fft2d_complex(const fft2d_batch *t, double turn) {
  fft2d_reverse(t);
  for (size_t half = 1; half < t->n; half *= 2) {
    for (size_t k = 0; k < half; k++) {
      double phase = turn * FFT2D_PI * (double)k / (double)half;
      float c = (float)cos(phase), s = (float)sin(phase);
      for (size_t i = k; i < t->n; i += 2 * half) {
        float *a = t->x + 2 * i * t->step, *b = a + 2 * half * t->step;
        for (size_t v = 0; v < t->count; v++, a += 2 * t->between, b += 2 * t->between) {
          float re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
          b[0] = a[0] - re, b[1] = a[1] - im;
          a[0] += re, a[1] += im;
        }
      }
    }
  }
}

// Spectra of real rows of w values, from those of the rows as w / 2 complex numbers: even and odd values' spectra are put apart.
static void fft2d_unpack(float *rows, size_t count, size_t stride, size_t w) {
  size_t n = w / 2;
  for (size_t k = 1; k <= n / 2; k++) {
    double phase = -FFT2D_PI * (double)k / (double)n;
    float c = (float)cos(phase), s = (float)sin(phase);
    for (size_t r = 0; r < count; r++) {
      float *a = rows + r * stride + 2 * k, *b = rows + r * stride + 2 * (n - k);
      float even_re = (a[0] + b[0]) / 2, even_im = (a[1] - b[1]) / 2, odd_re = (a[1] + b[1]) / 2, odd_im = (b[0] - a[0]) / 2;
      float re = odd_re * c - odd_im * s, im = odd_re * s + odd_im * c;
      a[0] = even_re + re, a[1] = even_im + im;
      if (b != a) b[0] = even_re - re, b[1] = im - even_im;
    }
  }
  for (size_t r = 0; r < count; r++) {
    float *first = rows + r * stride, *last = first + 2 * n, sum = first[0] + first[1], difference = first[0] - first[1];
    first[0] = sum, first[1] = 0;
    last[0] = difference, last[1] = 0;
  }
}

// The reverse, of rows whose first complex number holds the two real ends of the spectrum; twice as large.
static void fft2d_pack(float *rows, size_t count, size_t stride, size_t w) {
  size_t n = w / 2;
  for (size_t k = 1; k <= n / 2; k++) {
    double phase = FFT2D_PI * (double)k / (double)n;
    float c = (float)cos(phase), s = (float)sin(phase);
    for (size_t r = 0; r < count; r++) {
      float *a = rows + r * stride + 2 * k, *b = rows + r * stride + 2 * (n - k);
      float even_re = a[0] + b[0], even_im = a[1] - b[1], difference_re = a[0] - b[0], difference_im = a[1] + b[1];
      float odd_re = difference_re * c - difference_im * s, odd_im = difference_re * s + difference_im * c;
      a[0] = even_re - odd_im, a[1] = even_im + odd_re;
      if (b != a) b[0] = even_re + odd_im, b[1] = odd_re - even_im;
    }
  }
  for (size_t r = 0; r < count; r++) {
    float *first = rows + r * stride, sum = first[0] + first[1], difference = first[0] - first[1];
    first[0] = sum, first[1] = difference;
  }
}

static size_t fft2d_min(size_t a, size_t b) { return a < b ? a : b; }

void fft2d_real(const float *in, size_t slices, size_t in_h, size_t in_w, size_t h, size_t w, float *out) {
  size_t row = 2 * (w / 2 + 1), rows = fft2d_min(in_h, h), taken = fft2d_min(in_w, w);
  for (size_t s = 0; s < slices; s++) {
    for (size_t y = 0; y < h; y++) {
      float *o = out + (s * h + y) * row;
      memset(o, 0, row * sizeof *o);
      if (y < rows) memcpy(o, in + (s * in_h + y) * in_w, taken * sizeof *o);
    }
  }
  if (w > 1) {
    fft2d_complex(&(fft2d_batch){out, w / 2, 1, slices * h, row / 2}, -1);
    fft2d_unpack(out, slices * h, row, w);
  }
  for (size_t s = 0; s < slices; s++) fft2d_complex(&(fft2d_batch){out + s * h * row, h, row / 2, row / 2, 1}, -1);
}

// A complex number of a slice's spectrum; zero beyond it.
static void fft2d_read(const float *slice, size_t in_h, size_t in_w, size_t y, size_t x, float *re, float *im) {
  bool inside = y < in_h && x < in_w;
  *re = inside ? slice[2 * (y * in_w + x)] : 0;
  *im = inside ? slice[2 * (y * in_w + x) + 1] : 0;
}

// The first and the last column are spectra of real columns: one complex column holds both, first + i * last.
static void fft2d_join_ends(const float *slice, size_t in_h, size_t in_w, size_t h, size_t w, size_t y, float *joined) {
  float first_re, first_im, last_re, last_im;
  size_t mirrored = (h - y) % h;
  bool self = mirrored == y, upper = y < mirrored;
  fft2d_read(slice, in_h, in_w, self || upper ? y : mirrored, 0, &first_re, &first_im);
  fft2d_read(slice, in_h, in_w, self || !upper ? y : mirrored, w / 2, &last_re, &last_im);
  if (self) first_im = last_im = 0;
  if (!self && !upper) first_im = -first_im;
  if (!self && upper) last_im = -last_im;
  joined[0] = first_re - last_im;
  joined[1] = first_im + last_re;
}

void fft2d_real_inverse(const float *in, size_t slices, size_t in_h, size_t in_w, size_t h, size_t w, float *out) {
  for (size_t s = 0; s < slices; s++) {
    const float *slice = in + 2 * s * in_h * in_w;
    for (size_t y = 0; y < h; y++) {
      float *row = out + (s * h + y) * w;
      fft2d_join_ends(slice, in_h, in_w, h, w, y, row);
      for (size_t x = 1; x < w / 2; x++) fft2d_read(slice, in_h, in_w, y, x, &row[2 * x], &row[2 * x + 1]);
    }
    fft2d_complex(&(fft2d_batch){out + s * h * w, h, w / 2, w / 2, 1}, 1);
  }
  fft2d_pack(out, slices * h, w, w);
  fft2d_complex(&(fft2d_batch){out, w / 2, 1, slices * h, w / 2}, 1);
  float scale = 1.0f / ((float)h * (float)w);
  for (size_t i = 0; i < slices * h * w; i++) out[i] *= scale;
}
