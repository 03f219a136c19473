// SPDX-License-Identifier: Apache-2.0
// The .npy format (numpy/lib/format.py documents it): "\x93NUMPY", version, header length, a Python dictionary as text, data.
#include "npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char npy_magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

static bool big_endian_host(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 0;
}

// The text behind 'key': in the header's dictionary, NULL when the key is missing.
static const char *header_value(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at) return NULL;
  at = strchr(at, ':');
  if (!at) return NULL;
  do at++;
  while (*at == ' ');
  return at;
}

static bool parse_descr(const char *at, npy *array, bool *swap, failure *why) {
  char quote = at ? *at : 0;
  if (quote != '\'' && quote != '"') return failure_set(why, "the array has fields (a structured type): save a plain array");
  if (strlen(at) < 4) return failure_set(why, "the header ends within the element type");
  char order = at[1], kind = at[2];
  char *end;
  long item = strtol(at + 3, &end, 10);
  bool sized = (kind == 'b' && item == 1) ||
               ((kind == 'i' || kind == 'u') && (item == 1 || item == 2 || item == 4 || item == 8)) ||
               (kind == 'f' && (item == 2 || item == 4 || item == 8)) || (kind == 'c' && (item == 8 || item == 16));
  if (*end != quote || !strchr("<>|=", order) || !sized)
    return failure_set(why, "element type %.8s is not a bool, integer, float or complex type", at);
  array->kind = kind;
  array->item = (int)item;
  *swap = item > 1 && ((order == '>' && !big_endian_host()) || (order == '<' && big_endian_host()));
  return true;
}

static bool parse_shape(const char *at, npy *array, failure *why) {
  if (!at || *at != '(') return failure_set(why, "the header gives no shape");
  at++;
  array->count = 1;
  array->rank = 0;
  for (;;) {
    while (*at == ' ' || *at == ',') at++;
    if (*at == ')') return true;
    char *end;
    unsigned long long dim = strtoull(at, &end, 10);
    if (end == at || *at == '-' || array->rank == NPY_MAX_RANK) return failure_set(why, "the shape cannot be read: %.40s", at);
    if (dim > SIZE_MAX || (dim && array->count > SIZE_MAX / 16 / (size_t)dim)) return failure_set(why, "the array is too large");
    array->dims[array->rank++] = (size_t)dim;
    array->count *= (size_t)dim;
    at = end;
  }
}

static void swap_elements(npy *array) {
  int part = array->kind == 'c' ? array->item / 2 : array->item;  // a complex number is two floats
  uint8_t *bytes = array->data;
  size_t parts = array->count * (size_t)(array->item / part);
  for (size_t i = 0; i < parts; i++, bytes += part)
    for (int j = 0; j < part / 2; j++) {
      uint8_t byte = bytes[j];
      bytes[j] = bytes[part - 1 - j];
      bytes[part - 1 - j] = byte;
    }
}

bool npy_parse(const uint8_t *bytes, size_t size, npy *array, failure *why) {
  *array = (npy){0};
  if (size < 12 || memcmp(bytes, npy_magic, sizeof npy_magic)) return failure_set(why, "not a .npy file");
  size_t head = bytes[6] == 1 ? 10 : 12;
  size_t length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] < 1 || bytes[6] > 3) return failure_set(why, ".npy version %d is not known", bytes[6]);
  if (bytes[6] > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length > size - head) return failure_set(why, "the file ends within its header");
  char *header = command_alloc(length + 1, 1);
  memcpy(header, bytes + head, length);
  bool swap = false;
  const char *order = header_value(header, "fortran_order");
  bool good =
      parse_descr(header_value(header, "descr"), array, &swap, why) && parse_shape(header_value(header, "shape"), array, why);
  if (good && order && !strncmp(order, "True", 4))
    good = failure_set(why, "the array is in Fortran order: save numpy.ascontiguousarray(array)");
  free(header);
  if (!good) return false;
  size_t wanted = array->count * (size_t)array->item;
  if (size - head - length < wanted)
    return failure_set(why, "the file ends early: %zu of %zu data bytes", size - head - length, wanted);
  array->data = command_alloc(wanted, 1);
  memcpy(array->data, bytes + head + length, wanted);
  if (swap) swap_elements(array);
  return true;
}

bool npy_read(const char *path, npy *array, failure *why) {
  uint8_t *bytes;
  size_t size;
  *array = (npy){0};
  if (!command_read_file(path, (size_t)1 << 33, &bytes, &size, why)) return false;
  bool good = npy_parse(bytes, size, array, why);
  free(bytes);
  return good || failure_prefix(why, "%s: ", path);
}

void npy_free(npy *array) {
  free(array->data);
  *array = (npy){0};
}

bool npy_write(const char *path, const npy *array, failure *why) {
  char header[1024], shape[NPY_MAX_RANK * 22 + 4];
  int length = 0;
  for (int i = 0; i < array->rank; i++)
    length += snprintf(shape + length, sizeof shape - (size_t)length,
                       array->rank == 1 ? "%zu,"
                       : i              ? ", %zu"
                                        : "%zu",
                       array->dims[i]);
  shape[length] = '\0';
  char order = array->item == 1 ? '|' : big_endian_host() ? '>' : '<';
  length = snprintf(header, sizeof header, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%s), }", order, array->kind,
                    array->item, shape);
  // The data begins at a multiple of 64; the header ends with a newline.
  size_t head = 10 + (size_t)length + 1, padded = (head + 63) / 64 * 64;
  size_t wanted = array->count * (size_t)array->item;
  uint8_t *bytes = command_alloc(padded + wanted, 1);
  memcpy(bytes, npy_magic, sizeof npy_magic);
  bytes[6] = 1;
  bytes[8] = (uint8_t)((padded - 10) & 0xFF);
  bytes[9] = (uint8_t)((padded - 10) >> 8);
  memset(bytes + 10, ' ', padded - 10);
  memcpy(bytes + 10, header, (size_t)length);
  bytes[padded - 1] = '\n';
  if (wanted) memcpy(bytes + padded, array->data, wanted);
  bool good = command_write_file(path, bytes, padded + wanted, why);
  free(bytes);
  return good;
}

static double half_real(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                 : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
  return bits & 0x8000 ? -value : value;
}

double npy_real(const npy *array, size_t index) {
  const uint8_t *at = (const uint8_t *)array->data + index * (size_t)array->item;
  int item = array->kind == 'c' ? array->item / 2 : array->item;
  uint64_t bits = 0;
  if (item == 1) {
    bits = *at;
  } else if (item == 2) {
    uint16_t word;
    memcpy(&word, at, 2);
    bits = word;
  } else if (item == 4) {
    uint32_t word;
    memcpy(&word, at, 4);
    bits = word;
  } else {
    memcpy(&bits, at, 8);
  }
  switch (array->kind) {
    case 'b': return bits != 0;
    case 'u': return (double)bits;
    case 'i': return item == 1 ? (int8_t)bits : item == 2 ? (int16_t)bits : item == 4 ? (int32_t)bits : (double)(int64_t)bits;
    default: break;
  }
  if (item == 2) return half_real((uint16_t)bits);
  float single;
  double real;
  uint32_t low = (uint32_t)bits;
  memcpy(&single, &low, 4);
  memcpy(&real, &bits, 8);
  return item == 4 ? (double)single : real;
}

void npy_type_name(const npy *array, char name[16]) {
  const char *kind = array->kind == 'b'   ? "bool"
                     : array->kind == 'i' ? "int"
                     : array->kind == 'u' ? "uint"
                     : array->kind == 'f' ? "float"
                                          : "complex";
  if (array->kind == 'b')
    snprintf(name, 16, "bool");
  else
    snprintf(name, 16, "%s%d", kind, array->item * 8);
}
