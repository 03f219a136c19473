// SPDX-License-Identifier: Apache-2.0
// Max pooling that tells where each maximum was, and its reversal. Shapes as in pool.h; everything is float32.
#ifndef KERNELS_UNPOOL_H
#define KERNELS_UNPOOL_H

#include "kernels/pool.h"

// Rows row0..row1-1 of batches * y.out. taps (may be NULL): the number of the maximum's tap in its window, row by row, and 0.1 to
// survive rounding (MediaPipe); pixels (may be NULL): the number of its element in its image (TFLite perception kernels).
void unpool_max_f32(const pool_shape *s, const float *input, float *output, float *taps, int32_t *pixels, float low, float high,
                    int row0, int row1);

// The axes are those of the pool: input [batches, y.out, x.out, channels] goes where it came from in output [batches, y.in, x.in,
// channels], the rest is 0. Taps that lead outside the image are left out.
void unpool_taps_f32(const pool_shape *s, const float *input, const float *taps, float *output);
// False when a number is outside the image; only sizes of the shape are used.
bool unpool_pixels_f32(const pool_shape *s, const float *input, const int32_t *pixels, float *output);

#endif
