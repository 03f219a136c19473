// SPDX-License-Identifier: Apache-2.0
// The parts of a .tflite file, one function each over the FlatBuffer builder: shared by the tools that write models.
#ifndef TOOLS_MODEL_PARTS_H
#define TOOLS_MODEL_PARTS_H

#include "flatbuffer/fb_build.h"
#include "schema/schema.h"

typedef struct tensor_part {
  const char *name;
  enum TensorType type;
  const int32_t *shape;
  uint32_t rank;
  uint32_t buffer;
  const float *scales;         // scale_count of them; 0: not quantised
  const int64_t *zero_points;  // scale_count of them
  uint32_t scale_count;
  int32_t quantized_dimension;
} tensor_part;

typedef struct operator_part {
  uint32_t opcode_index;
  const int32_t *inputs, *outputs;
  uint32_t input_count, output_count;
  enum BuiltinOptions options_type;
  fb_ref options;
} operator_part;

fb_ref model_part_tensor(fb_builder *b, const tensor_part *part);
fb_ref model_part_operator(fb_builder *b, const operator_part *part);
fb_ref model_part_operator_code(fb_builder *b, enum BuiltinOperator code, int32_t version);
fb_ref model_part_buffer(fb_builder *b, const void *data, uint32_t size, uint32_t alignment);  // size 0: an empty buffer
fb_ref model_part_metadata(fb_builder *b, const char *name, uint32_t buffer);

// The options of the operators that the tools write.
fb_ref model_part_conv_2d(fb_builder *b, enum Padding padding, int32_t stride, enum ActivationFunctionType activation);
fb_ref model_part_pool_2d(fb_builder *b, enum Padding padding, int32_t stride, int32_t size);

// Writes the finished buffer to a file; prints what failed and returns false.
bool model_part_save(fb_builder *b, fb_ref root, const char *path);

#endif
