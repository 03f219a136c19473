// SPDX-License-Identifier: Apache-2.0
// SignalRfft: rows of real samples [..., n], filled up with zeros to fft_length, to spectra [..., 2 * (fft_length / 2 + 1)], real
// and imaginary parts in turn. SignalIrfft: the way back, to [..., fft_length]. int16, int32 (divided by fft_length on the way
// there) or float.
#include <limits.h>

#include "kernels/fft.h"
#include "ops/signal_common.h"

typedef struct signal_rfft {
  fft_plan plan;
  void *twiddles;
  int twiddles_for;  // which length they are for; 0: none yet
  int padded_scratch, complex_scratch;
} signal_rfft;

static size_t signal_complex_size(const TfLiteTensor *t) { return 2 * op_type_size((TfLiteType)t->type); }

static TfLiteStatus signal_plan(TfLiteContext *context, TfLiteNode *node, bool inverse) {
  signal_rfft *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  int length = signal_option(node, "fft_length");
  OP_CHECK(context, length <= 1 << 24 && fft_plan_init(&op->plan, length, inverse),
           "there is no transform for an fft_length of %d", length);
  if (op->twiddles_for != length) {
    op->twiddles = op_persistent(context, fft_twiddle_count(&op->plan) * signal_complex_size(input));
    OP_CHECK(context, op->twiddles, "out of memory");
    switch (input->type) {
      case kTfLiteInt16: fft_twiddles_s16(&op->plan, op->twiddles); break;
      case kTfLiteInt32: fft_twiddles_s32(&op->plan, op->twiddles); break;
      default: fft_twiddles_f32(&op->plan, op->twiddles); break;
    }
    op->twiddles_for = length;
  }
  op->plan.twiddles = op->twiddles;
  return op_request_scratch(context, (size_t)op->plan.half * signal_complex_size(input), &op->complex_scratch);
}

// The output's shape is the input's but for the last dimension.
static TfLiteStatus signal_resize_last(TfLiteContext *context, TfLiteNode *node, int last) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int dims[OP_MAX_RANK], rank = op_rank(input);
  for (int i = 0; i < rank - 1; i++) dims[i] = op_dim(input, i);
  dims[rank - 1] = last;
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus signal_check_fft(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_I16 | OP_I32 | OP_F32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_rank(input) >= 1 && op_rank(input) <= OP_MAX_RANK, "input has rank %d", op_rank(input));
  return kTfLiteOk;
}

static TfLiteStatus signal_rfft_prepare(TfLiteContext *context, TfLiteNode *node) {
  signal_rfft *op = node->user_data;
  OP_TRY(signal_check_fft(context, node));
  OP_TRY(signal_plan(context, node, false));
  const TfLiteTensor *input = op_input(context, node, 0);
  int length = 2 * op->plan.half, row = op_dim(input, op_rank(input) - 1);
  OP_CHECK(context, row > 0 && row <= length, "rows of %d samples do not fit a transform of %d", row, length);
  OP_TRY(op_request_scratch(context, (size_t)length * op_type_size((TfLiteType)input->type), &op->padded_scratch));
  return signal_resize_last(context, node, length + 2);
}

static TfLiteStatus signal_rfft_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_rfft *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  size_t element = op_type_size((TfLiteType)input->type), row = (size_t)op_dim(input, op_rank(input) - 1),
         length = 2 * (size_t)op->plan.half;
  uint8_t *padded = op_scratch(context, op->padded_scratch);
  void *scratch = op_scratch(context, op->complex_scratch);
  memset(padded + row * element, 0, (length - row) * element);
  for (size_t r = 0; r < op_count(input) / row; r++) {
    memcpy(padded, (const uint8_t *)input->data.raw + r * row * element, row * element);
    void *out = (uint8_t *)output->data.raw + r * (length + 2) * element;
    switch (input->type) {
      case kTfLiteInt16: fft_real_s16(&op->plan, (const int16_t *)padded, out, scratch); break;
      case kTfLiteInt32: fft_real_s32(&op->plan, (const int32_t *)padded, out, scratch); break;
      default: fft_real_f32(&op->plan, (const float *)padded, out, scratch); break;
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus signal_irfft_prepare(TfLiteContext *context, TfLiteNode *node) {
  const signal_rfft *op = node->user_data;
  OP_TRY(signal_check_fft(context, node));
  OP_TRY(signal_plan(context, node, true));
  const TfLiteTensor *input = op_input(context, node, 0);
  int length = 2 * op->plan.half, row = op_dim(input, op_rank(input) - 1);
  OP_CHECK(context, row == length + 2, "rows of %d numbers are no spectra of a transform of %d", row, length);
  return signal_resize_last(context, node, length);
}

static TfLiteStatus signal_irfft_eval(TfLiteContext *context, TfLiteNode *node) {
  const signal_rfft *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  size_t element = op_type_size((TfLiteType)input->type), length = 2 * (size_t)op->plan.half;
  void *scratch = op_scratch(context, op->complex_scratch);
  for (size_t r = 0; r < op_count(input) / (length + 2); r++) {
    const void *in = (const uint8_t *)input->data.raw + r * (length + 2) * element;
    void *out = (uint8_t *)output->data.raw + r * length * element;
    switch (input->type) {
      case kTfLiteInt16: fft_real_inverse_s16(&op->plan, in, out, scratch); break;
      case kTfLiteInt32: fft_real_inverse_s32(&op->plan, in, out, scratch); break;
      default:
        fft_real_inverse_f32(&op->plan, in, out, scratch);
        for (size_t i = 0; i < length; i++) ((float *)out)[i] /= (float)length;
        break;
    }
  }
  return kTfLiteOk;
}

static void signal_rfft_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const signal_rfft *op = node->user_data;
  uint64_t a_row = 4 * (uint64_t)op->plan.half * (uint64_t)(op->plan.stages + 2);
  cost->macs = a_row * op_count_between(op_input(context, node, 0), 0, op_rank(op_input(context, node, 0)) - 1);
}

const op_descriptor arn_op_signal_rfft = {
    OP_CUSTOM_ROW(SignalRfft), .state_size = sizeof(signal_rfft), .prepare = signal_rfft_prepare,
    .eval = signal_rfft_eval,  .cost = signal_rfft_cost,
};

const op_descriptor arn_op_signal_irfft = {
    OP_CUSTOM_ROW(SignalIrfft), .state_size = sizeof(signal_rfft), .prepare = signal_irfft_prepare,
    .eval = signal_irfft_eval,  .cost = signal_rfft_cost,
};
