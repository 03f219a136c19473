// SPDX-License-Identifier: Apache-2.0
// Text out of files that nobody vouches for, made fit for a terminal and for JSON; sizes and counts for people.
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stddef.h>
#include <stdint.h>

// Length of the UTF-8 sequence at s (1..4), 0 when it is malformed (over-long, a surrogate, cut short). Reads at most `left`
// bytes.
int text_utf8_length(const char *s, size_t left);
// In place: control characters and malformed UTF-8 become '?', so that a file cannot drive the terminal.
void text_clean(char *s);
// A clean copy of `size` bytes; the caller frees. Malformed UTF-8 becomes U+FFFD; with controls set, control characters become
// '?' too.
char *text_copy(const char *s, size_t size, int controls);
// Columns a clean text takes: code points, which is right for the scripts that tensor names use.
size_t text_columns(const char *s);

// "1,234,567", "4.0 MB", "12.3 us": into `out` (32 bytes are enough), which is returned.
enum { TEXT_NUMBER = 32 };
char *text_count(char out[TEXT_NUMBER], uint64_t value);
char *text_bytes(char out[TEXT_NUMBER], uint64_t bytes);
char *text_time(char out[TEXT_NUMBER], double nanoseconds);

#endif
