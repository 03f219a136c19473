// SPDX-License-Identifier: Apache-2.0
// The registry: which kernel serves an operator, by (built-in code, version) or (custom name, version), exact match.
#ifndef ARENITE_RESOLVER_H
#define ARENITE_RESOLVER_H

#include "arenite/ops.h"
#include "arenite/status.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_resolver arn_resolver;  // a list of registrations, and perhaps another resolver behind it

// Every operator in this library. Static storage, never freed.
const arn_resolver *arn_resolver_builtin(void);

// A new, empty resolver from the heap. What it does not have is looked up in `next` (NULL: nowhere), which must outlive it. Its own entries come
// first, so that it overrides. Not to be changed while an interpreter is being created from it.
arn_status arn_resolver_create(const arn_resolver *next, arn_resolver **resolver);
void arn_resolver_destroy(arn_resolver *resolver);
// Adds one of Arenite's operators, with its own versions and types.
arn_status arn_resolver_add_op(arn_resolver *resolver, const arn_op *op);
// Adds a caller's kernel for versions low..high; the registration is copied. A later entry for the same operator and version wins.
arn_status arn_resolver_add_builtin(arn_resolver *resolver, int32_t code, const TfLiteRegistration *registration, int low, int high);
arn_status arn_resolver_add_custom(arn_resolver *resolver, const char *name, const TfLiteRegistration *registration, int low, int high);

// What a resolver has, chain included, entry by entry (0-based); false past the end.
typedef struct arn_resolver_entry {
  int32_t code;      // built-in code; 32 (CUSTOM) for custom operators
  const char *name;  // "CONV_2D" or the custom name
  int low, high;     // versions
  uint32_t types;    // bit TfLiteType for each element type; 0: not known (a caller's kernel)
  const arn_op *op;  // NULL: a caller's kernel
} arn_resolver_entry;
bool arn_resolver_entry_at(const arn_resolver *resolver, int index, arn_resolver_entry *entry);
// The entry that would serve, or ARN_UNRESOLVED_OP. name is read for custom operators (code 32) only.
arn_status arn_resolver_find(const arn_resolver *resolver, int32_t code, const char *name, int version, arn_resolver_entry *entry);

#ifdef __cplusplus
}
#endif
#endif
