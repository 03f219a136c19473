// SPDX-License-Identifier: Apache-2.0
// Reductions of windows of any rank: each output is an initial value, then folded with the elements of a window, first to last.
// The array may be dilated (elements that are not there between its own) and padded or cropped at its edges; whatever is not
// there counts as the initial value. Source of the rule: TFLite stablehlo_reduce_window.cc.
#ifndef KERNELS_FOLD_H
#define KERNELS_FOLD_H

#include "base/compiler.h"

enum { FOLD_MAX_RANK = 6 };
typedef enum fold_function { FOLD_ADD = 1, FOLD_MUL, FOLD_MIN, FOLD_MAX, FOLD_ALL, FOLD_ANY } fold_function;

typedef struct fold_axis {
  int in, base;        // elements, and places from one to the next
  int64_t low;         // places in front of the first element; negative: cropped
  int taps, dilation;  // of the window, over places
  int stride, out;
} fold_axis;
typedef struct fold_shape {
  int rank;
  fold_axis axis[FOLD_MAX_RANK];
} fold_shape;

// accumulated = function(accumulated, x[i * step]) for i = 0 .. n - 1. Integers wrap.
typedef void (*fold_run)(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_i8(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_u8(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_i16(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_i32(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_i64(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_f32(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);
void fold_run_f64(fold_function function, const void *x, ptrdiff_t step, size_t n, void *accumulated);

void fold_windows(const fold_shape *shape, fold_run run, fold_function function, size_t element_size, const void *in,
                  const void *initial, void *out);

#endif
