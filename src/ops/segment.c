// SPDX-License-Identifier: Apache-2.0
// SEGMENT_SUM and UNSORTED_SEGMENT_{SUM, PROD, MAX, MIN}: slices of the data are folded into the segment that their id names.
// Source of the rules: TFLite kernels/segment_sum.cc, unsorted_segment.cc.
#include <float.h>
#include <string.h>

#include "ops/elementwise_common.h"

// How a slice of n elements is folded into a segment of as many.
typedef void (*segment_fold)(void *segment, const void *slice, size_t n);
#define FOLD(name, type, expression)                             \
  static void name(void *segment, const void *slice, size_t n) { \
    type *as = segment;                                          \
    const type *xs = slice;                                      \
    for (size_t i = 0; i < n; i++) {                             \
      const type a = as[i], x = xs[i];                           \
      as[i] = (expression);                                      \
    }                                                            \
  }
FOLD(fold_sum_f32, float, a + x)
FOLD(fold_sum_i32, uint32_t, a + x)
FOLD(fold_product_f32, float, a * x)
FOLD(fold_product_i32, uint32_t, a * x)
FOLD(fold_max_f32, float, a < x ? x : a)
FOLD(fold_max_i32, int32_t, a < x ? x : a)
FOLD(fold_min_f32, float, x < a ? x : a)
FOLD(fold_min_i32, int32_t, x < a ? x : a)

typedef struct segment_kind {
  segment_fold f32, i32;
  float start_f32;
  int32_t start_i32;
} segment_kind;
static const segment_kind segment_kind_sum = {fold_sum_f32, fold_sum_i32, 0, 0};
static const segment_kind segment_kind_prod = {fold_product_f32, fold_product_i32, 1, 1};
static const segment_kind segment_kind_max = {fold_max_f32, fold_max_i32, -FLT_MAX, INT32_MIN};
static const segment_kind segment_kind_min = {fold_min_f32, fold_min_i32, FLT_MAX, INT32_MAX};

// ids are all below the output's first dimension; negative ones belong to no segment.
static void fold_segments(const TfLiteTensor *data, const TfLiteTensor *ids, TfLiteTensor *output, const segment_kind *kind) {
  size_t total = op_count(output), n = op_count_between(output, 1, op_rank(output)), count = op_count(ids);
  bool real = data->type == kTfLiteFloat32;
  for (size_t i = 0; i < total; i++) {
    if (real) {
      output->data.f[i] = kind->start_f32;
    } else {
      output->data.i32[i] = kind->start_i32;
    }
  }
  for (size_t i = 0; i < count && n > 0; i++) {
    int32_t id = ids->data.i32[i];
    if (id >= 0) (real ? kind->f32 : kind->i32)(output->data.raw + (size_t)id * n * 4, data->data.raw_const + i * n * 4, n);
  }
}

// The output's shape: `segments`, then the data's dimensions behind those of the ids.
static TfLiteStatus shape_segments(TfLiteContext *context, const TfLiteNode *node, int segments) {
  const TfLiteTensor *data = op_input(context, node, 0), *ids = op_input(context, node, 1);
  int dims[OP_MAX_RANK] = {segments}, rank = 1;
  OP_CHECK(context, op_rank(data) - op_rank(ids) < OP_MAX_RANK, "the data have rank %d, too many", op_rank(data));
  OP_TRY(elementwise_check_product(context, data, op_rank(ids), op_rank(data)));
  for (int i = op_rank(ids); i < op_rank(data); i++) dims[rank++] = op_dim(data, i);
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

// ---- SEGMENT_SUM: ids begin at 0 and rise by 0 or 1. ----
static TfLiteStatus count_segments(TfLiteContext *context, const TfLiteNode *node, int *segments) {
  const TfLiteTensor *data = op_input(context, node, 0), *ids = op_input(context, node, 1);
  OP_CHECK(context, op_rank(data) >= 1 && op_rank(ids) == 1 && op_dim(ids, 0) == op_dim(data, 0),
           "there must be one id for each row of the data");
  int32_t last = -1;
  for (int i = 0; i < op_dim(ids, 0); i++) {
    int32_t id = ids->data.i32[i];
    OP_CHECK(context, (i > 0 && id == last) || (last < INT32_MAX && id == last + 1),
             "ids must begin at 0 and rise by at most 1: %d after %d", (int)id, (int)last);
    last = id;
  }
  *segments = last + 1;
  return kTfLiteOk;
}

static TfLiteStatus segment_sum_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteTensor *data = op_input(context, node, 0), *ids = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, data, "the data", OP_TYPES_SEGMENT_SUM));
  OP_TRY(op_check_type(context, ids, "the ids", OP_I32));
  OP_TRY(op_check_type(context, output, "the output", OP_TYPE(data->type)));
  if (!op_is_constant(ids)) return op_make_dynamic(context, output);
  int segments;
  OP_TRY(count_segments(context, node, &segments));
  return shape_segments(context, node, segments);
}

static TfLiteStatus segment_sum_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *ids = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) {
    int segments;
    OP_TRY(count_segments(context, node, &segments));
    OP_TRY(shape_segments(context, node, segments));
  }
  fold_segments(op_input(context, node, 0), ids, output, &segment_kind_sum);
  return kTfLiteOk;
}
const op_descriptor arn_op_segment_sum = {OP_ROW(SEGMENT_SUM), .prepare = segment_sum_prepare, .eval = segment_sum_eval};

// ---- UNSORTED_SEGMENT_*: any ids below a number that is given. ----
static TfLiteStatus check_ids(TfLiteContext *context, const TfLiteNode *node, int segments) {
  const TfLiteTensor *data = op_input(context, node, 0), *ids = op_input(context, node, 1);
  OP_CHECK(context, op_rank(ids) <= op_rank(data), "the ids have rank %d, the data %d", op_rank(ids), op_rank(data));
  for (int i = 0; i < op_rank(ids); i++) {
    OP_CHECK(context, op_dim(ids, i) == op_dim(data, i), "dimension %d: %d ids for %d slices", i, op_dim(ids, i),
             op_dim(data, i));
  }
  size_t n = op_count(ids);
  for (size_t i = 0; i < n; i++) {
    OP_CHECK(context, ids->data.i32[i] < segments, "id %d is out of range for %d segments", (int)ids->data.i32[i], segments);
  }
  return kTfLiteOk;
}

static TfLiteStatus shape_unsorted(TfLiteContext *context, const TfLiteNode *node) {
  int32_t segments = op_input(context, node, 2)->data.i32[0];
  OP_CHECK(context, segments >= 0, "the number of segments is %d", (int)segments);
  OP_TRY(check_ids(context, node, segments));
  return shape_segments(context, node, segments);
}

static TfLiteStatus prepare_unsorted(TfLiteContext *context, TfLiteNode *node, uint32_t type_bits) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *data = op_input(context, node, 0), *ids = op_input(context, node, 1),
                     *segments = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, data, "the data", type_bits));
  OP_TRY(op_check_type(context, ids, "the ids", OP_I32));
  OP_TRY(op_check_type(context, segments, "the number of segments", OP_I32));
  OP_TRY(op_check_type(context, output, "the output", OP_TYPE(data->type)));
  OP_CHECK(context, op_rank(segments) <= 1 && op_count(segments) == 1, "the number of segments is one number");
  if (!op_is_constant(ids) || !op_is_constant(segments)) return op_make_dynamic(context, output);
  return shape_unsorted(context, node);
}

static TfLiteStatus run_unsorted(TfLiteContext *context, TfLiteNode *node, const segment_kind *kind) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(shape_unsorted(context, node));
  fold_segments(op_input(context, node, 0), op_input(context, node, 1), output, kind);
  return kTfLiteOk;
}

#define UNSORTED_SEGMENT(NAME, name)                                                                                           \
  static TfLiteStatus unsorted_##name##_prepare(TfLiteContext *context, TfLiteNode *node) {                                    \
    return prepare_unsorted(context, node, OP_TYPES_UNSORTED_SEGMENT_##NAME);                                                  \
  }                                                                                                                            \
  static TfLiteStatus unsorted_##name##_eval(TfLiteContext *context, TfLiteNode *node) {                                       \
    return run_unsorted(context, node, &segment_kind_##name);                                                                  \
  }                                                                                                                            \
  const op_descriptor arn_op_unsorted_segment_##name = {OP_ROW(UNSORTED_SEGMENT_##NAME), .prepare = unsorted_##name##_prepare, \
                                                        .eval = unsorted_##name##_eval};
UNSORTED_SEGMENT(SUM, sum)
UNSORTED_SEGMENT(PROD, prod)
UNSORTED_SEGMENT(MAX, max)
UNSORTED_SEGMENT(MIN, min)
