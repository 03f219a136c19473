// SPDX-License-Identifier: Apache-2.0
// The operators of this library, by name: arn_op_conv_2d, arn_op_softmax, ... for arn_resolver_add_op and arn_micro_create. Only those that
// a program names are linked.
#ifndef ARENITE_OPS_H
#define ARENITE_OPS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct op_descriptor arn_op;

#define OP_BUILTIN(NAME, suffix, low, high, types) extern const arn_op arn_op_##suffix;
#define OP_CUSTOM(NAME, suffix, low, high, types) extern const arn_op arn_op_##suffix;
#include "arenite/ops.def"
#undef OP_BUILTIN
#undef OP_CUSTOM

#ifdef __cplusplus
}
#endif
#endif
