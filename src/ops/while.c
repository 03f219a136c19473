// SPDX-License-Identifier: Apache-2.0
// WHILE: as long as subgraph `cond` gives true for the loop variables, subgraph `body` makes new ones of them. The inputs are
// their first values, the outputs hold the current ones during the loop and the last ones after it. A variable that the body
// gives back as it is stays where it is; it may lack an output.
#include "ops/call_common.h"

typedef struct while_state {
  int32_t cond, body;  // subgraph indices
  // By loop variable, kept with the node:
  uint8_t *cond_reads, *body_reads;  // whether it must be copied in
  uint8_t *stays;                    // whether the body leaves it as it is
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

static TfLiteStatus while_find_uses(TfLiteContext *context, const TfLiteNode *node, const call_target *cond,
                                    const call_target *body) {
  while_state *state = node->user_data;
  int count = op_input_count(node);
  if (!state->stays) state->stays = op_persistent(context, (size_t)count);
  state->cond_reads = call_find_reads(context, cond, state->cond_reads);
  state->body_reads = call_find_reads(context, body, state->body_reads);
  OP_CHECK(context, state->stays && state->cond_reads && state->body_reads, "no memory for a loop of %d variables", count);
  for (int i = 0; i < count; i++) {
    state->stays[i] = body->inputs->data[i] == body->outputs->data[i];
    if (state->stays[i]) state->body_reads[i] = call_reads(context, body, i, false);
    OP_CHECK(context, op_input(context, node, i), "loop variable %d has no first value", i);
    OP_CHECK(context, op_output(context, node, i) || state->stays[i], "loop variable %d changes, and has no output", i);
  }
  return kTfLiteOk;
}

static TfLiteStatus while_prepare(TfLiteContext *context, TfLiteNode *node) {
  int count = op_input_count(node);
  OP_CHECK(context, count > 0 && op_output_count(node) == count, "has %d loop variables and %d outputs", count,
           op_output_count(node));
  const TfLiteWhileParams *params = node->builtin_data;
  while_state *state = node->user_data;
  state->cond = params->cond_subgraph_index;
  state->body = params->body_subgraph_index;
  OP_CHECK(context, state->cond != state->body, "condition and body are the same subgraph %d", (int)state->cond);
  const op_services *services = op_services_of(context);
  call_target cond, body;
  OP_TRY(while_open(context, node, &cond, &body));
  OP_TRY(while_find_uses(context, node, &cond, &body));
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

// Where loop variable i is: its output, or the input where it has none and so never changes.
static const TfLiteTensor *while_variable(const TfLiteContext *context, const TfLiteNode *node, int i) {
  const TfLiteTensor *output = op_output(context, node, i);
  return output ? output : op_input(context, node, i);
}

static TfLiteStatus while_call(TfLiteContext *context, const TfLiteNode *node, const call_target *target, const uint8_t *reads) {
  const op_services *services = op_services_of(context);
  for (int i = 0; i < op_input_count(node); i++) {  // shapes may have changed, or other nodes called it with other ones
    const TfLiteTensor *from = while_variable(context, node, i);
    if (!call_input(target, i)) continue;
    OP_TRY(services->subgraph_resize_input(context, target->index, i, op_rank(from), from->dims->data));
  }
  OP_TRY(services->subgraph_allocate(context, target->index));
  for (int i = 0; i < op_input_count(node); i++) {
    TfLiteTensor *to = call_input(target, i);
    if (to && reads[i]) OP_TRY(call_copy(target->context, while_variable(context, node, i), to));
  }
  return services->subgraph_invoke(context, target->index);
}

static TfLiteStatus while_eval(TfLiteContext *context, TfLiteNode *node) {
  const while_state *state = node->user_data;
  call_target cond, body;
  OP_TRY(while_open(context, node, &cond, &body));
  for (int i = 0; i < op_input_count(node); i++) {
    TfLiteTensor *output = op_output(context, node, i);
    if (output) OP_TRY(call_copy(context, op_input(context, node, i), output));
  }
  for (;;) {
    OP_TRY(while_call(context, node, &cond, state->cond_reads));
    const TfLiteTensor *result = call_output(&cond, 0);
    OP_TRY(while_check_cond(context, result));
    OP_CHECK(context, result->data.raw, "the condition gave no result");
    if (!result->data.uint8[0]) return kTfLiteOk;
    OP_TRY(while_call(context, node, &body, state->body_reads));
    for (int i = 0; i < op_input_count(node); i++) {
      if (!state->stays[i]) OP_TRY(call_copy(context, call_output(&body, i), op_output(context, node, i)));
    }
  }
}

const op_descriptor arn_op_while = {
    OP_ROW(WHILE),        .state_size = sizeof(while_state), .params_size = sizeof(TfLiteWhileParams),
    .parse = while_parse, .prepare = while_prepare,          .eval = while_eval,
};
