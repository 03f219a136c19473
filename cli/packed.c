// SPDX-License-Identifier: Apache-2.0
// A reader for the metadata record that checks each step, and the packed files through minizip.
// Source of the field numbers: metadata_schema.fbs of TFLite Support, format 1.5.0.
#include "packed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <minizip/unzip.h>

#include "text.h"

enum { PACKED_MAX_TENSORS = 4096, PACKED_MAX_FILE = 1 << 26 };

// A table of the record: its position, 0 for none (the root is never at 0).
typedef struct record {
  const uint8_t *bytes;
  size_t size;
} record;

static uint32_t record_u32(const record *r, size_t at) {
  if (at > r->size || r->size - at < 4) return 0;
  return (uint32_t)r->bytes[at] | (uint32_t)r->bytes[at + 1] << 8 | (uint32_t)r->bytes[at + 2] << 16 |
         (uint32_t)r->bytes[at + 3] << 24;
}

static uint32_t record_u16(const record *r, size_t at) {
  if (at > r->size || r->size - at < 2) return 0;
  return (uint32_t)r->bytes[at] | (uint32_t)r->bytes[at + 1] << 8;
}

// Where a field of the table at `table` lies; 0 when it is absent or beyond the record.
static size_t record_field(const record *r, size_t table, unsigned id, size_t bytes) {
  if (table == 0 || table > r->size || r->size - table < 4) return 0;
  int64_t vtable = (int64_t)table - (int32_t)record_u32(r, table);
  if (vtable <= 0 || vtable > (int64_t)r->size - 4) return 0;
  if (4 + 2 * id + 2 > record_u16(r, (size_t)vtable)) return 0;
  size_t offset = record_u16(r, (size_t)vtable + 4 + 2 * id);
  size_t at = table + offset;
  return offset && at <= r->size && r->size - at >= bytes ? at : 0;
}

// Follows a reference; 0 for none.
static size_t record_child(const record *r, size_t table, unsigned id) {
  size_t at = record_field(r, table, id, 4);
  if (!at) return 0;
  size_t target = at + record_u32(r, at);
  return target > at && target <= r->size && r->size - target >= 4 ? target : 0;
}

// A vector's first element and length; elements of `width` bytes all lie in the record.
static size_t record_vector(const record *r, size_t table, unsigned id, size_t width, uint32_t *count) {
  size_t at = record_child(r, table, id);
  *count = 0;
  if (!at) return 0;
  uint32_t length = record_u32(r, at);
  if ((r->size - at - 4) / width < length) return 0;
  *count = length;
  return at + 4;
}

static size_t record_element(const record *r, size_t vector, uint32_t index) {
  size_t at = vector + (size_t)index * 4, target = at + record_u32(r, at);
  return target > at && target <= r->size && r->size - target >= 4 ? target : 0;
}

static char *record_text(const record *r, size_t table, unsigned id) {
  uint32_t length;
  size_t at = record_vector(r, table, id, 1, &length);
  return at ? text_copy((const char *)r->bytes + at, length, 1) : NULL;
}

static int record_byte(const record *r, size_t table, unsigned id) {
  size_t at = record_field(r, table, id, 1);
  return at ? r->bytes[at] : 0;
}

static uint32_t record_word(const record *r, size_t table, unsigned id) {
  size_t at = record_field(r, table, id, 4);
  return at ? record_u32(r, at) : 0;
}

static double record_float(const record *r, size_t at) {
  uint32_t bits = record_u32(r, at);
  float value;
  memcpy(&value, &bits, 4);
  return (double)value;
}

// ModelMetadata and below, by field number.
enum { CONTENT_IMAGE = 2, CONTENT_AUDIO = 4, UNIT_NORMALIZATION = 1, UNIT_THRESHOLD = 3 };

static packed_file *read_files(const record *r, size_t table, unsigned id, int *count) {
  uint32_t length;
  size_t vector = record_vector(r, table, id, 4, &length);
  if (length > PACKED_MAX_TENSORS) length = PACKED_MAX_TENSORS;
  packed_file *files = command_alloc(length, sizeof *files);
  for (uint32_t i = 0; i < length; i++) {
    size_t file = record_element(r, vector, i);
    files[i] = (packed_file){record_text(r, file, 0), record_text(r, file, 1), record_text(r, file, 3), record_byte(r, file, 2)};
  }
  *count = (int)length;
  return files;
}

static void read_content(const record *r, size_t content, packed_tensor *out) {
  int kind = record_byte(r, content, 0);
  size_t properties = record_child(r, content, 1);
  if (kind == CONTENT_IMAGE) {
    out->image = true;
    out->grey = record_byte(r, properties, 0) == 2;
  } else if (kind == CONTENT_AUDIO) {
    uint32_t rate = record_word(r, properties, 0), channels = record_word(r, properties, 1);
    out->sample_rate = rate <= 1000000 ? (int)rate : 0;
    out->channels = channels <= 64 ? (int)channels : 0;
  }
}

static void read_unit(const record *r, size_t unit, packed_tensor *out) {
  int kind = record_byte(r, unit, 0);
  size_t options = record_child(r, unit, 1);
  if (kind == UNIT_THRESHOLD) {
    size_t at = record_field(r, options, 0, 4);
    if (at) out->threshold = record_float(r, at);
  }
  if (kind != UNIT_NORMALIZATION) return;
  uint32_t means, deviations;
  size_t mean = record_vector(r, options, 0, 4, &means), std = record_vector(r, options, 1, 4, &deviations);
  if (means != deviations || means == 0 || means > PACKED_CHANNELS) return;
  for (uint32_t i = 0; i < means; i++) {
    out->mean[i] = record_float(r, mean + i * 4);
    out->std[i] = record_float(r, std + i * 4);
    if (!isfinite(out->mean[i]) || !(fabs(out->std[i]) > 0) || !isfinite(out->std[i])) return;
  }
  out->norm_count = (int)means;
}

static packed_tensor *read_tensors(const record *r, size_t subgraph, unsigned id, int *count) {
  uint32_t length, units;
  size_t vector = record_vector(r, subgraph, id, 4, &length);
  if (length > PACKED_MAX_TENSORS) length = PACKED_MAX_TENSORS;
  packed_tensor *tensors = command_alloc(length, sizeof *tensors);
  for (uint32_t i = 0; i < length; i++) {
    size_t table = record_element(r, vector, i);
    packed_tensor *out = &tensors[i];
    out->threshold = (double)NAN;
    out->name = record_text(r, table, 0);
    out->description = record_text(r, table, 1);
    read_content(r, record_child(r, table, 3), out);
    size_t unit = record_vector(r, table, 4, 4, &units);
    for (uint32_t u = 0; u < units && u < PACKED_MAX_TENSORS; u++) read_unit(r, record_element(r, unit, u), out);
    out->files = read_files(r, table, 6, &out->file_count);
  }
  *count = (int)length;
  return tensors;
}

bool packed_parse(const uint8_t *bytes, size_t size, packed *out, failure *why) {
  *out = (packed){0};
  record r = {bytes, size};
  if (size < 12 || memcmp(bytes + 4, "M001", 4))
    return failure_set(why, "the TFLITE_METADATA entry is not a metadata record (M001)");
  size_t root = record_u32(&r, 0);
  if (root < 8 || root > size - 4) return failure_set(why, "the metadata record's root lies outside it");
  out->name = record_text(&r, root, 0);
  out->description = record_text(&r, root, 1);
  out->version = record_text(&r, root, 2);
  out->author = record_text(&r, root, 4);
  out->license = record_text(&r, root, 5);
  uint32_t subgraphs;
  size_t vector = record_vector(&r, root, 3, 4, &subgraphs);
  size_t subgraph = subgraphs ? record_element(&r, vector, 0) : 0;
  out->inputs = read_tensors(&r, subgraph, 2, &out->input_count);
  out->outputs = read_tensors(&r, subgraph, 3, &out->output_count);
  return true;
}

static void release_tensors(packed_tensor *tensors, int count) {
  for (int i = 0; i < count; i++) {
    for (int f = 0; f < tensors[i].file_count; f++) {
      free(tensors[i].files[f].name);
      free(tensors[i].files[f].description);
      free(tensors[i].files[f].locale);
    }
    free(tensors[i].files);
    free(tensors[i].name);
    free(tensors[i].description);
  }
  free(tensors);
}

void packed_release(packed *in) {
  release_tensors(in->inputs, in->input_count);
  release_tensors(in->outputs, in->output_count);
  free(in->name);
  free(in->description);
  free(in->version);
  free(in->author);
  free(in->license);
  *in = (packed){0};
}

const char *packed_label_file(const packed_tensor *output, const char *locale) {
  const char *best = NULL;
  int best_rank = 0;
  for (int i = 0; i < output->file_count; i++) {
    const packed_file *file = &output->files[i];
    if (!file->name || (file->type != PACKED_AXIS_LABELS && file->type != PACKED_VALUE_LABELS)) continue;
    const char *own = file->locale ? file->locale : "";
    int rank = locale && !strcmp(own, locale) ? 4 : !strcmp(own, "en") ? 3 : !*own ? 2 : 1;
    if (rank > best_rank) {
      best = file->name;
      best_rank = rank;
    }
  }
  return best;
}

// ---- The zip archive behind the FlatBuffer. ----
char **packed_list(const char *path) {
  int room = 8, count = 0;
  char **names = command_alloc((size_t)room, sizeof *names);
  unzFile zip = unzOpen64(path);
  if (!zip) return names;
  for (int state = unzGoToFirstFile(zip); state == UNZ_OK && count < PACKED_MAX_TENSORS; state = unzGoToNextFile(zip)) {
    char name[512];
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name - 1, NULL, 0, NULL, 0) != UNZ_OK) break;
    name[sizeof name - 1] = '\0';
    if (count + 2 > room) {
      room *= 2;
      names = command_grow(names, (size_t)room, sizeof *names);
    }
    names[count++] = command_text("%s", name);
    names[count] = NULL;
  }
  unzClose(zip);
  return names;
}

void packed_free_names(char **names) {
  for (int i = 0; names[i]; i++) free(names[i]);
  free(names);
}

bool packed_extract(const char *path, const char *name, uint8_t **bytes, size_t *size, failure *why) {
  unz_file_info64 info;
  *bytes = NULL;
  *size = 0;
  unzFile zip = unzOpen64(path);
  if (!zip) return failure_set(why, "%s has no packed files", path);
  bool good = false;
  if (unzLocateFile(zip, name, 1) != UNZ_OK)
    failure_set(why, "%s has no packed file '%s'", path, name);
  else if (unzGetCurrentFileInfo64(zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK || info.uncompressed_size > PACKED_MAX_FILE)
    failure_set(why, "the packed file '%s' is malformed or larger than %d bytes", name, PACKED_MAX_FILE);
  else if (unzOpenCurrentFile(zip) != UNZ_OK)
    failure_set(why, "the packed file '%s' cannot be read", name);
  else {
    *size = (size_t)info.uncompressed_size;
    *bytes = command_alloc(*size + 1, 1);
    int got = unzReadCurrentFile(zip, *bytes, (unsigned)*size);
    good = unzCloseCurrentFile(zip) == UNZ_OK && got == (int)*size;
    if (!good) {
      failure_set(why, "the packed file '%s' is damaged", name);
      free(*bytes);
      *bytes = NULL;
    }
  }
  unzClose(zip);
  return good;
}
