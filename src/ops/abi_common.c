// SPDX-License-Identifier: Apache-2.0
// The published helper functions of common.h that allocate nothing: hosted and micro builds have them.
#include "ops/op.h"

#include <string.h>

size_t TfLiteIntArrayGetSizeInBytes(int size) { return sizeof(TfLiteIntArray) + sizeof(int) * (size_t)size; }
int TfLiteFloatArrayGetSizeInBytes(int size) { return (int)(sizeof(TfLiteFloatArray) + sizeof(float) * (size_t)size); }

int TfLiteIntArrayEqualsArray(const TfLiteIntArray *a, int b_size, const int b_data[]) {
  if (!a) return b_size == 0;
  return a->size == b_size && (b_size == 0 || memcmp(a->data, b_data, (size_t)b_size * sizeof *b_data) == 0);
}

int TfLiteIntArrayEqual(const TfLiteIntArray *a, const TfLiteIntArray *b) {
  if (a == b) return 1;
  return a && b && TfLiteIntArrayEqualsArray(a, b->size, b->data);
}

const char *TfLiteTypeGetName(TfLiteType type) { return op_type_name(type); }

TfLiteDelegate TfLiteDelegateCreate(void) { return (TfLiteDelegate){0}; }
