// SPDX-License-Identifier: Apache-2.0
// Sparse constants to dense ones. A tensor of rank n with k block dimensions is stored in n + k levels, outermost first: a dense
// level multiplies the positions so far by its size; a compressed one gives each position so far a run of indices, and these are
// the next positions. The last level's positions number the values. Source of the format: schema.fbs, SparsityParameters.
#ifndef KERNELS_SPARSE_H
#define KERNELS_SPARSE_H

#include "base/compiler.h"

enum { SPARSE_LEVELS = 12 };

typedef struct sparse_ints {
  const void *data;  // unsigned of 1 or 2 bytes, or int32, in the machine's byte order, at any alignment
  uint32_t count;
  uint8_t width;  // bytes
} sparse_ints;

typedef struct sparse_level {
  size_t step;    // of one index, in elements of the dense tensor
  uint32_t size;  // of a dense level
  bool compressed;
  sparse_ints segments;  // position p has the indices segments[p]..segments[p + 1] - 1
  sparse_ints indices;
} sparse_level;

typedef struct sparse_layout {
  int count;
  sparse_level levels[SPARSE_LEVELS];
} sparse_layout;

// Writes `elements` elements of element_bytes each, 0 where there is no value. False when the layout leads outside the values,
// its own arrays or the dense tensor; the result is then incomplete.
bool sparse_expand(const sparse_layout *layout, size_t element_bytes, const void *values, size_t value_count, void *dense,
                   size_t elements);

#endif
