// SPDX-License-Identifier: Apache-2.0
// Topological order of nodes, nearest to the file's.
#include "graph/order.h"

enum { ORDER_NEW = 0, ORDER_WAITING, ORDER_DONE };

static bool tensor_in_range(const lifetime_graph *graph, int tensor) { return tensor >= 0 && tensor < graph->tensor_count; }

// Sets writer[] to the node that writes each tensor + 1, 0 for none; a second writer of the same tensor does not count.
static void find_writers(const lifetime_graph *graph, int *writer) {
  for (int n = 0; n < graph->node_count; n++) {
    lifetime_node node = {0};
    graph->node(graph->self, n, &node);
    for (int i = 0; i < node.outputs->size; i++) {
      int t = node.outputs->data[i];
      if (tensor_in_range(graph, t) && !writer[t]) writer[t] = n + 1;
    }
  }
  for (int i = 0; i < graph->inputs->size; i++) {  // what the caller writes waits for nobody
    if (tensor_in_range(graph, graph->inputs->data[i])) writer[graph->inputs->data[i]] = 0;
  }
}

static bool file_is_in_order(const lifetime_graph *graph, const int *writer) {
  for (int n = 0; n < graph->node_count; n++) {
    lifetime_node node = {0};
    graph->node(graph->self, n, &node);
    for (int i = 0; i < node.inputs->size; i++) {
      int t = node.inputs->data[i];
      if (tensor_in_range(graph, t) && writer[t] > n + 1) return false;  // a node that reads its own output (a state) is in order
    }
  }
  return true;
}

typedef struct order_frame {
  int node;
  int cursor;  // inputs before it are written by nodes that are done
} order_frame;

// The first node that writes an input of the frame's node and is not done, or -1. Moves the cursor, so that each input is looked
// at once.
static int find_missing_writer(const lifetime_graph *graph, const int *writer, const uint8_t *state, order_frame *frame) {
  lifetime_node node = {0};
  graph->node(graph->self, frame->node, &node);
  for (; frame->cursor < node.inputs->size; frame->cursor++) {
    int t = node.inputs->data[frame->cursor];
    int by = tensor_in_range(graph, t) ? writer[t] - 1 : -1;
    if (by >= 0 && by != frame->node && state[by] != ORDER_DONE) return by;
  }
  return -1;
}

// Nodes in file order, each after its missing writers. Iterative, for a hostile file may nest as deep as it has nodes.
static bool sort_nodes(const lifetime_graph *graph, const int *writer, uint8_t *state, order_frame *path, int *order,
                       int *stuck) {
  int placed = 0;
  for (int start = 0; start < graph->node_count; start++) {
    if (state[start] == ORDER_DONE) continue;
    int depth = 0;
    path[0] = (order_frame){start, 0}, state[start] = ORDER_WAITING;
    while (depth >= 0) {
      int by = find_missing_writer(graph, writer, state, &path[depth]);
      if (by < 0) {
        order[placed++] = path[depth].node;
        state[path[depth--].node] = ORDER_DONE;
      } else if (state[by] == ORDER_WAITING) {
        return *stuck = by, false;
      } else {
        path[++depth] = (order_frame){by, 0}, state[by] = ORDER_WAITING;
      }
    }
  }
  return true;
}

arn_status order_compute(const lifetime_graph *graph, const base_allocator *allocator, int *order, int *stuck) {
  size_t nodes = (size_t)graph->node_count;
  for (int n = 0; n < graph->node_count; n++) order[n] = n;
  arn_status status = ARN_OUT_OF_MEMORY;
  uint8_t *state = NULL;
  order_frame *path = NULL;
  int *writer = base_allocate_array(allocator, (size_t)graph->tensor_count, sizeof *writer, sizeof *writer);
  if (!writer) goto done;
  find_writers(graph, writer);
  status = ARN_OK;
  if (file_is_in_order(graph, writer)) goto done;
  state = base_allocate_array(allocator, nodes, sizeof *state, 1);
  path = base_allocate_array(allocator, nodes, sizeof *path, sizeof(int));
  if (!state || !path)
    status = ARN_OUT_OF_MEMORY;
  else if (!sort_nodes(graph, writer, state, path, order, stuck))
    status = ARN_INVALID_MODEL;
done:
  base_release(allocator, path);
  base_release(allocator, state);
  base_release(allocator, writer);
  return status;
}
