// SPDX-License-Identifier: Apache-2.0
// Drawing outputs over pictures.
#include "overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "values.h"

const char *const overlay_names[] = {"boxes", "points", "mask", "heatmap", NULL};

// ---- Boxes and points ----
static bool overlay_boxes(image *canvas, const session *s, const feed *picture, const answer_options *answers, failure *why) {
  detections found;
  if (!detect_read(s, answer_threshold(s, answers), &found))
    return failure_set(
        why, "%s has no outputs that are known as boxes (TFLite_Detection_PostProcess, or anchors of MediaPipe's detectors)",
        s->path);
  int width = draw_line_width(canvas);
  // The best detection is drawn last, over the others.
  for (int i = found.count - 1; i >= 0; i--) {
    detection *d = &found.items[i];
    draw_colour colour = draw_class_colour(d->class_number < 0 ? 0 : d->class_number);
    answer_to_pixels(picture, &d->left, &d->top);
    answer_to_pixels(picture, &d->right, &d->bottom);
    draw_box(canvas, d->left, d->top, d->right, d->bottom, colour, width);
    for (int p = 0; p < d->point_count; p++) {
      answer_to_pixels(picture, &d->points[p][0], &d->points[p][1]);
      draw_disc(canvas, d->points[p][0], d->points[p][1], 1.5 * width + 1, colour);
    }
    char caption[256];
    const char *label = answer_label(answers, d->class_number);
    if (label)
      snprintf(caption, sizeof caption, "%s %.0f%%", label, d->score * 100);
    else if (d->class_number >= 0)
      snprintf(caption, sizeof caption, "%d %.0f%%", d->class_number, d->score * 100);
    else
      snprintf(caption, sizeof caption, "%.0f%%", d->score * 100);
    draw_caption(canvas, d->left, d->top, caption, colour, draw_text_scale(canvas));
  }
  detect_free(&found);
  return true;
}

// MoveNet: [1, 1, 17, 3] or [1, people, 17 x 3 + 5]: y, x, score for each of COCO's 17 key points. The limbs join them.
enum { COCO_POINTS = 17 };
static const int coco_limbs[][2] = {{0, 1},  {0, 2},  {1, 3},  {2, 4},   {5, 6},   {5, 7},   {7, 9},   {6, 8},
                                    {8, 10}, {5, 11}, {6, 12}, {11, 12}, {11, 13}, {13, 15}, {12, 14}, {14, 16}};

static bool coco_output(const TfLiteTensor *tensor, int *people, int *stride) {
  int rank = tensor->dims->size;
  const int *dims = tensor->dims->data;
  if (tensor->type != kTfLiteFloat32 || rank < 2) return false;
  *people = 1;
  *stride = COCO_POINTS * 3;
  if (rank == 3 && dims[2] == COCO_POINTS * 3 + 5) {
    *people = dims[1];
    *stride = dims[2];
    return true;
  }
  return dims[rank - 1] == 3 && dims[rank - 2] == COCO_POINTS && values_count(tensor) == COCO_POINTS * 3;
}

static void draw_person(image *canvas, const TfLiteTensor *tensor, size_t first, const feed *picture, double threshold,
                        int person) {
  double points[COCO_POINTS][3];
  int width = draw_line_width(canvas);
  draw_colour colour = draw_class_colour(person);
  for (int i = 0; i < COCO_POINTS; i++) {
    double x = values_real(tensor, first + (size_t)i * 3 + 1), y = values_real(tensor, first + (size_t)i * 3);
    answer_to_pixels(picture, &x, &y);
    points[i][0] = x;
    points[i][1] = y;
    points[i][2] = values_real(tensor, first + (size_t)i * 3 + 2);
  }
  for (size_t i = 0; i < sizeof coco_limbs / sizeof *coco_limbs; i++) {
    const double *a = points[coco_limbs[i][0]], *b = points[coco_limbs[i][1]];
    if (a[2] >= threshold && b[2] >= threshold) draw_line(canvas, a[0], a[1], b[0], b[1], colour, width);
  }
  for (int i = 0; i < COCO_POINTS; i++)
    if (points[i][2] >= threshold) draw_disc(canvas, points[i][0], points[i][1], 2.0 * width + 1, draw_class_colour(i + 3));
}

static bool overlay_points(image *canvas, const session *s, const feed *picture, const answer_options *answers, failure *why) {
  double threshold = isnan(answers->threshold) ? 0.3 : answers->threshold;
  for (int i = 0; i < s->output_count; i++) {
    const TfLiteTensor *tensor = session_output(s, i);
    int people, stride;
    if (!coco_output(tensor, &people, &stride)) continue;
    for (int p = 0; p < people; p++) {
      size_t first = (size_t)p * (size_t)stride;
      if (people > 1 && values_real(tensor, first + (size_t)stride - 1) < threshold) continue;
      draw_person(canvas, tensor, first, picture, threshold, p);
    }
    return true;
  }
  return failure_set(why, "%s has no output of 17 body points (y, x, score)", s->path);
}

// ---- Maps ----
// An output of rows and columns over the picture, with one or more channels.
typedef struct pixel_map {
  const TfLiteTensor *tensor;
  int height, width, channels;
} pixel_map;

static bool map_read(const TfLiteTensor *tensor, pixel_map *map) {
  int rank = tensor->dims->size, at = rank > 2 && tensor->dims->data[0] == 1 ? 1 : 0;
  const int *dims = tensor->dims->data + at;
  rank -= at;
  if ((rank != 2 && rank != 3) || dims[0] < 2 || dims[1] < 2 || values_bits(tensor->type) == 0) return false;
  *map = (pixel_map){tensor, dims[0], dims[1], rank == 3 ? dims[2] : 1};
  return map->channels >= 1;
}

static bool map_find(const session *s, const overlay_options *options, pixel_map *map, failure *why) {
  for (int i = 0; i < s->output_count; i++)
    if ((options->output < 0 || options->output == i) && map_read(session_output(s, i), map)) return true;
  return failure_set(why, "%s has no output that is a map of the picture ([1, height, width] or [1, height, width, channels])",
                     s->path);
}

static double map_value(const pixel_map *map, int x, int y, int channel) {
  return values_real(map->tensor, ((size_t)y * (size_t)map->width + (size_t)x) * (size_t)map->channels + (size_t)channel);
}

// The class of a cell: the largest channel, the stored class number, or a single score against 0.5.
static int map_class(const pixel_map *map, int x, int y) {
  if (map->channels == 1) {
    double value = map_value(map, x, y, 0);
    bool score = map->tensor->type == kTfLiteFloat32 || values_quantised(map->tensor);
    return score ? value > 0.5 : value >= 0 && value < 1 << 24 ? (int)value : 0;
  }
  int best = 0;
  for (int c = 1; c < map->channels; c++)
    if (map_value(map, x, y, c) > map_value(map, x, y, best)) best = c;
  return best;
}

static double map_heat(const pixel_map *map, int x, int y, int channel) {
  if (channel >= 0) return map_value(map, x, y, channel);
  double heat = map_value(map, x, y, 0);
  for (int c = 1; c < map->channels; c++) heat = fmax(heat, map_value(map, x, y, c));
  return heat;
}

// The map's cell under a pixel of the picture; false in parts that the model did not see.
static bool map_cell(const pixel_map *map, const feed *picture, int x, int y, double *column, double *row) {
  double u = (x + 0.5 - picture->mapping.offset_x) / picture->mapping.scale_x / picture->width;
  double v = (y + 0.5 - picture->mapping.offset_y) / picture->mapping.scale_y / picture->height;
  *column = u * map->width;
  *row = v * map->height;
  return u >= 0 && u < 1 && v >= 0 && v < 1;
}

static bool overlay_mask(image *canvas, const session *s, const feed *picture, const overlay_options *options, failure *why) {
  pixel_map map;
  if (!map_find(s, options, &map, why)) return false;
  int *classes = command_alloc((size_t)map.width * (size_t)map.height, sizeof *classes);
  for (int y = 0; y < map.height; y++)
    for (int x = 0; x < map.width; x++) classes[y * map.width + x] = map_class(&map, x, y);
  for (int y = 0; y < canvas->height; y++)
    for (int x = 0; x < canvas->width; x++) {
      double column, row;
      if (!map_cell(&map, picture, x, y, &column, &row)) continue;
      int found = classes[(int)row * map.width + (int)column];
      if (found > 0) draw_blend(canvas, x, y, draw_class_colour(found), 0.6);  // class 0 is the background
    }
  free(classes);
  return true;
}

// Bilinear between the centres of the four cells around.
static double heat_between(const double *heat, const pixel_map *map, double column, double row) {
  double x = fmin(fmax(column - 0.5, 0), map->width - 1), y = fmin(fmax(row - 0.5, 0), map->height - 1);
  int x0 = (int)x, y0 = (int)y, x1 = x0 + 1 < map->width ? x0 + 1 : x0, y1 = y0 + 1 < map->height ? y0 + 1 : y0;
  double top = heat[y0 * map->width + x0] * (1 - (x - x0)) + heat[y0 * map->width + x1] * (x - x0);
  double bottom = heat[y1 * map->width + x0] * (1 - (x - x0)) + heat[y1 * map->width + x1] * (x - x0);
  return top * (1 - (y - y0)) + bottom * (y - y0);
}

static bool overlay_heatmap(image *canvas, const session *s, const feed *picture, const overlay_options *options, failure *why) {
  pixel_map map;
  if (!map_find(s, options, &map, why)) return false;
  if (options->channel >= map.channels)
    return failure_set(why, "the map has %d channels: --channel is at most %d", map.channels, map.channels - 1);
  size_t count = (size_t)map.width * (size_t)map.height;
  double *heat = command_alloc(count, sizeof *heat), low = INFINITY, high = -INFINITY;
  for (int y = 0; y < map.height; y++)
    for (int x = 0; x < map.width; x++) {
      double value = map_heat(&map, x, y, options->channel);
      heat[y * map.width + x] = isnan(value) ? 0 : value;
      low = fmin(low, value);
      high = fmax(high, value);
    }
  double span = high > low ? high - low : 1;
  for (int y = 0; y < canvas->height; y++)
    for (int x = 0; x < canvas->width; x++) {
      double column, row;
      if (!map_cell(&map, picture, x, y, &column, &row)) continue;
      draw_blend(canvas, x, y, draw_heat_colour((heat_between(heat, &map, column, row) - low) / span), 0.6);
    }
  free(heat);
  char caption[96];
  snprintf(caption, sizeof caption, "%.3g (blue) .. %.3g (red)", low, high);
  draw_caption(canvas, 0, canvas->height, caption, (draw_colour){0, 0, 0}, draw_text_scale(canvas));
  return true;
}

bool overlay_write(const char *path, overlay_kind kind, const session *s, const feed *picture, const answer_options *answers,
                   const overlay_options *options, failure *why) {
  image canvas = image_convert(&picture->picture, 3, 255);
  bool good = false;
  switch (kind) {
    case OVERLAY_BOXES: good = overlay_boxes(&canvas, s, picture, answers, why); break;
    case OVERLAY_POINTS: good = overlay_points(&canvas, s, picture, answers, why); break;
    case OVERLAY_MASK: good = overlay_mask(&canvas, s, picture, options, why); break;
    case OVERLAY_HEATMAP: good = overlay_heatmap(&canvas, s, picture, options, why); break;
  }
  good = good && image_write_png(path, &canvas, why);
  image_free(&canvas);
  return good;
}
