// SPDX-License-Identifier: Apache-2.0
// Files mapped read-only, and models opened from them.
#include "host/file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/heap.h"
#include "model/model.h"

static arn_status file_refused(arn_error *error, const char *path, const char *doing, int number) {
  (void)path, (void)doing;  // unread without messages
  return error_set(error, number == ENOENT ? ARN_NOT_FOUND : ARN_IO, "cannot %s %s: %s", doing, path, strerror(number));
}

arn_status file_map_open(file_map *map, const char *path, arn_error *error) {
  *map = (file_map){NULL, 0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return file_refused(error, path, "open", errno);
  arn_status status = ARN_OK;
  struct stat about;
  if (fstat(file, &about) != 0) {
    status = file_refused(error, path, "look at", errno);
  } else if (!S_ISREG(about.st_mode)) {
    status = error_set(error, ARN_IO, "%s is not a regular file", path);
  } else if (about.st_size == 0) {
    status = error_set(error, ARN_IO, "%s is empty", path);
  } else if ((uintmax_t)about.st_size > SIZE_MAX) {
    status = error_set(error, ARN_UNSUPPORTED, "%s is larger than this machine's address space", path);
  } else {
    void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) status = file_refused(error, path, "map", errno);
    else *map = (file_map){data, (size_t)about.st_size};
  }
  close(file);
  return status;
}

void file_map_close(void *data, size_t size) {
  if (data) munmap(data, size);
}

arn_status arn_model_open_file(const char *path, unsigned flags, arn_model **model, arn_error *error) {
  if (!model) return error_set(error, ARN_INVALID_ARGUMENT, "no place for the model");
  *model = NULL;
  if (!path) return error_set(error, ARN_INVALID_ARGUMENT, "no file name");
  file_map map;
  arn_status status = file_map_open(&map, path, error);
  if (status != ARN_OK) return status;
  status = arn_model_open_buffer(map.data, map.size, flags, host_heap(), model, error);
  if (status != ARN_OK) return file_map_close(map.data, map.size), status;
  (*model)->unmap = file_map_close;
  (*model)->mapping = map.data;
  return ARN_OK;
}
