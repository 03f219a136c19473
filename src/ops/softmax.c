// SPDX-License-Identifier: Apache-2.0
// SOFTMAX along the last dimension: float32; float16; uint8 and int8 (to the same type or int16); int16.
// Source of the rules: TFLite reference, activations.cc (SoftmaxPrepare).
#include <math.h>

#include "kernels/softmax_rows.h"
#include "ops/op.h"

typedef struct softmax_state {
  float beta;
  softmax_scale scale;          // 8 bits
  quant_multiplier multiplier;  // 16 bits
  int32_t *exps;                // persistent
  softmax_tables *tables;       // persistent
} softmax_state;

static void softmax_parse(fb_table options, void *params) {
  *(TfLiteSoftmaxParams *)params = (TfLiteSoftmaxParams){SoftmaxOptions_beta(options)};
}

static TfLiteStatus softmax_prepare_8bit(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *output,
                                         softmax_state *state) {
  if (input->type == kTfLiteInt8 && output->type == kTfLiteInt8)
    OP_CHECK(context, op_zero_point(output) == INT8_MIN && fabsf(op_scale(output) - 1.0f / 256) <= 0.001f / 256,
             "an int8 output must have scale 1/256 and zero point -128, it has %g and %d", (double)op_scale(output),
             (int)op_zero_point(output));
  OP_CHECK(context, softmax_scale_from_real((double)state->beta, (double)op_scale(input), &state->scale),
           "beta %g times input scale %g is out of range", (double)state->beta, (double)op_scale(input));
  state->scale.exps = NULL;
#if !ARENITE_MICRO  // a kilobyte for twice the speed
  if (!state->exps) state->exps = op_persistent(context, 256 * sizeof *state->exps);
  OP_CHECK(context, state->exps, "no memory for a table");
  softmax_fill_exps(&state->scale, state->exps);
  state->scale.exps = state->exps;
#endif
  return kTfLiteOk;
}

static TfLiteStatus softmax_prepare_16bit(TfLiteContext *context, const TfLiteTensor *input, const TfLiteTensor *output,
                                          softmax_state *state) {
  OP_CHECK(context, op_zero_point(input) == 0 && op_zero_point(output) == 0, "16-bit input and output must have zero point 0");
  OP_CHECK(context, fabsf(op_scale(output) - 1.0f / 32768) <= 0.001f / 32768,
           "an int16 output must have scale 1/32768, it has %g", (double)op_scale(output));
  double real = (double)(op_scale(input) * state->beta) / (10.0 / 65535.0);
  OP_CHECK(context, real >= 0 && isfinite(real), "beta %g times input scale %g is out of range", (double)state->beta,
           (double)op_scale(input));
  state->multiplier = quant_from_real(real);
  if (!state->tables) {
    state->tables = op_persistent(context, sizeof *state->tables);
    OP_CHECK(context, state->tables, "no memory for tables");
    softmax_fill_tables(state->tables);
  }
  return kTfLiteOk;
}

static TfLiteStatus softmax_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteSoftmaxParams *p = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  softmax_state *state = node->user_data;
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SOFTMAX));
  bool eight_bits = input->type == kTfLiteInt8 || input->type == kTfLiteUInt8;
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(input->type) | (eight_bits ? OP_I16 : 0)));
  OP_CHECK(context, op_rank(input) >= 1, "the input is a scalar");
  state->beta = p->beta;
  if (eight_bits) OP_TRY(softmax_prepare_8bit(context, input, output, state));
  if (input->type == kTfLiteInt16) OP_TRY(softmax_prepare_16bit(context, input, output, state));
  return op_resize_like(context, output, input);
}

static TfLiteStatus softmax_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  const softmax_state *state = node->user_data;
  if (op_count(input) == 0) return kTfLiteOk;
  size_t depth = (size_t)op_dim(input, op_rank(input) - 1), rows = op_count(input) / depth;
  bool wide = output->type == kTfLiteInt16;
  switch (input->type) {
    case kTfLiteFloat32: softmax_f32(depth, state->beta, input->data.f, output->data.f, 0, rows); break;
    case kTfLiteFloat16:
      softmax_f16(depth, state->beta, (const uint16_t *)(const void *)input->data.raw, (uint16_t *)(void *)output->data.raw, 0,
                  rows);
      break;
    case kTfLiteUInt8:
      if (wide)
        softmax_u8_s16(depth, &state->scale, input->data.uint8, output->data.i16, 0, rows);
      else
        softmax_u8(depth, &state->scale, input->data.uint8, output->data.uint8, 0, rows);
      break;
    case kTfLiteInt8:
      if (wide)
        softmax_s8_s16(depth, &state->scale, input->data.int8, output->data.i16, 0, rows);
      else
        softmax_s8(depth, &state->scale, input->data.int8, output->data.int8, 0, rows);
      break;
    default: softmax_s16(depth, state->multiplier, state->tables, input->data.i16, output->data.i16, 0, rows);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_softmax = {
    OP_ROW(SOFTMAX),        .state_size = sizeof(softmax_state), .params_size = sizeof(TfLiteSoftmaxParams),
    .parse = softmax_parse, .prepare = softmax_prepare,          .eval = softmax_eval,
};
