// SPDX-License-Identifier: Apache-2.0
// The C heap as an allocator.
#ifndef HOST_HEAP_H
#define HOST_HEAP_H

#include "base/allocator.h"

// Static storage; the same as the public arn_heap().
const base_allocator *host_heap(void);

#endif
