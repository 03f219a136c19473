// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER: the input with updates (input 2) worked into it at the places that the index vectors (input 1) name, by a
// computation: a subgraph that is empty (the update replaces), or of one addition, multiplication, maximum or minimum. What falls
// outside is left out.
#include "base/half.h"
#include "ops/call_common.h"
#include "ops/move_common.h"

typedef struct stablehlo_scatter_state {
  uint32_t window_dims, inserted;  // bits of the updates' and the input's dimensions
  int32_t vector_dim, vector_size;
  uint8_t map[OP_MAX_RANK];  // input dimension of each number of a vector
  int32_t computation;       // builtin code; -1: replace
} stablehlo_scatter_state;

static int stablehlo_scatter_read(fb_vector from, int64_t *to) {  // -1: too many
  if (from.count > TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT) return -1;
  for (uint32_t i = 0; i < from.count; i++) to[i] = fb_vector_i64(from, i);
  return (int)from.count;
}

static void stablehlo_scatter_parse(fb_table options, void *params) {
  TfLiteStablehloScatterParams *p = params;
  p->indices_are_sorted = StablehloScatterOptions_indices_are_sorted(options);
  p->num_update_window_dims = stablehlo_scatter_read(StablehloScatterOptions_update_window_dims(options), p->update_window_dims);
  p->num_inserted_window_dims =
      stablehlo_scatter_read(StablehloScatterOptions_inserted_window_dims(options), p->inserted_window_dims);
  p->num_scatter_dims_to_operand_dims =
      stablehlo_scatter_read(StablehloScatterOptions_scatter_dims_to_operand_dims(options), p->scatter_dims_to_operand_dims);
  p->index_vector_dim = StablehloScatterOptions_index_vector_dim(options);
  p->unique_indices = StablehloScatterOptions_unique_indices(options);
  p->update_computation_subgraph_index = StablehloScatterOptions_update_computation_subgraph_index(options);
}

static TfLiteStatus stablehlo_scatter_find_computation(TfLiteContext *context, int index, int32_t *code) {
  *code = call_only_operator(context, index);
  OP_CHECK(context,
           *code == -1 || *code == BuiltinOperator_STABLEHLO_ADD || *code == BuiltinOperator_STABLEHLO_MULTIPLY ||
               *code == BuiltinOperator_STABLEHLO_MAXIMUM || *code == BuiltinOperator_STABLEHLO_MINIMUM,
           "the computation in subgraph %d is none of replace, add, multiply, maximum, minimum", index);
  return kTfLiteOk;
}

static TfLiteStatus stablehlo_scatter_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteStablehloScatterParams *params = node->builtin_data;
  stablehlo_scatter_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *indices = op_input(context, node, 1),
                     *updates = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_STABLEHLO_SCATTER));
  OP_TRY(op_check_type(context, indices, "indices", OP_I32 | OP_I64));
  OP_TRY(move_same_type(context, output, input));
  OP_CHECK(context, updates->type == input->type, "the updates are of type %s, the input of type %s",
           op_type_name((TfLiteType)updates->type), op_type_name((TfLiteType)input->type));
  int rank = op_rank(input), updates_rank = op_rank(updates), indices_rank = op_rank(indices);
  OP_CHECK(context, rank <= OP_MAX_RANK && updates_rank <= OP_MAX_RANK && indices_rank <= OP_MAX_RANK,
           "ranks %d, %d and %d are over the limit", rank, indices_rank, updates_rank);
  OP_CHECK(context, params->index_vector_dim >= 0 && params->index_vector_dim <= indices_rank,
           "index_vector_dim %lld does not fit rank %d", (long long)params->index_vector_dim, indices_rank);
  state->vector_dim = (int32_t)params->index_vector_dim;
  state->vector_size = state->vector_dim < indices_rank ? op_dim(indices, state->vector_dim) : 1;
  OP_TRY(move_dimension_bits(context, params->update_window_dims, params->num_update_window_dims, updates_rank,
                             &state->window_dims));
  OP_TRY(move_dimension_bits(context, params->inserted_window_dims, params->num_inserted_window_dims, rank, &state->inserted));
  uint32_t mapped;
  OP_TRY(move_dimension_bits(context, params->scatter_dims_to_operand_dims, params->num_scatter_dims_to_operand_dims, rank,
                             &mapped));
  OP_CHECK(context, params->num_scatter_dims_to_operand_dims == state->vector_size,
           "scatter_dims_to_operand_dims has %d entries, index vectors %d", params->num_scatter_dims_to_operand_dims,
           (int)state->vector_size);
  for (int i = 0; i < state->vector_size; i++) state->map[i] = (uint8_t)params->scatter_dims_to_operand_dims[i];
  OP_CHECK(context, params->num_update_window_dims == rank - params->num_inserted_window_dims,
           "%d window dimensions for an input of rank %d with %d inserted", params->num_update_window_dims, rank,
           params->num_inserted_window_dims);
  int batch = 0, batches = indices_rank - (state->vector_dim < indices_rank);
  OP_CHECK(context, updates_rank - params->num_update_window_dims == batches,
           "the updates have %d scatter dimensions, the indices %d", updates_rank - params->num_update_window_dims, batches);
  for (int i = 0; i < updates_rank; i++) {
    if (state->window_dims >> i & 1) continue;
    batch += batch == state->vector_dim;
    OP_CHECK(context, op_dim(updates, i) == op_dim(indices, batch), "dimension %d of the updates is %d, of the indices %d", i,
             op_dim(updates, i), op_dim(indices, batch));
    batch++;
  }
  OP_TRY(stablehlo_scatter_find_computation(context, params->update_computation_subgraph_index, &state->computation));
  return op_resize_like(context, output, input);
}

// target = computation(target, update) for numbers of C type `type`; sums and products of integers wrap around in `wide`.
#define SCATTER_COMPUTE(type, wide)                                                  \
  do {                                                                               \
    type a, b;                                                                       \
    memcpy(&a, target, sizeof a);                                                    \
    memcpy(&b, update, sizeof b);                                                    \
    switch (code) {                                                                  \
      case BuiltinOperator_STABLEHLO_ADD: a = (type)((wide)a + (wide)b); break;      \
      case BuiltinOperator_STABLEHLO_MULTIPLY: a = (type)((wide)a * (wide)b); break; \
      case BuiltinOperator_STABLEHLO_MAXIMUM: a = a < b ? b : a; break;              \
      default: a = b < a ? b : a; break;                                             \
    }                                                                                \
    memcpy(target, &a, sizeof a);                                                    \
  } while (0)

static void stablehlo_scatter_half(int32_t code, const uint8_t *update, uint8_t *target) {
  uint16_t bits[2];
  memcpy(&bits[0], target, sizeof bits[0]);
  memcpy(&bits[1], update, sizeof bits[1]);
  float a = half_to_float(bits[0]), b = half_to_float(bits[1]);
  a = code == BuiltinOperator_STABLEHLO_ADD        ? a + b
      : code == BuiltinOperator_STABLEHLO_MULTIPLY ? a * b
      : code == BuiltinOperator_STABLEHLO_MAXIMUM  ? (a < b ? b : a)
      : b < a                                      ? b
                                                   : a;
  bits[0] = half_from_float(a);
  memcpy(target, &bits[0], sizeof bits[0]);
}

static void stablehlo_scatter_apply(TfLiteType type, int32_t code, const uint8_t *update, uint8_t *target) {
  if (code == -1) {
    memcpy(target, update, op_type_size(type));
    return;
  }
  bool grows = code == BuiltinOperator_STABLEHLO_ADD || code == BuiltinOperator_STABLEHLO_MAXIMUM;
  switch (type) {
    case kTfLiteFloat32: SCATTER_COMPUTE(float, float); break;
    case kTfLiteFloat64: SCATTER_COMPUTE(double, double); break;
    case kTfLiteInt8: SCATTER_COMPUTE(int8_t, uint32_t); break;
    case kTfLiteUInt8: SCATTER_COMPUTE(uint8_t, uint32_t); break;
    case kTfLiteInt16: SCATTER_COMPUTE(int16_t, uint32_t); break;
    case kTfLiteUInt16: SCATTER_COMPUTE(uint16_t, uint32_t); break;
    case kTfLiteInt32: SCATTER_COMPUTE(int32_t, uint32_t); break;
    case kTfLiteUInt32: SCATTER_COMPUTE(uint32_t, uint32_t); break;
    case kTfLiteInt64: SCATTER_COMPUTE(int64_t, uint64_t); break;
    case kTfLiteUInt64: SCATTER_COMPUTE(uint64_t, uint64_t); break;
    case kTfLiteFloat16: stablehlo_scatter_half(code, update, target); break;
    default: *target = grows ? *target || *update : *target && *update; break;  // booleans
  }
}

static TfLiteStatus stablehlo_scatter_eval(TfLiteContext *context, TfLiteNode *node) {
  const stablehlo_scatter_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0), *indices = op_input(context, node, 1),
                     *updates = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(move_as_is(context, input, output));
  if (op_count(updates) == 0 || op_count(output) == 0) return kTfLiteOk;
  ptrdiff_t to[OP_MAX_RANK], from[OP_MAX_RANK], vector[OP_MAX_RANK];
  move_steps(op_rank(output), output->dims->data, to);
  move_steps(op_rank(updates), updates->dims->data, from);
  move_steps(op_rank(indices), indices->dims->data, vector);
  move_view window = {0}, batch = {0};  // window: from counts updates, to the output; batch: from counts updates, to indices
  int dim[OP_MAX_RANK];                 // of the input, for each dimension of the window
  for (int i = 0, d = 0, b = 0; i < op_rank(updates); i++) {
    if (state->window_dims >> i & 1) {
      while (state->inserted >> d & 1) d++;
      dim[window.rank] = d;
      move_add(&window, (size_t)op_dim(updates, i), from[i], to[d]);
      d++;
    } else {
      b += b == state->vector_dim;
      move_add(&batch, (size_t)op_dim(updates, i), from[i], vector[b]);
      b++;
    }
  }
  ptrdiff_t step = state->vector_dim < op_rank(indices) ? vector[state->vector_dim] : 0;
  size_t bytes = op_type_size((TfLiteType)input->type);
  move_walk outer, inner;
  for (move_walk_begin(&outer, &batch); !outer.done; move_walk_next(&outer)) {
    int64_t start[OP_MAX_RANK] = {0}, base = 0;
    bool inside = true;
    for (int i = 0; i < state->vector_size; i++) start[state->map[i]] = move_int_at(indices, (size_t)(outer.to + i * step));
    for (int d = 0; d < op_rank(output); d++) {
      bool possible = start[d] > -(int64_t)INT32_MAX && start[d] < INT32_MAX;
      inside = inside && possible && (!(state->inserted >> d & 1) || (start[d] >= 0 && start[d] < op_dim(output, d)));
      base += possible ? start[d] * to[d] : 0;
    }
    for (move_walk_begin(&inner, &window); inside && !inner.done; move_walk_next(&inner)) {
      bool hit = true;
      for (int k = 0; k < window.rank; k++) {
        int64_t at = start[dim[k]] + (int64_t)inner.at[k];
        hit = hit && at >= 0 && at < op_dim(output, dim[k]);
      }
      if (!hit) continue;
      stablehlo_scatter_apply((TfLiteType)output->type, state->computation,
                              updates->data.uint8 + (size_t)(outer.from + inner.from) * bytes,
                              output->data.uint8 + (size_t)(base + inner.to) * bytes);
    }
  }
  return kTfLiteOk;
}

static void stablehlo_scatter_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share) {
  (void)context, (void)node;
  share->inputs = 1;  // the output may take the input's place
}

const op_descriptor arn_op_stablehlo_scatter = {
    OP_ROW(STABLEHLO_SCATTER),
    .state_size = sizeof(stablehlo_scatter_state),
    .params_size = sizeof(TfLiteStablehloScatterParams),
    .in_place = OP_ELEMENTWISE,
    .share = stablehlo_scatter_share,
    .parse = stablehlo_scatter_parse,
    .prepare = stablehlo_scatter_prepare,
    .eval = stablehlo_scatter_eval,
};
