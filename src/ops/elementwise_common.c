// SPDX-License-Identifier: Apache-2.0
// Preparing and running element-wise operators.
#include "ops/elementwise_common.h"

broadcast_row elementwise_row(const broadcast_rows *rows, TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32: return rows->f32;
    case kTfLiteFloat64: return rows->f64;
    case kTfLiteFloat16: return rows->f16;
    case kTfLiteBFloat16: return rows->bf16;
    case kTfLiteInt8: return rows->i8;
    case kTfLiteUInt8: return rows->u8;
    case kTfLiteInt16: return rows->i16;
    case kTfLiteUInt16: return rows->u16;
    case kTfLiteInt32: return rows->i32;
    case kTfLiteUInt32: return rows->u32;
    case kTfLiteInt64: return rows->i64;
    case kTfLiteUInt64: return rows->u64;
    case kTfLiteBool: return rows->boolean;
    case kTfLiteComplex64: return rows->c64;
    default: return NULL;
  }
}

TfLiteStatus elementwise_prepare_binary(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, TfLiteType output_type) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *a = op_input(context, node, 0), *b = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, a, "input 0", type_bits));
  OP_CHECK(context, a->type == b->type, "input 0 is of type %s, input 1 of type %s", op_type_name((TfLiteType)a->type),
           op_type_name((TfLiteType)b->type));
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_broadcast_shape(context, a, b, &rank, dims));
  output->type = output_type == kTfLiteNoType ? a->type : output_type;
  return op_resize(context, output, rank, dims);
}

TfLiteStatus elementwise_prepare_unary(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, TfLiteType output_type) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", type_bits));
  output->type = output_type == kTfLiteNoType ? input->type : output_type;
  return op_resize_like(context, output, input);
}

TfLiteStatus elementwise_check_same_type(TfLiteContext *context, const TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0), *output = op_output(context, node, 0);
  if (!input || !output) return kTfLiteOk;  // the check of counts will say so
  OP_CHECK(context, input->type == output->type, "the input is of type %s, the output of type %s",
           op_type_name((TfLiteType)input->type), op_type_name((TfLiteType)output->type));
  return kTfLiteOk;
}

static broadcast_input broadcast_of(const TfLiteTensor *t) {
  return (broadcast_input){
      .data = t->data.raw_const, .bytes = op_type_size((TfLiteType)t->type), .rank = op_rank(t), .dims = t->dims->data};
}

TfLiteStatus elementwise_run_sides(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params, int first) {
  const TfLiteTensor *a = op_input(context, node, first), *b = op_input(context, node, 1 - first);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, row, "has no implementation for type %s", op_type_name((TfLiteType)a->type));
  const broadcast_input inputs[2] = {broadcast_of(a), broadcast_of(b)};
  broadcast_run(row, params, 2, inputs, output->data.raw, op_type_size((TfLiteType)output->type));
  return kTfLiteOk;
}

TfLiteStatus elementwise_run_binary(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params) {
  return elementwise_run_sides(context, node, row, params, 0);
}

TfLiteStatus elementwise_run_unary(TfLiteContext *context, TfLiteNode *node, broadcast_row row, const void *params) {
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_CHECK(context, row, "has no implementation for type %s", op_type_name((TfLiteType)input->type));
  const void *in[1] = {input->data.raw_const};
  const size_t step[1] = {1};
  row(params, in, step, op_output(context, node, 0)->data.raw, op_count(input));
  return kTfLiteOk;
}

TfLiteStatus elementwise_check_quantized(TfLiteContext *context, const TfLiteTensor *t, const char *what) {
  (void)what;
  float scale = op_scale(t);
  int32_t zero_point = op_zero_point(t), low = INT32_MIN, high = INT32_MAX;
  OP_CHECK(context, scale >= 0 && isfinite(scale), "%s has a negative or infinite scale", what);
  switch (t->type) {
    case kTfLiteInt4: low = -8, high = 7; break;
    case kTfLiteUInt4: low = 0, high = 15; break;
    case kTfLiteInt8: low = INT8_MIN, high = INT8_MAX; break;
    case kTfLiteUInt8: low = 0, high = UINT8_MAX; break;
    case kTfLiteInt16: low = INT16_MIN, high = INT16_MAX; break;
    default: break;
  }
  OP_CHECK(context, zero_point >= low && zero_point <= high, "%s has zero point %d, outside its type %s", what, (int)zero_point,
           op_type_name((TfLiteType)t->type));
  return kTfLiteOk;
}

TfLiteStatus elementwise_multiplier(TfLiteContext *context, double real, quant_multiplier *multiplier) {
  OP_CHECK(context, real >= 0 && isfinite(real), "the scales give a multiplier that is not a finite number >= 0");
  *multiplier = quant_from_real(real);
  return kTfLiteOk;
}

TfLiteStatus elementwise_fold(TfLiteContext *context, TfLiteNode *node,
                              TfLiteStatus (*eval)(TfLiteContext *context, TfLiteNode *node), bool *folded) {
  enum { MOST = ARENITE_MICRO ? OP_MAX_RANK : 64 };
  TfLiteTensor *output = op_output(context, node, 0);
  *folded = false;
  bool constant = op_count(output) <= MOST;
  for (int i = 0; i < op_input_count(node); i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    constant = constant && t && op_is_constant(t) && t->type != kTfLiteString;
  }
  if (!constant) return kTfLiteOk;
  int rank = op_rank(output), dims[OP_MAX_RANK];
  for (int i = 0; i < rank; i++) dims[i] = op_dim(output, i);
  OP_TRY(op_resize_persistent(context, output, rank, dims));
  OP_TRY(eval(context, node));
  *folded = true;
  return kTfLiteOk;
}

TfLiteStatus elementwise_check_product(TfLiteContext *context, const TfLiteTensor *t, int first, int last) {
  uint64_t product = 1;
  for (int i = first; i < last; i++) {
    product *= (uint64_t)op_dim(t, i);
    OP_CHECK(context, product <= INT32_MAX, "dimensions %d to %d have too many elements", first, last - 1);
  }
  return kTfLiteOk;
}

void elementwise_clamp(TfLiteFusedActivation activation, TfLiteType type, arith_clamp *clamp) {
  op_activation_range_f32(activation, &clamp->low_real, &clamp->high_real);
  if (type == kTfLiteFloat16) {  // without an activation the bounds are the type's
    if (clamp->low_real < -65504.0f) clamp->low_real = -65504.0f;
    if (clamp->high_real > 65504.0f) clamp->high_real = 65504.0f;
  }
  switch (type) {
    case kTfLiteInt16: clamp->low = INT16_MIN, clamp->high = INT16_MAX; break;
    case kTfLiteInt32: clamp->low = INT32_MIN, clamp->high = INT32_MAX; break;
    case kTfLiteUInt32: clamp->low = 0, clamp->high = UINT32_MAX; break;
    default: clamp->low = INT64_MIN, clamp->high = INT64_MAX; break;
  }
  if (activation == kTfLiteActRelu || activation == kTfLiteActRelu6) clamp->low = 0;
  if (activation == kTfLiteActRelu6) clamp->high = 6;
  if (activation == kTfLiteActReluN1To1) clamp->low = -1, clamp->high = 1;
}
