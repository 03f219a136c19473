// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: locality-sensitive hashing. For each seed of the hash table (input 0, (hashes, bits) floats) one bit: the sign
// of the (weighted, input 2) sum of the fingerprints of seed and each row of input 1. SPARSE: a number of the bits of each hash,
// offset so that hashes do not meet; DENSE: the bits.
#include "kernels/fingerprint.h"
#include "ops/move_common.h"

typedef struct lsh_projection_state {
  bool dense;
  int32_t scratch;  // a key: the seed, then a row
} lsh_projection_state;

static void lsh_projection_parse(fb_table options, void *params) {
  int8_t type = LSHProjectionOptions_type(options);
  ((TfLiteLSHProjectionParams *)params)->type = type == LSHProjectionType_SPARSE  ? kTfLiteLshProjectionSparse
                                                : type == LSHProjectionType_DENSE ? kTfLiteLshProjectionDense
                                                                                  : kTfLiteLshProjectionUnknown;
}

static size_t lsh_projection_row_bytes(const TfLiteTensor *input) { return op_bytes(input) / (size_t)op_dim(input, 0); }

static TfLiteStatus lsh_projection_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 3, 1));
  const TfLiteLSHProjectionParams *params = node->builtin_data;
  lsh_projection_state *state = node->user_data;
  const TfLiteTensor *hash = op_input(context, node, 0), *input = op_input(context, node, 1),
                     *weight = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, hash, "hash", OP_F32));
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_LSH_PROJECTION));
  OP_TRY(op_check_type(context, output, "output", OP_I32));
  OP_CHECK(context, op_rank(hash) == 2 && op_dim(hash, 1) <= 32, "the hash must be a matrix of at most 32 columns");
  OP_CHECK(context, op_rank(input) >= 1 && op_dim(input, 0) >= 1, "the input is empty");
  if (weight) {
    OP_TRY(op_check_type(context, weight, "weight", OP_F32));
    OP_CHECK(context, op_rank(weight) == 1 && op_dim(weight, 0) == op_dim(input, 0),
             "there must be one weight for each of %d rows", op_dim(input, 0));
  }
  OP_CHECK(context, params->type != kTfLiteLshProjectionUnknown, "the type is neither SPARSE nor DENSE");
  state->dense = params->type == kTfLiteLshProjectionDense;
  int64_t size = (int64_t)op_dim(hash, 0) * (state->dense ? op_dim(hash, 1) : 1);
  OP_CHECK(context, size <= INT32_MAX, "the hash is too large");
  int dims = (int)size, index;
  OP_TRY(op_request_scratch(context, sizeof(float) + lsh_projection_row_bytes(input), &index));
  state->scratch = index;
  return op_resize(context, output, 1, &dims);
}

static bool lsh_projection_bit(const TfLiteTensor *input, const TfLiteTensor *weight, float seed, uint8_t *key) {
  size_t bytes = lsh_projection_row_bytes(input);
  double score = 0;
  memcpy(key, &seed, sizeof seed);
  for (int i = 0; i < op_dim(input, 0); i++) {
    if (bytes) memcpy(key + sizeof seed, input->data.uint8 + (size_t)i * bytes, bytes);
    double value = (double)(int64_t)fingerprint_64(key, sizeof seed + bytes);
    score += weight ? (double)weight->data.f[i] * value : value;
  }
  return score > 0;
}

static TfLiteStatus lsh_projection_eval(TfLiteContext *context, TfLiteNode *node) {
  const lsh_projection_state *state = node->user_data;
  const TfLiteTensor *hash = op_input(context, node, 0), *input = op_input(context, node, 1),
                     *weight = op_input(context, node, 2);
  int32_t *out = op_output(context, node, 0)->data.i32;
  uint8_t *key = op_scratch(context, state->scratch);
  OP_CHECK(context, key, "no scratch memory");
  int hashes = op_dim(hash, 0), bits = op_dim(hash, 1);
  for (int i = 0; i < hashes; i++) {
    uint32_t signature = 0;
    for (int k = 0; k < bits; k++) {
      bool bit = lsh_projection_bit(input, weight, hash->data.f[i * bits + k], key);
      if (state->dense) *out++ = bit;
      signature = signature << 1 | bit;
    }
    if (!state->dense) *out++ = (int32_t)(signature + (bits < 32 ? (uint32_t)i << bits : 0));
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_lsh_projection = {
    OP_ROW(LSH_PROJECTION),        .state_size = sizeof(lsh_projection_state), .params_size = sizeof(TfLiteLSHProjectionParams),
    .parse = lsh_projection_parse, .prepare = lsh_projection_prepare,          .eval = lsh_projection_eval,
};
