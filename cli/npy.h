// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1 to 3: one array, C order, read into memory in this machine's byte order, or written.
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "command.h"

enum { NPY_MAX_RANK = 32 };

// The element's kind as numpy spells it: b bool, i signed, u unsigned, f float, c complex; and its size in bytes.
typedef struct npy {
  char kind;
  int item;  // bytes of an element
  int rank;
  size_t dims[NPY_MAX_RANK];
  size_t count;  // elements
  void *data;    // count * item bytes; npy_free
} npy;

bool npy_read(const char *path, npy *array, failure *why);
// The same from memory; `bytes` are not kept.
bool npy_parse(const uint8_t *bytes, size_t size, npy *array, failure *why);
void npy_free(npy *array);
bool npy_write(const char *path, const npy *array, failure *why);
// Element as a double (bool: 0 or 1; complex: the real part).
double npy_real(const npy *array, size_t index);
// "float32", "uint8", ...
void npy_type_name(const npy *array, char name[16]);

#endif
