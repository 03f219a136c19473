// SPDX-License-Identifier: Apache-2.0
// Arm semihosting, as far as the test images need it: text, files of the host, the exit status.
#ifndef FIRMWARE_SEMIHOST_H
#define FIRMWARE_SEMIHOST_H

#include <stddef.h>

void semihost_write(const char *text);
// Reads up to `size` bytes of a host file; returns how many, -1 when it cannot be opened.
long semihost_read_file(const char *path, void *data, size_t size);
// Writes a host file; false when it could not.
_Bool semihost_write_file(const char *path, const void *data, size_t size);
_Noreturn void semihost_exit(int status);

#endif
