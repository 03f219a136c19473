// SPDX-License-Identifier: Apache-2.0
// Resources (variables and hash tables) and the handles by which operators pass them on. A handle is a tensor of one int32, the
// resource's id. For files of ops/.
#ifndef OPS_RESOURCE_COMMON_H
#define OPS_RESOURCE_COMMON_H

#include "ops/move_common.h"

typedef enum resource_kind { RESOURCE_VARIABLE = 0x52415641, RESOURCE_TABLE = 0x4C424154 } resource_kind;

typedef struct resource_variable {
  resource_kind kind;  // first in every resource
  TfLiteType type;
  int rank;
  int dims[OP_MAX_RANK];
  size_t bytes, capacity;
  void *data;  // capacity bytes
} resource_variable;

// One key and its value; whichever is a string lies in the table's text.
typedef struct resource_entry {
  int64_t number;
  uint32_t offset, length;  // length UINT32_MAX: a free slot
} resource_entry;

typedef struct resource_table {
  resource_kind kind;
  TfLiteType key, value;  // int64 and string, or string and int64
  bool filled;            // by the first import; later ones change nothing
  uint32_t count, slots;  // slots: a power of two, or 0
  resource_entry *entry;  // behind the record, and behind them the text
  char *text;
} resource_table;

// The output t becomes a handle to the resource; prepare calls it, the handle is constant from then on.
TfLiteStatus resource_set_handle(TfLiteContext *context, TfLiteTensor *t, int32_t id);
// Fails unless t can be a handle; its id in eval.
TfLiteStatus resource_check_handle(TfLiteContext *context, const TfLiteTensor *t, uint32_t type_bits);
static inline int32_t resource_handle(const TfLiteTensor *t) {
  return t->data.raw && (ARENITE_MICRO || op_bytes(t) >= 4) ? string_load(t->data.raw) : -1;
}
// A table's handle holds its number in the model; this is the id of its resource. Numbers and variables' names do not meet.
int resource_table_id(TfLiteContext *context, int32_t number);
// The variable or table behind a handle; NULL: there is none, or another kind.
resource_variable *resource_find_variable(TfLiteContext *context, const TfLiteTensor *handle);
resource_table *resource_find_table(TfLiteContext *context, const TfLiteTensor *handle);

#endif
