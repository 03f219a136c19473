// SPDX-License-Identifier: Apache-2.0
// Lifetimes and execution order, on small graphs drawn by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph/lifetime.h"
#include "graph/order.h"

enum { MOST = 8 };

// A counted array with room; its head is a TfLiteIntArray.
typedef struct int_list {
  int size;
  int data[MOST];
} int_list;
#define LIST(...) ((int_list){(int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), {__VA_ARGS__}})

typedef struct drawn_node {
  int_list inputs, outputs, temporaries;
} drawn_node;

static const TfLiteIntArray *as_array(const int_list *list) { return (const TfLiteIntArray *)(const void *)list; }

static void node_at(const void *self, int index, lifetime_node *node) {
  const drawn_node *n = (const drawn_node *)self + index;
  *node = (lifetime_node){as_array(&n->inputs), as_array(&n->outputs), as_array(&n->temporaries)};
}

static lifetime_graph graph_of(const drawn_node *nodes, int count, const int *order, int tensors, const int_list *inputs,
                               const int_list *outputs) {
  return (lifetime_graph){.self = nodes,
                          .node = node_at,
                          .order = order,
                          .node_count = count,
                          .tensor_count = tensors,
                          .inputs = as_array(inputs),
                          .outputs = as_array(outputs)};
}

static void assert_life(lifetime life, int first, int last) {
  assert_int_equal(life.first, first);
  assert_int_equal(life.last, last);
}

// 0 -> [A] -> 1 -> [B] -> 2 -> [C] -> 3, with 1 read by C too and 4 a constant.
static void each_tensor_lives_from_its_writer_to_its_last_reader(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(0, 4), LIST(1), {0}}, {LIST(1), LIST(2), LIST(5)}, {LIST(2, 1, -1), LIST(3), {0}}};
  const int order[] = {0, 1, 2};
  int_list in = LIST(0), out = LIST(3);
  lifetime_graph graph = graph_of(nodes, 3, order, 6, &in, &out);
  lifetime lives[6];
  lifetime_compute(&graph, false, lives);
  assert_life(lives[0], -1, 3);  // an input: kept for the next inference
  assert_life(lives[1], 0, 2);
  assert_life(lives[2], 1, 2);
  assert_life(lives[3], 2, 3);  // an output: readable behind the last node
  assert_int_equal(lives[4].first, LIFETIME_UNWRITTEN);
  assert_life(lives[5], 1, 1);  // a temporary
  arn_plan_request request = lifetime_request(lives[1], 100, 64);
  assert_int_equal(request.first, 1);
  assert_int_equal(request.last, 3);
}

static void lifetimes_follow_the_order_not_the_numbers(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(1), LIST(2), {0}}, {LIST(0), LIST(1), {0}}};
  const int order[] = {1, 0};
  int_list in = LIST(0), out = LIST(2);
  lifetime_graph graph = graph_of(nodes, 2, order, 3, &in, &out);
  lifetime lives[3];
  lifetime_compute(&graph, false, lives);
  assert_life(lives[1], 0, 1);
  assert_life(lives[2], 1, 2);
}

static void an_unread_output_still_has_its_node(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(0), LIST(1, 2), {0}}, {LIST(1), LIST(3), {0}}};
  const int order[] = {0, 1};
  int_list in = LIST(0), out = LIST(3);
  lifetime_graph graph = graph_of(nodes, 2, order, 4, &in, &out);
  lifetime lives[4];
  lifetime_compute(&graph, false, lives);
  assert_life(lives[2], 0, 0);
  lifetime_compute(&graph, true, lives);
  assert_life(lives[2], 0, 2);  // keep all
  assert_life(lives[1], 0, 2);
}

static void tensors_out_of_range_are_ignored(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(7, -1), LIST(-1, 9, 0), {0}}};
  const int order[] = {0};
  int_list none = {0};
  lifetime_graph graph = graph_of(nodes, 1, order, 1, &none, &none);
  lifetime lives[1];
  lifetime_compute(&graph, false, lives);
  assert_life(lives[0], 0, 0);
}

// ---- Order. ----
static void *take(void *self, size_t size, size_t alignment) { return (void)alignment, ++*(int *)self, malloc(size); }
static void give(void *self, void *memory) { --*(int *)self, free(memory); }

static arn_status order_of(const drawn_node *nodes, int count, int tensors, int_list in, int *order, int *stuck) {
  int live = 0;
  base_allocator allocator = {take, give, &live};
  int_list none = {0};
  lifetime_graph graph = graph_of(nodes, count, NULL, tensors, &in, &none);
  arn_status status = order_compute(&graph, &allocator, order, stuck);
  assert_int_equal(live, 0);
  return status;
}

static void file_order_stays_where_it_serves(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(0), LIST(1), {0}}, {LIST(0), LIST(2), {0}}, {LIST(2, 1), LIST(3), {0}}};
  int order[3], stuck = -1;
  assert_int_equal(order_of(nodes, 3, 4, LIST(0), order, &stuck), ARN_OK);
  assert_memory_equal(order, ((int[]){0, 1, 2}), sizeof order);
}

static void missing_writers_are_pulled_forward(void **state) {
  (void)state;
  // 0 needs 2's output, which needs 3's; 1 needs nothing.
  const drawn_node nodes[] = {{LIST(2), LIST(1), {0}}, {LIST(0), LIST(4), {0}}, {LIST(3), LIST(2), {0}}, {LIST(0), LIST(3), {0}}};
  int order[4], stuck = -1;
  assert_int_equal(order_of(nodes, 4, 5, LIST(0), order, &stuck), ARN_OK);
  assert_memory_equal(order, ((int[]){3, 2, 0, 1}), sizeof order);
}

static void a_cycle_is_found(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(0), LIST(1), {0}}, {LIST(3, 1), LIST(2), {0}}, {LIST(2), LIST(3), {0}}};
  int order[3], stuck = -1;
  assert_int_equal(order_of(nodes, 3, 4, LIST(0), order, &stuck), ARN_INVALID_MODEL);
  assert_true(stuck == 1 || stuck == 2);
}

static void a_node_may_read_what_it_writes(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(1, 2), LIST(2), {0}}, {LIST(0), LIST(1), {0}}};
  int order[2], stuck = -1;
  assert_int_equal(order_of(nodes, 2, 3, LIST(0), order, &stuck), ARN_OK);
  assert_memory_equal(order, ((int[]){1, 0}), sizeof order);
}

// What the caller gives waits for nobody, even where a node writes it too.
static void graph_inputs_have_no_writer(void **state) {
  (void)state;
  const drawn_node nodes[] = {{LIST(0), LIST(1), {0}}, {LIST(1), LIST(0), {0}}};
  int order[2], stuck = -1;
  assert_int_equal(order_of(nodes, 2, 2, LIST(0), order, &stuck), ARN_OK);
  assert_memory_equal(order, ((int[]){0, 1}), sizeof order);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_tensor_lives_from_its_writer_to_its_last_reader),
      cmocka_unit_test(lifetimes_follow_the_order_not_the_numbers),
      cmocka_unit_test(an_unread_output_still_has_its_node),
      cmocka_unit_test(tensors_out_of_range_are_ignored),
      cmocka_unit_test(file_order_stays_where_it_serves),
      cmocka_unit_test(missing_writers_are_pulled_forward),
      cmocka_unit_test(a_cycle_is_found),
      cmocka_unit_test(a_node_may_read_what_it_writes),
      cmocka_unit_test(graph_inputs_have_no_writer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
