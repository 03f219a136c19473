// SPDX-License-Identifier: Apache-2.0
// What a resolver is made of. The interpreter finds kernels through it; programs use arenite/resolver.h.
#ifndef RUNTIME_RESOLVER_H
#define RUNTIME_RESOLVER_H

#include "arenite/resolver.h"
#include "base/allocator.h"
#include "ops/op.h"

typedef struct resolver_row {
  int32_t code;
  int low, high;
  const char *name;         // a builtin's schema name or the custom name; the resolver's own copy for callers' kernels
  const op_descriptor *op;  // NULL: a caller's kernel, in registration
  TfLiteRegistration registration;
} resolver_row;

struct arn_resolver {
  const arn_resolver *next;
  const op_descriptor *const *table;  // the static resolver: its operators in place of rows
  int table_count;
  resolver_row *rows;  // in the order they were added; the last one that fits wins
  int row_count, row_capacity;
  const base_allocator *allocator;
};

// arn_resolver_create with an allocator, which must outlive the resolver.
arn_status resolver_create(const base_allocator *allocator, const arn_resolver *next, arn_resolver **resolver);

// What serves an operator: op, or registration for a caller's kernel (valid as long as the resolver). False: nothing.
typedef struct resolver_match {
  const op_descriptor *op;
  const TfLiteRegistration *registration;
} resolver_match;
bool resolver_match_op(const arn_resolver *resolver, int32_t code, const char *name, int version, resolver_match *match);

// One of Arenite's own operators of that builtin code, of any version: it knows how to parse the options for a caller's kernel.
// NULL: none.
const op_descriptor *resolver_any_builtin(const arn_resolver *resolver, int32_t code);

#endif
