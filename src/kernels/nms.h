// SPDX-License-Identifier: Apache-2.0
// Non-maximum suppression: picks boxes by score and drops those that overlap a picked one too much. A box is two opposite
// corners, y, x, y, x.
#ifndef KERNELS_NMS_H
#define KERNELS_NMS_H

#include "base/compiler.h"

// Intersection over union; 0 when a box is empty.
float nms_iou(const float *box_a, const float *box_b);

// Hard suppression, of boxes with iou > iou_threshold. Candidates have score >= score_threshold; among equal scores the lower
// number comes first. selected: room for min(max, n); order and active: scratch of n. Returns how many are selected.
size_t nms_greedy(const float *boxes, const float *scores, size_t n, float score_threshold, float iou_threshold, size_t max,
                  int32_t *order, uint8_t *active, int32_t *selected);

typedef struct nms_candidate {
  int32_t box;
  float score;
  int32_t compared;  // selected boxes that it was compared with
} nms_candidate;

// Soft suppression (Bodla et al. 2017): overlapping lowers a score by exp(-iou^2 / (2 sigma)); sigma 0 leaves hard suppression
// only, of boxes with iou >= iou_threshold. Candidates have score > score_threshold. selected_scores may be NULL; heap: scratch
// of n.
size_t nms_soft(const float *boxes, const float *scores, size_t n, float score_threshold, float iou_threshold, float sigma,
                size_t max, nms_candidate *heap, int32_t *selected, float *selected_scores);

// Sorts numbers of `scores` by falling score, equal ones by rising number.
void nms_sort(const float *scores, int32_t *numbers, size_t n);

#endif
