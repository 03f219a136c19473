// SPDX-License-Identifier: Apache-2.0
// Three-dimensional convolution of floats and its transposition. A call makes rows row0..row1-1, counted over batches and depth.
// Sources of the arithmetic: TFLite reference, conv3d.h and conv3d_transpose.h.
#ifndef KERNELS_CONV3D_H
#define KERNELS_CONV3D_H

#include "kernels/conv.h"

typedef struct conv3d_shape {
  int batches, in_c, out_c;
  window_axis z, y, x;
} conv3d_shape;

// input [batches, z.in, y.in, x.in, in_c], filter [z.taps, y.taps, x.taps, in_c, out_c], output [batches, z.out, y.out, x.out,
// out_c]; rows of batches * z.out * y.out.
void conv3d_f32(const conv3d_shape *s, const conv_f32_args *a, int64_t row0, int64_t row1);

// input [batches, z.out, y.out, x.out, in_c], filter [z.taps, y.taps, x.taps, out_c, in_c], output [batches, z.in, y.in, x.in,
// out_c]: the axes are those of the convolution that would lead back; rows of batches * z.in * y.in.
void conv3d_transposed_f32(const conv3d_shape *s, const conv_f32_args *a, int64_t row0, int64_t row1);

#endif
