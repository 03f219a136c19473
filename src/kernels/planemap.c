// SPDX-License-Identifier: Apache-2.0
#include "kernels/planemap.h"

#include <math.h>
#include <string.h>

static float plane_coordinate(const float *row, float x, float y) { return row[0] * x + row[1] * y + row[3]; }

void plane_points(const float *map, const float *points, size_t n, int dims, float *out) {
  for (size_t i = 0; i < n; i++, points += dims, out += dims) {
    float x = points[0], y = points[1];
    out[0] = plane_coordinate(map, x, y);
    out[1] = plane_coordinate(map + 4, x, y);
    if (dims == 3) out[2] = points[2];
  }
}

// One pixel at (x, y), which lies inside the image.
static void plane_pixel(const float *image, const plane_image *shape, float x, float y, float *out) {
  size_t left = (size_t)x, top = (size_t)y, channels = (size_t)shape->channels;
  size_t row = (size_t)shape->columns * channels;
  size_t right = left + 1 < (size_t)shape->columns ? channels : 0, down = top + 1 < (size_t)shape->rows ? row : 0;
  const float *a = image + top * row + left * channels, *b = a + right, *c = a + down, *d = c + right;
  float to_right = x - (float)left, to_down = y - (float)top;
  for (size_t i = 0; i < channels; i++) {
    float upper = (1 - to_right) * a[i] + to_right * b[i], lower = (1 - to_right) * c[i] + to_right * d[i];
    out[i] = (1 - to_down) * upper + to_down * lower;
  }
}

void plane_sample(const float *map, const float *image, const plane_image *shape, int out_rows, int out_columns, float *out) {
  float last_x = (float)(shape->columns - 1), last_y = (float)(shape->rows - 1);
  for (int r = 0; r < out_rows; r++) {
    for (int c = 0; c < out_columns; c++, out += shape->channels) {
      float x = plane_coordinate(map, (float)c, (float)r), y = plane_coordinate(map + 4, (float)c, (float)r);
      if (x >= 0 && x <= last_x && y >= 0 && y <= last_y)
        plane_pixel(image, shape, x, y, out);
      else  // also where the map is not a number
        memset(out, 0, (size_t)shape->channels * sizeof *out);
    }
  }
}

plane_box plane_bound(const float *landmarks, const int32_t *subset, size_t n, float angle) {
  float c = cosf(angle), s = sinf(angle), low[2] = {0, 0}, high[2] = {0, 0};
  for (size_t i = 0; i < n; i++) {
    const float *p = landmarks + 3 * (size_t)subset[i];
    float turned[2] = {c * p[0] - s * p[1], s * p[0] + c * p[1]};
    for (int k = 0; k < 2; k++) {
      low[k] = i == 0 || turned[k] < low[k] ? turned[k] : low[k];
      high[k] = i == 0 || turned[k] > high[k] ? turned[k] : high[k];
    }
  }
  float x = (low[0] + high[0]) / 2, y = (low[1] + high[1]) / 2;
  return (plane_box){{c * x + s * y, -s * x + c * y}, {high[0] - low[0], high[1] - low[1]}, angle};
}

void plane_crop(const plane_box *box, const float *step, const float *anchor, const float *gain, float *out) {
  float c = cosf(box->angle), s = sinf(box->angle);
  float rows[2][2] = {{c * step[0], s * step[1]}, {-s * step[0], c * step[1]}};
  memset(out, 0, 16 * sizeof *out);
  for (int i = 0; i < 2; i++) {
    out[4 * i] = gain[i] * rows[i][0];
    out[4 * i + 1] = gain[i] * rows[i][1];
    out[4 * i + 3] = gain[i] * (box->centre[i] - rows[i][0] * anchor[0] - rows[i][1] * anchor[1]);
  }
  out[10] = out[15] = 1;
}
