// SPDX-License-Identifier: Apache-2.0
// The few ways in which the subcommands put values into a cJSON document.
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text.h"

static cJSON *json_some(cJSON *item) {
  if (!item) {
    command_failed("out of memory");
    exit(COMMAND_FAILED);
  }
  return item;
}

cJSON *json_object(void) { return json_some(cJSON_CreateObject()); }
cJSON *json_array(void) { return json_some(cJSON_CreateArray()); }

void json_add(cJSON *parent, const char *key, cJSON *item) {
  json_some(item);
  cJSON_bool added = key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item);
  if (!added) json_some(NULL);
}

cJSON *json_add_object(cJSON *parent, const char *key) {
  cJSON *item = json_object();
  json_add(parent, key, item);
  return item;
}

cJSON *json_add_array(cJSON *parent, const char *key) {
  cJSON *item = json_array();
  json_add(parent, key, item);
  return item;
}

void json_add_bytes(cJSON *parent, const char *key, const char *text, size_t size) {
  char *clean = text_copy(text, size, 0);
  json_add(parent, key, cJSON_CreateString(clean));
  free(clean);
}

void json_add_text(cJSON *parent, const char *key, const char *text) {
  if (text)
    json_add_bytes(parent, key, text, strlen(text));
  else
    json_add(parent, key, cJSON_CreateNull());
}

void json_add_int(cJSON *parent, const char *key, int64_t value) {
  char number[TEXT_NUMBER];
  snprintf(number, sizeof number, "%lld", (long long)value);
  json_add(parent, key, cJSON_CreateRaw(number));
}

void json_add_size(cJSON *parent, const char *key, uint64_t value) {
  char number[TEXT_NUMBER];
  snprintf(number, sizeof number, "%llu", (unsigned long long)value);
  json_add(parent, key, cJSON_CreateRaw(number));
}

void json_add_real(cJSON *parent, const char *key, double value) {
  char number[TEXT_NUMBER];
  if (!isfinite(value)) {
    json_add(parent, key, cJSON_CreateNull());
    return;
  }
  int digits = 15;
  do snprintf(number, sizeof number, "%.*g", digits, value);
  while (strtod(number, NULL) != value && ++digits <= 17);
  json_add(parent, key, cJSON_CreateRaw(number));
}

void json_add_float(cJSON *parent, const char *key, float value) {
  char number[TEXT_NUMBER];
  if (!isfinite(value)) {
    json_add(parent, key, cJSON_CreateNull());
    return;
  }
  int digits = 6;
  do snprintf(number, sizeof number, "%.*g", digits, (double)value);
  while (strtof(number, NULL) != value && ++digits <= 9);
  json_add(parent, key, cJSON_CreateRaw(number));
}

void json_add_bool(cJSON *parent, const char *key, bool value) { json_add(parent, key, cJSON_CreateBool(value)); }

void json_add_ints(cJSON *parent, const char *key, const int *values, int count) {
  cJSON *array = json_add_array(parent, key);
  for (int i = 0; i < count; i++) json_add_int(array, NULL, values[i]);
}

int json_print(cJSON *document) { return json_write(document, stdout); }

int json_write(cJSON *document, FILE *out) {
  char *text = cJSON_Print(document);
  cJSON_Delete(document);
  if (!text) return command_failed("out of memory");
  bool good = fprintf(out, "%s\n", text) >= 0;
  cJSON_free(text);
  return good ? COMMAND_OK : command_failed("cannot write the output");
}
