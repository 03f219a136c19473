// SPDX-License-Identifier: Apache-2.0
// BITCAST: the same bytes as another type. Source of the rules: TFLite kernels/bitcast.cc.
#include <string.h>

#include "ops/op.h"

static TfLiteStatus bitcast_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_BITCAST));
  OP_TRY(op_check_type(context, output, "the output", OP_TYPES_BITCAST));
  size_t from = op_type_size((TfLiteType)input->type), to = op_type_size((TfLiteType)output->type);
  int rank = op_rank(input), dims[OP_MAX_RANK + 1];
  OP_CHECK(context, rank <= OP_MAX_RANK, "the input has rank %d, at most %d is supported", rank, OP_MAX_RANK);
  for (int i = 0; i < rank; i++) dims[i] = op_dim(input, i);
  if (from > to) {  // [...] becomes [..., from / to]
    OP_CHECK(context, from % to == 0, "%d bytes do not divide into elements of %d", (int)from, (int)to);
    dims[rank++] = (int)(from / to);
  } else if (from < to) {  // [..., to / from] becomes [...]
    OP_CHECK(context, rank > 0 && (size_t)dims[rank - 1] * from == to, "the last dimension must be %d", (int)(to / from));
    rank--;
  }
  return op_resize(context, output, rank, dims);
}

static TfLiteStatus bitcast_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  size_t bytes = op_bytes(input);
  if (bytes > 0 && output->data.raw != input->data.raw) memcpy(output->data.raw, input->data.raw, bytes);
  return kTfLiteOk;
}

static void bitcast_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  (void)context, (void)node;
  cost->macs = 0;
}

const op_descriptor arn_op_bitcast = {OP_ROW(BITCAST), .in_place = OP_VIEW, .prepare = bitcast_prepare, .eval = bitcast_eval,
                                      .cost = bitcast_cost};
