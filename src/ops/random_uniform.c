// SPDX-License-Identifier: Apache-2.0
// RANDOM_UNIFORM and RANDOM_STANDARD_NORMAL: floats in [0, 1), normal deviates, in the shape that input 0 gives. The generator
// goes on from inference to inference and starts anew when the node is prepared again.
#include "ops/random_common.h"

void random_parse(fb_table options, void *params) {
  TfLiteRandomParams *p = params;
  p->seed = (int)RandomOptions_seed(options);
  p->seed2 = (int)RandomOptions_seed2(options);
}

void random_seed(const TfLiteNode *node, philox_state *state) {
  const TfLiteRandomParams *params = node->builtin_data;
  uint64_t seed = (uint64_t)(int64_t)params->seed, seed2 = (uint64_t)(int64_t)params->seed2;
  if (seed == 0 && seed2 == 0) {
    seed = (uint64_t)(uintptr_t)node->user_data * 0x9E3779B97F4A7C15u;
    seed2 = (uint64_t)(uintptr_t)params * 0xC2B2AE3D27D4EB4Fu;
  }
  philox_seed(state, seed, seed2);
}

static TfLiteStatus random_uniform_resize(TfLiteContext *context, TfLiteNode *node) {
  int rank, dims[OP_MAX_RANK];
  OP_TRY(op_read_ints(context, op_input(context, node, 0), "shape", OP_MAX_RANK, dims, &rank));
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus random_uniform_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *shape = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, shape, "shape", OP_I32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(shape) == 1, "the shape must be a vector, it has rank %d", op_rank(shape));
  random_seed(node, node->user_data);
  return op_is_constant(shape) ? random_uniform_resize(context, node) : op_make_dynamic(context, output);
}

static TfLiteStatus random_uniform_run(TfLiteContext *context, TfLiteNode *node, bool normal) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(random_uniform_resize(context, node));
  size_t count = op_count(output);
  for (size_t i = 0; i < count; i += 4) {
    uint32_t words[4];
    float values[4];
    philox_next(node->user_data, words);
    if (normal) {
      philox_normals(words[0], words[1], values);
      philox_normals(words[2], words[3], values + 2);
    } else {
      for (int k = 0; k < 4; k++) values[k] = philox_float(words[k]);
    }
    for (size_t k = 0; k < 4 && i + k < count; k++) output->data.f[i + k] = values[k];
  }
  return kTfLiteOk;
}

static TfLiteStatus random_uniform_eval(TfLiteContext *context, TfLiteNode *node) {
  return random_uniform_run(context, node, false);
}
static TfLiteStatus random_standard_normal_eval(TfLiteContext *context, TfLiteNode *node) {
  return random_uniform_run(context, node, true);
}

const op_descriptor arn_op_random_uniform = {
    OP_ROW(RANDOM_UNIFORM), .state_size = sizeof(philox_state), .params_size = sizeof(TfLiteRandomParams),
    .parse = random_parse,  .prepare = random_uniform_prepare,  .eval = random_uniform_eval,
};
const op_descriptor arn_op_random_standard_normal = {
    OP_ROW(RANDOM_STANDARD_NORMAL), .state_size = sizeof(philox_state), .params_size = sizeof(TfLiteRandomParams),
    .parse = random_parse,          .prepare = random_uniform_prepare,  .eval = random_standard_normal_eval,
};
