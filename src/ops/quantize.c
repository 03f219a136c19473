// SPDX-License-Identifier: Apache-2.0
// QUANTIZE: real numbers to quantised ones, or quantised ones to another scale. Source of the rules: TFLite kernels/quantize.cc.
#include "kernels/affine.h"
#include "ops/unary_common.h"

typedef struct quantize_state {
  affine_ratio rescale;  // integers
  void *table;           // 8-bit to 8-bit
} quantize_state;

enum { PACKED_RUN = 64 };  // elements quantised at a time before they are packed

static void quantized_range(TfLiteType type, int32_t *low, int32_t *high) {
  switch (type) {
    case kTfLiteInt4: *low = -8, *high = 7; break;
    case kTfLiteUInt4: *low = 0, *high = 15; break;
    case kTfLiteInt32: *low = INT32_MIN, *high = INT32_MAX; break;
    default: unary_type_range(type, low, high);
  }
}

static TfLiteStatus quantize_check_channels(TfLiteContext *context, const TfLiteTensor *output) {
  int count = op_scale_count(output), dimension = op_quantized_dimension(output);
  OP_CHECK(context, dimension >= 0 && dimension < op_rank(output) && op_dim(output, dimension) == count,
           "the output has %d scales along dimension %d, which does not fit its shape", count, dimension);
  int32_t low, high;
  quantized_range((TfLiteType)output->type, &low, &high);
  for (int c = 0; c < count; c++) {
    int32_t zero_point = op_channel_zero_point(output, c);
    OP_CHECK(context, op_channel_scale(output, c) > 0 && zero_point >= low && zero_point <= high,
             "scale or zero point %d of the output is not valid", c);
  }
  return kTfLiteOk;
}

static int32_t requantize_number(int32_t q, const void *params) {
  const affine_ratio *p = params;
  int32_t scaled = quant_scale(q - p->zero_point_in, p->ratio);
  return quant_clamp((int32_t)((uint32_t)scaled + (uint32_t)p->zero_point_out), p->low, p->high);
}

static TfLiteStatus prepare_rescale(TfLiteContext *context, TfLiteNode *node) {
  quantize_state *s = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *output = op_output(context, node, 0);
  OP_TRY(elementwise_check_quantized(context, input, "the input"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  affine_ratio *p = &s->rescale;
  p->zero_point_in = op_zero_point(input);
  p->zero_point_out = op_zero_point(output);
  OP_CHECK(context,
           input->type != kTfLiteInt16 || output->type != kTfLiteInt16 || (p->zero_point_in == 0 && p->zero_point_out == 0),
           "16-bit tensors must have zero point 0");
  quantized_range((TfLiteType)output->type, &p->low, &p->high);
  OP_TRY(elementwise_multiplier(context, (double)op_scale(input) / (double)op_scale(output), &p->ratio));
  if (!elementwise_is_8bit((TfLiteType)input->type) || !elementwise_is_8bit((TfLiteType)output->type)) return kTfLiteOk;
  return unary_table_8(context, (TfLiteType)input->type, requantize_number, p, &s->table);
}

static TfLiteStatus quantize_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_QUANTIZE));
  OP_CHECK(context, elementwise_is_quantized(output), "the output is not quantised");
  uint32_t allowed = input->type == kTfLiteFloat32 ? OP_I8 | OP_U8 | OP_I16 | OP_I4 | OP_TYPE(kTfLiteUInt4)
                     : input->type == kTfLiteInt16 ? OP_I8 | OP_I16 | OP_I32
                     : input->type == kTfLiteInt32 ? OP_I8 | OP_I16
                                                   : OP_I8 | OP_U8 | OP_I16;
  OP_TRY(op_check_type(context, output, "the output", allowed));
  OP_TRY(op_resize_like(context, output, input));
  if (input->type != kTfLiteFloat32) return prepare_rescale(context, node);
  if (op_scale_count(output) == 1) return elementwise_check_quantized(context, output, "the output");
  OP_TRY(op_check_type(context, output, "an output with several scales", OP_I8 | OP_U8 | OP_I16));
  return quantize_check_channels(context, output);
}

static void quantize_packed(const float *input, size_t n, const affine_real *p, uint8_t *output) {
  int8_t run[PACKED_RUN];
  for (size_t i = 0; i < n; i += PACKED_RUN) {
    size_t count = n - i < PACKED_RUN ? n - i : PACKED_RUN;
    const void *in[1] = {input + i};
    const size_t step[1] = {1};
    affine_to_i8(p, in, step, run, count);
    affine_pack(run, count, 4, output + i / 2);
  }
}

static TfLiteStatus quantize_real(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  affine_real p = {.scale = op_scale(output), .zero_point = op_zero_point(output)};
  quantized_range((TfLiteType)output->type, &p.low, &p.high);
  if (output->type == kTfLiteInt4 || output->type == kTfLiteUInt4) {
    quantize_packed(input->data.f, op_count(input), &p, output->data.uint8);
    return kTfLiteOk;
  }
  broadcast_row row = output->type == kTfLiteInt8 ? affine_to_i8 : output->type == kTfLiteUInt8 ? affine_to_u8 : affine_to_i16;
  int channels = op_scale_count(output), dimension = op_quantized_dimension(output);
  if (channels == 1) return elementwise_run_unary(context, node, row, &p);
  size_t outer = op_count_between(input, 0, dimension), inner = op_count_between(input, dimension + 1, op_rank(input));
  size_t bytes = op_type_size((TfLiteType)output->type), at = 0;
  for (size_t i = 0; i < outer; i++) {
    for (int c = 0; c < channels; c++, at += inner) {
      p.scale = op_channel_scale(output, c);
      p.zero_point = op_channel_zero_point(output, c);
      const void *in[1] = {input->data.f + at};
      const size_t step[1] = {1};
      row(&p, in, step, output->data.raw + at * bytes, inner);
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus quantize_eval(TfLiteContext *context, TfLiteNode *node) {
  const quantize_state *s = node->user_data;
  TfLiteType type = (TfLiteType)op_input(context, node, 0)->type, output_type = (TfLiteType)op_output(context, node, 0)->type;
  if (type == kTfLiteFloat32) return quantize_real(context, node);
  if (elementwise_is_8bit(type) && elementwise_is_8bit(output_type)) return unary_run_table(context, node, s->table);
  const broadcast_rows *rows = output_type == kTfLiteInt8    ? &affine_rescale_to_i8
                               : output_type == kTfLiteUInt8 ? &affine_rescale_to_u8
                               : output_type == kTfLiteInt16 ? &affine_rescale_to_i16
                                                             : &affine_rescale_to_i32;
  return elementwise_run_unary(context, node, elementwise_row(rows, type), &s->rescale);
}

const op_descriptor arn_op_quantize = {OP_ROW(QUANTIZE), .state_size = sizeof(quantize_state), .in_place = OP_ELEMENTWISE,
                                       .prepare = quantize_prepare, .eval = quantize_eval};
