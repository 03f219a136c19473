// SPDX-License-Identifier: Apache-2.0
// Converting arrays between element types. Source of the rules: TFLite kernels/cast.cc: integers wrap, real numbers are cut off
// towards zero and saturate as integers (a NaN becomes the largest number), anything but 0 is true, complex numbers lose their
// imaginary part.
#ifndef KERNELS_CONVERT_H
#define KERNELS_CONVERT_H

#include "base/compiler.h"

typedef enum convert_type {
  CONVERT_I8,
  CONVERT_U8,
  CONVERT_I16,
  CONVERT_U16,
  CONVERT_I32,
  CONVERT_U32,
  CONVERT_I64,
  CONVERT_BOOL,  // integers first
  CONVERT_F16,
  CONVERT_BF16,
  CONVERT_F32,
  CONVERT_F64,
  CONVERT_C64,
  CONVERT_TYPES,
} convert_type;

// n elements. out may lie in the memory of in, at its start or below, if its elements are no wider.
void convert_array(convert_type from, const void *in, convert_type to, void *out, size_t n);

#endif
