// SPDX-License-Identifier: Apache-2.0
// Path texts, written from the end to the front since links point upwards.
#include "flatbuffer/fb_path.h"

#include <string.h>

// Puts `length` bytes before *at; false when there is no room.
static bool path_put(char *text, size_t *at, const char *piece, size_t length) {
  if (*at < length) return false;
  *at -= length;
  memcpy(text + *at, piece, length);
  return true;
}

static bool path_put_link(char *text, size_t *at, const fb_path *link) {
  if (link->field) {
    bool inner = link->up && (link->up->field || link->up->up);
    return path_put(text, at, link->field, strlen(link->field)) && (!inner || path_put(text, at, ".", 1));
  }
  char digits[12];
  size_t first = sizeof digits;
  digits[--first] = ']';
  uint32_t value = link->index;
  do digits[--first] = (char)('0' + value % 10);
  while (value /= 10);
  digits[--first] = '[';
  return path_put(text, at, digits + first, sizeof digits - first);
}

void fb_path_text(const fb_path *path, char *text, size_t capacity) {
  size_t at = capacity - 1;
  text[at] = '\0';
  for (; path; path = path->up) {
    if (!path->up && !path->field) break;  // the root link has no text of its own
    if (!path_put_link(text, &at, path)) {
      memcpy(text, "...", 3);
      memmove(text + 3, text + (at < 3 ? 3 : at), capacity - (at < 3 ? 3 : at));
      return;
    }
  }
  if (at == capacity - 1) memcpy(text, "root", 5);
  else memmove(text, text + at, capacity - at);
}
