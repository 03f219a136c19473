// SPDX-License-Identifier: Apache-2.0
// Filling TfLiteTensor records from the file: types, shapes, quantisation, sparsity, constants in place. What a tensor owns comes
// from malloc (the ABI says so: language bindings free it).
#include "base/abi_memory.h"
#include "runtime/subgraph.h"

// A malloc'ed copy of an int32 vector; NULL when out of memory. An absent vector gives an empty array.
static TfLiteIntArray *copy_int_vector(fb_vector v) {
  if (v.count > INT32_MAX) return NULL;
  TfLiteIntArray *array = TfLiteIntArrayCreate((int)v.count);
  for (uint32_t i = 0; array && i < v.count; i++) array->data[i] = fb_vector_i32(v, i);
  return array;
}

static arn_status fill_affine(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  fb_vector scales = QuantizationParameters_scale(file), zeros = QuantizationParameters_zero_point(file);
  if (scales.count == 0) return ARN_OK;
  int dimension = QuantizationParameters_quantized_dimension(file);
  // Scales without zero points are symmetric; the reference wants as many zero points as scales.
  bool counts_fit = zeros.count == scales.count || zeros.count <= 1;
  // Converters of real models leave the filter's dimension in the bias, which has but one.
  if (dimension < 0 || dimension >= t->dims->size) dimension = 0;
  bool slices_fit = scales.count == 1 || t->dims->size == 0 || (uint32_t)t->dims->data[dimension] == scales.count;
  if (!counts_fit || !slices_fit || scales.count > INT32_MAX) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL,
                        "tensor %d \"%s\": %u scales and %u zero points along dimension %d do not fit its shape", index, t->name,
                        (unsigned)scales.count, (unsigned)zeros.count, dimension);
  }
  TfLiteAffineQuantization *affine = abi_allocate(1, sizeof *affine);
  if (!affine) return ARN_OUT_OF_MEMORY;
  t->quantization = (TfLiteQuantization){kTfLiteAffineQuantization, affine};
  affine->quantized_dimension = dimension;
  affine->scale = TfLiteFloatArrayCreate((int)scales.count);
  affine->zero_point = TfLiteIntArrayCreate((int)scales.count);
  if (!affine->scale || !affine->zero_point) return ARN_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < scales.count; i++) {
    affine->scale->data[i] = fb_vector_f32(scales, i);
    affine->zero_point->data[i] = zeros.count ? (int32_t)fb_vector_i64(zeros, zeros.count == 1 ? 0 : i) : 0;
  }
  if (scales.count == 1) t->params = (TfLiteQuantizationParams){affine->scale->data[0], affine->zero_point->data[0]};
  return ARN_OK;
}

static bool names_tensor(const runtime_subgraph *sg, int tensor, bool optional) {
  return (optional && tensor == -1) || runtime_tensor(sg, tensor);
}

static arn_status fill_blockwise(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  fb_table details = QuantizationParameters_details(file);
  int scales = BlockwiseQuantization_scales(details), zeros = BlockwiseQuantization_zero_points(details);
  if (!names_tensor(sg, scales, false) || !names_tensor(sg, zeros, true) || BlockwiseQuantization_block_size(details) < 0) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL,
                        "tensor %d \"%s\": its blockwise quantisation names tensors %d and %d, block size %d", index, t->name,
                        scales, zeros, BlockwiseQuantization_block_size(details));
  }
  TfLiteBlockwiseQuantization *blockwise = abi_allocate(1, sizeof *blockwise);
  if (!blockwise) return ARN_OUT_OF_MEMORY;
  *blockwise = (TfLiteBlockwiseQuantization){.scale = scales,
                                             .zero_point = zeros,
                                             .blocksize = BlockwiseQuantization_block_size(details),
                                             .quantized_dimension = QuantizationParameters_quantized_dimension(file)};
  t->quantization = (TfLiteQuantization){kTfLiteBlockwiseQuantization, blockwise};
  return ARN_OK;
}

static arn_status fill_multi_axis(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  fb_table details = QuantizationParameters_details(file);
  fb_vector dimensions = MultiAxisQuantization_quantized_dimensions(details);
  int scales = MultiAxisQuantization_scales(details), zeros = MultiAxisQuantization_zero_points(details);
  bool fits = names_tensor(sg, scales, false) && names_tensor(sg, zeros, true) && MultiAxisQuantization_block_size(details) >= 0;
  for (uint32_t i = 0; fits && i < dimensions.count; i++) {
    int dimension = fb_vector_i32(dimensions, i);
    fits = dimension >= 0 && (t->dims->size == 0 || dimension < t->dims->size);
  }
  if (!fits || dimensions.count == 0) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL, "tensor %d \"%s\": its multi-axis quantisation does not fit its shape",
                        index, t->name);
  }
  TfLiteMultiAxisQuantization *axes = abi_allocate(1, sizeof *axes);
  if (!axes) return ARN_OUT_OF_MEMORY;
  t->quantization = (TfLiteQuantization){kTfLiteMultiAxisQuantization, axes};
  axes->scales = scales;
  axes->zero_points = zeros;
  axes->blocksize = MultiAxisQuantization_block_size(details);
  axes->quantized_dimensions = copy_int_vector(dimensions);
  return axes->quantized_dimensions ? ARN_OK : ARN_OUT_OF_MEMORY;
}

static arn_status fill_quantization(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  if (!fb_present(file)) return ARN_OK;
  switch (QuantizationParameters_details_type(file)) {
    case QuantizationDetails_BlockwiseQuantization: return fill_blockwise(sg, index, file, t);
    case QuantizationDetails_MultiAxisQuantization: return fill_multi_axis(sg, index, file, t);
    default: return fill_affine(sg, index, file, t);
  }
}

// The index vectors of a compressed dimension come in three widths.
static TfLiteIntArray *copy_sparse_indices(uint8_t type, fb_table table) {
  fb_vector values = {NULL, 0};
  switch (type) {
    case SparseIndexVector_Int32Vector: return copy_int_vector(Int32Vector_values(table));
    case SparseIndexVector_Uint16Vector: values = Uint16Vector_values(table); break;
    case SparseIndexVector_Uint8Vector: values = Uint8Vector_values(table); break;
    default: break;
  }
  if (values.count > INT32_MAX) return NULL;
  TfLiteIntArray *array = TfLiteIntArrayCreate((int)values.count);
  for (uint32_t i = 0; array && i < values.count; i++) {
    array->data[i] = type == SparseIndexVector_Uint16Vector ? fb_vector_u16(values, i) : fb_vector_u8(values, i);
  }
  return array;
}

static arn_status fill_sparsity(fb_table file, TfLiteTensor *t) {
  if (!fb_present(file)) return ARN_OK;
  fb_offsets dimensions = SparsityParameters_dim_metadata(file);
  if (dimensions.count > INT32_MAX) return ARN_INVALID_MODEL;
  TfLiteSparsity *sparsity = abi_allocate(1, sizeof *sparsity);
  if (!sparsity) return ARN_OUT_OF_MEMORY;
  t->sparsity = sparsity;
  sparsity->traversal_order = copy_int_vector(SparsityParameters_traversal_order(file));
  fb_vector blocks = SparsityParameters_block_map(file);  // absent: not blocked, the published record then has NULL
  if (blocks.data && !(sparsity->block_map = copy_int_vector(blocks))) return ARN_OUT_OF_MEMORY;
  sparsity->dim_metadata = abi_allocate(dimensions.count, sizeof *sparsity->dim_metadata);
  if (!sparsity->traversal_order || !sparsity->dim_metadata) return ARN_OUT_OF_MEMORY;
  sparsity->dim_metadata_size = (int)dimensions.count;
  for (uint32_t i = 0; i < dimensions.count; i++) {
    fb_table from = fb_table_at(dimensions, i);
    TfLiteDimensionMetadata *to = &sparsity->dim_metadata[i];
    to->format = DimensionMetadata_format(from) == DimensionType_DENSE ? kTfLiteDimDense : kTfLiteDimSparseCSR;
    if (to->format == kTfLiteDimDense) {
      to->dense_size = DimensionMetadata_dense_size(from);
      continue;
    }
    to->array_segments = copy_sparse_indices(DimensionMetadata_array_segments_type(from), DimensionMetadata_array_segments(from));
    to->array_indices = copy_sparse_indices(DimensionMetadata_array_indices_type(from), DimensionMetadata_array_indices(from));
    if (!to->array_segments || !to->array_indices) return ARN_OUT_OF_MEMORY;
  }
  return ARN_OK;
}

static bool has_no_fixed_size(TfLiteType type) {
  return type == kTfLiteString || type == kTfLiteResource || type == kTfLiteVariant;
}

// Constants stay where they are, everything else gets its place when it is allocated.
static arn_status fill_storage(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  const arn_model *model = sg->interpreter->model;
  bool open = false;  // a dimension that is only known after a resize
  for (int i = 0; i < t->dims->size; i++) open |= t->dims->data[i] < 0;
  size_t bytes = 0;
  if (!open && !op_bytes_of(t->type, t->dims->size, t->dims->data, &bytes)) {
    return runtime_fail(sg, -1, index, ARN_OUT_OF_MEMORY, "tensor %d \"%s\" is larger than this machine's address space", index,
                        t->name);
  }
  model_bytes data = model_tensor_data(model, file);
  uint32_t buffer = Tensor_buffer(file);
  if (!data.data && buffer > 0 && buffer < model->buffers.count && bytes == 0 && !open && !has_no_fixed_size(t->type)) {
    data.data = Buffer_data(fb_table_at(model->buffers, buffer)).data;  // an empty constant: there, with nothing in it
  }
  t->is_variable = Tensor_is_variable(file);
  if (data.data && t->is_variable) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL, "tensor %d \"%s\" is a variable and has constant data", index, t->name);
  }
  if (data.data) {
    if (!has_no_fixed_size(t->type) && !t->sparsity && data.size < bytes) {
      return runtime_fail(sg, -1, index, ARN_INVALID_MODEL, "tensor %d \"%s\" needs %zu bytes, its buffer has %zu", index,
                          t->name, bytes, data.size);
    }
    t->allocation_type = kTfLiteMmapRo;
    t->data.raw_const = (const char *)data.data;
    t->bytes = data.size;
    t->allocation = model;
    return ARN_OK;
  }
  if (Tensor_external_buffer(file)) {
    return runtime_fail(sg, -1, index, ARN_UNSUPPORTED,
                        "tensor %d \"%s\" has its data in another file, which this library does not read", index, t->name);
  }
  if (has_no_fixed_size(t->type) && t->is_variable) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL, "tensor %d \"%s\" is a variable of type %s", index, t->name,
                        op_type_name(t->type));
  }
  t->bytes = bytes;
  t->allocation_type = has_no_fixed_size(t->type) ? kTfLiteDynamic : t->is_variable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw;
  return ARN_OK;
}

static arn_status fill_tensor(runtime_subgraph *sg, int index, fb_table file, TfLiteTensor *t) {
  t->name = fb_text(Tensor_name(file));
  t->buffer_handle = kTfLiteNullBufferHandle;
  t->dims = copy_int_vector(Tensor_shape(file));
  if (!t->dims) return ARN_OUT_OF_MEMORY;
  t->type = op_type(Tensor_type(file));
  if (t->type == kTfLiteNoType) {
    return runtime_fail(sg, -1, index, ARN_UNSUPPORTED, "tensor %d \"%s\" has the unknown element type %d", index, t->name,
                        Tensor_type(file));
  }
  arn_status status = fill_quantization(sg, index, Tensor_quantization(file), t);
  if (status == ARN_OK) status = fill_sparsity(Tensor_sparsity(file), t);
  if (status == ARN_OK) status = fill_storage(sg, index, file, t);
  if (status == ARN_OK && t->sparsity && t->allocation_type != kTfLiteMmapRo) {
    return runtime_fail(sg, -1, index, ARN_INVALID_MODEL, "tensor %d \"%s\" is sparse and no constant", index, t->name);
  }
  if (status == ARN_OK && t->allocation_type != kTfLiteMmapRo) {
    t->dims_signature = copy_int_vector(Tensor_shape_signature(file));
    if (!t->dims_signature) status = ARN_OUT_OF_MEMORY;
  }
  return status;
}

arn_status runtime_fill_tensors(runtime_subgraph *sg) {
  fb_offsets tensors = SubGraph_tensors(model_subgraph(sg->interpreter->model, (uint32_t)sg->index));
  if (tensors.count > INT32_MAX - RUNTIME_TENSOR_HEADROOM || !runtime_reserve_tensors(sg, tensors.count))
    return ARN_OUT_OF_MEMORY;
  sg->file_tensors = (int)tensors.count;
  sg->context.tensors_size = tensors.count;
  for (uint32_t i = 0; i < tensors.count; i++) {
    sg->places[i] = (runtime_place){.life = {LIFETIME_UNWRITTEN, -1}, .segment = -1};
    arn_status status = fill_tensor(sg, (int)i, fb_table_at(tensors, i), &sg->context.tensors[i]);
    if (status != ARN_OK) return status;
  }
  return ARN_OK;
}
