// SPDX-License-Identifier: Apache-2.0
// ANSI sequences and the progress bar.
#include "term.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arenite/profile.h"

bool term_colour(FILE *stream) {
  const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
  if (no_colour && *no_colour) return false;
  if (!term || !strcmp(term, "dumb")) return false;
  return isatty(fileno(stream)) != 0;
}

const char *term_begin(FILE *stream, term_style style) {
  static const char *const sequences[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[36m"};
  return term_colour(stream) ? sequences[style] : "";
}

const char *term_end(FILE *stream, term_style style) { return style != TERM_PLAIN && term_colour(stream) ? "\033[0m" : ""; }

enum { BAR_CELLS = 30, BAR_PATIENCE_NS = 400000000, BAR_PERIOD_NS = 100000000 };

void term_progress_begin(term_progress *progress, const char *what, uint64_t total) {
  *progress = (term_progress){.what = what, .total = total, .began_ns = arn_clock_ns(), .on = isatty(STDERR_FILENO) != 0};
}

void term_progress_step(term_progress *progress, uint64_t done) {
  progress->done = done;
  if (!progress->on || progress->total == 0) return;
  uint64_t now = arn_clock_ns();
  if (now - progress->began_ns < BAR_PATIENCE_NS || now - progress->drawn_ns < BAR_PERIOD_NS) return;
  progress->drawn_ns = now;
  progress->drawn = true;
  int full = (int)((double)done * BAR_CELLS / (double)progress->total);
  char bar[BAR_CELLS + 1];
  for (int i = 0; i < BAR_CELLS; i++) bar[i] = i < full ? '#' : '.';
  bar[BAR_CELLS] = '\0';
  fprintf(stderr, "\r%s [%s] %3d %%", progress->what, bar, (int)((double)done * 100 / (double)progress->total));
  fflush(stderr);
}

void term_progress_end(term_progress *progress) {
  if (progress->drawn) fprintf(stderr, "\r\033[K");
  progress->drawn = false;
}
