// SPDX-License-Identifier: Apache-2.0
// Writing outputs.
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feed.h"
#include "image.h"
#include "values.h"

char *export_path(const char *pattern, const char *source) {
  const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
  int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  char *path = command_text("%s", "");
  for (const char *at = pattern; *at;) {
    const char *hole = strstr(at, "{}");
    int literal = hole ? (int)(hole - at) : (int)strlen(at);
    char *longer = command_text("%s%.*s%.*s", path, literal, at, hole ? length : 0, base);
    free(path);
    path = longer;
    at += literal + (hole ? 2 : 0);
  }
  return path;
}

// Integers of 8 bits are pixels; real values are taken as 0..1, as -1..1 when some are negative, as 0..255 when some exceed 1.
static bool export_png(const char *path, const TfLiteTensor *tensor, failure *why) {
  feed_place place;
  if (!feed_picture_place(tensor, FEED_LAYOUT_AUTO, &place) || place.height < 1 || place.width < 1) {
    char *shape = values_shape_text(tensor, false);
    failure_set(why, "%s: an output of shape %s is no picture; write it to a .npy file", path, shape);
    free(shape);
    return false;
  }
  bool raw = tensor->type == kTfLiteUInt8 || tensor->type == kTfLiteInt8;
  size_t count = values_count(tensor);
  double low = 0, high = 0;
  for (size_t i = 0; i < count && !raw; i++) {
    low = fmin(low, values_real(tensor, i));
    high = fmax(high, values_real(tensor, i));
  }
  double scale = high > 1.5 ? 1 : low < -0.01 ? 127.5 : 255, offset = high > 1.5 ? 0 : low < -0.01 ? 127.5 : 0;
  image out;
  if (!image_create(place.width, place.height, place.channels, &out, why)) return false;
  uint8_t *pixel = out.pixels;
  for (int y = 0; y < place.height; y++)
    for (int x = 0; x < place.width; x++)
      for (int c = 0; c < place.channels; c++) {
        size_t index = (size_t)y * place.row + (size_t)x * place.column + (size_t)c * place.channel;
        double value = raw ? values_stored(tensor, index) + (tensor->type == kTfLiteInt8 ? 128 : 0)
                           : values_real(tensor, index) * scale + offset;
        *pixel++ = (uint8_t)(!(value > 0) ? 0 : value >= 255 ? 255 : (int)(value + 0.5));
      }
  bool good = image_write_png(path, &out, why);
  image_free(&out);
  return good;
}

bool export_output(const char *path, const session *s, int output, bool real, failure *why) {
  const TfLiteTensor *tensor = session_output(s, output);
  const char *dot = strrchr(path, '.');
  if (dot && !strcmp(dot, ".png")) return export_png(path, tensor, why);
  if (!dot || strcmp(dot, ".npy")) return command_write_file(path, tensor->data.raw, tensor->data.raw ? tensor->bytes : 0, why);
  npy array;
  if (!values_to_npy(tensor, real, &array, why)) return failure_prefix(why, "%s: ", path);
  bool good = npy_write(path, &array, why);
  npy_free(&array);
  return good;
}
