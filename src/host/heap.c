// SPDX-License-Identifier: Apache-2.0
// The C heap as an allocator: the only place that calls malloc.
#include "host/heap.h"

#include <stdlib.h>

static void *heap_allocate(void *self, size_t size, size_t alignment) {
  (void)self;
  if (alignment <= _Alignof(max_align_t)) return malloc(size);
  // aligned_alloc wants a size that is a multiple of the alignment.
  if (size > SIZE_MAX - (alignment - 1)) return NULL;
  return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void heap_release(void *self, void *memory) {
  (void)self;
  free(memory);
}

const base_allocator *host_heap(void) {
  static const base_allocator heap = {.allocate = heap_allocate, .release = heap_release, .self = NULL};
  return &heap;
}

const arn_allocator *arn_heap(void) { return host_heap(); }
