// SPDX-License-Identifier: Apache-2.0
// Arm semihosting calls (Arm's semihosting specification: operation in r0, argument block in r1, bkpt 0xAB).
#include "semihost.h"

#include <stdint.h>
#include <string.h>

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT_EXTENDED = 0x20 };
enum { OPEN_READ_BINARY = 1, OPEN_WRITE_BINARY = 5, APPLICATION_EXIT = 0x20026 };

static long call(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return (long)r0;
}

void semihost_write(const char *text) { call(SYS_WRITE0, text); }

static long open_file(const char *path, uint32_t mode) {
  const uint32_t block[] = {(uint32_t)(uintptr_t)path, mode, strlen(path)};
  return call(SYS_OPEN, block);
}

static void close_file(long file) {
  const uint32_t block[] = {(uint32_t)file};
  call(SYS_CLOSE, block);
}

long semihost_read_file(const char *path, void *data, size_t size) {
  long file = open_file(path, OPEN_READ_BINARY);
  if (file < 0) return -1;
  const uint32_t block[] = {(uint32_t)file, (uint32_t)(uintptr_t)data, size};
  long missing = call(SYS_READ, block);  // bytes not read
  close_file(file);
  return (long)size - missing;
}

_Bool semihost_write_file(const char *path, const void *data, size_t size) {
  long file = open_file(path, OPEN_WRITE_BINARY);
  if (file < 0) return 0;
  const uint32_t block[] = {(uint32_t)file, (uint32_t)(uintptr_t)data, size};
  long missing = call(SYS_WRITE, block);
  close_file(file);
  return missing == 0;
}

_Noreturn void semihost_exit(int status) {
  const uint32_t block[] = {APPLICATION_EXIT, (uint32_t)status};
  for (;;) call(SYS_EXIT_EXTENDED, block);
}
