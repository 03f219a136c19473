// SPDX-License-Identifier: Apache-2.0
// Lines on standard error.
#include "base/console.h"

#include <stdio.h>

void console_complain(const char *line) { fprintf(stderr, "arenite: %s\n", line); }
