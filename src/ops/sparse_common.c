// SPDX-License-Identifier: Apache-2.0
// From the description of a sparse constant, in the tensor record or in the file, to levels with steps.
#include "ops/sparse_common.h"

#include "kernels/sparse.h"

// Level i as the description has it.
typedef struct sparse_source {
  int rank, levels, blocks;
#if ARENITE_MICRO
  fb_table sparsity;
#else
  const TfLiteSparsity *sparsity;
#endif
} sparse_source;

#if ARENITE_MICRO
static sparse_source sparse_source_of(const TfLiteTensor *t) {
  fb_table s = Tensor_sparsity((fb_table){t->record, 0});
  return (sparse_source){op_rank(t), (int)SparsityParameters_dim_metadata(s).count, (int)SparsityParameters_block_map(s).count,
                         s};
}
static int sparse_order(const sparse_source *s, int level) {
  return fb_vector_i32(SparsityParameters_traversal_order(s->sparsity), (uint32_t)level);
}
static int sparse_order_count(const sparse_source *s) { return (int)SparsityParameters_traversal_order(s->sparsity).count; }
static int sparse_block_target(const sparse_source *s, int block) {
  return fb_vector_i32(SparsityParameters_block_map(s->sparsity), (uint32_t)block);
}
static size_t sparse_value_count(const TfLiteTensor *t, size_t element_bytes) {
  (void)t, (void)element_bytes;
  return SIZE_MAX;  // the model was verified: the buffer holds what the levels call for
}
static sparse_ints sparse_ints_of(uint8_t type, fb_table table) {
  fb_vector v = {NULL, 0};
  uint8_t width = 0;
  switch (fb_present(table) ? type : 0) {
    case SparseIndexVector_Int32Vector: v = Int32Vector_values(table), width = 4; break;
    case SparseIndexVector_Uint16Vector: v = Uint16Vector_values(table), width = 2; break;
    case SparseIndexVector_Uint8Vector: v = Uint8Vector_values(table), width = 1; break;
    default: break;
  }
  return (sparse_ints){v.data, v.count, width};
}
static sparse_level sparse_level_at(const sparse_source *s, int i) {
  fb_table m = fb_table_at(SparsityParameters_dim_metadata(s->sparsity), (uint32_t)i);
  return (sparse_level){
      .size = (uint32_t)DimensionMetadata_dense_size(m),
      .compressed = DimensionMetadata_format(m) == DimensionType_SPARSE_CSR,
      .segments = sparse_ints_of(DimensionMetadata_array_segments_type(m), DimensionMetadata_array_segments(m)),
      .indices = sparse_ints_of(DimensionMetadata_array_indices_type(m), DimensionMetadata_array_indices(m)),
  };
}
#else
static sparse_source sparse_source_of(const TfLiteTensor *t) {
  const TfLiteSparsity *s = t->sparsity;
  return (sparse_source){op_rank(t), s->dim_metadata_size, s->block_map ? s->block_map->size : 0, s};
}
static int sparse_order(const sparse_source *s, int level) { return s->sparsity->traversal_order->data[level]; }
static int sparse_order_count(const sparse_source *s) {
  return s->sparsity->traversal_order ? s->sparsity->traversal_order->size : 0;
}
static int sparse_block_target(const sparse_source *s, int block) { return s->sparsity->block_map->data[block]; }
static size_t sparse_value_count(const TfLiteTensor *t, size_t element_bytes) { return t->bytes / element_bytes; }
static sparse_ints sparse_ints_of(const TfLiteIntArray *array) {
  return array ? (sparse_ints){array->data, (uint32_t)array->size, 4} : (sparse_ints){NULL, 0, 4};
}
static sparse_level sparse_level_at(const sparse_source *s, int i) {
  const TfLiteDimensionMetadata *m = &s->sparsity->dim_metadata[i];
  return (sparse_level){
      .size = m->dense_size > 0 ? (uint32_t)m->dense_size : 0,
      .compressed = m->format == kTfLiteDimSparseCSR,
      .segments = sparse_ints_of(m->array_segments),
      .indices = sparse_ints_of(m->array_indices),
  };
}
#endif

// The size of a block dimension: that of the (dense) level which holds it.
static size_t sparse_block_size(const sparse_source *s, int block) {
  for (int i = s->rank; i < s->levels; i++) {
    if (sparse_order(s, i) == s->rank + block) return sparse_level_at(s, i).size;
  }
  return 0;
}

TfLiteStatus op_densify(TfLiteContext *context, const TfLiteTensor *t, size_t element_bytes, void *dense) {
  sparse_source s = sparse_source_of(t);
  sparse_layout layout = {.count = s.levels};
  OP_CHECK(
      context,
      s.rank <= OP_MAX_RANK && s.levels <= SPARSE_LEVELS && s.levels == s.rank + s.blocks && sparse_order_count(&s) == s.levels,
      "%d sparse levels for rank %d and %d block dimensions", s.levels, s.rank, s.blocks);
  OP_CHECK(context, t->data.raw, "a sparse tensor without data");
  size_t steps[SPARSE_LEVELS], step = 1;
  for (int i = s.rank - 1; i >= 0; i--) {
    steps[i] = step;
    step *= (size_t)op_dim(t, i);
  }
  for (int b = 0; b < s.blocks;
       b++) {  // a block is walked in the steps of the dimension it cuts, which then goes in whole blocks
    int target = sparse_block_target(&s, b);
    OP_CHECK(context, target >= 0 && target < s.rank, "block dimension %d cuts dimension %d of %d", b, target, s.rank);
    steps[s.rank + b] = steps[target];
    steps[target] *= sparse_block_size(&s, b);
  }
  for (int i = 0; i < s.levels; i++) {
    int dimension = sparse_order(&s, i);
    OP_CHECK(context, dimension >= 0 && dimension < s.levels, "sparse level %d is of dimension %d", i, dimension);
    layout.levels[i] = sparse_level_at(&s, i);
    layout.levels[i].step = steps[dimension];
  }
  OP_CHECK(context, sparse_expand(&layout, element_bytes, t->data.raw, sparse_value_count(t, element_bytes), dense, op_count(t)),
           "the sparse levels lead outside the tensor");
  return kTfLiteOk;
}
