// SPDX-License-Identifier: Apache-2.0
// Files mapped read-only.
#ifndef HOST_FILE_MAP_H
#define HOST_FILE_MAP_H

#include "base/compiler.h"
#include "base/error.h"

typedef struct file_map {
  void *data;  // page-aligned; NULL: not mapped
  size_t size;
} file_map;

// Maps the whole of a file. An empty file or something that is no regular file is an error.
arn_status file_map_open(file_map *map, const char *path, arn_error *error);
void file_map_close(void *data, size_t size);

#endif
