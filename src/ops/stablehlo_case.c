// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_CASE: runs one of several subgraphs on inputs 1, 2, ...; input 0 is its place among them, the last one where that is
// outside.
#include "ops/call_common.h"

enum { STABLEHLO_CASE_MOST = TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCHES_COUNT };

typedef struct stablehlo_case_state {
  int32_t count;
  int32_t branch[STABLEHLO_CASE_MOST];
  uint8_t *reads[STABLEHLO_CASE_MOST];  // call_find_reads
} stablehlo_case_state;

static void stablehlo_case_parse(fb_table options, void *params) {
  TfLiteStablehloCaseParams *p = params;
  fb_vector branches = StablehloCaseOptions_branch_subgraph_indices(options);
  p->num_branches = branches.count;
  for (uint32_t i = 0; i < branches.count && i < STABLEHLO_CASE_MOST; i++)
    p->branch_subgraph_indices[i] = fb_vector_i32(branches, i);
}

static TfLiteStatus stablehlo_case_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteStablehloCaseParams *params = node->builtin_data;
  stablehlo_case_state *state = node->user_data;
  const TfLiteTensor *index = op_input(context, node, 0);
  OP_CHECK(context, params->num_branches > 0 && params->num_branches <= STABLEHLO_CASE_MOST, "%u branches",
           (unsigned)params->num_branches);
  OP_CHECK(context, index, "has no index");
  OP_TRY(op_check_type(context, index, "index", OP_I32));
  OP_CHECK(context, op_count(index) == 1, "the index must be one value, it has %d", (int)op_count(index));
  state->count = (int32_t)params->num_branches;
  bool dynamic = false;
  call_target first, branch;
  for (int i = 0; i < state->count; i++) {
    state->branch[i] = params->branch_subgraph_indices[i];
    OP_TRY(call_open(context, state->branch[i], op_input_count(node) - 1, op_output_count(node), &branch));
    OP_TRY(call_prepare(context, node, 1, &branch));
    state->reads[i] = call_find_reads(context, &branch, state->reads[i]);
    OP_CHECK(context, state->reads[i], "no memory for a call");
    dynamic = dynamic || op_services_of(context)->subgraph_has_dynamic_outputs(context, state->branch[i]);
    if (i == 0) first = branch;
    for (int k = 0; k < op_output_count(node); k++) {
      OP_CHECK(context, call_output(&branch, k)->type == call_output(&first, k)->type, "the branches' results %d differ in type",
               k);
      dynamic = dynamic || !op_same_shape(call_output(&branch, k), call_output(&first, k));
    }
  }
  return call_resize_outputs(context, node, &first, dynamic);
}

static TfLiteStatus stablehlo_case_eval(TfLiteContext *context, TfLiteNode *node) {
  const stablehlo_case_state *state = node->user_data;
  int32_t at = op_input(context, node, 0)->data.i32[0];
  if (at < 0 || at >= state->count) at = state->count - 1;
  call_target branch;
  OP_TRY(call_open(context, state->branch[at], op_input_count(node) - 1, op_output_count(node), &branch));
  OP_TRY(call_prepare(context, node, 1, &branch));  // other nodes may have called it with other shapes since
  OP_TRY(call_run(context, node, 1, &branch, state->reads[at]));
  return call_copy_out(context, node, &branch);
}

const op_descriptor arn_op_stablehlo_case = {
    OP_ROW(STABLEHLO_CASE),        .state_size = sizeof(stablehlo_case_state), .params_size = sizeof(TfLiteStablehloCaseParams),
    .parse = stablehlo_case_parse, .prepare = stablehlo_case_prepare,          .eval = stablehlo_case_eval,
};
