// SPDX-License-Identifier: Apache-2.0
// STRIDED_SLICE: input[begin:end:stride, ...] with numpy's extras: masks say where begin or end is left open, where an ellipsis
// stands, where an axis of size 1 is inserted or an indexed one dropped. With `offset`, end counts from begin.
#include "ops/move_common.h"

typedef struct strided_slice_state {
  uint32_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
  bool offset;
} strided_slice_state;

// What to take: dimension i of the "effective" shape (the input's with new axes put in).
typedef struct strided_slice_range {
  int32_t start, stop, stride, count;
  int32_t size;       // the result's dimension: as the reference computes it, which differs from count for bad offset slices
  int32_t input_dim;  // -1: a new axis
  bool shrink;        // not a dimension of the result
} strided_slice_range;

static void strided_slice_parse(fb_table options, void *params) {
  TfLiteStridedSliceParams *p = params;
  p->begin_mask = StridedSliceOptions_begin_mask(options);
  p->end_mask = StridedSliceOptions_end_mask(options);
  p->ellipsis_mask = StridedSliceOptions_ellipsis_mask(options);
  p->new_axis_mask = StridedSliceOptions_new_axis_mask(options);
  p->shrink_axis_mask = StridedSliceOptions_shrink_axis_mask(options);
  p->offset = StridedSliceOptions_offset(options);
}

static int64_t strided_slice_clamp(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

// The elements that start, stop and stride select of `size`; TFLite reference: strided_slice.h, StartForAxis and EndForAxis.
static TfLiteStatus strided_slice_bound(TfLiteContext *context, const strided_slice_state *state, int spec, int64_t begin,
                                        int64_t end, int32_t stride, int size, bool begin_known, strided_slice_range *r) {
  bool open_begin = state->begin_mask >> spec & 1, open_end = state->end_mask >> spec & 1;
  OP_CHECK(context, stride != 0 && stride != INT32_MIN, "stride %d is %d", spec, (int)stride);
  int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1, length = end;
  int64_t start = begin_known ? strided_slice_clamp(begin < 0 ? begin + size : begin, low, high) : 0;
  if (open_begin) start = stride > 0 ? 0 : size - 1;
  int64_t stop;
  if (r->shrink) {
    stop = start >= size ? start : start + 1;
  } else {
    stop = end + (state->offset ? start : 0);
    stop = strided_slice_clamp(stop < 0 ? stop + size : stop, low, high);
    if (open_end) stop = stride > 0 ? size : -1;
  }
  r->start = (int32_t)start;
  r->stop = (int32_t)stop;
  r->stride = stride;
  int64_t span = stop - start;
  r->count = (span > 0) == (stride > 0) && span != 0 ? (int32_t)((stride > 0 ? span - 1 : span + 1) / stride + 1) : 0;
  if (!state->offset) length = span;
  r->size = r->shrink                                     ? 1
            : (length > 0) == (stride > 0) && length != 0 ? (int32_t)((stride > 0 ? length - 1 : length + 1) / stride + 1)
                                                          : 0;
  return kTfLiteOk;
}

// Lays the specification out over the effective dimensions. begin_known false: only the result's shape is wanted (offset slices
// with begin known in eval only).
static TfLiteStatus strided_slice_ranges(TfLiteContext *context, TfLiteNode *node, bool begin_known, int *count,
                                         strided_slice_range *ranges) {
  const strided_slice_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *begin = op_input(context, node, 1), *end = op_input(context, node, 2);
  const TfLiteTensor *strides = op_input(context, node, 3);
  int specs = op_dim(begin, 0), added = 0, ellipsis = MOVE_MAX_RANK, span = 1;
  for (int i = 0; i < specs; i++) added += !(state->ellipsis_mask >> i & 1) && (state->new_axis_mask >> i & 1);
  int effective = op_rank(input) + added;
  OP_CHECK(context, effective <= MOVE_MAX_RANK, "too many new axes");
  for (int i = 0; i < effective && i < specs; i++) {
    if (!(state->ellipsis_mask >> i & 1)) continue;
    ellipsis = i;
    span = 1 + added + op_rank(input) - specs;  // it stands for the dimensions that nothing else names, at least for one
    if (span < 1) span = 1;
    if (span > effective - i) span = effective - i;
    break;
  }
  int dim = 0;
  for (int i = 0; i < effective; i++) {
    strided_slice_range *r = &ranges[i];
    int spec = i >= ellipsis + span ? i - span + 1 : i;
    bool whole = (i >= ellipsis && i < ellipsis + span) || spec >= specs;
    if (!whole && state->new_axis_mask >> spec & 1) {
      *r = (strided_slice_range){.stop = 1, .stride = 1, .count = 1, .size = 1, .input_dim = -1};
      continue;
    }
    OP_CHECK(context, dim < op_rank(input), "names more dimensions than the input has");
    int size = op_dim(input, dim);
    *r = (strided_slice_range){.stop = size, .stride = 1, .count = size, .size = size, .input_dim = dim++};
    if (whole) continue;
    r->shrink = state->shrink_axis_mask >> spec & 1;
    size_t at = (size_t)spec;
    OP_TRY(strided_slice_bound(context, state, spec, begin_known ? move_int_at(begin, at) : 0,
                               begin_known || state->offset ? move_int_at(end, at) : 0, (int32_t)move_int_at(strides, at), size,
                               begin_known, r));
  }
  *count = effective;
  return kTfLiteOk;
}

static TfLiteStatus strided_slice_resize(TfLiteContext *context, TfLiteNode *node, bool persistent) {
  strided_slice_range ranges[MOVE_MAX_RANK];
  int count, rank = 0, dims[MOVE_MAX_RANK];
  bool begin_known = op_is_constant(op_input(context, node, 1)) || op_is_dynamic(op_output(context, node, 0));
  OP_TRY(strided_slice_ranges(context, node, begin_known, &count, ranges));
  for (int i = 0; i < count; i++) {
    if (!ranges[i].shrink) dims[rank++] = ranges[i].size;
  }
  TfLiteTensor *output = op_output(context, node, 0);
  return persistent ? op_resize_persistent(context, output, rank, dims) : op_resize(context, output, rank, dims);
}

static TfLiteStatus strided_slice_run(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  strided_slice_range ranges[MOVE_MAX_RANK];
  int count;
  OP_TRY(strided_slice_ranges(context, node, true, &count, ranges));
  if (op_count(output) == 0) {
    string_writer writer;
    return input->type == kTfLiteString ? string_begin(context, output, 0, &writer) : kTfLiteOk;
  }
  ptrdiff_t from[OP_MAX_RANK], first = 0, to = (ptrdiff_t)op_count(output);
  move_steps(op_rank(input), input->dims->data, from);
  move_view view = {0};
  for (int i = 0; i < count; i++) {
    const strided_slice_range *r = &ranges[i];
    OP_CHECK(context, r->count == r->size, "range %d, from %d, selects %d elements of the input's %d, not %d", i, (int)r->start,
             (int)r->count, r->input_dim < 0 ? 1 : op_dim(input, r->input_dim), (int)r->size);
    ptrdiff_t step = r->input_dim < 0 ? 0 : from[r->input_dim];
    first += r->start * step;
    to /= r->size;  // no size is 0 here
    move_add(&view, (size_t)r->size, r->stride * step, to);
  }
  return move_tensor(context, &view, input, (size_t)first, output);
}

static TfLiteStatus strided_slice_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 4, 4, 1));
  const TfLiteStridedSliceParams *params = node->builtin_data;
  strided_slice_state *state = node->user_data;
  *state =
      (strided_slice_state){(uint32_t)params->begin_mask,    (uint32_t)params->end_mask,         (uint32_t)params->ellipsis_mask,
                            (uint32_t)params->new_axis_mask, (uint32_t)params->shrink_axis_mask, params->offset};
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_STRIDED_SLICE));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "rank %d is over the limit of %d", op_rank(input), OP_MAX_RANK);
  bool known[4];
  for (int i = 1; i < 4; i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    OP_TRY(op_check_type(context, t, i == 1 ? "begin" : i == 2 ? "end" : "strides", OP_I32));
    OP_CHECK(context, op_rank(t) == 1 && op_dim(t, 0) == op_dim(op_input(context, node, 1), 0),
             "begin, end and strides must be vectors of one length");
    OP_CHECK(context, op_dim(t, 0) <= 31, "%d ranges are over the limit of 31", op_dim(t, 0));
    known[i] = op_is_constant(t);
  }
  if (!known[3] || !known[2] || !(known[1] || state->offset)) return op_make_dynamic(context, output);
  bool fold = move_folds(input) && known[1];
  OP_TRY(strided_slice_resize(context, node, fold));
  return fold ? strided_slice_run(context, node) : kTfLiteOk;
}

static TfLiteStatus strided_slice_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_constant(output)) return kTfLiteOk;
  if (op_is_dynamic(output)) OP_TRY(strided_slice_resize(context, node, false));
  return strided_slice_run(context, node);
}

const op_descriptor arn_op_strided_slice = {
    OP_ROW(STRIDED_SLICE),        .state_size = sizeof(strided_slice_state), .params_size = sizeof(TfLiteStridedSliceParams),
    .parse = strided_slice_parse, .prepare = strided_slice_prepare,          .eval = strided_slice_eval,
    .cost = move_no_macs,
};
