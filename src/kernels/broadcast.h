// SPDX-License-Identifier: Apache-2.0
// Walking element-wise functions of one to three arrays over broadcast shapes (numpy rules). A family of functions is a table of
// rows, one for each element type; a row does one contiguous run.
#ifndef KERNELS_BROADCAST_H
#define KERNELS_BROADCAST_H

#include "base/compiler.h"

enum { BROADCAST_MAX_RANK = 8, BROADCAST_MAX_INPUTS = 3 };

// out[i] = f(in[0][i * step[0]], in[1][i * step[1]], ...) for i < n; a step is 0 (one value for the whole run) or 1. out may be
// one of the inputs of step 1, or overlap it from below, if its elements are no wider: they are taken in order. params are the
// function's own.
typedef void (*broadcast_row)(const void *params, const void *const *in, const size_t *step, void *out, size_t n);

// A function's rows by element type of its inputs; NULL: not defined on that type.
typedef struct broadcast_rows {
  broadcast_row f32, f64, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64, boolean, c64;
} broadcast_rows;

// An input: dense, row-major, shape dims[rank], elements of `bytes` bytes.
typedef struct broadcast_input {
  const void *data;
  size_t bytes;
  int rank;
  const int *dims;
} broadcast_input;

// Runs row over the broadcast of count inputs into out, dense, elements of out_bytes bytes. The shapes fit together (the caller
// checked); ranks are at most BROADCAST_MAX_RANK.
void broadcast_run(broadcast_row row, const void *params, int count, const broadcast_input *inputs, void *out, size_t out_bytes);

#endif
