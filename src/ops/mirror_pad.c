// SPDX-License-Identifier: Apache-2.0
// MIRROR_PAD: as PAD, the border mirrors the input: REFLECT leaves the edge element out of the mirror image, SYMMETRIC repeats
// it.
#include "ops/move_common.h"

#define MIRROR_PAD_TABLE_TYPES (OP_I32 | OP_I64)

typedef struct mirror_pad_state {
  int32_t offset;  // 1: REFLECT, 0: SYMMETRIC
} mirror_pad_state;

static void mirror_pad_parse(fb_table options, void *params) {
  int8_t mode = MirrorPadOptions_mode(options);
  ((TfLiteMirrorPaddingParams *)params)->mode = mode == MirrorPadMode_REFLECT     ? kTfLiteMirrorPaddingReflect
                                                : mode == MirrorPadMode_SYMMETRIC ? kTfLiteMirrorPaddingSymmetric
                                                                                  : kTfLiteMirrorPaddingUnknown;
}

static TfLiteStatus mirror_pad_resize(TfLiteContext *context, TfLiteNode *node, int *before, int *after) {
  const mirror_pad_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  int rank = op_rank(input), dims[OP_MAX_RANK];
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  OP_TRY(move_read_paddings(context, op_input(context, node, 1), MIRROR_PAD_TABLE_TYPES, rank, before, after));
  for (int i = 0; i < rank; i++) {
    int most = op_dim(input, i) - state->offset;
    OP_CHECK(context, (before[i] <= most && after[i] <= most),
             "paddings %d and %d of dimension %d: an input of size %d mirrors at most %d", before[i], after[i], i,
             op_dim(input, i), most);
    int64_t size = (int64_t)before[i] + op_dim(input, i) + after[i];
    OP_CHECK(context, size <= INT32_MAX, "dimension %d becomes too large", i);
    dims[i] = (int)size;
  }
  TfLiteTensor *output = op_output(context, node, 0);
  if (TfLiteIntArrayEqualsArray(output->dims, rank, dims) && !op_is_dynamic(output)) return kTfLiteOk;
  return op_resize(context, output, rank, dims);
}

static TfLiteStatus mirror_pad_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteMirrorPaddingParams *params = node->builtin_data;
  mirror_pad_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *paddings = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, op_type_size((TfLiteType)input->type) && op_type_size((TfLiteType)input->type) <= 8,
           "type %s is not supported", op_type_name((TfLiteType)input->type));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, params->mode != kTfLiteMirrorPaddingUnknown, "the mode is neither REFLECT nor SYMMETRIC");
  state->offset = params->mode == kTfLiteMirrorPaddingReflect;
  OP_TRY(op_check_type(context, paddings, "paddings", MIRROR_PAD_TABLE_TYPES));
  OP_CHECK(context, op_rank(paddings) == 2 && op_dim(paddings, 0) == op_rank(input) && op_dim(paddings, 1) == 2,
           "paddings must be of shape (%d, 2), the input's rank", op_rank(input));
  if (input->type == kTfLiteUInt8 || input->type == kTfLiteInt8 || input->type == kTfLiteInt16) {
    OP_CHECK(context, move_same_quantisation(input, output), "input and output differ in scale or zero point");
  }
  OP_CHECK(context, input->type != kTfLiteInt16 || op_zero_point(input) == 0, "a 16-bit input has the zero point %d, not 0",
           (int)op_zero_point(input));
  if (!op_is_constant(paddings)) return op_make_dynamic(context, output);
  int before[OP_MAX_RANK], after[OP_MAX_RANK];
  return mirror_pad_resize(context, node, before, after);
}

// Within the output, copies `count` slices of dimension d to first.. from source, source - 1, ...: outer dimensions over the
// input's extent, inner ones, already mirrored, in full.
static void mirror_pad_slices(const TfLiteTensor *input, TfLiteTensor *output, const int *before, int d, int first, int source,
                              int count) {
  if (count == 0) return;  // source may then lie outside
  ptrdiff_t step[OP_MAX_RANK], start = 0;
  size_t bytes = op_type_size((TfLiteType)output->type);
  move_steps(op_rank(output), output->dims->data, step);
  move_view view = {0};
  for (int i = 0; i < d; i++) {
    move_add(&view, (size_t)op_dim(input, i), step[i], step[i]);
    start += before[i] * step[i];
  }
  move_add(&view, (size_t)count, -step[d], step[d]);
  move_add(&view, (size_t)step[d], 1, 1);
  move_copy(&view, bytes, output->data.uint8 + (size_t)(start + source * step[d]) * bytes,
            output->data.uint8 + (size_t)(start + first * step[d]) * bytes);
}

static TfLiteStatus mirror_pad_eval(TfLiteContext *context, TfLiteNode *node) {
  const mirror_pad_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  int rank = op_rank(input), before[OP_MAX_RANK], after[OP_MAX_RANK];
  OP_TRY(mirror_pad_resize(context, node, before, after));
  if (op_count(output) == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)input->type);
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], start = 0;
  move_steps(rank, input->dims->data, from);
  move_steps(rank, output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < rank; i++) {
    move_add(&view, (size_t)op_dim(input, i), from[i], to[i]);
    start += before[i] * to[i];
  }
  move_copy(&view, bytes, input->data.raw, output->data.uint8 + (size_t)start * bytes);
  for (int d = rank - 1; d >= 0; d--) {
    int end = before[d] + op_dim(input, d);
    mirror_pad_slices(input, output, before, d, 0, 2 * before[d] + state->offset - 1, before[d]);
    mirror_pad_slices(input, output, before, d, end, end - 1 - state->offset, after[d]);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_mirror_pad = {
    OP_ROW(MIRROR_PAD),        .state_size = sizeof(mirror_pad_state), .params_size = sizeof(TfLiteMirrorPaddingParams),
    .parse = mirror_pad_parse, .prepare = mirror_pad_prepare,          .eval = mirror_pad_eval,
    .cost = move_no_macs,
};
