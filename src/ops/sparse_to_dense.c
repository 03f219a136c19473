// SPDX-License-Identifier: Apache-2.0
// SPARSE_TO_DENSE: a tensor of the shape that input 1 gives, filled with the default value (input 3), with values (input 2, one
// for each or one for all) at the places that the indices (input 0) name.
#include "ops/move_common.h"

enum { SPARSE_TO_DENSE_MAX_RANK = 4 };  // of the reference

static void sparse_to_dense_parse(fb_table options, void *params) {
  ((TfLiteSparseToDenseParams *)params)->validate_indices = SparseToDenseOptions_validate_indices(options);
}

static TfLiteStatus sparse_to_dense_resize(TfLiteContext *context, TfLiteNode *node) {
  int rank, dims[SPARSE_TO_DENSE_MAX_RANK];
  OP_TRY(op_read_ints(context, op_input(context, node, 1), "output shape", SPARSE_TO_DENSE_MAX_RANK, dims, &rank));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus sparse_to_dense_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 4, 4, 1));
  const TfLiteTensor *indices = op_input(context, node, 0), *shape = op_input(context, node, 1),
                     *values = op_input(context, node, 2);
  const TfLiteTensor *otherwise = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, indices, "indices", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, shape, "output shape", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, values, "values", OP_TYPES_SPARSE_TO_DENSE));
  OP_CHECK(context, op_rank(indices) <= 2 && op_rank(shape) == 1 && op_rank(values) <= 1,
           "indices, shape and values have ranks %d, %d and %d", op_rank(indices), op_rank(shape), op_rank(values));
  OP_CHECK(context, otherwise->type == values->type && op_count(otherwise) == 1,
           "the default value must be one value of the values' type");
  int tuple = op_rank(indices) == 2 ? op_dim(indices, 1) : 1;
  size_t count = op_rank(indices) == 2 ? (size_t)op_dim(indices, 0) : op_count(indices);
  OP_CHECK(context, tuple == op_dim(shape, 0), "indices of %d numbers for an output of rank %d", tuple, op_dim(shape, 0));
  OP_CHECK(context, op_rank(values) == 0 || op_count(values) == count, "%d indices for %d values", (int)count,
           (int)op_count(values));
  OP_TRY(move_take_type(context, output, (TfLiteType)values->type));
  return op_is_constant(shape) ? sparse_to_dense_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus sparse_to_dense_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *indices = op_input(context, node, 0), *values = op_input(context, node, 2),
                     *otherwise = op_input(context, node, 3);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(sparse_to_dense_resize(context, node));
  size_t bytes = op_type_size((TfLiteType)output->type), rank = (size_t)op_rank(output);
  size_t count = op_rank(indices) == 2 ? (size_t)op_dim(indices, 0) : op_count(indices);
  move_fill(output->data.raw, bytes, op_count(output), otherwise->data.raw);
  for (size_t i = 0; i < count; i++) {
    size_t place = 0;
    for (size_t d = 0; d < rank; d++) {
      int64_t at = move_int_at(indices, i * rank + d);
      OP_CHECK(context, at >= 0 && at < op_dim(output, (int)d), "index %d is %lld in dimension %d of size %d", (int)i,
               (long long)at, (int)d, op_dim(output, (int)d));
      place = place * (size_t)op_dim(output, (int)d) + (size_t)at;
    }
    memcpy(output->data.uint8 + place * bytes, values->data.uint8 + (op_rank(values) ? i * bytes : 0), bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_sparse_to_dense = {
    OP_ROW(SPARSE_TO_DENSE),        .params_size = sizeof(TfLiteSparseToDenseParams),
    .parse = sparse_to_dense_parse, .prepare = sparse_to_dense_prepare,
    .eval = sparse_to_dense_eval,   .cost = move_no_macs,
};
