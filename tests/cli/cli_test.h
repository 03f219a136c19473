// SPDX-License-Identifier: Apache-2.0
// What the command line's unit tests share: cmocka, and files in a folder of their own.
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"

// A file name that no other test uses; the caller removes the file.
static inline void temporary_path(char path[64], const char *suffix) {
  snprintf(path, 64, "/tmp/arenite_test_%ld%s", (long)getpid(), suffix);
}

#define assert_good(call, why)               \
  do {                                       \
    if (!(call)) fail_msg("%s", (why).text); \
  } while (0)

// The call is refused and its message has a text in it.
#define assert_refused(call, why, part)                                                \
  do {                                                                                 \
    (why).text[0] = '\0';                                                              \
    assert_false(call);                                                                \
    if (!strstr((why).text, (part))) fail_msg("'%s' has no '%s'", (why).text, (part)); \
  } while (0)

#endif
