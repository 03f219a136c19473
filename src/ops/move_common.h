// SPDX-License-Identifier: Apache-2.0
// What the data-moving operators share: axes, padding tables, moving a tensor's elements whatever their type. For files of ops/.
#ifndef OPS_MOVE_COMMON_H
#define OPS_MOVE_COMMON_H

#include <string.h>

#include "kernels/move.h"
#include "ops/op.h"
#include "ops/string_buffer.h"

void move_no_macs(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost);

// Copies the view from input (element `first` is the view's index 0) to output's start; byte types, packed 4-bit types, strings.
// The steps into the output must be those of its shape.
TfLiteStatus move_tensor(TfLiteContext *context, const move_view *view, const TfLiteTensor *input, size_t first,
                         TfLiteTensor *output);
// output gets input's elements in the same order, unless they share memory already; the two may overlap.
TfLiteStatus move_as_is(TfLiteContext *context, const TfLiteTensor *input, TfLiteTensor *output);

// An axis that may count from the end, as 0..rank - 1.
TfLiteStatus move_axis(TfLiteContext *context, int axis, int rank, int *result);
// A list of dimensions as bits; fails unless each is below `rank` and given once.
TfLiteStatus move_dimension_bits(TfLiteContext *context, const int64_t *dims, int count, int rank, uint32_t *bits);
// Element i of an integer or boolean tensor; one of another type gives 0.
int64_t move_int_at(const TfLiteTensor *t, size_t i);
// The only element of an int32 or int64 tensor.
TfLiteStatus move_read_one(TfLiteContext *context, const TfLiteTensor *t, const char *what, int *value);
// A (rank, 2) tensor of paddings into before[] and after[], none negative, for an input of that rank.
TfLiteStatus move_read_paddings(TfLiteContext *context, const TfLiteTensor *t, uint32_t type_bits, int rank, int *before,
                                int *after);
TfLiteStatus move_same_type(TfLiteContext *context, const TfLiteTensor *output, const TfLiteTensor *input);
// The output takes the input's type (the reference lets these operators set it); strings stay strings.
TfLiteStatus move_take_type(TfLiteContext *context, TfLiteTensor *output, TfLiteType type);

static inline bool move_same_quantisation(const TfLiteTensor *a, const TfLiteTensor *b) {
  return op_scale(a) == op_scale(b) && op_zero_point(a) == op_zero_point(b);
}

// Whether an operator whose inputs are all constant should compute its output in prepare. A micro build does so for shapes and
// the like only: results are held in memory for good.
static inline bool move_folds(const TfLiteTensor *input) {
  return op_is_constant(input) && input->type != kTfLiteString && (!ARENITE_MICRO || op_count(input) <= OP_MAX_RANK);
}

#endif
