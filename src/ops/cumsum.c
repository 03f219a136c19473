// SPDX-License-Identifier: Apache-2.0
// CUMSUM: running sums along an axis. Source of the rules: TFLite kernels/cumsum.cc.
#include "ops/op.h"

typedef struct cumsum_state {
  bool exclusive, reverse;
} cumsum_state;

static void cumsum_parse(fb_table options, void *params) {
  TfLiteCumsumParams *p = params;
  p->exclusive = CumsumOptions_exclusive(options);
  p->reverse = CumsumOptions_reverse(options);
}

static TfLiteStatus cumsum_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteCumsumParams *options = node->builtin_data;
  cumsum_state *s = node->user_data;
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *axis = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_CUMSUM));
  OP_TRY(op_check_type(context, axis, "the axis", OP_I32));
  OP_CHECK(context, op_count(axis) == 1, "the axis is one number, the model gives %d", (int)op_count(axis));
  OP_CHECK(context, op_rank(input) >= 1, "a scalar has no axis");
  OP_TRY(op_check_type(context, output, "the output", OP_TYPE(input->type)));
  s->exclusive = options->exclusive;
  s->reverse = options->reverse;
  return op_resize_like(context, output, input);
}

// n elements at a distance of `step`, from *in on, into the same places of out. Integers are summed as unsigned ones: they wrap.
#define RUNNING_SUM(name, type)                                                           \
  static void name(const void *in, void *out, size_t n, ptrdiff_t step, bool exclusive) { \
    const type *xs = in;                                                                  \
    type *rs = out, sum = 0;                                                              \
    for (size_t i = 0; i < n; i++, xs += step, rs += step) {                              \
      type before = sum;                                                                  \
      sum += *xs;                                                                         \
      *rs = exclusive ? before : sum;                                                     \
    }                                                                                     \
  }
RUNNING_SUM(running_sum_f32, float)
RUNNING_SUM(running_sum_i32, uint32_t)
RUNNING_SUM(running_sum_i64, uint64_t)

static TfLiteStatus cumsum_eval(TfLiteContext *context, TfLiteNode *node) {
  const cumsum_state *s = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *axis_tensor = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  int axis = axis_tensor->data.i32[0], rank = op_rank(input);
  OP_CHECK(context, axis >= -rank && axis < rank, "axis %d is out of range for rank %d", axis, rank);
  if (axis < 0) axis += rank;
  void (*sum)(const void *in, void *out, size_t n, ptrdiff_t step, bool exclusive) =
      input->type == kTfLiteFloat32 ? running_sum_f32
      : input->type == kTfLiteInt32 ? running_sum_i32
                                    : running_sum_i64;
  size_t outer = op_count_between(input, 0, axis), n = (size_t)op_dim(input, axis),
         inner = op_count_between(input, axis + 1, rank);
  if (n == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)input->type), first = s->reverse ? (n - 1) * inner : 0;
  ptrdiff_t step = s->reverse ? -(ptrdiff_t)inner : (ptrdiff_t)inner;
  for (size_t i = 0; i < outer; i++) {
    for (size_t j = 0; j < inner; j++) {
      size_t at = (i * n * inner + first + j) * bytes;
      sum(input->data.raw_const + at, output->data.raw + at, n, step, s->exclusive);
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_cumsum = {
    OP_ROW(CUMSUM),        .state_size = sizeof(cumsum_state), .params_size = sizeof(TfLiteCumsumParams),
    .parse = cumsum_parse, .prepare = cumsum_prepare,          .eval = cumsum_eval};
