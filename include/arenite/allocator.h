// SPDX-License-Identifier: Apache-2.0
// Where the library gets memory from: it never calls malloc itself, a caller passes one of these.
#ifndef ARENITE_ALLOCATOR_H
#define ARENITE_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_allocator {
  // Returns at least `size` bytes (size > 0) at the given alignment (a power of two), not cleared, or NULL.
  void *(*allocate)(void *self, size_t size, size_t alignment);
  // Takes back what allocate gave; may do nothing (a bump arena).
  void (*release)(void *self, void *memory);
  void *self;
} arn_allocator;

// The C heap. Hosted builds only. Static storage; any thread may use it.
const arn_allocator *arn_heap(void);

#ifdef __cplusplus
}
#endif
#endif
