// SPDX-License-Identifier: Apache-2.0
// kernels/sparse and op_densify: random tensors, encoded level by level, must come back; descriptions that do not hold together
// are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ops/sparse_common.h"

static uint64_t seed = 24494897;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

enum { ROOM = 4096, LEVELS = 6 };
typedef struct int_array {  // as TfLiteIntArray
  int size;
  int data[ROOM + 1];
} int_array;

// A tensor of rank 2 or 3, some of its dimensions cut into blocks, and its encoding.
typedef struct example {
  int rank, blocks, levels;
  int dims[3], block_map[3], block_size[3];
  int_array order, map, segments[LEVELS], indices[LEVELS];
  TfLiteDimensionMetadata metadata[LEVELS];
  TfLiteSparsity sparsity;
  float dense[ROOM], values[ROOM];
  size_t elements, value_count;
} example;
static example e;

static int level_size(int dimension) {  // of a dimension once blocks are cut off, or of a block
  if (dimension >= e.rank) return e.block_size[dimension - e.rank];
  int size = e.dims[dimension];
  for (int b = 0; b < e.blocks; b++) {
    if (e.block_map[b] == dimension) size /= e.block_size[b];
  }
  return size;
}

// The dense element of a full set of indices, one a dimension and block.
static size_t element_of(const int *index) {
  size_t at = 0;
  for (int d = 0; d < e.rank; d++) {
    int x = index[d];
    for (int b = 0; b < e.blocks; b++) {
      if (e.block_map[b] == d) x = x * e.block_size[b] + index[e.rank + b];
    }
    at = at * (size_t)e.dims[d] + (size_t)x;
  }
  return at;
}

// Whether anything below the first `fixed` levels of this index is not zero.
static bool any_value(int *index, int fixed) {
  if (fixed == e.levels) return e.dense[element_of(index)] != 0;
  int dimension = e.order.data[fixed];
  for (index[dimension] = 0; index[dimension] < level_size(dimension); index[dimension]++) {
    if (any_value(index, fixed + 1)) return true;
  }
  return false;
}

static void encode(void) {
  static int prefixes[2][ROOM][LEVELS];
  size_t count = 1;
  memset(prefixes, 0, sizeof prefixes);
  for (int l = 0; l < e.levels; l++) {
    int dimension = e.order.data[l];
    bool compressed = e.metadata[l].format == kTfLiteDimSparseCSR;
    size_t made = 0;
    e.segments[l] = (int_array){.size = 1};
    e.indices[l].size = 0;
    for (size_t i = 0; i < count; i++) {
      for (int x = 0; x < level_size(dimension); x++) {
        int index[LEVELS];
        memcpy(index, prefixes[l % 2][i], sizeof index);
        index[dimension] = x;
        int copy[LEVELS];
        memcpy(copy, index, sizeof copy);
        if (compressed && !any_value(copy, l + 1)) continue;
        if (compressed) e.indices[l].data[e.indices[l].size++] = x;
        memcpy(prefixes[(l + 1) % 2][made++], index, sizeof index);
      }
      if (compressed) e.segments[l].data[e.segments[l].size++] = (int)made;
    }
    count = made;
    e.metadata[l].dense_size = compressed ? 0 : level_size(dimension);
    e.metadata[l].array_segments = compressed ? (TfLiteIntArray *)&e.segments[l] : NULL;
    e.metadata[l].array_indices = compressed ? (TfLiteIntArray *)&e.indices[l] : NULL;
  }
  for (size_t i = 0; i < count; i++) e.values[i] = e.dense[element_of(prefixes[e.levels % 2][i])];
  e.value_count = count;
}

static void make_example(void) {
  memset(&e, 0, sizeof e);
  e.rank = 2 + (int)draw(2);
  e.blocks = (int)draw((uint32_t)e.rank + 1);
  e.levels = e.rank + e.blocks;
  e.elements = 1;
  for (int b = 0; b < e.blocks; b++) e.block_map[b] = b, e.block_size[b] = 1 + (int)draw(3);
  for (int d = 0; d < e.rank; d++) {
    e.dims[d] = (1 + (int)draw(4)) * (d < e.blocks ? e.block_size[d] : 1);
    e.elements *= (size_t)e.dims[d];
  }
  e.order.size = e.levels;
  for (int l = 0; l < e.levels; l++) e.order.data[l] = l;
  if (draw(2)) e.order.data[0] = 1, e.order.data[1] = 0;
  for (int l = 0; l < e.levels; l++) e.metadata[l].format = draw(2) ? kTfLiteDimSparseCSR : kTfLiteDimDense;
  for (int b = e.rank; b < e.levels; b++) e.metadata[b].format = kTfLiteDimDense;
  e.map.size = e.blocks;
  memcpy(e.map.data, e.block_map, sizeof e.block_map);
  for (size_t i = 0; i < e.elements; i++) e.dense[i] = draw(4) ? 0 : (float)(1 + draw(100));
  encode();
  e.sparsity = (TfLiteSparsity){(TfLiteIntArray *)&e.order, e.blocks ? (TfLiteIntArray *)&e.map : NULL, e.metadata, e.levels};
}

static int reports;
static void count_report(TfLiteContext *context, const char *format, ...) {
  (void)context, (void)format;
  reports++;
}

static TfLiteStatus expand(float *out) {
  struct {
    int size, data[3];
  } dims = {e.rank, {e.dims[0], e.dims[1], e.dims[2]}};
  TfLiteContext context = {.ReportError = count_report};
  TfLiteTensor t = {.type = kTfLiteFloat32, .dims = (TfLiteIntArray *)&dims, .sparsity = &e.sparsity, .bytes = e.value_count * 4};
  t.data.f = e.values;
  return op_densify(&context, &t, sizeof(float), out);
}

static void round_trip(void **state) {
  (void)state;
  static float out[ROOM];
  for (int round = 0; round < 1000; round++) {
    make_example();
    assert_int_equal(expand(out), kTfLiteOk);
    assert_memory_equal(out, e.dense, e.elements * sizeof(float));
  }
}

// One entry of the description becomes something else. Whatever comes of it, nothing outside the arrays may be touched (the guard
// behind the result, the sanitizers), and a result out of range must be refused.
static void damage(void **state) {
  (void)state;
  static float out[ROOM + 16];
  static const int strange[] = {-1, INT32_MIN, INT32_MAX, 5, 100, 4095};
  int refused = 0;
  for (int round = 0; round < 3000; round++) {
    make_example();
    int l = (int)draw((uint32_t)e.levels), v = strange[draw(6)];
    int_array *arrays[] = {&e.segments[l], &e.indices[l], &e.order, &e.map};
    int_array *a = arrays[draw(4)];
    if (a->size == 0) continue;
    if (draw(4) == 0) {
      a->size--;
      e.value_count = e.value_count / 2;
    } else {
      a->data[draw((uint32_t)a->size)] = v;
    }
    memset(out + e.elements, 0x55, 16 * sizeof *out);
    reports = 0;
    TfLiteStatus status = expand(out);
    assert_int_equal(status != kTfLiteOk, reports != 0);
    refused += status != kTfLiteOk;
    for (size_t i = 0; i < 16 * sizeof *out; i++) assert_int_equal(((uint8_t *)(out + e.elements))[i], 0x55);
  }
  assert_true(refused > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
