// SPDX-License-Identifier: Apache-2.0
// Verification of one tensor: type, shape, constant data, quantisation.
#include "base/checked.h"
#include "model/model_verify.h"

static arn_status verify_type(model_check *c, fb_table tensor) {
  int32_t type = Tensor_type(tensor);
  bool sized = model_type_bits(type) != 0;
  if (sized || type == TensorType_STRING || type == TensorType_RESOURCE || type == TensorType_VARIANT) return ARN_OK;
  return model_check_fail(c, "type", -1, check_byte(tensor, Tensor_type_id), "unknown tensor type %d", (int)type);
}

// Dimensions are >= -1; -1 (unknown until run time) stands in shape_signature, in old files in shape too.
static arn_status verify_dims(model_check *c, fb_vector dims, const char *field, const uint8_t *at) {
  arn_status status = model_check_work(c, field, at, dims.count);
  if (status != ARN_OK) return status;
  for (uint32_t i = 0; i < dims.count; ++i) {
    int32_t dim = fb_vector_i32(dims, i);
    if (dim < -1) return model_check_fail(c, field, i, check_element(dims, i, 4), "a dimension of %d", (int)dim);
  }
  return ARN_OK;
}

static arn_status verify_shape(model_check *c, fb_table tensor, size_t *elements) {
  fb_vector shape = Tensor_shape(tensor);
  const uint8_t *at = check_byte(tensor, Tensor_shape_id);
  arn_status status = verify_dims(c, shape, "shape", at);
  if (status != ARN_OK) return status;
  size_t bytes;
  if (!model_shape_elements(shape, elements) || !model_type_bytes(Tensor_type(tensor), *elements, &bytes)) {
    return model_check_fail(c, "shape", -1, at, "the product of the dimensions does not fit a size");
  }
  fb_vector signature = Tensor_shape_signature(tensor);
  const uint8_t *signature_at = check_byte(tensor, Tensor_shape_signature_id);
  status = verify_dims(c, signature, "shape_signature", signature_at);
  if (status == ARN_OK && signature.count != 0 && signature.count != shape.count) {
    status = model_check_fail(c, "shape_signature", -1, signature_at, "a signature of rank %u for a shape of rank %u",
                              (unsigned)signature.count, (unsigned)shape.count);
  }
  return status;
}

// A string tensor's bytes: int32 count, count + 1 int32 offsets from the first byte, then the characters (TFLite's
// string_util).
static arn_status verify_strings(model_check *c, fb_table tensor, model_bytes bytes, size_t elements) {
  const uint8_t *at = bytes.data;
  if (bytes.size < 4) return model_check_fail(c, "buffer", -1, at, "a string tensor of %zu bytes", bytes.size);
  uint32_t count = fb_load_u32(bytes.data);
  // (count + 2) * 4 <= size, written so that it cannot wrap.
  if (bytes.size / 4 < 2 || count > bytes.size / 4 - 2) {
    return model_check_fail(c, "buffer", -1, at, "%u strings in a string tensor of %zu bytes", (unsigned)count, bytes.size);
  }
  if (Tensor_shape(tensor).count != 0 && count != elements) {
    return model_check_fail(c, "buffer", -1, at, "%u strings for a shape of %zu elements", (unsigned)count, elements);
  }
  arn_status status = model_check_work(c, "buffer", at, count);
  if (status != ARN_OK) return status;
  uint32_t before = 4 * (count + 2);  // the first character; no string starts before it
  for (uint32_t i = 0; i <= count; ++i) {
    const uint8_t *offset_at = bytes.data + 4 + (size_t)i * 4;
    uint32_t offset = fb_load_u32(offset_at);
    if (offset < before || offset > bytes.size) {
      return model_check_fail(c, "buffer", -1, offset_at, "string %u of %u starts at %u", (unsigned)i, (unsigned)count,
                              (unsigned)offset);
    }
    before = offset;
  }
  return ARN_OK;
}

static arn_status verify_buffer(model_check *c, fb_table tensor, size_t elements) {
  uint32_t index = Tensor_buffer(tensor);
  const uint8_t *at = check_byte(tensor, Tensor_buffer_id);
  if (index >= c->model->buffers.count && index != 0) {
    return model_check_fail(c, "buffer", -1, at, "buffer %u of %u", (unsigned)index, (unsigned)c->model->buffers.count);
  }
  model_bytes bytes = model_tensor_data(c->model, tensor);
  if (!bytes.data) {
    if (!fb_present(Tensor_sparsity(tensor))) return ARN_OK;
    return model_check_fail(c, "sparsity", -1, check_byte(tensor, Tensor_sparsity_id), "a sparse tensor that is no constant");
  }
  int32_t type = Tensor_type(tensor);
  if (Tensor_is_variable(tensor)) {
    return model_check_fail(c, "is_variable", -1, check_byte(tensor, Tensor_is_variable_id),
                            "a variable tensor with constant data (buffer %u)", (unsigned)index);
  }
  if (type == TensorType_STRING) return verify_strings(c, tensor, bytes, elements);
  if (model_type_bits(type) == 0) return ARN_OK;  // resources and variants: their bytes mean nothing here
  fb_table sparsity = Tensor_sparsity(tensor);
  if (fb_present(sparsity)) {
    arn_status status = sparsity_verify(c, tensor, &elements);
    if (status != ARN_OK) return status;
  } else {
    fb_vector shape = Tensor_shape(tensor);
    for (uint32_t i = 0; i < shape.count; ++i) {
      if (fb_vector_i32(shape, i) < 0) {
        return model_check_fail(c, "shape", i, check_element(shape, i, 4), "a constant with an unknown dimension");
      }
    }
  }
  size_t needed = 0;
  if (!model_type_bytes(type, elements, &needed) || needed > bytes.size) {
    return model_check_fail(c, "buffer", -1, at, "%zu elements of %s in the %zu bytes of buffer %u", elements,
                            schema_tensor_type_name(type), bytes.size, (unsigned)index);
  }
  return ARN_OK;
}

static arn_status verify_affine(model_check *c, fb_table tensor, fb_table quantization) {
  fb_vector scales = QuantizationParameters_scale(quantization), zeros = QuantizationParameters_zero_point(quantization);
  if (scales.count == 0) return ARN_OK;  // not quantised, whatever else is there
  if (zeros.count != scales.count) {
    return model_check_fail(c, "quantization.zero_point", -1, check_byte(quantization, QuantizationParameters_zero_point_id),
                            "%u zero points for %u scales", (unsigned)zeros.count, (unsigned)scales.count);
  }
  int32_t dimension = QuantizationParameters_quantized_dimension(quantization);
  const uint8_t *at = check_byte(quantization, QuantizationParameters_quantized_dimension_id);
  if (dimension < 0) {
    return model_check_fail(c, "quantization.quantized_dimension", -1, at, "a quantised dimension of %d", (int)dimension);
  }
  fb_vector shape = Tensor_shape(tensor);
  if (scales.count == 1 || shape.count == 0) return ARN_OK;
  // A dimension past the rank is read as 0: an old converter gave biases the dimension of their filters, and those models are
  // used.
  if ((uint32_t)dimension >= shape.count) dimension = 0;
  int32_t channels = fb_vector_i32(shape, (uint32_t)dimension);
  if (channels < 0 || scales.count != (uint32_t)channels) {
    return model_check_fail(c, "quantization.scale", -1, check_byte(quantization, QuantizationParameters_scale_id),
                            "%u scales for the %d elements of dimension %d", (unsigned)scales.count, (int)channels,
                            (int)dimension);
  }
  return ARN_OK;
}

static arn_status verify_tensor_reference(model_check *c, const char *field, const uint8_t *at, int32_t index, bool optional,
                                          uint32_t tensors) {
  if ((optional && index == -1) || (index >= 0 && (uint32_t)index < tensors)) return ARN_OK;
  return model_check_fail(c, field, -1, at, "tensor %d of %u", (int)index, (unsigned)tensors);
}

static arn_status verify_blockwise(model_check *c, fb_table details, uint32_t tensors) {
  const uint8_t *at = check_byte(details, BlockwiseQuantization_scales_id);
  int32_t scales = BlockwiseQuantization_scales(details);
  arn_status status = verify_tensor_reference(c, "quantization.details.scales", at, scales, false, tensors);
  if (status != ARN_OK) return status;
  at = check_byte(details, BlockwiseQuantization_zero_points_id);
  int32_t zero_points = BlockwiseQuantization_zero_points(details);
  status = verify_tensor_reference(c, "quantization.details.zero_points", at, zero_points, true, tensors);
  if (status != ARN_OK || BlockwiseQuantization_block_size(details) > 0) return status;
  return model_check_fail(c, "quantization.details.block_size", -1, check_byte(details, BlockwiseQuantization_block_size_id),
                          "a block size of %d", (int)BlockwiseQuantization_block_size(details));
}

static arn_status verify_multi_axis(model_check *c, fb_table tensor, fb_table details, uint32_t tensors) {
  const uint8_t *at = check_byte(details, MultiAxisQuantization_scales_id);
  int32_t scales = MultiAxisQuantization_scales(details);
  arn_status status = verify_tensor_reference(c, "quantization.details.scales", at, scales, false, tensors);
  if (status != ARN_OK) return status;
  at = check_byte(details, MultiAxisQuantization_zero_points_id);
  int32_t zero_points = MultiAxisQuantization_zero_points(details);
  status = verify_tensor_reference(c, "quantization.details.zero_points", at, zero_points, true, tensors);
  if (status != ARN_OK) return status;
  at = check_byte(details, MultiAxisQuantization_block_size_id);
  if (MultiAxisQuantization_block_size(details) < 0) {
    return model_check_fail(c, "quantization.details.block_size", -1, at, "a block size of %d",
                            (int)MultiAxisQuantization_block_size(details));
  }
  fb_vector dimensions = MultiAxisQuantization_quantized_dimensions(details), shape = Tensor_shape(tensor);
  at = check_byte(details, MultiAxisQuantization_quantized_dimensions_id);
  if (dimensions.count == 0) {
    return model_check_fail(c, "quantization.details.quantized_dimensions", -1, at, "no quantised dimension");
  }
  status = model_check_work(c, "quantization.details.quantized_dimensions", at, dimensions.count);
  for (uint32_t i = 0; status == ARN_OK && i < dimensions.count; ++i) {
    int32_t dimension = fb_vector_i32(dimensions, i);
    if (dimension < 0 || (shape.count != 0 && (uint32_t)dimension >= shape.count)) {
      status = model_check_fail(c, "quantization.details.quantized_dimensions", i, check_element(dimensions, i, 4),
                                "dimension %d of a tensor of rank %u", (int)dimension, (unsigned)shape.count);
    }
  }
  return status;
}

arn_status tensor_verify(model_check *c, fb_table tensor, uint32_t tensors) {
  size_t elements = 0;
  arn_status status = verify_type(c, tensor);
  if (status == ARN_OK) status = verify_shape(c, tensor, &elements);
  if (status == ARN_OK) status = verify_buffer(c, tensor, elements);
  fb_table quantization = Tensor_quantization(tensor);
  if (status != ARN_OK || !fb_present(quantization)) return status;
  fb_table details = QuantizationParameters_details(quantization);
  switch (fb_present(details) ? QuantizationParameters_details_type(quantization) : QuantizationDetails_NONE) {
    case QuantizationDetails_BlockwiseQuantization: return verify_blockwise(c, details, tensors);
    case QuantizationDetails_MultiAxisQuantization: return verify_multi_axis(c, tensor, details, tensors);
    default: return verify_affine(c, tensor, quantization);
  }
}
