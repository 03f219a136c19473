// SPDX-License-Identifier: Apache-2.0
// Pruning the depth-first search: a section is a machine that runs one item at a time, in the language of job-shop scheduling:
// offsets are times, spans durations, bounds release dates, and the capacity everybody's deadline.
//
// - What is released last must follow: the section overflows when its items, each as early as its release allows, one after the
//   other, end above the capacity (Jackson's schedule: earliest release first).
// - Edge finding: when an item cannot come after the first of a set without overflow, it precedes the whole set, which then is
//   released no earlier than all such items can end.
// - Support: a waiting item would fall to its offset unless something placed later gets in its way there, and then it lies on
//   that.
// Pairs that may overlap weaken the first by what they can save, and switch off the second.
#include <string.h>

#include "plan/plan_dfs.h"

// Sums up the unplaced items of a section by release. Those released so early that everything else fits above them go together
// in the first group, as if released at 0: only the others can start an overflow.
static void group_section(plan_dfs *d, uint32_t section) {
  const plan_items *it = d->it;
  const plan_word *row = plan_dfs_row(d, it->begin[section]);
  size_t spare = d->spare[section];
  plan_group *groups = d->groups;
  uint32_t count = 1;
  groups[0] = (plan_group){0, 0, 0};
  PLAN_EACH_ITEM(j, w, 0, it->begin[section + 1], row[w] & d->unplaced[w]) {
    size_t release = d->bound[j] > spare ? d->bound[j] : 0, span = it->span[j];
    uint32_t k = count;
    while (groups[k - 1].release > release) k--;
    if (groups[k - 1].release != release) {
      for (uint32_t to = count++; to > k; to--) groups[to] = groups[to - 1];
      groups[k++] = (plan_group){release, 0, 0};
    }
    groups[k - 1].sum += span;
    if (span > groups[k - 1].longest) groups[k - 1].longest = span;
  }
  d->group_count = count;
}

// Where the items longer than `length` and released before `release` end, each as early as can be.
static size_t end_of_longer(plan_dfs *d, uint32_t section, size_t release, size_t length) {
  const plan_items *it = d->it;
  const plan_word *row = plan_dfs_row(d, it->begin[section]);
  uint32_t chosen = 0;
  size_t end = 0;
  if (!plan_dfs_charge(d, d->load[section] + d->words)) return SIZE_MAX;
  PLAN_EACH_ITEM(j, w, 0, it->begin[section + 1], row[w] & d->unplaced[w]) {
    if (it->span[j] <= length || d->bound[j] >= release) continue;
    uint32_t to = chosen++;
    for (; to > 0 && d->bound[d->chosen[to - 1]] > d->bound[j]; to--) d->chosen[to] = d->chosen[to - 1];
    d->chosen[to] = j;
  }
  for (uint32_t k = 0; k < chosen; k++) {
    size_t start = d->bound[d->chosen[k]];
    end = (start > end ? start : end) + it->span[d->chosen[k]];
  }
  return end;
}

static bool raise_section(plan_dfs *d, uint32_t section, size_t from, size_t to) {
  const plan_items *it = d->it;
  const plan_word *row = plan_dfs_row(d, it->begin[section]);
  PLAN_EACH_ITEM(j, w, 0, it->begin[section + 1], row[w] & d->unplaced[w])
    if (d->bound[j] >= from && d->bound[j] < to && !plan_dfs_raise(d, j, to, false)) return false;
  return true;
}

static bool section_holds(plan_dfs *d, uint32_t section) {
  size_t room = d->capacity + d->slack[section], rest = 0, longest = 0;
  if (!plan_dfs_charge(d, 2 * (d->load[section] + d->words))) return false;
  group_section(d, section);
  const plan_group *groups = d->groups;
  for (uint32_t k = 0; k < d->group_count; k++)
    if (groups[k].longest > longest) longest = groups[k].longest;
  // The sets of what is released from some date on, the latest set first. An item longer than what a set leaves precedes it.
  for (uint32_t k = d->group_count - 1; k > 0; k--) {
    size_t release = groups[k].release;
    rest += groups[k].sum;
    if (release + rest > room) return false;
    size_t left = room - release - rest;
    if (longest <= left || d->slack[section] != 0) continue;
    size_t end = end_of_longer(d, section, release, left);
    if (end > room - rest || (end > release && !raise_section(d, section, release, end))) return false;
  }
  return true;
}

// Looks at the dirty sections until there are none, or one overflows and the others stay dirty.
static bool dirty_sections_hold(plan_dfs *d) {
  // What overflowed last is the likeliest to overflow again.
  if (d->dirty_low <= d->dirty_high && d->dirty[d->overflowed]) {
    d->dirty[d->overflowed] = false;
    if (!section_holds(d, d->overflowed)) return false;
    plan_dfs_mark(d);
  }
  while (d->dirty_low <= d->dirty_high) {
    uint32_t section = d->dirty_low++;
    if (!d->dirty[section]) continue;
    d->dirty[section] = false;
    if (!section_holds(d, section)) {
      d->overflowed = section;
      return false;
    }
    plan_dfs_mark(d);
  }
  d->dirty_low = d->it->sections;
  d->dirty_high = 0;
  return true;
}

// Where j would lie on top of k, if k can get in its way at j's offset; else SIZE_MAX. Nothing more goes below `offset`.
static size_t support_offset(const plan_dfs *d, uint32_t j, uint32_t k, size_t offset) {
  if (d->bound[k] >= d->offset[j] + plan_item_distance(d->it, j, k)) return SIZE_MAX;
  return (d->bound[k] > offset ? d->bound[k] : offset) + plan_item_distance(d->it, k, j);
}

static bool find_support(plan_dfs *d, uint32_t j, size_t offset) {
  const plan_items *it = d->it;
  uint32_t known = d->support[j];
  if (known != PLAN_NONE && plan_bit_is_set(d->unplaced, known) && support_offset(d, j, known, offset) <= d->bound[j])
    return true;
  uint32_t low = 0, high = it->begin[it->last[j] + 1];
  const plan_word *row = plan_dfs_row(d, j);
  size_t least = SIZE_MAX;
  if (!plan_dfs_charge(d, d->load[it->first[j]] + d->words)) return false;
  PLAN_EACH_ITEM(k, w, low, high, row[w] & d->unplaced[w]) {
    if (k == j) continue;
    size_t at = support_offset(d, j, k, offset);
    if (at >= least) continue;
    least = at;
    d->support[j] = k;
  }
  return least != SIZE_MAX && plan_dfs_raise(d, j, least, false);
}

bool plan_dfs_may_fit(plan_dfs *d, const plan_frame *f, size_t offset) {
  uint32_t low = d->it->begin[f->from], high = d->it->begin[f->to + 1];
  plan_dfs_mark(d);
  do {
    if (!dirty_sections_hold(d)) return false;
    PLAN_EACH_ITEM(j, w, low, high, d->waiting[w] & d->unplaced[w])
      if (find_support(d, j, offset)) plan_dfs_mark(d);
      else return false;
  } while (d->dirty_low <= d->dirty_high);
  return true;
}
