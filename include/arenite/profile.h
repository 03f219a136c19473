// SPDX-License-Identifier: Apache-2.0
// Hooks around every node of an inference, and a ready-made collector for hosts.
#ifndef ARENITE_PROFILE_H
#define ARENITE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "arenite/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_profiler {
  void *user;
  void (*begin)(void *user, int subgraph, int node);
  void (*end)(void *user, int subgraph, int node);
} arn_profiler;

// Collects count and time of each node. Nodes of called subgraphs count for themselves and within the calling node.
typedef struct arn_profile arn_profile;
typedef struct arn_profile_row {
  int subgraph, node;
  uint64_t calls;
  uint64_t total_ns, min_ns, max_ns;
} arn_profile_row;
arn_status arn_profile_create(arn_profile **profile);  // from the heap
void arn_profile_destroy(arn_profile *profile);
const arn_profiler *arn_profile_hooks(arn_profile *profile);  // for arn_interpreter_set_profiler
void arn_profile_reset(arn_profile *profile);
bool arn_profile_row_at(const arn_profile *profile, int index, arn_profile_row *row);  // by subgraph, then node; false past the end
uint64_t arn_clock_ns(void);  // a monotonic clock

#ifdef __cplusplus
}
#endif
#endif
