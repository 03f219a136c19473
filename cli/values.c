// SPDX-License-Identifier: Apache-2.0
// Element access by type. Elements are read through memcpy: constants of a model may be at any address.
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct value_type {
  TfLiteType type;
  const char *name;
  int bits;
  char kind;  // numpy's: i u f b c; 0: no number
} value_type;

static const value_type value_types[] = {
    {kTfLiteFloat32, "float32", 32, 'f'},
    {kTfLiteInt32, "int32", 32, 'i'},
    {kTfLiteUInt8, "uint8", 8, 'u'},
    {kTfLiteInt64, "int64", 64, 'i'},
    {kTfLiteString, "string", 0, 0},
    {kTfLiteBool, "bool", 8, 'b'},
    {kTfLiteInt16, "int16", 16, 'i'},
    {kTfLiteComplex64, "complex64", 64, 'c'},
    {kTfLiteInt8, "int8", 8, 'i'},
    {kTfLiteFloat16, "float16", 16, 'f'},
    {kTfLiteFloat64, "float64", 64, 'f'},
    {kTfLiteComplex128, "complex128", 128, 'c'},
    {kTfLiteUInt64, "uint64", 64, 'u'},
    {kTfLiteResource, "resource", 0, 0},
    {kTfLiteVariant, "variant", 0, 0},
    {kTfLiteUInt32, "uint32", 32, 'u'},
    {kTfLiteUInt16, "uint16", 16, 'u'},
    {kTfLiteInt4, "int4", 4, 'i'},
    {kTfLiteBFloat16, "bfloat16", 16, 'f'},
    {kTfLiteInt2, "int2", 2, 'i'},
    {kTfLiteUInt4, "uint4", 4, 'u'},
    {kTfLiteFloat8E4M3FN, "float8_e4m3fn", 8, 0},
    {kTfLiteFloat8E5M2, "float8_e5m2", 8, 0},
};

static const value_type *value_type_of(TfLiteType type) {
  for (size_t i = 0; i < sizeof value_types / sizeof *value_types; i++)
    if (value_types[i].type == type) return &value_types[i];
  static const value_type unknown = {kTfLiteNoType, "unknown", 0, 0};
  return &unknown;
}

const char *values_type_name(TfLiteType type) { return value_type_of(type)->name; }
int values_bits(TfLiteType type) { return value_type_of(type)->bits; }

size_t values_count(const TfLiteTensor *tensor) {
  size_t count = 1;
  for (int i = 0; tensor->dims && i < tensor->dims->size; i++) {
    size_t dim = tensor->dims->data[i] > 0 ? (size_t)tensor->dims->data[i] : 0;
    if (dim && count > SIZE_MAX / dim) return 0;
    count *= dim;
  }
  return count;
}

size_t values_bytes(const TfLiteTensor *tensor) {
  size_t bits = (size_t)values_bits(tensor->type), count = values_count(tensor);
  return bits >= 8 ? count * (bits / 8) : count / (8 / (bits ? bits : 8)) + (bits && count % (8 / bits) != 0);
}

bool values_quantised(const TfLiteTensor *tensor) {
  return tensor->quantization.type == kTfLiteAffineQuantization && tensor->quantization.params &&
         ((const TfLiteAffineQuantization *)tensor->quantization.params)->scale &&
         ((const TfLiteAffineQuantization *)tensor->quantization.params)->scale->size > 0;
}

// Scale and zero point of an element: the tensor's, or those of its slice along the quantised dimension.
static void value_parameters(const TfLiteTensor *tensor, size_t index, double *scale, double *zero) {
  const TfLiteAffineQuantization *q = tensor->quantization.params;
  int slice = 0, axis = q->quantized_dimension;
  if (q->scale->size > 1 && tensor->dims && axis >= 0 && axis < tensor->dims->size) {
    size_t inner = 1;
    for (int i = axis + 1; i < tensor->dims->size; i++) inner *= (size_t)tensor->dims->data[i];
    if (inner && tensor->dims->data[axis] > 0) slice = (int)(index / inner % (size_t)tensor->dims->data[axis]);
    if (slice >= q->scale->size) slice = 0;
  }
  *scale = (double)q->scale->data[slice];
  *zero = 0;
  if (q->zero_point && q->zero_point->size > 0) *zero = q->zero_point->data[slice < q->zero_point->size ? slice : 0];
}

static double bfloat_real(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, 4);
  return (double)value;
}

double values_stored(const TfLiteTensor *tensor, size_t index) {
  const value_type *type = value_type_of(tensor->type);
  if (!tensor->data.data || type->kind == 0) return 0;
  const uint8_t *bytes = tensor->data.data;
  if (type->bits < 8) {
    int per_byte = 8 / type->bits, shift = (int)(index % (size_t)per_byte) * type->bits;
    int stored = bytes[index / (size_t)per_byte] >> shift & ((1 << type->bits) - 1);
    return type->kind == 'i' && stored >> (type->bits - 1) ? stored - (1 << type->bits) : stored;
  }
  if (tensor->type == kTfLiteBFloat16) {
    uint16_t bits;
    memcpy(&bits, bytes + index * 2, 2);
    return bfloat_real(bits);
  }
  npy view = {.kind = type->kind, .item = type->bits / 8, .data = tensor->data.data};
  return npy_real(&view, index);
}

double values_real(const TfLiteTensor *tensor, size_t index) {
  double stored = values_stored(tensor, index);
  if (!values_quantised(tensor)) return stored;
  double scale, zero;
  value_parameters(tensor, index, &scale, &zero);
  return scale * (stored - zero);
}

// Nearest, ties to even; NaN (a float model's picture never has one, a file may) becomes 0.
static uint16_t half_from(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  value = fabs(value);
  if (isnan(value)) return 0x7E00;
  if (value >= 65520) return sign | 0x7C00;
  if (value < 0x1p-14) return (uint16_t)(sign | (uint16_t)nearbyint(ldexp(value, 24)));
  int exponent;
  double fraction = frexp(value, &exponent);  // [0.5, 1)
  return (uint16_t)(sign | (((exponent + 14) << 10) + ((int)nearbyint(ldexp(fraction, 11)) - 1024)));
}

static uint16_t bfloat_from(double value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, 4);
  if (isnan(value)) return 0x7FC0;
  return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static void store_float(TfLiteTensor *tensor, size_t index, double value) {
  uint8_t *bytes = tensor->data.data;
  float single = (float)value;
  uint16_t half = tensor->type == kTfLiteBFloat16 ? bfloat_from(value) : half_from(value);
  switch (values_bits(tensor->type)) {
    case 16: memcpy(bytes + index * 2, &half, 2); break;
    case 32: memcpy(bytes + index * 4, &single, 4); break;
    default: memcpy(bytes + index * 8, &value, 8); break;
  }
}

static void store_integer(TfLiteTensor *tensor, size_t index, double value, int bits, bool has_sign) {
  uint8_t *bytes = tensor->data.data;
  double low = has_sign ? -ldexp(1, bits - 1) : 0, high = has_sign ? ldexp(1, bits - 1) : ldexp(1, bits);
  uint64_t stored;
  value = isnan(value) ? 0 : round(value);
  if (value <= low)
    stored = has_sign ? (uint64_t)1 << (bits - 1) : 0;
  else if (value >= high)
    stored = UINT64_MAX >> (64 - bits + (has_sign ? 1 : 0));
  else
    stored = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  if (bits < 8) {
    int per_byte = 8 / bits, shift = (int)(index % (size_t)per_byte) * bits, mask = (1 << bits) - 1;
    uint8_t *byte = bytes + index / (size_t)per_byte;
    *byte = (uint8_t)((*byte & ~(mask << shift)) | ((int)(stored & (uint64_t)mask) << shift));
    return;
  }
  uint8_t one = (uint8_t)stored;
  uint16_t two = (uint16_t)stored;
  uint32_t four = (uint32_t)stored;
  const void *from = bits == 8    ? (const void *)&one
                     : bits == 16 ? (const void *)&two
                     : bits == 32 ? (const void *)&four
                                  : &stored;
  memcpy(bytes + index * (size_t)(bits / 8), from, (size_t)(bits / 8));
}

void values_set_stored(TfLiteTensor *tensor, size_t index, double value) {
  const value_type *type = value_type_of(tensor->type);
  if (!tensor->data.data) return;
  if (type->kind == 'f')
    store_float(tensor, index, value);
  else if (type->kind == 'b')
    ((uint8_t *)tensor->data.data)[index] = value != 0;
  else if (type->kind == 'i' || type->kind == 'u')
    store_integer(tensor, index, value, type->bits, type->kind == 'i');
  else if (type->kind == 'c') {
    TfLiteTensor part = *tensor;  // two floats; the imaginary one is zero
    part.type = type->bits == 64 ? kTfLiteFloat32 : kTfLiteFloat64;
    store_float(&part, index * 2, value);
    store_float(&part, index * 2 + 1, 0);
  }
}

void values_set_real(TfLiteTensor *tensor, size_t index, double value) {
  if (values_quantised(tensor)) {
    double scale, zero;
    value_parameters(tensor, index, &scale, &zero);
    if (scale > 0) value = value / scale + zero;
  }
  values_set_stored(tensor, index, value);
}

char *values_shape_text(const TfLiteTensor *tensor, bool open) {
  int rank = tensor->dims ? tensor->dims->size : 0;
  if (rank == 0) return command_text("scalar");
  char *text = command_text("%s", "");
  for (int i = 0; i < rank; i++) {
    bool unknown = open && tensor->dims_signature && tensor->dims_signature->size == rank && tensor->dims_signature->data[i] < 0;
    char *longer =
        unknown ? command_text("%s%s?", text, i ? "x" : "") : command_text("%s%s%d", text, i ? "x" : "", tensor->dims->data[i]);
    free(text);
    text = longer;
  }
  return text;
}

bool values_from_npy(TfLiteTensor *tensor, const npy *array, failure *why) {
  const value_type *type = value_type_of(tensor->type);
  size_t count = values_count(tensor);
  if (type->kind == 0) return failure_set(why, "a %s tensor cannot be filled from an array", type->name);
  if (array->count != count) {
    char *shape = values_shape_text(tensor, false);
    failure_set(why, "the array has %zu elements, the tensor %zu (%s)", array->count, count, shape);
    free(shape);
    return false;
  }
  if (type->bits >= 8 && array->kind == type->kind && array->item * 8 == type->bits && tensor->type != kTfLiteBFloat16) {
    if (count) memcpy(tensor->data.data, array->data, count * (size_t)array->item);
    return true;
  }
  // Floats into a quantised tensor are real values; integers into any are stored values.
  bool real = array->kind == 'f' || array->kind == 'c';
  for (size_t i = 0; i < count; i++) {
    if (real)
      values_set_real(tensor, i, npy_real(array, i));
    else
      values_set_stored(tensor, i, npy_real(array, i));
  }
  return true;
}

bool values_to_npy(const TfLiteTensor *tensor, bool real, npy *array, failure *why) {
  const value_type *type = value_type_of(tensor->type);
  *array = (npy){0};
  if (type->kind == 0) return failure_set(why, "a %s tensor cannot be written as an array", type->name);
  real = real && values_quantised(tensor);
  array->rank = tensor->dims ? tensor->dims->size : 0;
  if (array->rank > NPY_MAX_RANK) return failure_set(why, "a tensor of %d dimensions cannot be written", array->rank);
  for (int i = 0; i < array->rank; i++) array->dims[i] = (size_t)tensor->dims->data[i];
  array->count = values_count(tensor);
  bool plain = type->bits >= 8 && tensor->type != kTfLiteBFloat16 && !real;
  // numpy has no packed integers and no bfloat16: those become int8, uint8 and float32.
  bool to_float = real || tensor->type == kTfLiteBFloat16;
  array->kind = to_float ? 'f' : type->kind;
  array->item = plain ? type->bits / 8 : to_float ? 4 : 1;
  array->data = command_alloc(array->count, (size_t)array->item);
  if (!tensor->data.data) return true;
  if (plain) {
    if (array->count) memcpy(array->data, tensor->data.data, array->count * (size_t)array->item);
    return true;
  }
  for (size_t i = 0; i < array->count; i++) {
    if (to_float)
      ((float *)array->data)[i] = (float)(real ? values_real(tensor, i) : values_stored(tensor, i));
    else
      ((int8_t *)array->data)[i] = (int8_t)(int)values_stored(tensor, i);
  }
  return true;
}

// ---- Strings ----
static int32_t string_word(const TfLiteTensor *tensor, size_t word) {
  int32_t value;
  memcpy(&value, (const char *)tensor->data.raw + word * 4, 4);
  return value;
}

int values_string_count(const TfLiteTensor *tensor) {
  if (tensor->type != kTfLiteString || !tensor->data.raw || tensor->bytes < 4) return 0;
  int32_t count = string_word(tensor, 0);
  return count > 0 && (size_t)count < tensor->bytes / 4 - 1 ? count : 0;
}

const char *values_string(const TfLiteTensor *tensor, int index, size_t *length) {
  if (index < 0 || index >= values_string_count(tensor)) return NULL;
  int32_t from = string_word(tensor, (size_t)index + 1), to = string_word(tensor, (size_t)index + 2);
  if (from < 0 || to < from || (size_t)to > tensor->bytes) return NULL;
  *length = (size_t)(to - from);
  return tensor->data.raw + from;
}

bool values_set_strings(TfLiteTensor *tensor, const char *const *strings, int count, failure *why) {
  size_t head = ((size_t)count + 2) * 4, bytes = head;
  for (int i = 0; i < count; i++) bytes += strlen(strings[i]);
  if (bytes > INT32_MAX) return failure_set(why, "the texts are too long");
  if (TfLiteTensorRealloc(bytes, tensor) != kTfLiteOk || tensor->bytes < bytes)
    return failure_set(why, "the string tensor cannot be given memory");
  char *to = tensor->data.raw;
  int32_t word = count, at = (int32_t)head;
  memcpy(to, &word, 4);
  for (int i = 0; i < count; i++) {
    memcpy(to + (size_t)(i + 1) * 4, &at, 4);
    size_t length = strlen(strings[i]);
    memcpy(to + at, strings[i], length);
    at += (int32_t)length;
  }
  memcpy(to + (size_t)(count + 1) * 4, &at, 4);
  return true;
}
