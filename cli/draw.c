// SPDX-License-Identifier: Apache-2.0
// Boxes, points, captions and overlays.
#include "draw.h"

#include <math.h>
#include <string.h>

// Printable ASCII from the blank on: seven rows of five cells each, top left cell in bit 34.
static const uint64_t draw_font[95] = {
    0x000000000, 0x108421004, 0x294000000, 0x295F57D4A, 0x11F4717C4, 0x672222273, 0x32544564D, 0x108000000,  //   ! " # $ % & '
    0x088842082, 0x208210888, 0x02AEFBAA0, 0x0084F9080, 0x000000088, 0x0000F8000, 0x00000018C, 0x042222210,  // ( ) * + , - . /
    0x3A33AE62E, 0x11842108E, 0x3A211111F, 0x3A213062E, 0x08CA97C42, 0x7E1E0862E, 0x1910F462E, 0x7C2221084,  // 0 1 2 3 4 5 6 7
    0x3A317462E, 0x3A317844C, 0x018C03180, 0x018C03088, 0x088882082, 0x001F07C00, 0x208208888, 0x3A2111004,  // 8 9 : ; < = > ?
    0x3A37ADE0E, 0x3A31FC631, 0x7A31F463E, 0x3A308422E, 0x7A318C63E, 0x7E10F421F, 0x7E10F4210, 0x3A309C62F,  // @ A B C D E F G
    0x4631FC631, 0x38842108E, 0x1C4210A4C, 0x4654C5251, 0x42108421F, 0x4775AC631, 0x4739ACE71, 0x3A318C62E,  // H I J K L M N O
    0x7A31F4210, 0x3A318D64D, 0x7A31F5251, 0x3E107043E, 0x7C8421084, 0x46318C62E, 0x46318A944, 0x4631AD771,  // P Q R S T U V W
    0x462A22A31, 0x462A21084, 0x7C222221F, 0x39084210E, 0x420820821, 0x38421084E, 0x115100000, 0x00000001F,  // X Y Z [ \ ] ^ _
    0x208000000, 0x000E0BE2F, 0x4216CC63E, 0x000E8422E, 0x042D9C62F, 0x000E8FE0E, 0x1908E2108, 0x01F18BC2E,  // ` a b c d e f g
    0x4216CC631, 0x100C2108E, 0x080610A4C, 0x210953149, 0x30842108E, 0x001AAD6B1, 0x0016CC631, 0x000E8C62E,  // h i j k l m n o
    0x001E8FA10, 0x000D9BC21, 0x0016CC210, 0x000E8383E, 0x211C42126, 0x00118C66D, 0x00118C544, 0x00118D6AA,  // p q r s t u v w
    0x001151151, 0x00118BC2E, 0x001F1111F, 0x088441082, 0x108421084, 0x208411088, 0x0008A8800,               // x y z { | } ~
};

enum { FONT_WIDTH = 5, FONT_HEIGHT = 7, FONT_ADVANCE = 6 };

draw_colour draw_class_colour(int class_number) {
  // Hues a golden section of the circle apart.
  double hue = fmod(0.58 + class_number * 0.6180339887498949, 1.0) * 6;
  double rise = hue - floor(hue);
  uint8_t up = (uint8_t)(60 + 195 * rise), down = (uint8_t)(255 - 195 * rise);
  switch ((int)hue) {
    case 0: return (draw_colour){255, up, 60};
    case 1: return (draw_colour){down, 255, 60};
    case 2: return (draw_colour){60, 255, up};
    case 3: return (draw_colour){60, down, 255};
    case 4: return (draw_colour){up, 60, 255};
    default: return (draw_colour){255, 60, down};
  }
}

draw_colour draw_heat_colour(double heat) {
  static const draw_colour stops[] = {{16, 16, 96}, {20, 110, 200}, {40, 190, 110}, {245, 220, 50}, {225, 30, 30}};
  enum { LAST = sizeof stops / sizeof *stops - 1 };
  if (!(heat > 0)) return stops[0];
  if (heat >= 1) return stops[LAST];
  int stop = (int)(heat * LAST);
  double part = heat * LAST - stop;
  draw_colour a = stops[stop], b = stops[stop + 1];
  return (draw_colour){(uint8_t)(a.red + part * (b.red - a.red)), (uint8_t)(a.green + part * (b.green - a.green)),
                       (uint8_t)(a.blue + part * (b.blue - a.blue))};
}

static int short_side(const image *picture) { return picture->width < picture->height ? picture->width : picture->height; }
int draw_line_width(const image *picture) { return short_side(picture) < 300 ? 1 : short_side(picture) / 200; }
int draw_text_scale(const image *picture) { return short_side(picture) < 350 ? 1 : (short_side(picture) + 150) / 250; }

void draw_blend(image *picture, int x, int y, draw_colour colour, double opacity) {
  if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
  uint8_t *pixel = picture->pixels + ((size_t)y * (size_t)picture->width + (size_t)x) * (size_t)picture->channels;
  const uint8_t over[3] = {colour.red, colour.green, colour.blue};
  for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(pixel[c] + opacity * (over[c] - pixel[c]) + 0.5);
}

static int clamp_pixel(double value, int low, int high) { return value < low ? low : value > high ? high : (int)floor(value); }

// Pixels left..right, top..bottom, both ends included.
static void fill_box(image *picture, int left, int top, int right, int bottom, draw_colour colour) {
  for (int y = top < 0 ? 0 : top; y <= bottom && y < picture->height; y++)
    for (int x = left < 0 ? 0 : left; x <= right && x < picture->width; x++) draw_blend(picture, x, y, colour, 1);
}

void draw_box(image *picture, double left, double top, double right, double bottom, draw_colour colour, int width) {
  if (isnan(left + top + right + bottom) || right < left || bottom < top) return;
  // Far outside is as good as just outside; the frame lies inside the box.
  int x0 = clamp_pixel(left, -width, picture->width + width), x1 = clamp_pixel(right, -width, picture->width + width);
  int y0 = clamp_pixel(top, -width, picture->height + width), y1 = clamp_pixel(bottom, -width, picture->height + width);
  int inner = width - 1;
  fill_box(picture, x0, y0, x1, y0 + inner < y1 ? y0 + inner : y1, colour);
  fill_box(picture, x0, y1 - inner > y0 ? y1 - inner : y0, x1, y1, colour);
  fill_box(picture, x0, y0, x0 + inner < x1 ? x0 + inner : x1, y1, colour);
  fill_box(picture, x1 - inner > x0 ? x1 - inner : x0, y0, x1, y1, colour);
}

void draw_disc(image *picture, double x, double y, double radius, draw_colour colour) {
  if (isnan(x + y)) return;
  int x0 = clamp_pixel(x - radius, 0, picture->width), x1 = clamp_pixel(x + radius, -1, picture->width - 1);
  int y0 = clamp_pixel(y - radius, 0, picture->height), y1 = clamp_pixel(y + radius, -1, picture->height - 1);
  for (int row = y0; row <= y1; row++)
    for (int column = x0; column <= x1; column++)
      if ((column + 0.5 - x) * (column + 0.5 - x) + (row + 0.5 - y) * (row + 0.5 - y) <= radius * radius)
        draw_blend(picture, column, row, colour, 1);
}

void draw_line(image *picture, double x0, double y0, double x1, double y1, draw_colour colour, int width) {
  double length = hypot(x1 - x0, y1 - y0);
  double longest = 4.0 * (picture->width + picture->height);
  if (!(length <= longest)) return;  // also NaN: ends so far outside are no picture's points
  int steps = (int)(length * 2) + 1;
  for (int i = 0; i <= steps; i++)
    draw_disc(picture, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, width * 0.5 + 0.5, colour);
}

static void draw_letter(image *picture, int x, int y, unsigned char letter, draw_colour colour, int scale) {
  uint64_t cells = draw_font[letter >= ' ' && letter <= '~' ? letter - ' ' : '?' - ' '];
  for (int row = 0; row < FONT_HEIGHT; row++)
    for (int column = 0; column < FONT_WIDTH; column++)
      if (cells >> (FONT_WIDTH * FONT_HEIGHT - 1 - (row * FONT_WIDTH + column)) & 1)
        fill_box(picture, x + column * scale, y + row * scale, x + (column + 1) * scale - 1, y + (row + 1) * scale - 1, colour);
}

void draw_caption(image *picture, double x, double y, const char *text, draw_colour colour, int scale) {
  if (isnan(x + y) || !*text) return;
  int letters = 0;
  for (const char *s = text; *s; s++) letters += ((unsigned char)*s & 0xC0) != 0x80;
  if (letters > 200) letters = 200;
  int width = (letters * FONT_ADVANCE + 1) * scale, height = (FONT_HEIGHT + 2) * scale;
  int left = clamp_pixel(x, 0, picture->width > width ? picture->width - width : 0);
  int top = clamp_pixel(y - height, 0, picture->height > height ? picture->height - height : 0);
  fill_box(picture, left, top, left + width - 1, top + height - 1, colour);
  bool light = 299 * colour.red + 587 * colour.green + 114 * colour.blue > 128000;
  draw_colour ink = light ? (draw_colour){0, 0, 0} : (draw_colour){255, 255, 255};
  for (const char *s = text; *s && letters > 0; s++) {
    if (((unsigned char)*s & 0xC0) == 0x80) continue;
    draw_letter(picture, left + scale, top + scale, (unsigned char)*s, ink, scale);
    left += FONT_ADVANCE * scale;
    letters--;
  }
}
