// SPDX-License-Identifier: Apache-2.0
// Calls between subgraphs (call_common.h): arguments and results are copied, so that each subgraph's memory stays its own.
#include "ops/call_common.h"

#include <string.h>

#include "model/model.h"

TfLiteStatus call_open(TfLiteContext *context, int index, int inputs, int outputs, call_target *target) {
  const op_services *services = op_services_of(context);
  target->index = index;
  target->context = index < 0 ? NULL : services->subgraph(context, index, &target->inputs, &target->outputs);
  OP_CHECK(context, target->context, "subgraph %d does not exist, the model has %d", index, services->subgraph_count(context));
  OP_CHECK(context, target->context != context, "subgraph %d calls itself", index);
  OP_CHECK(context, target->inputs->size == inputs && target->outputs->size == outputs,
           "subgraph %d has %d inputs and %d outputs, %d and %d are needed", index, target->inputs->size, target->outputs->size,
           inputs, outputs);
  for (int i = 0; i < outputs; i++)
    OP_CHECK(context, target->outputs->data[i] >= 0, "subgraph %d leaves output %d out", index, i);
  return kTfLiteOk;
}

TfLiteStatus call_prepare(TfLiteContext *context, const TfLiteNode *node, int first, const call_target *target) {
  const op_services *services = op_services_of(context);
  for (int i = 0; i < target->inputs->size; i++) {
    const TfLiteTensor *from = op_input(context, node, first + i);
    TfLiteTensor *to = call_input(target, i);
    if (!from || !to) continue;
    OP_CHECK(context, !op_is_constant(to), "input %d of subgraph %d is a constant", i, target->index);
    if (to->type != from->type) {
      OP_CHECK(context, op_type_size((TfLiteType)from->type) && op_type_size((TfLiteType)to->type),
               "input %d of subgraph %d is of type %s, %s is given", i, target->index, op_type_name((TfLiteType)to->type),
               op_type_name((TfLiteType)from->type));
      OP_TRY(services->subgraph_set_input_type(context, target->index, i, (TfLiteType)from->type));
    }
    OP_TRY(services->subgraph_resize_input(context, target->index, i, op_rank(from), from->dims->data));
  }
  return services->subgraph_allocate(context, target->index);
}

TfLiteStatus call_copy(TfLiteContext *context, const TfLiteTensor *from, TfLiteTensor *to) {
  if (op_is_dynamic(to)) {
    if (!to->data.raw || !op_same_shape(from, to)) OP_TRY(op_resize_like(context, to, from));
    if (op_type_size((TfLiteType)to->type) == 0) OP_TRY(op_realloc(context, to, op_bytes(from)));
  }
  size_t bytes = op_bytes(from);
  OP_CHECK(context, !op_is_sparse(from), "a sparse constant cannot be passed between subgraphs");
  OP_CHECK(context, to->type == from->type && bytes == op_bytes(to), "%d bytes of type %s do not fit into %d of type %s",
           (int)bytes, op_type_name((TfLiteType)from->type), (int)op_bytes(to), op_type_name((TfLiteType)to->type));
  if (bytes == 0 || to->data.raw == from->data.raw) return kTfLiteOk;
  OP_CHECK(context, from->data.raw && to->data.raw, "an argument or result of a subgraph has no data");
  memcpy(to->data.raw, from->data.raw, bytes);
  return kTfLiteOk;
}

bool call_reads(TfLiteContext *context, const call_target *target, int i, bool passing) {
  int32_t tensor = target->inputs->data[i];
  for (int k = 0; k < target->outputs->size; k++) {
    if (target->outputs->data[k] == tensor && (passing || k != i)) return true;
  }
  fb_offsets operators = SubGraph_operators(model_subgraph(op_services_of(context)->model(context), (uint32_t)target->index));
  for (uint32_t n = 0; n < operators.count; n++) {
    fb_vector inputs = Operator_inputs(fb_table_at(operators, n));
    for (uint32_t k = 0; k < inputs.count; k++) {
      if (fb_vector_i32(inputs, k) == tensor) return true;
    }
  }
  return false;
}

uint8_t *call_find_reads(TfLiteContext *context, const call_target *target, uint8_t *before) {
  int count = target->inputs->size;
  uint8_t *reads = before ? before : op_persistent(context, (size_t)(count ? count : 1));
  for (int i = 0; i < count && reads; i++) reads[i] = call_reads(context, target, i, true);
  return reads;
}

TfLiteStatus call_run(TfLiteContext *context, const TfLiteNode *node, int first, const call_target *target,
                      const uint8_t *reads) {
  for (int i = 0; i < target->inputs->size; i++) {
    const TfLiteTensor *from = op_input(context, node, first + i);
    TfLiteTensor *to = call_input(target, i);
    if (from && to && reads[i]) OP_TRY(call_copy(target->context, from, to));
  }
  return op_services_of(context)->subgraph_invoke(context, target->index);
}

int32_t call_only_operator(TfLiteContext *context, int index) {
  const arn_model *model = op_services_of(context)->model(context);
  if (index < 0 || (uint32_t)index >= model_subgraph_count(model)) return -2;
  fb_offsets operators = SubGraph_operators(model_subgraph(model, (uint32_t)index));
  if (operators.count == 0) return -1;
  int32_t code = operators.count == 1 ? model_operator_builtin(model, fb_table_at(operators, 0)) : BuiltinOperator_CUSTOM;
  return code == BuiltinOperator_CUSTOM ? -2 : code;
}

TfLiteStatus call_copy_out(TfLiteContext *context, const TfLiteNode *node, const call_target *target) {
  for (int i = 0; i < target->outputs->size; i++) {
    TfLiteTensor *to = op_output(context, node, i);
    if (to) OP_TRY(call_copy(context, call_output(target, i), to));
  }
  return kTfLiteOk;
}

TfLiteStatus call_resize_outputs(TfLiteContext *context, const TfLiteNode *node, const call_target *target, bool dynamic) {
  for (int i = 0; i < target->outputs->size; i++) {
    TfLiteTensor *to = op_output(context, node, i);
    if (!to) continue;
    OP_CHECK(context, to->type == call_output(target, i)->type, "output %d is of type %s, subgraph %d gives %s", i,
             op_type_name((TfLiteType)to->type), target->index, op_type_name((TfLiteType)call_output(target, i)->type));
    if (dynamic)
      OP_TRY(op_make_dynamic(context, to));
    else
      OP_TRY(op_resize_like(context, to, call_output(target, i)));
  }
  return kTfLiteOk;
}
