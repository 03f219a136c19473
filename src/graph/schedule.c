// SPDX-License-Identifier: Apache-2.0
// Minimax order of nodes: best-first search over sets of executed nodes, then a beam where the sets become too many.
// The cost of a set is the least peak at which it can be reached; a node that raises neither peak nor live memory runs at once, which an exchange
// argument shows to be safe. Sources: ../shared/design/planner.md, section B; Liberis and Lane (arXiv 1910.05110).
#include "graph/schedule.h"

#include <string.h>

enum { MAX_STATES = 4096, BEAM_WIDTH = 16, TABLE_SIZE = 4 * MAX_STATES };

// A node's lists, as ranges in shared arrays.
typedef struct schedule_node {
  uint32_t first_touch, touch_end;
  uint32_t first_successor, successor_end;
  uint32_t first_saving, saving_end;
  int predecessors;
} schedule_node;

// A set of executed nodes and what can be derived from it by running its nodes in order.
typedef struct schedule_position {
  uint64_t *executed;    // bit a node
  int *waiting;          // by node: predecessors that have not run
  int *remaining;        // by buffer: touching nodes that have not run
  bool *live;            // by buffer
  size_t live_bytes, peak;
  int done;
} schedule_position;

typedef struct schedule_state {
  uint64_t *executed;
  size_t live_bytes, peak;
  int done;
  int32_t parent;  // -1: the start
  int32_t via;     // the node chosen at the parent; forced nodes follow
} schedule_state;

typedef struct schedule_search {
  const schedule_problem *problem;
  const base_allocator *allocator;
  size_t words;  // of an executed set
  schedule_node *nodes;
  schedule_touch *touches;  // by node
  int *successors;
  schedule_saving *savings;  // by node
  int *touch_totals;         // by buffer
  schedule_position at;
  schedule_state *states;
  uint64_t *sets;  // MAX_STATES * words
  int32_t *heap, *table;
  int state_count, heap_count;
  int *ready;      // by node
  int *chain;      // of choices, for write_order
} schedule_search;

static bool set_has(const uint64_t *set, int node) { return set[node / 64] >> (node % 64) & 1; }

// ---- Running nodes. ----
static size_t saving_at(const schedule_search *s, int node) {
  size_t best = 0;
  for (uint32_t i = s->nodes[node].first_saving; i < s->nodes[node].saving_end; i++) {
    const schedule_saving *saving = &s->savings[i];
    bool dies = s->at.remaining[saving->input] == 1 && !s->problem->buffers[saving->input].to_end;
    if (dies && saving->bytes > best) best = saving->bytes;
  }
  return best;
}

// What running a ready node would cost: live bytes while it runs, and afterwards.
static void schedule_weigh(const schedule_search *s, int node, size_t *step, size_t *after) {
  size_t taken = s->at.live_bytes, freed = 0;
  for (uint32_t i = s->nodes[node].first_touch; i < s->nodes[node].touch_end; i++) {
    const schedule_touch *touch = &s->touches[i];
    const schedule_buffer *buffer = &s->problem->buffers[touch->buffer];
    if (!s->at.live[touch->buffer]) taken += buffer->bytes;
    if (s->at.remaining[touch->buffer] == 1 && !buffer->to_end) freed += buffer->bytes;
  }
  *after = taken - freed;
  *step = taken - saving_at(s, node);
}

static void run_node(schedule_search *s, int node) {
  size_t step, after;
  schedule_weigh(s, node, &step, &after);
  if (step > s->at.peak) s->at.peak = step;
  s->at.live_bytes = after;
  for (uint32_t i = s->nodes[node].first_touch; i < s->nodes[node].touch_end; i++) {
    int buffer = s->touches[i].buffer;
    s->at.live[buffer] = --s->at.remaining[buffer] > 0 || s->problem->buffers[buffer].to_end;
  }
  for (uint32_t i = s->nodes[node].first_successor; i < s->nodes[node].successor_end; i++) s->at.waiting[s->successors[i]]--;
  s->at.executed[node / 64] |= UINT64_C(1) << (node % 64);
  s->at.done++;
}

static bool is_ready(const schedule_search *s, int node) { return s->at.waiting[node] == 0 && !set_has(s->at.executed, node); }

// Runs, in file order and again from its start, every ready node that raises neither the peak nor the live memory. order (may be NULL) is told.
static void run_forced(schedule_search *s, int *order) {
  for (int node = 0; node < s->problem->node_count; node++) {
    if (!is_ready(s, node)) continue;
    size_t step, after;
    schedule_weigh(s, node, &step, &after);
    if (step > s->at.peak || after > s->at.live_bytes) continue;
    if (order) order[s->at.done] = node;
    run_node(s, node);
    node = -1;
  }
}

static void go_to_start(schedule_search *s) {
  memset(s->at.executed, 0, s->words * sizeof *s->at.executed);
  s->at.live_bytes = s->at.peak = 0;
  s->at.done = 0;
  for (int i = 0; i < s->problem->node_count; i++) s->at.waiting[i] = s->nodes[i].predecessors;
  for (int b = 0; b < s->problem->buffer_count; b++) {
    s->at.remaining[b] = s->touch_totals[b];
    s->at.live[b] = s->problem->buffers[b].from_start;
    if (s->at.live[b]) s->at.live_bytes += s->problem->buffers[b].bytes;
  }
  s->at.peak = s->at.live_bytes;
}

// Derives the position of a set: which nodes ran determines everything but the peak.
static void go_to(schedule_search *s, const schedule_state *state) {
  go_to_start(s);
  for (int node = 0; node < s->problem->node_count; node++) {
    if (!set_has(state->executed, node)) continue;
    for (uint32_t i = s->nodes[node].first_touch; i < s->nodes[node].touch_end; i++) {
      int buffer = s->touches[i].buffer;
      s->at.live[buffer] = --s->at.remaining[buffer] > 0 || s->problem->buffers[buffer].to_end;
    }
    for (uint32_t i = s->nodes[node].first_successor; i < s->nodes[node].successor_end; i++) s->at.waiting[s->successors[i]]--;
  }
  memcpy(s->at.executed, state->executed, s->words * sizeof *s->at.executed);
  s->at.live_bytes = state->live_bytes;
  s->at.peak = state->peak;
  s->at.done = state->done;
}

// ---- States. ----
static uint32_t hash_set(const uint64_t *set, size_t words) {
  uint64_t h = 0x9E3779B97F4A7C15u;
  for (size_t i = 0; i < words; i++) h = (h ^ set[i]) * 0xBF58476D1CE4E5B9u, h ^= h >> 29;
  return (uint32_t)(h >> 32);
}

static bool better(const schedule_state *a, const schedule_state *b) { return a->peak != b->peak ? a->peak < b->peak : a->done > b->done; }

static void heap_push(schedule_search *s, int32_t state) {
  int i = s->heap_count++;
  for (; i > 0 && better(&s->states[state], &s->states[s->heap[(i - 1) / 2]]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = state;
}

static int32_t heap_pop(schedule_search *s) {
  int32_t top = s->heap[0], last = s->heap[--s->heap_count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= s->heap_count) break;
    if (child + 1 < s->heap_count && better(&s->states[s->heap[child + 1]], &s->states[s->heap[child]])) child++;
    if (!better(&s->states[s->heap[child]], &s->states[last])) break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return top;
}

// Adds the current position unless its set was reached as cheaply before. False when there is no room.
static bool remember_state(schedule_search *s, int32_t parent, int32_t via) {
  uint32_t slot = hash_set(s->at.executed, s->words) % TABLE_SIZE;
  for (; s->table[slot] >= 0; slot = (slot + 1) % TABLE_SIZE) {
    schedule_state *known = &s->states[s->table[slot]];
    if (memcmp(known->executed, s->at.executed, s->words * sizeof *known->executed) != 0) continue;
    if (known->peak <= s->at.peak) return true;
    break;  // cheaper: a new state takes the set's place; the old one is stale and harmless
  }
  if (s->state_count == MAX_STATES) return false;
  int32_t index = s->state_count++;
  schedule_state *state = &s->states[index];
  *state = (schedule_state){s->sets + (size_t)index * s->words, s->at.live_bytes, s->at.peak, s->at.done, parent, via};
  memcpy(state->executed, s->at.executed, s->words * sizeof *state->executed);
  s->table[slot] = index;
  return true;
}

// Writes the order that led to a state: its chain of choices, each with the forced nodes behind it.
static void write_order(schedule_search *s, int32_t last, int *order) {
  int length = 0;
  for (int32_t i = last; i >= 0; i = s->states[i].parent) s->chain[length++] = s->states[i].via;
  go_to_start(s);
  while (length-- > 0) {
    if (s->chain[length] >= 0) {
      order[s->at.done] = s->chain[length];
      run_node(s, s->chain[length]);
    }
    run_forced(s, order);
  }
}

static bool begin_search(schedule_search *s, size_t limit) {
  for (int i = 0; i < TABLE_SIZE; i++) s->table[i] = -1;
  s->state_count = s->heap_count = 0;
  go_to_start(s);
  run_forced(s, NULL);
  return s->at.peak < limit && remember_state(s, -1, -1);
}

static int list_ready(schedule_search *s, int32_t state) {
  int count = 0;
  go_to(s, &s->states[state]);
  for (int node = 0; node < s->problem->node_count; node++) {
    if (is_ready(s, node)) s->ready[count++] = node;
  }
  return count;
}

typedef enum schedule_outcome { SCHEDULE_FOUND, SCHEDULE_NOTHING, SCHEDULE_FULL } schedule_outcome;

// Runs `node` from `state`. The new state's index, -1 where it is too costly or known, -2 where there is no room for it.
static int32_t expand(schedule_search *s, int32_t state, int node, size_t limit) {
  go_to(s, &s->states[state]);
  run_node(s, node);
  run_forced(s, NULL);
  if (s->at.peak >= limit) return -1;
  int32_t index = s->state_count;
  if (!remember_state(s, state, node)) return -2;
  return s->state_count > index ? index : -1;
}

// Best-first: the first complete state that comes up has the least peak there is.
static schedule_outcome search_best_first(schedule_search *s, size_t limit, int32_t *last) {
  if (!begin_search(s, limit)) return SCHEDULE_NOTHING;
  heap_push(s, 0);
  while (s->heap_count > 0) {
    int32_t current = heap_pop(s);
    if (s->states[current].done == s->problem->node_count) return *last = current, SCHEDULE_FOUND;
    int count = list_ready(s, current);
    for (int i = 0; i < count; i++) {
      int32_t made = expand(s, current, s->ready[i], limit);
      if (made == -2) return SCHEDULE_FULL;
      if (made >= 0) heap_push(s, made);
    }
  }
  return SCHEDULE_NOTHING;
}

// A way on from a state, weighed but not stored.
typedef struct beam_choice {
  int32_t parent, node;
  size_t peak, live_bytes;
} beam_choice;

// Puts a choice into a list of at most `width`, best first: least peak, then least live memory. Returns the list's length.
static int beam_insert(beam_choice *list, int count, int width, beam_choice choice) {
  int at = count;
  while (at > 0 && (choice.peak != list[at - 1].peak ? choice.peak < list[at - 1].peak : choice.live_bytes < list[at - 1].live_bytes)) at--;
  if (at == width) return count;
  if (count < width) count++;
  memmove(list + at + 1, list + at, (size_t)(count - 1 - at) * sizeof *list);
  list[at] = choice;
  return count;
}

// Follows the best few states, choice by choice.
static schedule_outcome search_beam(schedule_search *s, size_t limit, int32_t *last) {
  int32_t layer[BEAM_WIDTH] = {0};
  beam_choice choices[BEAM_WIDTH];
  int width = MAX_STATES / (s->problem->node_count + 1);
  width = width > BEAM_WIDTH ? BEAM_WIDTH : width;
  if (width == 0 || !begin_search(s, limit)) return SCHEDULE_NOTHING;
  for (int layer_count = 1; layer_count > 0;) {
    int count = 0;
    for (int k = 0; k < layer_count; k++) {
      if (s->states[layer[k]].done == s->problem->node_count) return *last = layer[k], SCHEDULE_FOUND;
      int ready = list_ready(s, layer[k]);
      for (int i = 0; i < ready; i++) {
        go_to(s, &s->states[layer[k]]);
        run_node(s, s->ready[i]);
        run_forced(s, NULL);
        if (s->at.peak < limit) count = beam_insert(choices, count, width, (beam_choice){layer[k], s->ready[i], s->at.peak, s->at.live_bytes});
      }
    }
    layer_count = 0;
    for (int i = 0; i < count; i++) {
      int32_t made = expand(s, choices[i].parent, choices[i].node, limit);
      if (made == -2) return SCHEDULE_FULL;
      if (made >= 0) layer[layer_count++] = made;
    }
  }
  return SCHEDULE_NOTHING;
}

// ---- Setting up. ----
static void *schedule_take(schedule_search *s, size_t count, size_t size) { return base_allocate_array(s->allocator, count, size, sizeof(uint64_t)); }

static bool schedule_take_all(schedule_search *s) {
  const schedule_problem *p = s->problem;
  size_t nodes = (size_t)p->node_count, buffers = (size_t)p->buffer_count;
  s->words = (nodes + 63) / 64;
  s->nodes = schedule_take(s, nodes + 1, sizeof *s->nodes);
  s->touches = schedule_take(s, p->touch_count, sizeof *s->touches);
  s->successors = schedule_take(s, p->edge_count, sizeof *s->successors);
  s->savings = schedule_take(s, p->saving_count, sizeof *s->savings);
  s->touch_totals = schedule_take(s, buffers, sizeof *s->touch_totals);
  s->at = (schedule_position){.executed = schedule_take(s, s->words, sizeof(uint64_t)),
                              .waiting = schedule_take(s, nodes, sizeof(int)),
                              .remaining = schedule_take(s, buffers, sizeof(int)),
                              .live = schedule_take(s, buffers, sizeof(bool))};
  s->states = schedule_take(s, MAX_STATES, sizeof *s->states);
  s->sets = schedule_take(s, MAX_STATES * s->words, sizeof *s->sets);
  s->heap = schedule_take(s, MAX_STATES, sizeof *s->heap);
  s->table = schedule_take(s, TABLE_SIZE, sizeof *s->table);
  s->ready = schedule_take(s, nodes, sizeof *s->ready);
  s->chain = schedule_take(s, MAX_STATES, sizeof *s->chain);
  return s->nodes && s->touches && s->successors && s->savings && s->touch_totals && s->at.executed && s->at.waiting && s->at.remaining &&
         s->at.live && s->states && s->sets && s->heap && s->table && s->ready && s->chain;
}

static void schedule_give_all(schedule_search *s) {
  void *const all[] = {s->nodes, s->touches, s->successors, s->savings, s->touch_totals, s->at.executed, s->at.waiting, s->at.remaining,
                       s->at.live, s->states, s->sets, s->heap, s->table, s->ready, s->chain};
  for (size_t i = 0; i < BASE_COUNT(all); i++) base_release(s->allocator, all[i]);
}

// Sorts touches, edges and savings by node (counting sort: the lists stay in order within a node).
static void index_nodes(schedule_search *s) {
  const schedule_problem *p = s->problem;
  for (size_t i = 0; i < p->touch_count; i++) s->nodes[p->touches[i].node].touch_end++, s->touch_totals[p->touches[i].buffer]++;
  for (size_t i = 0; i < p->edge_count; i++) s->nodes[p->edges[i].before].successor_end++, s->nodes[p->edges[i].after].predecessors++;
  for (size_t i = 0; i < p->saving_count; i++) s->nodes[p->savings[i].node].saving_end++;
  uint32_t touches = 0, successors = 0, savings = 0;
  for (int n = 0; n < p->node_count; n++) {
    schedule_node *node = &s->nodes[n];
    uint32_t t = node->touch_end, e = node->successor_end, v = node->saving_end;
    node->first_touch = node->touch_end = touches, touches += t;
    node->first_successor = node->successor_end = successors, successors += e;
    node->first_saving = node->saving_end = savings, savings += v;
  }
  for (size_t i = 0; i < p->touch_count; i++) s->touches[s->nodes[p->touches[i].node].touch_end++] = p->touches[i];
  for (size_t i = 0; i < p->edge_count; i++) s->successors[s->nodes[p->edges[i].before].successor_end++] = p->edges[i].after;
  for (size_t i = 0; i < p->saving_count; i++) s->savings[s->nodes[p->savings[i].node].saving_end++] = p->savings[i];
}

// No order can do better than the costliest node alone with what it touches, or than what is live from start to end.
static size_t least_peak(const schedule_search *s) {
  size_t bound = 0;
  for (int n = 0; n < s->problem->node_count; n++) {
    size_t bytes = 0, saved = 0;
    for (uint32_t i = s->nodes[n].first_touch; i < s->nodes[n].touch_end; i++) bytes += s->problem->buffers[s->touches[i].buffer].bytes;
    for (uint32_t i = s->nodes[n].first_saving; i < s->nodes[n].saving_end; i++) {
      if (s->savings[i].bytes > saved) saved = s->savings[i].bytes;
    }
    if (bytes - saved > bound) bound = bytes - saved;
  }
  return bound;
}

static size_t peak_of(schedule_search *s, const int *order) {
  go_to_start(s);
  for (int i = 0; i < s->problem->node_count; i++) run_node(s, order[i]);
  return s->at.peak;
}

arn_status schedule_improve(const schedule_problem *problem, const base_allocator *allocator, int *order, size_t *peak_before, size_t *peak_after) {
  schedule_search s = {.problem = problem, .allocator = allocator};
  arn_status status = schedule_take_all(&s) ? ARN_OK : ARN_OUT_OF_MEMORY;
  if (status == ARN_OK) {
    index_nodes(&s);
    *peak_before = *peak_after = peak_of(&s, order);
    int32_t last = -1;
    schedule_outcome outcome = SCHEDULE_NOTHING;
    if (*peak_before > least_peak(&s)) {
      outcome = search_best_first(&s, *peak_before, &last);
      if (outcome == SCHEDULE_FULL) outcome = search_beam(&s, *peak_before, &last);
    }
    if (outcome == SCHEDULE_FOUND) {
      *peak_after = s.states[last].peak;
      write_order(&s, last, order);
    }
  }
  schedule_give_all(&s);
  return status;
}
