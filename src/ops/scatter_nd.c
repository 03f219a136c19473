// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND: a tensor of zeros of the shape that input 2 gives, to whose slices (named by the tuples in input 0) the updates
// (input 1) are added.
#include "ops/move_common.h"

static TfLiteStatus scatter_nd_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *indices = op_input(context, node, 0), *updates = op_input(context, node, 1),
                     *shape = op_input(context, node, 2);
  int rank, dims[OP_MAX_RANK], outer = op_rank(indices) - 1, tuple = op_dim(indices, outer);
  OP_TRY(op_read_ints(context, shape, "shape", OP_MAX_RANK, dims, &rank));
  for (int i = 0; i < outer; i++) {
    OP_CHECK(context, i < op_rank(updates) && op_dim(indices, i) == op_dim(updates, i),
             "indices and updates differ in dimension %d", i);
  }
  OP_CHECK(context, tuple <= rank && op_rank(updates) - outer == rank - tuple,
           "updates of rank %d do not fit: %d dimensions of tuples of %d, %d in all", op_rank(updates), outer, tuple, rank);
  for (int i = tuple; i < rank; i++) {
    OP_CHECK(context, op_dim(updates, outer + i - tuple) == dims[i], "dimension %d of the updates is %d, of the shape %d",
             outer + i - tuple, op_dim(updates, outer + i - tuple), dims[i]);
  }
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus scatter_nd_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *indices = op_input(context, node, 0), *updates = op_input(context, node, 1),
                     *shape = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, updates, "updates", OP_TYPES_SCATTER_ND));
  OP_TRY(op_check_type(context, indices, "indices", OP_I32));
  OP_TRY(op_check_type(context, shape, "shape", OP_I32));
  OP_CHECK(context, op_rank(indices) >= 1 && op_rank(updates) >= 1 && op_rank(shape) == 1,
           "indices and updates must be at least vectors, the shape a vector");
  OP_TRY(move_take_type(context, output, (TfLiteType)updates->type));
  return op_is_constant(shape) ? scatter_nd_resize(context, node) : op_make_dynamic(context, output);
}

// target += source, integers wrapping around, booleans or-ed.
static void scatter_nd_add(TfLiteType type, const void *source, size_t run, void *target) {
  const uint8_t *s8 = source;
  uint8_t *t8 = target;
  switch (type) {
    case kTfLiteFloat32:
      for (size_t i = 0; i < run; i++) ((float *)target)[i] += ((const float *)source)[i];
      break;
    case kTfLiteInt32:
      for (size_t i = 0; i < run; i++) ((uint32_t *)target)[i] += ((const uint32_t *)source)[i];
      break;
    case kTfLiteInt64:
      for (size_t i = 0; i < run; i++) ((uint64_t *)target)[i] += ((const uint64_t *)source)[i];
      break;
    case kTfLiteBool:
      for (size_t i = 0; i < run; i++) t8[i] = t8[i] || s8[i];
      break;
    default:
      for (size_t i = 0; i < run; i++) t8[i] = (uint8_t)(t8[i] + s8[i]);
      break;
  }
}

static TfLiteStatus scatter_nd_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *indices = op_input(context, node, 0), *updates = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(scatter_nd_resize(context, node));
  int outer = op_rank(indices) - 1, tuple = op_dim(indices, outer);
  size_t count = op_count_between(indices, 0, outer), run = op_count_between(output, tuple, op_rank(output));
  size_t bytes = run * op_type_size((TfLiteType)output->type);
  if (op_count(output)) memset(output->data.raw, 0, op_bytes(output));
  for (size_t i = 0; i < count; i++) {
    size_t slice = 0;
    for (int k = 0; k < tuple; k++) {
      int64_t index = move_int_at(indices, i * (size_t)tuple + (size_t)k);
      OP_CHECK(context, index >= 0 && index < op_dim(output, k), "index %lld of tuple %d is outside dimension %d of size %d",
               (long long)index, (int)i, k, op_dim(output, k));
      slice = slice * (size_t)op_dim(output, k) + (size_t)index;
    }
    if (run) scatter_nd_add((TfLiteType)output->type, updates->data.uint8 + i * bytes, run, output->data.uint8 + slice * bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_scatter_nd = {OP_ROW(SCATTER_ND), .prepare = scatter_nd_prepare, .eval = scatter_nd_eval};
