// SPDX-License-Identifier: Apache-2.0
// Resizing of images, [batches, height, width, depth], by nearest neighbour and bilinear interpolation. Rows are counted across
// the batches: a call makes rows row0..row1-1 of batches * out_h. All sizes are >= 1.
#ifndef KERNELS_RESIZE_H
#define KERNELS_RESIZE_H

#include "base/compiler.h"

typedef struct resize_shape {
  int batches, in_h, in_w, out_h, out_w, depth;
  // Corner pixels of input and output lie on each other; pixel centers lie at .5. Bilinear takes at most one of them.
  bool align_corners, half_pixel_centers;
} resize_shape;

void resize_bilinear_f32(const resize_shape *s, const float *input, float *output, int row0, int row1);
void resize_bilinear_u8(const resize_shape *s, const uint8_t *input, uint8_t *output, int row0, int row1);
void resize_bilinear_s8(const resize_shape *s, const int8_t *input, int8_t *output, int row0, int row1);
void resize_bilinear_s16(const resize_shape *s, const int16_t *input, int16_t *output, int row0, int row1);

// element: bytes of one value. Rows of `depth` values are copied as they are.
void resize_nearest(const resize_shape *s, const void *input, void *output, size_t element, int row0, int row1);

#endif
