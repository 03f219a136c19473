// SPDX-License-Identifier: Apache-2.0
// Sparse constants as operators see them.
#ifndef OPS_SPARSE_COMMON_H
#define OPS_SPARSE_COMMON_H

#include "ops/op.h"

// Writes the dense values of a sparse constant, op_count(t) elements of element_bytes each; fails where its description does not
// hold together.
TfLiteStatus op_densify(TfLiteContext *context, const TfLiteTensor *t, size_t element_bytes, void *dense);

#endif
