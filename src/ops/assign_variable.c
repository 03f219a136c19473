// SPDX-License-Identifier: Apache-2.0
// ASSIGN_VARIABLE: gives the variable behind a handle (input 0) the type, shape and contents of input 1.
#include "ops/resource_common.h"

static TfLiteStatus assign_variable_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 0));
  OP_CHECK(context, op_rank(op_input(context, node, 1)) <= OP_MAX_RANK, "rank %d is over the limit of %d",
           op_rank(op_input(context, node, 1)), OP_MAX_RANK);
  return resource_check_handle(context, op_input(context, node, 0), OP_RESOURCE | OP_I32);
}

static void assign_variable_destroy(TfLiteContext *context, void *object) {
  resource_variable *variable = object;
  op_services_of(context)->release(context, variable->data);
  op_services_of(context)->release(context, variable);
}

// A new variable with room for `bytes`; NULL when out of memory.
static resource_variable *assign_variable_create(TfLiteContext *context, int32_t id, size_t bytes) {
  const op_services *services = op_services_of(context);
  resource_variable *variable = services->allocate(context, sizeof *variable);
  if (!variable) return NULL;
  *variable =
      (resource_variable){.kind = RESOURCE_VARIABLE, .capacity = bytes, .data = services->allocate(context, bytes ? bytes : 1)};
  if (!variable->data) {
    services->release(context, variable);
    return NULL;
  }
  if (services->put_resource(context, id, variable, assign_variable_destroy) == kTfLiteOk) return variable;
  assign_variable_destroy(context, variable);
  return NULL;
}

static TfLiteStatus assign_variable_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *handle = op_input(context, node, 0), *value = op_input(context, node, 1);
  int32_t id = resource_handle(handle);
  OP_CHECK(context, id >= 0, "the handle leads nowhere");
  resource_variable *variable = resource_find_variable(context, handle);
  OP_CHECK(context, variable || !op_services_of(context)->resource(context, id), "the handle is not a variable's");
  size_t bytes = op_bytes(value);
  if (!variable || variable->capacity < bytes) variable = assign_variable_create(context, id, bytes);
  OP_CHECK(context, variable, "no memory for a variable of %d bytes", (int)bytes);
  variable->type = (TfLiteType)value->type;
  variable->rank = op_rank(value);
  for (int i = 0; i < variable->rank; i++) variable->dims[i] = op_dim(value, i);
  variable->bytes = bytes;
  if (bytes) memcpy(variable->data, value->data.raw, bytes);
  return kTfLiteOk;
}

const op_descriptor arn_op_assign_variable = {OP_ROW(ASSIGN_VARIABLE), .prepare = assign_variable_prepare,
                                              .eval = assign_variable_eval, .cost = move_no_macs};
