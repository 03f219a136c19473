// SPDX-License-Identifier: Apache-2.0
// A text table: cells are collected, columns aligned when it is printed.
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

typedef struct table table;

// One string a column; a leading '>' means right-aligned (numbers). "name", ">bytes", ...
table *table_create(int columns, const char *const *headers);
void table_destroy(table *t);
void table_cell(table *t, const char *format, ...) COMMAND_PRINTF(2, 3);  // the next cell, row by row; made clean
void table_end_row(table *t);                                             // fills the rest of the row with empty cells
int table_rows(const table *t);
void table_print(const table *t, FILE *out);  // headers in bold on a terminal; no trailing blanks
void table_print_markdown(const table *t, FILE *out);

#endif
