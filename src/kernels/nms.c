// SPDX-License-Identifier: Apache-2.0
// Non-maximum suppression. Source of the rules: TFLite reference, detection_postprocess.cc and
// internal/reference/non_max_suppression.h.
#include "kernels/nms.h"

#include <math.h>
#include <string.h>

static float nms_min(float a, float b) { return b < a ? b : a; }
static float nms_max(float a, float b) { return a < b ? b : a; }

float nms_iou(const float *box_a, const float *box_b) {
  float ay0 = nms_min(box_a[0], box_a[2]), ay1 = nms_max(box_a[0], box_a[2]), ax0 = nms_min(box_a[1], box_a[3]);
  float ax1 = nms_max(box_a[1], box_a[3]), by0 = nms_min(box_b[0], box_b[2]), by1 = nms_max(box_b[0], box_b[2]);
  float bx0 = nms_min(box_b[1], box_b[3]), bx1 = nms_max(box_b[1], box_b[3]);
  float area_a = (ay1 - ay0) * (ax1 - ax0), area_b = (by1 - by0) * (bx1 - bx0);
  if (area_a <= 0 || area_b <= 0) return 0;
  float height = nms_max(nms_min(ay1, by1) - nms_max(ay0, by0), 0), width = nms_max(nms_min(ax1, bx1) - nms_max(ax0, bx0), 0);
  float both = height * width;
  return both / (area_a + area_b - both);
}

// ---- Sorting: a heap sort, for the order is total. ----
static bool nms_before(const float *scores, int32_t a, int32_t b) {
  return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
}

// Moves numbers[at] down until nothing below it comes later in the order.
static void nms_sift(const float *scores, int32_t *numbers, size_t at, size_t n) {
  int32_t moving = numbers[at];
  for (size_t child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
    if (child + 1 < n && nms_before(scores, numbers[child], numbers[child + 1])) child++;
    if (!nms_before(scores, moving, numbers[child])) break;
    numbers[at] = numbers[child];
  }
  numbers[at] = moving;
}

void nms_sort(const float *scores, int32_t *numbers, size_t n) {
  for (size_t i = n / 2; i-- > 0;) nms_sift(scores, numbers, i, n);
  for (size_t last = n; last-- > 1;) {
    int32_t latest = numbers[0];
    numbers[0] = numbers[last];
    numbers[last] = latest;
    nms_sift(scores, numbers, 0, last);
  }
}

size_t nms_greedy(const float *boxes, const float *scores, size_t n, float score_threshold, float iou_threshold, size_t max,
                  int32_t *order, uint8_t *active, int32_t *selected) {
  size_t candidates = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (scores[i] >= score_threshold) order[candidates++] = (int32_t)i;
  }
  nms_sort(scores, order, candidates);
  memset(active, 1, candidates);
  for (size_t i = 0; i < candidates && count < max; i++) {
    if (!active[i]) continue;
    selected[count++] = order[i];
    for (size_t j = i + 1; j < candidates; j++) {
      if (active[j] && nms_iou(boxes + 4 * (size_t)order[i], boxes + 4 * (size_t)order[j]) > iou_threshold) active[j] = 0;
    }
  }
  return count;
}

// ---- A priority queue. Equal scores leave it in the order in which std::priority_queue of libstdc++ lets them go, so that ties
// agree with the reference's builds: taking the top walks the hole down to a leaf, by the right child on ties, and moves the last
// element up from there. ----
static void nms_heap_up(nms_candidate *heap, size_t hole, nms_candidate value) {
  while (hole > 0 && heap[(hole - 1) / 2].score < value.score) {
    heap[hole] = heap[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  heap[hole] = value;
}

static nms_candidate nms_heap_pop(nms_candidate *heap, size_t *n) {
  nms_candidate top = heap[0], last = heap[--*n];
  size_t hole = 0, right = 2;
  for (; right < *n; right = 2 * hole + 2) {
    size_t child = heap[right].score < heap[right - 1].score ? right - 1 : right;
    heap[hole] = heap[child];
    hole = child;
  }
  if (right == *n) {  // a left child alone
    heap[hole] = heap[right - 1];
    hole = right - 1;
  }
  if (*n > 0) nms_heap_up(heap, hole, last);
  return top;
}

size_t nms_soft(const float *boxes, const float *scores, size_t n, float score_threshold, float iou_threshold, float sigma,
                size_t max, nms_candidate *heap, int32_t *selected, float *selected_scores) {
  size_t queued = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    if (scores[i] > score_threshold) {
      nms_heap_up(heap, queued, (nms_candidate){(int32_t)i, scores[i], 0});
      queued++;
    }
  }
  if (max > queued) max = queued;
  float scale = sigma > 0 ? (float)(-0.5 / (double)sigma) : 0;
  while (count < max && queued > 0) {
    nms_candidate next = nms_heap_pop(heap, &queued);
    float original = next.score;
    bool dropped = false;
    // Backwards, for overlapping boxes tend to have similar scores.
    for (size_t j = count; j-- > (size_t)next.compared;) {
      float iou = nms_iou(boxes + 4 * (size_t)next.box, boxes + 4 * (size_t)selected[j]);
      if (iou >= iou_threshold) {
        dropped = true;
        break;
      }
      if (sigma > 0) next.score *= expf(scale * iou * iou);
      if (next.score <= score_threshold) break;
    }
    next.compared = (int32_t)count;
    if (dropped) continue;
    if (next.score == original) {
      selected[count] = next.box;
      if (selected_scores) selected_scores[count] = next.score;
      count++;
    }
    // The reference queues a selected box again: its overlap with itself then drops it, unless it is empty.
    if (next.score > score_threshold) {
      nms_heap_up(heap, queued, next);
      queued++;
    }
  }
  return count;
}
