// SPDX-License-Identifier: Apache-2.0
// The options of a custom operator that keeps them in a FlexBuffers map.
#ifndef OPS_FLEX_OPTIONS_H
#define OPS_FLEX_OPTIONS_H

#include "flatbuffer/flex_read.h"
#include "ops/op.h"

static inline flex_value flex_options(const TfLiteNode *node) {
  return flex_root(node->custom_initial_data, node->custom_initial_data_size > 0 ? (size_t)node->custom_initial_data_size : 0);
}

#endif
