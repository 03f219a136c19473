// SPDX-License-Identifier: Apache-2.0
// Marks on an RGB picture: boxes with captions, points, class masks, heat maps. Everything is cut at the picture's border.
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "image.h"

typedef struct draw_colour {
  uint8_t red, green, blue;
} draw_colour;

draw_colour draw_class_colour(int class_number);  // well apart for neighbouring numbers
draw_colour draw_heat_colour(double heat);        // 0 dark blue, over green and yellow, 1 red; clamped
int draw_line_width(const image *picture);        // suits the picture's size, at least 1
int draw_text_scale(const image *picture);

// Pixel coordinates; corners may lie outside, NaN draws nothing.
void draw_box(image *picture, double left, double top, double right, double bottom, draw_colour colour, int width);
void draw_disc(image *picture, double x, double y, double radius, draw_colour colour);
void draw_line(image *picture, double x0, double y0, double x1, double y1, draw_colour colour, int width);
// Text on a box of `colour`, its bottom left corner at (x, y), moved so that it can be seen. Letters are 5 x 7 cells of `scale`
// pixels; what is not ASCII becomes '?'.
void draw_caption(image *picture, double x, double y, const char *text, draw_colour colour, int scale);
// Lays `colour` over a pixel with weight `opacity` 0..1.
void draw_blend(image *picture, int x, int y, draw_colour colour, double opacity);

#endif
