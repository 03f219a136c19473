// SPDX-License-Identifier: Apache-2.0
// GATHER_ND: output[i..., :] = params[indices[i..., 0], indices[i..., 1], ..., :]: the last dimension of the indices names a
// slice of the params.
#include "base/checked.h"
#include "ops/move_common.h"

#define GATHER_ND_INDEX_TYPES (OP_I16 | OP_I32 | OP_I64)

static TfLiteStatus gather_nd_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *params = op_input(context, node, 0), *indices = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, params, "params", OP_TYPES_GATHER_ND));
  OP_TRY(op_check_type(context, indices, "indices", GATHER_ND_INDEX_TYPES));
  OP_CHECK(context, op_rank(params) >= 1 && op_rank(indices) >= 1, "params and indices must be at least vectors");
  int tuple = op_dim(indices, op_rank(indices) - 1), rank = op_rank(indices) - 1, dims[OP_MAX_RANK];
  OP_CHECK(context, tuple <= op_rank(params) && op_rank(params) <= OP_MAX_RANK, "%d indices for params of rank %d", tuple,
           op_rank(params));
  OP_CHECK(context, rank + op_rank(params) - tuple <= OP_MAX_RANK, "the output has rank %d, over the limit of %d",
           rank + op_rank(params) - tuple, OP_MAX_RANK);
  OP_TRY(move_take_type(context, output, (TfLiteType)params->type));
  for (int i = 0; i < rank; i++) dims[i] = op_dim(indices, i);
  for (int i = tuple; i < op_rank(params); i++) dims[rank++] = op_dim(params, i);
  return op_resize(context, output, rank, dims);
}

// Number of the slice that tuple `at` of the indices names.
static TfLiteStatus gather_nd_slice(TfLiteContext *context, const TfLiteTensor *params, const TfLiteTensor *indices, size_t at,
                                    size_t *slice) {
  int tuple = op_dim(indices, op_rank(indices) - 1);
  *slice = 0;
  for (int i = 0; i < tuple; i++) {
    int64_t index = move_int_at(indices, at * (size_t)tuple + (size_t)i);
    OP_CHECK(context, index >= 0 && index < op_dim(params, i), "index %lld of tuple %d is outside dimension %d of size %d",
             (long long)index, (int)at, i, op_dim(params, i));
    *slice = *slice * (size_t)op_dim(params, i) + (size_t)index;
  }
  return kTfLiteOk;
}

static TfLiteStatus gather_nd_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *params = op_input(context, node, 0), *indices = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, op_count(params) > 0 || op_count(indices) == 0, "the params are empty");
  int tuple = op_dim(indices, op_rank(indices) - 1);
  size_t count = op_count_between(indices, 0, op_rank(indices) - 1), run = op_count_between(params, tuple, op_rank(params)),
         slice;
  if (params->type != kTfLiteString) {
    size_t bytes = run * op_type_size((TfLiteType)params->type);
    for (size_t i = 0; i < count; i++) {
      OP_TRY(gather_nd_slice(context, params, indices, i, &slice));
      if (bytes) memcpy(output->data.uint8 + i * bytes, params->data.uint8 + slice * bytes, bytes);
    }
    return kTfLiteOk;
  }
  OP_TRY(string_check(context, params, "params"));
  size_t text = 0;
  string_writer writer = {0};
  for (int pass = 0; pass < 2; pass++) {  // first how much text, then the text
    if (pass) OP_TRY(string_begin(context, output, text, &writer));
    for (size_t i = 0; i < count; i++) {
      OP_TRY(gather_nd_slice(context, params, indices, i, &slice));
      for (size_t k = 0; k < run; k++) {
        string_view s = string_at(params, slice * run + k);
        if (pass)
          string_add(&writer, s);
        else
          OP_CHECK(context, checked_add(text, s.length, &text), "too much text");
      }
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_gather_nd = {OP_ROW(GATHER_ND), .prepare = gather_nd_prepare, .eval = gather_nd_eval,
                                        .cost = move_no_macs};
