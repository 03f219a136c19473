// SPDX-License-Identifier: Apache-2.0
// Heapsort over indices.
#include "plan/plan_sort.h"

static void sift_down(uint32_t *heap, uint32_t root, uint32_t count, plan_before before, const void *context) {
  uint32_t item = heap[root];
  for (;;) {
    uint32_t child = 2 * root + 1;
    if (root >= count / 2 || child >= count) break;
    if (child + 1 < count && before(context, heap[child], heap[child + 1])) child++;
    if (!before(context, item, heap[child])) break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = item;
}

void plan_sort(uint32_t *items, uint32_t count, plan_before before, const void *context) {
  for (uint32_t i = count / 2; i > 0; i--) sift_down(items, i - 1, count, before, context);
  for (uint32_t left = count; left > 1; left--) {
    uint32_t largest = items[0];
    items[0] = items[left - 1];
    items[left - 1] = largest;
    sift_down(items, 0, left - 1, before, context);
  }
}
