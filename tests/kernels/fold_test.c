// SPDX-License-Identifier: Apache-2.0
// kernels/fold: windows over arrays that are dilated and padded in place, against arrays that are written out first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/fold.h"

static uint64_t seed = 27182818;
static int draw(int below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (unsigned)below);
}

enum { ROOM = 40000 };
static int32_t in[ROOM], wide[ROOM], out[ROOM], expected[ROOM];

// Row-major place of an index.
static int place_of(const int *index, const int *dims, int rank) {
  int at = 0;
  for (int i = 0; i < rank; i++) at = at * dims[i] + index[i];
  return at;
}
static bool count_up(int *index, const int *dims, int rank) {
  for (int i = rank - 1; i >= 0; i--) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}

static int32_t combine(fold_function f, int32_t a, int32_t b) {
  switch (f) {
    case FOLD_ADD: return a + b;
    case FOLD_MUL: return (int32_t)((uint32_t)a * (uint32_t)b);
    case FOLD_MIN: return a < b ? a : b;
    case FOLD_MAX: return a > b ? a : b;
    case FOLD_ALL: return a && b;
    default: return a || b;
  }
}

static void against_written_out_arrays(void **state) {
  (void)state;
  for (int round = 0; round < 3000; round++) {
    fold_shape shape = {.rank = 1 + draw(4)};
    int rank = shape.rank, dims[4], padded[4], outs[4], taps[4], index[4] = {0};
    size_t places = 1, results = 1;
    for (int i = 0; i < rank; i++) {
      fold_axis *a = &shape.axis[i];
      *a = (fold_axis){.in = 1 + draw(4),
                       .base = 1 + draw(3) / 2 * draw(3),
                       .low = draw(5) - 2,
                       .taps = 1 + draw(3),
                       .dilation = 1 + draw(2),
                       .stride = 1 + draw(3)};
      if (a->base < 1) a->base = 1;
      dims[i] = a->in;
      padded[i] = (a->in - 1) * a->base + 1 + (int)a->low + draw(5) - 2;
      if (padded[i] < 1) padded[i] = 1;
      int span = (a->taps - 1) * a->dilation + 1;
      a->out = outs[i] = padded[i] < span ? 0 : (padded[i] - span) / a->stride + 1;
      taps[i] = a->taps;
      places *= (size_t)padded[i], results *= (size_t)outs[i];
    }
    if (results == 0) continue;
    assert_true(places <= ROOM && results <= ROOM);
    fold_function function = (fold_function)(FOLD_ADD + draw(6));
    int32_t initial = draw(5) - 1;
    for (size_t i = 0; i < places; i++) wide[i] = initial;
    do {  // each element to its place, where that is inside
      int at[4];
      bool inside = true;
      for (int i = 0; i < rank; i++) {
        at[i] = index[i] * shape.axis[i].base + (int)shape.axis[i].low;
        inside = inside && at[i] >= 0 && at[i] < padded[i];
      }
      int32_t value = draw(7) - 3;
      in[place_of(index, dims, rank)] = value;
      if (inside) wide[place_of(at, padded, rank)] = value;
    } while (count_up(index, dims, rank));
    do {
      int tap[4] = {0}, at[4];
      int32_t sum = initial;
      do {
        for (int i = 0; i < rank; i++) at[i] = index[i] * shape.axis[i].stride + tap[i] * shape.axis[i].dilation;
        sum = combine(function, sum, wide[place_of(at, padded, rank)]);
      } while (count_up(tap, taps, rank));
      expected[place_of(index, outs, rank)] = sum;
    } while (count_up(index, outs, rank));
    fold_windows(&shape, fold_run_i32, function, sizeof *in, in, &initial, out);
    for (size_t i = 0; i < results; i++)
      if (out[i] != expected[i]) fail_msg("round %d: result %zu is %d, expected %d", round, i, (int)out[i], (int)expected[i]);
  }
}

#define RUN(name, type, ...)                                                                                \
  do {                                                                                                      \
    const type values[] = {__VA_ARGS__};                                                                    \
    type sum = 1, product = 2, least = 5, most = 5, all = 1, any = 0;                                       \
    size_t n = sizeof values / sizeof *values;                                                              \
    fold_run_##name(FOLD_ADD, values, 1, n, &sum);                                                          \
    fold_run_##name(FOLD_MUL, values, 1, n, &product);                                                      \
    fold_run_##name(FOLD_MIN, values, 1, n, &least);                                                        \
    fold_run_##name(FOLD_MAX, values, 1, n, &most);                                                         \
    fold_run_##name(FOLD_ALL, values, 1, n, &all);                                                          \
    fold_run_##name(FOLD_ANY, values, 2, n / 2, &any);                                                      \
    assert_true(sum == (type)13 && product == (type)96 && least == 2 && most == 6 && all == 1 && any == 1); \
  } while (0)

static void all_types(void **state) {
  (void)state;
  RUN(i8, int8_t, 6, 2, 4);
  RUN(u8, uint8_t, 6, 2, 4);
  RUN(i16, int16_t, 6, 2, 4);
  RUN(i32, int32_t, 6, 2, 4);
  RUN(i64, int64_t, 6, 2, 4);
  RUN(f32, float, 6, 2, 4);
  RUN(f64, double, 6, 2, 4);
  const int8_t large[] = {100, 100};
  int8_t wrapped = 0;
  fold_run_i8(FOLD_ADD, large, 1, 2, &wrapped);
  assert_int_equal(wrapped, -56);
  const int32_t huge[] = {INT32_MAX, INT32_MAX};
  int32_t sum = 3, product = 1;
  fold_run_i32(FOLD_ADD, huge, 1, 2, &sum);
  fold_run_i32(FOLD_MUL, huge, 1, 2, &product);
  assert_int_equal(sum, 1);
  assert_int_equal(product, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_written_out_arrays), cmocka_unit_test(all_types)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
