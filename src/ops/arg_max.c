// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN: where along an axis the first extreme is. Source of the rules: TFLite kernels/arg_min_max.cc. A NaN is no
// extreme as long as there is a number.
#include "ops/elementwise_common.h"

static void arg_max_parse(fb_table options, void *params) {
  TfLiteArgMaxParams *p = params;
  p->output_type = op_type(ArgMaxOptions_output_type(options));
}
static void arg_min_parse(fb_table options, void *params) {
  TfLiteArgMinParams *p = params;
  p->output_type = op_type(ArgMinOptions_output_type(options));
}

static TfLiteStatus read_axis(TfLiteContext *context, const TfLiteNode *node, int *axis) {
  const TfLiteTensor *input = op_input(context, node, 0), *t = op_input(context, node, 1);
  int rank = op_rank(input);
  OP_CHECK(context, t->data.raw, "the axis has no data");
  int64_t value = t->type == kTfLiteInt64 ? t->data.i64[0] : t->data.i32[0];
  OP_CHECK(context, value >= -rank && value < rank, "axis %d is out of range for rank %d", (int)value, rank);
  *axis = (int)(value < 0 ? value + rank : value);
  OP_CHECK(context, op_dim(input, *axis) > 0, "there is no extreme along an empty axis");
  OP_TRY(elementwise_check_product(context, input, 0, *axis));
  OP_TRY(elementwise_check_product(context, input, *axis + 1, rank));
  return kTfLiteOk;
}

static TfLiteStatus shape_output(TfLiteContext *context, const TfLiteNode *node, int axis) {
  const TfLiteTensor *input = op_input(context, node, 0);
  int dims[OP_MAX_RANK], rank = 0;
  OP_CHECK(context, op_rank(input) <= OP_MAX_RANK, "the input has rank %d, at most %d is supported", op_rank(input), OP_MAX_RANK);
  for (int i = 0; i < op_rank(input); i++) {
    if (i != axis) dims[rank++] = op_dim(input, i);
  }
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus prepare_arg(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits, TfLiteType output_type) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *input = op_input(context, node, 0), *axis = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", type_bits));
  OP_TRY(op_check_type(context, axis, "the axis", OP_I32 | OP_I64));
  OP_CHECK(context, op_count(axis) == 1, "the axis is one number, the model gives %d", (int)op_count(axis));
  OP_CHECK(context, op_rank(input) >= 1, "a scalar has no axis");
  OP_CHECK(context, output_type == kTfLiteInt32 || output_type == kTfLiteInt64, "positions are INT32 or INT64");
  output->type = output_type;
  if (!op_is_constant(axis)) return op_make_dynamic(context, output);
  int a;
  OP_TRY(read_axis(context, node, &a));
  return shape_output(context, node, a);
}

// Position of the first extreme of n elements that lie `stride` apart. better: candidate x beats best so far b.
#define FIND(name, type, better)                                  \
  static size_t name(const void *data, size_t n, size_t stride) { \
    const type *xs = data;                                        \
    size_t position = 0;                                          \
    type b = xs[0];                                               \
    for (size_t i = 1; i < n; i++) {                              \
      const type x = xs[i * stride];                              \
      if (better) b = x, position = i;                            \
    }                                                             \
    return position;                                              \
  }
FIND(find_max_f32, float, x > b || (b != b && x == x))
FIND(find_min_f32, float, x < b || (b != b && x == x))
FIND(find_max_i8, int8_t, x > b)
FIND(find_min_i8, int8_t, x < b)
FIND(find_max_u8, uint8_t, x > b)
FIND(find_min_u8, uint8_t, x < b)
FIND(find_max_i32, int32_t, x > b)
FIND(find_min_i32, int32_t, x < b)

static TfLiteStatus run_arg(TfLiteContext *context, TfLiteNode *node, bool largest) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  int axis;
  OP_TRY(read_axis(context, node, &axis));
  if (op_is_dynamic(output)) OP_TRY(shape_output(context, node, axis));
  size_t (*find)(const void *data, size_t n, size_t stride);
  switch (input->type) {
    case kTfLiteFloat32: find = largest ? find_max_f32 : find_min_f32; break;
    case kTfLiteInt8: find = largest ? find_max_i8 : find_min_i8; break;
    case kTfLiteInt32: find = largest ? find_max_i32 : find_min_i32; break;
    default: find = largest ? find_max_u8 : find_min_u8; break;  // UINT8, BOOL
  }
  size_t outer = op_count_between(input, 0, axis), n = (size_t)op_dim(input, axis),
         inner = op_count_between(input, axis + 1, op_rank(input));
  size_t bytes = op_type_size((TfLiteType)input->type), at = 0;
  for (size_t i = 0; i < outer; i++) {
    const char *block = input->data.raw_const + i * n * inner * bytes;
    for (size_t j = 0; j < inner; j++, at++) {
      size_t position = find(block + j * bytes, n, inner);
      if (output->type == kTfLiteInt64) {
        output->data.i64[at] = (int64_t)position;
      } else {
        output->data.i32[at] = (int32_t)position;
      }
    }
  }
  return kTfLiteOk;
}

static TfLiteStatus arg_max_prepare(TfLiteContext *context, TfLiteNode *node) {
  return prepare_arg(context, node, OP_TYPES_ARG_MAX, ((const TfLiteArgMaxParams *)node->builtin_data)->output_type);
}
static TfLiteStatus arg_min_prepare(TfLiteContext *context, TfLiteNode *node) {
  return prepare_arg(context, node, OP_TYPES_ARG_MIN, ((const TfLiteArgMinParams *)node->builtin_data)->output_type);
}
static TfLiteStatus arg_max_eval(TfLiteContext *context, TfLiteNode *node) { return run_arg(context, node, true); }
static TfLiteStatus arg_min_eval(TfLiteContext *context, TfLiteNode *node) { return run_arg(context, node, false); }

static void arg_max_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const TfLiteTensor *input = op_input(context, node, 0);
  cost->macs = input ? op_count(input) : 0;
}

const op_descriptor arn_op_arg_max = {OP_ROW(ARG_MAX),        .params_size = sizeof(TfLiteArgMaxParams),
                                      .parse = arg_max_parse, .prepare = arg_max_prepare,
                                      .eval = arg_max_eval,   .cost = arg_max_cost};
const op_descriptor arn_op_arg_min = {OP_ROW(ARG_MIN),        .params_size = sizeof(TfLiteArgMinParams),
                                      .parse = arg_min_parse, .prepare = arg_min_prepare,
                                      .eval = arg_min_eval,   .cost = arg_max_cost};
