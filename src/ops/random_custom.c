// SPDX-License-Identifier: Apache-2.0
// The custom operators RandomUniform, RandomUniformInt and RandomStandardNormal: values of the shape that input 0 gives, floats
// in [0, 1), integers from input 1 to input 2 (both included), normal deviates.
#include <math.h>

#include "ops/random_common.h"

typedef struct random_custom_state {
  uint32_t minimal;
} random_custom_state;

static TfLiteStatus random_custom_resize(TfLiteContext *context, TfLiteNode *node) {
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_read_ints(context, op_input(context, node, 0), "shape", OP_MAX_RANK, dims, &rank));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus random_custom_check(TfLiteContext *context, TfLiteNode *node, int inputs, uint32_t types) {
  OP_TRY(op_check_counts(context, node, inputs, inputs > 1 ? inputs : 3, 1));
  const TfLiteTensor *shape = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, shape, "shape", OP_I32 | OP_I64));
  OP_TRY(op_check_type(context, output, "output", types));
  OP_CHECK(context, op_rank(shape) == 1, "the shape must be a vector, it has rank %d", op_rank(shape));
  return op_is_constant(shape) ? random_custom_resize(context, node) : op_make_dynamic(context, output);
}
static TfLiteStatus random_float_prepare(TfLiteContext *context, TfLiteNode *node) {
  return random_custom_check(context, node, 1, OP_F32 | OP_F64);
}
static TfLiteStatus random_int_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(random_custom_check(context, node, 3, OP_I8 | OP_I32 | OP_I64));
  for (int i = 1; i < 3; i++) {
    OP_TRY(op_check_type(context, op_input(context, node, i), "limit", OP_I8 | OP_I32 | OP_I64));
    OP_CHECK(context, op_count(op_input(context, node, i)) >= 1, "input %d is empty", i);
  }
  return kTfLiteOk;
}

static double random_unit(random_custom_state *state) { return (double)(random_minimal(&state->minimal) - 1) / 2147483646.0; }

static TfLiteStatus random_float_run(TfLiteContext *context, TfLiteNode *node, bool normal) {
  random_custom_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(random_custom_resize(context, node));
  size_t count = op_count(output);
  for (size_t i = 0; i < count; i++) {
    double value = random_unit(state);
    if (normal) value = sqrt(-2 * log(1 - value)) * cos(2 * 3.14159265358979323846 * random_unit(state));
    if (output->type == kTfLiteFloat64)
      output->data.f64[i] = value;
    else
      output->data.f[i] = (float)value < 1 || normal ? (float)value : 0.99999994f;  // rounding must not reach 1
  }
  return kTfLiteOk;
}
static TfLiteStatus random_uniform_custom_eval(TfLiteContext *context, TfLiteNode *node) {
  return random_float_run(context, node, false);
}
static TfLiteStatus random_normal_custom_eval(TfLiteContext *context, TfLiteNode *node) {
  return random_float_run(context, node, true);
}

static TfLiteStatus random_int_eval(TfLiteContext *context, TfLiteNode *node) {
  random_custom_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(random_custom_resize(context, node));
  int64_t low = move_int_at(op_input(context, node, 1), 0), high = move_int_at(op_input(context, node, 2), 0);
  int64_t least = output->type == kTfLiteInt8 ? INT8_MIN : output->type == kTfLiteInt32 ? INT32_MIN : INT64_MIN;
  int64_t most = output->type == kTfLiteInt8 ? INT8_MAX : output->type == kTfLiteInt32 ? INT32_MAX : INT64_MAX;
  OP_CHECK(context, low < high && low >= least && high <= most, "there are no values from %lld to %lld", (long long)low,
           (long long)high);
  uint64_t span = (uint64_t)high - (uint64_t)low + 1;  // 0: all 2^64
  size_t count = op_count(output);
  for (size_t i = 0; i < count; i++) {
    uint64_t word = 0;
    for (int k = 0; k < 3; k++) word = word << 30 ^ (random_minimal(&state->minimal) - 1);
    int64_t value = (int64_t)((uint64_t)low + (span ? word % span : word));
    if (output->type == kTfLiteInt8)
      output->data.int8[i] = (int8_t)value;
    else if (output->type == kTfLiteInt32)
      output->data.i32[i] = (int32_t)value;
    else
      output->data.i64[i] = value;
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_random_uniform_custom = {OP_CUSTOM_ROW(RandomUniform), .state_size = sizeof(random_custom_state),
                                                    .prepare = random_float_prepare, .eval = random_uniform_custom_eval};
const op_descriptor arn_op_random_uniform_int = {OP_CUSTOM_ROW(RandomUniformInt), .state_size = sizeof(random_custom_state),
                                                 .prepare = random_int_prepare, .eval = random_int_eval};
const op_descriptor arn_op_random_standard_normal_custom = {OP_CUSTOM_ROW(RandomStandardNormal),
                                                            .state_size = sizeof(random_custom_state),
                                                            .prepare = random_float_prepare, .eval = random_normal_custom_eval};
