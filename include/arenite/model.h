// SPDX-License-Identifier: Apache-2.0
// A .tflite model, used in place: opening reads nothing but the head, constants point into the caller's bytes, nothing is
// parsed into a tree. Everything returned by reference lives as long as the model and the bytes it was opened on.
#ifndef ARENITE_MODEL_H
#define ARENITE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/allocator.h"
#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_model arn_model;

// Flags of the open functions; 0 is right for files that nobody has vouched for.
enum {
  // Skip verification: the caller vouches for the file (it was verified before, or is part of the firmware image). Opening a
  // malformed file with this flag is undefined behaviour.
  ARN_MODEL_TRUSTED = 1,
  // Leave constants where they are even when they are not aligned for their element type. For tools that only look.
  ARN_MODEL_NO_COPY = 2,
};

// Opens a model in `size` bytes at `data`, which must stay unchanged until arn_model_close; any address will do. The file is
// verified first (see arn_model_verify). Constants whose address is not aligned for their element type are copied once, into
// memory from the allocator. allocator: arn_heap() in hosted programs; borrowed until arn_model_close.
// *model is NULL after an error.
arn_status arn_model_open_buffer(const void *data, size_t size, unsigned flags, const arn_allocator *allocator,
                                 arn_model **model, arn_error *error);

// Verifies a model without opening it: the FlatBuffer's structure (every offset, table, vector and string, with budgets for
// depth and tables), then its meaning (indices, sizes, order, quantisation, sparsity, calls between subgraphs). On failure
// *error says what is wrong, where (a path such as "subgraphs[0].operators[3].inputs[1]") and at which byte. Needs little
// memory for a while: one byte a tensor of the largest subgraph.
arn_status arn_model_verify(const void *data, size_t size, const arn_allocator *allocator, arn_error *error);

// Maps the file read-only and opens it, with the C heap as allocator. Hosted builds only. The file
// must not shrink while it is open.
arn_status arn_model_open_file(const char *path, unsigned flags, arn_model **model, arn_error *error);

// Frees the model; NULL is allowed. Nothing that refers to it may be used afterwards.
void arn_model_close(arn_model *model);

// ---- What is in a model. Every getter fills a small record whose pointers lead into the file; an index past the end gives
// ARN_NOT_FOUND and leaves the record alone. Texts are never NULL ("" where the file has none) and end with a NUL.

// An array in the file: little-endian elements of `width` bytes at any alignment.
typedef struct arn_view {
  const void *data;
  uint32_t count;
  uint32_t width;
} arn_view;
int64_t arn_view_int(arn_view view, uint32_t index);    // signed, of width 1, 2, 4 or 8; index < count
double arn_view_float(arn_view view, uint32_t index);   // of width 4 or 8

typedef struct arn_model_info {
  uint32_t schema_version;
  const char *description;
  char min_runtime_version[24];  // the runtime that the converter asks for ("2.5.0"), from the metadata; "" for none
  uint64_t file_size;
  uint64_t copied_bytes;  // constants copied because their place in the file is misaligned; 0 for nearly every file
  uint32_t subgraphs, operator_codes, buffers, signatures, metadata_entries;
} arn_model_info;
void arn_model_describe(const arn_model *model, arn_model_info *info);

typedef struct arn_operator_code_info {
  int32_t builtin;          // BuiltinOperator number; 32: custom
  const char *name;         // "CONV_2D"; "CUSTOM"; "" for a number newer than this library
  const char *custom_name;  // "" for builtins
  int32_t version;
} arn_operator_code_info;
arn_status arn_model_operator_code(const arn_model *model, uint32_t index, arn_operator_code_info *info);

typedef struct arn_subgraph_info {
  const char *name;
  uint32_t tensors, operators;
  arn_view inputs, outputs;  // int32 tensor indices; -1: an optional input left out
} arn_subgraph_info;
arn_status arn_model_subgraph(const arn_model *model, uint32_t index, arn_subgraph_info *info);

typedef struct arn_tensor_info {
  const char *name;
  int32_t type;              // the schema's TensorType number (not TfLiteType)
  const char *type_name;     // "FLOAT32"; "" for a number newer than this library
  arn_view shape;            // int32
  arn_view shape_signature;  // int32, -1: open until run time; count 0: as shape
  bool has_rank;             // false with an empty shape: the rank is unknown
  bool is_variable;
  bool is_sparse;
  uint32_t buffer;           // 0: none
  uint32_t external_buffer;  // id of data kept in another file; 0: none
  const void *data;          // constant data; NULL: not a constant
  uint64_t size;             // bytes of data
  int64_t data_offset;       // where data lies in the file, -1: none
  arn_view scales;           // float; count 0: not quantised, 1: per tensor, more: per channel
  arn_view zero_points;      // int64
  uint32_t quantized_dimension;
  const char *quantization_details;  // "BlockwiseQuantization" ...; "" for none
  int64_t file_offset;       // of the Tensor table
} arn_tensor_info;
arn_status arn_model_tensor(const arn_model *model, uint32_t subgraph, uint32_t index, arn_tensor_info *info);

typedef struct arn_operator_info {
  uint32_t code;             // index for arn_model_operator_code
  arn_operator_code_info kind;
  arn_view inputs, outputs, intermediates;  // int32 tensor indices; -1: an optional input left out
  const char *options;       // name of the options table that it carries ("Conv2DOptions"); "" for none
  const void *custom_options;
  uint64_t custom_options_size;
  int64_t file_offset;       // of the Operator table
} arn_operator_info;
arn_status arn_model_operator(const arn_model *model, uint32_t subgraph, uint32_t index, arn_operator_info *info);

// Field `field` (0, 1, ...) of an operator's options: of its options table, or of the FlexBuffers map in its custom options.
typedef enum arn_option_kind { ARN_OPTION_INT, ARN_OPTION_FLOAT, ARN_OPTION_BOOL, ARN_OPTION_TEXT, ARN_OPTION_INTS,
                               ARN_OPTION_FLOATS, ARN_OPTION_OTHER } arn_option_kind;
typedef struct arn_option_info {
  const char *name;        // "stride_w"
  arn_option_kind kind;
  bool stored;             // false: the file leaves it at its default
  int64_t integer;         // INT, BOOL
  double number;           // FLOAT
  const char *value_name;  // INT whose values have names: "SAME"; otherwise ""
  const char *text;        // TEXT
  arn_view elements;       // INTS, FLOATS
} arn_option_info;
arn_status arn_model_operator_option(const arn_model *model, uint32_t subgraph, uint32_t index, uint32_t field,
                                     arn_option_info *info);

typedef struct arn_buffer_info {
  const void *data;     // NULL: empty
  uint64_t size;
  int64_t file_offset;  // of data, -1: empty
  bool outside;         // behind the FlatBuffer, as in files over 2 GB
} arn_buffer_info;
arn_status arn_model_buffer(const arn_model *model, uint32_t index, arn_buffer_info *info);

typedef struct arn_signature_info {
  const char *key;  // "serving_default"
  uint32_t subgraph, inputs, outputs;
} arn_signature_info;
arn_status arn_model_signature(const arn_model *model, uint32_t index, arn_signature_info *info);
// Input or output `index` of a signature: its name and the tensor that it means in the signature's subgraph.
arn_status arn_model_signature_input(const arn_model *model, uint32_t signature, uint32_t index, const char **name,
                                     uint32_t *tensor);
arn_status arn_model_signature_output(const arn_model *model, uint32_t signature, uint32_t index, const char **name,
                                      uint32_t *tensor);

typedef struct arn_metadata_info {
  const char *name;
  uint32_t buffer;
  const void *data;
  uint64_t size;
} arn_metadata_info;
arn_status arn_model_metadata(const arn_model *model, uint32_t index, arn_metadata_info *info);
// By name; the last one of that name.
arn_status arn_model_metadata_find(const arn_model *model, const char *name, arn_metadata_info *info);

#ifdef __cplusplus
}
#endif
#endif
