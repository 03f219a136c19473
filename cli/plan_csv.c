// SPDX-License-Identifier: Apache-2.0
// Reading planning problems from CSV and pairs files.
#include "plan_csv.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_LINE_MAX = 1024, CSV_COLUMNS_MAX = 16 };
enum csv_column { COLUMN_ID, COLUMN_LOWER, COLUMN_UPPER, COLUMN_SIZE, COLUMN_ALIGNMENT, COLUMN_OFFSET, COLUMN_KINDS };

static const char *const column_names[COLUMN_KINDS] = {"id", "lower", "upper", "size", "alignment", "offset"};

typedef struct csv_reader {
  FILE *stream;
  const char *path;
  char *message;
  unsigned line_number;
  char line[CSV_LINE_MAX];
  char *cells[CSV_COLUMNS_MAX];
  int cell_count;
} csv_reader;

static arn_status csv_fail(const csv_reader *r, arn_status status, const char *what) {
  snprintf(r->message, PLAN_CSV_MESSAGE_MAX, "%s:%u: %s", r->path, r->line_number, what);
  return status;
}

static char *trim(char *text) {
  while (isspace((unsigned char)*text)) text++;
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
  return text;
}

static arn_status csv_open(csv_reader *r, const char *path, char *message) {
  memset(r, 0, sizeof *r);
  r->path = path;
  r->message = message;
  r->stream = fopen(path, "r");
  if (r->stream) return ARN_OK;
  snprintf(message, PLAN_CSV_MESSAGE_MAX, "%s: %s", path, strerror(errno));
  return ARN_IO;
}

// The next line that is not empty, cut into cells: ARN_OK; ARN_NOT_FOUND at the end.
static arn_status csv_next(csv_reader *r) {
  for (;;) {
    if (!fgets(r->line, sizeof r->line, r->stream)) {
      if (ferror(r->stream)) return csv_fail(r, ARN_IO, strerror(errno));
      return ARN_NOT_FOUND;
    }
    r->line_number++;
    if (strlen(r->line) == sizeof r->line - 1) return csv_fail(r, ARN_INVALID_ARGUMENT, "line too long");
    char *text = trim(r->line);
    if (!*text) continue;
    for (r->cell_count = 0; text; r->cell_count++) {
      if (r->cell_count == CSV_COLUMNS_MAX) return csv_fail(r, ARN_INVALID_ARGUMENT, "too many columns");
      char *comma = strchr(text, ',');
      if (comma) *comma = '\0';
      r->cells[r->cell_count] = trim(text);
      text = comma ? comma + 1 : NULL;
    }
    return ARN_OK;
  }
}

static bool read_number(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  if (!isdigit((unsigned char)*text)) return false;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (errno != 0 || *end || number > most) return false;
  *value = number;
  return true;
}

static arn_status read_header(csv_reader *r, int columns[COLUMN_KINDS]) {
  for (int k = 0; k < COLUMN_KINDS; k++) columns[k] = -1;
  arn_status status = csv_next(r);
  if (status == ARN_NOT_FOUND) return csv_fail(r, ARN_INVALID_ARGUMENT, "empty file");
  if (status != ARN_OK) return status;
  for (int c = 0; c < r->cell_count; c++)
    for (int k = 0; k < COLUMN_KINDS; k++)
      if (strcmp(r->cells[c], column_names[k]) == 0) columns[k] = c;
  for (int k = COLUMN_ID; k <= COLUMN_SIZE; k++)
    if (columns[k] < 0) return csv_fail(r, ARN_INVALID_ARGUMENT, "the first line must name the columns id,lower,upper,size");
  return ARN_OK;
}

static arn_status read_request(const csv_reader *r, const int columns[COLUMN_KINDS], uint32_t alignment,
                               arn_plan_request *request) {
  uint64_t values[COLUMN_KINDS] = {0, 0, 0, 0, alignment, ARN_PLAN_ANYWHERE};
  const uint64_t most[COLUMN_KINDS] = {0, UINT32_MAX, UINT32_MAX, SIZE_MAX, UINT32_MAX, SIZE_MAX};
  for (int k = COLUMN_LOWER; k < COLUMN_KINDS; k++) {
    bool optional = k == COLUMN_ALIGNMENT || k == COLUMN_OFFSET;
    const char *cell = columns[k] < 0 || columns[k] >= r->cell_count ? "" : r->cells[columns[k]];
    if (optional && !*cell) continue;
    if (!read_number(cell, most[k], &values[k])) {
      char what[64];
      snprintf(what, sizeof what, "the column %s is not a number in range", column_names[k]);
      return csv_fail(r, ARN_INVALID_ARGUMENT, what);
    }
  }
  if (values[COLUMN_UPPER] <= values[COLUMN_LOWER]) return csv_fail(r, ARN_INVALID_ARGUMENT, "upper must be above lower");
  *request = (arn_plan_request){.size = (size_t)values[COLUMN_SIZE],
                                .fixed_offset = (size_t)values[COLUMN_OFFSET],
                                .alignment = (uint32_t)values[COLUMN_ALIGNMENT],
                                .first = (uint32_t)values[COLUMN_LOWER],
                                .last = (uint32_t)values[COLUMN_UPPER] - 1};
  return ARN_OK;
}

// Makes room for one more element when count is a power of two (or 0).
static bool grow(void **array, uint32_t count, size_t size) {
  if (count != 0 && (count & (count - 1)) != 0) return true;
  if (count > UINT32_MAX / 2) return false;
  void *larger = realloc(*array, size * (count ? 2 * (size_t)count : 1));
  if (larger) *array = larger;
  return larger != NULL;
}

arn_status plan_csv_open(plan_csv *file, const char *path, uint32_t alignment, char message[PLAN_CSV_MESSAGE_MAX]) {
  csv_reader r;
  int columns[COLUMN_KINDS];
  memset(file, 0, sizeof *file);
  arn_status status = csv_open(&r, path, message);
  if (status != ARN_OK) return status;
  status = read_header(&r, columns);
  while (status == ARN_OK && (status = csv_next(&r)) == ARN_OK) {
    arn_plan_request request;
    void *requests = file->requests, *ids = file->ids;
    status = read_request(&r, columns, alignment, &request);
    if (status != ARN_OK) break;
    bool room = grow(&requests, file->request_count, sizeof *file->requests);
    file->requests = requests;
    room = grow(&ids, file->request_count, sizeof *file->ids) && room;
    file->ids = ids;
    if (!room) {
      status = csv_fail(&r, ARN_OUT_OF_MEMORY, "out of memory");
      break;
    }
    file->requests[file->request_count] = request;
    snprintf(file->ids[file->request_count++], PLAN_CSV_ID_MAX, "%.*s", PLAN_CSV_ID_MAX - 1, r.cells[columns[COLUMN_ID]]);
  }
  fclose(r.stream);
  return status == ARN_NOT_FOUND ? ARN_OK : status;
}

static bool read_distance(const char *text, size_t *distance) {
  uint64_t value = ARN_PLAN_APART;
  if (strcmp(text, "-1") != 0 && !read_number(text, SIZE_MAX, &value)) return false;
  *distance = (size_t)value;
  return true;
}

arn_status plan_csv_open_pairs(plan_csv *file, const char *path, char message[PLAN_CSV_MESSAGE_MAX]) {
  csv_reader r;
  arn_status status = csv_open(&r, path, message);
  if (status != ARN_OK) return status;
  while ((status = csv_next(&r)) == ARN_OK) {
    if (isalpha((unsigned char)r.cells[0][0]) || r.cells[0][0] == '#') continue;
    arn_plan_pair pair = {0, 0, 0, 0};
    uint64_t a = 0, b = 0;
    bool sound = r.cell_count == 4 && read_number(r.cells[0], UINT32_MAX, &a) && read_number(r.cells[1], UINT32_MAX, &b) &&
                 read_distance(r.cells[2], &pair.forward) && read_distance(r.cells[3], &pair.backward);
    void *pairs = file->pairs;
    if (!sound) status = csv_fail(&r, ARN_INVALID_ARGUMENT, "a pair is two row numbers and two distances: a,b,D,E");
    else if (a >= file->request_count || b >= file->request_count)
      status = csv_fail(&r, ARN_INVALID_ARGUMENT, "a pair names a row that the requests do not have");
    else if (!grow(&pairs, file->pair_count, sizeof *file->pairs)) status = csv_fail(&r, ARN_OUT_OF_MEMORY, "out of memory");
    if (status != ARN_OK) break;
    file->pairs = pairs;
    pair.a = (uint32_t)a;
    pair.b = (uint32_t)b;
    file->pairs[file->pair_count++] = pair;
  }
  fclose(r.stream);
  return status == ARN_NOT_FOUND ? ARN_OK : status;
}

void plan_csv_close(plan_csv *file) {
  free(file->requests);
  free(file->ids);
  free(file->pairs);
  memset(file, 0, sizeof *file);
}
