// SPDX-License-Identifier: Apache-2.0
// An interpreter's memory and its complaints: every allocation of the runtime, and every message, goes through here.
#include "runtime/subgraph.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/checked.h"

void *runtime_take(arn_interpreter *in, size_t count, size_t size) {
  void *memory = base_allocate_array(in->allocator, count, size, _Alignof(max_align_t));
  if (memory)
    in->overhead += count * size;
  else
    in->out_of_memory = true;
  return memory;
}

void runtime_give(arn_interpreter *in, void *memory, size_t count, size_t size) {
  if (!memory) return;
  in->overhead -= count * size;
  base_release(in->allocator, memory);
}

// The room in front of a block for its record: what follows is aligned like planned tensors.
static size_t block_head(const arn_interpreter *in) {
  return in->alignment > RUNTIME_ALIGNMENT ? in->alignment : RUNTIME_ALIGNMENT;
}
_Static_assert(sizeof(runtime_block) <= RUNTIME_ALIGNMENT, "the record fits into its room");

void *runtime_add_block(arn_interpreter *in, runtime_block **list, size_t bytes, size_t *account) {
  size_t total, head = block_head(in);
  runtime_block *block = checked_add(bytes, head, &total) ? base_allocate(in->allocator, total, head) : NULL;
  if (!block) return in->out_of_memory = true, NULL;
  *block = (runtime_block){.next = *list, .bytes = total};
  *list = block;
  *account += total;
  return memset((uint8_t *)block + head, 0, bytes);
}

void runtime_free_blocks(arn_interpreter *in, runtime_block **list, size_t *account) {
  while (*list) {
    runtime_block *block = *list;
    *list = block->next;
    *account -= block->bytes;
    base_release(in->allocator, block);
  }
}

const char *runtime_op_name(const runtime_node *node) {
  if (node->op) return node->op->name;
  if (node->registration.custom_name) return node->registration.custom_name;
  const char *name = schema_builtin_operator_name(node->registration.builtin_code);
  return name ? name : "operator";
}

// Where the message is about: "subgraph 2, node 3 CONV_2D v5: ".
static void write_place(const runtime_subgraph *sg, int node, char *text, size_t size) {
  char subgraph[32] = "";
  if (sg->index > 0) snprintf(subgraph, sizeof subgraph, node >= 0 ? "subgraph %d, " : "subgraph %d: ", sg->index);
  if (node < 0 || node >= sg->node_count) {
    snprintf(text, size, "%s", subgraph);
    return;
  }
  const runtime_node *n = &sg->nodes[node];
  snprintf(text, size, "%snode %d %s v%d: ", subgraph, node, runtime_op_name(n), n->registration.version);
}

void runtime_report(runtime_subgraph *sg, int node, int tensor, arn_status status, const char *format, va_list arguments) {
  arn_interpreter *in = sg->interpreter;
#if ARENITE_MESSAGES
  char line[ARN_MESSAGE_MAX];
  write_place(sg, node, line, sizeof line);
  size_t used = strlen(line);
  vsnprintf(line + used, sizeof line - used, format, arguments);
  // Kernels written for TensorFlow Lite may end their messages with a newline.
  for (size_t n = strlen(line); n > 0 && line[n - 1] == '\n'; n--) line[n - 1] = '\0';
  if (in->report) in->report(in->report_data, line);
#else
  (void)format, (void)arguments;
#endif
  // What the deepest node said explains more than what its callers add. A node's own later message replaces its earlier one.
  arn_error *pending = &in->pending;
  if (pending->status != ARN_OK && (pending->subgraph != sg->index || pending->node != node)) return;
  *pending = (arn_error){.status = status, .subgraph = sg->index, .node = node, .tensor = tensor, .byte = -1};
#if ARENITE_MESSAGES
  memcpy(pending->message, line, sizeof line);
#endif
}

arn_status runtime_fail(runtime_subgraph *sg, int node, int tensor, arn_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  runtime_report(sg, node, tensor, status, format, arguments);
  va_end(arguments);
  return status;
}

void runtime_begin(arn_interpreter *in) {
  in->pending.status = ARN_OK;
  in->out_of_memory = false;
}

arn_status runtime_end(arn_interpreter *in, arn_status status, arn_error *error) {
  if (status == ARN_OK) return status;
  // Whoever found it has said what and where; only running out of memory for records leaves no words.
  if (in->pending.status == ARN_OK) {
    error_set(&in->pending, status, "%s", arn_status_text(status));
    if (in->report) in->report(in->report_data, in->pending.message);
  }
  in->pending.status = status;
  if (error) *error = in->pending;
  return status;
}

arn_status runtime_status(arn_interpreter *in, TfLiteStatus status) {
  switch (status) {
    case kTfLiteOk: return ARN_OK;
    case kTfLiteCancelled: return ARN_CANCELLED;
    case kTfLiteUnresolvedOps: return ARN_UNRESOLVED_OP;
    default: return in->out_of_memory ? ARN_OUT_OF_MEMORY : ARN_ERROR;
  }
}
