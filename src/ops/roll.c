// SPDX-License-Identifier: Apache-2.0
// The custom operator Roll: moves the elements along each axis (input 2) by a shift (input 1), those that leave at one end come
// back at the other.
#include "base/checked.h"
#include "ops/move_common.h"

// The shift of each dimension, 0..size - 1; shifts of an axis that is given twice add up.
static TfLiteStatus roll_read(TfLiteContext *context, TfLiteNode *node, int *shift) {
  const TfLiteTensor *input = op_input(context, node, 0), *given = op_input(context, node, 1), *axes = op_input(context, node, 2);
  int64_t sum[OP_MAX_RANK] = {0};
  for (size_t i = 0; i < op_count(axes); i++) {
    int axis;
    int64_t wanted = move_int_at(axes, i);
    OP_CHECK(context, wanted >= -OP_MAX_RANK && wanted < OP_MAX_RANK, "axis %lld is out of range", (long long)wanted);
    OP_TRY(move_axis(context, (int)wanted, op_rank(input), &axis));
    if (op_dim(input, axis)) sum[axis] = (sum[axis] + move_int_at(given, i) % op_dim(input, axis)) % op_dim(input, axis);
  }
  for (int i = 0; i < op_rank(input); i++) shift[i] = (int)(sum[i] < 0 ? sum[i] + op_dim(input, i) : sum[i]);
  return kTfLiteOk;
}

static TfLiteStatus roll_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *shift = op_input(context, node, 1), *axis = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_Roll));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, shift, "shift", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, axis, "axis", OP_I32 | OP_I64));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  OP_CHECK(context, op_rank(shift) <= 1 && op_rank(axis) <= 1 && op_count(shift) == op_count(axis), "%d shifts for %d axes",
           (int)op_count(shift), (int)op_count(axis));
  return op_resize_like(context, output, input);
}

// Strings are written in the output's order: each element is looked up.
static TfLiteStatus roll_strings(TfLiteContext *context, const TfLiteTensor *input, const int *shift, TfLiteTensor *output) {
  OP_TRY(string_check(context, input, "input"));
  ptrdiff_t step[OP_MAX_RANK];
  size_t text = 0;
  string_writer writer = {0};
  move_steps(op_rank(input), input->dims->data, step);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++) move_add(&view, (size_t)op_dim(input, i), 0, 0);
  for (int pass = 0; pass < 2; pass++) {  // first how much text, then the text
    if (pass) OP_TRY(string_begin(context, output, text, &writer));
    move_walk walk;
    for (move_walk_begin(&walk, &view); !walk.done; move_walk_next(&walk)) {
      ptrdiff_t from = 0;
      for (int i = 0; i < view.rank; i++) {
        ptrdiff_t at = (ptrdiff_t)walk.at[i] - shift[i];
        from += (at < 0 ? at + op_dim(input, i) : at) * step[i];
      }
      string_view s = string_at(input, (size_t)from);
      if (pass)
        string_add(&writer, s);
      else
        OP_CHECK(context, checked_add(text, s.length, &text), "too much text");
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus roll_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  int shift[OP_MAX_RANK], rank = op_rank(input);
  OP_TRY(roll_read(context, node, shift));
  if (input->type == kTfLiteString) return roll_strings(context, input, shift, output);
  if (op_count(input) == 0) return kTfLiteOk;
  ptrdiff_t step[OP_MAX_RANK];
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_steps(rank, input->dims->data, step);
  // Each dimension falls into what moves up and what comes back: the box of every combination moves as a whole.
  for (unsigned back = 0; back < 1u << rank; back++) {
    move_view view = {0};
    ptrdiff_t from = 0, to = 0;
    bool empty = false;
    for (int i = 0; i < rank; i++) {
      int size = op_dim(input, i);
      bool returns = back >> i & 1;
      empty = empty || (returns && shift[i] == 0);
      move_add(&view, (size_t)(returns ? shift[i] : size - shift[i]), step[i], step[i]);
      from += (returns ? size - shift[i] : 0) * step[i];
      to += (returns ? 0 : shift[i]) * step[i];
    }
    if (!empty) move_copy(&view, bytes, input->data.uint8 + (size_t)from * bytes, output->data.uint8 + (size_t)to * bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_roll = {OP_CUSTOM_ROW(Roll), .prepare = roll_prepare, .eval = roll_eval, .cost = move_no_macs};
