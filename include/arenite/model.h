// SPDX-License-Identifier: Apache-2.0
// A .tflite model, used in place: opening reads nothing but the head, constants point into the caller's bytes, nothing is
// parsed into a tree. Everything returned by reference lives as long as the model and the bytes it was opened on.
#ifndef ARENITE_MODEL_H
#define ARENITE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/allocator.h"
#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_model arn_model;

// Flags of the open functions; 0 is right for files that nobody has vouched for.
enum {
  // Skip verification: the caller vouches for the file (it was verified before, or is part of the firmware image). Opening a
  // malformed file with this flag is undefined behaviour.
  ARN_MODEL_TRUSTED = 1,
  // Leave constants where they are even when they are not aligned for their element type. For tools that only look.
  ARN_MODEL_NO_COPY = 2,
};

// Opens a model in `size` bytes at `data`, which must stay unchanged until arn_model_close; any address will do. The file is
// verified first (see arn_model_verify). Constants whose address is not aligned for their element type are copied once, into
// memory from the allocator. allocator: arn_heap() in hosted programs; borrowed until arn_model_close.
// *model is NULL after an error.
arn_status arn_model_open_buffer(const void *data, size_t size, unsigned flags, const arn_allocator *allocator,
                                 arn_model **model, arn_error *error);

// Verifies a model without opening it: the FlatBuffer's structure (every offset, table, vector and string, with budgets for
// depth and tables), then its meaning (indices, sizes, order, quantisation, sparsity, calls between subgraphs). On failure
// *error says what is wrong, where (a path such as "subgraphs[0].operators[3].inputs[1]") and at which byte. Needs little
// memory for a while: one byte a tensor of the largest subgraph.
arn_status arn_model_verify(const void *data, size_t size, const arn_allocator *allocator, arn_error *error);

// Maps the file read-only and opens it, with the C heap as allocator. Hosted builds only. The file
// must not shrink while it is open.
arn_status arn_model_open_file(const char *path, unsigned flags, arn_model **model, arn_error *error);

// Frees the model; NULL is allowed. Nothing that refers to it may be used afterwards.
void arn_model_close(arn_model *model);

#ifdef __cplusplus
}
#endif
#endif
