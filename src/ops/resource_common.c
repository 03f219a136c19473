// SPDX-License-Identifier: Apache-2.0
// Handles of resources (resource_common.h).
#include "ops/resource_common.h"

TfLiteStatus resource_set_handle(TfLiteContext *context, TfLiteTensor *t, int32_t id) {
#if ARENITE_MICRO
  t->data.raw = op_persistent(context, sizeof id);
  OP_CHECK(context, t->data.raw, "no memory for a resource handle");
  t->allocation_type = kTfLitePersistentRo;
#else
  if (t->allocation_type != kTfLitePersistentRo) {
    TfLiteTensorDataFree(t);
    t->allocation_type = kTfLitePersistentRo;
    t->data.raw = NULL;
  }
  OP_CHECK(context, TfLiteTensorRealloc(sizeof id, t) == kTfLiteOk, "no memory for a resource handle");
#endif
  memcpy(t->data.raw, &id, sizeof id);
  return kTfLiteOk;
}

TfLiteStatus resource_check_handle(TfLiteContext *context, const TfLiteTensor *t, uint32_t type_bits) {
  OP_TRY(op_check_type(context, t, "resource handle", type_bits));
  OP_CHECK(context, op_count(t) == 1, "a resource handle must be one value, this has %d", (int)op_count(t));
  return kTfLiteOk;
}

int resource_table_id(TfLiteContext *context, int32_t number) {
  char name[9] = {0};  // hexadecimal, the last digit first
  for (int i = 0; i < 8; i++) name[i] = "0123456789abcdef"[(uint32_t)number >> (4 * i) & 15];
  return op_services_of(context)->resource_id(context, "\x01table", name);
}

static void *resource_find(TfLiteContext *context, int id, resource_kind kind) {
  void *object = id < 0 ? NULL : op_services_of(context)->resource(context, id);
  return object && *(const resource_kind *)object == kind ? object : NULL;
}
resource_variable *resource_find_variable(TfLiteContext *context, const TfLiteTensor *handle) {
  return resource_find(context, resource_handle(handle), RESOURCE_VARIABLE);
}
resource_table *resource_find_table(TfLiteContext *context, const TfLiteTensor *handle) {
  return resource_find(context, resource_table_id(context, resource_handle(handle)), RESOURCE_TABLE);
}
