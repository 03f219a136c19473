// SPDX-License-Identifier: Apache-2.0
// Quantised element-wise functions of one tensor: 8-bit ones are a table that prepare fills. For files of ops/.
#ifndef OPS_UNARY_COMMON_H
#define OPS_UNARY_COMMON_H

#include "kernels/table.h"
#include "kernels/unary.h"
#include "ops/elementwise_common.h"

// The scales and zero points of input 0 and output 0; fails unless both are quantised per tensor. 16-bit tensors must have zero
// point 0.
TfLiteStatus unary_scales(TfLiteContext *context, const TfLiteNode *node, table_scales *scales);
// Room for a table that lives as long as the node: *table stays what it is when prepare runs again.
TfLiteStatus unary_table_room(TfLiteContext *context, size_t bytes, void **table);

// A table of f on real numbers, for int8, uint8 (256 bytes) or int16 (513 points) tensors.
TfLiteStatus unary_table_real(TfLiteContext *context, const TfLiteNode *node, table_function f, const void *params, void **table);
// A table of 8-bit numbers from a function of quantised numbers.
typedef int32_t (*unary_function)(int32_t q, const void *params);
TfLiteStatus unary_table_8(TfLiteContext *context, TfLiteType type, unary_function f, const void *params, void **table);

// Runs a table over input 0 into output 0.
TfLiteStatus unary_run_table(TfLiteContext *context, TfLiteNode *node, const void *table);

// The least and the largest number of a quantised type.
static inline void unary_type_range(TfLiteType type, int32_t *low, int32_t *high) {
  *low = type == kTfLiteUInt8 ? 0 : type == kTfLiteInt8 ? INT8_MIN : INT16_MIN;
  *high = type == kTfLiteUInt8 ? UINT8_MAX : type == kTfLiteInt8 ? INT8_MAX : INT16_MAX;
}

#endif
