// SPDX-License-Identifier: Apache-2.0
// Resizing and converting pictures.
#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool image_create(int width, int height, int channels, image *out, failure *why) {
  *out = (image){0};
  if (width < 1 || height < 1 || width > IMAGE_MAX_PIXELS / height)
    return failure_set(why, "a picture of %d x %d pixels is out of range (at most %d pixels)", width, height, IMAGE_MAX_PIXELS);
  *out = (image){.width = width, .height = height, .channels = channels};
  out->pixels = command_alloc((size_t)width * (size_t)height, (size_t)channels);
  return true;
}

void image_free(image *in) {
  free(in->pixels);
  *in = (image){0};
}

image image_convert(const image *in, int channels, uint8_t alpha) {
  image out = {.width = in->width, .height = in->height, .channels = channels};
  size_t count = (size_t)in->width * (size_t)in->height;
  out.pixels = command_alloc(count, (size_t)channels);
  const uint8_t *from = in->pixels;
  uint8_t *to = out.pixels;
  for (size_t i = 0; i < count; i++, from += in->channels, to += channels) {
    int red = from[0], green = in->channels > 1 ? from[1] : red, blue = in->channels > 1 ? from[2] : red;
    if (channels == 1) {
      to[0] = (uint8_t)((299 * red + 587 * green + 114 * blue + 500) / 1000);
      continue;
    }
    to[0] = (uint8_t)red;
    to[1] = (uint8_t)green;
    to[2] = (uint8_t)blue;
    if (channels == 4) to[3] = in->channels == 4 ? from[3] : alpha;
  }
  return out;
}

// For each of `target` pixels of one side: the first source pixel and the weights of `taps` pixels from there.
typedef struct resize_side {
  int taps;
  int *first;
  float *weights;
} resize_side;

// The source interval [offset, offset + target * scale) is laid over pixels 0..source-1; target centres at half pixels.
static resize_side side_create(int source, int target, double scale, double offset) {
  double radius = scale > 1 ? scale : 1;
  resize_side side = {.taps = (int)ceil(radius) * 2 + 1};
  if (side.taps > source) side.taps = source;
  side.first = command_alloc((size_t)target, sizeof *side.first);
  side.weights = command_alloc((size_t)target * (size_t)side.taps, sizeof *side.weights);
  for (int i = 0; i < target; i++) {
    double centre = offset + (i + 0.5) * scale;
    int first = (int)floor(centre - radius + 0.5);
    if (first > source - side.taps) first = source - side.taps;
    if (first < 0) first = 0;
    float *weights = side.weights + (size_t)i * (size_t)side.taps;
    double sum = 0;
    for (int t = 0; t < side.taps; t++) {
      double weight = 1 - fabs(first + t + 0.5 - centre) / radius;
      weights[t] = (float)(weight > 0 ? weight : 0);
      sum += (double)weights[t];
    }
    // A centre beyond the border by more than the radius has no weight at all: take the nearest pixel.
    if (sum <= 0) weights[centre < 1 ? 0 : side.taps - 1] = 1, sum = 1;
    for (int t = 0; t < side.taps; t++) weights[t] = (float)((double)weights[t] / sum);
    side.first[i] = first;
  }
  return side;
}

static void side_free(resize_side *side) {
  free(side->first);
  free(side->weights);
}

// Columns first into floats, then rows. Writes width x height pixels at (left, top) of out.
static void resample(const image *in, image *out, int left, int top, int width, int height, const image_mapping *mapping) {
  resize_side across = side_create(in->width, width, mapping->scale_x, mapping->offset_x + left * mapping->scale_x);
  resize_side down = side_create(in->height, height, mapping->scale_y, mapping->offset_y + top * mapping->scale_y);
  size_t channels = (size_t)in->channels, row = (size_t)width * channels;
  float *middle = command_alloc((size_t)in->height * row, sizeof *middle);
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < width; x++)
      for (size_t c = 0; c < channels; c++) {
        const uint8_t *from = in->pixels + ((size_t)y * (size_t)in->width + (size_t)across.first[x]) * channels + c;
        const float *weights = across.weights + (size_t)x * (size_t)across.taps;
        float sum = 0;
        for (int t = 0; t < across.taps; t++) sum += weights[t] * (float)from[(size_t)t * channels];
        middle[(size_t)y * row + (size_t)x * channels + c] = sum;
      }
  for (int y = 0; y < height; y++) {
    const float *weights = down.weights + (size_t)y * (size_t)down.taps;
    const float *from = middle + (size_t)down.first[y] * row;
    uint8_t *to = out->pixels + ((size_t)(top + y) * (size_t)out->width + (size_t)left) * channels;
    for (size_t i = 0; i < row; i++) {
      float sum = 0;
      for (int t = 0; t < down.taps; t++) sum += weights[t] * from[(size_t)t * row + i];
      to[i] = (uint8_t)(sum <= 0 ? 0 : sum >= 255 ? 255 : (int)(sum + 0.5f));
    }
  }
  free(middle);
  side_free(&across);
  side_free(&down);
}

bool image_resize(const image *in, int width, int height, image_fit fit, image *out, image_mapping *mapping, failure *why) {
  if (!image_create(width, height, in->channels, out, why)) return false;
  double scale_x = (double)in->width / width, scale_y = (double)in->height / height;
  image_mapping map = {scale_x, scale_y, 0, 0};
  int left = 0, top = 0, inner_width = width, inner_height = height;
  if (fit == IMAGE_LETTERBOX) {
    double scale = scale_x > scale_y ? scale_x : scale_y;
    inner_width = (int)lround(in->width / scale);
    inner_height = (int)lround(in->height / scale);
    if (inner_width < 1) inner_width = 1;
    if (inner_height < 1) inner_height = 1;
    left = (width - inner_width) / 2;
    top = (height - inner_height) / 2;
    map = (image_mapping){(double)in->width / inner_width, (double)in->height / inner_height, 0, 0};
    map.offset_x = -left * map.scale_x;
    map.offset_y = -top * map.scale_y;
  } else if (fit == IMAGE_CROP) {
    double scale = scale_x < scale_y ? scale_x : scale_y;
    map = (image_mapping){scale, scale, (in->width - width * scale) / 2, (in->height - height * scale) / 2};
  }
  resample(in, out, left, top, inner_width, inner_height, &map);
  if (mapping) *mapping = map;
  return true;
}
