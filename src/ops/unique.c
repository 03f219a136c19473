// SPDX-License-Identifier: Apache-2.0
// UNIQUE: the different values of a vector in the order of their first appearance, and for each element which of them it is.
#include "ops/move_common.h"

typedef struct unique_state {
  int32_t scratch;
  uint32_t slots;  // of the hash table in the scratch, a power of two; a slot holds an element's place or UINT32_MAX
} unique_state;

static void unique_parse(fb_table options, void *params) {
  ((TfLiteUniqueParams *)params)->index_out_type = op_type(UniqueOptions_idx_out_type(options));
}

static TfLiteStatus unique_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 2));
  const TfLiteUniqueParams *params = node->builtin_data;
  unique_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *values = op_output(context, node, 0), *which = op_output(context, node, 1);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_UNIQUE));
  OP_TRY(move_same_type(context, values, input));
  OP_CHECK(context, params->index_out_type == kTfLiteInt32 || params->index_out_type == kTfLiteInt64, "idx_out_type is %s",
           op_type_name(params->index_out_type));
  OP_CHECK(context, which->type == params->index_out_type, "output 1 is of type %s, idx_out_type %s",
           op_type_name((TfLiteType)which->type), op_type_name(params->index_out_type));
  OP_CHECK(context, op_rank(input) == 1, "the input must be a vector, it has rank %d", op_rank(input));
  OP_CHECK(context, op_dim(input, 0) <= 1 << 28, "an input of %d elements is too long", op_dim(input, 0));
  state->slots = 2;
  while (state->slots < 2 * (uint32_t)op_dim(input, 0)) state->slots *= 2;
  int index;
  OP_TRY(op_request_scratch(context, (size_t)state->slots * sizeof(uint32_t), &index));
  state->scratch = index;
  OP_TRY(op_make_dynamic(context, values));
  return op_resize_like(context, which, input);
}

// The bytes by which a value is told from others, -0.0 as 0.0.
static uint64_t unique_key(const TfLiteTensor *t, size_t i) {
  if (t->type != kTfLiteFloat32) return (uint64_t)move_int_at(t, i);
  uint32_t bits;
  memcpy(&bits, t->data.f + i, sizeof bits);
  return bits == 0x80000000u ? 0 : bits;
}

static TfLiteStatus unique_eval(TfLiteContext *context, TfLiteNode *node) {
  const unique_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *values = op_output(context, node, 0), *which = op_output(context, node, 1);
  uint32_t *slot = op_scratch(context, state->scratch), count = (uint32_t)op_dim(input, 0);
  OP_CHECK(context, slot, "no scratch memory");
  memset(slot, 0xFF, (size_t)state->slots * sizeof *slot);
  int found = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t key = unique_key(input, i), hash = key * 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(hash >> 32) & (state->slots - 1);
    while (slot[at] != UINT32_MAX && unique_key(input, slot[at]) != key) at = (at + 1) & (state->slots - 1);
    bool first = slot[at] == UINT32_MAX;
    if (first) slot[at] = i;
    int64_t number = first ? found++ : move_int_at(which, slot[at]);
    if (which->type == kTfLiteInt32)
      which->data.i32[i] = (int32_t)number;
    else
      which->data.i64[i] = number;
  }
  OP_TRY(op_resize(context, values, 1, &found));
  size_t bytes = op_type_size((TfLiteType)input->type);
  int next = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (move_int_at(which, i) != next) continue;
    memcpy(values->data.uint8 + (size_t)next++ * bytes, input->data.uint8 + (size_t)i * bytes, bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_unique = {
    OP_ROW(UNIQUE),        .state_size = sizeof(unique_state), .params_size = sizeof(TfLiteUniqueParams),
    .parse = unique_parse, .prepare = unique_prepare,          .eval = unique_eval,
};
