// SPDX-License-Identifier: Apache-2.0
// Detections out of outputs, and what is drawn from outputs, on models of the operator harness.
#include "cli_test.h"

#include <math.h>

#include "detect.h"
#include "draw.h"
#include "operators/op_harness.h"
#include "overlay.h"
#include "values.h"

static session session_of(const op_test *t) {
  session s = {.path = "test", .model = t->model, .interpreter = t->interpreter};
  s.input_count = arn_interpreter_input_count(t->interpreter);
  s.output_count = arn_interpreter_output_count(t->interpreter);
  return s;
}

// ---- A FlexBuffers map of the operator's options: all offsets and values 4 bytes wide. ----
typedef struct flex_pair {
  const char *key;  // in the order of strcmp
  bool real;
  float number;
} flex_pair;

static void put_word(uint8_t *at, uint32_t word) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(word >> 8 * i);
}

static size_t flex_map(uint8_t *to, const flex_pair *pairs, uint32_t count) {
  uint32_t keys[16], at = 0;
  for (uint32_t i = 0; i < count; i++) {
    keys[i] = at;
    memcpy(to + at, pairs[i].key, strlen(pairs[i].key) + 1);
    at += (uint32_t)strlen(pairs[i].key) + 1;
  }
  at = (at + 3) / 4 * 4;
  put_word(to + at, count);
  uint32_t vector = at += 4;
  for (uint32_t i = 0; i < count; i++, at += 4) put_word(to + at, at - keys[i]);
  put_word(to + at, at - vector);
  put_word(to + at + 4, 4);
  put_word(to + at + 8, count);
  uint32_t map = at += 12;
  for (uint32_t i = 0; i < count; i++, at += 4) {
    uint32_t bits = (uint32_t)(int32_t)pairs[i].number;
    if (pairs[i].real) memcpy(&bits, &pairs[i].number, 4);
    put_word(to + at, bits);
  }
  for (uint32_t i = 0; i < count; i++) to[at++] = (uint8_t)((pairs[i].real ? 3 : 1) << 2 | 2);
  to[at] = (uint8_t)(at - map);  // the root: an offset of one byte to a map of 4-byte words
  to[at + 1] = 9 << 2 | 2;
  to[at + 2] = 1;
  return at + 3;
}

static void post_processed_boxes(void **state) {
  (void)state;
  static const flex_pair options[] = {{"h_scale", true, 5},
                                      {"max_classes_per_detection", false, 1},
                                      {"max_detections", false, 10},
                                      {"nms_iou_threshold", true, 0.5f},
                                      {"nms_score_threshold", true, 0.01f},
                                      {"num_classes", false, 2},
                                      {"w_scale", true, 5},
                                      {"x_scale", true, 10},
                                      {"y_scale", true, 10}};
  static const float anchors[] = {0.25f, 0.5f, 0.5f, 0.2f, 0.75f, 0.25f, 0.1f, 0.1f, 0.5f, 0.5f, 1, 1};  // y, x, h, w
  static const float zeros[12] = {0}, scores[] = {0.1f, 0.2f, 0.7f, 0.1f, 0.9f, 0.1f, 0.9f, 0.05f, 0.3f};
  uint8_t flex[512];
  op_test t;
  op_test_begin(&t);
  int encodings = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 4)),
      classes = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 3, 3));
  int centres = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(3, 4), anchors), outputs[4];
  for (int i = 0; i < 4; i++) outputs[i] = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_custom(&t, "TFLite_Detection_PostProcess", 1, flex, flex_map(flex, options, sizeof options / sizeof *options),
                 OP_TENSORS(encodings, classes, centres), OP_TENSORS(outputs[0], outputs[1], outputs[2], outputs[3]));
  op_test_prepare(&t);
  arn_option_info option;
  assert_int_equal(arn_model_operator_option(t.model, 0, 0, 2, &option), ARN_OK);
  assert_string_equal(option.name, "max_detections");
  assert_true(option.kind == ARN_OPTION_INT && option.integer == 10);
  assert_int_equal(arn_model_operator_option(t.model, 0, 0, 3, &option), ARN_OK);
  assert_true(option.kind == ARN_OPTION_FLOAT && option.number == 0.5);
  assert_int_equal(arn_model_operator_option(t.model, 0, 0, 9, &option), ARN_NOT_FOUND);
  op_test_set(&t, encodings, zeros);
  op_test_set(&t, classes, scores);
  op_test_invoke(&t);
  session s = session_of(&t);
  detections found;
  assert_true(detect_read(&s, 0.5, &found));
  assert_int_equal(found.count, 2);
  assert_int_equal(found.items[0].class_number, 0);
  assert_true(fabs(found.items[0].score - 0.9) < 1e-6);
  assert_true(fabs(found.items[0].left - 0.2) < 1e-6 && fabs(found.items[0].top - 0.7) < 1e-6);
  assert_true(fabs(found.items[0].right - 0.3) < 1e-6 && fabs(found.items[0].bottom - 0.8) < 1e-6);
  assert_int_equal(found.items[1].class_number, 1);
  assert_true(fabs(found.items[1].left - 0.4) < 1e-6 && fabs(found.items[1].bottom - 0.5) < 1e-6);
  detect_free(&found);
  assert_true(detect_read(&s, 0.2, &found));
  assert_int_equal(found.count, 3);
  detect_free(&found);
  op_test_end(&t);
}

// Graph inputs that are outputs too stand for what a detector computes.
static void anchors_of_a_face_detector(void **state) {
  (void)state;
  enum { ANCHORS = 896, WIDTH = 16 };
  static float boxes[ANCHORS * WIDTH], scores[ANCHORS];
  op_test t;
  op_test_begin(&t);
  op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 128, 128, 3));
  int raw = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, ANCHORS, WIDTH)),
      logits = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, ANCHORS, 1));
  op_test_as_output(&t, raw);
  op_test_as_output(&t, logits);
  op_test_prepare(&t);
  for (int i = 0; i < ANCHORS; i++) scores[i] = -20;
  // The first grid has 16 x 16 cells of two anchors, the second 8 x 8 of six. Number 33 is cell (0, 1) of the first, number 512 +
  // 6 * 9 cell (1, 1) of the second; the one after it lies on the same cell and is suppressed.
  static const int chosen[] = {33, 512 + 6 * 9, 512 + 6 * 9 + 1};
  static const float logit[] = {3, 2, 1};
  for (int i = 0; i < 3; i++) {
    scores[chosen[i]] = logit[i];
    boxes[chosen[i] * WIDTH + 2] = 12.8f;  // a tenth of the input wide
    boxes[chosen[i] * WIDTH + 3] = 25.6f;
    boxes[chosen[i] * WIDTH + 4] = 6.4f;  // the first point
  }
  op_test_set(&t, raw, boxes);
  op_test_set(&t, logits, scores);
  op_test_invoke(&t);
  session s = session_of(&t);
  detections found;
  assert_true(detect_read(&s, 0.5, &found));
  assert_int_equal(found.count, 2);
  const detection *d = &found.items[0];
  assert_true(fabs(d->score - 1 / (1 + exp(-3))) < 1e-6);
  assert_true(fabs(d->left - (0.5 / 16 - 0.05)) < 1e-6 && fabs(d->right - (0.5 / 16 + 0.05)) < 1e-6);
  assert_true(fabs(d->top - (1.5 / 16 - 0.1)) < 1e-6);
  d = &found.items[1];
  assert_true(fabs(d->left - (1.5 / 8 - 0.05)) < 1e-6 && fabs(d->bottom - (1.5 / 8 + 0.1)) < 1e-6);
  assert_int_equal(d->point_count, 6);
  assert_true(fabs(d->points[0][0] - (1.5 / 8 + 0.05)) < 1e-6 && fabs(d->points[0][1] - 1.5 / 8) < 1e-6);
  detect_free(&found);
  op_test_end(&t);
}

// A black picture of 40 x 20 pixels, letterboxed into 20 x 20: the model sees it in rows 5..14.
static feed letterboxed(void) {
  feed f = {.kind = FEED_PICTURE, .width = 20, .height = 20, .mapping = {2, 2, 0, -10}};
  failure why;
  assert_good(image_create(40, 20, 3, &f.picture, &why), why);
  return f;
}

static image drawn(const op_test *t, overlay_kind kind, feed *picture, const overlay_options *options) {
  session s = session_of(t);
  answer_options answers = {.threshold = (double)NAN};
  char path[64];
  failure why;
  image out;
  temporary_path(path, ".png");
  assert_good(overlay_write(path, kind, &s, picture, &answers, options, &why), why);
  assert_good(image_read(path, &out, &why), why);
  remove(path);
  return out;
}

static bool black(const image *in, int x, int y) {
  const uint8_t *pixel = in->pixels + (y * in->width + x) * 3;
  return pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 0;
}

static void masks_and_heat_maps(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int map = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2, 2, 2));  // channel 1 wins in the upper left quarter only
  op_test_as_output(&t, map);
  op_test_prepare(&t);
  static const float scores[] = {0, 1, 1, 0, 1, 0, 1, 0};
  op_test_set(&t, map, scores);
  op_test_invoke(&t);
  feed picture = letterboxed();
  overlay_options options = {.output = -1, .channel = 1};
  image mask = drawn(&t, OVERLAY_MASK, &picture, &options);
  assert_false(black(&mask, 0, 0));  // rows 0..9 of the picture are rows 5..9 of the input: the upper half of the map
  assert_false(black(&mask, 19, 9));
  assert_true(black(&mask, 20, 9));
  assert_true(black(&mask, 19, 10));
  image_free(&mask);
  image heat = drawn(&t, OVERLAY_HEATMAP, &picture, &options);
  const uint8_t *hot = heat.pixels + (0 * 40 + 0) * 3, *cold = heat.pixels + (9 * 40 + 39) * 3;
  assert_true(hot[0] > hot[2] && cold[2] > cold[0]);  // red where it is largest, blue where it is least
  image_free(&heat);
  image_free(&picture.picture);
  op_test_end(&t);
}

static void body_points(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int points = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 17, 3));
  op_test_as_output(&t, points);
  op_test_prepare(&t);
  float values[17 * 3] = {0.5f, 0.25f, 0.9f};  // the nose at (0.25, 0.5) of the input; the others have no score
  op_test_set(&t, points, values);
  op_test_invoke(&t);
  feed picture = letterboxed();
  overlay_options options = {.output = -1, .channel = -1};
  image out = drawn(&t, OVERLAY_POINTS, &picture, &options);
  assert_false(black(&out, 10, 10));  // (0.25 * 20) * 2, (0.5 * 20) * 2 - 10
  assert_true(black(&out, 20, 10) && black(&out, 10, 1) && black(&out, 0, 0));
  image_free(&out);
  session s = session_of(&t);
  answer_options answers = {.threshold = (double)NAN};
  failure why;
  assert_refused(overlay_write("/tmp/x.png", OVERLAY_BOXES, &s, &picture, &answers, &options, &why), why, "known as boxes");
  image_free(&picture.picture);
  op_test_end(&t);
}

static void best_classes(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int scores = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 5));
  op_test_as_output(&t, scores);
  op_test_prepare(&t);
  static const float values[] = {0.5f, -1, NAN, 2, 0.5f};
  op_test_set(&t, scores, values);
  op_test_invoke(&t);
  session s = session_of(&t);
  answer_class best[5];
  assert_int_equal(answer_class_output(&s), 0);
  assert_int_equal(answer_best(session_output(&s, 0), 3, best), 3);
  assert_true(best[0].class_number == 3 && best[1].class_number == 0 && best[2].class_number == 4);
  assert_int_equal(answer_best(session_output(&s, 0), 5, best), 4);  // NaN is no score
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(post_processed_boxes), cmocka_unit_test(anchors_of_a_face_detector),
      cmocka_unit_test(masks_and_heat_maps),  cmocka_unit_test(body_points),
      cmocka_unit_test(best_classes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
