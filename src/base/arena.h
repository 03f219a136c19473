// SPDX-License-Identifier: Apache-2.0
// A bump allocator over one caller-given block, growing from both ends: what lives long from the tail, what is temporary
// from the head.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/allocator.h"

typedef struct arena {
  uint8_t *base;
  size_t size;
  size_t head;      // bytes taken from the front
  size_t tail;      // bytes taken from the back
  size_t peak;      // the most bytes that were taken at once
  size_t shortfall; // bytes that the first failed request lacked; 0 while none failed
} arena;

void arena_init(arena *a, void *memory, size_t size);
void *arena_head(arena *a, size_t size, size_t alignment);  // NULL when full
void *arena_tail(arena *a, size_t size, size_t alignment);  // NULL when full
static inline void arena_head_reset(arena *a, size_t mark) { a->head = mark; }
// An allocator whose allocate is arena_tail and whose release does nothing. `a` must outlive it.
base_allocator arena_allocator(arena *a);

#endif
