// SPDX-License-Identifier: Apache-2.0
// UTF-8 checks and the formats of counts, sizes and times.
#include "text.h"

#include <stdio.h>
#include <string.h>

#include "command.h"

int text_utf8_length(const char *s, size_t left) {
  const unsigned char *u = (const unsigned char *)s;
  if (left == 0) return 0;
  if (u[0] < 0x80) return 1;
  int length = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
  if (u[0] < 0xC2 || u[0] > 0xF4 || (size_t)length > left) return 0;
  for (int i = 1; i < length; i++)
    if ((u[i] & 0xC0) != 0x80) return 0;
  // Over-long forms, surrogates and numbers beyond U+10FFFF show in the second byte.
  if ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F)) return 0;
  if ((u[0] == 0xF0 && u[1] < 0x90) || (u[0] == 0xF4 && u[1] > 0x8F)) return 0;
  return length;
}

// C0 controls, DEL, and the C1 controls that UTF-8 spells C2 80..C2 9F.
static int control_at(const char *s, int length) {
  const unsigned char *u = (const unsigned char *)s;
  return length == 1 ? u[0] < 0x20 || u[0] == 0x7F : length == 2 && u[0] == 0xC2 && u[1] < 0xA0;
}

void text_clean(char *s) {
  char *to = s;
  size_t left = strlen(s);
  while (left) {
    int length = text_utf8_length(s, left);
    if (length == 0 || control_at(s, length)) {
      *to++ = '?';
      if (length == 0) length = 1;
    } else {
      memmove(to, s, (size_t)length);
      to += length;
    }
    s += length;
    left -= (size_t)length;
  }
  *to = '\0';
}

char *text_copy(const char *s, size_t size, int controls) {
  static const char replacement[] = "\xEF\xBF\xBD";
  char *copy = command_alloc(size + 1, 3), *to = copy;
  while (size) {
    int length = text_utf8_length(s, size);
    if (length == 0) {
      memcpy(to, replacement, 3);
      to += 3;
      length = 1;
    } else if (*s == '\0' || (controls && control_at(s, length))) {
      *to++ = '?';
    } else {
      memcpy(to, s, (size_t)length);
      to += length;
    }
    s += length;
    size -= (size_t)length;
  }
  *to = '\0';
  return copy;
}

size_t text_columns(const char *s) {
  size_t columns = 0;
  for (; *s; s++) columns += ((unsigned char)*s & 0xC0) != 0x80;
  return columns;
}

char *text_count(char out[TEXT_NUMBER], uint64_t value) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  char *to = out;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) *to++ = ',';
    *to++ = digits[i];
  }
  *to = '\0';
  return out;
}

char *text_bytes(char out[TEXT_NUMBER], uint64_t bytes) {
  static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  double value = (double)bytes;
  size_t unit = 0;
  while (value >= 1024 && unit < sizeof units / sizeof *units - 1) {
    value /= 1024;
    unit++;
  }
  snprintf(out, TEXT_NUMBER, unit && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return out;
}

char *text_time(char out[TEXT_NUMBER], double nanoseconds) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  size_t unit = 0;
  while (nanoseconds >= 1000 && unit < 3) {
    nanoseconds /= 1000;
    unit++;
  }
  snprintf(out, TEXT_NUMBER,
           unit == 0           ? "%.0f %s"
           : nanoseconds < 10  ? "%.3f %s"
           : nanoseconds < 100 ? "%.2f %s"
                               : "%.1f %s",
           nanoseconds, units[unit]);
  return out;
}
