// SPDX-License-Identifier: Apache-2.0
// Checks the structure of a FlatBuffer that nobody has vouched for, following a schema's description: every offset, vtable,
// field, vector, string end and union. What passes can be read with fb_read.h without further checks.
#ifndef FLATBUFFER_FB_VERIFY_H
#define FLATBUFFER_FB_VERIFY_H

#include "base/error.h"
#include "flatbuffer/fb_schema.h"

// A FlatBuffer counts in signed 32 bits; what a file holds behind this many bytes can be raw data only.
#define FB_MAX_SIZE ((size_t)0x7FFFFFFF)

// Offsets point forward only, so a buffer has no cycles; but tables may be shared, so a small file can describe exponentially
// many paths. The budgets bound the work and the C stack.
typedef struct fb_limits {
  uint32_t depth;   // tables inside tables
  uint32_t tables;  // tables and string-vector elements met, a shared one as often as it is met
} fb_limits;

enum { FB_DEFAULT_DEPTH = 64, FB_DEFAULT_TABLES = 1000000 };  // as Google's verifier

// Verifies `size` bytes at `data` (any address) as a buffer of `schema`. limits NULL: the defaults. On failure *error holds
// the path and the byte: ARN_INVALID_MODEL, or ARN_BUDGET when a limit was reached before a fault.
arn_status fb_verify(const fb_schema *schema, const void *data, size_t size, const fb_limits *limits, arn_error *error);

#endif
