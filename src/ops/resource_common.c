// SPDX-License-Identifier: Apache-2.0
// Handles of resources (resource_common.h).
#include "ops/resource_common.h"

TfLiteStatus resource_set_handle(TfLiteContext *context, TfLiteTensor *t, int32_t id) {
  OP_CHECK(context, id >= 0, "no memory for a resource");
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

static void *resource_find(TfLiteContext *context, const TfLiteTensor *handle, resource_kind kind) {
  int32_t id = resource_handle(handle);
  void *object = id < 0 ? NULL : op_services_of(context)->resource(context, id);
  return object && *(const resource_kind *)object == kind ? object : NULL;
}
resource_variable *resource_find_variable(TfLiteContext *context, const TfLiteTensor *handle) {
  return resource_find(context, handle, RESOURCE_VARIABLE);
}
resource_table *resource_find_table(TfLiteContext *context, const TfLiteTensor *handle) {
  return resource_find(context, handle, RESOURCE_TABLE);
}
