// SPDX-License-Identifier: Apache-2.0
// Memory whose owner may give it back with free(): the arrays and quantisation records of TfLiteTensor in hosted builds, which
// language bindings free themselves. Everything else comes from an allocator. Implemented in host/abi_tensor.c.
#ifndef BASE_ABI_MEMORY_H
#define BASE_ABI_MEMORY_H

#include "base/compiler.h"

void *abi_allocate(size_t count, size_t size);  // cleared; NULL when out of memory; count 0 gives memory too

#endif
