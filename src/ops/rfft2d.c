// SPDX-License-Identifier: Apache-2.0
// RFFT2D: Fourier transforms of the last two dimensions of floats, [..., h, w] to complex64 [..., fh, fw / 2 + 1]; input 1 holds
// fh and fw, powers of two. Irfft2d (custom): the way back, to [..., fh, fw].
#include "kernels/fft2d.h"
#include "ops/op.h"

static bool rfft2d_is_power(int32_t x) { return x > 0 && (x & (x - 1)) == 0; }

// Gives the output its shape, from the lengths that the second input holds by now.
static TfLiteStatus rfft2d_set_output(TfLiteContext *context, const TfLiteNode *node, bool inverse) {
  const TfLiteTensor *input = op_input(context, node, 0);
  const int32_t *length = op_input(context, node, 1)->data.i32;
  OP_CHECK(context, rfft2d_is_power(length[0]) && rfft2d_is_power(length[1]) && (!inverse || length[1] > 1),
           "there is no transform of %d x %d, lengths must be powers of two", (int)length[0], (int)length[1]);
  int dims[OP_MAX_RANK], rank = op_rank(input);
  for (int i = 0; i < rank - 2; i++) dims[i] = op_dim(input, i);
  dims[rank - 2] = length[0];
  dims[rank - 1] = inverse ? length[1] : length[1] / 2 + 1;
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus rfft2d_prepare_either(TfLiteContext *context, TfLiteNode *node, bool inverse) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *length = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", inverse ? OP_C64 : OP_F32));
  OP_TRY(op_check_type(context, length, "fft_length", OP_I32));
  OP_CHECK(context, op_rank(input) >= 2 && op_rank(input) <= OP_MAX_RANK, "input has rank %d", op_rank(input));
  OP_CHECK(context, op_rank(length) == 1 && op_dim(length, 0) == 2, "fft_length is not a pair");
  output->type = inverse ? kTfLiteFloat32 : kTfLiteComplex64;
  if (!op_is_constant(length)) return op_make_dynamic(context, output);
  return rfft2d_set_output(context, node, inverse);
}

static TfLiteStatus rfft2d_eval_either(TfLiteContext *context, TfLiteNode *node, bool inverse) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(rfft2d_set_output(context, node, inverse));
  const int32_t *length = op_input(context, node, 1)->data.i32;
  int rank = op_rank(input);
  size_t slices = op_count_between(input, 0, rank - 2), in_h = (size_t)op_dim(input, rank - 2),
         in_w = (size_t)op_dim(input, rank - 1);
  if (slices == 0) return kTfLiteOk;
  if (inverse)
    fft2d_real_inverse((const float *)input->data.raw, slices, in_h, in_w, (size_t)length[0], (size_t)length[1], output->data.f);
  else
    fft2d_real(input->data.f, slices, in_h, in_w, (size_t)length[0], (size_t)length[1], (float *)output->data.raw);
  return kTfLiteOk;
}

static TfLiteStatus rfft2d_prepare(TfLiteContext *context, TfLiteNode *node) {
  return rfft2d_prepare_either(context, node, false);
}
static TfLiteStatus rfft2d_eval(TfLiteContext *context, TfLiteNode *node) { return rfft2d_eval_either(context, node, false); }
static TfLiteStatus irfft2d_prepare(TfLiteContext *context, TfLiteNode *node) {
  return rfft2d_prepare_either(context, node, true);
}
static TfLiteStatus irfft2d_eval(TfLiteContext *context, TfLiteNode *node) { return rfft2d_eval_either(context, node, true); }

const op_descriptor arn_op_rfft2d = {
    OP_ROW(RFFT2D),
    .prepare = rfft2d_prepare,
    .eval = rfft2d_eval,
};

const op_descriptor arn_op_irfft2d = {
    OP_CUSTOM_ROW(Irfft2d),
    .prepare = irfft2d_prepare,
    .eval = irfft2d_eval,
};
