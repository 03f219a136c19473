// SPDX-License-Identifier: Apache-2.0
// FarmHash's Fingerprint64: a 64-bit hash of bytes that is the same everywhere. For operators.
#ifndef KERNELS_FINGERPRINT_H
#define KERNELS_FINGERPRINT_H

#include "base/compiler.h"

uint64_t fingerprint_64(const void *data, size_t length);

#endif
