// SPDX-License-Identifier: Apache-2.0
// The clock, and the collector of arenite/profile.h.
#include "arenite/profile.h"

#include <string.h>
#include <time.h>

#include "host/heap.h"

uint64_t arn_clock_ns(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

typedef struct profile_slot {
  arn_profile_row row;
  uint64_t started;
} profile_slot;

// Rows in ascending (subgraph, node), as the nodes are met.
struct arn_profile {
  arn_profiler hooks;
  profile_slot *slots;
  size_t count, capacity;
};

// Index of the row, or where it belongs.
static size_t find_slot(const arn_profile *profile, int subgraph, int node) {
  size_t low = 0, high = profile->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const arn_profile_row *row = &profile->slots[middle].row;
    if (row->subgraph < subgraph || (row->subgraph == subgraph && row->node < node))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_slot(const arn_profile *profile, size_t at, int subgraph, int node) {
  return at < profile->count && profile->slots[at].row.subgraph == subgraph && profile->slots[at].row.node == node;
}

static bool insert_slot(arn_profile *profile, size_t at, int subgraph, int node) {
  if (profile->count == profile->capacity) {
    size_t capacity = profile->capacity ? 2 * profile->capacity : 64;
    profile_slot *slots = base_allocate_array(host_heap(), capacity, sizeof *slots, _Alignof(profile_slot));
    if (!slots) return false;
    if (profile->count) memcpy(slots, profile->slots, profile->count * sizeof *slots);
    base_release(host_heap(), profile->slots);
    profile->slots = slots;
    profile->capacity = capacity;
  }
  memmove(profile->slots + at + 1, profile->slots + at, (profile->count - at) * sizeof *profile->slots);
  profile->slots[at] = (profile_slot){.row = {.subgraph = subgraph, .node = node, .min_ns = UINT64_MAX}};
  profile->count++;
  return true;
}

static void profile_begin(void *user, int subgraph, int node) {
  arn_profile *profile = user;
  size_t at = find_slot(profile, subgraph, node);
  if (!is_slot(profile, at, subgraph, node) && !insert_slot(profile, at, subgraph, node))
    return;  // out of memory: the node goes uncounted
  profile->slots[at].started = arn_clock_ns();
}

static void profile_end(void *user, int subgraph, int node) {
  const uint64_t now = arn_clock_ns();
  arn_profile *profile = user;
  size_t at = find_slot(profile, subgraph, node);
  if (!is_slot(profile, at, subgraph, node)) return;
  arn_profile_row *row = &profile->slots[at].row;
  uint64_t took = now - profile->slots[at].started;
  row->calls++;
  row->total_ns += took;
  if (took < row->min_ns) row->min_ns = took;
  if (took > row->max_ns) row->max_ns = took;
}

arn_status arn_profile_create(arn_profile **profile) {
  *profile = base_allocate_array(host_heap(), 1, sizeof **profile, _Alignof(arn_profile));
  if (!*profile) return ARN_OUT_OF_MEMORY;
  (*profile)->hooks = (arn_profiler){.user = *profile, .begin = profile_begin, .end = profile_end};
  return ARN_OK;
}

void arn_profile_destroy(arn_profile *profile) {
  if (!profile) return;
  base_release(host_heap(), profile->slots);
  base_release(host_heap(), profile);
}

const arn_profiler *arn_profile_hooks(arn_profile *profile) { return &profile->hooks; }

void arn_profile_reset(arn_profile *profile) { profile->count = 0; }

bool arn_profile_row_at(const arn_profile *profile, int index, arn_profile_row *row) {
  if (index < 0 || (size_t)index >= profile->count) return false;
  *row = profile->slots[index].row;
  if (row->calls == 0) row->min_ns = 0;
  return true;
}
