// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram: magnitudes (or their squares) of the spectra of overlapping Hann-windowed frames. Input: floats [samples,
// channels]; output [channels, frames, fft_length / 2 + 1], fft_length being the window_size rounded up to a power of two.
// Computed in doubles, as the reference does.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/fft.h"
#include "ops/flex_options.h"

typedef struct audio_spectrogram {
  int window_size, stride, fft_length;
  bool squared;
  fft_plan plan;
  double *window;
  int frame_scratch, spectrum_scratch, work_scratch;
} audio_spectrogram;

static TfLiteStatus audio_spectrogram_tables(TfLiteContext *context, audio_spectrogram *op) {
  if (op->window) return kTfLiteOk;
  size_t window_bytes, twiddle_bytes;
  OP_CHECK(context,
           checked_mul((size_t)op->window_size, sizeof(double), &window_bytes) &&
               checked_mul(fft_twiddle_count(&op->plan), sizeof(fft_complex_f64), &twiddle_bytes),
           "the window is too long");
  fft_complex_f64 *twiddles = op_persistent(context, twiddle_bytes);
  double *window = op_persistent(context, window_bytes);
  OP_CHECK(context, window && twiddles, "out of memory");
  fft_twiddles_f64(&op->plan, twiddles);
  op->plan.twiddles = twiddles;
  for (int i = 0; i < op->window_size; i++) window[i] = 0.5 - 0.5 * cos(6.283185307179586 * i / op->window_size);
  op->window = window;
  return kTfLiteOk;
}

static TfLiteStatus audio_spectrogram_prepare(TfLiteContext *context, TfLiteNode *node) {
  audio_spectrogram *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_F32));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_F32));
  OP_CHECK(context, op_rank(input) == 2, "input has rank %d, not 2", op_rank(input));
  if (!op->window) {
    flex_value map = flex_options(node);
    op->window_size = flex_int32(flex_get(map, "window_size"));
    op->stride = flex_int32(flex_get(map, "stride"));
    op->squared = flex_bool(flex_get(map, "magnitude_squared"));
    OP_CHECK(context, op->window_size >= 2 && op->window_size <= 1 << 24, "window_size is %d", op->window_size);
    OP_CHECK(context, op->stride >= 1, "stride is %d", op->stride);
    for (op->fft_length = 2; op->fft_length < op->window_size;) op->fft_length *= 2;
    // A window of two samples is transformed as four, of which every other number is taken.
    OP_CHECK(context, fft_plan_init(&op->plan, op->fft_length > 2 ? op->fft_length : 4, false), "there is no transform of %d",
             op->fft_length);
    OP_TRY(audio_spectrogram_tables(context, op));
  }
  size_t half = (size_t)op->plan.half;
  OP_TRY(op_request_scratch(context, 2 * half * sizeof(double), &op->frame_scratch));
  OP_TRY(op_request_scratch(context, (half + 1) * sizeof(fft_complex_f64), &op->spectrum_scratch));
  OP_TRY(op_request_scratch(context, half * sizeof(fft_complex_f64), &op->work_scratch));
  int samples = op_dim(input, 0), frames = samples < op->window_size ? 0 : 1 + (samples - op->window_size) / op->stride;
  return op_resize(context, op_output(context, node, 0), 3, (int[]){op_dim(input, 1), frames, op->fft_length / 2 + 1});
}

static TfLiteStatus audio_spectrogram_eval(TfLiteContext *context, TfLiteNode *node) {
  const audio_spectrogram *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  size_t channels = (size_t)op_dim(output, 0), frames = (size_t)op_dim(output, 1), width = (size_t)op_dim(output, 2);
  double *frame = op_scratch(context, op->frame_scratch);
  fft_complex_f64 *spectrum = op_scratch(context, op->spectrum_scratch), *work = op_scratch(context, op->work_scratch);
  size_t window = (size_t)op->window_size, every = op->fft_length > 2 ? 1 : 2;
  memset(frame, 0, 2 * (size_t)op->plan.half * sizeof *frame);
  float *out = output->data.f;
  for (size_t c = 0; c < channels; c++) {
    for (size_t f = 0; f < frames; f++, out += width) {
      const float *in = input->data.f + f * (size_t)op->stride * channels + c;
      for (size_t i = 0; i < window; i++) frame[i] = (double)in[i * channels] * op->window[i];
      fft_real_f64(&op->plan, frame, spectrum, work);
      for (size_t k = 0; k < width; k++) {
        const fft_complex_f64 *z = &spectrum[k * every];
        float square = (float)(z->re * z->re + z->im * z->im);
        out[k] = op->squared ? square : sqrtf(square);
      }
    }
  }
  return kTfLiteOk;
}

static void audio_spectrogram_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const audio_spectrogram *op = node->user_data;
  cost->macs = 4 * (uint64_t)op->plan.stages * op_count(op_output(context, node, 0));
}

const op_descriptor arn_op_audio_spectrogram = {
    OP_CUSTOM_ROW(AudioSpectrogram), .state_size = sizeof(audio_spectrogram), .prepare = audio_spectrogram_prepare,
    .eval = audio_spectrogram_eval,  .cost = audio_spectrogram_cost,
};
