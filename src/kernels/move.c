// SPDX-License-Identifier: Apache-2.0
// Strided copies: the view is simplified first (steps that continue each other merge, contiguous runs become one bigger element),
// then a loop nest runs over what is left, by squares where source and target run along different dimensions.
#include "kernels/move.h"

#include <string.h>

enum { MOVE_SQUARE = 16 };  // a square of 16 x 16 elements touches 16 cache lines on either side

size_t move_steps(int rank, const int *dims, ptrdiff_t *step) {
  size_t product = 1;
  for (int i = rank - 1; i >= 0; i--) {
    step[i] = (ptrdiff_t)product;
    product *= (size_t)dims[i];
  }
  return product;
}

// Drops dimensions of size 1 and merges neighbours that one step serves. False when the view is empty.
static bool move_simplify(move_view *v, const move_view *view) {
  v->rank = 0;
  for (int i = 0; i < view->rank; i++) {
    if (view->size[i] == 0) return false;
    if (view->size[i] == 1) continue;
    int last = v->rank - 1;
    if (last >= 0 && v->from[last] == view->from[i] * (ptrdiff_t)view->size[i] &&
        v->to[last] == view->to[i] * (ptrdiff_t)view->size[i]) {
      v->size[last] *= view->size[i];
      v->from[last] = view->from[i];
      v->to[last] = view->to[i];
    } else {
      move_add(v, view->size[i], view->from[i], view->to[i]);
    }
  }
  return true;
}

// outer x inner elements; steps in bytes. Called with a constant `bytes`, so that the copy is one load and one store.
static inline void move_plane(size_t bytes, size_t outer, ptrdiff_t outer_from, ptrdiff_t outer_to, size_t inner,
                              ptrdiff_t inner_from, ptrdiff_t inner_to, const uint8_t *source, uint8_t *target) {
  for (size_t o = 0; o < outer; o++) {
    const uint8_t *s = source + (ptrdiff_t)o * outer_from;
    uint8_t *t = target + (ptrdiff_t)o * outer_to;
    for (size_t i = 0; i < inner; i++) memcpy(t + (ptrdiff_t)i * inner_to, s + (ptrdiff_t)i * inner_from, bytes);
  }
}

static void move_plane_any(size_t bytes, size_t outer, ptrdiff_t outer_from, ptrdiff_t outer_to, size_t inner,
                           ptrdiff_t inner_from, ptrdiff_t inner_to, const uint8_t *source, uint8_t *target) {
  switch (bytes) {
    case 1: move_plane(1, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
    case 2: move_plane(2, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
    case 4: move_plane(4, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
    case 8: move_plane(8, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
    case 16: move_plane(16, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
    default: move_plane(bytes, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target); break;
  }
}

// The plane of the view's last two dimensions (one when rank is 1), by squares when it is a transposition. Steps in bytes.
static void move_inner(const move_view *v, size_t bytes, const uint8_t *source, uint8_t *target) {
  int last = v->rank - 1;
  size_t outer = last ? v->size[last - 1] : 1, inner = v->size[last];
  ptrdiff_t outer_from = last ? v->from[last - 1] : 0, outer_to = last ? v->to[last - 1] : 0;
  ptrdiff_t inner_from = v->from[last], inner_to = v->to[last];
  if (bytes > 16 || inner_from == 0 || inner_from == (ptrdiff_t)bytes || outer_from != (ptrdiff_t)bytes) {
    move_plane_any(bytes, outer, outer_from, outer_to, inner, inner_from, inner_to, source, target);
    return;
  }
  for (size_t o = 0; o < outer; o += MOVE_SQUARE) {
    for (size_t i = 0; i < inner; i += MOVE_SQUARE) {
      size_t rows = outer - o < MOVE_SQUARE ? outer - o : MOVE_SQUARE,
             columns = inner - i < MOVE_SQUARE ? inner - i : MOVE_SQUARE;
      move_plane_any(bytes, rows, outer_from, outer_to, columns, inner_from, inner_to,
                     source + (ptrdiff_t)o * outer_from + (ptrdiff_t)i * inner_from,
                     target + (ptrdiff_t)o * outer_to + (ptrdiff_t)i * inner_to);
    }
  }
}

// Puts the dimension along which the source is contiguous next to last, so that move_inner sees a transposition as one plane.
static void move_pair_planes(move_view *v, size_t bytes) {
  int last = v->rank - 1;
  if (last < 2 || v->from[last] == (ptrdiff_t)bytes) return;
  int i = 0;
  while (i < last - 1 && v->from[i] != (ptrdiff_t)bytes) i++;
  size_t size = v->size[i];
  ptrdiff_t from = v->from[i], to = v->to[i];
  for (; i < last - 1; i++) v->size[i] = v->size[i + 1], v->from[i] = v->from[i + 1], v->to[i] = v->to[i + 1];
  v->size[i] = size;
  v->from[i] = from;
  v->to[i] = to;
}

void move_copy(const move_view *view, size_t element_bytes, const void *source, void *target) {
  move_view v;
  if (!move_simplify(&v, view)) return;
  size_t bytes = element_bytes;
  for (int i = 0; i < v.rank; i++) v.from[i] *= (ptrdiff_t)element_bytes, v.to[i] *= (ptrdiff_t)element_bytes;
  int last = v.rank - 1;
  if (last >= 0 && v.from[last] == (ptrdiff_t)bytes && v.to[last] == (ptrdiff_t)bytes) {  // the innermost run is one big element
    bytes *= v.size[last];
    v.rank--;
  }
  if (v.rank == 0) {
    if (target != source) memcpy(target, source, bytes);  // a joined or split tensor may be in place already
    return;
  }
  move_pair_planes(&v, bytes);
  move_view outer = v;
  outer.rank = v.rank > 2 ? v.rank - 2 : 0;
  move_walk walk;
  for (move_walk_begin(&walk, &outer); !walk.done; move_walk_next(&walk)) {
    move_inner(&v, bytes, (const uint8_t *)source + walk.from, (uint8_t *)target + walk.to);
  }
}

void move_copy_nibbles(const move_view *view, const uint8_t *source, size_t source_first, uint8_t *target, size_t target_first) {
  move_walk walk;
  for (move_walk_begin(&walk, view); !walk.done; move_walk_next(&walk)) {
    uint8_t value = move_nibble(source, (size_t)((ptrdiff_t)source_first + walk.from));
    move_set_nibble(target, (size_t)((ptrdiff_t)target_first + walk.to), value);
  }
}

void move_fill(void *target, size_t element_bytes, size_t count, const void *value) {
  move_plane_any(element_bytes, 1, 0, 0, count, 0, (ptrdiff_t)element_bytes, value, target);
}

void move_walk_begin(move_walk *walk, const move_view *view) {
  walk->view = view;
  walk->from = walk->to = 0;
  walk->done = false;
  for (int i = 0; i < view->rank; i++) {
    walk->at[i] = 0;
    if (view->size[i] == 0) walk->done = true;
  }
}

void move_walk_next(move_walk *walk) {
  const move_view *v = walk->view;
  for (int i = v->rank - 1; i >= 0; i--) {
    walk->from += v->from[i];
    walk->to += v->to[i];
    if (++walk->at[i] < v->size[i]) return;
    walk->from -= (ptrdiff_t)v->size[i] * v->from[i];
    walk->to -= (ptrdiff_t)v->size[i] * v->to[i];
    walk->at[i] = 0;
  }
  walk->done = true;
}
