// SPDX-License-Identifier: Apache-2.0
// Sparse constants as operators see them.
#ifndef OPS_SPARSE_COMMON_H
#define OPS_SPARSE_COMMON_H

#include "ops/op.h"

static inline bool op_is_sparse(const TfLiteTensor *t) {
#if ARENITE_MICRO
  return fb_present(Tensor_sparsity((fb_table){t->record, 0}));
#else
  return t->sparsity != NULL;
#endif
}

// Writes the dense values of a sparse constant, op_count(t) elements of element_bytes each; fails where its description does not
// hold together.
TfLiteStatus op_densify(TfLiteContext *context, const TfLiteTensor *t, size_t element_bytes, void *dense);

#endif
