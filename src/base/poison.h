// SPDX-License-Identifier: Apache-2.0
// Marks memory that nobody may touch, for the address sanitizer; nothing in other builds. Any file may include this.
#ifndef BASE_POISON_H
#define BASE_POISON_H

#include "base/compiler.h"

#if defined(__SANITIZE_ADDRESS__)
#define BASE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BASE_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef BASE_ADDRESS_SANITIZER
#define BASE_ADDRESS_SANITIZER 0
#endif

#if BASE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
static inline void base_poison(const void *memory, size_t bytes) {
  if (memory) __asan_poison_memory_region(memory, bytes);
}
static inline void base_unpoison(const void *memory, size_t bytes) {
  if (memory) __asan_unpoison_memory_region(memory, bytes);
}
#else
static inline void base_poison(const void *memory, size_t bytes) { (void)memory, (void)bytes; }
static inline void base_unpoison(const void *memory, size_t bytes) { (void)memory, (void)bytes; }
#endif

#endif
