// SPDX-License-Identifier: Apache-2.0
// What the element-wise operators share: types, shapes, multipliers, running rows of kernels/broadcast.h over tensors. For files
// of ops/.
#ifndef OPS_ELEMENTWISE_COMMON_H
#define OPS_ELEMENTWISE_COMMON_H

#include <math.h>

#include "kernels/arith.h"
#include "kernels/broadcast.h"
#include "ops/op.h"

// The row for an element type; NULL where the function is not defined on it.
broadcast_row elementwise_row(const broadcast_rows *rows, TfLiteType type);

// Two inputs of one type among type_bits that broadcast together, one output: gives the output its type and shape.
TfLiteStatus elementwise_prepare_binary(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, TfLiteType output_type);
// One input among type_bits, one output of output_type (kTfLiteNoType: the input's) and of the input's shape.
TfLiteStatus elementwise_prepare_unary(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, TfLiteType output_type);
// Fails unless the output has the input's type, for operators whose reference asks for it instead of setting it.
TfLiteStatus elementwise_check_same_type(TfLiteContext *context, const TfLiteNode *node);

// Run a row over inputs 0 and 1, or over input 0, into output 0. Shapes were checked by prepare.
TfLiteStatus elementwise_run_binary(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params);
// The same with input `first` (0 or 1) as the row's x and the other one as its y.
TfLiteStatus elementwise_run_sides(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params, int first);
TfLiteStatus elementwise_run_unary(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params);

// Fails unless t has a finite scale >= 0 (models hold tensors of nothing but zeros, with scale 0) and a zero point that its type
// can hold.
TfLiteStatus elementwise_check_quantized(TfLiteContext *context, const TfLiteTensor *t, const char *what);
// quant_from_real of a ratio of scales; fails when it is not a finite number >= 0.
TfLiteStatus elementwise_multiplier(TfLiteContext *context, double real, quant_multiplier *multiplier);

// Fails where dimensions first..last-1 have more elements together than an int counts, even if another dimension is 0.
TfLiteStatus elementwise_check_product(TfLiteContext *context, const TfLiteTensor *t, int first, int last);

// The bounds of a fused activation on numbers of a type that is not quantised.
void elementwise_clamp(TfLiteFusedActivation activation, TfLiteType type, arith_clamp *clamp);

// The end of prepare: where every input is constant and the output is small, as in arithmetic on shapes, eval runs now and the
// output becomes a constant that the operators behind know. *folded (in the node's state) then tells later evaluations that there
// is nothing left to do.
TfLiteStatus elementwise_fold(TfLiteContext *context, TfLiteNode *node,
                              TfLiteStatus (*eval)(TfLiteContext *context, TfLiteNode *node), bool *folded);

static inline bool elementwise_is_quantized(const TfLiteTensor *t) { return op_scale_count(t) > 0; }
static inline bool elementwise_is_8bit(TfLiteType type) { return type == kTfLiteInt8 || type == kTfLiteUInt8; }

#endif
