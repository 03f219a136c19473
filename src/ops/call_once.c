// SPDX-License-Identifier: Apache-2.0
// CALL_ONCE: runs a subgraph without inputs and outputs (it initialises variables and tables) in the interpreter's first
// inference only.
#include "ops/call_common.h"
#include "ops/move_common.h"

typedef struct call_once_state {
  int32_t index;
} call_once_state;

static void call_once_parse(fb_table options, void *params) {
  ((TfLiteCallOnceParams *)params)->init_subgraph_index = CallOnceOptions_init_subgraph_index(options);
}

static TfLiteStatus call_once_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 0, 0, 0));
  const TfLiteCallOnceParams *params = node->builtin_data;
  call_once_state *state = node->user_data;
  state->index = params->init_subgraph_index;
  call_target target;
  return call_open(context, state->index, 0, 0, &target);
}

static TfLiteStatus call_once_eval(TfLiteContext *context, TfLiteNode *node) {
  const call_once_state *state = node->user_data;
  const op_services *services = op_services_of(context);
  if (!services->first_call(context, state->index)) return kTfLiteOk;
  OP_TRY(services->subgraph_allocate(context, state->index));
  return services->subgraph_invoke(context, state->index);
}

const op_descriptor arn_op_call_once = {
    OP_ROW(CALL_ONCE),        .state_size = sizeof(call_once_state), .params_size = sizeof(TfLiteCallOnceParams),
    .parse = call_once_parse, .prepare = call_once_prepare,          .eval = call_once_eval,
    .cost = move_no_macs,
};
