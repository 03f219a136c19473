// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER: for each index vector in input 1 a slice of the operand (input 0), of slice_sizes, moved inside where it
// would stick out. The result has the slices' dimensions, but the collapsed ones, at offset_dims, the index vectors' batch
// dimensions elsewhere.
#include "ops/move_common.h"

typedef struct stablehlo_gather_state {
  uint32_t offset_dims, collapsed;  // bits of result and operand dimensions
  int32_t vector_dim;               // of the start indices; their rank: the vectors are single numbers
  int32_t vector_size;
  uint8_t start_map[OP_MAX_RANK];  // operand dimension of each number of a vector
  int32_t size[OP_MAX_RANK];       // of a slice
} stablehlo_gather_state;

static int stablehlo_gather_read(fb_vector from, int64_t *to) {  // -1: too many
  if (from.count > TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT) return -1;
  for (uint32_t i = 0; i < from.count; i++) to[i] = fb_vector_i64(from, i);
  return (int)from.count;
}

static void stablehlo_gather_parse(fb_table options, void *params) {
  TfLiteStablehloGatherParams *p = params;
  p->num_offset_dims = stablehlo_gather_read(StablehloGatherOptions_offset_dims(options), p->offset_dims);
  p->num_collapsed_slice_dims =
      stablehlo_gather_read(StablehloGatherOptions_collapsed_slice_dims(options), p->collapsed_slice_dims);
  p->num_start_index_map = stablehlo_gather_read(StablehloGatherOptions_start_index_map(options), p->start_index_map);
  p->num_slice_sizes = stablehlo_gather_read(StablehloGatherOptions_slice_sizes(options), p->slice_sizes);
  p->index_vector_dim = StablehloGatherOptions_index_vector_dim(options);
  p->indices_are_sorted = StablehloGatherOptions_indices_are_sorted(options);
}

static TfLiteStatus stablehlo_gather_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteStablehloGatherParams *params = node->builtin_data;
  stablehlo_gather_state *state = node->user_data;
  const TfLiteTensor *operand = op_input(context, node, 0), *starts = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, operand, "operand", OP_TYPES_STABLEHLO_GATHER));
  OP_TRY(op_check_type(context, starts, "start indices", OP_I32 | OP_I64));
  OP_TRY(move_same_type(context, output, operand));
  int rank = op_rank(operand), starts_rank = op_rank(starts);
  OP_CHECK(context, rank <= OP_MAX_RANK && starts_rank <= OP_MAX_RANK, "ranks %d and %d are over the limit", rank, starts_rank);
  OP_CHECK(context, params->num_slice_sizes == rank, "%d slice sizes for an operand of rank %d", params->num_slice_sizes, rank);
  OP_CHECK(context, params->index_vector_dim >= 0 && params->index_vector_dim <= starts_rank,
           "index_vector_dim %lld does not fit rank %d", (long long)params->index_vector_dim, starts_rank);
  state->vector_dim = (int32_t)params->index_vector_dim;
  state->vector_size = state->vector_dim < starts_rank ? op_dim(starts, state->vector_dim) : 1;
  OP_TRY(move_dimension_bits(context, params->collapsed_slice_dims, params->num_collapsed_slice_dims, rank, &state->collapsed));
  uint32_t mapped;
  OP_TRY(move_dimension_bits(context, params->start_index_map, params->num_start_index_map, rank, &mapped));
  OP_CHECK(context, params->num_start_index_map == state->vector_size, "start_index_map has %d entries, index vectors %d",
           params->num_start_index_map, (int)state->vector_size);
  for (int i = 0; i < params->num_start_index_map; i++) state->start_map[i] = (uint8_t)params->start_index_map[i];
  for (int i = 0; i < rank; i++) {
    OP_CHECK(context, params->slice_sizes[i] >= 0 && params->slice_sizes[i] <= op_dim(operand, i),
             "slice size %lld does not fit dimension %d of size %d", (long long)params->slice_sizes[i], i, op_dim(operand, i));
    state->size[i] = (int32_t)params->slice_sizes[i];
  }
  int batches = starts_rank - (state->vector_dim < starts_rank), result = batches + params->num_offset_dims, dims[OP_MAX_RANK];
  OP_CHECK(context, params->num_offset_dims == rank - params->num_collapsed_slice_dims && result <= OP_MAX_RANK,
           "%d offset dimensions for an operand of rank %d with %d collapsed", params->num_offset_dims, rank,
           params->num_collapsed_slice_dims);
  OP_TRY(move_dimension_bits(context, params->offset_dims, params->num_offset_dims, result, &state->offset_dims));
  for (int i = 0, slice = 0, batch = 0; i < result; i++) {
    if (state->offset_dims >> i & 1) {
      while (state->collapsed >> slice & 1) slice++;
      dims[i] = state->size[slice++];
    } else {
      batch += batch == state->vector_dim;
      dims[i] = op_dim(starts, batch++);
    }
  }
  return op_resize(context, output, result, dims);
}

static TfLiteStatus stablehlo_gather_eval(TfLiteContext *context, TfLiteNode *node) {
  const stablehlo_gather_state *state = node->user_data;
  const TfLiteTensor *operand = op_input(context, node, 0), *starts = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output) == 0 || op_count(operand) == 0) return kTfLiteOk;
  ptrdiff_t from[OP_MAX_RANK], to[OP_MAX_RANK], vector[OP_MAX_RANK];
  move_steps(op_rank(operand), operand->dims->data, from);
  move_steps(op_rank(output), output->dims->data, to);
  move_steps(op_rank(starts), starts->dims->data, vector);
  move_view slice = {0}, batch = {0};  // batch: from counts start indices
  for (int i = 0, d = 0, b = 0; i < op_rank(output); i++) {
    if (state->offset_dims >> i & 1) {
      while (state->collapsed >> d & 1) d++;
      move_add(&slice, (size_t)state->size[d], from[d], to[i]);
      d++;
    } else {
      b += b == state->vector_dim;
      move_add(&batch, (size_t)op_dim(output, i), vector[b], to[i]);
      b++;
    }
  }
  ptrdiff_t step = state->vector_dim < op_rank(starts) ? vector[state->vector_dim] : 0;
  size_t bytes = op_type_size((TfLiteType)operand->type);
  move_walk walk;
  for (move_walk_begin(&walk, &batch); !walk.done; move_walk_next(&walk)) {
    ptrdiff_t first = 0;
    for (int i = 0; i < state->vector_size; i++) {
      int d = state->start_map[i];
      int64_t at = move_int_at(starts, (size_t)(walk.from + i * step)), most = op_dim(operand, d) - state->size[d];
      first += (ptrdiff_t)(at < 0 ? 0 : at > most ? most : at) * from[d];
    }
    move_copy(&slice, bytes, operand->data.uint8 + (size_t)first * bytes, output->data.uint8 + (size_t)walk.to * bytes);
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_stablehlo_gather = {
    OP_ROW(STABLEHLO_GATHER),
    .state_size = sizeof(stablehlo_gather_state),
    .params_size = sizeof(TfLiteStablehloGatherParams),
    .parse = stablehlo_gather_parse,
    .prepare = stablehlo_gather_prepare,
    .eval = stablehlo_gather_eval,
    .cost = move_no_macs,
};
