// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP_SPARSE: for each output bucket the weighted sum (or mean, or sum over the root of the squared weights) of the
// table rows whose ids are listed for it. Inputs: ids (n), indices (n, r), dense shape (r), weights (n), table (rows, ...). A
// bucket is named by the first r - 1 indices; its ids stand one after the other.
#include <math.h>

#include "ops/move_common.h"

typedef struct embedding_lookup_sparse_state {
  TfLiteCombinerType combiner;
} embedding_lookup_sparse_state;

static void embedding_lookup_sparse_parse(fb_table options, void *params) {
  int8_t combiner = EmbeddingLookupSparseOptions_combiner(options);
  ((TfLiteEmbeddingLookupSparseParams *)params)->combiner = combiner == CombinerType_MEAN    ? kTfLiteCombinerTypeMean
                                                            : combiner == CombinerType_SQRTN ? kTfLiteCombinerTypeSqrtn
                                                                                             : kTfLiteCombinerTypeSum;
}

static TfLiteStatus embedding_lookup_sparse_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *shape = op_input(context, node, 2), *table = op_input(context, node, 4);
  int dims[2 * OP_MAX_RANK], rank = 0;
  for (int i = 0; i < op_dim(shape, 0) - 1; i++) {
    int64_t size = move_int_at(shape, (size_t)i);
    OP_CHECK(context, size >= 0, "dimension %d of the dense shape is negative", i);
    dims[rank++] = (int)size;
  }
  for (int i = 1; i < op_rank(table); i++) dims[rank++] = op_dim(table, i);
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus embedding_lookup_sparse_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 5, 5, 1));
  const TfLiteEmbeddingLookupSparseParams *params = node->builtin_data;
  ((embedding_lookup_sparse_state *)node->user_data)->combiner = params->combiner;
  const TfLiteTensor *ids = op_input(context, node, 0), *indices = op_input(context, node, 1),
                     *shape = op_input(context, node, 2);
  const TfLiteTensor *weights = op_input(context, node, 3), *table = op_input(context, node, 4);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, ids, "ids", OP_I32));
  OP_TRY(op_check_type(context, indices, "indices", OP_I32));
  OP_TRY(op_check_type(context, shape, "dense shape", OP_I32));
  OP_TRY(op_check_type(context, weights, "weights", OP_F32));
  OP_TRY(op_check_type(context, table, "table", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context,
           op_rank(ids) == 1 && op_rank(indices) == 2 && op_rank(shape) == 1 && op_rank(weights) == 1 && op_rank(table) >= 2,
           "ids, indices, dense shape, weights and table have ranks %d, %d, %d, %d and %d", op_rank(ids), op_rank(indices),
           op_rank(shape), op_rank(weights), op_rank(table));
  OP_CHECK(context, op_dim(indices, 0) == op_dim(ids, 0) && op_dim(weights, 0) == op_dim(ids, 0),
           "%d ids, %d indices, %d weights", op_dim(ids, 0), op_dim(indices, 0), op_dim(weights, 0));
  int depth = op_dim(indices, 1);
  OP_CHECK(context, depth >= 1 && op_dim(shape, 0) == depth, "indices of %d numbers for a dense shape of %d", depth,
           op_dim(shape, 0));
  OP_CHECK(context, depth <= OP_MAX_RANK && op_rank(table) <= OP_MAX_RANK, "ranks are over the limit of %d", OP_MAX_RANK);
  return op_make_dynamic(context, output);
}

static void embedding_lookup_sparse_finish(TfLiteCombinerType combiner, float weight, float squares, float *row, size_t width) {
  if (combiner == kTfLiteCombinerTypeSum) return;
  float divisor = combiner == kTfLiteCombinerTypeMean ? weight : sqrtf(squares);
  for (size_t k = 0; k < width; k++) row[k] /= divisor;
}

static TfLiteStatus embedding_lookup_sparse_eval(TfLiteContext *context, TfLiteNode *node) {
  const embedding_lookup_sparse_state *state = node->user_data;
  const TfLiteTensor *ids = op_input(context, node, 0), *indices = op_input(context, node, 1),
                     *shape = op_input(context, node, 2);
  const TfLiteTensor *weights = op_input(context, node, 3), *table = op_input(context, node, 4);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(embedding_lookup_sparse_resize(context, node));
  size_t depth = (size_t)op_dim(indices, 1), width = op_count_between(table, 1, op_rank(table));
  size_t current = SIZE_MAX;
  float weight = 0, squares = 0;
  if (op_count(output)) memset(output->data.raw, 0, op_bytes(output));
  for (int i = 0; i < op_dim(ids, 0); i++) {
    int32_t id = ids->data.i32[i];
    OP_CHECK(context, id >= 0 && id < op_dim(table, 0), "id %d is %d, the table has %d rows", i, (int)id, op_dim(table, 0));
    size_t bucket = 0;
    for (size_t k = 0; k + 1 < depth; k++) {
      int64_t at = move_int_at(indices, (size_t)i * depth + k), size = move_int_at(shape, k);
      OP_CHECK(context, at >= 0 && at < size, "index %d is %lld in dimension %d of size %d", i, (long long)at, (int)k, (int)size);
      bucket = bucket * (size_t)size + (size_t)at;
    }
    if (bucket != current) {
      if (current != SIZE_MAX)
        embedding_lookup_sparse_finish(state->combiner, weight, squares, output->data.f + current * width, width);
      current = bucket;
      weight = squares = 0;
    }
    float w = weights->data.f[i], *row = output->data.f + bucket * width;
    const float *values = table->data.f + (size_t)id * width;
    weight += w;
    squares += w * w;
    for (size_t k = 0; k < width; k++) row[k] += values[k] * w;
  }
  if (current != SIZE_MAX)
    embedding_lookup_sparse_finish(state->combiner, weight, squares, output->data.f + current * width, width);
  return kTfLiteOk;
}

const op_descriptor arn_op_embedding_lookup_sparse = {
    OP_ROW(EMBEDDING_LOOKUP_SPARSE),
    .state_size = sizeof(embedding_lookup_sparse_state),
    .params_size = sizeof(TfLiteEmbeddingLookupSparseParams),
    .parse = embedding_lookup_sparse_parse,
    .prepare = embedding_lookup_sparse_prepare,
    .eval = embedding_lookup_sparse_eval,
};
