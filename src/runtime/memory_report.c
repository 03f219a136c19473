// SPDX-License-Identifier: Apache-2.0
// The memory report of arenite/report.h.
#include "arenite/report.h"

#include "runtime/subgraph.h"

static bool owns_bytes(const TfLiteTensor *t) {
  return (t->allocation_type == kTfLiteDynamic || t->allocation_type == kTfLitePersistentRo) && t->data.raw;
}

static size_t int_array_bytes(const TfLiteIntArray *a) { return a ? TfLiteIntArrayGetSizeInBytes(a->size) : 0; }

// What a tensor's record owns besides its data.
static size_t tensor_overhead(const TfLiteTensor *t) {
  size_t bytes = int_array_bytes(t->dims) + int_array_bytes(t->dims_signature);
  if (t->quantization.type == kTfLiteAffineQuantization) {
    const TfLiteAffineQuantization *q = t->quantization.params;
    bytes += sizeof *q + int_array_bytes(q->zero_point) + (size_t)TfLiteFloatArrayGetSizeInBytes(q->scale ? q->scale->size : 0);
  } else if (t->quantization.type == kTfLiteBlockwiseQuantization) {
    bytes += sizeof(TfLiteBlockwiseQuantization);
  } else if (t->quantization.type == kTfLiteMultiAxisQuantization) {
    const TfLiteMultiAxisQuantization *q = t->quantization.params;
    bytes += sizeof *q + int_array_bytes(q->quantized_dimensions);
  }
  if (t->sparsity) {
    bytes += sizeof *t->sparsity + int_array_bytes(t->sparsity->traversal_order) + int_array_bytes(t->sparsity->block_map) +
             (size_t)t->sparsity->dim_metadata_size * sizeof *t->sparsity->dim_metadata;
    for (int i = 0; i < t->sparsity->dim_metadata_size; i++) {
      bytes += int_array_bytes(t->sparsity->dim_metadata[i].array_segments) +
               int_array_bytes(t->sparsity->dim_metadata[i].array_indices);
    }
  }
  return bytes;
}

static void add_subgraph(const runtime_subgraph *sg, arn_memory_totals *totals) {
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    const TfLiteTensor *t = &sg->context.tensors[i];
    totals->overhead += tensor_overhead(t);
    if (owns_bytes(t)) totals->dynamic += t->bytes;
    if (t->allocation_type == kTfLiteArenaRwPersistent && t->data.raw) totals->persistent += t->bytes;
  }
  for (int i = 0; i < sg->node_count; i++) {
    const TfLiteNode *node = &sg->nodes[i].node;
    totals->overhead += int_array_bytes(node->inputs) + int_array_bytes(node->outputs) + int_array_bytes(node->intermediates) +
                        int_array_bytes(node->temporaries);
  }
  totals->overhead += int_array_bytes(sg->inputs) + int_array_bytes(sg->outputs) + int_array_bytes(sg->plan);
  for (int i = 0; i < sg->segment_capacity; i++) totals->heap += sg->segments[i].capacity;
  for (int i = 0; i < sg->segment_count; i++) {
    const runtime_segment *segment = &sg->segments[i];
    // Peaks in a shared arena are counted from its start, each over all the others.
    if (!sg->interpreter->arena) totals->arena += segment->peak;
    else if (segment->peak > totals->arena) totals->arena = segment->peak;
    totals->planned_sum += segment->planned_sum;
    totals->lower_bound += segment->lower_bound;
    totals->padding += segment->padding;
    totals->proven &= segment->proven;
  }
}

// Each buffer once, however many tensors share it; `seen` has a byte for each buffer.
static size_t constant_bytes(const arn_interpreter *in, uint8_t *seen) {
  size_t bytes = 0;
  for (int s = 0; s < in->subgraph_count; s++) {
    const runtime_subgraph *sg = &in->subgraphs[s];
    for (int i = 0; i < sg->file_tensors; i++) {
      if (sg->context.tensors[i].allocation_type != kTfLiteMmapRo) continue;
      uint32_t buffer = Tensor_buffer(model_tensor(in->model, (uint32_t)s, (uint32_t)i));
      if (!seen[buffer]++) bytes += sg->context.tensors[i].bytes;
      seen[buffer] = 1;
    }
  }
  return bytes;
}

arn_status arn_memory_report(const arn_interpreter *in, arn_memory_totals *totals) {
  *totals = (arn_memory_totals){
      .planner = in->planner == ARN_PLAN_DEFAULT ? ARN_PLAN_EXACT : in->planner, .alignment = in->alignment, .proven = true};
  size_t buffers = in->model->buffers.count;
  uint8_t *seen = base_allocate_array(in->allocator, buffers, 1, 1);
  if (!seen) return ARN_OUT_OF_MEMORY;
  totals->constants = constant_bytes(in, seen);
  base_release(in->allocator, seen);
  for (int s = 0; s < in->subgraph_count; s++) add_subgraph(&in->subgraphs[s], totals);
  for (int r = 0; r < in->region_count; r++) totals->heap += in->region_capacity[r];
  totals->packed = in->packed;
  totals->dynamic += in->resource_bytes;
  totals->overhead += in->overhead + (in->persistent - totals->persistent);
  totals->heap += totals->persistent + totals->dynamic + totals->packed + totals->overhead;
  return ARN_OK;
}

static int writer_of(const runtime_subgraph *sg, int tensor) {
  int32_t position = sg->places[tensor].life.first;
  if (position < 0 || position >= sg->node_count) return -1;
  int node = sg->plan->data[position];
  const TfLiteIntArray *outputs = sg->nodes[node].node.outputs;
  for (int i = 0; i < outputs->size; i++) {
    if (outputs->data[i] == tensor) return node;
  }
  return -1;
}

static arn_memory_kind memory_kind_of(const runtime_subgraph *sg, int tensor) {
  const TfLiteTensor *t = &sg->context.tensors[tensor];
  switch (t->allocation_type) {
    case kTfLiteMmapRo: return ARN_MEMORY_CONSTANT;
    case kTfLiteArenaRwPersistent: return t->data.raw ? ARN_MEMORY_PERSISTENT : ARN_MEMORY_NONE;
    case kTfLiteDynamic:
    case kTfLitePersistentRo: return ARN_MEMORY_DYNAMIC;
    default: return sg->places[tensor].segment >= 0 ? ARN_MEMORY_PLANNED : ARN_MEMORY_NONE;
  }
}

static void tensor_row(const runtime_subgraph *sg, int tensor, arn_memory_row *row) {
  const TfLiteTensor *t = &sg->context.tensors[tensor];
  const lifetime life = sg->places[tensor].life;
  *row = (arn_memory_row){.kind = memory_kind_of(sg, tensor),
                          .subgraph = sg->index,
                          .tensor = tensor,
                          .node = writer_of(sg, tensor),
                          .name = t->name ? t->name : "",
                          .bytes = t->bytes,
                          .first_use = life.first == LIFETIME_UNWRITTEN ? -1 : life.first,
                          .last_use = life.last,
                          .offset = -1,
                          .region = -1,
                          .shares = -1};
  if (row->kind != ARN_MEMORY_PLANNED) return;
  row->offset = (int64_t)sg->places[tensor].offset;
  row->region = sg->places[tensor].region;
  if (sg->places[tensor].root != tensor) row->shares = sg->places[tensor].root;
}

// The row of the index-th scratch buffer that is in use, in the order of the execution plan.
static bool scratch_row(const runtime_subgraph *sg, int *index, arn_memory_row *row) {
  for (int position = 0; position < sg->node_count; position++) {
    int node = sg->plan->data[position];
    for (int s = sg->nodes[node].scratch; s >= 0; s = sg->scratch[s].next) {
      if ((*index)-- > 0) continue;
      *row = (arn_memory_row){.kind = ARN_MEMORY_SCRATCH,
                              .subgraph = sg->index,
                              .tensor = -1,
                              .node = node,
                              .name = "",
                              .bytes = sg->scratch[s].bytes,
                              .first_use = position,
                              .last_use = position,
                              .offset = sg->scratch[s].segment >= 0 ? (int64_t)sg->scratch[s].offset : -1,
                              .region = sg->scratch[s].segment >= 0 ? sg->scratch[s].region : -1,
                              .shares = -1};
      return true;
    }
  }
  return false;
}

bool arn_memory_row_at(const arn_interpreter *in, int index, arn_memory_row *row) {
  for (int s = 0; s < in->subgraph_count && index >= 0; s++) {
    const runtime_subgraph *sg = &in->subgraphs[s];
    if ((size_t)index < sg->context.tensors_size) return tensor_row(sg, index, row), true;
    index -= (int)sg->context.tensors_size;
    if (scratch_row(sg, &index, row)) return true;
  }
  return false;
}
