// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR: every kind of coordinates on rows short enough to work out by hand.
#include "operators/op_cases.h"

static fb_ref bilinear_options(fb_builder *b, const void *data) {
  const bool *flags = data;  // align_corners, half_pixel_centers
  fb_build_table(b);
  fb_build_bool(b, ResizeBilinearOptions_align_corners_id, flags[0], false);
  fb_build_bool(b, ResizeBilinearOptions_half_pixel_centers_id, flags[1], false);
  return fb_build_table_end(b);
}
static fb_ref nearest_options(fb_builder *b, const void *data) {
  const bool *flags = data;
  fb_build_table(b);
  fb_build_bool(b, ResizeNearestNeighborOptions_align_corners_id, flags[0], false);
  fb_build_bool(b, ResizeNearestNeighborOptions_half_pixel_centers_id, flags[1], false);
  return fb_build_table_end(b);
}
#define BILINEAR(corners, centers)                                                                             \
  .code = BuiltinOperator_RESIZE_BILINEAR, .version = 3, .options_type = BuiltinOptions_ResizeBilinearOptions, \
  .options = bilinear_options, .options_data = (const bool[2]) {                                               \
    corners, centers                                                                                           \
  }
#define NEAREST(corners, centers)                                                                                             \
  .code = BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, .version = 3, .options_type = BuiltinOptions_ResizeNearestNeighborOptions, \
  .options = nearest_options, .options_data = (const bool[2]) {                                                               \
    corners, centers                                                                                                          \
  }
#define SIZE(height, width) ARG_C_I32(ARG_D(2), height, width)
#define A_ROW(n) ARG_D(1, 1, n, 1)

static const op_case bilinear_cases[] = {
    {.name = "twice as wide",
     BILINEAR(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), SIZE(1, 4)},
     .out = {ARG_F(A_ROW(4), 1, 2, 3, 3)}},
    {.name = "corners stay", BILINEAR(true, false), .in = {ARG_F(A_ROW(2), 1, 3), SIZE(1, 3)}, .out = {ARG_F(A_ROW(3), 1, 2, 3)}},
    {.name = "centres of pixels",
     BILINEAR(false, true),
     .in = {ARG_F(A_ROW(2), 1, 3), SIZE(1, 4)},
     .out = {ARG_F(A_ROW(4), 1, 1.5f, 2.5f, 3)}},
    {.name = "half as wide and high, two images of two channels",
     BILINEAR(false, false),
     .in = {ARG_F(ARG_D(2, 2, 2, 2), 1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60, 7, 70, 8, 80), SIZE(1, 1)},
     .out = {ARG_F(ARG_D(2, 1, 1, 2), 1, 10, 5, 50)}},
    {.name = "the same, around centres",
     BILINEAR(false, true),
     .in = {ARG_F(ARG_D(2, 2, 2, 2), 1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60, 7, 70, 8, 80), SIZE(1, 1)},
     .out = {ARG_F(ARG_D(2, 1, 1, 2), 2.5f, 25, 6.5f, 65)}},
    {.name = "both ways",
     BILINEAR(true, false),
     .in = {ARG_F(ARG_D(1, 2, 2, 1), 0, 2, 4, 6), SIZE(3, 3)},
     .out = {ARG_F(ARG_D(1, 3, 3, 1), 0, 1, 2, 2, 3, 4, 4, 5, 6)}},
    {.name = "to one pixel with corners",
     BILINEAR(true, false),
     .in = {ARG_F(A_ROW(3), 7, 8, 9), SIZE(1, 1)},
     .out = {ARG_F(A_ROW(1), 7)}},
    {.name = "uint8",
     BILINEAR(false, false),
     .in = {ARG_U8(A_ROW(2), 0, 254), SIZE(1, 4)},
     .out = {ARG_U8(A_ROW(4), 0, 127, 254, 254)}},
    {.name = "int8, halves away from zero",
     BILINEAR(false, false),
     .in = {ARG_I8(ARG_D(1, 1, 2, 3), -4, 1, -1, 2, 2, -2), SIZE(1, 4)},
     .out = {ARG_I8(ARG_D(1, 1, 4, 3), -4, 1, -1, -1, 2, -2, 2, 2, -2, 2, 2, -2)}},
    {.name = "int16",
     BILINEAR(false, true),
     .in = {ARG_I16(A_ROW(2), -32768, 32764), SIZE(1, 4)},
     .out = {ARG_I16(A_ROW(4), -32768, -16385, 16381, 32764)}},
    {.name = "no channels",
     BILINEAR(false, false),
     .in = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(1, 2, 2, 0)), SIZE(3, 3)},
     .out = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(1, 3, 3, 0))},
     .as_given = true},
    {.name = "both kinds of coordinates",
     BILINEAR(true, true),
     .in = {ARG_F(A_ROW(2), 1, 3), SIZE(1, 4)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "exclude each other"},
    {.name = "to nothing",
     BILINEAR(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), SIZE(0, 4)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "0 x 4"},
    {.name = "to nothing, known late",
     BILINEAR(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), ARG_I32(ARG_D(2), 0, 0)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "0 x 0"},
    {.name = "from nothing",
     BILINEAR(false, false),
     .in = {ARG_EMPTY(TensorType_FLOAT32, ARG_D(1, 0, 2, 1)), SIZE(2, 2)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "image of 0 x 2"},
    {.name = "three dimensions",
     BILINEAR(false, false),
     .in = {ARG_F(ARG_D(1, 2, 1), 1, 3), SIZE(1, 4)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "rank 3"},
    {.name = "three sizes",
     BILINEAR(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), ARG_C_I32(ARG_D(3), 1, 2, 3)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "not a pair"},
};

static const op_case nearest_cases[] = {
    {.name = "twice as wide",
     NEAREST(false, false),
     .in = {ARG_F(A_ROW(2), 1, 2), SIZE(1, 4)},
     .out = {ARG_F(A_ROW(4), 1, 1, 2, 2)}},
    {.name = "half as wide",
     NEAREST(false, false),
     .in = {ARG_I8(A_ROW(4), 1, 2, 3, 4), SIZE(1, 2)},
     .out = {ARG_I8(A_ROW(2), 1, 3)}},
    {.name = "half as wide, around centres",
     NEAREST(false, true),
     .in = {ARG_I16(A_ROW(4), 1, 2, 3, 4), SIZE(1, 2)},
     .out = {ARG_I16(A_ROW(2), 2, 4)}},
    {.name = "half as wide, corners stay",
     NEAREST(true, false),
     .in = {ARG_U8(A_ROW(4), 1, 2, 3, 4), SIZE(1, 2)},
     .out = {ARG_U8(A_ROW(2), 1, 4)}},
    {.name = "two images of two channels",
     NEAREST(false, false),
     .in = {ARG_F(ARG_D(2, 1, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8), SIZE(2, 1)},
     .out = {ARG_F(ARG_D(2, 2, 1, 2), 1, 2, 1, 2, 5, 6, 5, 6)}},
    {.name = "to nothing",
     NEAREST(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), SIZE(1, -1)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "1 x -1"},
    {.name = "sizes of 64 bits",
     NEAREST(false, false),
     .in = {ARG_F(A_ROW(2), 1, 3), ARG_C_I64(ARG_D(2), 1, 1)},
     .out = {ARG_F(A_ROW(4), 0)},
     .refusal = "size is of type INT64"},
};

OP_CASES_TEST(bilinear_cases)
OP_CASES_TEST(nearest_cases)

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bilinear_cases_hold), cmocka_unit_test(nearest_cases_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
