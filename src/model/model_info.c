// SPDX-License-Identifier: Apache-2.0
// The public getters of arenite/model.h: what is in a model, as plain records.
#include "flatbuffer/flex_read.h"
#include "model/model.h"

int64_t arn_view_int(arn_view view, uint32_t index) {
  const uint8_t *at = (const uint8_t *)view.data + (size_t)index * view.width;
  switch (view.width) {
    case 1: return fb_load_i8(at);
    case 2: return fb_load_i16(at);
    case 4: return fb_load_i32(at);
    default: return fb_load_i64(at);
  }
}

double arn_view_float(arn_view view, uint32_t index) {
  const uint8_t *at = (const uint8_t *)view.data + (size_t)index * view.width;
  return view.width == 4 ? (double)fb_load_f32(at) : fb_load_f64(at);
}

static arn_view info_view(fb_vector v, uint32_t width) { return (arn_view){v.data, v.count, width}; }
static const char *info_text(const char *text) { return text ? text : ""; }
static int64_t info_offset(const arn_model *model, fb_table t) { return fb_present(t) ? t.base + t.pos - model->data : -1; }

void arn_model_describe(const arn_model *model, arn_model_info *info) {
  *info = (arn_model_info){
      .schema_version = Model_version(model->root),
      .description = fb_text(Model_description(model->root)),
      .file_size = model->size,
      .copied_bytes = model->copied_bytes,
      .subgraphs = model->subgraphs.count,
      .operator_codes = model->codes.count,
      .buffers = model->buffers.count,
      .signatures = Model_signature_defs(model->root).count,
      .metadata_entries = Model_metadata(model->root).count,
  };
  // Writers pad the version with NULs to 16 bytes.
  model_bytes version = model_metadata(model, "min_runtime_version");
  size_t room = sizeof info->min_runtime_version - 1, length = version.size < room ? version.size : room;
  if (version.data) memcpy(info->min_runtime_version, version.data, length);
}

static arn_operator_code_info info_code(fb_table code) {
  int32_t builtin = model_code_builtin(code);
  return (arn_operator_code_info){
      .builtin = builtin,
      .name = info_text(schema_builtin_operator_name(builtin)),
      .custom_name = builtin == BuiltinOperator_CUSTOM ? fb_text(OperatorCode_custom_code(code)) : "",
      .version = OperatorCode_version(code),
  };
}

arn_status arn_model_operator_code(const arn_model *model, uint32_t index, arn_operator_code_info *info) {
  if (index >= model->codes.count) return ARN_NOT_FOUND;
  *info = info_code(fb_table_at(model->codes, index));
  return ARN_OK;
}

arn_status arn_model_subgraph(const arn_model *model, uint32_t index, arn_subgraph_info *info) {
  if (index >= model->subgraphs.count) return ARN_NOT_FOUND;
  fb_table subgraph = model_subgraph(model, index);
  *info = (arn_subgraph_info){
      .name = fb_text(SubGraph_name(subgraph)),
      .tensors = SubGraph_tensors(subgraph).count,
      .operators = SubGraph_operators(subgraph).count,
      .inputs = info_view(SubGraph_inputs(subgraph), 4),
      .outputs = info_view(SubGraph_outputs(subgraph), 4),
  };
  return ARN_OK;
}

// Where a buffer's bytes lie in the file (they may be used from a copy elsewhere).
static int64_t info_buffer_offset(const arn_model *model, uint32_t index) {
  fb_table buffer = fb_table_at(model->buffers, index);
  fb_vector inside = Buffer_data(buffer);
  return inside.data ? inside.data - model->data : (int64_t)Buffer_offset(buffer);
}

arn_status arn_model_tensor(const arn_model *model, uint32_t subgraph, uint32_t index, arn_tensor_info *info) {
  if (subgraph >= model->subgraphs.count || index >= SubGraph_tensors(model_subgraph(model, subgraph)).count)
    return ARN_NOT_FOUND;
  fb_table tensor = model_tensor(model, subgraph, index), quantization = Tensor_quantization(tensor);
  model_bytes data = model_tensor_data(model, tensor);
  *info = (arn_tensor_info){
      .name = fb_text(Tensor_name(tensor)),
      .type = Tensor_type(tensor),
      .type_name = info_text(schema_tensor_type_name(Tensor_type(tensor))),
      .shape = info_view(Tensor_shape(tensor), 4),
      .shape_signature = info_view(Tensor_shape_signature(tensor), 4),
      .has_rank = Tensor_has_rank(tensor) || Tensor_shape(tensor).count != 0,
      .is_variable = Tensor_is_variable(tensor),
      .is_sparse = fb_present(Tensor_sparsity(tensor)),
      .buffer = Tensor_buffer(tensor),
      .external_buffer = Tensor_external_buffer(tensor),
      .data = data.data,
      .size = data.size,
      .data_offset = data.data ? info_buffer_offset(model, Tensor_buffer(tensor)) : -1,
      .scales = info_view(QuantizationParameters_scale(quantization), 4),
      .zero_points = info_view(QuantizationParameters_zero_point(quantization), 8),
      .quantized_dimension = model_quantized_dimension(tensor),
      .quantization_details = "",
      .file_offset = info_offset(model, tensor),
  };
  const fb_table_desc *details = schema_quantization_details(QuantizationParameters_details_type(quantization));
  if (details) info->quantization_details = fb_table_name(details);
  return ARN_OK;
}

// The operator's options table and what it is; NULL: none, or one that the schema does not know.
static const fb_table_desc *info_stored_options(fb_table op, fb_table *options) {
  const fb_table_desc *description = schema_options_table(Operator_builtin_options_type(op), false);
  *options = Operator_builtin_options(op);
  if (description) return description;
  description = schema_options_table(Operator_builtin_options_2_type(op), true);
  *options = Operator_builtin_options_2(op);
  return description;
}

static bool info_has_operator(const arn_model *model, uint32_t subgraph, uint32_t index) {
  return subgraph < model->subgraphs.count && index < SubGraph_operators(model_subgraph(model, subgraph)).count;
}

arn_status arn_model_operator(const arn_model *model, uint32_t subgraph, uint32_t index, arn_operator_info *info) {
  if (!info_has_operator(model, subgraph, index)) return ARN_NOT_FOUND;
  fb_table op = model_operator(model, subgraph, index), options;
  const fb_table_desc *description = info_stored_options(op, &options);
  model_bytes custom = model_custom_options(model, op);
  *info = (arn_operator_info){
      .code = Operator_opcode_index(op),
      .kind = info_code(model_operator_code(model, op)),
      .inputs = info_view(Operator_inputs(op), 4),
      .outputs = info_view(Operator_outputs(op), 4),
      .intermediates = info_view(Operator_intermediates(op), 4),
      .options = description ? fb_table_name(description) : "",
      .custom_options = custom.data,
      .custom_options_size = custom.size,
      .file_offset = info_offset(model, op),
  };
  return ARN_OK;
}

static void info_scalar_option(fb_table options, uint32_t id, const fb_field_desc *field, arn_option_info *info) {
  const uint8_t *at = fb_field_at(options, id);
  if (!at) {
#if ARENITE_MESSAGES
    info->integer = field->otherwise;
#endif
    info->number = (double)info->integer;
  } else if (field->base == FB_BASE_f32 || field->base == FB_BASE_f64) {
    info->number = field->base == FB_BASE_f32 ? (double)fb_load_f32(at) : fb_load_f64(at);
  } else {
    info->integer = fb_load_integer(at, field->base);
  }
  bool is_float = field->base == FB_BASE_f32 || field->base == FB_BASE_f64;
  info->kind = is_float ? ARN_OPTION_FLOAT : field->base == FB_BASE_bool ? ARN_OPTION_BOOL : ARN_OPTION_INT;
  if (info->kind == ARN_OPTION_INT)
    info->value_name = info_text(fb_field_value_name(&schema_description, field, info->integer));
}

// An entry of a custom operator's options, where these are a FlexBuffers map.
static arn_status info_custom_option(model_bytes options, uint32_t entry, arn_option_info *info) {
  flex_value map = flex_root(options.data, options.size), value = flex_at(map, entry);
  const char *name = flex_key(map, entry);
  if (flex_kind_of(map) != FLEX_IS_MAP || !name) return ARN_NOT_FOUND;
  *info = (arn_option_info){.name = name, .kind = ARN_OPTION_OTHER, .stored = true, .value_name = "", .text = ""};
  switch (flex_kind_of(value)) {
    case FLEX_IS_INT: info->kind = ARN_OPTION_INT; break;
    case FLEX_IS_BOOL: info->kind = ARN_OPTION_BOOL; break;
    case FLEX_IS_FLOAT: info->kind = ARN_OPTION_FLOAT; break;
    case FLEX_IS_TEXT: info->kind = ARN_OPTION_TEXT; break;
    default: break;
  }
  info->integer = flex_int(value);
  info->number = flex_float(value);
  info->text = flex_text(value);
  return ARN_OK;
}

arn_status arn_model_operator_option(const arn_model *model, uint32_t subgraph, uint32_t index, uint32_t field,
                                     arn_option_info *info) {
  if (!info_has_operator(model, subgraph, index)) return ARN_NOT_FOUND;
  model_bytes custom = model_custom_options(model, model_operator(model, subgraph, index));
  if (custom.size) return info_custom_option(custom, field, info);
  fb_table options;
  const fb_table_desc *description = info_stored_options(model_operator(model, subgraph, index), &options);
  if (!description || field >= description->count) return ARN_NOT_FOUND;
  const fb_field_desc *described = &schema_description.fields[description->first + field];
  *info = (arn_option_info){
      .name = fb_field_name(described), .kind = ARN_OPTION_OTHER, .stored = fb_has(options, field), .value_name = "", .text = ""};
  bool is_float = described->base == FB_BASE_f32 || described->base == FB_BASE_f64;
  switch (described->kind) {
    case FB_KIND_SCALAR: info_scalar_option(options, field, described, info); break;
    case FB_KIND_STRING:
      info->kind = ARN_OPTION_TEXT;
      info->text = fb_text(fb_field_string(options, field));
      break;
    case FB_KIND_VECTOR:
      info->kind = is_float ? ARN_OPTION_FLOATS : ARN_OPTION_INTS;
      info->elements = info_view(fb_field_vector(options, field), fb_base_size(described->base));
      break;
    default: break;
  }
  return ARN_OK;
}

arn_status arn_model_buffer(const arn_model *model, uint32_t index, arn_buffer_info *info) {
  if (index >= model->buffers.count) return ARN_NOT_FOUND;
  model_bytes bytes = model_buffer(model, index);
  *info = (arn_buffer_info){
      .data = bytes.size ? bytes.data : NULL,
      .size = bytes.size,
      .file_offset = bytes.size ? info_buffer_offset(model, index) : -1,
      .outside = bytes.size && !Buffer_data(fb_table_at(model->buffers, index)).data,
  };
  return ARN_OK;
}

arn_status arn_model_signature(const arn_model *model, uint32_t index, arn_signature_info *info) {
  fb_offsets signatures = Model_signature_defs(model->root);
  if (index >= signatures.count) return ARN_NOT_FOUND;
  fb_table signature = fb_table_at(signatures, index);
  *info = (arn_signature_info){
      .key = fb_text(SignatureDef_signature_key(signature)),
      .subgraph = SignatureDef_subgraph_index(signature),
      .inputs = SignatureDef_inputs(signature).count,
      .outputs = SignatureDef_outputs(signature).count,
  };
  return ARN_OK;
}

static arn_status info_map(fb_offsets maps, uint32_t index, const char **name, uint32_t *tensor) {
  if (index >= maps.count) return ARN_NOT_FOUND;
  fb_table map = fb_table_at(maps, index);
  *name = fb_text(TensorMap_name(map));
  *tensor = TensorMap_tensor_index(map);
  return ARN_OK;
}

arn_status arn_model_signature_input(const arn_model *model, uint32_t signature, uint32_t index, const char **name,
                                     uint32_t *tensor) {
  fb_offsets signatures = Model_signature_defs(model->root);
  if (signature >= signatures.count) return ARN_NOT_FOUND;
  return info_map(SignatureDef_inputs(fb_table_at(signatures, signature)), index, name, tensor);
}

arn_status arn_model_signature_output(const arn_model *model, uint32_t signature, uint32_t index, const char **name,
                                      uint32_t *tensor) {
  fb_offsets signatures = Model_signature_defs(model->root);
  if (signature >= signatures.count) return ARN_NOT_FOUND;
  return info_map(SignatureDef_outputs(fb_table_at(signatures, signature)), index, name, tensor);
}

arn_status arn_model_metadata(const arn_model *model, uint32_t index, arn_metadata_info *info) {
  fb_offsets entries = Model_metadata(model->root);
  if (index >= entries.count) return ARN_NOT_FOUND;
  fb_table entry = fb_table_at(entries, index);
  model_bytes bytes = model_buffer(model, Metadata_buffer(entry));
  *info = (arn_metadata_info){
      .name = fb_text(Metadata_name(entry)), .buffer = Metadata_buffer(entry), .data = bytes.data, .size = bytes.size};
  return ARN_OK;
}

arn_status arn_model_metadata_find(const arn_model *model, const char *name, arn_metadata_info *info) {
  for (uint32_t i = Model_metadata(model->root).count; i-- > 0;) {
    arn_metadata_info entry;
    if (arn_model_metadata(model, i, &entry) == ARN_OK && strcmp(entry.name, name) == 0) return *info = entry, ARN_OK;
  }
  return ARN_NOT_FOUND;
}
