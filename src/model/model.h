// SPDX-License-Identifier: Apache-2.0
// What a .tflite file means: typed reading of a verified model in place. The runtime, the operators and the micro interpreter
// read models through this; programs through arenite/model.h.
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "arenite/model.h"
#include "base/allocator.h"
#include "base/error.h"
#include "schema/schema.h"

// The record of an open model. A micro target places it in its own memory and fills it with model_init; it holds no reference
// to itself and owns nothing but the copies.
struct arn_model {
  const uint8_t *data;  // the file
  size_t size;          // all of it, with what lies behind the FlatBuffer
  fb_table root;
  fb_offsets codes, subgraphs, buffers;
  const base_allocator *allocator;  // NULL: no memory beyond this record
  uint8_t **copies;  // by buffer index: constants that had to be copied to be aligned; NULL: there was none
  uint64_t copied_bytes;
  // Called by arn_model_close with `mapping` (the file's mapping, say); NULL: nothing to do.
  void (*unmap)(void *mapping, size_t size);
  void *mapping;
};

typedef struct model_bytes {
  const uint8_t *data;  // NULL: none
  size_t size;
} model_bytes;

// Fills *model from a file that is verified or trusted; checks the identifier and the schema version. Copies and allocates
// nothing; the caller sets `allocator` afterwards if it wants misaligned constants mended by model_align_constants.
arn_status model_init(arn_model *model, const void *data, size_t size, arn_error *error);

// Copies the constants that are misaligned for their element type, with the model's allocator. Without an allocator a
// misaligned constant is an error (ARN_UNSUPPORTED) that names the tensor. Only on verified models.
arn_status model_align_constants(arn_model *model, arn_error *error);

// Releases the copies.
void model_release(arn_model *model);

static inline uint32_t model_subgraph_count(const arn_model *model) { return model->subgraphs.count; }
static inline fb_table model_subgraph(const arn_model *model, uint32_t subgraph) {
  return fb_table_at(model->subgraphs, subgraph);
}
static inline fb_table model_tensor(const arn_model *model, uint32_t subgraph, uint32_t tensor) {
  return fb_table_at(SubGraph_tensors(model_subgraph(model, subgraph)), tensor);
}
static inline fb_table model_operator(const arn_model *model, uint32_t subgraph, uint32_t op) {
  return fb_table_at(SubGraph_operators(model_subgraph(model, subgraph)), op);
}

// What kind of operator `op` (an Operator table) is. The code is the larger of the two fields: old files know only the
// byte-wide one, new codes do not fit into it (TFLite reference: schema_utils, GetBuiltinCode).
static inline fb_table model_operator_code(const arn_model *model, fb_table op) {
  return fb_table_at(model->codes, Operator_opcode_index(op));
}
static inline int32_t model_code_builtin(fb_table code) {
  int32_t wide = OperatorCode_builtin_code(code), narrow = OperatorCode_deprecated_builtin_code(code);
  return wide > narrow ? wide : narrow;
}
static inline int32_t model_operator_builtin(const arn_model *model, fb_table op) {
  return model_code_builtin(model_operator_code(model, op));
}
static inline int32_t model_operator_version(const arn_model *model, fb_table op) {
  return OperatorCode_version(model_operator_code(model, op));
}
// The custom operator's name; absent for a builtin.
static inline fb_string model_operator_custom_name(const arn_model *model, fb_table op) {
  return OperatorCode_custom_code(model_operator_code(model, op));
}

// The options table that the operator's kind calls for, from whichever union holds it; absent when the file carries none or
// one of another kind, so that its accessors give defaults.
fb_table model_operator_options(const arn_model *model, fb_table op);

// The subgraphs that an operator runs: up to two in called[] (returned: how many), or any number in *more (int32). From the
// file, unchecked until model_verify has passed.
uint32_t model_called_subgraphs(const arn_model *model, fb_table op, int32_t called[2], fb_vector *more);

// The bytes of a custom operator's options, inside the FlatBuffer or behind it.
model_bytes model_custom_options(const arn_model *model, fb_table op);

// The bytes of a buffer, inside the FlatBuffer or behind it, aligned for its tensor's element type (as far as
// model_align_constants has run). data NULL: no buffer; a buffer may also be there with size 0.
model_bytes model_buffer(const arn_model *model, uint32_t buffer);

// The constant data of a Tensor table; data NULL: not a constant (an activation, a variable, or kept in an external file). A
// buffer that is there but empty makes a constant only of a tensor without elements (the shape of a scalar, say): some
// converters give every activation one.
model_bytes model_tensor_data(const arn_model *model, fb_table tensor);

// The bytes of the metadata entry of that name (the last one, as the reference keeps); {NULL, 0}: none.
model_bytes model_metadata(const arn_model *model, const char *name);

// Bits that one element of a TensorType takes (4 for INT4 ...); 0 for types of no fixed size (STRING, RESOURCE, VARIANT) and
// unknown numbers.
uint32_t model_type_bits(int32_t type);
// The number of elements of a shape (an int32 vector); unknown dimensions (-1) count as 1. False when it does not fit.
bool model_shape_elements(fb_vector shape, size_t *elements);

// The dimension that per-channel scales run along: quantized_dimension, or 0 when that lies past the rank (old converters gave
// biases the dimension of their filters).
static inline uint32_t model_quantized_dimension(fb_table tensor) {
  int32_t dimension = QuantizationParameters_quantized_dimension(Tensor_quantization(tensor));
  return dimension > 0 && (uint32_t)dimension < Tensor_shape(tensor).count ? (uint32_t)dimension : 0;
}

// Bytes that `elements` elements take, packed types rounded up to whole bytes; false on overflow.
bool model_type_bytes(int32_t type, size_t elements, size_t *bytes);

#endif
