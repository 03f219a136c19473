// SPDX-License-Identifier: Apache-2.0
// REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW: reduces a window that slides over all axes. Inputs: 0 the array, 1 the initial
// value; REDUCE_WINDOW: 2 the window's shape, 3 its strides, 4 its dilations, int64 constants. STABLEHLO_REDUCE_WINDOW has them
// among its options, with dilations of the array and padding (negative: cropping) of all axes; its function is a subgraph of one
// operator.
#include "base/checked.h"
#include "kernels/fold.h"
#include "ops/call_common.h"

typedef struct reduce_window_op {
  fold_shape shape;
  fold_function function;
} reduce_window_op;

// ---- Options. ----
static void reduce_window_parse(fb_table options, void *params) {
  ((TfLiteReduceWindowParams *)params)->reduce_function =
      (enum TfLiteReduceWindowFunction)ReduceWindowOptions_reduce_function(options);  // the same numbers
}

// Left out: all `otherwise`. False where the count is not right.
static bool reduce_window_read(fb_vector from, uint32_t count, int64_t otherwise, int64_t *to) {
  for (uint32_t i = 0; i < count; i++) to[i] = from.count == count ? fb_vector_i64(from, i) : otherwise;
  return from.count == 0 || from.count == count;
}

static void stablehlo_reduce_window_parse(fb_table options, void *params) {
  TfLiteStablehloReduceWindowParams *p = params;
  fb_vector dimensions = StablehloReduceWindowOptions_window_dimensions(options);
  uint32_t rank = dimensions.count;
  p->body_subgraph_index = StablehloReduceWindowOptions_body_subgraph_index(options);
  bool whole = rank <= TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT &&
               reduce_window_read(dimensions, rank, 0, p->window_dimensions) &&
               reduce_window_read(StablehloReduceWindowOptions_window_strides(options), rank, 1, p->window_strides) &&
               reduce_window_read(StablehloReduceWindowOptions_base_dilations(options), rank, 1, p->base_dilations) &&
               reduce_window_read(StablehloReduceWindowOptions_window_dilations(options), rank, 1, p->window_dilations) &&
               reduce_window_read(StablehloReduceWindowOptions_padding(options), 2 * rank, 0, p->padding);
  if (!whole) p->window_dimensions[0] = 0;  // prepare refuses it
}

// ---- Shapes. ----
// Fills one axis from the window's numbers; the sums stay below 2^63.
static TfLiteStatus reduce_window_axis(TfLiteContext *context, int i, int in, const int64_t numbers[4], const int64_t padding[2],
                                       fold_axis *axis, size_t *places) {
  (void)i;
  for (int k = 0; k < 4; k++)
    OP_CHECK(context, numbers[k] > 0 && numbers[k] <= INT32_MAX,
             "axis %d: window %lld, stride %lld, dilation %lld, base dilation %lld", i, (long long)numbers[0],
             (long long)numbers[1], (long long)numbers[2], (long long)numbers[3]);
  OP_CHECK(context, padding[0] > -INT32_MAX && padding[0] < INT32_MAX && padding[1] > -INT32_MAX && padding[1] < INT32_MAX,
           "axis %d: padding of %lld and %lld", i, (long long)padding[0], (long long)padding[1]);
  int64_t dilated = in > 0 ? (in - 1) * numbers[3] + 1 : 0, padded = dilated + padding[0] + padding[1];
  bool any = padding[0] != 0 || padding[1] != 0;
  OP_CHECK(context, padded > 0 || !any, "the padding leaves nothing of axis %d", i);
  OP_CHECK(context, padded <= INT32_MAX && checked_mul(*places, (size_t)padded, places) && *places <= INT32_MAX,
           "the padded array is too large");
  int64_t span = (numbers[0] - 1) * numbers[2] + 1;
  *axis = (fold_axis){.in = in,
                      .base = (int)numbers[3],
                      .low = padding[0],
                      .taps = (int)numbers[0],
                      .dilation = (int)numbers[2],
                      .stride = (int)numbers[1],
                      .out = padded < span ? 0 : (int)((padded - span) / numbers[1] + 1)};
  return kTfLiteOk;
}

static TfLiteStatus reduce_window_check(TfLiteContext *context, TfLiteNode *node, int inputs) {
  OP_TRY(op_check_counts(context, node, inputs, inputs, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *initial = op_input(context, node, 1);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_REDUCE_WINDOW));
  OP_TRY(op_check_type(context, initial, "initial value", OP_TYPE(input->type)));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_TYPE(input->type)));
  OP_CHECK(context, op_count(initial) >= 1, "there is no initial value");
  OP_CHECK(context, op_rank(input) >= 1 && op_rank(input) <= FOLD_MAX_RANK, "the input has rank %d", op_rank(input));
  return kTfLiteOk;
}

static TfLiteStatus reduce_window_resize(TfLiteContext *context, const TfLiteNode *node, const fold_shape *shape) {
  int dims[FOLD_MAX_RANK];
  for (int i = 0; i < shape->rank; i++) dims[i] = shape->axis[i].out;
  return op_resize(context, op_output(context, node, 0), shape->rank, dims);
}

static TfLiteStatus reduce_window_prepare(TfLiteContext *context, TfLiteNode *node) {
  static const int64_t no_padding[2] = {0, 0};
  reduce_window_op *op = node->user_data;
  OP_TRY(reduce_window_check(context, node, 5));
  op->function = (fold_function)((const TfLiteReduceWindowParams *)node->builtin_data)->reduce_function;
  OP_CHECK(context, op->function >= FOLD_ADD && op->function <= FOLD_ANY, "reduce_function is %d", (int)op->function);
  const TfLiteTensor *input = op_input(context, node, 0);
  op->shape.rank = op_rank(input);
  for (int k = 2; k < 5; k++) {
    const TfLiteTensor *t = op_input(context, node, k);
    OP_TRY(op_check_type(context, t, "a description of the window", OP_I64));
    OP_CHECK(context, op_is_constant(t) && t->data.raw, "input %d is not constant", k);
    OP_CHECK(context, op_count(t) == (size_t)op->shape.rank, "input %d has %zu numbers for rank %d", k, op_count(t),
             op->shape.rank);
  }
  size_t places = 1;
  for (int i = 0; i < op->shape.rank; i++) {
    const int64_t numbers[4] = {op_input(context, node, 2)->data.i64[i], op_input(context, node, 3)->data.i64[i],
                                op_input(context, node, 4)->data.i64[i], 1};
    OP_TRY(reduce_window_axis(context, i, op_dim(input, i), numbers, no_padding, &op->shape.axis[i], &places));
  }
  return reduce_window_resize(context, node, &op->shape);
}

static TfLiteStatus stablehlo_reduce_window_function(TfLiteContext *context, int subgraph, fold_function *function) {
  switch (call_only_operator(context, subgraph)) {
    case BuiltinOperator_ADD:
    case BuiltinOperator_STABLEHLO_ADD: *function = FOLD_ADD; break;
    case BuiltinOperator_MUL:
    case BuiltinOperator_STABLEHLO_MULTIPLY: *function = FOLD_MUL; break;
    case BuiltinOperator_MAXIMUM:
    case BuiltinOperator_STABLEHLO_MAXIMUM: *function = FOLD_MAX; break;
    case BuiltinOperator_MINIMUM:
    case BuiltinOperator_STABLEHLO_MINIMUM: *function = FOLD_MIN; break;
    case BuiltinOperator_LOGICAL_AND:
    case BuiltinOperator_STABLEHLO_AND: *function = FOLD_ALL; break;
    case BuiltinOperator_LOGICAL_OR:
    case BuiltinOperator_STABLEHLO_OR: *function = FOLD_ANY; break;
    default: OP_FAIL(context, "subgraph %d is not one of the operators that reduce a window", subgraph);
  }
  return kTfLiteOk;
}

static TfLiteStatus stablehlo_reduce_window_prepare(TfLiteContext *context, TfLiteNode *node) {
  reduce_window_op *op = node->user_data;
  const TfLiteStablehloReduceWindowParams *params = node->builtin_data;
  OP_TRY(reduce_window_check(context, node, 2));
  OP_TRY(stablehlo_reduce_window_function(context, params->body_subgraph_index, &op->function));
  const TfLiteTensor *input = op_input(context, node, 0);
  op->shape.rank = op_rank(input);
  size_t places = 1;
  for (int i = 0; i < op->shape.rank; i++) {
    const int64_t numbers[4] = {params->window_dimensions[i], params->window_strides[i], params->window_dilations[i],
                                params->base_dilations[i]};
    OP_TRY(reduce_window_axis(context, i, op_dim(input, i), numbers, params->padding + 2 * i, &op->shape.axis[i], &places));
  }
  return reduce_window_resize(context, node, &op->shape);
}

static TfLiteStatus reduce_window_eval(TfLiteContext *context, TfLiteNode *node) {
  const reduce_window_op *op = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output) == 0) return kTfLiteOk;
  fold_run run = NULL;
  switch (input->type) {
    case kTfLiteBool:
    case kTfLiteInt8: run = fold_run_i8; break;
    case kTfLiteUInt8: run = fold_run_u8; break;
    case kTfLiteInt16: run = fold_run_i16; break;
    case kTfLiteInt32: run = fold_run_i32; break;
    case kTfLiteInt64: run = fold_run_i64; break;
    case kTfLiteFloat64: run = fold_run_f64; break;
    default: run = fold_run_f32; break;
  }
  fold_windows(&op->shape, run, op->function, op_type_size((TfLiteType)input->type), input->data.raw,
               op_input(context, node, 1)->data.raw, output->data.raw);
  return kTfLiteOk;
}

static void reduce_window_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const reduce_window_op *op = node->user_data;
  cost->macs = op_count(op_output(context, node, 0));
  for (int i = 0; i < op->shape.rank; i++) cost->macs *= (uint64_t)op->shape.axis[i].taps;
}

const op_descriptor arn_op_reduce_window = {
    OP_ROW(REDUCE_WINDOW),        .state_size = sizeof(reduce_window_op), .params_size = sizeof(TfLiteReduceWindowParams),
    .parse = reduce_window_parse, .prepare = reduce_window_prepare,       .eval = reduce_window_eval,
    .cost = reduce_window_cost,
};

const op_descriptor arn_op_stablehlo_reduce_window = {
    OP_ROW(STABLEHLO_REDUCE_WINDOW),
    .state_size = sizeof(reduce_window_op),
    .params_size = sizeof(TfLiteStablehloReduceWindowParams),
    .parse = stablehlo_reduce_window_parse,
    .prepare = stablehlo_reduce_window_prepare,
    .eval = reduce_window_eval,
    .cost = reduce_window_cost,
};
