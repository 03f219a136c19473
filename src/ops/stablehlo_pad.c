// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD: padding (input 1) at the edges, a negative amount crops, and between the elements. A dimension that nothing is
// left of leaves nothing of the others either, as in the reference.
#include "ops/move_common.h"

typedef struct stablehlo_pad_state {
  int32_t first[OP_MAX_RANK];  // the first element that is kept, and where it goes
  int32_t at[OP_MAX_RANK];
  int32_t count[OP_MAX_RANK];  // how many are kept
  int32_t step[OP_MAX_RANK];   // places from one element to the next
} stablehlo_pad_state;

static void stablehlo_pad_read(fb_vector from, int64_t *to) {
  for (uint32_t i = 0; i < from.count && i < TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT; i++) to[i] = fb_vector_i64(from, i);
}

static void stablehlo_pad_parse(fb_table options, void *params) {
  TfLiteStablehloPadParams *p = params;
  fb_vector low = StablehloPadOptions_edge_padding_low(options), high = StablehloPadOptions_edge_padding_high(options);
  fb_vector interior = StablehloPadOptions_interior_padding(options);
  stablehlo_pad_read(low, p->edge_padding_low);
  stablehlo_pad_read(high, p->edge_padding_high);
  stablehlo_pad_read(interior, p->interior_padding);
  bool whole =
      low.count == high.count && low.count == interior.count && low.count <= TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT;
  if (!whole) p->interior_padding[0] = -1;  // prepare refuses it
}

// One dimension: its result's size (0 or less: nothing is left) and which elements go where.
static TfLiteStatus stablehlo_pad_dimension(TfLiteContext *context, const TfLiteStablehloPadParams *params, int i, int64_t size,
                                            stablehlo_pad_state *state, int64_t *result) {
  int64_t low = params->edge_padding_low[i], high = params->edge_padding_high[i], interior = params->interior_padding[i];
  OP_CHECK(context,
           interior >= 0 && interior < INT32_MAX && low > -INT32_MAX && low < INT32_MAX && high > -INT32_MAX && high < INT32_MAX,
           "paddings %lld, %lld and %lld of dimension %d are out of range", (long long)low, (long long)interior, (long long)high,
           i);
  int64_t step = interior + 1, gaps = size > 0 ? size - 1 : 0;  // products stay below 2^62
  *result = size + gaps * interior + low + high;
  OP_CHECK(context, *result <= INT32_MAX, "dimension %d becomes too large", i);
  int64_t first = low < 0 ? (-low + step - 1) / step : 0, past = size - (high < 0 ? (-high + step - 1) / step : 0);
  int64_t count = past > first ? past - first : 0;
  state->first[i] = (int32_t)first;
  state->at[i] = count ? (int32_t)(low + first * step) : 0;  // inside the result, where count is not 0
  state->count[i] = (int32_t)count;
  state->step[i] = (int32_t)step;
  return kTfLiteOk;
}

static TfLiteStatus stablehlo_pad_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteStablehloPadParams *params = node->builtin_data;
  const TfLiteTensor *input = op_input(context, node, 0), *padding = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_STABLEHLO_PAD));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, padding->type == input->type && op_count(padding) == 1,
           "the padding value must be one value of the input's type");
  int rank = op_rank(input), dims[OP_MAX_RANK];
  OP_CHECK(context, rank >= 1 && rank <= OP_MAX_RANK, "the input has rank %d", rank);
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    int64_t size;
    OP_TRY(stablehlo_pad_dimension(context, params, i, op_dim(input, i), node->user_data, &size));
    empty = empty || size <= 0;
    dims[i] = size > 0 ? (int)size : 0;
  }
  for (int i = 0; i < rank && empty; i++) dims[i] = 0;
  return op_resize(context, output, rank, dims);
}

static TfLiteStatus stablehlo_pad_eval(TfLiteContext *context, TfLiteNode *node) {
  const stablehlo_pad_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *padding = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output) == 0) return kTfLiteOk;
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_fill(output->data.raw, bytes, op_count(output), padding->data.raw);
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], source = 0, target = 0;
  move_steps(op_rank(input), input->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_view view = {0};
  for (int i = 0; i < op_rank(input); i++) {
    if (state->count[i] == 0) return kTfLiteOk;
    source += state->first[i] * from[i];
    target += state->at[i] * to[i];
    move_add(&view, (size_t)state->count[i], from[i], state->step[i] * to[i]);
  }
  move_copy(&view, bytes, input->data.uint8 + (size_t)source * bytes, output->data.uint8 + (size_t)target * bytes);
  return kTfLiteOk;
}

const op_descriptor arn_op_stablehlo_pad = {
    OP_ROW(STABLEHLO_PAD),        .state_size = sizeof(stablehlo_pad_state), .params_size = sizeof(TfLiteStablehloPadParams),
    .parse = stablehlo_pad_parse, .prepare = stablehlo_pad_prepare,          .eval = stablehlo_pad_eval,
    .cost = move_no_macs,
};
