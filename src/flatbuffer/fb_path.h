// SPDX-License-Identifier: Apache-2.0
// Where in a FlatBuffer something lies, as text: "subgraphs[0].operators[3].inputs". The links live on the C stack of whoever
// descends; text is made only when it is wanted.
#ifndef FLATBUFFER_FB_PATH_H
#define FLATBUFFER_FB_PATH_H

#include "base/compiler.h"

typedef struct fb_path {
  const struct fb_path *up;  // NULL: the root
  const char *field;         // NULL: an element of `up`, not a field
  uint32_t index;            // of the element
} fb_path;

// Writes the path's text, cut at its front with "..." when it does not fit. capacity >= 8. The root is "root".
void fb_path_text(const fb_path *path, char *text, size_t capacity);

#endif
