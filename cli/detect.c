// SPDX-License-Identifier: Apache-2.0
// Decoding detections.
#include "detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

static int detection_order(const void *a, const void *b) {
  double x = ((const detection *)a)->score, y = ((const detection *)b)->score;
  return x < y ? 1 : x > y ? -1 : 0;
}

// ---- TFLite_Detection_PostProcess: boxes [1, n, 4] as top, left, bottom, right; classes [1, n]; scores [1, n]; count [1]. ----
static const TfLiteTensor *postprocess_output(const session *s, const arn_node_info *node, int output) {
  return arn_interpreter_tensor(s->interpreter, 0, node->output_tensors[output]);
}

static bool read_postprocess(const session *s, double threshold, detections *out) {
  arn_node_info node;
  if (s->output_count == 0 || !session_writer(s, session_output(s, 0), &node)) return false;
  if (strcmp(node.name, "TFLite_Detection_PostProcess") || node.outputs < 4) return false;
  const TfLiteTensor *boxes = postprocess_output(s, &node, 0), *classes = postprocess_output(s, &node, 1);
  const TfLiteTensor *scores = postprocess_output(s, &node, 2), *number = postprocess_output(s, &node, 3);
  size_t room = values_count(scores);
  if (values_count(classes) < room) room = values_count(classes);
  if (values_count(boxes) / 4 < room) room = values_count(boxes) / 4;
  double found = values_count(number) ? values_real(number, 0) : 0;
  size_t count = found > 0 ? (found < (double)room ? (size_t)found : room) : 0;
  out->items = command_alloc(count, sizeof *out->items);
  for (size_t i = 0; i < count; i++) {
    detection d = {.class_number = (int)values_real(classes, i), .score = values_real(scores, i)};
    if (!(d.score >= threshold)) continue;
    d.top = values_real(boxes, i * 4);
    d.left = values_real(boxes, i * 4 + 1);
    d.bottom = values_real(boxes, i * 4 + 2);
    d.right = values_real(boxes, i * 4 + 3);
    out->items[out->count++] = d;
  }
  return true;
}

// ---- MediaPipe's detectors. Source: the calculator options of its face, palm and pose graphs. ----
enum { ANCHOR_LAYERS = 5 };
static const int anchor_strides[][ANCHOR_LAYERS] = {{8, 16, 16, 16, 0}, {16, 32, 32, 32, 0}, {8, 16, 32, 32, 32}};

// Layers with one stride share a grid: two anchors a layer in each cell.
static int anchor_count(const int *strides, int side) {
  int count = 0;
  for (int i = 0; i < ANCHOR_LAYERS && strides[i]; i++) {
    int cells = (side + strides[i] - 1) / strides[i];
    count += 2 * cells * cells;
  }
  return count;
}

// Centres of all anchors, in the order in which the model lists them: x, y as fractions.
static void anchor_centres(const int *strides, int side, double (*centres)[2]) {
  size_t at = 0;
  for (int first = 0, next; first < ANCHOR_LAYERS && strides[first]; first = next) {
    for (next = first; next < ANCHOR_LAYERS && strides[next] == strides[first]; next++) continue;
    int cells = (side + strides[first] - 1) / strides[first];
    for (int y = 0; y < cells; y++)
      for (int x = 0; x < cells; x++)
        for (int i = 0; i < 2 * (next - first); i++, at++) {
          centres[at][0] = (x + 0.5) / cells;
          centres[at][1] = (y + 0.5) / cells;
        }
  }
}

static double overlap(const detection *a, const detection *b) {
  double width = fmin(a->right, b->right) - fmax(a->left, b->left), height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
  if (width <= 0 || height <= 0) return 0;
  double both = width * height;
  double sum = (a->right - a->left) * (a->bottom - a->top) + (b->right - b->left) * (b->bottom - b->top);
  return both / (sum - both);
}

// Keeps the best of detections that overlap by more than 0.3 of their union.
static void suppress_overlaps(detections *d) {
  qsort(d->items, (size_t)d->count, sizeof *d->items, detection_order);
  int kept = 0;
  for (int i = 0; i < d->count; i++) {
    bool good = true;
    for (int k = 0; k < kept && good; k++) good = overlap(&d->items[i], &d->items[k]) <= 0.3;
    if (good) d->items[kept++] = d->items[i];
  }
  d->count = kept;
}

// The outputs [1, n, 4 + 2 points] and [1, n, 1], in either order.
static bool anchor_outputs(const session *s, const TfLiteTensor **boxes, const TfLiteTensor **scores) {
  if (s->output_count != 2) return false;
  for (int i = 0; i < 2; i++) {
    const TfLiteTensor *b = session_output(s, i), *c = session_output(s, 1 - i);
    if (b->dims->size != 3 || c->dims->size != 3 || b->dims->data[1] != c->dims->data[1]) continue;
    int width = b->dims->data[2];
    if (b->dims->data[0] != 1 || c->dims->data[0] != 1 || c->dims->data[2] != 1) continue;
    if (width < 4 || width % 2 || (width - 4) / 2 > DETECT_MAX_POINTS) continue;
    *boxes = b;
    *scores = c;
    return true;
  }
  return false;
}

static bool read_anchors(const session *s, double threshold, detections *out) {
  const TfLiteTensor *boxes, *scores, *input = s->input_count ? session_input(s, 0) : NULL;
  if (!input || input->dims->size != 4 || input->dims->data[1] != input->dims->data[2]) return false;
  if (!anchor_outputs(s, &boxes, &scores)) return false;
  int side = input->dims->data[1], count = boxes->dims->data[1], width = boxes->dims->data[2];
  const int *strides = NULL;
  for (size_t i = 0; i < sizeof anchor_strides / sizeof *anchor_strides && !strides; i++)
    if (anchor_count(anchor_strides[i], side) == count) strides = anchor_strides[i];
  if (!strides) return false;
  double(*centres)[2] = command_alloc((size_t)count, sizeof *centres);
  anchor_centres(strides, side, centres);
  out->items = command_alloc((size_t)count, sizeof *out->items);
  for (int i = 0; i < count; i++) {
    double score = 1 / (1 + exp(-values_real(scores, (size_t)i)));
    if (!(score >= threshold)) continue;
    detection d = {.class_number = -1, .score = score, .point_count = (width - 4) / 2};
    size_t at = (size_t)i * (size_t)width;
    double x = values_real(boxes, at) / side + centres[i][0], y = values_real(boxes, at + 1) / side + centres[i][1];
    double w = values_real(boxes, at + 2) / side, h = values_real(boxes, at + 3) / side;
    d.left = x - w / 2;
    d.right = x + w / 2;
    d.top = y - h / 2;
    d.bottom = y + h / 2;
    for (int p = 0; p < d.point_count; p++)
      for (int c = 0; c < 2; c++) d.points[p][c] = values_real(boxes, at + 4 + (size_t)(2 * p + c)) / side + centres[i][c];
    out->items[out->count++] = d;
  }
  free(centres);
  suppress_overlaps(out);
  return true;
}

bool detect_read(const session *s, double threshold, detections *out) {
  *out = (detections){0};
  if (!read_postprocess(s, threshold, out)) return read_anchors(s, threshold, out);
  qsort(out->items, (size_t)out->count, sizeof *out->items, detection_order);
  return true;
}

void detect_free(detections *in) {
  free(in->items);
  *in = (detections){0};
}
