// SPDX-License-Identifier: Apache-2.0
// DEQUANTIZE: quantised or half-precision numbers to floats. Source of the rules: TFLite kernels/dequantize.cc, dequantize.h.
#include "kernels/affine.h"
#include "ops/elementwise_common.h"

enum { UNPACKED_RUN = 64 };  // packed elements widened at a time

typedef struct dequantize_state {
  bool folded;  // constant weights were expanded by prepare
} dequantize_state;

static int packed_bits(TfLiteType type) { return type == kTfLiteInt2 ? 2 : type == kTfLiteInt4 || type == kTfLiteUInt4 ? 4 : 0; }

// n elements from element `first` on, all of one scale.
static void dequantize_run(const TfLiteTensor *input, size_t first, size_t n, const affine_real *p, float *out) {
  TfLiteType type = (TfLiteType)input->type;
  const size_t step[1] = {1};
  if (!packed_bits(type)) {
    const void *in[1] = {input->data.raw + first * op_type_size(type)};
    broadcast_row row = type == kTfLiteFloat16 ? affine_half_to_f32 : elementwise_row(&affine_to_f32, type);
    row(p, in, step, out, n);
    return;
  }
  int8_t run[UNPACKED_RUN];
  for (size_t i = 0; i < n; i += UNPACKED_RUN) {
    size_t count = n - i < UNPACKED_RUN ? n - i : UNPACKED_RUN;
    affine_unpack(input->data.uint8, packed_bits(type), type != kTfLiteUInt4, first + i, count, run);
    const void *in[1] = {run};
    affine_to_f32.i8(p, in, step, out + i, count);
  }
}

static void dequantize_all(const TfLiteTensor *input, float *out) {
  affine_real p = {.scale = op_scale(input), .zero_point = op_zero_point(input)};
  int channels = op_scale_count(input), dimension = op_quantized_dimension(input);
  if (channels <= 1) {
    dequantize_run(input, 0, op_count(input), &p, out);
    return;
  }
  size_t outer = op_count_between(input, 0, dimension), inner = op_count_between(input, dimension + 1, op_rank(input)), at = 0;
  for (size_t i = 0; i < outer; i++) {
    for (int c = 0; c < channels; c++, at += inner) {
      p.scale = op_channel_scale(input, c);
      p.zero_point = op_channel_zero_point(input, c);
      dequantize_run(input, at, inner, &p, out + at);
    }
  }
}

static TfLiteStatus dequantize_prepare(TfLiteContext *context, TfLiteNode *node) {
  dequantize_state *s = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_DEQUANTIZE));
  OP_CHECK(context, input->type != kTfLiteInt16 || op_zero_point(input) == 0, "16-bit tensors must have zero point 0");
  int channels = op_scale_count(input), dimension = op_quantized_dimension(input);
  if (channels > 1) {
    OP_TRY(op_check_type(context, input, "an input with several scales", OP_TYPES_DEQUANTIZE & ~(OP_I16 | OP_F16)));
    OP_CHECK(context, dimension >= 0 && dimension < op_rank(input) && op_dim(input, dimension) == channels,
             "the input has %d scales along dimension %d, which does not fit its shape", channels, dimension);
  }
  output->type = kTfLiteFloat32;
  // Weights stored small are expanded once, however often prepare runs. On micro targets memory is dearer than time.
  if (s->folded && output->allocation_type == kTfLitePersistentRo && output->data.raw && op_same_shape(input, output))
    return kTfLiteOk;
  s->folded = !ARENITE_MICRO && op_is_constant(input);
  if (!s->folded) return op_resize_like(context, output, input);
  OP_TRY(op_resize_persistent(context, output, op_rank(input), input->dims->data));
  dequantize_all(input, output->data.f);
  return kTfLiteOk;
}

static TfLiteStatus dequantize_eval(TfLiteContext *context, TfLiteNode *node) {
  const dequantize_state *s = node->user_data;
  if (!s->folded) dequantize_all(op_input(context, node, 0), op_output(context, node, 0)->data.f);
  return kTfLiteOk;
}

const op_descriptor arn_op_dequantize = {OP_ROW(DEQUANTIZE), .state_size = sizeof(dequantize_state),
                                         .prepare = dequantize_prepare, .eval = dequantize_eval};
