// SPDX-License-Identifier: Apache-2.0
// The walk over the levels of a sparse constant, without recursion.
#include "kernels/sparse.h"

#include <string.h>

// The value at i, or -1 outside.
static int64_t sparse_at(const sparse_ints *v, size_t i) {
  const uint8_t *at = (const uint8_t *)v->data + i * v->width;
  if (i >= v->count) return -1;
  if (v->width == 1) return *at;
  if (v->width == 2) {
    uint16_t x;
    memcpy(&x, at, sizeof x);
    return x;
  }
  int32_t x;
  memcpy(&x, at, sizeof x);
  return x;
}

// One level's run: what is left of it, the position of its current entry, and the dense element that its start stands for.
typedef struct sparse_run {
  size_t next, end;  // entries; a dense level's count from `first`
  size_t first;      // a dense level: the number of its first position
  size_t element;
} sparse_run;

static bool sparse_enter(const sparse_level *level, size_t position, size_t element, sparse_run *run) {
  if (!level->compressed) {
    *run = (sparse_run){0, level->size, position * level->size, element};
    return true;
  }
  int64_t begin = sparse_at(&level->segments, position), end = sparse_at(&level->segments, position + 1);
  if (begin < 0 || end < begin || end > (int64_t)level->indices.count) return false;
  *run = (sparse_run){(size_t)begin, (size_t)end, 0, element};
  return true;
}

bool sparse_expand(const sparse_layout *layout, size_t element_bytes, const void *values, size_t value_count, void *dense,
                   size_t elements) {
  sparse_run runs[SPARSE_LEVELS];
  int depth = 0;
  memset(dense, 0, elements * element_bytes);
  if (layout->count < 1 || !sparse_enter(&layout->levels[0], 0, 0, &runs[0])) return false;
  while (depth >= 0) {
    sparse_run *run = &runs[depth];
    const sparse_level *level = &layout->levels[depth];
    if (run->next == run->end) {
      depth--;
      continue;
    }
    size_t entry = run->next++;
    int64_t index = level->compressed ? sparse_at(&level->indices, entry) : (int64_t)entry;
    size_t position = level->compressed ? entry : run->first + entry;
    if (index < 0 || elements == 0 || (index > 0 && level->step > (elements - 1) / (size_t)index)) return false;
    size_t element = run->element + (size_t)index * level->step;  // both below elements
    if (element >= elements) return false;
    if (depth + 1 < layout->count) {
      if (!sparse_enter(level + 1, position, element, run + 1)) return false;
      depth++;
    } else {
      if (position >= value_count) return false;
      memcpy((uint8_t *)dense + element * element_bytes, (const uint8_t *)values + position * element_bytes, element_bytes);
    }
  }
  return true;
}
