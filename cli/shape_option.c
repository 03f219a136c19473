// SPDX-License-Identifier: Apache-2.0
// Reading and applying --shape.
#include "shape_option.h"

#include <stdlib.h>

#include "arenite/replan.h"

bool shape_option_read(shape_options *shapes, char *text) { return shape_option_read_as(shapes, "--shape", text); }

bool shape_option_read_as(shape_options *shapes, const char *option, char *text) {
  shape_option shape = {0};
  char *value;
  if (!command_split(option, text, &shape.name, &value)) return false;
  if (!command_read_shape(option, value, 8, shape.dims, &shape.rank)) return false;
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

// The largest shape belongs to a position among the first subgraph's inputs; a signature may list them otherwise.
static int first_subgraph_input(const session *s, int input) {
  const TfLiteTensor *tensor = session_input(s, input);
  int count = arn_interpreter_input_count(s->interpreter);
  for (int i = 0; i < count; i++)
    if (arn_interpreter_input(s->interpreter, i) == tensor) return i;
  return -1;
}

bool shape_option_apply_max(const shape_options *shapes, session *s, failure *why) {
  for (int i = 0; i < shapes->count; i++) {
    const shape_option *shape = &shapes->items[i];
    int input = session_find_input(s, shape->name, why);
    if (input < 0) return false;
    int position = first_subgraph_input(s, input);
    if (position < 0) return failure_set(why, "%s: the largest shape can be given for inputs of the first subgraph only", s->path);
    arn_error error = {.byte = -1};
    arn_status status = arn_interpreter_set_max_shape(s->interpreter, position, shape->dims, shape->rank, &error);
    if (status == ARN_OK) continue;
    failure_from(why, status, &error);
    return failure_prefix(why, "%s: the largest shape: ", s->path);
  }
  return true;
}

void shape_option_free(shape_options *shapes) { free(shapes->items); }
