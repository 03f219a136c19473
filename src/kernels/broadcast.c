// SPDX-License-Identifier: Apache-2.0
// Broadcasting: adjacent dimensions that every input treats alike are fused, so that equal shapes become one run, and a bias over
// the last dimension a loop of runs.
#include "kernels/broadcast.h"

#include <string.h>

// Level 0 is the innermost. Where an input's flag is set the level is a real dimension of it, else it repeats one value.
typedef struct fused_level {
  size_t extent;
  size_t stride[BROADCAST_MAX_INPUTS];  // bytes
  unsigned real;                        // bit k: input k
} fused_level;

static int dim_from_last(const broadcast_input *input, int i) { return i < input->rank ? input->dims[input->rank - 1 - i] : 1; }

// Returns the number of levels; 0 for one element, -1 when there is none.
static int fuse_levels(int count, const broadcast_input *inputs, fused_level *levels) {
  size_t elements[BROADCAST_MAX_INPUTS] = {1, 1, 1};  // of the inputs' dimensions seen so far
  int used = 0, rank = 0;
  for (int k = 0; k < count; k++) rank = inputs[k].rank > rank ? inputs[k].rank : rank;
  for (int i = 0; i < rank; i++) {
    size_t extent = 1;
    unsigned real = 0;
    for (int k = 0; k < count; k++) {
      int dim = dim_from_last(&inputs[k], i);
      if (dim != 1) extent = (size_t)dim, real |= 1u << k;
    }
    if (extent == 0) return -1;
    if (extent == 1) continue;
    if (used > 0 && levels[used - 1].real == real) {
      levels[used - 1].extent *= extent;
    } else {
      levels[used].extent = extent;
      levels[used].real = real;
      for (int k = 0; k < count; k++) levels[used].stride[k] = real >> k & 1 ? elements[k] * inputs[k].bytes : 0;
      used++;
    }
    for (int k = 0; k < count; k++) elements[k] *= real >> k & 1 ? extent : 1;
  }
  return used;
}

#if !ARENITE_MICRO
enum { TILE_BYTES = 1024, SHORT_RUN = 64 };

// A bias over few channels: short runs, one input the same in each. It is written out often enough for runs that are worth a
// vector loop. Returns false where the shapes are others.
static bool run_short_runs(broadcast_row row, const void *params, int count, const broadcast_input *inputs,
                           const fused_level *levels, int used, void *out, size_t out_bytes) {
  if (used != 2 || levels[0].extent >= SHORT_RUN || levels[0].real != (1u << count) - 1) return false;
  const size_t n = levels[0].extent, runs = levels[1].extent;
  size_t repeats = runs;
  for (int k = 0; k < count; k++) {
    if (!(levels[1].real >> k & 1) && TILE_BYTES / (n * inputs[k].bytes) < repeats) repeats = TILE_BYTES / (n * inputs[k].bytes);
  }
  if (repeats < 2) return false;
  _Alignas(16) uint8_t tiles[BROADCAST_MAX_INPUTS][TILE_BYTES];
  const size_t step[BROADCAST_MAX_INPUTS] = {1, 1, 1};
  const void *in[BROADCAST_MAX_INPUTS] = {0};
  for (int k = 0; k < count; k++) {
    in[k] = levels[1].real >> k & 1 ? inputs[k].data : tiles[k];
    if (in[k] != tiles[k]) continue;
    for (size_t i = 0; i < repeats; i++) memcpy(tiles[k] + i * n * inputs[k].bytes, inputs[k].data, n * inputs[k].bytes);
  }
  for (size_t i = 0; i < runs; i += repeats) {
    size_t length = (runs - i < repeats ? runs - i : repeats) * n;
    row(params, in, step, (uint8_t *)out + i * n * out_bytes, length);
    for (int k = 0; k < count; k++) {
      if (levels[1].real >> k & 1) in[k] = (const uint8_t *)in[k] + length * inputs[k].bytes;
    }
  }
  return true;
}
#endif

void broadcast_run(broadcast_row row, const void *params, int count, const broadcast_input *inputs, void *out, size_t out_bytes) {
  fused_level levels[BROADCAST_MAX_RANK];
  int used = fuse_levels(count, inputs, levels);
  if (used < 0) return;
#if !ARENITE_MICRO
  if (run_short_runs(row, params, count, inputs, levels, used, out, out_bytes)) return;
#endif
  const void *in[BROADCAST_MAX_INPUTS] = {0};
  size_t step[BROADCAST_MAX_INPUTS] = {0};
  size_t n = used > 0 ? levels[0].extent : 1;
  for (int k = 0; k < count; k++) {
    in[k] = inputs[k].data;
    step[k] = used > 0 ? levels[0].real >> k & 1 : 1;
  }
  size_t at[BROADCAST_MAX_RANK] = {0};
  uint8_t *target = out;
  for (;;) {
    row(params, in, step, target, n);
    target += n * out_bytes;
    int level = 1;
    for (; level < used; level++) {  // an odometer over the outer levels
      for (int k = 0; k < count; k++) in[k] = (const uint8_t *)in[k] + levels[level].stride[k];
      if (++at[level] < levels[level].extent) break;
      for (int k = 0; k < count; k++) in[k] = (const uint8_t *)in[k] - levels[level].stride[k] * levels[level].extent;
      at[level] = 0;
    }
    if (level >= used) return;
  }
}
