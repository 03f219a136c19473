// SPDX-License-Identifier: Apache-2.0
// The state of the depth-first search: setting up, placing an item, raising the others, taking it all back.
#include <string.h>

#include "plan/plan_dfs.h"

static uint64_t mix_bits(uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t item_hash(uint32_t item, size_t offset, size_t bound) {
  return mix_bits((uint64_t)offset * 0x9e3779b97f4a7c15u + (uint64_t)bound * 0xd1342543de82ef95u + item + 1);
}

bool plan_dfs_charge(plan_dfs *d, uint64_t work) {
  if (work > d->work_limit - d->work) {
    d->gave_up = true;
    return false;
  }
  d->work += work;
  return true;
}

// ---- Setting up --------------------------------------------------------------------------------------------------------

static void find_neighbours(plan_dfs *d) {
  const plan_items *it = d->it;
  memset(d->adjacent, 0, (size_t)it->count * d->words * sizeof(plan_word));
  for (uint32_t i = 0; i < it->count; i++)
    for (uint32_t j = i; j < it->begin[it->last[i] + 1]; j++) {
      plan_dfs_row(d, i)[j / PLAN_WORD_BITS] |= plan_bit(j);
      plan_dfs_row(d, j)[i / PLAN_WORD_BITS] |= plan_bit(i);
    }
}

static void find_least_steps(plan_dfs *d) {
  const plan_items *it = d->it;
  for (uint32_t j = 0; j < it->count; j++) d->least_step[j] = SIZE_MAX;
  for (uint32_t i = 0; i < it->count; i++) {
    if (plan_item_is_fixed(it, i)) continue;
    PLAN_EACH_ITEM(j, w, 0, it->count, plan_dfs_row(d, i)[w]) {
      size_t distance = plan_item_distance(it, i, j);
      if (j != i && distance < d->least_step[j]) d->least_step[j] = distance;
    }
  }
}

// Items are sorted so that equal ones follow each other.
static void find_twins(plan_dfs *d) {
  const plan_items *it = d->it;
  for (uint32_t i = 0; i < it->count; i++) {
    d->twin[i] = PLAN_NONE;
    if (i == 0 || plan_item_is_fixed(it, i) || plan_item_has_partners(it, i)) continue;
    uint32_t j = i - 1;
    bool equal = it->first[i] == it->first[j] && it->last[i] == it->last[j] && it->span[i] == it->span[j] &&
                 it->alignment[i] == it->alignment[j] && !plan_item_is_fixed(it, j) && !plan_item_has_partners(it, j);
    if (equal) d->twin[i] = j;
  }
}

// Whether i must go before its partner when both have the same offset.
static bool is_strictly_below(const plan_partner *x) { return x->below == 0 && x->above != 0; }

// The order by offsets breaks down when items at the same offset each must go before the next, in a circle. No sensible operator
// asks for that, but then a search that finds nothing proves nothing. Topological sort; `waits` and `ready` are scratch.
static bool can_refute(const plan_items *it, uint32_t *waits, uint32_t *ready) {
  const plan_problem *p = it->p;
  uint32_t head = 0, tail = 0;
  if (!p->partner_start) return true;
  memset(waits, 0, it->count * sizeof *waits);
  for (uint32_t i = 0; i < it->count; i++) {
    const plan_partner *x = plan_partners_begin(p, it->request[i]), *end = plan_partners_end(p, it->request[i]);
    for (; x < end; x++)
      if (it->item_of[x->other] != PLAN_NONE && is_strictly_below(x)) waits[it->item_of[x->other]]++;
  }
  for (uint32_t i = 0; i < it->count; i++)
    if (waits[i] == 0) ready[tail++] = i;
  while (head < tail) {
    uint32_t request = it->request[ready[head++]];
    const plan_partner *x = plan_partners_begin(p, request), *end = plan_partners_end(p, request);
    for (; x < end; x++) {
      uint32_t j = it->item_of[x->other];
      if (j != PLAN_NONE && is_strictly_below(x) && --waits[j] == 0) ready[tail++] = j;
    }
  }
  return tail == it->count;
}

static void find_loads(plan_dfs *d) {
  const plan_items *it = d->it;
  memset(d->load, 0, it->sections * sizeof *d->load);
  for (uint32_t i = 0; i < it->count; i++)
    for (uint32_t s = it->first[i]; s <= it->last[i]; s++) d->load[s]++;
}

static size_t failure_count(size_t items) {
  size_t count = 64;
  while (count < 4096 && count < 16 * items) count *= 2;
  return count;
}

// Raises are logged once an item and placement; what the hardest instances at hand had on the stack at most, with some to spare:
// a fifth of the square when few items, 80 times the items when many. A search that needs more gives up.
static size_t raise_count(size_t items) { return items < 480 ? items * items / 4 + 8 * items : items * 128; }

void plan_dfs_init(plan_dfs *d, const plan_items *it, arena *scratch) {
  size_t n = it->count, s = it->sections;
  memset(d, 0, sizeof *d);
  d->it = it;
  d->words = (uint32_t)((n + PLAN_WORD_BITS - 1) / PLAN_WORD_BITS);
  d->adjacent = PLAN_TAKE(scratch, plan_word, n * d->words);
  d->unplaced = PLAN_TAKE(scratch, plan_word, d->words);
  d->waiting = PLAN_TAKE(scratch, plan_word, d->words);
  d->logged = PLAN_TAKE(scratch, plan_word, d->words);
  d->offset = PLAN_TAKE(scratch, size_t, n);
  d->bound = PLAN_TAKE(scratch, size_t, n);
  d->least_step = PLAN_TAKE(scratch, size_t, n);
  d->hash = PLAN_TAKE(scratch, uint64_t, n);
  d->twin = PLAN_TAKE(scratch, uint32_t, n);
  d->support = PLAN_TAKE(scratch, uint32_t, n);
  d->remaining = PLAN_TAKE(scratch, size_t, s);
  d->slack = PLAN_TAKE(scratch, size_t, s);
  d->spare = PLAN_TAKE(scratch, size_t, s);
  d->crossing = PLAN_TAKE(scratch, uint32_t, s);
  d->load = PLAN_TAKE(scratch, uint32_t, s);
  d->dirty = PLAN_TAKE(scratch, bool, s);
  d->groups = PLAN_TAKE(scratch, plan_group, n + 1);
  d->chosen = PLAN_TAKE(scratch, uint32_t, n);
  d->frames = PLAN_TAKE(scratch, plan_frame, 2 * n + 2);
  d->placed = PLAN_TAKE(scratch, uint32_t, n);
  d->raised_room = raise_count(n);
  d->raised = PLAN_TAKE(scratch, plan_raise, d->raised_room);
  d->failures = PLAN_TAKE(scratch, plan_state, failure_count(n));
  d->failure_mask = failure_count(n) - 1;
  find_neighbours(d);
  find_least_steps(d);
  find_twins(d);
  find_loads(d);
  d->can_refute = can_refute(it, d->support, d->placed);
  plan_dfs_forget(d);
}

uint64_t plan_dfs_init_work(const plan_items *it) { return (uint64_t)it->count * it->count / 4; }

size_t plan_dfs_scratch(uint32_t count) {
  if (count > PLAN_DFS_MAX) return 0;
  size_t n = count, words = (n + PLAN_WORD_BITS - 1) / PLAN_WORD_BITS;
  size_t total = plan_scratch_array(0, (n + 3) * words, sizeof(plan_word));
  total = plan_scratch_array(total, n, 6 * sizeof(size_t) + sizeof(uint64_t) + 6 * sizeof(uint32_t) + sizeof(bool));
  total = plan_scratch_array(total, n + 1, sizeof(plan_group));
  total = plan_scratch_array(total, 2 * n + 2, sizeof(plan_frame));
  total = plan_scratch_array(total, raise_count(n), sizeof(plan_raise));
  total = plan_scratch_array(total, failure_count(n), sizeof(plan_state));
  return plan_scratch_add(total, 16 * 16);  // the alignment of the arrays that share a line above
}

void plan_dfs_forget(plan_dfs *d) { memset(d->failures, 0, (d->failure_mask + 1) * sizeof *d->failures); }

// ---- What pairs of unplaced items can save -----------------------------------------------------------------------------

// As in the lower bound, a pair is charged to the item that starts later, and its charges are capped by its span.
static size_t section_saving(const plan_dfs *d, uint32_t item, uint32_t section) {
  const plan_items *it = d->it;
  uint32_t request = it->request[item];
  size_t saving = 0;
  const plan_partner *x = plan_partners_begin(it->p, request), *end = plan_partners_end(it->p, request);
  for (; x < end && saving < it->span[item]; x++) {
    uint32_t j = it->item_of[x->other];
    if (j == PLAN_NONE || j >= item || !plan_bit_is_set(d->unplaced, j) || it->last[j] < section) continue;
    saving += plan_pair_saving(it->span[item], it->span[j], x->below, x->above);
  }
  return saving < it->span[item] ? saving : it->span[item];
}

static void change_slack(plan_dfs *d, uint32_t item, uint32_t from, uint32_t to, bool add) {
  for (uint32_t s = from; s <= to; s++) {
    size_t saving = section_saving(d, item, s);
    d->slack[s] = add ? d->slack[s] + saving : d->slack[s] - saving;
    d->spare[s] = add ? d->spare[s] + saving : d->spare[s] - saving;
  }
}

// Adds (or takes away) what is charged to the later partners of an item while both are live.
static void change_partners_slack(plan_dfs *d, uint32_t item, bool add) {
  const plan_items *it = d->it;
  uint32_t request = it->request[item];
  const plan_partner *x = plan_partners_begin(it->p, request), *end = plan_partners_end(it->p, request);
  for (; x < end; x++) {
    uint32_t j = it->item_of[x->other];
    if (j == PLAN_NONE || j <= item || !plan_bit_is_set(d->unplaced, j) || it->first[j] > it->last[item]) continue;
    change_slack(d, j, it->first[j], it->last[j] < it->last[item] ? it->last[j] : it->last[item], add);
  }
}

static void flip_unplaced(plan_dfs *d, uint32_t i, bool unplaced) {
  const plan_items *it = d->it;
  bool paired = plan_item_has_partners(it, i);
  if (paired && !unplaced) change_slack(d, i, it->first[i], it->last[i], false);
  if (paired) change_partners_slack(d, i, false);
  d->unplaced[i / PLAN_WORD_BITS] ^= plan_bit(i);
  if (paired) change_partners_slack(d, i, true);
  if (paired && unplaced) change_slack(d, i, it->first[i], it->last[i], true);
}

// ---- Placing, raising, undoing -----------------------------------------------------------------------------------------

static void forget_raised(plan_dfs *d) {
  d->raised_from = d->it->sections;
  d->raised_to = 0;
  d->raised_offset = 0;
}

// A section is worth a look when an item in it was raised so far that what else remains there would not fit above it.
void plan_dfs_mark(plan_dfs *d) {
  uint32_t from = d->raised_from, to = d->raised_to;
  if (from > to) return;
  for (uint32_t s = from; s <= to; s++) d->dirty[s] |= d->raised_offset > d->spare[s];
  if (from < d->dirty_low) d->dirty_low = from;
  if (to > d->dirty_high) d->dirty_high = to;
  forget_raised(d);
}

void plan_dfs_place(plan_dfs *d, uint32_t item) {
  const plan_items *it = d->it;
  memset(d->logged, 0, d->words * sizeof *d->logged);
  // What a placement that failed has left behind.
  forget_raised(d);
  if (d->dirty_low <= d->dirty_high) memset(&d->dirty[d->dirty_low], 0, d->dirty_high - d->dirty_low + 1);
  d->dirty_low = it->sections;
  d->dirty_high = 0;
  d->placed[d->placed_count++] = item;
  flip_unplaced(d, item, false);
  for (uint32_t s = it->first[item]; s <= it->last[item]; s++) {
    d->remaining[s] -= it->span[item];
    d->spare[s] += it->span[item];
    if (s < it->last[item]) d->crossing[s]--;
  }
}

void plan_dfs_undo(plan_dfs *d, const plan_frame *f) {
  const plan_items *it = d->it;
  while (d->raised_count > f->raised) {
    const plan_raise *x = &d->raised[--d->raised_count];
    d->offset[x->item] = x->offset;
    d->bound[x->item] = x->bound;
    d->hash[x->item] = item_hash(x->item, x->offset, x->bound);
    plan_word *word = &d->waiting[x->item / PLAN_WORD_BITS];
    *word = x->offset < x->bound ? *word | plan_bit(x->item) : *word & ~plan_bit(x->item);
  }
  while (d->placed_count > f->placed) {
    uint32_t item = d->placed[--d->placed_count];
    flip_unplaced(d, item, true);
    for (uint32_t s = it->first[item]; s <= it->last[item]; s++) {
      d->remaining[s] += it->span[item];
      d->spare[s] -= it->span[item];
      if (s < it->last[item]) d->crossing[s]++;
    }
  }
}

// The least offset from `offset` on at which j is aligned and clear of the fixed items.
static size_t settle(plan_dfs *d, uint32_t j, size_t offset) {
  const plan_items *it = d->it;
  offset = plan_align(offset, it->alignment[j]);
  if (it->fixed_count == 0) return offset;
  for (bool moved = it->fixed_count > 0; moved;) {
    moved = false;
    if (!plan_dfs_charge(d, it->fixed_count)) return offset;
    for (uint32_t k = 0; k < it->fixed_count; k++) {
      uint32_t f = it->fixed[k];
      size_t at = it->p->requests[it->request[f]].fixed_offset;
      if (!plan_items_meet(it, j, f) || offset + plan_item_distance(it, j, f) <= at) continue;
      size_t above = at + plan_item_distance(it, f, j);
      if (offset >= above) continue;
      offset = plan_align(above, it->alignment[j]);
      moved = true;
    }
  }
  return offset;
}

bool plan_dfs_raise(plan_dfs *d, uint32_t j, size_t offset, bool rests) {
  if (offset <= (rests ? d->offset[j] : d->bound[j])) return true;
  if (!plan_dfs_charge(d, 3)) return false;
  offset = settle(d, j, offset);
  if (offset > d->capacity - d->it->span[j]) return false;
  plan_word *logged = &d->logged[j / PLAN_WORD_BITS];
  if (!(*logged & plan_bit(j))) {
    if (d->raised_count == d->raised_room) {
      d->gave_up = true;
      return false;
    }
    d->raised[d->raised_count++] = (plan_raise){j, d->offset[j], d->bound[j]};
    *logged |= plan_bit(j);
  }
  if (rests) d->offset[j] = offset;
  if (offset > d->bound[j]) {
    d->bound[j] = offset;
    if (d->it->first[j] < d->raised_from) d->raised_from = d->it->first[j];
    if (d->it->last[j] > d->raised_to) d->raised_to = d->it->last[j];
    if (offset > d->raised_offset) d->raised_offset = offset;
  }
  plan_word *waiting = &d->waiting[j / PLAN_WORD_BITS];
  *waiting = d->offset[j] < d->bound[j] ? *waiting | plan_bit(j) : *waiting & ~plan_bit(j);
  d->hash[j] = item_hash(j, d->offset[j], d->bound[j]);
  return true;
}

bool plan_dfs_reset(plan_dfs *d) {
  const plan_items *it = d->it;
  memset(d->unplaced, 0, d->words * sizeof *d->unplaced);
  memset(d->waiting, 0, d->words * sizeof *d->waiting);
  memset(d->logged, 0, d->words * sizeof *d->logged);
  memset(d->remaining, 0, it->sections * sizeof *d->remaining);
  memset(d->slack, 0, it->sections * sizeof *d->slack);
  memset(d->crossing, 0, it->sections * sizeof *d->crossing);
  memset(d->dirty, 1, it->sections * sizeof *d->dirty);
  d->dirty_low = 0;
  d->dirty_high = it->sections - 1;
  d->overflowed = 0;
  forget_raised(d);
  for (uint32_t s = 0; s < it->sections; s++) d->spare[s] = d->capacity;
  d->frame_count = d->placed_count = d->raised_count = 0;
  for (uint32_t i = 0; i < it->count; i++) {
    bool fixed = plan_item_is_fixed(it, i);
    d->offset[i] = d->bound[i] = fixed ? it->p->requests[it->request[i]].fixed_offset : settle(d, i, 0);
    d->hash[i] = item_hash(i, d->offset[i], d->offset[i]);
    d->support[i] = PLAN_NONE;
    if (d->offset[i] > d->capacity || it->span[i] > d->capacity - d->offset[i]) return false;
    if (fixed) continue;
    d->unplaced[i / PLAN_WORD_BITS] |= plan_bit(i);
    for (uint32_t s = it->first[i]; s <= it->last[i]; s++) {
      d->remaining[s] += it->span[i];
      d->spare[s] -= it->span[i];
      if (s < it->last[i]) d->crossing[s]++;
    }
  }
  for (uint32_t i = 0; i < it->count; i++)
    if (plan_bit_is_set(d->unplaced, i) && plan_item_has_partners(it, i)) change_slack(d, i, it->first[i], it->last[i], true);
  for (uint32_t s = 0; s < it->sections; s++)
    if (d->remaining[s] > d->capacity + d->slack[s]) return false;
  return !d->gave_up;
}
