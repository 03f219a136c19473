// SPDX-License-Identifier: Apache-2.0
// Colour, only where a terminal shows it, and a progress bar on stderr for work that is long.
#ifndef CLI_TERM_H
#define CLI_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum term_style { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_GOOD, TERM_BAD, TERM_ACCENT } term_style;

// Whether the stream is a terminal that takes colour (not with NO_COLOR or TERM=dumb set).
bool term_colour(FILE *stream);
// The sequences that begin and end a style; "" where the stream takes no colour.
const char *term_begin(FILE *stream, term_style style);
const char *term_end(FILE *stream, term_style style);

// A bar that appears when the work has lasted a while, and only on a terminal.
typedef struct term_progress {
  const char *what;
  uint64_t total, done;
  uint64_t began_ns, drawn_ns;
  bool on, drawn;
} term_progress;
void term_progress_begin(term_progress *progress, const char *what, uint64_t total);
void term_progress_step(term_progress *progress, uint64_t done);  // done of total
void term_progress_end(term_progress *progress);                  // wipes the bar

#endif
