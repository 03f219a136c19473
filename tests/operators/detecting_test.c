// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess and NON_MAX_SUPPRESSION: three boxes, two of which overlap.
#include <math.h>

#include "operators/flex_build.h"
#include "operators/op_cases.h"

static op_test t;
static uint8_t options[FLEX_BUILD_ROOM];

// y, x, h, w: the first two share half of their areas.
static const float anchors[] = {0.5f, 0.5f, 1, 1, 0.5f, 1, 1, 1, 5, 5, 1, 1};
// Background, then two classes.
static const float class_scores[] = {0.99f, 0.9f, 0.1f, 0.99f, 0.7f, 0.6f, 0.99f, 0, 0.8f};
static const float corners[3][4] = {{0, 0, 1, 1}, {0, 0.5f, 1, 1.5f}, {4.5f, 4.5f, 5.5f, 5.5f}};

typedef struct found {
  int box, label;
  float score;
} found;

// Expects these detections, then nothing, in `slots` places.
static void expect(const int *y, int slots, const found *f, int count) {
  float boxes[32] = {0}, labels[8] = {0}, scores[8] = {0}, n = (float)count;
  for (int i = 0, k = 0; i < count; k++) {
    if (f[k].box < 0) continue;  // an empty place
    memcpy(boxes + 4 * k, corners[f[k].box], sizeof corners[0]);
    labels[k] = (float)f[k].label, scores[k] = f[k].score;
    i++;
  }
  op_test_expect_dims(&t, y[0], OP_DIMS(1, slots, 4));
  op_test_expect_f32(&t, y[0], boxes, (size_t)slots * 4, 1e-6f);
  op_test_expect_f32(&t, y[1], labels, (size_t)slots, 0);
  op_test_expect_f32(&t, y[2], scores, (size_t)slots, 1e-6f);
  op_test_expect_f32(&t, y[3], &n, 1, 0);
}

static void describe(enum TensorType type, size_t size, int *x, int *y) {
  op_test_begin(&t);
  x[0] = op_test_input(&t, type, OP_DIMS(1, 3, 4));
  x[1] = op_test_input(&t, type, OP_DIMS(1, 3, 3));
  x[2] = op_test_input(&t, type, OP_DIMS(3, 4));
  for (int i = 0; i < 4; i++) y[i] = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_custom(&t, "TFLite_Detection_PostProcess", 1, options, size, OP_TENSORS(x[0], x[1], x[2]),
                 OP_TENSORS(y[0], y[1], y[2], y[3]));
}

#define SCALES FLEX_F("y_scale", 10), FLEX_F("x_scale", 10), FLEX_F("h_scale", 5), FLEX_F("w_scale", 5), FLEX_I("num_classes", 2)

static void detect(size_t size, const float *encodings, const float *scores, int *y) {
  int x[3];
  describe(TensorType_FLOAT32, size, x, y);
  op_test_prepare(&t);
  op_test_set(&t, x[0], encodings);
  op_test_set(&t, x[1], scores);
  op_test_set(&t, x[2], anchors);
  op_test_invoke(&t);
}

static void one_class_a_box(void **state) {
  (void)state;
  static const float still[12];
  int y[4];
  size_t size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 3), FLEX_I("max_classes_per_detection", 1),
                           FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.3));
  detect(size, still, class_scores, y);  // the second box is suppressed
  expect(y, 3, (found[]){{0, 0, 0.9f}, {2, 1, 0.8f}}, 2);
  op_test_end(&t);
  size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 3), FLEX_I("max_classes_per_detection", 1),
                    FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.4));
  detect(size, still, class_scores, y);  // a third is no longer too much
  expect(y, 3, (found[]){{0, 0, 0.9f}, {2, 1, 0.8f}, {1, 0, 0.7f}}, 3);
  op_test_end(&t);
  size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 2), FLEX_I("max_classes_per_detection", 1),
                    FLEX_F("nms_score_threshold", 0.85), FLEX_F("nms_iou_threshold", 0.4));
  detect(size, still, class_scores, y);
  expect(y, 2, (found[]){{0, 0, 0.9f}}, 1);
  op_test_end(&t);
}

static void two_classes_a_box(void **state) {
  (void)state;
  static const float still[12];
  int y[4];
  size_t size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 2), FLEX_I("max_classes_per_detection", 2),
                           FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.3));
  detect(size, still, class_scores, y);
  float n = 2;
  op_test_expect_f32(&t, y[1], (float[]){0, 1, 1, 0}, 4, 0);
  op_test_expect_f32(&t, y[2], (float[]){0.9f, 0.1f, 0.8f, 0}, 4, 0);
  op_test_expect_f32(&t, y[3], &n, 1, 0);
  op_test_end(&t);
}

static void suppression_by_class(void **state) {
  (void)state;
  static const float still[12];
  int y[4];
  size_t size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 4), FLEX_I("max_classes_per_detection", 1),
                           FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.3), FLEX_B("use_regular_nms", 1),
                           FLEX_I("detections_per_class", 2));
  detect(size, still, class_scores, y);  // in the second class the second box wins over the first
  expect(y, 4, (found[]){{0, 0, 0.9f}, {2, 1, 0.8f}, {1, 1, 0.6f}}, 3);
  op_test_end(&t);
  size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 4), FLEX_I("max_classes_per_detection", 1),
                    FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.3), FLEX_B("use_regular_nms", 1),
                    FLEX_I("detections_per_class", 1));
  detect(size, still, class_scores, y);
  expect(y, 4, (found[]){{0, 0, 0.9f}, {2, 1, 0.8f}}, 2);
  op_test_end(&t);
}

static void boxes_are_decoded(void **state) {
  (void)state;
  // The first box moves by a tenth of its height and doubles its width.
  const float moved[12] = {1, 0, 0, 5 * logf(2)};
  static const float alone[9] = {0, 0.9f};
  int y[4];
  size_t size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 1), FLEX_I("max_classes_per_detection", 1),
                           FLEX_F("nms_score_threshold", 0.5), FLEX_F("nms_iou_threshold", 0.5));
  detect(size, moved, alone, y);
  op_test_expect_f32(&t, y[0], (float[]){0.1f, -0.5f, 1.1f, 1.5f}, 4, 1e-6f);
  op_test_end(&t);
}

static void bytes(void **state) {
  (void)state;
  uint8_t still[12], levels[9], places[12];
  memset(still, 100, sizeof still);
  for (int i = 0; i < 9; i++) levels[i] = (uint8_t)(class_scores[i] * 100 + 20.5f);
  for (int i = 0; i < 12; i++) places[i] = (uint8_t)(anchors[i] * 2 + 3);
  int x[3], y[4];
  size_t size = FLEX_BUILD(options, SCALES, FLEX_I("max_detections", 3), FLEX_I("max_classes_per_detection", 1),
                           FLEX_F("nms_score_threshold", 0.05), FLEX_F("nms_iou_threshold", 0.3));
  describe(TensorType_UINT8, size, x, y);
  op_test_quantize(&t, x[0], 1.0f, 100);
  op_test_quantize(&t, x[1], 0.01f, 20);
  op_test_quantize(&t, x[2], 0.5f, 3);
  op_test_prepare(&t);
  op_test_set(&t, x[0], still);
  op_test_set(&t, x[1], levels);
  op_test_set(&t, x[2], places);
  op_test_invoke(&t);
  expect(y, 3, (found[]){{0, 0, 0.9f}, {2, 1, 0.8f}}, 2);
  op_test_end(&t);
}

static void what_is_refused(void **state) {
  (void)state;
  struct {
    int detections, classes_per, classes, regular, per_class;
    float iou;
    const char *text;
  } cases[] = {
      {-1, 1, 2, 0, 1, 0.5f, "max_detections -1"},
      {3, 0, 2, 0, 1, 0.5f, "max_classes_per_detection 0"},
      {1 << 30, 4, 2, 0, 1, 0.5f, "too many detections"},
      {3, 1, 2, 0, 1, 0, "nms_iou_threshold 0"},
      {3, 1, 4, 0, 1, 0.5f, "of 3 classes, num_classes is 4"},
      {3, 1, 1, 0, 1, 0.5f, "of 3 classes, num_classes is 1"},
      {3, 1, 2, 1, 0, 0.5f, "detections_per_class 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int x[3], y[4];
    size_t size = FLEX_BUILD(options, FLEX_I("num_classes", cases[i].classes), FLEX_I("max_detections", cases[i].detections),
                             FLEX_I("max_classes_per_detection", cases[i].classes_per), FLEX_F("nms_iou_threshold", cases[i].iou),
                             FLEX_B("use_regular_nms", cases[i].regular), FLEX_I("detections_per_class", cases[i].per_class));
    describe(TensorType_FLOAT32, size, x, y);
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

// ---- NON_MAX_SUPPRESSION: corners y1, x1, y2, x2; the first two overlap by a third, the last two wholly. ----
#define BOXES ARG_F(ARG_D(4, 4), 0, 0, 1, 1, 0, 0.5f, 1, 1.5f, 4, 4, 5, 5, 5, 5, 4, 4)
#define SCORES ARG_F(ARG_D(4), 0.5f, 1, 0.75f, 0.875f)
#define F(value) ARG_F(ARG_SCALAR, value)

static const op_case nms_cases[] = {
    {.name = "hard",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, 4), F(0.25f), F(0)},
     .out = {ARG_I32(ARG_D(4), 1, 3, 0, 0), ARG_I32(ARG_SCALAR, 2)}},
    {.name = "less overlap than the threshold",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, 3), F(0.5f), F(0.25f)},
     .out = {ARG_I32(ARG_D(3), 1, 3, 0), ARG_I32(ARG_SCALAR, 3)}},
    {.name = "lower scores than the threshold",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, 2), F(0.5f), F(0.9f)},
     .out = {ARG_I32(ARG_D(2), 1, 0), ARG_I32(ARG_SCALAR, 1)}},
    {.name = "soft, with no sigma",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V5,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, 4), F(0.25f), F(0), F(0)},
     .out = {ARG_I32(ARG_D(4), 1, 3, 0, 0), ARG_F(ARG_D(4), 1, 0.875f, 0, 0), ARG_I32(ARG_SCALAR, 2)}},
    {.name = "a negative number of boxes",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, -1), F(0.5f), F(0)},
     .out = {ARG_I32(ARG_D(2), 0), ARG_I32(ARG_SCALAR, 0)},
     .refusal = "max_output_size is -1"},
    {.name = "scores of other boxes",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, ARG_F(ARG_D(2), 1, 1), ARG_C_I32(ARG_SCALAR, 1), F(0.5f), F(0)},
     .out = {ARG_I32(ARG_D(2), 0), ARG_I32(ARG_SCALAR, 0)},
     .refusal = "scores are not [4]"},
    {.name = "a list of thresholds",
     .code = BuiltinOperator_NON_MAX_SUPPRESSION_V4,
     .in = {BOXES, SCORES, ARG_C_I32(ARG_SCALAR, 1), ARG_F(ARG_D(1), 0.5f), F(0)},
     .out = {ARG_I32(ARG_D(2), 0), ARG_I32(ARG_SCALAR, 0)},
     .refusal = "iou_threshold is not a scalar"},
};
OP_CASES_TEST(nms_cases)

// Half a sigma: a box that overlaps a selected one by half keeps exp(-1/4) of its score, one that overlaps by a third exp(-1/9).
static void soft_suppression(void **state) {
  (void)state;
  static const float boxes[] = {0, 0, 1, 1, 0, 0.5f, 1, 1.5f, 4, 4, 5, 5, 5, 4.5f, 4, 4}, scores[] = {0.5f, 1, 0.75f, 0.875f};
  static const float thresholds[] = {1, 0, 0.5f};
  static const int32_t most = 4, order[] = {1, 3, 2, 0}, four = 4;
  op_test_begin(&t);
  int x[6] = {op_test_input(&t, TensorType_FLOAT32, OP_DIMS(4, 4)), op_test_input(&t, TensorType_FLOAT32, OP_DIMS(4)),
              op_test_constant(&t, TensorType_INT32, OP_SCALAR, &most)};
  for (int i = 0; i < 3; i++) x[3 + i] = op_test_constant(&t, TensorType_FLOAT32, OP_SCALAR, &thresholds[i]);
  int y[3] = {op_test_output(&t, TensorType_INT32, OP_DIMS(4)), op_test_output(&t, TensorType_FLOAT32, OP_DIMS(4)),
              op_test_output(&t, TensorType_INT32, OP_SCALAR)};
  op_test_node(&t, BuiltinOperator_NON_MAX_SUPPRESSION_V5, 1, OP_TENSORS(x[0], x[1], x[2], x[3], x[4], x[5]),
               OP_TENSORS(y[0], y[1], y[2]));
  op_test_prepare(&t);
  op_test_set(&t, x[0], boxes);
  op_test_set(&t, x[1], scores);
  op_test_invoke(&t);
  op_test_expect_i32(&t, y[0], order, 4);
  op_test_expect_f32(&t, y[1], (float[]){1, 0.875f, 0.75f * expf(-0.25f), 0.5f * expf(-1.0f / 9)}, 4, 1e-6f);
  op_test_expect_i32(&t, y[2], &four, 1);
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_class_a_box),
      cmocka_unit_test(two_classes_a_box),
      cmocka_unit_test(suppression_by_class),
      cmocka_unit_test(boxes_are_decoded),
      cmocka_unit_test(bytes),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(nms_cases_hold),
      cmocka_unit_test(soft_suppression),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
