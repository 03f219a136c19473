// SPDX-License-Identifier: Apache-2.0
// Resolvers, interpreters and shared arenas with the C heap as their allocator.
#include "host/heap.h"
#include "runtime/subgraph.h"

arn_status arn_resolver_create(const arn_resolver *next, arn_resolver **resolver) {
  if (!resolver) return ARN_INVALID_ARGUMENT;
  return resolver_create(host_heap(), next, resolver);
}

arn_status arn_interpreter_create_with(const arn_model *model, const arn_interpreter_options *options,
                                       arn_interpreter **interpreter, arn_error *error) {
  if (!interpreter || !options) return error_set(error, ARN_INVALID_ARGUMENT, "no options, or no place for the interpreter");
  return runtime_create(model, options, host_heap(), interpreter, error);
}

arn_status arn_arena_create(void *memory, size_t bytes, arn_arena **arena) {
  if (!arena) return ARN_INVALID_ARGUMENT;
  return runtime_arena_make(host_heap(), memory, bytes, arena);
}
