// SPDX-License-Identifier: Apache-2.0
// The option --shape NAME=1x224x224x3, which several subcommands have, and --max-shape, which has its form.
#ifndef CLI_SHAPE_OPTION_H
#define CLI_SHAPE_OPTION_H

#include "session.h"

typedef struct shape_option {
  char *name;
  int dims[8], rank;
} shape_option;

typedef struct shape_options {
  shape_option *items;
  int count;
} shape_options;

// Reads one; false after a message. `text` is changed and kept.
bool shape_option_read(shape_options *shapes, char *text);
bool shape_option_read_as(shape_options *shapes, const char *option, char *text);  // of another option in the same form
bool shape_option_apply(const shape_options *shapes, session *s, failure *why);
// As the largest shapes to come (arn_interpreter_set_max_shape), before the memory is planned.
bool shape_option_apply_max(const shape_options *shapes, session *s, failure *why);
void shape_option_free(shape_options *shapes);

#endif
