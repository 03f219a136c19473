// SPDX-License-Identifier: Apache-2.0
// Lists of operators: what the registry has, what a model needs, and what was exported as JSON. For `arenite ops`.
#ifndef CLI_OP_LIST_H
#define CLI_OP_LIST_H

#include "arenite/model.h"
#include "arenite/resolver.h"
#include "command.h"
#include "json.h"

enum { OP_LIST_CUSTOM = 32 };

// One operator in the versions low..high.
typedef struct op_need {
  int32_t code;  // built-in code; OP_LIST_CUSTOM for custom ones
  char *name;    // "CONV_2D" or the custom name
  int low, high;
  uint32_t types;  // bit TfLiteType for each element type of its tensors; 0: not known
  uint32_t count;  // nodes of the model; 0 in a registry
} op_need;

typedef struct op_list {
  char *source;  // "registry", or the file
  op_need *items;
  int count;
} op_list;

void op_list_of_registry(op_list *list);
void op_list_of_model(op_list *list, const char *path, const arn_model *model);
// A model, or a file that op_list_json wrote.
bool op_list_read(op_list *list, const char *path, failure *why);
void op_list_free(op_list *list);

// By built-in code, then name, then version.
void op_list_sort(op_list *list);
cJSON *op_list_json(const op_list *list);
// "float32 int8", made of the bits; "" for none, "any" for all. The caller frees.
char *op_list_types(uint32_t types);
// "1", "1..3"
void op_list_versions(char out[32], int low, int high);

#endif
