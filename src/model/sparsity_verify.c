// SPDX-License-Identifier: Apache-2.0
// Verification of a sparse constant's description (the TACO format as schema.fbs tells it): a tensor of rank n with k block
// dimensions is stored in n + k levels. A dense level multiplies the number of positions by its size; a compressed one holds
// for each position so far a run of indices, which become the positions.
#include "base/checked.h"
#include "model/model_verify.h"

// Levels of one tensor. Rank and block rank of real ones are at most 4 each.
enum { SPARSE_MAX_LEVELS = 32 };

// A SparseIndexVector in any of its three widths; width 0: it is missing.
typedef struct sparse_vector {
  fb_vector values;
  uint32_t width;
} sparse_vector;

static sparse_vector sparse_vector_of(uint8_t type, fb_table table) {
  if (!fb_present(table)) return (sparse_vector){{NULL, 0}, 0};
  switch (type) {
    case SparseIndexVector_Int32Vector: return (sparse_vector){Int32Vector_values(table), 4};
    case SparseIndexVector_Uint16Vector: return (sparse_vector){Uint16Vector_values(table), 2};
    case SparseIndexVector_Uint8Vector: return (sparse_vector){Uint8Vector_values(table), 1};
    default: return (sparse_vector){{NULL, 0}, 0};
  }
}

static int64_t sparse_index_at(sparse_vector v, uint32_t i) {
  return v.width == 4 ? fb_vector_i32(v.values, i) : v.width == 2 ? fb_vector_u16(v.values, i) : fb_vector_u8(v.values, i);
}

static arn_status verify_compressed_level(model_check *c, fb_table level, uint32_t number, int64_t dim, size_t *positions) {
  sparse_vector segments =
      sparse_vector_of(DimensionMetadata_array_segments_type(level), DimensionMetadata_array_segments(level));
  sparse_vector indices = sparse_vector_of(DimensionMetadata_array_indices_type(level), DimensionMetadata_array_indices(level));
  const uint8_t *at = level.base + level.pos;
  const char *field = "sparsity.dim_metadata";
  if (!segments.values.data || !indices.values.data) {
    return model_check_fail(c, field, number, at, "a sparse dimension without segments or indices");
  }
  arn_status status = model_check_work(c, field, at, (uint64_t)segments.values.count + indices.values.count);
  if (status != ARN_OK) return status;
  // One segment a position, and the end of the last.
  if (segments.values.count == 0 || segments.values.count - 1 != *positions || sparse_index_at(segments, 0) != 0) {
    return model_check_fail(c, field, number, segments.values.data, "%u segment ends for %zu positions",
                      (unsigned)segments.values.count, *positions);
  }
  for (uint32_t i = 1; i < segments.values.count; ++i) {
    if (sparse_index_at(segments, i) < sparse_index_at(segments, i - 1)) {
      return model_check_fail(c, field, number, check_element(segments.values, i, segments.width), "segment %u ends before it begins",
                        (unsigned)i);
    }
  }
  if (sparse_index_at(segments, segments.values.count - 1) != (int64_t)indices.values.count) {
    return model_check_fail(c, field, number, indices.values.data, "%u indices where the segments call for %lld",
                      (unsigned)indices.values.count, (long long)sparse_index_at(segments, segments.values.count - 1));
  }
  for (uint32_t i = 0; i < indices.values.count; ++i) {
    int64_t index = sparse_index_at(indices, i);
    if (index < 0 || index >= dim) {
      return model_check_fail(c, field, number, check_element(indices.values, i, indices.width),
                        "index %lld in a dimension of %lld", (long long)index, (long long)dim);
    }
  }
  *positions = indices.values.count;
  return ARN_OK;
}

// Levels 0..rank-1 are the tensor's dimensions, the others the block's, each part in any order.
static arn_status verify_traversal_order(model_check *c, fb_vector order, uint32_t rank) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < order.count; ++i) {
    int32_t dim = fb_vector_i32(order, i);
    bool fits = i < rank ? dim >= 0 && (uint32_t)dim < rank : dim >= (int32_t)rank && (uint32_t)dim < order.count;
    if (!fits || (seen >> dim & 1u)) {
      return model_check_fail(c, "sparsity.traversal_order", i, check_element(order, i, 4), "dimension %d of %u and %u", (int)dim,
                        (unsigned)rank, (unsigned)(order.count - rank));
    }
    seen |= 1u << dim;
  }
  return ARN_OK;
}

// The size of each dimension: the tensor's own, divided by the block that maps to it, then the blocks'.
static arn_status sparse_expand_dims(model_check *c, fb_table tensor, fb_table sparsity, int64_t *dims) {
  fb_vector shape = Tensor_shape(tensor), order = SparsityParameters_traversal_order(sparsity);
  fb_vector block_map = SparsityParameters_block_map(sparsity);
  fb_offsets levels = SparsityParameters_dim_metadata(sparsity);
  uint32_t rank = shape.count, blocks = order.count - rank;
  for (uint32_t i = 0; i < rank; ++i) dims[i] = fb_vector_i32(shape, i);
  for (uint32_t i = 0; i < blocks; ++i) {
    fb_table level = fb_table_at(levels, rank + i);
    int32_t size = DimensionMetadata_dense_size(level), target = fb_vector_i32(block_map, i);
    if (size <= 0 || target < 0 || (uint32_t)target >= rank || dims[target] % size != 0) {
      return model_check_fail(c, "sparsity.block_map", i, check_element(block_map, i, 4), "a block of %d on dimension %d", (int)size,
                        (int)target);
    }
    dims[target] /= size;
    dims[fb_vector_i32(order, rank + i)] = size;
  }
  return ARN_OK;
}

arn_status sparsity_verify(model_check *c, fb_table tensor, size_t *elements) {
  fb_table sparsity = Tensor_sparsity(tensor);
  const uint8_t *at = check_byte(tensor, Tensor_sparsity_id);
  fb_vector order = SparsityParameters_traversal_order(sparsity), block_map = SparsityParameters_block_map(sparsity);
  fb_offsets levels = SparsityParameters_dim_metadata(sparsity);
  uint32_t rank = Tensor_shape(tensor).count;
  if (order.count > SPARSE_MAX_LEVELS || order.count < rank || levels.count != order.count ||
      block_map.count != order.count - rank) {
    return model_check_fail(c, "sparsity", -1, at, "%u levels, %u of them described, %u blocks, for a tensor of rank %u",
                      (unsigned)order.count, (unsigned)levels.count, (unsigned)block_map.count, (unsigned)rank);
  }
  int64_t dims[SPARSE_MAX_LEVELS] = {0};
  arn_status status = verify_traversal_order(c, order, rank);
  if (status == ARN_OK) status = sparse_expand_dims(c, tensor, sparsity, dims);
  size_t positions = 1;
  for (uint32_t i = 0; status == ARN_OK && i < order.count; ++i) {
    fb_table level = fb_table_at(levels, i);
    int64_t dim = dims[fb_vector_i32(order, i)];
    const uint8_t *level_at = level.base + level.pos;
    if (DimensionMetadata_format(level) == DimensionType_SPARSE_CSR) {
      status = verify_compressed_level(c, level, i, dim, &positions);
    } else if (DimensionMetadata_format(level) != DimensionType_DENSE) {
      status = model_check_fail(c, "sparsity.dim_metadata", i, level_at, "unknown format %d", (int)DimensionMetadata_format(level));
    } else if (dim < 0 || DimensionMetadata_dense_size(level) != dim || !checked_mul(positions, (size_t)dim, &positions)) {
      status = model_check_fail(c, "sparsity.dim_metadata", i, level_at, "a dense size of %d where the shape leaves %lld",
                          (int)DimensionMetadata_dense_size(level), (long long)dim);
    }
  }
  *elements = positions;
  return status;
}
