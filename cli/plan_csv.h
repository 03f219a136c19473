// SPDX-License-Identifier: Apache-2.0
// Planning problems in files: requests as CSV in MiniMalloc's format, overlap pairs beside them. Uses the public headers only.
#ifndef CLI_PLAN_CSV_H
#define CLI_PLAN_CSV_H

#include "arenite/plan.h"

enum { PLAN_CSV_ID_MAX = 64, PLAN_CSV_MESSAGE_MAX = 256 };

typedef struct plan_csv {
  arn_plan_request *requests;
  char (*ids)[PLAN_CSV_ID_MAX];  // as in the file
  arn_plan_pair *pairs;
  uint32_t request_count, pair_count;
} plan_csv;

// Reads a file whose first line names its columns: id, lower (first step), upper (the step after the last), size, and
// optionally alignment and offset (fixed where not empty), in any order. Where no alignment is given it is `alignment`. Returns
// ARN_OK, or writes a sentence with the file and line into message. Close it in either case.
arn_status plan_csv_open(plan_csv *file, const char *path, uint32_t alignment, char message[PLAN_CSV_MESSAGE_MAX]);
// Reads lines a,b,D,E into an opened file: row indices of an output and an input, and the distances of arn_plan_pair, -1 for
// a way that is not allowed. A line that starts with a letter or # is skipped.
arn_status plan_csv_open_pairs(plan_csv *file, const char *path, char message[PLAN_CSV_MESSAGE_MAX]);
void plan_csv_close(plan_csv *file);

#endif
