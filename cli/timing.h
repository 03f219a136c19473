// SPDX-License-Identifier: Apache-2.0
// Times: statistics of repeated runs, and a profile's rows with the names of their operators.
#ifndef CLI_TIMING_H
#define CLI_TIMING_H

#include <stdio.h>

#include "json.h"
#include "session.h"

// All in nanoseconds. Percentiles are order statistics (nearest rank).
typedef struct timing {
  int count;
  double mean, deviation, least, median, p90, p95, p99, largest;
} timing;

timing timing_of(const uint64_t *samples, int count);  // count >= 1
void timing_json(cJSON *parent, const char *key, const timing *t);

// Operators by falling share of the time: the `most` first (0: all), then kinds of operators. runs: of the whole model.
void timing_profile_text(FILE *out, const session *s, const arn_profile *profile, int runs, int most);
void timing_profile_json(cJSON *parent, const session *s, const arn_profile *profile, int runs);

#endif
