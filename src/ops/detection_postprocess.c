// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: decodes the boxes of a single-shot detector and suppresses overlapping ones. Inputs: 0 box
// encodings [1, boxes, >= 4] (y, x, h, w against anchors), 1 class scores [1, boxes, classes (+ 1 for the background, first)], 2
// anchors [boxes, 4]; float or uint8. Outputs, all float: boxes [1, n, 4] (ymin, xmin, ymax, xmax), classes [1, n], scores [1,
// n], count [1]. Options: a FlexBuffers map.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/nms.h"
#include "ops/flex_options.h"

typedef struct detection_op {
  int max_detections, classes_per_detection, detections_per_class, classes;
  bool regular;
  float score_threshold, iou_threshold;
  float scale[4];  // y, x, h, w
  int boxes_scratch, scores_scratch, order_scratch, active_scratch, selected_scratch, found_scratch;
} detection_op;

static void detection_read_options(const TfLiteNode *node, detection_op *op) {
  flex_value map = flex_options(node);
  flex_value per_class = flex_get(map, "detections_per_class");
  op->max_detections = flex_int32(flex_get(map, "max_detections"));
  op->classes_per_detection = flex_int32(flex_get(map, "max_classes_per_detection"));
  op->detections_per_class = flex_is_null(per_class) ? 100 : flex_int32(per_class);
  op->regular = flex_bool(flex_get(map, "use_regular_nms"));
  op->score_threshold = (float)flex_float(flex_get(map, "nms_score_threshold"));
  op->iou_threshold = (float)flex_float(flex_get(map, "nms_iou_threshold"));
  op->classes = flex_int32(flex_get(map, "num_classes"));
  op->scale[0] = (float)flex_float(flex_get(map, "y_scale"));
  op->scale[1] = (float)flex_float(flex_get(map, "x_scale"));
  op->scale[2] = (float)flex_float(flex_get(map, "h_scale"));
  op->scale[3] = (float)flex_float(flex_get(map, "w_scale"));
}

static TfLiteStatus detection_check(TfLiteContext *context, TfLiteNode *node, const detection_op *op) {
  const TfLiteTensor *encodings = op_input(context, node, 0), *scores = op_input(context, node, 1),
                     *anchors = op_input(context, node, 2);
  OP_CHECK(context, op->max_detections >= 0 && op->classes_per_detection > 0, "max_detections %d, max_classes_per_detection %d",
           op->max_detections, op->classes_per_detection);
  OP_CHECK(context, op->max_detections <= INT_MAX / op->classes_per_detection, "too many detections");
  OP_CHECK(context, op->iou_threshold > 0 && op->iou_threshold <= 1, "nms_iou_threshold %g is not in (0, 1]",
           (double)op->iou_threshold);
  OP_CHECK(context, op->classes > 0, "num_classes is %d", op->classes);
  OP_CHECK(context, !op->regular || (op->detections_per_class > 0 && op->max_detections > 0),
           "detections_per_class %d, max_detections %d", op->detections_per_class, op->max_detections);
  OP_TRY(op_check_type(context, encodings, "box encodings", OP_F32 | OP_U8));
  OP_TRY(op_check_type(context, anchors, "anchors", OP_TYPE(encodings->type)));
  OP_TRY(op_check_type(context, scores, "class scores", OP_F32 | OP_U8));
  OP_CHECK(context, op_rank(encodings) == 3 && op_dim(encodings, 0) == 1 && op_dim(encodings, 2) >= 4,
           "box encodings are not [1, boxes, >= 4]");
  int boxes = op_dim(encodings, 1);
  OP_CHECK(context, op_rank(scores) == 3 && op_dim(scores, 0) == 1 && op_dim(scores, 1) == boxes,
           "class scores are not [1, %d, classes]", boxes);
  int background = op_dim(scores, 2) - op->classes;
  OP_CHECK(context, background == 0 || background == 1, "class scores are of %d classes, num_classes is %d", op_dim(scores, 2),
           op->classes);
  OP_CHECK(context, op_rank(anchors) == 2 && op_dim(anchors, 0) >= boxes && op_dim(anchors, 1) == 4, "anchors are not [%d, 4]",
           boxes);
  return kTfLiteOk;
}

// A box found for a class by regular suppression.
typedef struct detection_found {
  float score;
  int32_t box, label;
} detection_found;

static int detection_per_class(const detection_op *op) {
  return op->detections_per_class < op->max_detections ? op->detections_per_class : op->max_detections;
}

static TfLiteStatus detection_scratch(TfLiteContext *context, size_t count, size_t size, int *index) {
  size_t bytes;
  OP_CHECK(context, checked_mul(count, size, &bytes), "too many boxes");
  return op_request_scratch(context, bytes, index);
}

static TfLiteStatus detection_prepare(TfLiteContext *context, TfLiteNode *node) {
  detection_op *op = node->user_data;
  OP_TRY(op_check_counts(context, node, 3, 3, 4));
  detection_read_options(node, op);
  OP_TRY(detection_check(context, node, op));
  for (int i = 0; i < 4; i++) op_output(context, node, i)->type = kTfLiteFloat32;
  size_t boxes = (size_t)op_dim(op_input(context, node, 0), 1);
  OP_TRY(detection_scratch(context, boxes, 4 * sizeof(float), &op->boxes_scratch));
  OP_TRY(detection_scratch(context, boxes, sizeof(float), &op->scores_scratch));
  OP_TRY(detection_scratch(context, boxes, sizeof(int32_t), &op->order_scratch));
  OP_TRY(detection_scratch(context, boxes, 1, &op->active_scratch));
  size_t most = (size_t)(op->regular ? detection_per_class(op) : op->max_detections);
  OP_TRY(detection_scratch(context, most < boxes ? most : boxes, sizeof(int32_t), &op->selected_scratch));
  if (op->regular) OP_TRY(detection_scratch(context, (size_t)op->max_detections, sizeof(detection_found), &op->found_scratch));
  int n = op->max_detections * op->classes_per_detection;
  OP_TRY(op_resize(context, op_output(context, node, 0), 3, (int[]){1, n, 4}));
  OP_TRY(op_resize(context, op_output(context, node, 1), 2, (int[]){1, n}));
  OP_TRY(op_resize(context, op_output(context, node, 2), 2, (int[]){1, n}));
  return op_resize(context, op_output(context, node, 3), 1, (int[]){1});
}

static void detection_read_row(const TfLiteTensor *t, size_t at, float scale, float zero_point, float row[4]) {
  for (size_t k = 0; k < 4; k++)
    row[k] = t->type == kTfLiteFloat32 ? t->data.f[at + k] : ((float)t->data.uint8[at + k] - zero_point) * scale;
}

// Corners ymin, xmin, ymax, xmax of all boxes. Fails where a box is turned inside out.
static TfLiteStatus detection_decode(TfLiteContext *context, const TfLiteNode *node, const detection_op *op, float *boxes) {
  const TfLiteTensor *encodings = op_input(context, node, 0), *anchors = op_input(context, node, 2);
  size_t n = (size_t)op_dim(encodings, 1), stride = (size_t)op_dim(encodings, 2);
  float scale = op_scale(encodings), zero = (float)op_zero_point(encodings);
  float anchor_scale = op_scale(anchors), anchor_zero = (float)op_zero_point(anchors);
  for (size_t i = 0; i < n; i++, boxes += 4) {
    float box[4], anchor[4];
    detection_read_row(encodings, i * stride, scale, zero, box);
    detection_read_row(anchors, i * 4, anchor_scale, anchor_zero, anchor);
    for (size_t k = 0; k < 2; k++) {  // y, then x
      float center = (float)((double)box[k] / (double)op->scale[k] * (double)anchor[k + 2] + (double)anchor[k]);
      float half = (float)(0.5 * exp((double)box[k + 2] / (double)op->scale[k + 2]) * (double)anchor[k + 2]);
      boxes[k] = center - half;
      boxes[k + 2] = center + half;
    }
    OP_CHECK(context, !(boxes[0] > boxes[2] || boxes[1] > boxes[3]), "box %d has a negative size", (int)i);
  }
  return kTfLiteOk;
}

// The score of a class that counts without the background.
typedef struct detection_scores {
  const TfLiteTensor *t;
  size_t stride, background;
  double scale, zero_point;
} detection_scores;

static float detection_score(const detection_scores *s, size_t box, size_t label) {
  size_t at = box * s->stride + s->background + label;
  return s->t->type == kTfLiteFloat32 ? s->t->data.f[at] : (float)(s->scale * ((double)s->t->data.uint8[at] - s->zero_point));
}

static void detection_emit(TfLiteContext *context, const TfLiteNode *node, size_t slot, const float *box, int label,
                           float score) {
  memcpy(op_output(context, node, 0)->data.f + 4 * slot, box, 4 * sizeof *box);
  op_output(context, node, 1)->data.f[slot] = (float)label;
  op_output(context, node, 2)->data.f[slot] = score;
}

typedef struct detection_work {
  float *boxes, *scores;
  int32_t *order, *selected;
  uint8_t *active;
  size_t n;
} detection_work;

// One suppression by the best class of each box; then the best classes of the boxes that are left.
static size_t detection_run_fast(TfLiteContext *context, const TfLiteNode *node, const detection_op *op,
                                 const detection_scores *s, const detection_work *w) {
  size_t classes = (size_t)op->classes;
  for (size_t i = 0; i < w->n; i++) {
    float best = detection_score(s, i, 0);
    for (size_t c = 1; c < classes; c++) {
      float score = detection_score(s, i, c);
      if (score > best) best = score;
    }
    w->scores[i] = best;
  }
  size_t count = nms_greedy(w->boxes, w->scores, w->n, op->score_threshold, op->iou_threshold, (size_t)op->max_detections,
                            w->order, w->active, w->selected);
  int labels = op->classes < op->classes_per_detection ? op->classes : op->classes_per_detection;
  for (size_t i = 0; i < count; i++) {
    size_t box = (size_t)w->selected[i];
    int previous = -1;  // of the labels given out so far, the one with the lowest score
    for (int k = 0; k < labels; k++) {
      float limit = previous < 0 ? 0 : detection_score(s, box, (size_t)previous);
      int next = -1;
      for (int c = 0; c < op->classes; c++) {
        float score = detection_score(s, box, (size_t)c);
        bool left = previous < 0 || score < limit || (score == limit && c > previous);
        if (left && (next < 0 || score > detection_score(s, box, (size_t)next))) next = c;
      }
      if (next < 0) break;  // the rest are NaN
      detection_emit(context, node, i * (size_t)op->classes_per_detection + (size_t)k, w->boxes + 4 * box, next,
                     detection_score(s, box, (size_t)next));
      previous = next;
    }
  }
  return count;
}

// Puts a found box in its place, behind those of the same score; the last one falls off a full list. Returns the new count.
static size_t detection_insert(detection_found *found, size_t count, size_t room, detection_found one) {
  size_t at = count;
  while (at > 0 && found[at - 1].score < one.score) at--;
  if (at >= room) return count;
  size_t kept = count < room ? count : room - 1;
  memmove(found + at + 1, found + at, (kept - at) * sizeof *found);
  found[at] = one;
  return kept + 1;
}

// A suppression for each class; the best boxes of all classes.
static size_t detection_run_regular(TfLiteContext *context, const TfLiteNode *node, const detection_op *op,
                                    const detection_scores *s, const detection_work *w, detection_found *found) {
  size_t count = 0, per_class = (size_t)detection_per_class(op);
  for (int label = 0; label < op->classes; label++) {
    for (size_t i = 0; i < w->n; i++) w->scores[i] = detection_score(s, i, (size_t)label);
    size_t selected = nms_greedy(w->boxes, w->scores, w->n, op->score_threshold, op->iou_threshold, per_class, w->order,
                                 w->active, w->selected);
    for (size_t i = 0; i < selected; i++) {
      detection_found one = {w->scores[w->selected[i]], w->selected[i], label};
      count = detection_insert(found, count, (size_t)op->max_detections, one);
    }
  }
  for (size_t i = 0; i < count; i++)
    detection_emit(context, node, i, w->boxes + 4 * (size_t)found[i].box, found[i].label, found[i].score);
  return count;
}

static TfLiteStatus detection_eval(TfLiteContext *context, TfLiteNode *node) {
  const detection_op *op = node->user_data;
  const TfLiteTensor *scores = op_input(context, node, 1);
  detection_work w = {.boxes = op_scratch(context, op->boxes_scratch),
                      .scores = op_scratch(context, op->scores_scratch),
                      .order = op_scratch(context, op->order_scratch),
                      .selected = op_scratch(context, op->selected_scratch),
                      .active = op_scratch(context, op->active_scratch),
                      .n = (size_t)op_dim(scores, 1)};
  detection_scores s = {scores, (size_t)op_dim(scores, 2), (size_t)(op_dim(scores, 2) - op->classes), (double)op_scale(scores),
                        (double)op_zero_point(scores)};
  OP_TRY(detection_decode(context, node, op, w.boxes));
  for (int i = 0; i < 4; i++) memset(op_output(context, node, i)->data.raw, 0, op_bytes(op_output(context, node, i)));
  size_t count = op->regular ? detection_run_regular(context, node, op, &s, &w, op_scratch(context, op->found_scratch))
                             : detection_run_fast(context, node, op, &s, &w);
  op_output(context, node, 3)->data.f[0] = (float)count;
  return kTfLiteOk;
}

static void detection_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  cost->macs = op_count(op_input(context, node, 1));
}

const op_descriptor arn_op_detection_postprocess = {
    OP_CUSTOM_ROW(TFLite_Detection_PostProcess),
    .state_size = sizeof(detection_op),
    .prepare = detection_prepare,
    .eval = detection_eval,
    .cost = detection_cost,
};
