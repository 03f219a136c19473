// SPDX-License-Identifier: Apache-2.0
// Messages, option values, memory and whole files for the subcommands.
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const char *running = "arenite";
static bool notes_wanted = true;

bool failure_set(failure *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return false;
}

bool failure_prefix(failure *why, const char *format, ...) {
  failure old = *why;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  if (length >= 0 && (size_t)length < sizeof why->text) {
    size_t left = sizeof why->text - (size_t)length;
    size_t more = strlen(old.text);
    if (more >= left) more = left - 1;
    memcpy(why->text + length, old.text, more);
    why->text[(size_t)length + more] = '\0';
  }
  return false;
}

bool failure_from(failure *why, arn_status status, const arn_error *error) {
  const char *message = error->message[0] ? error->message : arn_status_text(status);
  failure_set(why, "%s", message);
  if (error->byte >= 0 && !strstr(message, "byte")) {
    size_t length = strlen(why->text);
    snprintf(why->text + length, sizeof why->text - length, " (byte %lld)", (long long)error->byte);
  }
  return false;
}

void command_begin(const char *name) { running = name; }

static void command_say(const char *kind, const char *format, va_list arguments) {
  char line[4096];
  vsnprintf(line, sizeof line, format, arguments);
  text_clean(line);
  fprintf(stderr, "%s: %s%s\n", running, kind, line);
}

int command_failed(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  command_say("", format, arguments);
  va_end(arguments);
  return COMMAND_FAILED;
}

int command_misused_option(void) {
  fprintf(stderr, "Try '%s --help'.\n", running);
  return COMMAND_MISUSED;
}

int command_misused(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  command_say("", format, arguments);
  va_end(arguments);
  return command_misused_option();
}

void command_note(const char *format, ...) {
  if (!notes_wanted) return;
  va_list arguments;
  va_start(arguments, format);
  command_say("note: ", format, arguments);
  va_end(arguments);
}

void command_quiet(void) { notes_wanted = false; }

bool command_read_int(const char *option, const char *text, long long low, long long high, long long *value) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  if (end == text || *end || errno || number < low || number > high) {
    if (high == LLONG_MAX)
      command_misused("%s wants a whole number of at least %lld, not '%s'", option, low, text);
    else
      command_misused("%s wants a whole number from %lld to %lld, not '%s'", option, low, high, text);
    return false;
  }
  *value = number;
  return true;
}

bool command_read_reals(const char *option, const char *text, int most, double *values, int *count) {
  *count = 0;
  const char *at = text;
  for (;;) {
    char *end;
    double number = strtod(at, &end);
    bool ends = end != at && (*end == '\0' || *end == ',') && isfinite(number);
    if (!ends || *count == most) {
      if (most == 1)
        command_misused("%s wants a number, not '%s'", option, text);
      else
        command_misused("%s wants 1 to %d numbers between commas, not '%s'", option, most, text);
      return false;
    }
    values[(*count)++] = number;
    if (*end == '\0') return true;
    at = end + 1;
  }
}

bool command_read_real(const char *option, const char *text, double *value) {
  int count;
  return command_read_reals(option, text, 1, value, &count);
}

bool command_read_shape(const char *option, const char *text, int most, int *dims, int *rank) {
  *rank = 0;
  const char *at = text;
  for (;;) {
    char *end;
    errno = 0;
    long number = strtol(at, &end, 10);
    bool right = end != at && (*end == '\0' || *end == ',' || *end == 'x') && !errno && number >= 0 && number <= INT_MAX;
    if (!right || *rank == most) {
      command_misused("%s wants up to %d dimensions, like 1x224x224x3, not '%s'", option, most, text);
      return false;
    }
    dims[(*rank)++] = (int)number;
    if (*end == '\0') return true;
    at = end + 1;
  }
}

bool command_split(const char *option, char *text, char **name, char **value) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1]) {
    command_misused("%s wants NAME=VALUE, not '%s'", option, text);
    return false;
  }
  *equals = '\0';
  *name = text;
  *value = equals + 1;
  return true;
}

int command_choice(const char *option, const char *text, const char *const *choices) {
  for (int i = 0; choices[i]; i++)
    if (!strcmp(choices[i], text)) return i;
  char list[512] = "";
  for (int i = 0; choices[i]; i++) {
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", choices[i]);
  }
  command_misused("%s is one of %s, not '%s'", option, list, text);
  return -1;
}

static void out_of_memory(void) {
  fprintf(stderr, "%s: out of memory\n", running);
  exit(COMMAND_FAILED);
}

void *command_alloc(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory) out_of_memory();
  return memory;
}

void *command_grow(void *old, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) out_of_memory();
  void *memory = realloc(old, count && size ? count * size : 1);
  if (!memory) out_of_memory();
  return memory;
}

char *command_text(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) length = 0;
  char *text = command_alloc((size_t)length + 1, 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

bool command_read_file(const char *path, size_t most, uint8_t **bytes, size_t *size, failure *why) {
  *bytes = NULL;
  *size = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return failure_set(why, "cannot open %s: %s", path, strerror(errno));
  size_t room = 1 << 16, length = 0;
  uint8_t *memory = command_alloc(room, 1);
  for (;;) {
    length += fread(memory + length, 1, room - length - 1, file);
    if (length < room - 1 || length > most) break;
    room *= 2;
    memory = command_grow(memory, room, 1);
  }
  bool failed = ferror(file) != 0;
  int error = errno;
  fclose(file);
  if (failed || length > most) {
    free(memory);
    if (failed) return failure_set(why, "cannot read %s: %s", path, strerror(error));
    return failure_set(why, "%s is larger than %zu bytes", path, most);
  }
  memory[length] = 0;
  *bytes = memory;
  *size = length;
  return true;
}

bool command_write_file(const char *path, const void *bytes, size_t size, failure *why) {
  FILE *file = fopen(path, "wb");
  if (!file) return failure_set(why, "cannot write %s: %s", path, strerror(errno));
  bool good = fwrite(bytes, 1, size, file) == size;
  good = fclose(file) == 0 && good;
  if (!good) return failure_set(why, "cannot write %s: %s", path, strerror(errno));
  return true;
}
