// SPDX-License-Identifier: Apache-2.0
// The published helper functions of common.h that own memory: arrays and tensors. All of it is malloc's, for its owners may call
// free().
#include <stdlib.h>
#include <string.h>

#include "base/abi_memory.h"
#include "base/checked.h"
#include "tensorflow/lite/core/c/common.h"

void *abi_allocate(size_t count, size_t size) { return calloc(count ? count : 1, size); }

TfLiteIntArray *TfLiteIntArrayCreate(int size) {
  if (size < 0) return NULL;
  TfLiteIntArray *array = malloc(TfLiteIntArrayGetSizeInBytes(size));
  if (array) array->size = size;
  return array;
}

TfLiteIntArray *TfLiteIntArrayCopy(const TfLiteIntArray *source) {
  TfLiteIntArray *copy = source ? TfLiteIntArrayCreate(source->size) : NULL;
  if (copy) memcpy(copy, source, TfLiteIntArrayGetSizeInBytes(source->size));
  return copy;
}

void TfLiteIntArrayFree(TfLiteIntArray *array) { free(array); }

TfLiteFloatArray *TfLiteFloatArrayCreate(int size) {
  if (size < 0) return NULL;
  TfLiteFloatArray *array = malloc(sizeof *array + sizeof(float) * (size_t)size);
  if (array) array->size = size;
  return array;
}

TfLiteFloatArray *TfLiteFloatArrayCopy(const TfLiteFloatArray *source) {
  TfLiteFloatArray *copy = source ? TfLiteFloatArrayCreate(source->size) : NULL;
  if (copy) memcpy(copy->data, source->data, sizeof(float) * (size_t)source->size);
  return copy;
}

void TfLiteFloatArrayFree(TfLiteFloatArray *array) { free(array); }

// Only these allocation types own their bytes.
static bool tensor_owns_data(const TfLiteTensor *tensor) {
  return tensor->allocation_type == kTfLiteDynamic || tensor->allocation_type == kTfLitePersistentRo;
}

void TfLiteTensorDataFree(TfLiteTensor *tensor) {
  if (!tensor) return;
  if (tensor_owns_data(tensor)) free(tensor->data.raw);
  tensor->data.raw = NULL;
}

void TfLiteQuantizationFree(TfLiteQuantization *quantization) {
  if (!quantization) return;
  if (quantization->type == kTfLiteAffineQuantization && quantization->params) {
    TfLiteAffineQuantization *affine = quantization->params;
    TfLiteFloatArrayFree(affine->scale);
    TfLiteIntArrayFree(affine->zero_point);
  }
  if (quantization->type == kTfLiteMultiAxisQuantization && quantization->params) {
    TfLiteMultiAxisQuantization *axes = quantization->params;
    TfLiteIntArrayFree(axes->quantized_dimensions);
  }
  if (quantization->type != kTfLiteNoQuantization) free(quantization->params);
  *quantization = (TfLiteQuantization){kTfLiteNoQuantization, NULL};
}

void TfLiteSparsityFree(TfLiteSparsity *sparsity) {
  if (!sparsity) return;
  for (int i = 0; sparsity->dim_metadata && i < sparsity->dim_metadata_size; i++) {
    TfLiteIntArrayFree(sparsity->dim_metadata[i].array_segments);
    TfLiteIntArrayFree(sparsity->dim_metadata[i].array_indices);
  }
  TfLiteIntArrayFree(sparsity->traversal_order);
  TfLiteIntArrayFree(sparsity->block_map);
  free(sparsity->dim_metadata);
  free(sparsity);
}

void TfLiteTensorFree(TfLiteTensor *tensor) {
  if (!tensor) return;
  TfLiteTensorDataFree(tensor);
  TfLiteIntArrayFree(tensor->dims);
  TfLiteIntArrayFree((TfLiteIntArray *)(uintptr_t)tensor->dims_signature);
  TfLiteQuantizationFree(&tensor->quantization);
  TfLiteSparsityFree(tensor->sparsity);
  tensor->dims = NULL;
  tensor->dims_signature = NULL;
  tensor->sparsity = NULL;
}

void TfLiteTensorReset(TfLiteType type, const char *name, TfLiteIntArray *dims, TfLiteQuantizationParams quantization,
                       char *buffer, size_t size, TfLiteAllocationType allocation_type, const void *allocation, bool is_variable,
                       TfLiteTensor *tensor) {
  TfLiteTensorFree(tensor);
  tensor->type = type;
  tensor->name = name;
  tensor->dims = dims;
  tensor->params = quantization;
  tensor->data.raw = buffer;
  tensor->bytes = size;
  tensor->allocation_type = allocation_type;
  tensor->allocation = allocation;
  tensor->is_variable = is_variable;
}

TfLiteStatus TfLiteTensorCopy(const TfLiteTensor *source, TfLiteTensor *target) {
  if (!source || !target || source == target) return kTfLiteOk;
  if (source->bytes != target->bytes) return kTfLiteError;
  if (source->bytes > 0 && (!source->data.raw || !target->data.raw)) return kTfLiteError;
  TfLiteIntArray *dims = TfLiteIntArrayCopy(source->dims);
  if (source->dims && !dims) return kTfLiteError;
  TfLiteIntArrayFree(target->dims);
  target->dims = dims;
  target->type = source->type;
  if (source->bytes > 0) memcpy(target->data.raw, source->data.raw, source->bytes);
  target->buffer_handle = source->buffer_handle;
  target->data_is_stale = source->data_is_stale;
  target->delegate = source->delegate;
  return kTfLiteOk;
}

// Bytes behind a dynamic tensor's last one, so that a kernel may load whole vectors.
enum { TENSOR_SLACK = 16 };

TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t bytes, TfLiteTensor *tensor, bool preserve_data) {
  if (!tensor) return kTfLiteError;
  if (!tensor_owns_data(tensor)) return kTfLiteOk;
  if (!tensor->data.raw || bytes > tensor->bytes) {
    size_t room;
    if (!checked_add(bytes, TENSOR_SLACK, &room)) return kTfLiteError;
    char *data = malloc(room);
    if (!data) return kTfLiteError;
    if (tensor->data.raw && preserve_data && tensor->bytes) memcpy(data, tensor->data.raw, tensor->bytes);
    free(tensor->data.raw);
    tensor->data.raw = data;
  }
  tensor->bytes = bytes;
  return kTfLiteOk;
}

TfLiteStatus TfLiteTensorRealloc(size_t bytes, TfLiteTensor *tensor) { return TfLiteTensorResizeMaybeCopy(bytes, tensor, true); }

const TfLiteIntArray *TfLiteTensorGetDimsSignature(const TfLiteTensor *tensor) {
  return tensor->dims_signature && tensor->dims_signature->size ? tensor->dims_signature : tensor->dims;
}
