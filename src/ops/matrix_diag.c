// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG: vectors (..., n) become the diagonals of matrices (..., n, n) of zeros. MATRIX_SET_DIAG: matrices (..., rows,
// columns) get new main diagonals (..., min(rows, columns)).
#include "ops/move_common.h"

// Writes the diagonals of the output's matrices.
static void matrix_diag_write(const TfLiteTensor *diagonal, TfLiteTensor *output) {
  int rank = op_rank(output), rows = op_dim(output, rank - 2), columns = op_dim(output, rank - 1);
  size_t length = (size_t)(rows < columns ? rows : columns);
  move_view view = {0};
  move_add(&view, op_count_between(output, 0, rank - 2), (ptrdiff_t)length, (ptrdiff_t)rows * columns);
  move_add(&view, length, 1, (ptrdiff_t)columns + 1);
  move_copy(&view, op_type_size((TfLiteType)output->type), diagonal->data.raw, output->data.raw);
}

static TfLiteStatus matrix_diag_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_MATRIX_DIAG));
  int rank = op_rank(input), dims[OP_MAX_RANK];
  OP_CHECK(context, rank >= 1 && rank < OP_MAX_RANK, "the input has rank %d", rank);
  OP_TRY(move_take_type(context, output, (TfLiteType)input->type));
  for (int i = 0; i < rank; i++) dims[i] = op_dim(input, i);
  dims[rank] = dims[rank - 1];
  return op_resize(context, output, rank + 1, dims);
}

static TfLiteStatus matrix_diag_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output)) memset(output->data.raw, 0, op_bytes(output));
  matrix_diag_write(op_input(context, node, 0), output);
  return kTfLiteOk;
}

static TfLiteStatus matrix_set_diag_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *diagonal = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_MATRIX_SET_DIAG));
  int rank = op_rank(input);
  OP_CHECK(context, rank >= 2, "the input must be at least a matrix, it has rank %d", rank);
  OP_CHECK(context, diagonal->type == input->type, "the diagonal is of type %s, the input of type %s",
           op_type_name((TfLiteType)diagonal->type), op_type_name((TfLiteType)input->type));
  size_t rows = (size_t)op_dim(input, rank - 2), columns = (size_t)op_dim(input, rank - 1);
  size_t needed = op_count_between(input, 0, rank - 2) * (rows < columns ? rows : columns);
  OP_CHECK(context, op_count(diagonal) == needed, "the diagonal has %d elements, %d are needed", (int)op_count(diagonal),
           (int)needed);
  OP_TRY(move_take_type(context, output, (TfLiteType)input->type));
  return op_resize_like(context, output, input);
}

static TfLiteStatus matrix_set_diag_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(move_as_is(context, op_input(context, node, 0), output));
  matrix_diag_write(op_input(context, node, 1), output);
  return kTfLiteOk;
}

const op_descriptor arn_op_matrix_diag = {OP_ROW(MATRIX_DIAG), .prepare = matrix_diag_prepare, .eval = matrix_diag_eval,
                                          .cost = move_no_macs};
static void matrix_set_diag_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  (void)context, (void)node;
  share->inputs = 1;  // the output may take the matrices' place
}

const op_descriptor arn_op_matrix_set_diag = {
    OP_ROW(MATRIX_SET_DIAG),      .in_place = OP_ELEMENTWISE, .share = matrix_set_diag_share, .prepare = matrix_set_diag_prepare,
    .eval = matrix_set_diag_eval, .cost = move_no_macs,
};
