// SPDX-License-Identifier: Apache-2.0
// Bump arena and array allocation.
#include "base/arena.h"

#include <string.h>

#include "base/checked.h"

void *base_allocate_array(const base_allocator *a, size_t count, size_t size, size_t alignment) {
  size_t bytes;
  if (!checked_mul(count, size, &bytes)) return NULL;
  void *memory = base_allocate(a, bytes, alignment);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

void arena_init(arena *a, void *memory, size_t size) {
  *a = (arena){.base = memory, .size = size};
}

static void *refuse(arena *a, size_t needed, size_t available) {
  if (a->shortfall == 0) a->shortfall = needed - available;
  return NULL;
}

static void note_peak(arena *a) { if (a->head + a->tail > a->peak) a->peak = a->head + a->tail; }

void *arena_head(arena *a, size_t size, size_t alignment) {
  uintptr_t start = (uintptr_t)a->base + a->head;
  size_t padding = (size_t)(-start & (alignment - 1));
  size_t available = a->size - a->head - a->tail, needed;
  if (!checked_add(size, padding, &needed) || needed > available) return refuse(a, size, available);
  a->head += needed;
  note_peak(a);
  return a->base + a->head - size;
}

void *arena_tail(arena *a, size_t size, size_t alignment) {
  uintptr_t end = (uintptr_t)a->base + a->size - a->tail;
  size_t padding = (size_t)((end - size) & (alignment - 1));
  size_t available = a->size - a->head - a->tail, needed;
  if (!checked_add(size, padding, &needed) || needed > available) return refuse(a, size, available);
  a->tail += needed;
  note_peak(a);
  return a->base + a->size - a->tail;
}

static void *tail_allocate(void *self, size_t size, size_t alignment) { return arena_tail(self, size, alignment); }
static void tail_release(void *self, void *memory) { (void)self, (void)memory; }

base_allocator arena_allocator(arena *a) {
  return (base_allocator){.allocate = tail_allocate, .release = tail_release, .self = a};
}
