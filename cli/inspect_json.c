// SPDX-License-Identifier: Apache-2.0
// `arenite inspect` as JSON.
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "inspect.h"
#include "json.h"
#include "views.h"

static void head_json(cJSON *document, const inspect_source *source) {
  json_add_text(document, "file", source->path);
  json_add_size(document, "size", source->info.file_size);
  json_add_size(document, "schema_version", source->info.schema_version);
  json_add_text(document, "description", source->info.description);
  json_add_text(document, "min_runtime_version", source->info.min_runtime_version);
  json_add_size(document, "copied_bytes", source->info.copied_bytes);
}

static void codes_json(cJSON *document, const inspect_source *source) {
  cJSON *array = json_add_array(document, "operator_codes");
  arn_operator_code_info code;
  for (uint32_t i = 0; arn_model_operator_code(source->model, i, &code) == ARN_OK; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_int(item, "code", code.builtin);
    json_add_text(item, "name", code.name);
    if (*code.custom_name) json_add_text(item, "custom_name", code.custom_name);
    json_add_int(item, "version", code.version);
  }
}

static void tensor_json(cJSON *array, const inspect_source *source, uint32_t s, uint32_t index,
                        const arn_subgraph_info *subgraph) {
  arn_tensor_info tensor;
  if (arn_model_tensor(source->model, s, index, &tensor) != ARN_OK) return;
  cJSON *item = json_add_object(array, NULL);
  json_add_text(item, "name", tensor.name);
  json_add_int(item, "type", tensor.type);
  json_add_text(item, "type_name", tensor.type_name);
  views_list_json(item, "shape", tensor.shape);
  if (tensor.shape_signature.count) views_list_json(item, "shape_signature", tensor.shape_signature);
  json_add_bool(item, "has_rank", tensor.has_rank || tensor.shape.count);
  json_add_text(item, "role", views_role(subgraph, index, &tensor));
  json_add_bool(item, "is_variable", tensor.is_variable);
  json_add_bool(item, "is_sparse", tensor.is_sparse);
  json_add_size(item, "buffer", tensor.buffer);
  if (tensor.external_buffer) json_add_size(item, "external_buffer", tensor.external_buffer);
  if (tensor.data) {
    json_add_size(item, "bytes", tensor.size);
    json_add_int(item, "data_offset", tensor.data_offset);
  }
  json_add_int(item, "file_offset", tensor.file_offset);
  if (tensor.scales.count == 0 && !*tensor.quantization_details) return;
  cJSON *quantisation = json_add_object(item, "quantization");
  views_floats_json(quantisation, "scale", tensor.scales);
  views_list_json(quantisation, "zero_point", tensor.zero_points);
  json_add_size(quantisation, "quantized_dimension", tensor.quantized_dimension);
  if (*tensor.quantization_details) json_add_text(quantisation, "details", tensor.quantization_details);
}

static void operator_json(cJSON *array, const inspect_source *source, uint32_t s, uint32_t index) {
  arn_operator_info op;
  if (arn_model_operator(source->model, s, index, &op) != ARN_OK) return;
  cJSON *item = json_add_object(array, NULL);
  json_add_size(item, "opcode_index", op.code);
  json_add_text(item, "name", views_operator_name(&op.kind));
  json_add_int(item, "version", op.kind.version);
  views_list_json(item, "inputs", op.inputs);
  views_list_json(item, "outputs", op.outputs);
  if (op.intermediates.count) views_list_json(item, "intermediates", op.intermediates);
  json_add_text(item, "options_type", op.options);
  views_options_json(item, source->model, s, index);
  if (op.custom_options_size) {
    json_add_size(item, "custom_options_size", op.custom_options_size);
    size_t size = op.custom_options_size < 4096 ? (size_t)op.custom_options_size : 4096;
    char *hex = command_alloc(size * 2 + 1, 1);
    for (size_t i = 0; i < size; i++) {
      static const char digits[] = "0123456789abcdef";
      hex[i * 2] = digits[((const uint8_t *)op.custom_options)[i] >> 4];
      hex[i * 2 + 1] = digits[((const uint8_t *)op.custom_options)[i] & 15];
    }
    json_add_text(item, "custom_options", hex);
    free(hex);
  }
  json_add_int(item, "file_offset", op.file_offset);
}

static void subgraphs_json(cJSON *document, const inspect_source *source, unsigned sections) {
  cJSON *array = json_add_array(document, "subgraphs");
  arn_subgraph_info subgraph;
  for (uint32_t s = 0; arn_model_subgraph(source->model, s, &subgraph) == ARN_OK; s++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "name", subgraph.name);
    views_list_json(item, "inputs", subgraph.inputs);
    views_list_json(item, "outputs", subgraph.outputs);
    cJSON *tensors = sections & INSPECT_TENSORS ? json_add_array(item, "tensors") : NULL;
    for (uint32_t i = 0; tensors && i < subgraph.tensors; i++) tensor_json(tensors, source, s, i, &subgraph);
    cJSON *operators = sections & INSPECT_OPERATORS ? json_add_array(item, "operators") : NULL;
    for (uint32_t i = 0; operators && i < subgraph.operators; i++) operator_json(operators, source, s, i);
  }
}

static void signatures_json(cJSON *document, const inspect_source *source) {
  cJSON *array = json_add_array(document, "signatures");
  arn_signature_info signature;
  for (uint32_t i = 0; arn_model_signature(source->model, i, &signature) == ARN_OK; i++) {
    cJSON *item = json_add_object(array, NULL);
    const char *name = "";
    uint32_t tensor = 0;
    json_add_text(item, "key", signature.key);
    json_add_size(item, "subgraph", signature.subgraph);
    cJSON *inputs = json_add_object(item, "inputs"), *outputs = json_add_object(item, "outputs");
    for (uint32_t k = 0; k < signature.inputs; k++)
      if (arn_model_signature_input(source->model, i, k, &name, &tensor) == ARN_OK) json_add_size(inputs, name, tensor);
    for (uint32_t k = 0; k < signature.outputs; k++)
      if (arn_model_signature_output(source->model, i, k, &name, &tensor) == ARN_OK) json_add_size(outputs, name, tensor);
  }
}

static void about_json(cJSON *parent, const char *key, const packed_tensor *tensors, int count) {
  cJSON *array = json_add_array(parent, key);
  for (int i = 0; i < count; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "name", tensors[i].name);
    json_add_text(item, "description", tensors[i].description);
    if (tensors[i].image) json_add_text(item, "content", tensors[i].grey ? "grey picture" : "picture");
    if (tensors[i].sample_rate) json_add_int(item, "sample_rate", tensors[i].sample_rate);
    if (tensors[i].norm_count) {
      cJSON *mean = json_add_array(item, "mean"), *std = json_add_array(item, "std");
      for (int n = 0; n < tensors[i].norm_count; n++) {
        json_add_float(mean, NULL, (float)tensors[i].mean[n]);
        json_add_float(std, NULL, (float)tensors[i].std[n]);
      }
    }
    cJSON *files = json_add_array(item, "files");
    for (int f = 0; f < tensors[i].file_count; f++) {
      cJSON *file = json_add_object(files, NULL);
      json_add_text(file, "name", tensors[i].files[f].name);
      json_add_int(file, "type", tensors[i].files[f].type);
      if (tensors[i].files[f].locale) json_add_text(file, "locale", tensors[i].files[f].locale);
    }
  }
}

static void metadata_json(cJSON *document, const inspect_source *source) {
  cJSON *array = json_add_array(document, "metadata");
  arn_metadata_info entry;
  for (uint32_t i = 0; arn_model_metadata(source->model, i, &entry) == ARN_OK; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "name", entry.name);
    json_add_size(item, "buffer", entry.buffer);
    json_add_size(item, "bytes", entry.size);
  }
  const packed *about = &source->about;
  if (about->input_count || about->output_count || about->name) {
    cJSON *record = json_add_object(document, "metadata_record");
    json_add_text(record, "name", about->name);
    json_add_text(record, "description", about->description);
    json_add_text(record, "version", about->version);
    json_add_text(record, "author", about->author);
    json_add_text(record, "license", about->license);
    about_json(record, "inputs", about->inputs, about->input_count);
    about_json(record, "outputs", about->outputs, about->output_count);
  }
  cJSON *files = json_add_array(document, "packed_files");
  for (int i = 0; source->packed[i]; i++) json_add_text(files, NULL, source->packed[i]);
}

static void buffers_json(cJSON *document, const inspect_source *source) {
  cJSON *array = json_add_array(document, "buffers");
  arn_buffer_info buffer;
  for (uint32_t i = 0; arn_model_buffer(source->model, i, &buffer) == ARN_OK; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_size(item, "bytes", buffer.size);
    json_add_int(item, "file_offset", buffer.file_offset);
    if (buffer.outside) json_add_bool(item, "outside", true);
  }
}

static void sizes_json(cJSON *document, const inspect_source *source) {
  int count;
  inspect_size *sizes = inspect_sizes(source, &count);
  cJSON *array = json_add_array(document, "sizes");
  for (int i = 0; i < count; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "what", sizes[i].what);
    json_add_size(item, "count", sizes[i].count);
    json_add_size(item, "bytes", sizes[i].bytes);
  }
  free(sizes);
}

int inspect_json(const inspect_source *source, unsigned sections) {
  cJSON *document = json_object();
  if (sections & INSPECT_HEAD) head_json(document, source);
  if (sections & INSPECT_CODES) codes_json(document, source);
  if (sections & (INSPECT_TENSORS | INSPECT_OPERATORS)) subgraphs_json(document, source, sections);
  if (sections & INSPECT_SIGNATURES) signatures_json(document, source);
  if (sections & INSPECT_METADATA) metadata_json(document, source);
  if (sections & INSPECT_BUFFERS) buffers_json(document, source);
  if (sections & INSPECT_SIZES) sizes_json(document, source);
  return json_print(document);
}
