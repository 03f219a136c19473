// SPDX-License-Identifier: Apache-2.0
// Templates of row functions (broadcast.h). Each makes one static function from an expression:
//   ROW1(name, type of x, type of the result, set-up, expression in x)
//   ROW2(name, type of x and y, type of the result, set-up, expression in x and y)
//   ROW2_SLOW(...)  the same as one plain loop, for functions whose evaluation takes longer than the loop around it
//   ROW2_MIXED(name, type of x, type of y, ...)  one plain loop over inputs of different types
// The set-up is what comes before the loop: declarations that read `params`, or ROW_PLAIN when there are none. Read them into
// locals: the output may be of a character type, which the compiler must assume to overlap anything.
#ifndef KERNELS_ROWS_H
#define KERNELS_ROWS_H

#include "kernels/broadcast.h"

#define ROW_PLAIN (void)params;
#define ROW_PARAMS(type) const type p = *(const type *)params;

#define ROW1(name, type, out_type, set_up, expression)                                                   \
  static void name(const void *params, const void *const *in, const size_t *step, void *out, size_t n) { \
    const type *xs = in[0];                                                                              \
    out_type *rs = out;                                                                                  \
    set_up(void) step;                                                                                   \
    for (size_t i = 0; i < n; i++) {                                                                     \
      const type x = xs[i];                                                                              \
      rs[i] = (out_type)(expression);                                                                    \
    }                                                                                                    \
  }

#define ROW2_MIXED(name, type_x, type_y, out_type, set_up, expression)                                   \
  static void name(const void *params, const void *const *in, const size_t *step, void *out, size_t n) { \
    const type_x *xs = in[0];                                                                            \
    const type_y *ys = in[1];                                                                            \
    out_type *rs = out;                                                                                  \
    size_t step_x = step[0], step_y = step[1];                                                           \
    set_up for (; n > 0; n--, xs += step_x, ys += step_y) {                                              \
      const type_x x = *xs;                                                                              \
      const type_y y = *ys;                                                                              \
      *rs++ = (out_type)(expression);                                                                    \
    }                                                                                                    \
  }
#define ROW2_SLOW(name, type, out_type, set_up, expression) ROW2_MIXED(name, type, type, out_type, set_up, expression)

#if ARENITE_MICRO  // size matters more
#define ROW2 ROW2_SLOW
#else
#define ROW2(name, type, out_type, set_up, expression)                                                   \
  static void name(const void *params, const void *const *in, const size_t *step, void *out, size_t n) { \
    const type *xs = in[0], *ys = in[1];                                                                 \
    out_type *rs = out;                                                                                  \
    set_up if (step[0] && step[1]) {                                                                     \
      for (size_t i = 0; i < n; i++) {                                                                   \
        const type x = xs[i], y = ys[i];                                                                 \
        rs[i] = (out_type)(expression);                                                                  \
      }                                                                                                  \
    }                                                                                                    \
    else if (step[0]) {                                                                                  \
      const type y = ys[0];                                                                              \
      for (size_t i = 0; i < n; i++) {                                                                   \
        const type x = xs[i];                                                                            \
        rs[i] = (out_type)(expression);                                                                  \
      }                                                                                                  \
    }                                                                                                    \
    else {                                                                                               \
      const type x = xs[0];                                                                              \
      for (size_t i = 0; i < n; i++) {                                                                   \
        const type y = ys[i];                                                                            \
        rs[i] = (out_type)(expression);                                                                  \
      }                                                                                                  \
    }                                                                                                    \
  }
#endif

#endif
