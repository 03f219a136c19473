// SPDX-License-Identifier: Apache-2.0
// The memory limit of an interpreter (arn_interpreter_options.memory_limit): what counts, and what is said when it is reached.
// Records made from the file do not count: their size is a small multiple of the file's.
#include <stdio.h>

#include "runtime/subgraph.h"

static size_t dynamic_bytes(const runtime_subgraph *sg) {
  size_t bytes = 0;
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    const TfLiteTensor *t = &sg->context.tensors[i];
    if ((t->allocation_type == kTfLiteDynamic || t->allocation_type == kTfLitePersistentRo) && t->data.raw) bytes += t->bytes;
  }
  return bytes;
}

// None of the sums can wrap: all of it is memory that is there.
static size_t bytes_held(const arn_interpreter *in) {
  size_t bytes = in->arenas + in->persistent + in->packed + in->resource_bytes;
  for (int i = 0; i < in->subgraph_count; i++) bytes += dynamic_bytes(&in->subgraphs[i]);
  return bytes;
}

bool runtime_within_limit(const arn_interpreter *in, size_t more) {
  if (!in->memory_limit || !more) return true;
  size_t held = bytes_held(in);
  return held <= in->memory_limit && more <= in->memory_limit - held;
}

arn_status runtime_over_limit(runtime_subgraph *sg, int node, int tensor, size_t more, const char *what) {
  const arn_interpreter *in = sg->interpreter;
  return runtime_fail(sg, node, tensor, ARN_OUT_OF_MEMORY,
                      "%zu bytes more for %s would pass the memory limit of %zu bytes, %zu are taken", more, what,
                      in->memory_limit, bytes_held(in));
}

// Inserts tensor t into the list of the `room` largest ones.
static int insert_largest(const runtime_subgraph *sg, int t, int *largest, int count, int room) {
  const TfLiteTensor *tensors = sg->context.tensors;
  int at = count;
  while (at > 0 && tensors[largest[at - 1]].bytes < tensors[t].bytes) at--;
  if (at == room) return count;
  if (count < room) count++;
  for (int i = count - 1; i > at; i--) largest[i] = largest[i - 1];
  largest[at] = t;
  return count;
}

arn_status runtime_arena_over_limit(runtime_subgraph *sg, size_t arena, const int *owners, size_t owner_count) {
  enum { NAMED = 3 };
  const arn_interpreter *in = sg->interpreter;
  int largest[NAMED], count = 0;
  for (size_t i = 0; i < owner_count; i++) {
    if (owners[i] >= 0) count = insert_largest(sg, owners[i], largest, count, NAMED);
  }
  char names[NAMED * 80] = "";
  size_t used = 0;
  for (int i = 0; i < count; i++) {
    const TfLiteTensor *t = &sg->context.tensors[largest[i]];
    int n = snprintf(names + used, sizeof names - used, "%s%d \"%.30s\" %zu bytes", i ? ", " : "", largest[i],
                     t->name ? t->name : "", t->bytes);
    used += n > 0 && (size_t)n < sizeof names - used ? (size_t)n : 0;
  }
  return runtime_fail(sg, -1, count ? largest[0] : -1, ARN_OUT_OF_MEMORY,
                      "an arena of %zu bytes would pass the memory limit of %zu bytes, %zu are taken; the largest tensors: %s",
                      arena, in->memory_limit, bytes_held(in), names);
}

bool runtime_grow(runtime_subgraph *sg, TfLiteTensor *t, size_t bytes, bool keep) {
  arn_interpreter *in = sg->interpreter;
  const size_t have = t->data.raw ? t->bytes : 0, more = bytes > have ? bytes - have : 0;
  bool within = runtime_within_limit(in, more);
  if (within && TfLiteTensorResizeMaybeCopy(bytes, t, keep) == kTfLiteOk) return true;
  int index = runtime_tensor_index(sg, t);
  in->out_of_memory = true;
  if (!within)
    runtime_over_limit(sg, sg->current, index, more, "a tensor whose shape depends on data");
  else
    runtime_fail(sg, sg->current, index, ARN_OUT_OF_MEMORY, "no memory for the %zu bytes of tensor %d", bytes, index);
  return false;
}
