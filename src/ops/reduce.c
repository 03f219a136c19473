// SPDX-License-Identifier: Apache-2.0
// MEAN, SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY, REDUCE_ALL. Source of the rules: TFLite kernels/reduce.cc,
// reference/reduce.h. Quantised means and sums follow the reference kernels, whose integer arithmetic differs by a quantum now
// and then from the optimised ones.
#include <math.h>
#include <string.h>

#include "kernels/reduction.h"
#include "ops/unary_common.h"

enum { FOLDED_OUTPUTS = 8 };  // constant results up to this size are computed by prepare: they come from shapes

typedef struct reduce_state {
  bool keep_dims;
  bool folded;
} reduce_state;

typedef TfLiteStatus (*reduce_function)(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan);

static void reduce_parse(fb_table options, void *params) {
  TfLiteReducerParams *p = params;
  p->keep_dims = ReducerOptions_keep_dims(options);
}

static void reduce_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *input = op_input(context, node, 0);
  cost->macs = input ? op_count(input) : 0;
}

// Bit i: dimension i of the input is reduced. Axes may be negative and may repeat; those of a scalar are not looked at.
static TfLiteStatus read_axes(TfLiteContext *context, const TfLiteNode *node, uint32_t *axes) {
  const TfLiteTensor *input = op_input(context, node, 0), *axis = op_input(context, node, 1);
  int rank = op_rank(input);
  size_t n = op_count(axis);
  *axes = 0;
  if (rank == 0) return kTfLiteOk;
  OP_CHECK(context, rank <= OP_MAX_RANK, "the input has rank %d, at most %d is supported", rank, OP_MAX_RANK);
  OP_CHECK(context, n == 0 || axis->data.i32, "the axes have no data");
  for (size_t i = 0; i < n; i++) {
    int32_t a = axis->data.i32[i];
    OP_CHECK(context, a >= -rank && a < rank, "axis %d is out of range for rank %d", (int)a, rank);
    *axes |= 1u << (a < 0 ? a + rank : a);
  }
  return kTfLiteOk;
}

static int output_shape(const TfLiteTensor *input, uint32_t axes, bool keep_dims, int *dims) {
  int rank = 0;
  for (int i = 0; i < op_rank(input); i++) {
    bool reduced = axes >> i & 1;
    if (!reduced || keep_dims) dims[rank++] = reduced ? 1 : op_dim(input, i);
  }
  return rank;
}

static TfLiteStatus run_reduction(TfLiteContext *context, TfLiteNode *node, reduce_function reduce) {
  const reduce_state *s = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  uint32_t axes;
  OP_TRY(read_axes(context, node, &axes));
  if (op_is_dynamic(output)) {
    int dims[OP_MAX_RANK];
    OP_TRY(op_resize(context, output, output_shape(input, axes, s->keep_dims, dims), dims));
  }
  reduction_plan plan;
  reduction_plan_make(&plan, op_rank(input), input->dims->data, axes);
  return reduce(context, node, &plan);
}

static TfLiteStatus prepare_reduction(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, reduce_function reduce) {
  const TfLiteReducerParams *options = node->builtin_data;
  reduce_state *s = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  OP_TRY(elementwise_check_same_type(context, node));
  const TfLiteTensor *input = op_input(context, node, 0), *axis = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", type_bits));
  OP_TRY(op_check_type(context, axis, "the axes", OP_I32));
  OP_CHECK(context, input->type != kTfLiteInt16 || (op_zero_point(input) == 0 && op_zero_point(output) == 0),
           "16-bit tensors must have zero point 0");
  s->keep_dims = options->keep_dims;
  s->folded = false;
  if (!op_is_constant(axis)) return op_make_dynamic(context, output);
  uint32_t axes;
  int dims[OP_MAX_RANK];
  OP_TRY(read_axes(context, node, &axes));
  int rank = output_shape(input, axes, s->keep_dims, dims);
  size_t outputs = 1;
  for (int i = 0; i < rank && outputs <= FOLDED_OUTPUTS; i++) outputs *= (size_t)dims[i];
  if (!op_is_constant(input) || outputs > FOLDED_OUTPUTS) return op_resize(context, output, rank, dims);
  OP_TRY(op_resize_persistent(context, output, rank, dims));
  s->folded = true;
  return run_reduction(context, node, reduce);
}

static TfLiteStatus eval_reduction(TfLiteContext *context, TfLiteNode *node, reduce_function reduce) {
  const reduce_state *s = node->user_data;
  return s->folded ? kTfLiteOk : run_reduction(context, node, reduce);
}

static const reduction_kind *kind_of(const reduction_kinds *kinds, TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32: return kinds->f32;
    case kTfLiteInt8: return kinds->i8;
    case kTfLiteUInt8: return kinds->u8;
    case kTfLiteInt16: return kinds->i16;
    case kTfLiteInt32: return kinds->i32;
    case kTfLiteInt64: return kinds->i64;
    case kTfLiteBool: return kinds->boolean;
    default: return NULL;
  }
}

// ---- Results of the input's own type and scale ----
static TfLiteStatus reduce_alike(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan,
                                 const reduction_kinds *kinds) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  const reduction_kind *kind = kind_of(kinds, (TfLiteType)input->type);
  OP_CHECK(context, kind, "has no implementation for type %s", op_type_name((TfLiteType)input->type));
  if (elementwise_is_8bit((TfLiteType)input->type) || input->type == kTfLiteInt16) {
    OP_CHECK(context, op_scale(input) == op_scale(output) && op_zero_point(input) == op_zero_point(output),
             "input and output must have the same scale and zero point");
  }
  const size_t bytes = kind->accumulator_bytes;
  reduction_run(plan, kind, NULL, input->data.raw, reduction_copy, &bytes, output->data.raw);
  return kTfLiteOk;
}

static TfLiteStatus reduce_max(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  return reduce_alike(context, node, plan, &reduction_maximum);
}
static TfLiteStatus reduce_min(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  return reduce_alike(context, node, plan, &reduction_minimum);
}
static TfLiteStatus reduce_any(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  return reduce_alike(context, node, plan, &reduction_sum);
}
static TfLiteStatus reduce_all(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  return reduce_alike(context, node, plan, &reduction_product);
}

// ---- SUM, MEAN ----
static void set_to_zero(TfLiteTensor *t) { memset(t->data.raw, 0, op_bytes(t)); }

static TfLiteStatus reduce_quantized(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan, bool mean) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  TfLiteType type = (TfLiteType)input->type;
  OP_TRY(elementwise_check_quantized(context, input, "the input"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  if (plan->count == 0) {
    set_to_zero(output);
    return kTfLiteOk;
  }
  reduction_scale p = {.offset = (int64_t)op_zero_point(input) * (int64_t)plan->count, .zero_point_out = op_zero_point(output)};
  OP_TRY(elementwise_multiplier(context, (double)op_scale(input) / (double)op_scale(output), &p.scale));
  unary_type_range(type, &p.low, &p.high);
  if (mean) {
    // 1 / count goes into the multiplier, with as many more bits as it has room for.
    int shift = 0;
    while (shift < 32 && (uint64_t)plan->count >> (shift + 1)) shift++;
    if (shift > 31 + p.scale.shift) shift = 31 + p.scale.shift;
    p.scale.mantissa = (int32_t)(((int64_t)p.scale.mantissa << shift) / (int64_t)plan->count);
    p.scale.shift -= shift;
  }
  reduction_finish finish = type == kTfLiteInt8    ? reduction_scale_i8
                            : type == kTfLiteUInt8 ? reduction_scale_u8
                                                   : reduction_scale_i16;
  reduction_run(plan, kind_of(&reduction_sum_wide, type), NULL, input->data.raw, finish, &p, output->data.raw);
  return kTfLiteOk;
}

static bool is_narrow(TfLiteType type) { return elementwise_is_8bit(type) || type == kTfLiteInt16; }

static TfLiteStatus reduce_sum(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  if (is_narrow((TfLiteType)op_input(context, node, 0)->type)) return reduce_quantized(context, node, plan, false);
  return reduce_alike(context, node, plan, &reduction_sum);
}

static TfLiteStatus reduce_mean(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteType type = (TfLiteType)input->type;
  if (is_narrow(type)) return reduce_quantized(context, node, plan, true);
  reduction_finish finish = type == kTfLiteFloat32 ? reduction_mean_f32
                            : type == kTfLiteInt32 ? reduction_mean_i32
                                                   : reduction_mean_i64;
  reduction_run(plan, kind_of(&reduction_sum_wide, type), NULL, input->data.raw, finish, &plan->count,
                op_output(context, node, 0)->data.raw);
  return kTfLiteOk;
}

// ---- REDUCE_PROD ----
static TfLiteStatus reduce_prod(TfLiteContext *context, TfLiteNode *node, const reduction_plan *plan) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  TfLiteType type = (TfLiteType)input->type;
  if (!elementwise_is_quantized(input)) return reduce_alike(context, node, plan, &reduction_product);
  OP_CHECK(context, type == kTfLiteInt8 || type == kTfLiteInt16, "no quantised products of type %s", op_type_name(type));
  OP_TRY(elementwise_check_quantized(context, input, "the input"));
  OP_TRY(elementwise_check_quantized(context, output, "the output"));
  if (plan->count == 0 || plan->outputs == 0) {
    set_to_zero(output);
    return kTfLiteOk;
  }
  // The whole product's scale is scale_in^count / scale_out: each factor but one takes its share, the last one when finished.
  quant_multiplier step;
  OP_TRY(elementwise_multiplier(context, (double)op_scale(input) / pow((double)op_scale(output), 1.0 / (double)(int)plan->count),
                                &step));
  OP_CHECK(context, step.shift <= 7, "the scales are too far apart for a product");
  const reduction_product_scale factors = {.zero_point = op_zero_point(input), .step = step};
  reduction_scale p = {.scale = step, .zero_point_out = op_zero_point(output)};
  unary_type_range(type, &p.low, &p.high);
  reduction_run(plan, kind_of(&reduction_product_quantized, type), &factors, input->data.raw,
                type == kTfLiteInt8 ? reduction_product_i8 : reduction_product_i16, &p, output->data.raw);
  return kTfLiteOk;
}

#define REDUCER(NAME, name)                                                                                                 \
  static TfLiteStatus name##_prepare(TfLiteContext *context, TfLiteNode *node) {                                            \
    return prepare_reduction(context, node, OP_TYPES_##NAME, name);                                                         \
  }                                                                                                                         \
  static TfLiteStatus name##_eval(TfLiteContext *context, TfLiteNode *node) { return eval_reduction(context, node, name); } \
  const op_descriptor arn_op_##name = {                                                                                     \
      OP_ROW(NAME),          .state_size = sizeof(reduce_state), .params_size = sizeof(TfLiteReducerParams),                \
      .parse = reduce_parse, .prepare = name##_prepare,          .eval = name##_eval,                                       \
      .cost = reduce_cost};
REDUCER(MEAN, reduce_mean)
REDUCER(SUM, reduce_sum)
REDUCER(REDUCE_PROD, reduce_prod)
REDUCER(REDUCE_MAX, reduce_max)
REDUCER(REDUCE_MIN, reduce_min)
REDUCER(REDUCE_ANY, reduce_any)
REDUCER(REDUCE_ALL, reduce_all)
