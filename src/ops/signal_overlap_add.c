// SPDX-License-Identifier: Apache-2.0
// SignalOverlapAdd: adds frames [..., frames, size], each frame_step samples behind the one before, to streams [..., frames *
// frame_step]; what reaches beyond is kept for the next piece. int16 (saturated) or float.
#include "kernels/audio.h"
#include "ops/signal_common.h"

typedef struct signal_overlap_add {
  int step;
  signal_state rest;  // [rows, size]
} signal_overlap_add;

static TfLiteStatus signal_overlap_add_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_overlap_add *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16 | OP_F32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_TYPE(input->type)));
  int rank = op_rank(input), dims[OP_MAX_RANK];
  OP_CHECK(context, rank >= 2 && rank <= OP_MAX_RANK, "input has rank %d", rank);
  op->step = signal_option(node, "frame_step");
  int size = op_dim(input, rank - 1), frames = op_dim(input, rank - 2);
  OP_CHECK(context, op->step > 0 && op->step <= size, "frame_step is %d of frames of %d samples", op->step, size);
  size_t rows = op_count_between(input, 0, rank - 2), samples;
  OP_CHECK(context, checked_mul(rows, (size_t)size, &samples), "the frames are too long");
  OP_TRY(signal_begin(context, &op->rest, samples, op_type_size((TfLiteType)input->type)));
  for (int i = 0; i < rank - 2; i++) dims[i] = op_dim(input, i);
  OP_CHECK(context, frames <= INT32_MAX / op->step, "too many frames");
  dims[rank - 2] = frames * op->step;
  return op_resize(context, op_output(context, node, 0), rank - 1, dims);
}

static TfLiteStatus signal_overlap_add_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_overlap_add *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  int rank = op_rank(input);
  size_t size = (size_t)op_dim(input, rank - 1), frames = (size_t)op_dim(input, rank - 2), step = (size_t)op->step;
  for (size_t f = 0; f < op_count_between(input, 0, rank - 1); f++) {
    size_t row = f / frames;
    if (input->type == kTfLiteInt16)
      audio_overlap_add_s16(input->data.i16 + f * size, size, step, (int16_t *)op->rest.memory + row * size,
                            output->data.i16 + f * step);
    else
      audio_overlap_add_f32(input->data.f + f * size, size, step, (float *)op->rest.memory + row * size,
                            output->data.f + f * step);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_signal_overlap_add = {
    OP_CUSTOM_ROW(SignalOverlapAdd),
    .state_size = sizeof(signal_overlap_add),
    .prepare = signal_overlap_add_prepare,
    .eval = signal_overlap_add_eval,
};
