// SPDX-License-Identifier: Apache-2.0
// Names of a model's classes, from a text file with one label a line.
#ifndef CLI_LABELS_H
#define CLI_LABELS_H

#include "command.h"

typedef struct labels {
  int count;
  char **names;  // by class; NULL for numbers that the file leaves out
} labels;

// Plain lines count from 0. When every line begins with its number ("17 cat", "17: cat", "17,cat"), the numbers count.
// The result holds no control characters and only well-formed UTF-8.
bool labels_parse(const char *text, size_t size, labels *out, failure *why);
bool labels_read(const char *path, labels *out, failure *why);
void labels_free(labels *in);
const char *labels_name(const labels *in, int class_number);  // NULL: none
// The class of that name, or of that number when no class has the name; -1: neither.
int labels_find(const labels *in, const char *name);

#endif
