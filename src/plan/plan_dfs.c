// SPDX-License-Identifier: Apache-2.0
// Depth-first search for a plan within a capacity.
//
// Any plan can be pressed down until each item rests on the floor, on an item below it, or on a fixed one. So it is enough to
// place items in the order of their offsets, each where it comes to rest on those before it. Among equal offsets the item goes
// first whose tightest section has the least to spare, then the one of lower rank. What prunes, besides plan_dfs_prune.c:
// - An item passed over for one at a higher offset, or at the same offset after it has been tried, waits until something placed
//   later holds it up.
// - A candidate that starts at or above the earliest end of another one leaves room for that one below itself: no use.
// - Where no unplaced item spans a cut in time, the two sides are independent: solved apart, the tighter one first.
// - An item without unplaced neighbours is no choice. Of equal items one goes first. States that failed are remembered.
//
// The stack of frames is an and-or tree: a choice frame succeeds with one of its items, a split frame with all of its ranges.
// When a range is solved, the frames above its split are dropped and what they placed stays; when it fails, the split fails.
#include "plan/plan_dfs.h"

static uint32_t range_items(const plan_dfs *d, const plan_frame *f) { return d->it->begin[f->to + 1] - d->it->begin[f->from]; }

static size_t least_spare(plan_dfs *d, uint32_t j) {
  const plan_items *it = d->it;
  size_t least = SIZE_MAX;
  for (uint32_t s = it->first[j]; s <= it->last[j]; s++)
    if (d->spare[s] < least) least = d->spare[s];
  return least;
}

static bool has_unplaced_twin(const plan_dfs *d, uint32_t j) {
  return d->twin[j] != PLAN_NONE && plan_bit_is_set(d->unplaced, d->twin[j]);
}

// The first item of a frame to try among those that rest at an offset, or the first after `after`.
static uint32_t first_at(plan_dfs *d, const plan_frame *f, size_t offset, uint32_t after) {
  const plan_items *it = d->it;
  uint32_t best = PLAN_NONE;
  size_t after_spare = after == PLAN_NONE ? 0 : least_spare(d, after), best_spare = 0;
  if (!plan_dfs_charge(d, range_items(d, f))) return PLAN_NONE;
  PLAN_EACH_ITEM(j, w, it->begin[f->from], it->begin[f->to + 1], d->unplaced[w] & ~d->waiting[w]) {
    if (d->offset[j] != offset || has_unplaced_twin(d, j)) continue;
    size_t spare = least_spare(d, j);
    if (after != PLAN_NONE && (spare < after_spare || (spare == after_spare && d->rank[j] <= d->rank[after]))) continue;
    if (best != PLAN_NONE && (spare > best_spare || (spare == best_spare && d->rank[j] > d->rank[best]))) continue;
    best = j;
    best_spare = spare;
  }
  return best;
}

// Pushes a choice among the items of a range. False when that state is known to fail.
static bool push_choice(plan_dfs *d, uint32_t from, uint32_t to, uint32_t split) {
  const plan_items *it = d->it;
  plan_frame *f = &d->frames[d->frame_count];
  size_t least = SIZE_MAX;
  *f = (plan_frame){.from = from, .to = to, .split = split, .next = PLAN_NONE, .tried = PLAN_NONE, .limit = SIZE_MAX,
                    .placed = d->placed_count, .raised = d->raised_count};
  if (!plan_dfs_charge(d, range_items(d, f) + 16)) return false;
  PLAN_EACH_ITEM(j, w, it->begin[from], it->begin[to + 1], d->unplaced[w]) {
    size_t end = d->offset[j] + it->span[j];
    if (end < f->limit) f->limit = end;
    if (d->offset[j] < least && d->offset[j] >= d->bound[j] && !has_unplaced_twin(d, j)) least = d->offset[j];
    f->state.key += d->hash[j];
    f->state.check += (d->hash[j] >> 32) * (d->hash[j] & UINT32_MAX);
  }
  const plan_state *known = &d->failures[f->state.key & d->failure_mask];
  if (known->key == f->state.key && known->check == f->state.check) return false;
  if (least < f->limit) f->next = first_at(d, f, least, PLAN_NONE);
  d->frame_count++;
  return true;
}

// The item to try after the one tried: at the same offset, or at the next one below the limit.
static uint32_t next_candidate(plan_dfs *d, const plan_frame *f) {
  const plan_items *it = d->it;
  size_t offset = d->offset[f->tried], least = SIZE_MAX;
  uint32_t next = first_at(d, f, offset, f->tried);
  if (next != PLAN_NONE || !plan_dfs_charge(d, range_items(d, f))) return next;
  PLAN_EACH_ITEM(j, w, it->begin[f->from], it->begin[f->to + 1], d->unplaced[w] & ~d->waiting[w])
    if (d->offset[j] > offset && d->offset[j] < least && !has_unplaced_twin(d, j)) least = d->offset[j];
  return least < f->limit ? first_at(d, f, least, PLAN_NONE) : PLAN_NONE;
}

static bool has_unplaced_neighbour(const plan_dfs *d, uint32_t i, const plan_frame *f) {
  const plan_word *row = plan_dfs_row(d, i);
  PLAN_EACH_ITEM(j, w, d->it->begin[f->from], d->it->begin[f->to + 1], row[w] & d->unplaced[w])
    if (j != i) return true;
  return false;
}

// Places i where it rests; raises its neighbours above it, and those passed over.
static bool try_item(plan_dfs *d, uint32_t i, const plan_frame *f, bool first_try) {
  const plan_items *it = d->it;
  uint32_t low = it->begin[f->from], high = it->begin[f->to + 1];
  const plan_word *row = plan_dfs_row(d, i);
  size_t offset = d->offset[i], span = it->span[i];
  size_t spare = first_try ? 0 : least_spare(d, i);
  bool paired = plan_item_has_partners(it, i);
  if (!plan_dfs_charge(d, 2 * (it->last[i] - it->first[i]) + 2 * d->words + 16)) return false;
  plan_dfs_place(d, i);
  PLAN_EACH_ITEM(j, w, low, high, row[w] & d->unplaced[w])
    if (!plan_dfs_raise(d, j, offset + (paired ? plan_item_distance(it, i, j) : span), true)) return false;
  // The first candidate is at the least offset: nothing is passed over. (Items that share no section with i have the same to
  // spare as before it was placed.)
  if (!first_try)
    PLAN_EACH_ITEM(j, w, low, high, d->unplaced[w] & ~row[w] & ~d->waiting[w]) {
      if (d->offset[j] > offset) continue;
      if (d->offset[j] == offset) {
        size_t other = least_spare(d, j);
        if (other > spare || (other == spare && d->rank[j] > d->rank[i])) continue;
      }
      if (d->least_step[j] == SIZE_MAX || !plan_dfs_raise(d, j, offset + d->least_step[j], false)) return false;
    }
  return plan_dfs_may_fit(d, f, offset);
}

// ---- Ranges ------------------------------------------------------------------------------------------------------------

// The next range of sections with unplaced items from *from on, up to the next cut: *from..*to.
static bool next_range(const plan_dfs *d, uint32_t *from, uint32_t *to, uint32_t end) {
  while (*from <= end && d->remaining[*from] == 0) ++*from;
  for (*to = *from; *to <= end; ++*to)
    if (*to == end || d->crossing[*to] == 0) return true;
  return false;
}

// How high the fullest section of a range must reach.
static size_t range_fill(const plan_dfs *d, uint32_t from, uint32_t to) {
  uint32_t fullest = from;
  size_t floor = SIZE_MAX;
  for (uint32_t s = from; s <= to; s++)
    if (d->remaining[s] > d->remaining[fullest]) fullest = s;
  const plan_word *row = plan_dfs_row(d, d->it->begin[fullest]);
  PLAN_EACH_ITEM(j, w, 0, d->it->begin[fullest + 1], row[w] & d->unplaced[w])
    if (d->bound[j] < floor) floor = d->bound[j];
  return floor + d->remaining[fullest];
}

// The top choice is exhausted: back to the choice before it, giving up the independent ranges it was one of.
static void fail_top(plan_dfs *d) {
  d->frame_count--;
  while (d->frame_count > 0 && d->frames[d->frame_count - 1].is_split) d->frame_count--;
}

// A split: goes into its tightest range, or closes when all are solved.
static void advance_split(plan_dfs *d) {
  uint32_t top = (uint32_t)d->frame_count - 1, best_from = PLAN_NONE, best_to = 0;
  const plan_frame *f = &d->frames[top];
  size_t best_fill = 0;
  if (!plan_dfs_charge(d, f->to - f->from + 8)) return;
  for (uint32_t from = f->from, to; next_range(d, &from, &to, f->to); from = to + 1) {
    size_t fill = range_fill(d, from, to);
    if (best_from != PLAN_NONE && fill <= best_fill) continue;
    best_fill = fill;
    best_from = from;
    best_to = to;
  }
  if (best_from == PLAN_NONE) {
    d->frame_count = f->split == PLAN_NONE ? 0 : f->split + 1;
  } else if (!push_choice(d, best_from, best_to, top)) {
    d->frame_count++;  // as if it had been pushed and exhausted
    fail_top(d);
  }
}

// After a placement that holds: what is left of the frame's range is to be solved next.
static void descend(plan_dfs *d, const plan_frame *f) {
  const plan_items *it = d->it;
  uint32_t from = f->from, to = f->to, split = f->split, range_end = f->to;
  bool cut = false;
  for (uint32_t s = it->first[f->tried]; s <= it->last[f->tried] && !cut; s++)
    cut = d->remaining[s] == 0 || (s < range_end && d->crossing[s] == 0);
  if (cut) {
    if (!plan_dfs_charge(d, range_end - from + 1)) return;
    if (!next_range(d, &from, &to, range_end)) {
      d->frame_count = split + 1;
      return;
    }
    uint32_t after = to + 1, end;
    if (next_range(d, &after, &end, range_end)) {
      d->frames[d->frame_count++] = (plan_frame){.from = from, .to = range_end, .split = split, .is_split = true};
      return;
    }
  }
  push_choice(d, from, to, split);
}

// A choice: tries its next item.
static void advance_choice(plan_dfs *d) {
  plan_frame *f = &d->frames[d->frame_count - 1];
  bool first_try = f->tried == PLAN_NONE;
  if (!first_try) {
    plan_dfs_undo(d, f);
    f->next = f->last_choice ? PLAN_NONE : next_candidate(d, f);
    if (d->gave_up) return;
  }
  if (f->next == PLAN_NONE) {
    d->failures[f->state.key & d->failure_mask] = f->state;
    fail_top(d);
    return;
  }
  f->tried = f->next;
  f->last_choice = !has_unplaced_neighbour(d, f->tried, f);
  if (try_item(d, f->tried, f, first_try)) descend(d, f);
}

plan_outcome plan_dfs_run(plan_dfs *d, size_t capacity, const uint32_t *rank, uint64_t work_limit) {
  const plan_items *it = d->it;
  d->capacity = capacity;
  d->rank = rank;
  d->work = 0;
  d->work_limit = work_limit;
  d->gave_up = false;
  if (!plan_dfs_charge(d, (uint64_t)it->count * 8)) return PLAN_GAVE_UP;
  if (it->count == 0) return PLAN_FOUND;
  plan_frame whole = {.from = 0, .to = it->sections - 1, .split = PLAN_NONE, .is_split = true};
  bool may_fit = plan_dfs_reset(d) && plan_dfs_may_fit(d, &whole, 0);
  if (may_fit) d->frames[d->frame_count++] = whole;
  while (!d->gave_up && d->frame_count > 0) {
    if (d->frames[d->frame_count - 1].is_split) advance_split(d);
    else advance_choice(d);
  }
  if (d->gave_up) return PLAN_GAVE_UP;
  bool found = may_fit;
  for (uint32_t w = 0; w < d->words; w++) found = found && d->unplaced[w] == 0;
  return found ? PLAN_FOUND : d->can_refute ? PLAN_REFUTED : PLAN_GAVE_UP;
}
