// SPDX-License-Identifier: Apache-2.0
// Pictures: PNG and JPEG round trips, orientation, resizing, damaged files.
#include "cli_test.h"

#include <math.h>

#include <jpeglib.h>

#include "draw.h"
#include "image.h"

static image gradient(int width, int height, int channels) {
  image out;
  failure why;
  assert_good(image_create(width, height, channels, &out, &why), why);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++)
        out.pixels[(y * width + x) * channels + c] = (uint8_t)(x * 255 / width / (c + 1) + y * 3);
  return out;
}

static void png_round_trip(void **state) {
  (void)state;
  char path[64];
  temporary_path(path, ".png");
  for (int channels = 1; channels <= 4; channels++) {
    if (channels == 2) continue;
    image in = gradient(13, 7, channels), out;
    failure why;
    assert_good(image_write_png(path, &in, &why), why);
    assert_true(image_is_picture(path));
    assert_good(image_read(path, &out, &why), why);
    assert_int_equal(out.width, 13);
    assert_int_equal(out.height, 7);
    assert_int_equal(out.channels, channels == 1 ? 3 : channels);  // grey files come as RGB
    for (int i = 0; i < 13 * 7; i++)
      for (int c = 0; c < out.channels; c++)
        assert_int_equal(out.pixels[i * out.channels + c], in.pixels[i * channels + (channels == 1 ? 0 : c)]);
    image_free(&in);
    image_free(&out);
  }
  remove(path);
}

// Two pixels wide, one high, red left of blue, with an Exif orientation if it is not 0.
static void write_jpeg(const char *path, int orientation) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  struct jpeg_error_mgr errors;
  struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
  jpeg_create_compress(&jpeg);
  jpeg_stdio_dest(&jpeg, file);
  jpeg.image_width = 32;
  jpeg.image_height = 16;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  uint8_t exif[] = {
      'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, (uint8_t)orientation, 0, 0};
  if (orientation) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
  uint8_t row[32 * 3] = {0};
  for (int x = 0; x < 32; x++) row[x * 3 + (x < 16 ? 0 : 2)] = 255;
  JSAMPROW rows[1] = {row};
  for (int y = 0; y < 16; y++) jpeg_write_scanlines(&jpeg, rows, 1);
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  fclose(file);
}

static int is_red(const image *in, int x, int y) {
  const uint8_t *pixel = in->pixels + (y * in->width + x) * 3;
  return pixel[0] > 128 && pixel[2] < 128;
}

// The stored picture is red on its left; where is red in the upright one?
static void jpeg_orientations(void **state) {
  (void)state;
  static const struct {
    int orientation, width, height, red_x, red_y;
  } cases[] = {{0, 32, 16, 2, 8}, {1, 32, 16, 2, 8}, {2, 32, 16, 29, 8}, {3, 32, 16, 29, 8}, {4, 32, 16, 2, 8},
               {5, 16, 32, 8, 2}, {6, 16, 32, 8, 2}, {7, 16, 32, 8, 29}, {8, 16, 32, 8, 29}};
  char path[64];
  temporary_path(path, ".jpg");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    image out;
    failure why;
    write_jpeg(path, cases[i].orientation);
    assert_good(image_read(path, &out, &why), why);
    assert_int_equal(out.width, cases[i].width);
    assert_int_equal(out.height, cases[i].height);
    assert_true(is_red(&out, cases[i].red_x, cases[i].red_y));
    assert_false(is_red(&out, out.width - 1 - cases[i].red_x, out.height - 1 - cases[i].red_y));
    image_free(&out);
  }
  remove(path);
}

static void resize_keeps_what_it_should(void **state) {
  (void)state;
  image in = gradient(12, 9, 3), same, flat, small;
  failure why;
  assert_good(image_resize(&in, 12, 9, IMAGE_STRETCH, &same, NULL, &why), why);
  assert_memory_equal(same.pixels, in.pixels, 12 * 9 * 3);
  for (int i = 0; i < 12 * 9 * 3; i++) in.pixels[i] = 77;
  for (int fit = IMAGE_STRETCH; fit <= IMAGE_CROP; fit += 2)
    for (int side = 1; side <= 40; side += 3) {
      assert_good(image_resize(&in, side, 41 - side, (image_fit)fit, &flat, NULL, &why), why);
      for (int i = 0; i < side * (41 - side) * 3; i++) assert_int_equal(flat.pixels[i], 77);
      image_free(&flat);
    }
  // Halving a fine checker board gives its mean, nothing is lost between the samples.
  image board;
  assert_good(image_create(8, 8, 1, &board, &why), why);
  for (int i = 0; i < 64; i++) board.pixels[i] = (i + i / 8) % 2 ? 200 : 0;
  assert_good(image_resize(&board, 2, 2, IMAGE_STRETCH, &small, NULL, &why), why);
  for (int i = 0; i < 4; i++) assert_in_range(small.pixels[i], 97, 103);
  image_free(&in);
  image_free(&same);
  image_free(&board);
  image_free(&small);
}

static void enlarging_is_bilinear(void **state) {
  (void)state;
  uint8_t pixels[2] = {0, 100};
  image in = {.width = 2, .height = 1, .channels = 1, .pixels = pixels}, out;
  failure why;
  assert_good(image_resize(&in, 4, 1, IMAGE_STRETCH, &out, NULL, &why), why);
  static const uint8_t expected[] = {0, 25, 75, 100};  // half-pixel centres
  assert_memory_equal(out.pixels, expected, 4);
  image_free(&out);
}

static void letterbox_and_crop_map_back(void **state) {
  (void)state;
  image in = gradient(200, 100, 3), out;
  image_mapping map;
  failure why;
  for (int i = 0; i < 200 * 100 * 3; i++) in.pixels[i] = 255;
  assert_good(image_resize(&in, 50, 50, IMAGE_LETTERBOX, &out, &map, &why), why);
  assert_int_equal(out.pixels[(5 * 50 + 25) * 3], 0);     // above the picture
  assert_int_equal(out.pixels[(25 * 50 + 25) * 3], 255);  // within it
  assert_true(fabs(25 * map.scale_x + map.offset_x - 100) < 1e-9);
  assert_true(fabs(12 * map.scale_y + map.offset_y - 0) < 1e-9);  // 25 rows from row 12 on
  assert_true(fabs(37 * map.scale_y + map.offset_y - 100) < 1e-9);
  image_free(&out);
  assert_good(image_resize(&in, 50, 50, IMAGE_CROP, &out, &map, &why), why);
  for (int i = 0; i < 50 * 50 * 3; i++) assert_int_equal(out.pixels[i], 255);
  assert_true(fabs(0 * map.scale_x + map.offset_x - 50) < 1e-9 && fabs(50 * map.scale_x + map.offset_x - 150) < 1e-9);
  assert_true(fabs(50 * map.scale_y + map.offset_y - 100) < 1e-9);
  image_free(&out);
  image_free(&in);
}

static void grey_weights(void **state) {
  (void)state;
  uint8_t pixels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  image in = {.width = 4, .height = 1, .channels = 3, .pixels = pixels}, grey = image_convert(&in, 1, 0);
  static const uint8_t expected[] = {76, 150, 29, 255};
  assert_memory_equal(grey.pixels, expected, 4);
  image alpha = image_convert(&in, 4, 9);
  assert_int_equal(alpha.pixels[3], 9);
  image_free(&grey);
  image_free(&alpha);
}

static void damaged_pictures_are_refused(void **state) {
  (void)state;
  char path[64];
  failure why;
  image in = gradient(20, 20, 3), out;
  for (int kind = 0; kind < 2; kind++) {
    uint8_t *bytes;
    size_t size;
    temporary_path(path, kind ? ".jpg" : ".png");
    if (kind)
      write_jpeg(path, 6);
    else
      assert_good(image_write_png(path, &in, &why), why);
    assert_good(command_read_file(path, 1 << 20, &bytes, &size, &why), why);
    int refused = 0;
    for (size_t length = 0; length < size; length += 3) {
      assert_good(command_write_file(path, bytes, length, &why), why);
      if (image_read(path, &out, &why))
        image_free(&out);
      else
        refused++;
    }
    assert_true(refused >= 3);
    uint64_t random = 7;
    for (int i = 0; i < 500; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      size_t at = (size_t)(random >> 33) % size;
      uint8_t old = bytes[at];
      bytes[at] ^= (uint8_t)(1 << (random >> 61));
      assert_good(command_write_file(path, bytes, size, &why), why);
      if (image_read(path, &out, &why)) image_free(&out);
      bytes[at] = old;
    }
    free(bytes);
    remove(path);
  }
  image_free(&in);
  assert_refused(image_read("/nowhere/x.png", &out, &why), why, "/nowhere/x.png");
}

static void drawing_stays_inside(void **state) {
  (void)state;
  image in = gradient(30, 20, 3);
  draw_colour red = {255, 0, 0};
  draw_box(&in, 5, 5, 20, 15, red, 1);
  assert_int_equal(in.pixels[(5 * 30 + 5) * 3], 255);
  assert_int_equal(in.pixels[(15 * 30 + 20) * 3], 255);
  draw_box(&in, -1e9, -1e9, 1e9, 1e9, red, 3);
  draw_box(&in, (double)NAN, 0, 10, 10, red, 2);
  draw_line(&in, -50, -50, 80, 80, red, 3);
  draw_line(&in, 0, 0, 1e12, 1e12, red, 3);
  draw_disc(&in, 29, 19, 100, red);
  draw_disc(&in, (double)INFINITY, 0, 3, red);
  draw_caption(&in, -100, 1e7, "caption beyond the border \xC3\xA4 \xE2\x82\xAC", red, 2);
  image_free(&in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(png_round_trip),
      cmocka_unit_test(jpeg_orientations),
      cmocka_unit_test(resize_keeps_what_it_should),
      cmocka_unit_test(enlarging_is_bilinear),
      cmocka_unit_test(letterbox_and_crop_map_back),
      cmocka_unit_test(grey_weights),
      cmocka_unit_test(damaged_pictures_are_refused),
      cmocka_unit_test(drawing_stays_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
