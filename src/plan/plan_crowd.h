// SPDX-License-Identifier: Apache-2.0
// Placed requests when there are many: found by time when few share steps with a request, from the top down when thousands do.
// Internal to plan/.
#ifndef PLAN_PLAN_CROWD_H
#define PLAN_PLAN_CROWD_H

#include "plan/plan_tops.h"

// Up to so many neighbours are all found; of more only the topmost few.
enum { PLAN_CROWD_ALL = 512, PLAN_CROWD_TOP = 128 };

typedef struct plan_neighbour {
  size_t offset, end;
  uint32_t request;
} plan_neighbour;

typedef struct plan_crowd_place {
  size_t offset, end;  // once placed
  uint32_t request, last;
} plan_crowd_place;

// Requests in the order of their starts: position by position, 64 to a word, 64 words to a group.
typedef struct plan_crowd {
  const plan_problem *problem;
  const size_t *offsets;    // by request
  uint32_t count;           // positions: requests that take room
  plan_crowd_place *places; // by position
  uint32_t *position;       // by request
  uint64_t *placed;         // by word
  uint32_t *word_last;      // by word: the last step of those placed
  uint32_t *group_last;     // by group
  plan_neighbour *found, *sorted;  // PLAN_CROWD_ALL each
  plan_tops tops;
} plan_crowd;

void plan_crowd_init(plan_crowd *c, const plan_problem *p, const size_t *offsets, arena *scratch);
size_t plan_crowd_scratch(uint32_t count);
void plan_crowd_insert(plan_crowd *c, uint32_t request);  // its offset is set
// The placed requests that share steps with one, by offset, in c->sorted; how many. Those left out, if there are more than
// PLAN_CROWD_ALL, end at or below *solid.
uint32_t plan_crowd_gather(plan_crowd *c, uint32_t request, size_t *solid);

#endif
