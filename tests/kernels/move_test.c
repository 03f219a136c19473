// SPDX-License-Identifier: Apache-2.0
// kernels/move: random views of every element size against an element-by-element copy, with guard bytes around the target.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/move.h"

enum { ROOM = 1 << 17, GUARD = 32 };

static uint64_t move_seed = 20260803;
static uint32_t draw_below(uint32_t below) {
  move_seed = move_seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(move_seed >> 33) % below;
}

// A permutation of a shape, some of its steps reversed or repeated; *first is the source element of index 0, *used the source's
// elements.
static move_view random_view(size_t *first, size_t *used, bool dense_target) {
  int rank = (int)draw_below(6), perm[6];
  size_t size[6], product = 1;
  ptrdiff_t step[6];
  for (int i = 0; i < rank; i++) {
    size[i] = draw_below(10) ? 1 + draw_below(rank < 3 ? 60 : 7) : draw_below(2);
    perm[i] = i;
  }
  for (int i = rank - 1; i >= 0; i--) {
    step[i] = (ptrdiff_t)product;
    product *= size[i] ? size[i] : 1;
  }
  for (int i = rank - 1; i > 0; i--) {
    int j = (int)draw_below((uint32_t)i + 1), swap = perm[i];
    perm[i] = perm[j];
    perm[j] = swap;
  }
  move_view view = {0};
  *first = 0;
  *used = product;
  for (int i = 0; i < rank; i++) {
    ptrdiff_t from = step[perm[i]];
    uint32_t kind = draw_below(6);
    if (kind == 0 && size[perm[i]]) {
      *first += (size_t)from * (size[perm[i]] - 1);
      from = -from;
    } else if (kind == 1) {
      from = 0;
    }
    move_add(&view, size[perm[i]], from, 0);
  }
  ptrdiff_t to = 1;
  for (int i = rank - 1; i >= 0; i--) {
    view.to[i] = to;
    to *= (ptrdiff_t)(view.size[i] ? view.size[i] : 1);
    if (!dense_target && draw_below(4) == 0) to += (ptrdiff_t)draw_below(3);
  }
  return view;
}

static size_t target_span(const move_view *view) {
  size_t last = 0;
  for (int i = 0; i < view->rank; i++) last += view->size[i] ? (view->size[i] - 1) * (size_t)view->to[i] : 0;
  return last + 1;
}

static void copies_any_view(void **state) {
  (void)state;
  static const size_t element_sizes[] = {1, 2, 4, 8, 16, 3};
  uint8_t *source = malloc(ROOM), *expected = malloc(ROOM), *got = malloc(ROOM);
  for (int round = 0; round < 3000; round++) {
    size_t bytes = element_sizes[draw_below(6)], first, used;
    move_view view = random_view(&first, &used, round % 2 == 0);
    size_t span = target_span(&view), offset = draw_below(16);
    if ((used + 16) * bytes > ROOM || (span + 16) * bytes + 2 * GUARD > ROOM) continue;
    for (size_t i = 0; i < used * bytes; i++) source[offset + i] = (uint8_t)draw_below(256);
    memset(expected, 0xAB, span * bytes + 2 * GUARD);
    memset(got, 0xAB, span * bytes + 2 * GUARD);
    move_walk w;
    for (move_walk_begin(&w, &view); !w.done; move_walk_next(&w)) {
      memcpy(expected + GUARD + (size_t)w.to * bytes, source + offset + ((ptrdiff_t)first + w.from) * (ptrdiff_t)bytes, bytes);
    }
    move_copy(&view, bytes, source + offset + first * bytes, got + GUARD);
    if (memcmp(expected, got, span * bytes + 2 * GUARD)) fail_msg("round %d, %zu bytes, rank %d", round, bytes, view.rank);
  }
  free(source), free(expected), free(got);
}

static void walks_in_order(void **state) {
  (void)state;
  move_view view = {0};
  move_add(&view, 2, 10, 100);
  move_add(&view, 3, -1, 7);
  static const ptrdiff_t from[] = {0, -1, -2, 10, 9, 8}, to[] = {0, 7, 14, 100, 107, 114};
  move_walk w;
  int i = 0;
  for (move_walk_begin(&w, &view); !w.done; move_walk_next(&w), i++) {
    assert_true(i < 6);
    assert_true(w.from == from[i] && w.to == to[i]);
  }
  assert_int_equal(i, 6);
  view.size[1] = 0;
  move_walk_begin(&w, &view);
  assert_true(w.done);
  view.rank = 0;
  move_walk_begin(&w, &view);
  assert_false(w.done);
}

static void copies_nibbles(void **state) {
  (void)state;
  // The 2 x 3 matrix 1 2 3 / 4 5 6 transposed into nibbles 1.. of the target.
  const uint8_t source[] = {0x21, 0x43, 0x65};
  uint8_t target[] = {0xFF, 0xFF, 0xFF, 0xFF};
  move_view view = {0};
  move_add(&view, 3, 1, 2);
  move_add(&view, 2, 3, 1);
  move_copy_nibbles(&view, source, 0, target, 1);
  const uint8_t expected[] = {0x1F, 0x24, 0x35, 0xF6};
  assert_memory_equal(target, expected, 4);
}

static void fills(void **state) {
  (void)state;
  uint32_t target[5] = {9, 9, 9, 9, 9};
  const uint32_t value = 0x01020304;
  move_fill(target, 4, 3, &value);
  assert_true(target[0] == value && target[2] == value && target[3] == 9);
}

static void steps_of_a_shape(void **state) {
  (void)state;
  const int dims[] = {2, 3, 5};
  ptrdiff_t step[3];
  assert_int_equal(move_steps(3, dims, step), 30);
  assert_true(step[0] == 15 && step[1] == 5 && step[2] == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies_any_view), cmocka_unit_test(walks_in_order),
                                     cmocka_unit_test(copies_nibbles), cmocka_unit_test(fills),
                                     cmocka_unit_test(steps_of_a_shape)};
  return cmocka_run_group_tests_name("move", tests, NULL, NULL);
}
