// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR: random bits from a state (input 0: key, counter) that goes out changed (output 0); output 1 is
// filled with them.
#include "kernels/philox.h"
#include "ops/move_common.h"

typedef struct rng_bit_generator_state {
  bool threefry;
} rng_bit_generator_state;

static void rng_bit_generator_parse(fb_table options, void *params) {
  TfLiteStablehloRngBitGeneratorParams *p = params;
  switch (StablehloRngBitGeneratorOptions_algorithm(options)) {
    case RngAlgorithm_DEFAULT: p->algorithm = kTfLiteRngAlgorithmDefault; break;
    case RngAlgorithm_PHILOX: p->algorithm = kTfLiteRngAlgorithmPhilox; break;
    case RngAlgorithm_THREEFRY: p->algorithm = kTfLiteRngAlgorithmThreefry; break;
    default: p->algorithm = kTfLiteRngAlgorithmUnknown; break;
  }
}

static TfLiteStatus rng_bit_generator_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteStablehloRngBitGeneratorParams *params = node->builtin_data;
  rng_bit_generator_state *state = node->user_data;
  const TfLiteTensor *before = op_input(context, node, 0);
  TfLiteTensor *after = op_output(context, node, 0), *output = op_output(context, node, 1);
  OP_TRY(op_check_type(context, before, "state", OP_U64));
  OP_TRY(op_check_type(context, after, "output 0", OP_U64));
  OP_TRY(op_check_type(context, output, "output 1", OP_I32 | OP_U32 | OP_I64 | OP_U64));
  OP_CHECK(context, params->algorithm != kTfLiteRngAlgorithmUnknown, "the algorithm is unknown");
  state->threefry = params->algorithm == kTfLiteRngAlgorithmThreefry;
  OP_CHECK(context, op_rank(before) == 1 && (op_dim(before, 0) == 2 || (op_dim(before, 0) == 3 && !state->threefry)),
           "the state has the wrong shape for its algorithm");
  OP_CHECK(context, op_same_shape(before, after), "the states before and after differ in shape");
  OP_TRY(op_resize_like(context, after, before));
  return op_resize_like(context, output, output);
}

static TfLiteStatus rng_bit_generator_eval(TfLiteContext *context, TfLiteNode *node) {
  const rng_bit_generator_state *state = node->user_data;
  const TfLiteTensor *before = op_input(context, node, 0);
  TfLiteTensor *after = op_output(context, node, 0), *output = op_output(context, node, 1);
  uint32_t words[6], counter[4], block[4];
  size_t given = (size_t)op_dim(before, 0) * 2, width = state->threefry ? 2 : 4;
  memcpy(words, before->data.raw, given * sizeof *words);
  counter[0] = words[2];
  counter[1] = words[3];
  counter[2] = words[given == 6 ? 4 : 0];  // a state without an upper half of the counter uses the key for it
  counter[3] = words[given == 6 ? 5 : 1];
  size_t count = op_bytes(output) / sizeof *block;
  for (size_t i = 0; i < count; i += width) {
    if (state->threefry)
      philox_threefry_block(words, counter, block);
    else
      philox_block(words, counter, block);
    size_t rest = count - i < width ? count - i : width;
    memcpy(output->data.u32 + i, block, rest * sizeof *block);
    if (++counter[0] == 0) counter[1]++;
  }
  words[2] = counter[0];
  words[3] = counter[1];
  memcpy(after->data.raw, words, given * sizeof *words);
  return kTfLiteOk;
}

const op_descriptor arn_op_stablehlo_rng_bit_generator = {
    OP_ROW(STABLEHLO_RNG_BIT_GENERATOR),
    .state_size = sizeof(rng_bit_generator_state),
    .params_size = sizeof(TfLiteStablehloRngBitGeneratorParams),
    .parse = rng_bit_generator_parse,
    .prepare = rng_bit_generator_prepare,
    .eval = rng_bit_generator_eval,
};
