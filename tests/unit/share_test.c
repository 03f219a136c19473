// SPDX-License-Identifier: Apache-2.0
// Sharing rules: row distances against a simulation of every read and write, aliases and pairs on small graphs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/share.h"

enum { MAX_TENSORS = 8, MAX_NODES = 4 };

// A graph by hand: node n has the rule rules[n].
typedef struct hand_graph {
  int inputs[MAX_NODES][4], outputs[MAX_NODES][4];  // counted arrays
  op_share rules[MAX_NODES];
  size_t bytes[MAX_TENSORS];
  int order[MAX_NODES];
  int graph_inputs[2], graph_outputs[3];
} hand_graph;

static void hand_node(const void *self, int index, lifetime_node *node) {
  const hand_graph *g = self;
  *node = (lifetime_node){(const TfLiteIntArray *)(const void *)g->inputs[index], (const TfLiteIntArray *)(const void *)g->outputs[index], NULL};
}
static size_t hand_bytes(const void *self, int tensor) { return ((const hand_graph *)self)->bytes[tensor]; }
static void hand_rule(const void *self, int node, op_share *share) { *share = ((const hand_graph *)self)->rules[node]; }

static share_graph share_of(const hand_graph *g, int nodes, int tensors) {
  return (share_graph){.lives = {.self = g,
                                 .node = hand_node,
                                 .order = g->order,
                                 .node_count = nodes,
                                 .tensor_count = tensors,
                                 .inputs = (const TfLiteIntArray *)(const void *)g->graph_inputs,
                                 .outputs = (const TfLiteIntArray *)(const void *)g->graph_outputs},
                       .bytes = hand_bytes,
                       .rule = hand_rule,
                       .alignment = 4,
                       .first = 0,
                       .end = nodes};
}

typedef struct outcome {
  lifetime lives[MAX_TENSORS];
  share_alias alias[MAX_TENSORS];
  arn_plan_pair pairs[32];
  uint32_t count;
} outcome;

static outcome compute(const hand_graph *g, int nodes, int tensors, unsigned memory) {
  outcome o;
  share_graph graph = share_of(g, nodes, tensors);
  assert_true(share_pair_room(&graph) <= 32);
  lifetime_compute(&graph.lives, LIFETIME_FREE_INPUTS, o.lives);
  share_compute(&graph, memory, o.lives, o.alias, o.pairs, &o.count);
  return o;
}

// Does making the rows in this order, the output `shift` bytes above the input (below it where negative), read only bytes that are still the input's?
static bool rows_survive(const op_share *s, int64_t shift, bool downwards) {
  size_t input = s->input_row * (size_t)s->input_rows;
  uint8_t *overwritten = calloc(input, 1);
  bool good = true;
  for (int i = 0; i < s->output_rows; i++) {
    int y = downwards ? s->output_rows - 1 - i : i;
    for (int64_t at = 0; at < (int64_t)s->output_row; at++) {  // a row may be written before its own last input row is read
      int64_t byte = shift + (int64_t)((size_t)y * s->output_row) + at;
      if (byte >= 0 && byte < (int64_t)input) overwritten[byte] = 1;
    }
    for (int k = 0; k < s->taps; k++) {
      int row = y * s->stride - s->pad + k;
      if (row < 0 || row >= s->input_rows) continue;
      for (size_t at = 0; at < s->input_row; at++) good &= !overwritten[(size_t)row * s->input_row + at];
    }
  }
  free(overwritten);
  return good;
}

static void row_distances_hold_and_are_tight(void **state) {
  (void)state;
  uint32_t random = 7;
  int tight = 0;
  for (int round = 0; round < 3000; round++) {
#define DRAW(n) (int)((random = random * 1664525u + 1013904223u) >> 16) % (n)
    op_share s = {.kind = OP_ROWS, .inputs = 1};  // one draw a statement: an initializer has no order
    s.stride = 1 + DRAW(3);
    s.taps = 1 + DRAW(5);
    s.input_rows = 1 + DRAW(9);
    s.pad = DRAW(s.taps);
    s.input_row = (size_t)(1 + DRAW(6));
    s.output_row = (size_t)(1 + DRAW(6));
    s.output_rows = (s.input_rows + s.pad - 1) / s.stride + 1;
#undef DRAW
    hand_graph g = {.inputs = {{1, 0}}, .outputs = {{1, 1}}, .rules = {s}, .graph_inputs = {1, 0}, .graph_outputs = {1, 1}};
    g.bytes[0] = s.input_row * (size_t)s.input_rows, g.bytes[1] = s.output_row * (size_t)s.output_rows;
    outcome o = compute(&g, 1, 2, ARN_MEMORY_ROWS);
    assert_int_equal(o.count, 1);
    assert_int_equal(o.pairs[0].a, 1);
    assert_int_equal(o.pairs[0].b, 0);
    assert_true(rows_survive(&s, -(int64_t)o.pairs[0].forward, false));
    assert_true(rows_survive(&s, (int64_t)o.pairs[0].backward, true));
    assert_true(rows_survive(&s, -(int64_t)o.pairs[0].forward - 3, false));
    assert_true(rows_survive(&s, (int64_t)o.pairs[0].backward + 3, true));
    if (o.pairs[0].forward) tight += !rows_survive(&s, -(int64_t)o.pairs[0].forward + 1, false);
  }
  assert_true(tight > 1500);
}

static void views_are_aliases_and_hand_on_their_lifetime(void **state) {
  (void)state;
  // 0 -> view 1 -> view 2 -> (separate) 3
  hand_graph g = {.inputs = {{1, 0}, {1, 1}, {1, 2}}, .outputs = {{1, 1}, {1, 2}, {1, 3}}, .order = {0, 1, 2}, .bytes = {16, 16, 16, 8},
                  .rules = {{.kind = OP_VIEW, .inputs = 1}, {.kind = OP_VIEW, .inputs = 1}, {.kind = OP_SEPARATE}},
                  .graph_inputs = {1, 0}, .graph_outputs = {1, 3}};
  outcome o = compute(&g, 3, 4, ARN_MEMORY_VIEWS);
  assert_int_equal(o.alias[1].root, 0);
  assert_int_equal(o.alias[2].root, 0);
  assert_int_equal(o.alias[3].root, 3);
  assert_int_equal(o.lives[0].last, 2);
  o = compute(&g, 3, 4, ARN_MEMORY_SEPARATE);
  for (int t = 0; t < 4; t++) assert_int_equal(o.alias[t].root, t);
  g.bytes[2] = 12;  // a constant-folded or resized tensor is no view
  o = compute(&g, 3, 4, ARN_MEMORY_VIEWS);
  assert_int_equal(o.alias[2].root, 2);
}

static void element_wise_operators_pair_with_dying_inputs_only(void **state) {
  (void)state;
  // 0 -> [0] -> 1 ; 0, 1 -> [1] -> 2: tensor 0 lives past node 0, both die at node 1.
  hand_graph g = {.inputs = {{1, 0}, {2, 0, 1}}, .outputs = {{1, 1}, {1, 2}}, .order = {0, 1}, .bytes = {16, 16, 16},
                  .rules = {{.kind = OP_ELEMENTWISE, .inputs = 1}, {.kind = OP_ELEMENTWISE, .inputs = 3}},
                  .graph_inputs = {1, 0}, .graph_outputs = {1, 2}};
  outcome o = compute(&g, 2, 3, ARN_MEMORY_IN_PLACE);
  assert_int_equal(o.count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    assert_int_equal(o.pairs[i].a, 2);
    assert_int_equal(o.pairs[i].forward, 0);
    assert_true(o.pairs[i].backward == ARN_PLAN_APART);
  }
  // Where one operand is read otherwise (a broadcast view of the same memory), it must stay whole.
  g.rules[0] = (op_share){.kind = OP_VIEW, .inputs = 1};
  g.rules[1].inputs = 1;
  o = compute(&g, 2, 3, ARN_MEMORY_VIEWS | ARN_MEMORY_IN_PLACE);
  assert_int_equal(o.alias[1].root, 0);
  assert_int_equal(o.count, 0);
}

static void joined_tensors_lie_in_their_whole(void **state) {
  (void)state;
  // 0 -> [0] -> 1, 0 -> [1] -> 2, join(1, 2) -> 3
  hand_graph g = {.inputs = {{1, 0}, {1, 0}, {2, 1, 2}}, .outputs = {{1, 1}, {1, 2}, {1, 3}}, .order = {0, 1, 2}, .bytes = {4, 8, 12, 20},
                  .rules = {{.kind = OP_SEPARATE}, {.kind = OP_ELEMENTWISE, .inputs = 1}, {.kind = OP_JOIN, .inputs = UINT32_MAX}},
                  .graph_inputs = {1, 0}, .graph_outputs = {1, 3}};
  outcome o = compute(&g, 3, 4, ARN_MEMORY_JOINS | ARN_MEMORY_IN_PLACE);
  assert_int_equal(o.alias[1].root, 3);
  assert_int_equal(o.alias[1].offset, 0);
  assert_int_equal(o.alias[2].root, 3);
  assert_int_equal(o.alias[2].offset, 8);
  assert_int_equal(o.lives[3].first, 0);
  assert_int_equal(o.count, 0);  // node 1 must not write its part over anything: the whole is already in use
  g.bytes[1] = 6;                // the second part would be misaligned: it is copied
  o = compute(&g, 3, 4, ARN_MEMORY_JOINS);
  assert_int_equal(o.alias[1].root, 3);
  assert_int_equal(o.alias[2].root, 2);
  g.inputs[2][2] = 1;  // the same tensor twice: once in place, once copied
  o = compute(&g, 3, 4, ARN_MEMORY_JOINS);
  assert_int_equal(o.alias[1].offset, 0);
}

static void parts_lie_in_the_tensor_they_are_cut_from(void **state) {
  (void)state;
  // 0 -> [0] -> 1, parts(1) -> 2, 3
  hand_graph g = {.inputs = {{1, 0}, {1, 1}}, .outputs = {{1, 1}, {2, 2, 3}}, .order = {0, 1}, .bytes = {4, 16, 8, 8},
                  .rules = {{.kind = OP_SEPARATE}, {.kind = OP_PARTS, .inputs = 1}}, .graph_inputs = {1, 0}, .graph_outputs = {2, 2, 3}};
  outcome o = compute(&g, 2, 4, ARN_MEMORY_JOINS);
  assert_int_equal(o.alias[2].root, 1);
  assert_int_equal(o.alias[3].root, 1);
  assert_int_equal(o.alias[3].offset, 8);
  assert_int_equal(o.lives[1].last, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(row_distances_hold_and_are_tight),
      cmocka_unit_test(views_are_aliases_and_hand_on_their_lifetime),
      cmocka_unit_test(element_wise_operators_pair_with_dying_inputs_only),
      cmocka_unit_test(joined_tensors_lie_in_their_whole),
      cmocka_unit_test(parts_lie_in_the_tensor_they_are_cut_from),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
