// SPDX-License-Identifier: Apache-2.0
// Calling another subgraph of the model: what IF, WHILE, CALL_ONCE and STABLEHLO_COMPOSITE share. For files of ops/.
#ifndef OPS_CALL_COMMON_H
#define OPS_CALL_COMMON_H

#include "ops/op.h"

typedef struct call_target {
  int index;
  TfLiteContext *context;  // the called subgraph's: its tensors
  const TfLiteIntArray *inputs, *outputs;
} call_target;

// Finds the subgraph; fails unless it exists, is not the calling one, and has that many inputs and outputs.
TfLiteStatus call_open(TfLiteContext *context, int index, int inputs, int outputs, call_target *target);
// Gives the target's inputs the types and shapes of the node's inputs first, first + 1, ..., and allocates it.
TfLiteStatus call_prepare(TfLiteContext *context, const TfLiteNode *node, int first, const call_target *target);
// Whether an operator of the target reads its input i, or it is also an output. passing false: an output of the same place
// does not count (a loop variable that stays as it is).
bool call_reads(TfLiteContext *context, const call_target *target, int i, bool passing);
// An array that tells call_reads for each input of the target, kept with the node; NULL when out of memory.
uint8_t *call_find_reads(TfLiteContext *context, const call_target *target, uint8_t *before);
// Copies those of the node's inputs (from `first` on) in that reads[] tells, runs the target.
TfLiteStatus call_run(TfLiteContext *context, const TfLiteNode *node, int first, const call_target *target, const uint8_t *reads);
// Builtin code of a subgraph's only operator; -1: it has none, -2: several, a custom one, or there is no such subgraph.
int32_t call_only_operator(TfLiteContext *context, int index);
// Shape (where `to` is dynamic) and bytes of one tensor; context is that of `to`.
TfLiteStatus call_copy(TfLiteContext *context, const TfLiteTensor *from, TfLiteTensor *to);
// Copies the target's outputs to the node's outputs.
TfLiteStatus call_copy_out(TfLiteContext *context, const TfLiteNode *node, const call_target *target);
// Sets the node's output shapes to those of the target's outputs, or makes them dynamic.
TfLiteStatus call_resize_outputs(TfLiteContext *context, const TfLiteNode *node, const call_target *target, bool dynamic);

static inline TfLiteTensor *call_input(const call_target *target, int i) {  // NULL: left out
  return target->inputs->data[i] < 0 ? NULL : &target->context->tensors[target->inputs->data[i]];
}
static inline TfLiteTensor *call_output(const call_target *target, int i) {
  return &target->context->tensors[target->outputs->data[i]];
}

#endif
