// SPDX-License-Identifier: Apache-2.0
// Finding the placed neighbours of a request among very many requests.
//
// Neighbours either start within the request's steps, a range of positions, or start before it and are still live: of those,
// words and groups of words whose last step is too early are passed over.
#include "plan/plan_crowd.h"

#include <string.h>

#include "plan/plan_bits.h"
#include "plan/plan_sort.h"

enum { CROWD_WORD = 64, CROWD_GROUP = 64, CROWD_CELLS = 256 };

static bool starts_earlier(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  return r[a].first != r[b].first ? r[a].first < r[b].first : a < b;
}

void plan_crowd_init(plan_crowd *c, const plan_problem *p, const size_t *offsets, arena *scratch) {
  memset(c, 0, sizeof *c);
  c->problem = p;
  c->offsets = offsets;
  c->places = PLAN_TAKE(scratch, plan_crowd_place, p->count);
  c->position = PLAN_TAKE(scratch, uint32_t, p->count);
  size_t words = p->count / CROWD_WORD + 1, groups = words / CROWD_GROUP + 1;
  c->placed = PLAN_TAKE(scratch, uint64_t, words);
  c->word_last = PLAN_TAKE(scratch, uint32_t, words);
  c->group_last = PLAN_TAKE(scratch, uint32_t, groups);
  c->found = PLAN_TAKE(scratch, plan_neighbour, PLAN_CROWD_ALL);
  c->sorted = PLAN_TAKE(scratch, plan_neighbour, PLAN_CROWD_ALL);
  memset(c->placed, 0, words * sizeof *c->placed);
  memset(c->word_last, 0, words * sizeof *c->word_last);
  memset(c->group_last, 0, groups * sizeof *c->group_last);
  uint32_t *sorted = PLAN_TAKE(scratch, uint32_t, p->count);
  for (uint32_t i = 0; i < p->count; i++)
    if (p->requests[i].size > 0) sorted[c->count++] = i;
  plan_sort(sorted, c->count, starts_earlier, p->requests);
  for (uint32_t k = 0; k < c->count; k++) {
    c->position[sorted[k]] = k;
    c->places[k] = (plan_crowd_place){0, 0, sorted[k], p->requests[sorted[k]].last};
  }
  plan_tops_init(&c->tops, p, sorted, c->count, scratch);
}

size_t plan_crowd_scratch(uint32_t count) {
  size_t words = (size_t)count / CROWD_WORD + 1, groups = words / CROWD_GROUP + 1;
  size_t total = plan_scratch_array(plan_tops_scratch(count), count, sizeof(plan_crowd_place));
  total = plan_scratch_array(total, count, sizeof(uint32_t));
  total = plan_scratch_array(total, count, sizeof(uint32_t));
  total = plan_scratch_array(total, words, sizeof(uint64_t));
  total = plan_scratch_array(total, words, sizeof(uint32_t));
  total = plan_scratch_array(total, groups, sizeof(uint32_t));
  for (int k = 0; k < 2; k++) total = plan_scratch_array(total, PLAN_CROWD_ALL, sizeof(plan_neighbour));
  return total;
}

void plan_crowd_insert(plan_crowd *c, uint32_t request) {
  uint32_t position = c->position[request], word = position / CROWD_WORD, last = c->places[position].last;
  c->places[position].offset = c->offsets[request];
  c->places[position].end = c->offsets[request] + plan_span(c->problem, request);
  c->placed[word] |= (uint64_t)1 << (position % CROWD_WORD);
  if (last > c->word_last[word]) c->word_last[word] = last;
  if (last > c->group_last[word / CROWD_GROUP]) c->group_last[word / CROWD_GROUP] = last;
  plan_tops_insert(&c->tops, c->problem, request, c->offsets[request]);
}

// The first position whose request starts at or after a step.
static uint32_t position_of(const plan_crowd *c, uint32_t step) {
  uint32_t low = 0, high = c->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->problem->requests[c->places[middle].request].first < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Adds the placed requests among a word's positions low..high-1 that live at `step` or later. False when there are too many.
static bool gather_word(plan_crowd *c, uint32_t word, uint32_t low, uint32_t high, uint32_t step, uint32_t *count) {
  uint64_t bits = c->placed[word];
  uint32_t base = word * CROWD_WORD;
  if (low > base) bits &= ~(uint64_t)0 << (low - base);
  if (high < base + CROWD_WORD) bits &= ((uint64_t)1 << (high - base)) - 1;
  for (; bits != 0; bits &= bits - 1) {
    const plan_crowd_place *place = &c->places[base + plan_lowest_bit(bits)];
    if (place->last < step) continue;
    if (*count == PLAN_CROWD_ALL) return false;
    c->found[(*count)++] = (plan_neighbour){place->offset, place->end, place->request};
  }
  return true;
}

static bool gather_all(plan_crowd *c, uint32_t first, uint32_t last, uint32_t *count) {
  uint32_t low = position_of(c, first), high = last == UINT32_MAX ? c->count : position_of(c, last + 1);
  if (low < high)
    for (uint32_t w = low / CROWD_WORD; w <= (high - 1) / CROWD_WORD; w++)
      if (!gather_word(c, w, low, high, 0, count)) return false;
  if (low == 0) return true;
  uint32_t words = (low - 1) / CROWD_WORD + 1;
  for (uint32_t g = 0; g <= (words - 1) / CROWD_GROUP; g++) {
    if (c->group_last[g] < first) continue;
    for (uint32_t w = g * CROWD_GROUP; w < words && w < (g + 1) * CROWD_GROUP; w++)
      if (c->word_last[w] >= first && !gather_word(c, w, 0, low, first, count)) return false;
  }
  return true;
}

// The topmost neighbours only. *solid is the end of the next one.
static uint32_t gather_top(plan_crowd *c, uint32_t first, uint32_t last, size_t *solid) {
  plan_tops_walk walk;
  const plan_tops_slot *slot;
  uint32_t count = 0;
  plan_tops_start(&walk, &c->tops, first, last);
  for (; (slot = plan_tops_next(&walk)) != NULL && count < PLAN_CROWD_TOP; count++)
    c->found[count] = (plan_neighbour){c->offsets[slot->request], slot->end, slot->request};
  *solid = slot ? slot->end : 0;
  return count;
}

// By offset: into cells of equal width, then by insertion, as few are out of place after that.
static void sort_found(plan_crowd *c, uint32_t count) {
  uint16_t start[CROWD_CELLS + 1] = {0};
  size_t least = SIZE_MAX, most = 0;
  uint32_t shift = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (c->found[k].offset > most) most = c->found[k].offset;
    if (c->found[k].offset < least) least = c->found[k].offset;
  }
  while (most > least && (most - least) >> shift >= CROWD_CELLS) shift++;
  for (uint32_t k = 0; k < count; k++) start[((c->found[k].offset - least) >> shift) + 1]++;
  for (uint32_t cell = 0; cell < CROWD_CELLS; cell++) start[cell + 1] = (uint16_t)(start[cell + 1] + start[cell]);
  for (uint32_t k = 0; k < count; k++) c->sorted[start[(c->found[k].offset - least) >> shift]++] = c->found[k];
  for (uint32_t k = 1; k < count; k++) {
    plan_neighbour item = c->sorted[k];
    uint32_t to = k;
    for (; to > 0 && c->sorted[to - 1].offset > item.offset; to--) c->sorted[to] = c->sorted[to - 1];
    c->sorted[to] = item;
  }
}

uint32_t plan_crowd_gather(plan_crowd *c, uint32_t request, size_t *solid) {
  const arn_plan_request *r = &c->problem->requests[request];
  uint32_t count = 0;
  *solid = 0;
  if (!gather_all(c, r->first, r->last, &count)) count = gather_top(c, r->first, r->last, solid);
  sort_found(c, count);
  return count;
}
