// SPDX-License-Identifier: Apache-2.0
// A model's records as text: shapes, index lists, quantisation, options. For inspect and ops.
#ifndef CLI_VIEWS_H
#define CLI_VIEWS_H

#include "arenite/model.h"
#include "json.h"

// Texts from command_text: the caller frees.
char *views_shape(const arn_tensor_info *tensor);         // "1x224x224x3", "?x8" where open, "scalar", "unknown rank"
char *views_list(arn_view list);                          // "0 14 13"
char *views_quantisation(const arn_tensor_info *tensor);  // "0.0078125, 128", "0.001..0.002 (32 channels of axis 0)", ""
char *views_options(const arn_model *model, uint32_t subgraph, uint32_t op);  // "padding=SAME stride_w=2"
const char *views_operator_name(const arn_operator_code_info *kind);          // the custom name of custom ones; borrowed

void views_list_json(cJSON *parent, const char *key, arn_view list);
void views_floats_json(cJSON *parent, const char *key, arn_view list);
void views_options_json(cJSON *parent, const arn_model *model, uint32_t subgraph, uint32_t op);

// What a tensor is to the graph.
const char *views_role(const arn_subgraph_info *subgraph, uint32_t index, const arn_tensor_info *tensor);

#endif
