// SPDX-License-Identifier: Apache-2.0
// Aliases and overlap pairs. The rules and their proofs by brute force: ../shared/design/planner.md, section A; written out in docs/memory.md.
#include "graph/share.h"

enum { SHARE_MASK_BITS = 32 };  // inputs that a rule can name

static void share_node(const share_graph *g, int position, lifetime_node *node, op_share *share) {
  int index = g->lives.order[position];
  g->lives.node(g->lives.self, index, node);
  g->rule(g->lives.self, index, share);
}

uint32_t share_pair_room(const share_graph *g) {
  uint32_t room = 0;
  for (int position = g->first; position < g->end; position++) {
    lifetime_node node = {0};
    g->lives.node(g->lives.self, g->lives.order[position], &node);
    room += (uint32_t)(node.inputs->size < SHARE_MASK_BITS ? node.inputs->size : SHARE_MASK_BITS);
  }
  return room;
}

static size_t planned_bytes(const share_graph *g, int tensor) {
  return tensor >= 0 && tensor < g->lives.tensor_count ? g->bytes(g->lives.self, tensor) : 0;
}

static bool takes_part(const op_share *share, int input) { return input < SHARE_MASK_BITS && (share->inputs >> input & 1); }

static bool list_has(const TfLiteIntArray *list, int tensor) {
  for (int i = 0; i < list->size; i++) {
    if (list->data[i] == tensor) return true;
  }
  return false;
}

// ---- Aliases. ----
static share_alias find_root(const share_alias *alias, int tensor) {
  share_alias at = {tensor, 0};
  while (alias[at.root].root != at.root) at = (share_alias){alias[at.root].root, at.offset + alias[at.root].offset};
  return at;
}

// Makes the root `from` a part of the root `to`, whose lifetime grows over it.
static void adopt(share_alias *alias, lifetime *lives, int from, int to, size_t offset) {
  alias[from] = (share_alias){to, offset};
  if (lives[from].first < lives[to].first) lives[to].first = lives[from].first;
  if (lives[from].last > lives[to].last) lives[to].last = lives[from].last;
}

// Output 0 is input 0's bytes.
static void alias_view(const share_graph *g, const lifetime_node *node, lifetime *lives, share_alias *alias) {
  if (node->inputs->size < 1 || node->outputs->size < 1) return;
  int input = node->inputs->data[0], output = node->outputs->data[0];
  size_t bytes = planned_bytes(g, input);
  if (bytes == 0 || bytes != planned_bytes(g, output)) return;
  share_alias in = find_root(alias, input), out = find_root(alias, output);
  // The caller writes graph inputs at any time: nothing else may become one.
  if (in.root != out.root && out.root == output && !list_has(g->lives.inputs, output)) adopt(alias, lives, output, in.root, in.offset);
}

// `whole` consists of the tensors in `parts` (those that take part), one behind the other.
static void alias_parts(const share_graph *g, const TfLiteIntArray *parts, int whole, bool whole_is_root, lifetime *lives, share_alias *alias) {
  size_t offset = 0, bytes = planned_bytes(g, whole);
  if (bytes == 0) return;
  for (int i = 0; i < parts->size; i++) {
    int part = parts->data[i];
    size_t size = planned_bytes(g, part);
    if (size == 0) return;  // a constant among them: the bytes behind it have to be counted by somebody who knows its size
    share_alias in = find_root(alias, part), all = find_root(alias, whole);
    bool movable = in.root != all.root && in.offset == 0 && planned_bytes(g, in.root) == size && !list_has(g->lives.inputs, in.root) &&
                   (all.offset + offset) % g->alignment == 0;
    // A part that graph inputs or other wholes already hold stays where it is and is copied.
    if (movable && (whole_is_root || in.root == part)) adopt(alias, lives, in.root, all.root, all.offset + offset);
    offset += size;
  }
}

static void compute_aliases(const share_graph *g, unsigned memory, lifetime *lives, share_alias *alias) {
  for (int position = g->first; position < g->end; position++) {
    lifetime_node node = {0};
    op_share share;
    share_node(g, position, &node, &share);
    if (share.kind == OP_VIEW && (memory & ARN_MEMORY_VIEWS)) {
      alias_view(g, &node, lives, alias);
    } else if (share.kind == OP_JOIN && (memory & ARN_MEMORY_JOINS) && node.outputs->size == 1) {
      alias_parts(g, node.inputs, node.outputs->data[0], true, lives, alias);
    } else if (share.kind == OP_PARTS && (memory & ARN_MEMORY_JOINS)) {
      for (int i = 0; i < node.inputs->size; i++) {
        if (takes_part(&share, i)) alias_parts(g, node.outputs, node.inputs->data[i], false, lives, alias);
      }
    }
  }
}

// ---- Pairs. ----
// Bytes by which the output must lie below the input (forward) or above it (backward), so that row y of the output touches no input row that row y
// or a later one (an earlier one, going backward) reads.
static void row_distances(const op_share *s, size_t *forward, size_t *backward) {
  *forward = *backward = 0;
  for (int y = 0; y < s->output_rows; y++) {
    int64_t start = (int64_t)y * s->stride - s->pad, stop = start + s->taps;
    if (start < 0) start = 0;
    if (start > s->input_rows - 1) start = s->input_rows - 1;
    if (stop > s->input_rows) stop = s->input_rows;
    if (stop < 0) stop = 0;
    size_t written = (size_t)(y + 1) * s->output_row, kept = (size_t)start * s->input_row;
    if (written > kept && written - kept > *forward) *forward = written - kept;
    size_t needed = (size_t)stop * s->input_row, from = (size_t)y * s->output_row;
    if (needed > from && needed - from > *backward) *backward = needed - from;
  }
}

// A root whose aliases, if any, are all of it: views. Its bytes are read and written as one tensor.
static bool is_whole(const share_graph *g, const share_alias *alias, int tensor, int *root) {
  share_alias at = find_root(alias, tensor);
  *root = at.root;
  return at.offset == 0 && planned_bytes(g, at.root) == planned_bytes(g, tensor);
}

// Roots that a join or a split has filled with several tensors: what lies in them does not die with one of them. Marked in alias[].offset of
// the root, which is 0 for all others, while pairs are made.
enum { SHARE_CROWDED = 1 };
static void mark_crowded(const share_graph *g, share_alias *alias, bool mark) {
  for (int t = 0; t < g->lives.tensor_count; t++) {
    if (alias[t].root == t) {
      if (!mark) alias[t].offset = 0;
      continue;
    }
    share_alias at = find_root(alias, t);
    if (mark && planned_bytes(g, t) != planned_bytes(g, at.root)) alias[at.root].offset = SHARE_CROWDED;
  }
}

// Another operand that reads the same root in another way than element by element would lose what it has not read yet.
static bool read_otherwise(const share_graph *g, const lifetime_node *node, const op_share *share, const share_alias *alias, int root) {
  for (int i = 0; i < node->inputs->size; i++) {
    int t = node->inputs->data[i];
    if (planned_bytes(g, t) == 0 || find_root(alias, t).root != root) continue;
    if (!takes_part(share, i) || share->kind != OP_ELEMENTWISE) {
      if (!(share->kind == OP_ROWS && i == 0)) return true;
    }
  }
  return false;
}

static void pair_node(const share_graph *g, unsigned memory, int position, const lifetime *lives, const share_alias *alias, arn_plan_pair *pairs,
                      uint32_t *count) {
  lifetime_node node = {0};
  op_share share;
  share_node(g, position, &node, &share);
  bool element = share.kind == OP_ELEMENTWISE && (memory & ARN_MEMORY_IN_PLACE), rows = share.kind == OP_ROWS && (memory & ARN_MEMORY_ROWS);
  if ((!element && !rows) || node.outputs->size != 1) return;
  int output = node.outputs->data[0], out;
  if (planned_bytes(g, output) == 0 || !is_whole(g, alias, output, &out) || alias[out].offset == SHARE_CROWDED) return;
  for (int i = 0; i < node.inputs->size; i++) {
    int input = node.inputs->data[i], in;
    if (!takes_part(&share, i) || planned_bytes(g, input) == 0 || !is_whole(g, alias, input, &in)) continue;
    if (in == out || alias[in].offset == SHARE_CROWDED || lives[in].last != position || lives[out].first != position) continue;
    if (read_otherwise(g, &node, &share, alias, in)) continue;
    arn_plan_pair pair = {.a = (uint32_t)out, .b = (uint32_t)in, .forward = 0, .backward = ARN_PLAN_APART};
    if (rows) row_distances(&share, &pair.forward, &pair.backward);
    bool known = false;
    for (uint32_t k = 0; k < *count; k++) known |= pairs[k].a == pair.a && pairs[k].b == pair.b;
    if (!known) pairs[(*count)++] = pair;
  }
}

void share_compute(const share_graph *g, unsigned memory, lifetime *lives, share_alias *alias, arn_plan_pair *pairs, uint32_t *pair_count) {
  for (int t = 0; t < g->lives.tensor_count; t++) alias[t] = (share_alias){t, 0};
  compute_aliases(g, memory, lives, alias);
  *pair_count = 0;
  mark_crowded(g, alias, true);
  for (int position = g->first; position < g->end; position++) pair_node(g, memory, position, lives, alias, pairs, pair_count);
  mark_crowded(g, alias, false);
  for (int t = 0; t < g->lives.tensor_count; t++) alias[t] = find_root(alias, t);
}
