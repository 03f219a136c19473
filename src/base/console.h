// SPDX-License-Identifier: Apache-2.0
// The one way the C API writes to standard error when a program has set no reporter. Implemented in host/console.c.
#ifndef BASE_CONSOLE_H
#define BASE_CONSOLE_H

void console_complain(const char *line);

#endif
