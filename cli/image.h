// SPDX-License-Identifier: Apache-2.0
// Pictures: PNG and JPEG decoded to 8 bits a channel, resized, written as PNG.
#ifndef CLI_IMAGE_H
#define CLI_IMAGE_H

#include "command.h"

// Rows from the top, channels interleaved: 1 grey, 3 RGB, 4 RGB + alpha.
typedef struct image {
  int width, height, channels;
  uint8_t *pixels;  // width * height * channels bytes; image_free
} image;

enum { IMAGE_MAX_PIXELS = 1 << 28 };

// Whether the file begins as a PNG or JPEG does.
bool image_is_picture(const char *path);
// Decodes to RGB, or to RGB + alpha where the file has transparency. JPEG pictures are turned upright (Exif orientation).
bool image_read(const char *path, image *out, failure *why);
bool image_write_png(const char *path, const image *in, failure *why);
bool image_create(int width, int height, int channels, image *out, failure *why);  // black
void image_free(image *in);
// To 1, 3 or 4 channels. Grey is (299 R + 587 G + 114 B) / 1000; a missing alpha becomes `alpha`.
image image_convert(const image *in, int channels, uint8_t alpha);

typedef enum image_fit {
  IMAGE_STRETCH,    // both sides to the target's
  IMAGE_LETTERBOX,  // the whole picture, black borders on two sides
  IMAGE_CROP,       // the largest central part that has the target's shape
} image_fit;

// Where a resized picture's pixels come from: source = resized * scale + offset, in pixels.
typedef struct image_mapping {
  double scale_x, scale_y, offset_x, offset_y;
} image_mapping;

// Bilinear with half-pixel centres; when shrinking, the triangle widens over all source pixels that fall into a target pixel.
bool image_resize(const image *in, int width, int height, image_fit fit, image *out, image_mapping *mapping, failure *why);

#endif
