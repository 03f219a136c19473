// SPDX-License-Identifier: Apache-2.0
// The parts of a .tflite file over the FlatBuffer builder.
#include "model_parts.h"

#include <stdio.h>

fb_ref model_part_tensor(fb_builder *b, const tensor_part *part) {
  fb_ref quantization = 0;
  if (part->scale_count) {
    fb_ref zero_points = fb_build_vector(b, part->zero_points, part->scale_count, sizeof *part->zero_points, 0);
    fb_ref scales = fb_build_vector(b, part->scales, part->scale_count, sizeof *part->scales, 0);
    fb_build_table(b);
    fb_build_i32(b, QuantizationParameters_quantized_dimension_id, part->quantized_dimension, 0);
    fb_build_ref(b, QuantizationParameters_zero_point_id, zero_points);
    fb_build_ref(b, QuantizationParameters_scale_id, scales);
    quantization = fb_build_table_end(b);
  }
  fb_ref name = fb_build_text(b, part->name);
  fb_ref shape = fb_build_vector(b, part->shape, part->rank, sizeof *part->shape, 0);
  fb_build_table(b);
  fb_build_ref(b, Tensor_quantization_id, quantization);
  fb_build_ref(b, Tensor_name_id, name);
  fb_build_u32(b, Tensor_buffer_id, part->buffer, 0);
  fb_build_ref(b, Tensor_shape_id, shape);
  fb_build_i8(b, Tensor_type_id, (int8_t)part->type, TensorType_FLOAT32);
  return fb_build_table_end(b);
}

fb_ref model_part_operator(fb_builder *b, const operator_part *part) {
  fb_ref outputs = fb_build_vector(b, part->outputs, part->output_count, sizeof *part->outputs, 0);
  fb_ref inputs = fb_build_vector(b, part->inputs, part->input_count, sizeof *part->inputs, 0);
  fb_build_table(b);
  fb_build_ref(b, Operator_builtin_options_id, part->options);
  fb_build_ref(b, Operator_outputs_id, outputs);
  fb_build_ref(b, Operator_inputs_id, inputs);
  fb_build_u32(b, Operator_opcode_index_id, part->opcode_index, 0);
  fb_build_u8(b, Operator_builtin_options_type_id, (uint8_t)part->options_type, BuiltinOptions_NONE);
  return fb_build_table_end(b);
}

fb_ref model_part_operator_code(fb_builder *b, enum BuiltinOperator code, int32_t version) {
  // Readers from before the wide field look at the narrow one, which ends at the placeholder.
  int8_t narrow = code < BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES ? (int8_t)code : BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES;
  fb_build_table(b);
  fb_build_i32(b, OperatorCode_builtin_code_id, (int32_t)code, 0);
  fb_build_i32(b, OperatorCode_version_id, version, 1);
  fb_build_i8(b, OperatorCode_deprecated_builtin_code_id, narrow, 0);
  return fb_build_table_end(b);
}

fb_ref model_part_buffer(fb_builder *b, const void *data, uint32_t size, uint32_t alignment) {
  fb_ref bytes = size ? fb_build_vector(b, data, size, 1, alignment) : 0;
  fb_build_table(b);
  fb_build_ref(b, Buffer_data_id, bytes);
  return fb_build_table_end(b);
}

fb_ref model_part_metadata(fb_builder *b, const char *name, uint32_t buffer) {
  fb_ref text = fb_build_text(b, name);
  fb_build_table(b);
  fb_build_u32(b, Metadata_buffer_id, buffer, 0);
  fb_build_ref(b, Metadata_name_id, text);
  return fb_build_table_end(b);
}

fb_ref model_part_conv_2d(fb_builder *b, enum Padding padding, int32_t stride, enum ActivationFunctionType activation) {
  fb_build_table(b);
  fb_build_i32(b, Conv2DOptions_stride_h_id, stride, 0);
  fb_build_i32(b, Conv2DOptions_stride_w_id, stride, 0);
  fb_build_i8(b, Conv2DOptions_fused_activation_function_id, (int8_t)activation, 0);
  fb_build_i8(b, Conv2DOptions_padding_id, (int8_t)padding, 0);
  return fb_build_table_end(b);
}

fb_ref model_part_pool_2d(fb_builder *b, enum Padding padding, int32_t stride, int32_t size) {
  fb_build_table(b);
  fb_build_i32(b, Pool2DOptions_filter_height_id, size, 0);
  fb_build_i32(b, Pool2DOptions_filter_width_id, size, 0);
  fb_build_i32(b, Pool2DOptions_stride_h_id, stride, 0);
  fb_build_i32(b, Pool2DOptions_stride_w_id, stride, 0);
  fb_build_i8(b, Pool2DOptions_padding_id, (int8_t)padding, 0);
  return fb_build_table_end(b);
}

bool model_part_save(fb_builder *b, fb_ref root, const char *path) {
  const uint8_t *bytes;
  size_t size;
  arn_status status = fb_build_finish(b, root, SCHEMA_IDENTIFIER, &bytes, &size);
  if (status != ARN_OK) {
    fprintf(stderr, "%s: %s\n", path, arn_status_text(status));
    return false;
  }
  FILE *file = fopen(path, "wb");
  bool written = file && fwrite(bytes, 1, size, file) == size;
  if (file && fclose(file) != 0) written = false;
  if (!written) perror(path);
  return written;
}
