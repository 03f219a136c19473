// SPDX-License-Identifier: Apache-2.0
// The resolver of every operator in this library. A file of its own: a program that never names it does not link the kernels.
#include "runtime/resolver.h"

static const op_descriptor *const resolver_operators[] = {
#define OP_BUILTIN(NAME, suffix, low, high, types) &arn_op_##suffix,
#define OP_CUSTOM(NAME, suffix, low, high, types) &arn_op_##suffix,
#include "ops/ops.def"
#undef OP_BUILTIN
#undef OP_CUSTOM
    NULL,  // an empty ops.def is still an array
};

const arn_resolver *arn_resolver_builtin(void) {
  static const arn_resolver builtin = {.table = resolver_operators, .table_count = (int)BASE_COUNT(resolver_operators) - 1};
  return &builtin;
}
