// SPDX-License-Identifier: Apache-2.0
// Depth-first search for a plan within a capacity. plan_dfs.c searches, plan_dfs_state.c places items and takes them back,
// plan_dfs_prune.c finds out early that what remains cannot fit. Internal to plan/.
#ifndef PLAN_PLAN_DFS_H
#define PLAN_PLAN_DFS_H

#include "plan/plan_bits.h"
#include "plan/plan_items.h"

typedef size_t plan_word;  // part of a row of bits, one an item
enum { PLAN_WORD_BITS = sizeof(plan_word) * 8, PLAN_DFS_MAX = 8192 };

// What is to be solved at a choice, as two hashes.
typedef struct plan_state {
  uint64_t key, check;
} plan_state;

typedef struct plan_frame {
  uint32_t from, to;      // the sections whose items are to be placed
  uint32_t split;         // index of the next split frame below, PLAN_NONE
  uint32_t next;          // a choice: the item to try next, PLAN_NONE when there is no more
  uint32_t tried;         // a choice: the item placed, PLAN_NONE before the first
  bool is_split;          // several independent ranges of sections; else a choice of the next item
  bool last_choice;       // the item tried settles the matter: do not try others
  size_t limit;           // offsets from here on are no use
  size_t placed, raised;  // undo marks
  plan_state state;
} plan_frame;

typedef struct plan_raise {
  uint32_t item;
  size_t offset, bound;  // before
} plan_raise;

typedef struct plan_group {  // unplaced items of a section with the same bound
  size_t release, sum, longest;
} plan_group;

typedef enum plan_outcome { PLAN_FOUND, PLAN_REFUTED, PLAN_GAVE_UP } plan_outcome;

typedef struct plan_dfs {
  const plan_items *it;
  size_t capacity;
  const uint32_t *rank;  // by item: of two candidates for the same offset, the lower goes first
  uint64_t work, work_limit;
  bool gave_up;
  bool can_refute;  // else a search without a result has merely given up
  uint32_t words;  // of a row
  // Rows of bits.
  plan_word *adjacent;  // by item, a row each: items that share a section with it, and itself
  plan_word *unplaced;
  plan_word *waiting;   // unplaced, and their offset is below their bound
  plan_word *logged;    // on the stack of raises since the last placement
  // By item.
  size_t *offset;       // placed: where it is. Unplaced: where it would come to rest on what is placed
  size_t *bound;        // unplaced: it cannot be lower, for whatever reason
  size_t *least_step;   // least distance to anything it may rest on
  uint64_t *hash;       // of (item, offset, bound)
  uint32_t *twin;       // an equal item that goes first, or PLAN_NONE
  uint32_t *support;    // of a waiting item: one that may hold it up
  // By section.
  size_t *remaining;    // sum of unplaced spans
  size_t *slack;        // what pairs of unplaced items can save there
  size_t *spare;        // capacity + slack - remaining: a bound above it may be too high
  uint32_t *crossing;   // unplaced items live in this section and the next
  uint32_t *load;       // items live there, placed or not
  bool *dirty;          // something changed; all in dirty_low..dirty_high
  uint32_t dirty_low, dirty_high;
  uint32_t raised_from, raised_to;  // sections of the items raised since the last mark
  size_t raised_offset;             // the highest of them
  uint32_t overflowed;  // the section that overflowed last
  plan_group *groups;   // of the section being looked at
  uint32_t group_count;
  uint32_t *chosen;
  // Stacks.
  plan_frame *frames;
  uint32_t *placed;
  plan_raise *raised;
  size_t frame_count, placed_count, raised_count, raised_room;
  plan_state *failures;  // states that failed, by key
  size_t failure_mask;
} plan_dfs;

void plan_dfs_init(plan_dfs *d, const plan_items *it, arena *scratch);
uint64_t plan_dfs_init_work(const plan_items *it);
size_t plan_dfs_scratch(uint32_t count);  // 0 above PLAN_DFS_MAX items: too many for it
// Forgets failed states: they failed at a certain capacity.
void plan_dfs_forget(plan_dfs *d);
// PLAN_FOUND: d->offset is a plan within capacity. PLAN_REFUTED: there is none. PLAN_GAVE_UP: the work limit came first; work is
// counted before it is done, so d->work never passes it.
plan_outcome plan_dfs_run(plan_dfs *d, size_t capacity, const uint32_t *rank, uint64_t work_limit);

// plan_dfs_state.c
bool plan_dfs_charge(plan_dfs *d, uint64_t work);  // false, and gave_up, when that would pass the limit
bool plan_dfs_reset(plan_dfs *d);                  // nothing placed; false when some item alone does not fit
void plan_dfs_place(plan_dfs *d, uint32_t item);   // at its offset
void plan_dfs_undo(plan_dfs *d, const plan_frame *f);
// Item j cannot be below offset; with `rests`, that is because of something placed. False when it does not fit there.
bool plan_dfs_raise(plan_dfs *d, uint32_t j, size_t offset, bool rests);
void plan_dfs_mark(plan_dfs *d);  // the sections of the items raised since the last mark, as far as that may matter

// plan_dfs_prune.c: whether what remains in a frame's range may still fit, now that nothing else goes below `offset`. Raises
// bounds as far as it can.
bool plan_dfs_may_fit(plan_dfs *d, const plan_frame *f, size_t offset);

static inline plan_word plan_bit(uint32_t i) { return (plan_word)1 << (i % PLAN_WORD_BITS); }
static inline bool plan_bit_is_set(const plan_word *row, uint32_t i) { return (row[i / PLAN_WORD_BITS] & plan_bit(i)) != 0; }
// The bits of word w that stand for items low..high-1.
static inline plan_word plan_bits_between(uint32_t w, uint32_t low, uint32_t high) {
  uint32_t base = w * PLAN_WORD_BITS;
  plan_word bits = ~(plan_word)0;
  if (low > base) bits &= ~(plan_word)0 << (low - base);
  if (high < base + PLAN_WORD_BITS) bits &= ((plan_word)1 << (high - base)) - 1;
  return bits;
}
static inline plan_word *plan_dfs_row(const plan_dfs *d, uint32_t i) { return d->adjacent + (size_t)i * d->words; }

// For every item j, among the items low..high-1, whose bit is set in the expression `set`, a function of the word index w.
// In its body `break` acts like `continue`.
#define PLAN_EACH_ITEM(j, w, low, high, set)                                                             \
  for (uint32_t w = (low) / PLAN_WORD_BITS; w <= ((high)-1) / PLAN_WORD_BITS; w++)                       \
    for (plan_word bits_##j = (set)&plan_bits_between(w, low, high); bits_##j != 0; bits_##j &= bits_##j - 1) \
      for (uint32_t j = w * PLAN_WORD_BITS + plan_lowest_bit(bits_##j), once_##j = 1; once_##j; once_##j = 0)

#endif
