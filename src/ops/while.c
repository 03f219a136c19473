// SPDX-License-Identifier: Apache-2.0
// WHILE: as long as subgraph `cond` gives true for the loop variables, subgraph `body` makes new ones of them. The inputs are
// their first values, the outputs hold the current ones during the loop and the last ones after it.
#include "ops/call_common.h"

typedef struct while_state {
  int32_t cond, body;  // subgraph indices
} while_state;

static void while_parse(fb_table options, void *params) {
  TfLiteWhileParams *p = params;
  p->cond_subgraph_index = WhileOptions_cond_subgraph_index(options);
  p->body_subgraph_index = WhileOptions_body_subgraph_index(options);
}

static TfLiteStatus while_open(TfLiteContext *context, const TfLiteNode *node, call_target *cond, call_target *body) {
  const while_state *state = node->user_data;
  OP_TRY(call_open(context, state->cond, op_input_count(node), 1, cond));
  return call_open(context, state->body, op_input_count(node), op_input_count(node), body);
}

static TfLiteStatus while_check_cond(TfLiteContext *context, const TfLiteTensor *t) {
  OP_CHECK(context, t->type == kTfLiteBool && op_rank(t) <= 1 && op_count(t) == 1, "the condition's result must be one boolean");
  return kTfLiteOk;
}

static TfLiteStatus while_prepare(TfLiteContext *context, TfLiteNode *node) {
  int count = op_input_count(node);
  OP_CHECK(context, count > 0, "has no loop variables");
  OP_TRY(op_check_counts(context, node, count, count, count));
  const TfLiteWhileParams *params = node->builtin_data;
  while_state *state = node->user_data;
  *state = (while_state){params->cond_subgraph_index, params->body_subgraph_index};
  OP_CHECK(context, state->cond != state->body, "condition and body are the same subgraph %d", (int)state->cond);
  const op_services *services = op_services_of(context);
  call_target cond, body;
  OP_TRY(while_open(context, node, &cond, &body));
  OP_TRY(call_prepare(context, node, 0, &cond));
  if (!services->subgraph_has_dynamic_outputs(context, state->cond)) OP_TRY(while_check_cond(context, call_output(&cond, 0)));
  OP_TRY(call_prepare(context, node, 0, &body));
  bool dynamic = services->subgraph_has_dynamic_outputs(context, state->body);
  for (int i = 0; i < count; i++) {
    const TfLiteTensor *before = op_input(context, node, i), *after = call_output(&body, i);
    OP_CHECK(context, before->type == after->type, "loop variable %d is of type %s, the body makes it %s", i,
             op_type_name((TfLiteType)before->type), op_type_name((TfLiteType)after->type));
    // A scalar may become a vector of one, as in the reference; any other change of shape is only known when the loop has run.
    bool same = op_same_shape(before, after) || (op_rank(before) + op_rank(after) == 1 && op_count(before) == op_count(after));
    dynamic = dynamic || !same;
  }
  return call_resize_outputs(context, node, &body, dynamic);
}

// Copies the loop variables, which are in the node's outputs, to the target's inputs and runs it.
static TfLiteStatus while_call(TfLiteContext *context, const TfLiteNode *node, const call_target *target) {
  TfLiteNode view = *node;
  view.inputs = node->outputs;
  OP_TRY(call_prepare(context, &view, 0, target));  // shapes may have changed, or other nodes called it with other ones
  return call_run(context, &view, 0, target);
}

static TfLiteStatus while_eval(TfLiteContext *context, TfLiteNode *node) {
  call_target cond, body;
  OP_TRY(while_open(context, node, &cond, &body));
  for (int i = 0; i < op_input_count(node); i++)
    OP_TRY(call_copy(context, op_input(context, node, i), op_output(context, node, i)));
  for (;;) {
    OP_TRY(while_call(context, node, &cond));
    const TfLiteTensor *result = call_output(&cond, 0);
    OP_TRY(while_check_cond(context, result));
    OP_CHECK(context, result->data.raw, "the condition gave no result");
    if (!result->data.uint8[0]) return kTfLiteOk;
    OP_TRY(while_call(context, node, &body));
    OP_TRY(call_copy_out(context, node, &body));
  }
}

const op_descriptor arn_op_while = {
    OP_ROW(WHILE),        .state_size = sizeof(while_state), .params_size = sizeof(TfLiteWhileParams),
    .parse = while_parse, .prepare = while_prepare,          .eval = while_eval,
};
