// SPDX-License-Identifier: Apache-2.0
// Reading label files.
#include "labels.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text.h"

enum { LABELS_MAX = 1 << 20 };

static bool blank(char c) { return c == ' ' || c == '\t'; }

// "17 cat", "17: cat", "17,cat", "17\tcat": the number and where the name begins. A number alone is a name.
static bool numbered_line(const char *line, size_t length, long *number, size_t *name) {
  size_t i = 0;
  *number = 0;
  while (i < length && line[i] >= '0' && line[i] <= '9' && i < 7) *number = *number * 10 + (line[i++] - '0');
  if (i == 0 || i == length || (!blank(line[i]) && line[i] != ':' && line[i] != ',')) return false;
  i++;
  while (i < length && blank(line[i])) i++;
  *name = i;
  return i < length && *number < LABELS_MAX;
}

// The next line without line ends and blanks around it; false past the end.
static bool next_line(const char *text, size_t size, size_t *at, size_t *from, size_t *length) {
  if (*at >= size) return false;
  size_t end = *at;
  while (end < size && text[end] != '\n') end++;
  *from = *at;
  *at = end + 1;
  while (end > *from && (blank(text[end - 1]) || text[end - 1] == '\r')) end--;
  while (*from < end && blank(text[*from])) (*from)++;
  *length = end - *from;
  return true;
}

static void label_put(labels *out, long number, const char *name, size_t length) {
  if (number >= out->count) {
    out->names = command_grow(out->names, (size_t)number + 1, sizeof *out->names);
    for (int i = out->count; i <= number; i++) out->names[i] = NULL;
    out->count = (int)number + 1;
  }
  free(out->names[number]);
  out->names[number] = text_copy(name, length, 1);
}

bool labels_parse(const char *text, size_t size, labels *out, failure *why) {
  *out = (labels){0};
  if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) text += 3, size -= 3;  // a byte order mark
  size_t at = 0, from, length, name, last = 0;
  long number;
  bool numbered = true;
  size_t lines = 0;
  while (next_line(text, size, &at, &from, &length)) {
    lines++;
    if (length == 0) continue;
    last = lines;  // blank lines at the end are no labels
    numbered = numbered && numbered_line(text + from, length, &number, &name);
  }
  if (last == 0) return failure_set(why, "no labels in the file");
  if (last > LABELS_MAX) return failure_set(why, "more than %d labels", LABELS_MAX);
  at = 0;
  for (size_t line = 0; line < last && next_line(text, size, &at, &from, &length); line++) {
    if (!numbered)
      label_put(out, (long)line, text + from, length);
    else if (length && numbered_line(text + from, length, &number, &name))
      label_put(out, number, text + from + name, length - name);
  }
  return true;
}

bool labels_read(const char *path, labels *out, failure *why) {
  uint8_t *bytes;
  size_t size;
  *out = (labels){0};
  if (!command_read_file(path, (size_t)1 << 26, &bytes, &size, why)) return false;
  bool good = labels_parse((const char *)bytes, size, out, why);
  free(bytes);
  return good || failure_prefix(why, "%s: ", path);
}

void labels_free(labels *in) {
  for (int i = 0; i < in->count; i++) free(in->names[i]);
  free(in->names);
  *in = (labels){0};
}

const char *labels_name(const labels *in, int class_number) {
  return class_number >= 0 && class_number < in->count ? in->names[class_number] : NULL;
}

int labels_find(const labels *in, const char *name) {
  for (int i = 0; i < in->count; i++)
    if (in->names[i] && !strcasecmp(in->names[i], name)) return i;
  char *end;
  long number = strtol(name, &end, 10);
  return end != name && *end == '\0' && number >= 0 && number < INT_MAX ? (int)number : -1;
}
