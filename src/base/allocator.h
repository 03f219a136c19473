// SPDX-License-Identifier: Apache-2.0
// Where core code gets memory from: it never calls malloc, it takes one of these. Hosts pass the heap (host/heap.h), micro
// targets one arena (base/arena.h), tests an allocator that fails at the N-th call.
#ifndef BASE_ALLOCATOR_H
#define BASE_ALLOCATOR_H

#include "arenite/allocator.h"
#include "base/compiler.h"

typedef arn_allocator base_allocator;

static inline void *base_allocate(const base_allocator *a, size_t size, size_t alignment) {
  return a->allocate(a->self, size ? size : 1, alignment);
}
static inline void base_release(const base_allocator *a, void *memory) { if (memory) a->release(a->self, memory); }
// count * size bytes, cleared; NULL on overflow or exhaustion.
void *base_allocate_array(const base_allocator *a, size_t count, size_t size, size_t alignment);

#endif
