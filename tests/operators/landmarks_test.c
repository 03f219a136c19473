// SPDX-License-Identifier: Apache-2.0
// MediaPipe's operators around landmarks: points, images and matrices worked out by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "operators/flex_build.h"
#include "operators/op_harness.h"

static op_test t;
static uint8_t options[FLEX_BUILD_ROOM];

// x' = 2 x + 1, y' = 5 - y.
static const float matrix[16] = {2, 0, 0, 1, 0, -1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 1};
// x' = x + 10 y - 1, y' = x / 2 + 3.
static const float skew[16] = {1, 10, 0, -1, 0.5f, 0, 0, 3};

static void move_points(int version, size_t size, op_test_list dims, const float *map, const float *in, const float *out,
                        size_t count) {
  op_test_begin(&t);
  int points = op_test_input(&t, TensorType_FLOAT32, dims), m = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 4));
  int y = op_test_output(&t, TensorType_FLOAT32, dims);
  op_test_custom(&t, "TransformLandmarks", version, options, size, OP_TENSORS(points, m), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, points, in);
  op_test_set(&t, m, map);
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, out, count, 0);
  op_test_end(&t);
}

static void points_are_moved(void **state) {
  (void)state;
  static const float in[] = {1, 2, 3, 4, -5, 6};
  move_points(2, 0, OP_DIMS(1, 3, 2), matrix, in, (float[]){3, 3, 7, 1, -9, -1}, 6);
  move_points(2, 0, OP_DIMS(1, 2, 3), matrix, in, (float[]){3, 3, 3, 9, 10, 6}, 6);
  move_points(2, 0, OP_DIMS(1, 3, 2), skew, in, (float[]){20, 3.5f, 42, 4.5f, 54, 0.5f}, 6);
  size_t size = FLEX_BUILD(options, FLEX_I("dimensions", 2), FLEX_F("scale", 10));
  move_points(1, size, OP_DIMS(1, 1, 1, 6), matrix, in, (float[]){12, 48, 16, 46, 0, 44}, 6);
  size = FLEX_BUILD(options, FLEX_I("dimensions", 3));
  move_points(1, size, OP_DIMS(1, 2, 1, 3), matrix, in, (float[]){3, 3, 3, 9, 10, 6}, 6);
}

static void points_that_are_refused(void **state) {
  (void)state;
  struct {
    op_test_list dims, matrix;
    size_t size;
    const char *text;
  } cases[] = {
      {OP_DIMS(1, 2, 4), OP_DIMS(1, 4, 4), 0, "4 dimensions"},
      {OP_DIMS(2, 2), OP_DIMS(1, 4, 4), 0, "rank 2"},
      {OP_DIMS(1, 2, 2), OP_DIMS(1, 3, 4), 0, "12 elements"},
      {OP_DIMS(1, 1, 1, 4), OP_DIMS(1, 4, 4), 0, "4 numbers are not landmarks of 3"},
      {OP_DIMS(1, 1, 1, 4), OP_DIMS(1, 4, 4), FLEX_BUILD(options, FLEX_I("dimensions", 2), FLEX_F("scale", 0)), "scale is 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    op_test_begin(&t);
    int points = op_test_input(&t, TensorType_FLOAT32, cases[i].dims), m = op_test_input(&t, TensorType_FLOAT32, cases[i].matrix);
    int y = op_test_output(&t, TensorType_FLOAT32, cases[i].dims);
    op_test_custom(&t, "TransformLandmarks", 1, options, cases[i].size, OP_TENSORS(points, m), OP_TENSORS(y));
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

// An image of 2 x 3 pixels of two channels, the second ten times the first, is sampled to 2 x 2.
static void sample(const char *name, int version, size_t size, const float *map, const float *out) {
  static const float image[] = {1, 10, 2, 20, 3, 30, 5, 50, 6, 60, 7, 70};
  float both[8];
  for (int i = 0; i < 4; i++) both[2 * i] = out[i], both[2 * i + 1] = 10 * out[i];
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 2, 3, 2)), m = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 4));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 2, 2, 2));
  op_test_custom(&t, name, version, options, size, OP_TENSORS(x, m), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, image);
  op_test_set(&t, m, map);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(1, 2, 2, 2));
  op_test_expect_f32(&t, y, both, 8, 1e-6f);
  op_test_end(&t);
}

static void images_are_sampled(void **state) {
  (void)state;
  static const float same[16] = {1, 0, 0, 0, 0, 1, 0, 0}, half[16] = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0},
                     twice[16] = {2, 0, 0, 0, 0, 1, 0, 0}, turned[16] = {0, 1, 0, 1, 1, 0, 0, 0},
                     nowhere[16] = {1, 0, 0, NAN, 0, 1, 0, INFINITY}, last[16] = {0, 0, 0, 2, 0, 0, 0, 1};
  size_t size = FLEX_BUILD(options, FLEX_LIST("output_size", 2, 2), FLEX_TEXT("mode", "bilinear"));
  sample("TransformTensor", 1, size, same, (float[]){1, 2, 5, 6});
  sample("TransformTensor", 1, size, half, (float[]){1, 1.5f, 3, 3.5f});
  sample("TransformTensor", 1, size, twice, (float[]){1, 3, 5, 7});
  sample("TransformTensor", 1, size, turned, (float[]){2, 6, 3, 7});  // x' = y + 1, y' = x
  sample("TransformTensor", 1, size, last, (float[]){7, 7, 7, 7});
  sample("TransformTensor", 1, size, nowhere, (float[]){0, 0, 0, 0});
  size = FLEX_BUILD(options, FLEX_I("output_height", 2), FLEX_I("output_width", 2));
  sample("TransformTensorBilinear", 2, size, same, (float[]){1, 2, 5, 6});
  sample("TransformTensorBilinear", 2, size, half, (float[]){0, 0, 0, 2.25f});     // -0.25 is outside; 1 + 0.25 + 4 * 0.25
  sample("TransformTensorBilinear", 2, size, twice, (float[]){1.5f, 0, 5.5f, 0});  // 0.5, and 2.5 is outside
}

static void images_that_are_refused(void **state) {
  (void)state;
  struct {
    const char *name, *text;
    op_test_list dims;
    size_t size;
  } cases[] = {
      {"TransformTensorBilinear", "0 x 0", OP_DIMS(1, 2, 2, 1), 0},
      {"TransformTensorBilinear", "not [1, rows", OP_DIMS(2, 2, 2, 1), 0},
      {"TransformTensor", "not bilinear", OP_DIMS(1, 2, 2, 1), 1},
      {"TransformTensor", "0 x 0", OP_DIMS(1, 2, 2, 1), 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t size = cases[i].size ? FLEX_BUILD(options, FLEX_TEXT("mode", "nearest")) : 0;
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, cases[i].dims), m = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 4));
    int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 1, 1));
    op_test_custom(&t, cases[i].name, i < 2 ? 2 : 1, options, size, OP_TENSORS(x, m), OP_TENSORS(y));
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

// Landmarks: two corners of a box, and the ends of two lines, to the right and downwards.
static const float landmarks[] = {10, 10, 7, 30, 50, 7, 10, 20, 7, 30, 20, 7, 20, 10, 7, 20, 30, 7};

static void crop(int version, size_t size, const float *out) {
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, version == 1 ? OP_DIMS(1, 1, 1, 18) : OP_DIMS(1, 6, 3));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 4));
  op_test_custom(&t, "Landmarks2TransformMatrix", version, options, size, OP_TENSORS(x), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, landmarks);
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, out, 16, 1e-5f);
  op_test_end(&t);
}

static void boxes_become_matrices(void **state) {
  (void)state;
  // The box is 20 x 40 around (20, 30); 2 x 4 a pixel.
  size_t size =
      FLEX_BUILD(options, FLEX_LIST("subset_idxs", 0, 1, 2), FLEX_I("left_rotation_idx", 2), FLEX_I("right_rotation_idx", 3),
                 FLEX_I("output_width", 10), FLEX_I("output_height", 10), FLEX_F("scale_x", 1), FLEX_F("scale_y", 1));
  crop(2, size, (float[]){2, 0, 0, 10, 0, 4, 0, 10, 0, 0, 1, 0, 0, 0, 0, 1});
  // Along the line downwards: the picture's x axis is the plane's y axis.
  size = FLEX_BUILD(options, FLEX_LIST("subset_idxs", 0, 1), FLEX_I("left_rotation_idx", 4), FLEX_I("right_rotation_idx", 5),
                    FLEX_I("output_width", 10), FLEX_I("output_height", 20), FLEX_F("scale_x", 1), FLEX_F("scale_y", 2));
  crop(2, size, (float[]){0, -2, 0, 40, 4, 0, 0, 10, 0, 0, 1, 0, 0, 0, 0, 1});
  // Back upright by the target.
  size = FLEX_BUILD(options, FLEX_LIST("subset_idxs", 0, 1), FLEX_I("left_rotation_idx", 4), FLEX_I("right_rotation_idx", 5),
                    FLEX_I("output_width", 10), FLEX_I("output_height", 10), FLEX_F("scale_x", 1), FLEX_F("scale_y", 1),
                    FLEX_F("target_rotation_radians", 1.5707963267948966));
  crop(2, size, (float[]){2, 0, 0, 10, 0, 4, 0, 10, 0, 0, 1, 0, 0, 0, 0, 1});
  // Version 1: of an image of 101 x 201 pixels, 100 units each way.
  size = FLEX_BUILD(options, FLEX_LIST("subset", 0, 1), FLEX_I("left_rotation_idx", 2), FLEX_I("right_rotation_idx", 3),
                    FLEX_I("dimensions", 3), FLEX_I("landmarks_range", 100), FLEX_F("bbox_size_multiplier", 1.5),
                    FLEX_LIST("input_hw", 101, 201), FLEX_LIST("output_hw", 11, 21));
  crop(1, size, (float[]){3, 0, 0, 10, 0, 6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
}

static void boxes_that_are_refused(void **state) {
  (void)state;
  struct {
    int left, width;
    float scale;
    flex_entry subset;
    const char *text;
  } cases[] = {
      {6, 10, 1, FLEX_LIST("subset_idxs", 0, 1), "landmark 6 of 6"},
      {-1, 10, 1, FLEX_LIST("subset_idxs", 0, 1), "landmark -1 of 6"},
      {0, 10, 1, FLEX_LIST("subset_idxs", 0, 1 << 30), "landmark 1073741824 of 6"},
      {0, 10, 1, FLEX_I("subset_idxs", 1), "the subset is empty"},
      {0, 0, 1, FLEX_LIST("subset_idxs", 0, 1), "10 x 0 pixels"},
      {0, 10, 0, FLEX_LIST("subset_idxs", 0, 1), "scaled by 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t size = FLEX_BUILD(options, cases[i].subset, FLEX_I("left_rotation_idx", cases[i].left),
                             FLEX_I("right_rotation_idx", 3), FLEX_I("output_width", cases[i].width), FLEX_I("output_height", 10),
                             FLEX_F("scale_x", cases[i].scale), FLEX_F("scale_y", 1));
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 6, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 4));
    op_test_custom(&t, "Landmarks2TransformMatrix", 2, options, size, OP_TENSORS(x), OP_TENSORS(y));
    op_test_expect_refusal(&t, cases[i].text);
    op_test_end(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_moved),      cmocka_unit_test(points_that_are_refused),
      cmocka_unit_test(images_are_sampled),    cmocka_unit_test(images_that_are_refused),
      cmocka_unit_test(boxes_become_matrices), cmocka_unit_test(boxes_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
