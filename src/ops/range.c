// SPDX-License-Identifier: Apache-2.0
// RANGE: start, start + delta, ... up to, not including, limit: scalars of one type, int32, int64 or float.
#include <math.h>

#include "ops/move_common.h"

static float range_float(const TfLiteTensor *t) {
  float v;
  memcpy(&v, t->data.raw, sizeof v);
  return v;
}

static TfLiteStatus range_size(TfLiteContext *context, TfLiteNode *node, int *size) {
  const TfLiteTensor *start = op_input(context, node, 0), *limit = op_input(context, node, 1),
                     *delta = op_input(context, node, 2);
  OP_CHECK(context, start->data.raw && limit->data.raw && delta->data.raw, "an input has no data");
  if (start->type == kTfLiteFloat32) {
    float from = range_float(start), to = range_float(limit), by = range_float(delta);
    OP_CHECK(context, (from >= to && by < 0) || (from <= to && by > 0), "from %g there is no way to %g by %g", (double)from,
             (double)to, (double)by);
    float count = ceilf(fabsf((to - from) / by));
    OP_CHECK(context, count < 0x1p31f, "the range is too long");
    *size = (int)count;
    return kTfLiteOk;
  }
  int64_t from = move_int_at(start, 0), to = move_int_at(limit, 0), by = move_int_at(delta, 0);
  OP_CHECK(context, (from >= to && by < 0) || (from <= to && by > 0), "from %lld there is no way to %lld by %lld",
           (long long)from, (long long)to, (long long)by);
  uint64_t span = from < to ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to,
           step = by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
  uint64_t count = span / step + (span % step != 0);
  OP_CHECK(context, count <= INT32_MAX, "the range is too long");
  *size = (int)count;
  return kTfLiteOk;
}

static TfLiteStatus range_run(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *start = op_input(context, node, 0), *delta = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  int count = op_dim(output, 0);
  if (start->type == kTfLiteFloat32) {
    float value = range_float(start), by = range_float(delta);
    for (int i = 0; i < count; i++, value += by) output->data.f[i] = value;  // added up, as in the reference
    return kTfLiteOk;
  }
  uint64_t value = (uint64_t)move_int_at(start, 0), by = (uint64_t)move_int_at(delta, 0);
  for (int i = 0; i < count; i++, value += by) {
    if (start->type == kTfLiteInt32)
      output->data.i32[i] = (int32_t)(uint32_t)value;
    else
      output->data.i64[i] = (int64_t)value;
  }
  return kTfLiteOk;
}

static TfLiteStatus range_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *start = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, start, "start", OP_TYPES_RANGE));
  bool fold = true;
  for (int i = 0; i < 3; i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    OP_CHECK(context, t->type == start->type && op_rank(t) == 0, "input %d must be a scalar of input 0's type", i);
    fold = fold && op_is_constant(t);
  }
  OP_TRY(move_take_type(context, output, (TfLiteType)start->type));
  if (!fold) return op_make_dynamic(context, output);
  int size;
  OP_TRY(range_size(context, node, &size));
  OP_TRY(op_resize_persistent(context, output, 1, &size));
  return range_run(context, node);
}

static TfLiteStatus range_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_constant(output)) return kTfLiteOk;
  int size;
  OP_TRY(range_size(context, node, &size));
  OP_TRY(op_resize(context, output, 1, &size));
  return range_run(context, node);
}

const op_descriptor arn_op_range = {OP_ROW(RANGE), .prepare = range_prepare, .eval = range_eval};
