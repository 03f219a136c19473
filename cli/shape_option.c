// SPDX-License-Identifier: Apache-2.0
// Reading and applying --shape.
#include "shape_option.h"

#include <stdlib.h>

bool shape_option_read(shape_options *shapes, char *text) {
  shape_option shape = {0};
  char *value;
  if (!command_split("--shape", text, &shape.name, &value)) return false;
  if (!command_read_shape("--shape", value, 8, shape.dims, &shape.rank)) return false;
  shapes->items = command_grow(shapes->items, (size_t)shapes->count + 1, sizeof *shapes->items);
  shapes->items[shapes->count++] = shape;
  return true;
}

bool shape_option_apply(const shape_options *shapes, session *s, failure *why) {
  for (int i = 0; i < shapes->count; i++) {
    int input = session_find_input(s, shapes->items[i].name, why);
    if (input < 0 || !session_resize(s, input, shapes->items[i].dims, shapes->items[i].rank, why)) return false;
  }
  return true;
}

void shape_option_free(shape_options *shapes) { free(shapes->items); }
