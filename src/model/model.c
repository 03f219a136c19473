// SPDX-License-Identifier: Apache-2.0
// Opening a model in place, and the readings that take more than one accessor.
#include "model/model.h"

#include "base/checked.h"
#include "model/model_verify.h"

arn_status model_init(arn_model *model, const void *data, size_t size, arn_error *error) {
  *model = (arn_model){.data = data, .size = size};
  if (!data) return error_set(error, ARN_INVALID_ARGUMENT, "no model data");
  if (size < 8) {
    return error_set(error, ARN_INVALID_MODEL, "not a .tflite file: %zu bytes are less than a root offset and an identifier",
                     size);
  }
  if (!fb_has_identifier(data, SCHEMA_IDENTIFIER)) {
    return error_set(error, ARN_INVALID_MODEL, "not a .tflite file: no identifier \"" SCHEMA_IDENTIFIER "\" at byte 4");
  }
  model->root = fb_root(data);
  uint32_t version = Model_version(model->root);
  if (version != SCHEMA_VERSION) {
    return error_set(error, ARN_UNSUPPORTED, "schema version %u; this library reads version %d", (unsigned)version,
                     SCHEMA_VERSION);
  }
  model->codes = Model_operator_codes(model->root);
  model->subgraphs = Model_subgraphs(model->root);
  model->buffers = Model_buffers(model->root);
  return ARN_OK;
}

fb_table model_operator_options(const arn_model *model, fb_table op) {
  bool second;
  uint8_t wanted = schema_operator_options(model_operator_builtin(model, op), &second);
  uint8_t have = second ? Operator_builtin_options_2_type(op) : Operator_builtin_options_type(op);
  if (wanted == 0 || have != wanted) return FB_ABSENT_TABLE;
  return second ? Operator_builtin_options_2(op) : Operator_builtin_options(op);
}

// Bytes that lie behind the FlatBuffer, by an offset from the file's first byte; offsets up to 1 mean "not there" (schema.fbs).
static model_bytes model_outside(const arn_model *model, uint64_t offset, uint64_t size) {
  if (offset <= 1 || offset > model->size || size > model->size - offset) return (model_bytes){NULL, 0};
  return (model_bytes){model->data + (size_t)offset, (size_t)size};
}

model_bytes model_custom_options(const arn_model *model, fb_table op) {
  fb_vector inside = Operator_custom_options(op);
  if (inside.data) return (model_bytes){inside.data, inside.count};
  return model_outside(model, Operator_large_custom_options_offset(op), Operator_large_custom_options_size(op));
}

static model_bytes model_in_place(const arn_model *model, uint32_t buffer) {
  fb_table table = fb_table_at(model->buffers, buffer);
  fb_vector inside = Buffer_data(table);
  if (inside.data) return (model_bytes){inside.data, inside.count};
  return model_outside(model, Buffer_offset(table), Buffer_size(table));
}

model_bytes model_buffer(const arn_model *model, uint32_t buffer) {
  // Buffer 0 is the empty one by convention, whatever it holds.
  if (buffer == 0 || buffer >= model->buffers.count) return (model_bytes){NULL, 0};
  model_bytes bytes = model_in_place(model, buffer);
  if (model->copies && model->copies[buffer]) bytes.data = model->copies[buffer];
  return bytes;
}

model_bytes model_tensor_data(const arn_model *model, fb_table tensor) {
  model_bytes bytes = model_buffer(model, Tensor_buffer(tensor));
  if (bytes.data && bytes.size == 0) {
    size_t elements = 1;
    bool has_elements = !model_shape_elements(Tensor_shape(tensor), &elements) || elements != 0;
    if (has_elements) bytes.data = NULL;
  }
  return bytes;
}

model_bytes model_metadata(const arn_model *model, const char *name) {
  fb_offsets entries = Model_metadata(model->root);
  for (uint32_t i = entries.count; i-- > 0;) {
    fb_table entry = fb_table_at(entries, i);
    if (fb_string_is(Metadata_name(entry), name)) return model_buffer(model, Metadata_buffer(entry));
  }
  return (model_bytes){NULL, 0};
}

uint32_t model_type_bits(int32_t type) {
  switch (type) {
    case TensorType_INT2: return 2;
    case TensorType_INT4:
    case TensorType_UINT4: return 4;
    case TensorType_UINT8:
    case TensorType_INT8:
    case TensorType_BOOL:
    case TensorType_FLOAT8_E4M3FN:
    case TensorType_FLOAT8_E5M2: return 8;
    case TensorType_FLOAT16:
    case TensorType_BFLOAT16:
    case TensorType_INT16:
    case TensorType_UINT16: return 16;
    case TensorType_FLOAT32:
    case TensorType_INT32:
    case TensorType_UINT32: return 32;
    case TensorType_FLOAT64:
    case TensorType_INT64:
    case TensorType_UINT64:
    case TensorType_COMPLEX64: return 64;
    case TensorType_COMPLEX128: return 128;
    default: return 0;  // STRING, RESOURCE, VARIANT
  }
}

bool model_shape_elements(fb_vector shape, size_t *elements) {
  *elements = 1;
  for (uint32_t i = 0; i < shape.count; ++i) {
    int32_t dim = fb_vector_i32(shape, i);
    if (dim == -1) continue;
    if (dim < 0 || !checked_mul(*elements, (size_t)dim, elements)) return false;
  }
  return true;
}

bool model_type_bytes(int32_t type, size_t elements, size_t *bytes) {
  uint32_t bits = model_type_bits(type);
  if (bits >= 8) return checked_mul(elements, bits / 8, bytes);
  if (bits == 0) return *bytes = 0, true;
  uint32_t per_byte = 8 / bits;
  *bytes = elements / per_byte + (elements % per_byte != 0);
  return true;
}

// What loads of a constant of this type need: complex numbers are pairs, packed types bytes, strings start with int32 offsets.
static uint32_t model_type_alignment(int32_t type) {
  switch (type) {
    case TensorType_STRING: return 4;
    case TensorType_COMPLEX64: return 4;
    case TensorType_COMPLEX128: return 8;
    default: break;
  }
  uint32_t bits = model_type_bits(type);
  return bits <= 8 ? 1 : bits / 8;
}

static arn_status model_copy_buffer(arn_model *model, uint32_t buffer, model_bytes bytes) {
  if (!model->copies) {
    model->copies = base_allocate_array(model->allocator, model->buffers.count, sizeof *model->copies, sizeof(void *));
    if (!model->copies) return ARN_OUT_OF_MEMORY;
  }
  uint8_t *copy = base_allocate(model->allocator, bytes.size, 16);
  if (!copy) return ARN_OUT_OF_MEMORY;
  memcpy(copy, bytes.data, bytes.size);
  model->copies[buffer] = copy;
  model->copied_bytes += bytes.size;
  return ARN_OK;
}

arn_status model_align_constants(arn_model *model, arn_error *error) {
  for (uint32_t s = 0; s < model->subgraphs.count; ++s) {
    fb_offsets tensors = SubGraph_tensors(model_subgraph(model, s));
    for (uint32_t t = 0; t < tensors.count; ++t) {
      fb_table tensor = fb_table_at(tensors, t);
      model_bytes bytes = model_tensor_data(model, tensor);
      if (((uintptr_t)bytes.data & (model_type_alignment(Tensor_type(tensor)) - 1)) == 0) continue;
      arn_status status = ARN_UNSUPPORTED;
      if (model->allocator) status = model_copy_buffer(model, Tensor_buffer(tensor), bytes);
      if (status == ARN_OK) continue;
      error_set(error, status, "tensor %u of subgraph %u (\"%s\"): its %zu bytes are not aligned for %s and %s", (unsigned)t,
                (unsigned)s, fb_text(Tensor_name(tensor)), bytes.size, schema_tensor_type_name(Tensor_type(tensor)),
                model->allocator ? "no memory is left for a copy" : "there is no allocator to copy them with");
      if (error) error->subgraph = (int32_t)s, error->tensor = (int32_t)t, error->byte = bytes.data - model->data;
      return status;
    }
  }
  return ARN_OK;
}

void model_release(arn_model *model) {
  if (!model->copies) return;
  for (uint32_t i = 0; i < model->buffers.count; ++i) base_release(model->allocator, model->copies[i]);
  base_release(model->allocator, model->copies);
  model->copies = NULL;
  model->copied_bytes = 0;
}

arn_status arn_model_open_buffer(const void *data, size_t size, unsigned flags, const arn_allocator *allocator, arn_model **model,
                                 arn_error *error) {
  if (!model) return error_set(error, ARN_INVALID_ARGUMENT, "no place for the model");
  *model = NULL;
  if (!allocator) return error_set(error, ARN_INVALID_ARGUMENT, "no allocator (hosted programs pass arn_heap())");
  arn_status status = ARN_OK;
  if (!(flags & ARN_MODEL_TRUSTED)) status = model_verify(data, size, allocator, error);
  if (status != ARN_OK) return status;
  arn_model opened;
  status = model_init(&opened, data, size, error);
  if (status != ARN_OK) return status;
  opened.allocator = allocator;
  if (!(flags & ARN_MODEL_NO_COPY)) status = model_align_constants(&opened, error);
  arn_model *kept = NULL;
  if (status == ARN_OK) {
    kept = base_allocate(allocator, sizeof *kept, sizeof(void *));
    if (!kept) status = error_set(error, ARN_OUT_OF_MEMORY, "no memory for the model's record (%zu bytes)", sizeof *kept);
  }
  if (status != ARN_OK) return model_release(&opened), status;
  *kept = opened;
  *model = kept;
  return ARN_OK;
}

arn_status arn_model_verify(const void *data, size_t size, const arn_allocator *allocator, arn_error *error) {
  if (!allocator) return error_set(error, ARN_INVALID_ARGUMENT, "no allocator (hosted programs pass arn_heap())");
  return model_verify(data, size, allocator, error);
}

void arn_model_close(arn_model *model) {
  if (!model) return;
  model_release(model);
  if (model->unmap) model->unmap(model->mapping, model->size);
  base_release(model->allocator, model);
}
