// SPDX-License-Identifier: Apache-2.0
// Texts and JSON of shapes, lists, quantisation and options.
#include "views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { VIEW_FEW = 16 };

// Appends to a text from command_text.
static char *text_append(char *text, const char *more) {
  char *longer = command_text("%s%s", text, more);
  free(text);
  return longer;
}

char *views_shape(const arn_tensor_info *tensor) {
  if (!tensor->has_rank && tensor->shape.count == 0) return command_text("unknown rank");
  if (tensor->shape.count == 0) return command_text("scalar");
  bool open = tensor->shape_signature.count == tensor->shape.count;
  char *text = command_text("%s", "");
  for (uint32_t i = 0; i < tensor->shape.count; i++) {
    char dim[32];
    if (open && arn_view_int(tensor->shape_signature, i) < 0)
      snprintf(dim, sizeof dim, "%s?", i ? "x" : "");
    else
      snprintf(dim, sizeof dim, "%s%lld", i ? "x" : "", (long long)arn_view_int(tensor->shape, i));
    text = text_append(text, dim);
  }
  return text;
}

char *views_list(arn_view list) {
  char *text = command_text("%s", "");
  for (uint32_t i = 0; i < list.count; i++) {
    char number[32];
    snprintf(number, sizeof number, "%s%lld", i ? " " : "", (long long)arn_view_int(list, i));
    text = text_append(text, number);
  }
  return text;
}

char *views_quantisation(const arn_tensor_info *tensor) {
  if (*tensor->quantization_details) return command_text("%s", tensor->quantization_details);
  if (tensor->scales.count == 0) return command_text("%s", "");
  long long zero = tensor->zero_points.count ? (long long)arn_view_int(tensor->zero_points, 0) : 0;
  if (tensor->scales.count == 1) return command_text("%.6g, %lld", arn_view_float(tensor->scales, 0), zero);
  double low = arn_view_float(tensor->scales, 0), high = low;
  for (uint32_t i = 1; i < tensor->scales.count; i++) {
    double scale = arn_view_float(tensor->scales, i);
    if (scale < low) low = scale;
    if (scale > high) high = scale;
  }
  return command_text("%.6g..%.6g, %lld (%u along axis %u)", low, high, zero, tensor->scales.count, tensor->quantized_dimension);
}

static char *option_elements(const arn_option_info *option) {
  char *text = command_text("[");
  for (uint32_t i = 0; i < option->elements.count && i < VIEW_FEW; i++) {
    char number[48];
    if (option->kind == ARN_OPTION_FLOATS)
      snprintf(number, sizeof number, "%s%.6g", i ? " " : "", arn_view_float(option->elements, i));
    else
      snprintf(number, sizeof number, "%s%lld", i ? " " : "", (long long)arn_view_int(option->elements, i));
    text = text_append(text, number);
  }
  return text_append(text, option->elements.count > VIEW_FEW ? " ...]" : "]");
}

static char *option_text(const arn_option_info *option) {
  switch (option->kind) {
    case ARN_OPTION_INT:
      return *option->value_name ? command_text("%s", option->value_name) : command_text("%lld", (long long)option->integer);
    case ARN_OPTION_BOOL: return command_text("%s", option->integer ? "true" : "false");
    case ARN_OPTION_FLOAT: return command_text("%.6g", option->number);
    case ARN_OPTION_TEXT: return command_text("\"%s\"", option->text);
    case ARN_OPTION_INTS:
    case ARN_OPTION_FLOATS: return option_elements(option);
    default: return command_text("...");
  }
}

char *views_options(const arn_model *model, uint32_t subgraph, uint32_t op) {
  char *text = command_text("%s", "");
  arn_option_info option;
  for (uint32_t field = 0; arn_model_operator_option(model, subgraph, op, field, &option) == ARN_OK; field++) {
    char *value = option_text(&option), *pair = command_text("%s%s=%s", field ? " " : "", option.name, value);
    text = text_append(text, pair);
    free(pair);
    free(value);
  }
  arn_operator_info info;
  if (!*text && arn_model_operator(model, subgraph, op, &info) == ARN_OK && info.custom_options_size) {
    char *custom = command_text("%llu bytes of custom options", (unsigned long long)info.custom_options_size);
    text = text_append(text, custom);
    free(custom);
  }
  return text;
}

const char *views_operator_name(const arn_operator_code_info *kind) {
  if (*kind->custom_name) return kind->custom_name;
  return *kind->name ? kind->name : "(unknown)";
}

void views_list_json(cJSON *parent, const char *key, arn_view list) {
  cJSON *array = json_add_array(parent, key);
  for (uint32_t i = 0; i < list.count; i++) json_add_int(array, NULL, arn_view_int(list, i));
}

void views_floats_json(cJSON *parent, const char *key, arn_view list) {
  cJSON *array = json_add_array(parent, key);
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.width == 4)
      json_add_float(array, NULL, (float)arn_view_float(list, i));
    else
      json_add_real(array, NULL, arn_view_float(list, i));
  }
}

static void option_json(cJSON *parent, const arn_option_info *option) {
  switch (option->kind) {
    case ARN_OPTION_INT:
      if (*option->value_name)
        json_add_text(parent, option->name, option->value_name);
      else
        json_add_int(parent, option->name, option->integer);
      break;
    case ARN_OPTION_BOOL: json_add_bool(parent, option->name, option->integer != 0); break;
    case ARN_OPTION_FLOAT: json_add_float(parent, option->name, (float)option->number); break;
    case ARN_OPTION_TEXT: json_add_text(parent, option->name, option->text); break;
    case ARN_OPTION_INTS: views_list_json(parent, option->name, option->elements); break;
    case ARN_OPTION_FLOATS: views_floats_json(parent, option->name, option->elements); break;
    default: json_add_text(parent, option->name, NULL); break;
  }
}

void views_options_json(cJSON *parent, const arn_model *model, uint32_t subgraph, uint32_t op) {
  cJSON *item = json_add_object(parent, "options");
  arn_option_info option;
  for (uint32_t field = 0; arn_model_operator_option(model, subgraph, op, field, &option) == ARN_OK; field++)
    option_json(item, &option);
}

static bool view_has(arn_view list, uint32_t index) {
  for (uint32_t i = 0; i < list.count; i++)
    if (arn_view_int(list, i) == (int64_t)index) return true;
  return false;
}

const char *views_role(const arn_subgraph_info *subgraph, uint32_t index, const arn_tensor_info *tensor) {
  if (view_has(subgraph->inputs, index)) return "input";
  if (view_has(subgraph->outputs, index)) return "output";
  if (tensor->is_variable) return "variable";
  if (tensor->is_sparse) return "sparse";
  if (tensor->data || tensor->external_buffer) return "constant";
  return "";
}
