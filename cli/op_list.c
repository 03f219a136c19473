// SPDX-License-Identifier: Apache-2.0
// Making, reading and writing lists of operators.
#include "op_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text.h"
#include "values.h"
#include "views.h"

enum { OP_LIST_TYPES = 24 };

static op_need *list_add(op_list *list, int32_t code, const char *name, int low, int high) {
  list->items = command_grow(list->items, (size_t)list->count + 1, sizeof *list->items);
  op_need *item = &list->items[list->count++];
  *item = (op_need){.code = code, .name = text_copy(name, strlen(name), 1), .low = low, .high = high};
  return item;
}

void op_list_of_registry(op_list *list) {
  *list = (op_list){.source = command_text("registry")};
  arn_resolver_entry entry;
  for (int i = 0; arn_resolver_entry_at(arn_resolver_builtin(), i, &entry); i++)
    list_add(list, entry.code, entry.name, entry.low, entry.high)->types = entry.types;
  op_list_sort(list);
}

// The bit of a schema type's name ("FLOAT32"): names agree but for their case.
static uint32_t type_bit(const char *name) {
  for (int type = 1; type < OP_LIST_TYPES; type++)
    if (!strcasecmp(name, values_type_name((TfLiteType)type))) return 1u << type;
  return 0;
}

static uint32_t tensor_types(const arn_model *model, uint32_t subgraph, arn_view tensors) {
  uint32_t types = 0;
  arn_tensor_info tensor;
  for (uint32_t i = 0; i < tensors.count; i++) {
    int64_t index = arn_view_int(tensors, i);
    if (index >= 0 && arn_model_tensor(model, subgraph, (uint32_t)index, &tensor) == ARN_OK) types |= type_bit(tensor.type_name);
  }
  return types;
}

void op_list_of_model(op_list *list, const char *path, const arn_model *model) {
  *list = (op_list){.source = command_text("%s", path)};
  arn_subgraph_info subgraph;
  arn_operator_info op;
  for (uint32_t s = 0; arn_model_subgraph(model, s, &subgraph) == ARN_OK; s++)
    for (uint32_t i = 0; arn_model_operator(model, s, i, &op) == ARN_OK; i++) {
      const char *name = views_operator_name(&op.kind);
      op_need *item = NULL;
      for (int k = 0; k < list->count && !item; k++) {
        op_need *one = &list->items[k];
        if (one->code == op.kind.builtin && one->low == op.kind.version && !strcmp(one->name, name)) item = one;
      }
      if (!item) item = list_add(list, op.kind.builtin, name, op.kind.version, op.kind.version);
      item->count++;
      item->types |= tensor_types(model, s, op.inputs) | tensor_types(model, s, op.outputs);
    }
  op_list_sort(list);
}

static int need_order(const void *a, const void *b) {
  const op_need *x = a, *y = b;
  bool custom_x = x->code == OP_LIST_CUSTOM, custom_y = y->code == OP_LIST_CUSTOM;
  if (custom_x != custom_y) return custom_x - custom_y;
  if (x->code != y->code) return x->code < y->code ? -1 : 1;
  int names = strcmp(x->name, y->name);
  return names ? names : x->low - y->low;
}

void op_list_sort(op_list *list) {
  if (list->count) qsort(list->items, (size_t)list->count, sizeof *list->items, need_order);
}

void op_list_free(op_list *list) {
  for (int i = 0; i < list->count; i++) free(list->items[i].name);
  free(list->items);
  free(list->source);
  *list = (op_list){0};
}

char *op_list_types(uint32_t types) {
  const uint32_t all = ((uint32_t)1 << OP_LIST_TYPES) - 2;
  if ((types & all) == all) return command_text("any");
  char *text = command_text("%s", "");
  for (int type = 1; type < OP_LIST_TYPES; type++) {
    if (!(types >> type & 1)) continue;
    char *longer = command_text("%s%s%s", text, *text ? " " : "", values_type_name((TfLiteType)type));
    free(text);
    text = longer;
  }
  return text;
}

void op_list_versions(char out[32], int low, int high) {
  if (low == high)
    snprintf(out, 32, "%d", low);
  else
    snprintf(out, 32, "%d..%d", low, high);
}

cJSON *op_list_json(const op_list *list) {
  cJSON *document = json_object();
  json_add_int(document, "arenite_ops", 1);  // version of this format
  json_add_text(document, "source", list->source);
  cJSON *array = json_add_array(document, "operators");
  for (int i = 0; i < list->count; i++) {
    const op_need *need = &list->items[i];
    cJSON *item = json_add_object(array, NULL);
    json_add_int(item, "code", need->code);
    json_add_text(item, "name", need->name);
    json_add_bool(item, "custom", need->code == OP_LIST_CUSTOM);
    json_add_int(item, "low", need->low);
    json_add_int(item, "high", need->high);
    if (need->count) json_add_size(item, "nodes", need->count);
    cJSON *types = json_add_array(item, "types");
    for (int type = 1; type < OP_LIST_TYPES; type++)
      if (need->types >> type & 1) json_add_text(types, NULL, values_type_name((TfLiteType)type));
  }
  return document;
}

static bool number_member(const cJSON *item, const char *key, double low, double high, double *value) {
  const cJSON *member = cJSON_GetObjectItemCaseSensitive(item, key);
  if (!cJSON_IsNumber(member) || !(member->valuedouble >= low && member->valuedouble <= high)) return false;
  *value = member->valuedouble;
  return true;
}

static bool read_export(op_list *list, const cJSON *document) {
  const cJSON *item, *type, *array = cJSON_GetObjectItemCaseSensitive(document, "operators");
  if (!cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(document, "arenite_ops")) || !cJSON_IsArray(array)) return false;
  cJSON_ArrayForEach(item, array) {
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    double code, low, high, nodes;
    if (!cJSON_IsString(name) || !number_member(item, "code", 0, 1e6, &code) || !number_member(item, "low", 0, 1e6, &low) ||
        !number_member(item, "high", low, 1e6, &high))
      return false;
    op_need *need = list_add(list, (int32_t)code, name->valuestring, (int)low, (int)high);
    if (number_member(item, "nodes", 0, 4e9, &nodes)) need->count = (uint32_t)nodes;
    cJSON_ArrayForEach(type, cJSON_GetObjectItemCaseSensitive(item, "types")) if (cJSON_IsString(type)) need->types |=
        type_bit(type->valuestring);
  }
  op_list_sort(list);
  return true;
}

bool op_list_read(op_list *list, const char *path, failure *why) {
  const char *dot = strrchr(path, '.');
  *list = (op_list){0};
  if (!dot || strcmp(dot, ".json")) {
    arn_error error = {.byte = -1};
    arn_model *model;
    arn_status status = arn_model_open_file(path, ARN_MODEL_NO_COPY, &model, &error);
    if (status != ARN_OK) {
      failure_from(why, status, &error);
      return failure_prefix(why, "%s: ", path);
    }
    op_list_of_model(list, path, model);
    arn_model_close(model);
    return true;
  }
  uint8_t *bytes;
  size_t size;
  if (!command_read_file(path, (size_t)1 << 26, &bytes, &size, why)) return false;
  cJSON *document = cJSON_ParseWithLength((const char *)bytes, size);
  free(bytes);
  list->source = command_text("%s", path);
  bool good = document && read_export(list, document);
  cJSON_Delete(document);
  if (!good) {
    op_list_free(list);
    return failure_set(why, "%s is not a list that 'arenite ops --export' wrote", path);
  }
  return true;
}
