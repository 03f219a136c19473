// SPDX-License-Identifier: Apache-2.0
// VAR_HANDLE: a handle to the variable that the options name; the same names mean the same variable everywhere in the model.
#include "ops/resource_common.h"

static void var_handle_parse(fb_table options, void *params) {
  TfLiteVarHandleParams *p = params;
  p->container = fb_text(VarHandleOptions_container(options));
  p->shared_name = fb_text(VarHandleOptions_shared_name(options));
}

static TfLiteStatus var_handle_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 0, 0, 1));
  const TfLiteVarHandleParams *params = node->builtin_data;
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, output, "output", OP_RESOURCE));
  int id = op_services_of(context)->resource_id(context, params->container, params->shared_name);
  OP_CHECK(context, id >= 0, "no memory for a variable");
  return resource_set_handle(context, output, id);
}

static TfLiteStatus var_handle_eval(TfLiteContext *context, TfLiteNode *node) {
  (void)context, (void)node;
  return kTfLiteOk;
}

const op_descriptor arn_op_var_handle = {
    OP_ROW(VAR_HANDLE),        .params_size = sizeof(TfLiteVarHandleParams),
    .parse = var_handle_parse, .prepare = var_handle_prepare,
    .eval = var_handle_eval,   .cost = move_no_macs,
};
