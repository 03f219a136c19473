// SPDX-License-Identifier: Apache-2.0
// PNG (libpng) and JPEG (libjpeg) files to and from image records.
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#include "image.h"

static const uint8_t png_magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
static const uint8_t jpeg_magic[3] = {0xFF, 0xD8, 0xFF};

static bool picture_magic(const uint8_t *bytes, size_t size, bool *png) {
  *png = size >= 8 && !memcmp(bytes, png_magic, 8);
  return *png || (size >= 3 && !memcmp(bytes, jpeg_magic, 3));
}

bool image_is_picture(const char *path) {
  uint8_t bytes[8] = {0};
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  bool png;
  return picture_magic(bytes, size, &png);
}

// ---- PNG. libpng leaves through longjmp; what must survive that is in this record. ----
typedef struct png_job {
  const uint8_t *bytes;
  size_t size, at;
  failure *why;
  image out;
  png_bytep *rows;
} png_job;

static void png_complain(png_structp png, png_const_charp message) {
  png_job *job = png_get_error_ptr(png);
  failure_set(job->why, "%s", message);
  png_longjmp(png, 1);
}

static void png_ignore(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void png_feed(png_structp png, png_bytep to, size_t count) {
  png_job *job = png_get_io_ptr(png);
  if (count > job->size - job->at) png_error(png, "the file ends early");
  memcpy(to, job->bytes + job->at, count);
  job->at += count;
}

// Every PNG form becomes 8-bit RGB or RGBA. Gamma chunks are ignored: pixels go to models as stored.
static void png_decode(png_job *job, png_structp png, png_infop info) {
  png_read_info(png, info);
  png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (width > IMAGE_MAX_PIXELS / height) png_error(png, "the picture is too large");
  int colour = png_get_color_type(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  if (!(colour & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  int channels = png_get_channels(png, info);
  if (channels != 3 && channels != 4) png_error(png, "the colour type is not known");
  if (!image_create((int)width, (int)height, channels, &job->out, job->why)) png_longjmp(png, 1);
  job->rows = command_alloc(height, sizeof *job->rows);
  for (png_uint_32 y = 0; y < height; y++) job->rows[y] = job->out.pixels + (size_t)y * width * (size_t)channels;
  png_read_image(png, job->rows);
  png_read_end(png, NULL);
}

static bool read_png(const uint8_t *bytes, size_t size, image *out, failure *why) {
  png_job job = {.bytes = bytes, .size = size, .why = why};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, png_complain, png_ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return failure_set(why, "libpng does not start");
  }
  bool good = false;
  if (!setjmp(png_jmpbuf(png))) {
    png_set_read_fn(png, &job, png_feed);
    png_decode(&job, png, info);
    good = true;
  }
  png_destroy_read_struct(&png, &info, NULL);
  free(job.rows);
  if (!good) image_free(&job.out);
  *out = job.out;
  return good;
}

bool image_write_png(const char *path, const image *in, failure *why) {
  FILE *file = fopen(path, "wb");
  if (!file) return failure_set(why, "cannot write %s: %s", path, strerror(errno));
  png_image png = {.version = PNG_IMAGE_VERSION, .width = (png_uint_32)in->width, .height = (png_uint_32)in->height};
  png.format = in->channels == 1 ? PNG_FORMAT_GRAY : in->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  bool good = png_image_write_to_stdio(&png, file, 0, in->pixels, 0, NULL) != 0;
  good = fclose(file) == 0 && good;
  if (!good) return failure_set(why, "cannot write %s: %s", path, png.message[0] ? png.message : strerror(errno));
  return true;
}

// ---- JPEG ----
typedef struct jpeg_job {
  struct jpeg_error_mgr manager;  // first: libjpeg hands it back
  jmp_buf out_of_it;
  failure *why;
  image out;
} jpeg_job;

static void jpeg_complain(j_common_ptr jpeg) {
  jpeg_job *job = (jpeg_job *)jpeg->err;
  char message[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, message);
  failure_set(job->why, "%s", message);
  longjmp(job->out_of_it, 1);
}

static void jpeg_ignore(j_common_ptr jpeg) { (void)jpeg; }

static unsigned exif_number(const uint8_t *at, int bytes, bool big) {
  unsigned value = 0;
  for (int i = 0; i < bytes; i++) value |= (unsigned)at[i] << 8 * (big ? bytes - 1 - i : i);
  return value;
}

// The Exif orientation (1..8; tag 0x0112 of the first directory of the TIFF block in an APP1 marker); 1 when there is none.
static int exif_orientation(const uint8_t *bytes, size_t size) {
  if (size < 14 || memcmp(bytes, "Exif\0\0", 6)) return 1;
  bytes += 6;
  size -= 6;
  bool big = bytes[0] == 'M';
  size_t directory = exif_number(bytes + 4, 4, big);
  if (directory > size || size - directory < 2) return 1;
  size_t entries = exif_number(bytes + directory, 2, big);
  for (size_t i = 0; i < entries && (i + 1) * 12 + 2 <= size - directory; i++) {
    const uint8_t *entry = bytes + directory + 2 + i * 12;
    if (exif_number(entry, 2, big) != 0x0112) continue;
    unsigned value = exif_number(entry + 8, 2, big);
    return value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

// Orientations 2..8: bit 0 of (o - 1) and bit 1 say which way the rows and columns are mirrored, 5..8 swap the sides.
static void turn_upright(image *picture, int orientation) {
  if (orientation == 1) return;
  bool swap = orientation >= 5;
  bool mirror_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  bool mirror_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  // For swapped ones (x, y) of the upright picture is stored at column y', row x'.
  image turned = {.width = swap ? picture->height : picture->width, .height = swap ? picture->width : picture->height};
  turned.channels = picture->channels;
  size_t channels = (size_t)picture->channels;
  turned.pixels = command_alloc((size_t)turned.width * (size_t)turned.height, channels);
  for (int y = 0; y < turned.height; y++)
    for (int x = 0; x < turned.width; x++) {
      int column = swap ? y : x, row = swap ? x : y;
      if (mirror_x) column = picture->width - 1 - column;
      if (mirror_y) row = picture->height - 1 - row;
      memcpy(turned.pixels + ((size_t)y * (size_t)turned.width + (size_t)x) * channels,
             picture->pixels + ((size_t)row * (size_t)picture->width + (size_t)column) * channels, channels);
    }
  image_free(picture);
  *picture = turned;
}

static int jpeg_decode(jpeg_job *job, struct jpeg_decompress_struct *jpeg, const uint8_t *bytes, size_t size) {
  jpeg_mem_src(jpeg, bytes, (unsigned long)size);
  jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(jpeg, TRUE);
  jpeg->out_color_space = JCS_RGB;
  jpeg_start_decompress(jpeg);
  if (!image_create((int)jpeg->output_width, (int)jpeg->output_height, 3, &job->out, job->why)) longjmp(job->out_of_it, 1);
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = job->out.pixels + (size_t)jpeg->output_scanline * jpeg->output_width * 3;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  int orientation = 1;
  for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker && orientation == 1; marker = marker->next)
    orientation = exif_orientation(marker->data, marker->data_length);
  jpeg_finish_decompress(jpeg);
  return orientation;
}

static bool read_jpeg(const uint8_t *bytes, size_t size, image *out, failure *why) {
  jpeg_job job = {.why = why};
  struct jpeg_decompress_struct jpeg = {.err = jpeg_std_error(&job.manager)};
  job.manager.error_exit = jpeg_complain;
  job.manager.output_message = jpeg_ignore;
  bool good = false;
  if (!setjmp(job.out_of_it)) {
    jpeg_create_decompress(&jpeg);
    turn_upright(&job.out, jpeg_decode(&job, &jpeg, bytes, size));
    good = true;
  }
  jpeg_destroy_decompress(&jpeg);
  if (!good) image_free(&job.out);
  *out = job.out;
  return good;
}

bool image_read(const char *path, image *out, failure *why) {
  uint8_t *bytes;
  size_t size;
  *out = (image){0};
  if (!command_read_file(path, (size_t)1 << 30, &bytes, &size, why)) return false;
  bool png, good;
  if (!picture_magic(bytes, size, &png))
    good = failure_set(why, "neither a PNG nor a JPEG picture");
  else
    good = png ? read_png(bytes, size, out, why) : read_jpeg(bytes, size, out, why);
  free(bytes);
  return good || failure_prefix(why, "%s: ", path);
}
