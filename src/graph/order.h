// SPDX-License-Identifier: Apache-2.0
// The execution order of a graph's nodes.
#ifndef GRAPH_ORDER_H
#define GRAPH_ORDER_H

#include "base/allocator.h"
#include "base/error.h"
#include "graph/lifetime.h"

// Writes node indices into order[graph->node_count] (graph->order is not read): the file's order, but the writers of a node's
// inputs come before it, right before where the file forgot to put them first. ARN_INVALID_MODEL when nodes wait for each other;
// *stuck is one of them.
arn_status order_compute(const lifetime_graph *graph, const base_allocator *allocator, int *order, int *stuck);

#endif
