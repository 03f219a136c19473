// SPDX-License-Identifier: Apache-2.0
// A tensor's elements as numbers: real values behind a quantisation, raw ones, conversions from arrays, names of types.
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "command.h"
#include "npy.h"
#include "tensorflow/lite/core/c/common.h"

const char *values_type_name(TfLiteType type);  // "float32", "int8", ...; "type 77" never: "unknown"
// Bits of one element; 0 for strings, resources and variants.
int values_bits(TfLiteType type);
size_t values_count(const TfLiteTensor *tensor);  // elements of its shape
size_t values_bytes(const TfLiteTensor *tensor);  // bytes of so many elements, packed types rounded up
bool values_quantised(const TfLiteTensor *tensor);

// The real value: scale * (stored - zero point) where quantised (per channel too), the stored value otherwise. For types
// without a number (strings, resources) 0.
double values_real(const TfLiteTensor *tensor, size_t index);
double values_stored(const TfLiteTensor *tensor, size_t index);
// Stores the nearest representable value; integers saturate. NaN becomes 0 in integer types.
void values_set_real(TfLiteTensor *tensor, size_t index, double value);
void values_set_stored(TfLiteTensor *tensor, size_t index, double value);

// "1x224x224x3"; the caller frees. An empty shape is "scalar". With open, dimensions that the file leaves open are "?".
char *values_shape_text(const TfLiteTensor *tensor, bool open);

// An array's elements into the tensor: bytes as they are when the types agree, real values else. Counts must agree.
bool values_from_npy(TfLiteTensor *tensor, const npy *array, failure *why);
// The tensor as an array: stored values, or real ones as float32. The caller frees with npy_free. Strings are refused.
bool values_to_npy(const TfLiteTensor *tensor, bool real, npy *array, failure *why);

// String tensors: their buffer holds a count, count + 1 offsets and the bytes (all int32).
int values_string_count(const TfLiteTensor *tensor);
const char *values_string(const TfLiteTensor *tensor, int index, size_t *length);  // NULL: out of range or malformed
bool values_set_strings(TfLiteTensor *tensor, const char *const *strings, int count, failure *why);

#endif
