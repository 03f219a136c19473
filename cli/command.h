// SPDX-License-Identifier: Apache-2.0
// What every subcommand shares: exit codes, messages on stderr, checked reading of option values, memory that is there or ends
// the program. Included by every file of cli/.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/status.h"

enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_MISUSED = 2 };

typedef struct command {
  const char *name;
  const char *summary;                // one line for `arenite --help`
  int (*run)(int argc, char **argv);  // argv[0] is "arenite NAME"; returns an exit code
} command;

int cmd_run(int argc, char **argv);
int cmd_inspect(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_walk(int argc, char **argv);
int cmd_ops(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_bench(int argc, char **argv);

#define COMMAND_PRINTF(text, arguments) __attribute__((__format__(__printf__, text, arguments)))

// A message for the one who asked: which file, what is wrong, what to do. Helpers that can fail fill one and return false.
typedef struct failure {
  char text[1024];
} failure;
bool failure_set(failure *why, const char *format, ...) COMMAND_PRINTF(2, 3);     // returns false
bool failure_prefix(failure *why, const char *format, ...) COMMAND_PRINTF(2, 3);  // puts a text before it; returns false
// From an arn_ error: message, and the byte of the file where that is known.
bool failure_from(failure *why, arn_status status, const arn_error *error);

// Names the subcommand in messages; main calls it once with argv[0] of the subcommand.
void command_begin(const char *name);
int command_failed(const char *format, ...) COMMAND_PRINTF(1, 2);   // "arenite run: ..." on stderr; returns COMMAND_FAILED
int command_misused(const char *format, ...) COMMAND_PRINTF(1, 2);  // the same, and where to find help; COMMAND_MISUSED
void command_note(const char *format, ...) COMMAND_PRINTF(1, 2);    // "arenite run: note: ..." on stderr
void command_quiet(void);                                           // notes are no longer printed
int command_misused_option(void);                                   // after getopt_long has complained itself

// Option values. On a malformed or out-of-range one: a message is printed and false returned.
bool command_read_int(const char *option, const char *text, long long low, long long high, long long *value);
bool command_read_real(const char *option, const char *text, double *value);
// Up to `most` numbers between commas; *count says how many.
bool command_read_reals(const char *option, const char *text, int most, double *values, int *count);
// "1x224x224x3" or "1,224,224,3", each 0..2^31-1.
bool command_read_shape(const char *option, const char *text, int most, int *dims, int *rank);
// Splits NAME=VALUE at the first '='; false with a message when there is none. The parts point into text, which is changed.
bool command_split(const char *option, char *text, char **name, char **value);
// Which of `choices` (ends with NULL) the text is; -1 with a message that lists them.
int command_choice(const char *option, const char *text, const char *const *choices);

void *command_alloc(size_t count, size_t size);                    // zeroed; ends the program when there is no memory
void *command_grow(void *old, size_t count, size_t size);          // not zeroed
char *command_text(const char *format, ...) COMMAND_PRINTF(1, 2);  // from command_alloc; the caller frees

// A whole file. The caller frees; size may be 0, the bytes are followed by a zero byte. At most `most` bytes.
bool command_read_file(const char *path, size_t most, uint8_t **bytes, size_t *size, failure *why);
bool command_write_file(const char *path, const void *bytes, size_t size, failure *why);

#endif
