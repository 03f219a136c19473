// SPDX-License-Identifier: Apache-2.0
// Copying elements between strided views of arrays: the one kernel behind transpose, slice, pad, tile, broadcast, reverse, the
// space/batch/depth rearrangements, concatenation and split. It knows bytes, not types. May be called by ops/.
#ifndef KERNELS_MOVE_H
#define KERNELS_MOVE_H

#include "base/compiler.h"

enum { MOVE_MAX_RANK = 16 };  // twice the largest tensor rank: tile looks at each dimension as (repeats, size)

// size[0] x size[1] x ... elements; dimension i steps from[i] elements in the source and to[i] in the target. Source steps may be
// 0 (repeat) or negative (reverse), the base pointer then is that of index (0, 0, ...).
typedef struct move_view {
  int rank;
  size_t size[MOVE_MAX_RANK];
  ptrdiff_t from[MOVE_MAX_RANK];
  ptrdiff_t to[MOVE_MAX_RANK];
} move_view;

static inline void move_add(move_view *view, size_t size, ptrdiff_t from, ptrdiff_t to) {
  view->size[view->rank] = size;
  view->from[view->rank] = from;
  view->to[view->rank++] = to;
}

// Copies every element of the view; source and target do not overlap, but one contiguous run may be in place
// already (source == target). Any alignment.
void move_copy(const move_view *view, size_t element_bytes, const void *source, void *target);
// The same for packed 4-bit elements (low nibble first); steps count nibbles, source_first and target_first the nibble of index
// (0, 0, ...).
void move_copy_nibbles(const move_view *view, const uint8_t *source, size_t source_first, uint8_t *target, size_t target_first);
// Sets count elements of element_bytes each to *value.
void move_fill(void *target, size_t element_bytes, size_t count, const void *value);
// Row-major steps of a shape: step[i] = product of the dimensions behind i. Returns the product of all.
size_t move_steps(int rank, const int *dims, ptrdiff_t *step);

// Visits a view's elements in order (the last dimension fastest).
//   for (move_walk_begin(&w, &view); !w.done; move_walk_next(&w)) use(w.from, w.to);
typedef struct move_walk {
  const move_view *view;
  size_t at[MOVE_MAX_RANK];
  ptrdiff_t from, to;
  bool done;
} move_walk;
void move_walk_begin(move_walk *walk, const move_view *view);
void move_walk_next(move_walk *walk);

static inline uint8_t move_nibble(const uint8_t *packed, size_t i) { return (uint8_t)(packed[i / 2] >> (i % 2 * 4) & 15); }
static inline void move_set_nibble(uint8_t *packed, size_t i, uint8_t value) {
  unsigned shift = (unsigned)(i % 2 * 4);
  packed[i / 2] = (uint8_t)((packed[i / 2] & (0xF0u >> shift)) | (unsigned)value << shift);
}

#endif
