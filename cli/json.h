// SPDX-License-Identifier: Apache-2.0
// Writing JSON with cJSON: exact integers, floats with as many digits as they need, clean UTF-8, null for what is not a number.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

cJSON *json_object(void);
cJSON *json_array(void);
// Into an object (key set) or an array (key NULL).
void json_add(cJSON *parent, const char *key, cJSON *item);
cJSON *json_add_object(cJSON *parent, const char *key);
cJSON *json_add_array(cJSON *parent, const char *key);
void json_add_text(cJSON *parent, const char *key, const char *text);                // NULL: null
void json_add_bytes(cJSON *parent, const char *key, const char *text, size_t size);  // text of a given length
void json_add_int(cJSON *parent, const char *key, int64_t value);
void json_add_size(cJSON *parent, const char *key, uint64_t value);
void json_add_real(cJSON *parent, const char *key, double value);
void json_add_float(cJSON *parent, const char *key, float value);  // shortest text that reads back as the same float
void json_add_bool(cJSON *parent, const char *key, bool value);
void json_add_ints(cJSON *parent, const char *key, const int *values, int count);
// Prints and frees the document; a command's exit code (failed when it could not be printed).
int json_print(cJSON *document);
int json_write(cJSON *document, FILE *out);  // the same into a file

#endif
