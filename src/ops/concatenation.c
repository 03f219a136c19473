// SPDX-License-Identifier: Apache-2.0
// CONCATENATION: joins its inputs along one axis. 8-bit unsigned inputs may differ from the output in scale and zero point and
// are requantised then.
#include <math.h>

#include "ops/move_common.h"

typedef struct concatenation_state {
  int32_t axis;
  bool rescale;  // some uint8 input is quantised otherwise than the output
} concatenation_state;

static void concatenation_parse(fb_table options, void *params) {
  TfLiteConcatenationParams *p = params;
  p->axis = ConcatenationOptions_axis(options);
  p->activation = op_activation(ConcatenationOptions_fused_activation_function(options));
}

// Copies while it requantises: `rows` runs of `run` values. TFLite reference: concatenation.h, single precision throughout.
static void concatenation_rescale(size_t rows, size_t run, const uint8_t *input, float in_scale, int32_t in_zero, uint8_t *output,
                                  size_t output_step, float out_scale, int32_t out_zero) {
  const float inverse = 1.0f / out_scale;
  const float scale = in_scale * inverse, bias = (float)-in_zero * scale;
  uint8_t table[256];
  for (int i = 0; i < 256; i++) {
    float real = roundf((float)i * scale + bias);
    int32_t value = (!(real > -512.0f) ? -512 : real > 512.0f ? 512 : (int32_t)real) + out_zero;
    table[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = 0; i < run; i++) output[r * output_step + i] = table[input[r * run + i]];
  }
}

static TfLiteStatus concatenation_check_quantisation(TfLiteContext *context, TfLiteNode *node, const TfLiteTensor *output) {
  concatenation_state *state = node->user_data;
  state->rescale = false;
  if (output->type == kTfLiteInt16)
    OP_CHECK(context, op_zero_point(output) == 0, "a 16-bit output has the zero point %d", (int)op_zero_point(output));
  for (int i = 0; i < op_input_count(node); i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    if (t->type == kTfLiteInt8) {
      OP_CHECK(context, move_same_quantisation(t, output), "input %d differs from the output in scale or zero point", i);
    } else if (t->type == kTfLiteInt16) {
      OP_CHECK(context, op_zero_point(t) == 0, "16-bit input %d has the zero point %d", i, (int)op_zero_point(t));
    } else if (t->type == kTfLiteUInt8 && !move_same_quantisation(t, output)) {
      state->rescale = true;
      OP_CHECK(context, op_scale(t) > 0 && op_scale(output) > 0, "input %d differs from the output in scale, and one has none",
               i);
      OP_CHECK(context,
               op_zero_point(t) >= 0 && op_zero_point(t) <= 255 && op_zero_point(output) >= 0 && op_zero_point(output) <= 255,
               "input %d's or the output's zero point is outside 0..255", i);
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus concatenation_run(TfLiteContext *context, TfLiteNode *node) {
  const concatenation_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  int axis = state->axis;
  if (op_count(output) == 0) return kTfLiteOk;
  size_t rows = op_count_between(output, 0, axis),
         inner = op_count_between(output, axis + 1, op_rank(output));
  size_t step = op_count(output) / rows, first = 0;
  bool packed = op_type_size((TfLiteType)output->type) == 0;
  if (packed) output->data.uint8[op_bytes(output) - 1] = 0;
  for (int i = 0; i < op_input_count(node); i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    size_t run = op_rank(t) ? (size_t)op_dim(t, axis) * inner : inner;
    move_view view = {0};
    move_add(&view, rows, (ptrdiff_t)run, (ptrdiff_t)step);
    move_add(&view, run, 1, 1);
    if (packed) {
      move_copy_nibbles(&view, t->data.uint8, 0, output->data.uint8, first);
    } else if (state->rescale && !move_same_quantisation(t, output)) {
      concatenation_rescale(rows, run, t->data.uint8, op_scale(t), op_zero_point(t), output->data.uint8 + first, step,
                            op_scale(output), op_zero_point(output));
    } else {
      size_t bytes = op_type_size((TfLiteType)output->type);
      move_copy(&view, bytes, t->data.raw, output->data.uint8 + first * bytes);
    }
    first += run;
  }
  return kTfLiteOk;
}

static TfLiteStatus concatenation_prepare(TfLiteContext *context, TfLiteNode *node) {
  int count = op_input_count(node);
  OP_CHECK(context, count >= 1, "has no inputs");
  OP_TRY(op_check_counts(context, node, count, count, 1));
  const TfLiteConcatenationParams *params = node->builtin_data;
  concatenation_state *state = node->user_data;
  const TfLiteTensor *head = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, head, "input 0", OP_TYPES_CONCATENATION));
  OP_TRY(move_same_type(context, output, head));
  OP_CHECK(context, params->activation == kTfLiteActNone, "a fused activation is not supported");
  int rank = op_rank(head), axis, dims[OP_MAX_RANK];
  OP_CHECK(context, rank <= OP_MAX_RANK, "rank %d is over the limit of %d", rank, OP_MAX_RANK);
  bool fold = true;
  for (int i = 0; i < count; i++) fold = fold && move_folds(op_input(context, node, i));
  if (rank == 0) {  // constant scalars become a vector
    OP_CHECK(context, fold && params->axis == 0 && head->type != kTfLiteInt4, "inputs are scalars");
    rank = 1;
    axis = 0;
    dims[0] = 0;
  } else {
    OP_TRY(move_axis(context, params->axis, rank, &axis));
    for (int d = 0; d < rank; d++) dims[d] = d == axis ? 0 : op_dim(head, d);
  }
  for (int i = 0; i < count; i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    OP_CHECK(context, t->type == head->type, "input %d is of type %s, input 0 of type %s", i, op_type_name((TfLiteType)t->type),
             op_type_name((TfLiteType)head->type));
    OP_CHECK(context, op_rank(t) == op_rank(head), "input %d has rank %d, input 0 %d", i, op_rank(t), op_rank(head));
    for (int d = 0; d < op_rank(t); d++) {
      OP_CHECK(context, d == axis || op_dim(t, d) == dims[d], "dimension %d of input %d is %d, of input 0 %d", d, i, op_dim(t, d),
               dims[d]);
    }
    int size = op_rank(t) ? op_dim(t, axis) : 1;
    OP_CHECK(context, size <= INT32_MAX - dims[axis], "the joined dimension is too large");
    dims[axis] += size;
  }
  state->axis = axis;
  OP_TRY(concatenation_check_quantisation(context, node, output));
  if (!fold) return op_resize(context, output, rank, dims);
  OP_TRY(op_resize_persistent(context, output, rank, dims));
  return concatenation_run(context, node);
}

static TfLiteStatus concatenation_eval(TfLiteContext *context, TfLiteNode *node) {
  return op_is_constant(op_output(context, node, 0)) ? kTfLiteOk : concatenation_run(context, node);
}

// Inputs that lie one behind the other are the output: nothing is in front of the axis, and nothing is requantised.
static void concatenation_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  const concatenation_state *state = node->user_data;
  const TfLiteTensor *output = op_output(context, node, 0);
  bool plain = !state->rescale && op_type_size((TfLiteType)output->type) != 0;
  if (!plain || op_count_between(output, 0, state->axis) != 1) share->kind = OP_SEPARATE;
}

const op_descriptor arn_op_concatenation = {
    OP_ROW(CONCATENATION),        .state_size = sizeof(concatenation_state), .params_size = sizeof(TfLiteConcatenationParams),
    .parse = concatenation_parse, .prepare = concatenation_prepare,          .eval = concatenation_eval,
    .cost = move_no_macs,         .in_place = OP_JOIN,                       .share = concatenation_share,
};
