// SPDX-License-Identifier: Apache-2.0
// Execution orders: the search against every topological order of small random graphs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/allocator.h"
#include "graph/schedule.h"

enum { MAX_NODES = 7, MAX_TOUCHES = 64 };

static uint64_t random_state = 20261130;
static uint32_t draw(uint32_t below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % below;
}

typedef struct graph {
  schedule_problem problem;
  schedule_buffer buffers[MAX_NODES + 1];
  schedule_touch touches[MAX_TOUCHES];
  schedule_edge edges[MAX_TOUCHES];
  schedule_saving savings[MAX_NODES];
} graph;

// Node n writes buffer n + 1 and reads one to three earlier ones; buffer 0 is the graph's input.
static void make_graph(graph *g, int nodes) {
  memset(g, 0, sizeof *g);
  g->problem = (schedule_problem){nodes, nodes + 1, g->buffers, g->touches, g->edges, g->savings, 0, 0, 0};
  for (int b = 0; b <= nodes; b++) g->buffers[b].bytes = 1 + draw(20);
  g->buffers[0].from_start = true;
  g->buffers[0].to_end = draw(2) == 0;
  g->buffers[nodes].to_end = true;
  for (int n = 0; n < nodes; n++) {
    uint32_t used = 0;
    for (uint32_t k = 0, inputs = 1 + draw(3); k < inputs; k++) {
      int b = (int)draw((uint32_t)n + 1);
      if (used >> b & 1) continue;
      used |= 1u << b;
      g->touches[g->problem.touch_count++] = (schedule_touch){n, b, false};
      if (b > 0) g->edges[g->problem.edge_count++] = (schedule_edge){b - 1, n};
      if (k == 0 && draw(2)) {
        size_t most = g->buffers[b].bytes < g->buffers[n + 1].bytes ? g->buffers[b].bytes : g->buffers[n + 1].bytes;
        g->savings[g->problem.saving_count++] = (schedule_saving){n, b, draw((uint32_t)most + 1)};
      }
    }
    g->touches[g->problem.touch_count++] = (schedule_touch){n, n + 1, true};
  }
}

static bool touches_buffer(const graph *g, int node, int buffer) {
  for (size_t i = 0; i < g->problem.touch_count; i++) {
    if (g->touches[i].node == node && g->touches[i].buffer == buffer) return true;
  }
  return false;
}

// The peak of an order straight from the definition: at each step, everything that has been or is written and is still needed.
static size_t peak_by_definition(const graph *g, const int *order) {
  size_t peak = 0;
  int nodes = g->problem.node_count;
  for (int step = 0; step < nodes; step++) {
    size_t live = 0, saved = 0;
    for (int b = 0; b <= nodes; b++) {
      bool begun = g->buffers[b].from_start, needed = g->buffers[b].to_end;
      for (int i = 0; i < nodes; i++) {
        if (!touches_buffer(g, order[i], b)) continue;
        if (i <= step) begun = true;
        if (i >= step) needed = true;
      }
      if (begun && needed) live += g->buffers[b].bytes;
    }
    for (size_t k = 0; k < g->problem.saving_count; k++) {
      const schedule_saving *s = &g->savings[k];
      bool later = g->buffers[s->input].to_end;
      for (int i = step + 1; i < nodes; i++) later |= touches_buffer(g, order[i], s->input);
      if (s->node == order[step] && !later && s->bytes > saved) saved = s->bytes;
    }
    if (live - saved > peak) peak = live - saved;
  }
  return peak;
}

static size_t best_of_all(const graph *g, int *order, int done, uint32_t executed) {
  int nodes = g->problem.node_count;
  if (done == nodes) return peak_by_definition(g, order);
  size_t best = SIZE_MAX;
  for (int n = 0; n < nodes; n++) {
    bool ready = !(executed >> n & 1);
    for (size_t e = 0; ready && e < g->problem.edge_count; e++) ready = g->edges[e].after != n || (executed >> g->edges[e].before & 1);
    if (!ready) continue;
    order[done] = n;
    size_t peak = best_of_all(g, order, done + 1, executed | 1u << n);
    if (peak < best) best = peak;
  }
  return best;
}

static void orders_are_valid_and_the_best(void **state) {
  (void)state;
  int improved = 0;
  for (int round = 0; round < 400; round++) {
    graph g;
    int nodes = 2 + (int)draw(MAX_NODES - 1), order[MAX_NODES], any[MAX_NODES];
    make_graph(&g, nodes);
    for (int i = 0; i < nodes; i++) order[i] = i;
    size_t before, after, start = 0;
    assert_int_equal(schedule_improve(&g.problem, arn_heap(), order, &before, &after), ARN_OK);
    uint32_t executed = 0;
    for (int i = 0; i < nodes; i++) {
      for (size_t e = 0; e < g.problem.edge_count; e++) {
        if (g.edges[e].after == order[i]) assert_true(executed >> g.edges[e].before & 1);
      }
      executed |= 1u << order[i];
    }
    assert_int_equal(executed, (1u << nodes) - 1);
    // The input alone, before the first node, is a step too.
    if (g.buffers[0].from_start) start = g.buffers[0].bytes;
    size_t best = best_of_all(&g, any, 0, 0), got = peak_by_definition(&g, order);
    if (best < start) best = start;
    assert_int_equal(after, got < start ? start : got);
    assert_int_equal(after, best);
    assert_true(after <= before);
    improved += after < before;
  }
  assert_true(improved > 20);  // else the graphs are too easy to tell
}

// Wide enough that the exact search gives up: the beam's answer is valid and no worse than the file's order.
static void wide_graphs_stay_bounded(void **state) {
  (void)state;
  enum { WIDTH = 60, NODES = 2 * WIDTH + 1 };
  static schedule_buffer buffers[2 * WIDTH + 2];
  static schedule_touch touches[6 * WIDTH + 8];
  static schedule_edge edges[4 * WIDTH];
  schedule_problem p = {.node_count = NODES, .buffer_count = NODES + 1, .buffers = buffers, .touches = touches, .edges = edges};
  int order[NODES];
  buffers[0] = (schedule_buffer){10, true, false};
  for (int i = 0; i < WIDTH; i++) {  // WIDTH branches of a large and a small tensor, in the file all large ones first
    buffers[1 + i].bytes = 100 + draw(50);
    buffers[1 + WIDTH + i].bytes = 1 + draw(5);
    touches[p.touch_count++] = (schedule_touch){i, 0, false};
    touches[p.touch_count++] = (schedule_touch){i, 1 + i, true};
    touches[p.touch_count++] = (schedule_touch){WIDTH + i, 1 + i, false};
    touches[p.touch_count++] = (schedule_touch){WIDTH + i, 1 + WIDTH + i, true};
    touches[p.touch_count++] = (schedule_touch){2 * WIDTH, 1 + WIDTH + i, false};
    edges[p.edge_count++] = (schedule_edge){i, WIDTH + i};
    edges[p.edge_count++] = (schedule_edge){WIDTH + i, 2 * WIDTH};
  }
  buffers[NODES] = (schedule_buffer){4, false, true};
  touches[p.touch_count++] = (schedule_touch){2 * WIDTH, NODES, true};
  for (int i = 0; i < NODES; i++) order[i] = i;
  size_t before, after;
  assert_int_equal(schedule_improve(&p, arn_heap(), order, &before, &after), ARN_OK);
  assert_true(before > WIDTH * 100);
  assert_true(after < 1000);
  int position[NODES];
  for (int i = 0; i < NODES; i++) position[order[i]] = i;
  for (size_t e = 0; e < p.edge_count; e++) assert_true(position[edges[e].before] < position[edges[e].after]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_valid_and_the_best),
      cmocka_unit_test(wide_graphs_stay_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
