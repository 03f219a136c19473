// SPDX-License-Identifier: Apache-2.0
// Collecting and printing the cells of a text table.
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "term.h"
#include "text.h"

struct table {
  int columns;
  const char *const *headers;
  char **cells;
  size_t count, room;
};

table *table_create(int columns, const char *const *headers) {
  table *t = command_alloc(1, sizeof *t);
  t->columns = columns;
  t->headers = headers;
  return t;
}

void table_destroy(table *t) {
  if (!t) return;
  for (size_t i = 0; i < t->count; i++) free(t->cells[i]);
  free(t->cells);
  free(t);
}

void table_cell(table *t, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *cell = command_alloc((size_t)(length < 0 ? 0 : length) + 1, 1);
  if (length > 0) vsnprintf(cell, (size_t)length + 1, format, again);
  va_end(again);
  text_clean(cell);
  if (t->count == t->room) {
    t->room = t->room ? t->room * 2 : 64;
    t->cells = command_grow(t->cells, t->room, sizeof *t->cells);
  }
  t->cells[t->count++] = cell;
}

void table_end_row(table *t) {
  while (t->count % (size_t)t->columns) table_cell(t, "%s", "");
}

int table_rows(const table *t) { return (int)(t->count / (size_t)t->columns); }

static bool header_right(const char *header) { return header[0] == '>'; }
static const char *header_text(const char *header) { return header + header_right(header); }

static void table_line(const table *t, FILE *out, const size_t *widths, char *const *cells) {
  size_t owed = 0;  // blanks that are printed only when something follows
  for (int c = 0; c < t->columns; c++) {
    const char *cell = cells ? cells[c] : header_text(t->headers[c]);
    size_t gap = widths[c] - text_columns(cell);
    if (header_right(t->headers[c])) owed += gap;
    if (*cell) {
      fprintf(out, "%*s%s", (int)owed, "", cell);
      owed = 0;
    }
    if (!header_right(t->headers[c])) owed += gap;
    owed += 2;
  }
}

void table_print(const table *t, FILE *out) {
  size_t *widths = command_alloc((size_t)t->columns, sizeof *widths);
  for (int c = 0; c < t->columns; c++) widths[c] = text_columns(header_text(t->headers[c]));
  for (size_t i = 0; i < t->count; i++) {
    size_t width = text_columns(t->cells[i]), column = i % (size_t)t->columns;
    if (width > widths[column]) widths[column] = width;
  }
  fputs(term_begin(out, TERM_BOLD), out);
  table_line(t, out, widths, NULL);
  fprintf(out, "%s\n", term_end(out, TERM_BOLD));
  for (int row = 0; row < table_rows(t); row++) {
    table_line(t, out, widths, t->cells + (size_t)row * (size_t)t->columns);
    fputc('\n', out);
  }
  free(widths);
}

void table_print_markdown(const table *t, FILE *out) {
  for (int c = 0; c < t->columns; c++) fprintf(out, "| %s ", header_text(t->headers[c]));
  fputs("|\n", out);
  for (int c = 0; c < t->columns; c++) fputs(header_right(t->headers[c]) ? "|---:" : "|---", out);
  fputs("|\n", out);
  for (size_t i = 0; i < t->count; i++) {
    fputs("| ", out);
    for (const char *s = t->cells[i]; *s; s++) {
      if (*s == '|') fputc('\\', out);
      fputc(*s, out);
    }
    fputs((i + 1) % (size_t)t->columns ? " " : " |\n", out);
  }
}
