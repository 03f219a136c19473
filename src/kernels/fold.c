// SPDX-License-Identifier: Apache-2.0
#include "kernels/fold.h"

#include <string.h>

// `wide` does the arithmetic: unsigned where integers wrap.
#define FOLD_RUN(name, type, wide)                                                                           \
  void fold_run_##name(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated) { \
    const type *p = x;                                                                                       \
    type a = *(type *)accumulated;                                                                           \
    switch (function) {                                                                                      \
      case FOLD_ADD:                                                                                         \
        for (; n > 0; n--, p += step) a = (type)((wide)a + (wide)*p);                                        \
        break;                                                                                               \
      case FOLD_MUL:                                                                                         \
        for (; n > 0; n--, p += step) a = (type)((wide)a * (wide)*p);                                        \
        break;                                                                                               \
      case FOLD_MIN:                                                                                         \
        for (; n > 0; n--, p += step) a = a <= *p ? a : *p;                                                  \
        break;                                                                                               \
      case FOLD_MAX:                                                                                         \
        for (; n > 0; n--, p += step) a = a >= *p ? a : *p;                                                  \
        break;                                                                                               \
      case FOLD_ALL:                                                                                         \
        for (; n > 0; n--, p += step) a = (type)(a != 0 && *p != 0);                                         \
        break;                                                                                               \
      case FOLD_ANY:                                                                                         \
        for (; n > 0; n--, p += step) a = (type)(a != 0 || *p != 0);                                         \
        break;                                                                                               \
    }                                                                                                        \
    *(type *)accumulated = a;                                                                                \
  }
FOLD_RUN(i8, int8_t, uint32_t)
FOLD_RUN(u8, uint8_t, uint32_t)
FOLD_RUN(i16, int16_t, uint32_t)
FOLD_RUN(i32, int32_t, uint32_t)
FOLD_RUN(i64, int64_t, uint64_t)
FOLD_RUN(f32, float, float)
FOLD_RUN(f64, double, double)

// The element at a place of an axis; -1: there is none.
static int64_t fold_element(const fold_axis *axis, int64_t place) {
  place -= axis->low;
  if (place < 0 || place % axis->base != 0) return -1;
  place /= axis->base;
  return place < axis->in ? place : -1;
}

typedef struct fold_work {
  const fold_shape *shape;
  fold_run run;
  fold_function function;
  size_t element_size;
  const uint8_t *initial;
  int out[FOLD_MAX_RANK], tap[FOLD_MAX_RANK];  // where the output and the window's row are
} fold_work;

// Counts up the first n of the counters; false once all have been counted through, and are 0 again.
static bool fold_next(int *counter, int n, const fold_shape *shape, bool out) {
  for (int i = n - 1; i >= 0; i--) {
    if (++counter[i] < (out ? shape->axis[i].out : shape->axis[i].taps)) return true;
    counter[i] = 0;
  }
  return false;
}

// The row of the window's last axis that begins at `place`, of elements from `row` on.
static void fold_row(const fold_work *w, const uint8_t *row, int64_t place, void *out) {
  const fold_axis *axis = &w->shape->axis[w->shape->rank - 1];
  for (int tap = 0; tap < axis->taps;) {
    int64_t element = fold_element(axis, place + (int64_t)tap * axis->dilation);
    int n = 1;
    if (element >= 0 && axis->base == 1) {  // those behind are there too, up to the last
      int64_t there = (axis->in - 1 - element) / axis->dilation + 1;
      n = there < axis->taps - tap ? (int)there : axis->taps - tap;
    }
    w->run(w->function, element < 0 ? w->initial : row + (size_t)element * w->element_size, axis->dilation, (size_t)n, out);
    tap += n;
  }
}

// Where the elements of the window's current row begin, counted in elements; -1: it is not there.
static int64_t fold_row_start(const fold_work *w) {
  int64_t start = 0;
  for (int i = 0; i < w->shape->rank - 1; i++) {
    const fold_axis *axis = &w->shape->axis[i];
    int64_t element = fold_element(axis, (int64_t)w->out[i] * axis->stride + (int64_t)w->tap[i] * axis->dilation);
    if (element < 0) return -1;
    start = (start + element) * w->shape->axis[i + 1].in;
  }
  return start;
}

void fold_windows(const fold_shape *shape, fold_run run, fold_function function, size_t element_size, const void *in,
                  const void *initial, void *out) {
  fold_work w = {.shape = shape, .run = run, .function = function, .element_size = element_size, .initial = initial};
  const fold_axis *last = &shape->axis[shape->rank - 1];
  uint8_t *to = out;
  do {
    memcpy(to, initial, element_size);
    do {
      int64_t start = fold_row_start(&w);
      if (start < 0)
        run(function, initial, 0, (size_t)last->taps, to);
      else
        fold_row(&w, (const uint8_t *)in + (size_t)start * element_size, (int64_t)w.out[shape->rank - 1] * last->stride, to);
    } while (fold_next(w.tap, shape->rank - 1, shape, false));
    to += element_size;
  } while (fold_next(w.out, shape->rank, shape, true));
}
