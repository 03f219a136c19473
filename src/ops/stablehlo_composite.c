// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_COMPOSITE: an operation given by name together with its decomposition, a subgraph; here the decomposition runs.
#include "ops/call_common.h"

typedef struct stablehlo_composite_state {
  int32_t index;
  uint8_t *reads;  // call_find_reads
} stablehlo_composite_state;

static void stablehlo_composite_parse(fb_table options, void *params) {
  TfLiteStablehloCompositeParams *p = params;
  fb_vector attributes = StableHLOCompositeOptions_composite_attributes(options);
  p->name = fb_text(StableHLOCompositeOptions_name(options));
  p->subgraph_index = StableHLOCompositeOptions_decomposition_subgraph_index(options);
  p->version = StableHLOCompositeOptions_version(options);
  p->attributes = attributes.data;
  p->attributes_size = attributes.count;
}

static TfLiteStatus stablehlo_composite_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteStablehloCompositeParams *params = node->builtin_data;
  stablehlo_composite_state *state = node->user_data;
  state->index = params->subgraph_index;
  OP_CHECK(context, op_input_count(node) > 0, "has no inputs");
  call_target target;
  OP_TRY(call_open(context, state->index, op_input_count(node), op_output_count(node), &target));
  OP_TRY(call_prepare(context, node, 0, &target));
  state->reads = call_find_reads(context, &target, state->reads);
  OP_CHECK(context, state->reads, "no memory for a call");
  return call_resize_outputs(context, node, &target,
                             op_services_of(context)->subgraph_has_dynamic_outputs(context, state->index));
}

static TfLiteStatus stablehlo_composite_eval(TfLiteContext *context, TfLiteNode *node) {
  const stablehlo_composite_state *state = node->user_data;
  call_target target;
  OP_TRY(call_open(context, state->index, op_input_count(node), op_output_count(node), &target));
  OP_TRY(call_prepare(context, node, 0, &target));  // other nodes may have called it with other shapes since
  OP_TRY(call_run(context, node, 0, &target, state->reads));
  return call_copy_out(context, node, &target);
}

const op_descriptor arn_op_stablehlo_composite = {
    OP_ROW(STABLEHLO_COMPOSITE),
    .state_size = sizeof(stablehlo_composite_state),
    .params_size = sizeof(TfLiteStablehloCompositeParams),
    .parse = stablehlo_composite_parse,
    .prepare = stablehlo_composite_prepare,
    .eval = stablehlo_composite_eval,
};
