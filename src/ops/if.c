// SPDX-License-Identifier: Apache-2.0
// IF: runs one of two subgraphs on inputs 1, 2, ...; input 0 is the condition. Where the branches' results differ in shape, the
// outputs are dynamic.
#include "ops/call_common.h"

typedef struct if_state {
  int32_t branch[2];  // subgraph indices: else, then
  uint8_t *reads[2];  // call_find_reads
} if_state;

static void if_parse(fb_table options, void *params) {
  TfLiteIfParams *p = params;
  p->then_subgraph_index = IfOptions_then_subgraph_index(options);
  p->else_subgraph_index = IfOptions_else_subgraph_index(options);
}

static TfLiteStatus if_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_CHECK(context, op_input(context, node, 0), "has no condition");
  const TfLiteIfParams *params = node->builtin_data;
  if_state *state = node->user_data;
  state->branch[0] = params->else_subgraph_index;
  state->branch[1] = params->then_subgraph_index;
  const TfLiteTensor *condition = op_input(context, node, 0);
  OP_TRY(op_check_type(context, condition, "condition", OP_BOOL));
  OP_CHECK(context, op_count(condition) == 1, "the condition must be one value, it has %d", (int)op_count(condition));
  call_target branch[2];
  bool dynamic = false;
  for (int i = 0; i < 2; i++) {
    OP_TRY(call_open(context, state->branch[i], op_input_count(node) - 1, op_output_count(node), &branch[i]));
    OP_TRY(call_prepare(context, node, 1, &branch[i]));
    state->reads[i] = call_find_reads(context, &branch[i], state->reads[i]);
    OP_CHECK(context, state->reads[i], "no memory for a call");
    dynamic = dynamic || op_services_of(context)->subgraph_has_dynamic_outputs(context, state->branch[i]);
  }
  for (int i = 0; i < op_output_count(node) && !dynamic; i++)
    dynamic = !op_same_shape(call_output(&branch[0], i), call_output(&branch[1], i));
  return call_resize_outputs(context, node, &branch[1], dynamic);
}

static TfLiteStatus if_eval(TfLiteContext *context, TfLiteNode *node) {
  const if_state *state = node->user_data;
  int taken = op_input(context, node, 0)->data.uint8[0] != 0;
  call_target branch;
  OP_TRY(call_open(context, state->branch[taken], op_input_count(node) - 1, op_output_count(node), &branch));
  OP_TRY(call_prepare(context, node, 1, &branch));  // other nodes may have called it with other shapes since
  OP_TRY(call_run(context, node, 1, &branch, state->reads[taken]));
  return call_copy_out(context, node, &branch);
}

const op_descriptor arn_op_if = {
    OP_ROW(IF),        .state_size = sizeof(if_state), .params_size = sizeof(TfLiteIfParams),
    .parse = if_parse, .prepare = if_prepare,          .eval = if_eval,
};
