// SPDX-License-Identifier: Apache-2.0
// kernels/nms: overlaps by hand, sorting against a count of what comes before, suppression against its definition.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/nms.h"

static uint64_t seed = 31415926;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static void overlap(void **state) {
  (void)state;
  const float a[4] = {0, 0, 2, 2}, b[4] = {1, 1, 3, 3}, flipped[4] = {3, 3, 1, 1}, empty[4] = {1, 1, 1, 2}, far[4] = {5, 5, 6, 6};
  assert_true(fabsf(nms_iou(a, b) - 1.0f / 7) < 1e-7f);
  assert_true(nms_iou(a, b) == nms_iou(a, flipped));
  assert_true(nms_iou(a, a) == 1.0f);
  assert_true(nms_iou(a, empty) == 0 && nms_iou(a, far) == 0);
}

static void sorting_is_by_falling_score_then_number(void **state) {
  (void)state;
  for (size_t n = 0; n < 70; n++) {
    float values[70] = {0};
    int32_t numbers[70];
    for (size_t i = 0; i < n; i++) values[i] = (float)draw(10), numbers[i] = (int32_t)(n - 1 - i);
    nms_sort(values, numbers, n);
    for (size_t i = 0; i < n; i++) {
      size_t before = 0;
      for (size_t j = 0; j < n; j++) before += values[j] > values[i] || (values[j] == values[i] && j < i);
      assert_int_equal(numbers[before], i);
    }
  }
}

enum { N = 40 };
static float boxes[N][4], scores[N];
static void random_boxes(bool ties) {
  for (int i = 0; i < N; i++) {
    float y = (float)draw(1000) / 200, x = (float)draw(1000) / 200;
    boxes[i][0] = y, boxes[i][1] = x, boxes[i][2] = y + 0.5f + (float)draw(100) / 50,
    boxes[i][3] = x + 0.5f + (float)draw(100) / 50;
    scores[i] = ties ? (float)draw(5) : (float)(draw(32768) * 64 + (uint32_t)i) / (32768 * 64);  // all different
  }
}

// The definition: again and again the best remaining box (the first of equal ones), which drops those that overlap it.
static void greedy_follows_the_definition(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    random_boxes(round & 1);
    float threshold = 0.1f + (float)draw(8) / 10, least = round & 1 ? 1.0f : 0.2f;
    size_t max = 1 + draw(N);
    int32_t order[N], selected[N];
    uint8_t active[N];
    size_t count = nms_greedy(&boxes[0][0], scores, N, least, threshold, max, order, active, selected), expected = 0;
    bool gone[N] = {false};
    while (expected < max) {
      int best = -1;
      for (int i = 0; i < N; i++)
        if (!gone[i] && scores[i] >= least && (best < 0 || scores[i] > scores[best])) best = i;
      if (best < 0) break;
      assert_true(expected < count && selected[expected] == best);
      expected++;
      for (int i = 0; i < N; i++) gone[i] = gone[i] || i == best || nms_iou(boxes[i], boxes[best]) > threshold;
    }
    assert_int_equal(count, expected);
  }
}

static void soft_without_sigma_is_hard(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    random_boxes(false);
    nms_candidate heap[N];
    int32_t order[N], selected[N], greedy[N];
    uint8_t active[N];
    float out[N];
    size_t count = nms_soft(&boxes[0][0], scores, N, 0.1f, 0.41234f, 0, N, heap, selected, out);
    // iou >= threshold here and > there: the boxes lie on a grid on which no overlap is 0.41234.
    assert_int_equal(nms_greedy(&boxes[0][0], scores, N, 0.1f, 0.41234f, N, order, active, greedy), count);
    for (size_t i = 0; i < count; i++) assert_true(selected[i] == greedy[i] && out[i] == scores[greedy[i]]);
  }
}

// Two boxes with an overlap of 1/3: the second score is lowered by exp(-(1/9) / (2 * 0.5)).
static void soft_lowers_scores(void **state) {
  (void)state;
  const float pair[2][4] = {{0, 0, 2, 2}, {1, 0, 3, 2}}, pair_scores[2] = {0.9f, 0.8f};
  nms_candidate heap[2];
  int32_t selected[2];
  float out[2];
  assert_int_equal(nms_soft(&pair[0][0], pair_scores, 2, 0.0f, 1.0f, 0.5f, 2, heap, selected, out), 2);
  assert_int_equal(selected[0], 0);
  assert_int_equal(selected[1], 1);
  assert_true(out[0] == 0.9f && fabsf(out[1] - 0.8f * expf(-1.0f / 9)) < 1e-6f);
  assert_int_equal(nms_soft(&pair[0][0], pair_scores, 2, 0.75f, 1.0f, 0.5f, 2, heap, selected, out), 1);
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlap),
      cmocka_unit_test(sorting_is_by_falling_score_then_number),
      cmocka_unit_test(greedy_follows_the_definition),
      cmocka_unit_test(soft_without_sigma_is_hard),
      cmocka_unit_test(soft_lowers_scores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
