// SPDX-License-Identifier: Apache-2.0
// Affine maps of the plane, as MediaPipe's attention models use them: to crop around landmarks, and to carry landmarks back. A
// map is the first two rows of a 4 x 4 matrix: x' = m[0] x + m[1] y + m[3], y' = m[4] x + m[5] y + m[7].
#ifndef KERNELS_PLANEMAP_H
#define KERNELS_PLANEMAP_H

#include "base/compiler.h"

// Points of 2 or 3 coordinates; the third stays.
void plane_points(const float *map, const float *points, size_t n, int dims, float *out);

// For each pixel (x, y) of the output what lies at map(x, y) in the image, interpolated between four pixels; 0 outside.
typedef struct plane_image {
  int rows, columns, channels;
} plane_image;
void plane_sample(const float *map, const float *image, const plane_image *shape, int out_rows, int out_columns, float *out);

// The box around some landmarks (x, y, z each), upright after turning the plane by `angle`.
typedef struct plane_box {
  float centre[2];  // turned back
  float size[2];    // in the turned plane
  float angle;
} plane_box;
plane_box plane_bound(const float *landmarks, const int32_t *subset, size_t n, float angle);

// The map (all 16 numbers) that takes `anchor` to the box's centre; steps along the axes of length step[i] turned by -angle, all
// multiplied by gain[0] in x' and gain[1] in y'.
void plane_crop(const plane_box *box, const float *step, const float *anchor, const float *gain, float *out);

#endif
