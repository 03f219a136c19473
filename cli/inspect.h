// SPDX-License-Identifier: Apache-2.0
// What `arenite inspect` shows, section by section, as text and as JSON.
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include "arenite/model.h"
#include "packed.h"

// Bits, in the order in which the sections are shown.
enum {
  INSPECT_HEAD = 1,
  INSPECT_CODES = 2,
  INSPECT_TENSORS = 4,
  INSPECT_OPERATORS = 8,
  INSPECT_SIGNATURES = 16,
  INSPECT_METADATA = 32,
  INSPECT_BUFFERS = 64,
  INSPECT_SIZES = 128,
  INSPECT_ALL = 255
};

typedef struct inspect_source {
  const char *path;
  const arn_model *model;
  arn_model_info info;
  packed about;   // empty: no metadata record
  char **packed;  // names of packed files, ends with NULL
} inspect_source;

// Constant bytes by element type and what else fills the file.
typedef struct inspect_size {
  const char *what;
  uint32_t count;
  uint64_t bytes;
} inspect_size;
// By falling bytes; the caller frees. Each buffer counts once, for the first tensor that uses it.
inspect_size *inspect_sizes(const inspect_source *source, int *count);

void inspect_text(const inspect_source *source, unsigned sections);
int inspect_json(const inspect_source *source, unsigned sections);

#endif
