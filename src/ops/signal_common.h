// SPDX-License-Identifier: Apache-2.0
// What the audio front-end operators (custom ones, "Signal...") share: options in a FlexBuffers map, and streaming state that
// lives as long as the node. Preparing a node again begins its stream anew.
#ifndef OPS_SIGNAL_COMMON_H
#define OPS_SIGNAL_COMMON_H

#include <string.h>

#include "base/checked.h"
#include "ops/flex_options.h"

static inline int32_t signal_option(const TfLiteNode *node, const char *name) {
  return flex_int32(flex_get(flex_options(node), name));
}

static inline TfLiteStatus signal_check_rank(TfLiteContext *context, const TfLiteTensor *t, const char *what, int rank) {
  (void)what;
  OP_CHECK(context, op_rank(t) == rank, "%s has rank %d, not %d", what, op_rank(t), rank);
  return kTfLiteOk;
}

// State of a stream: cleared by every prepare.
typedef struct signal_state {
  void *memory;
  size_t room;
} signal_state;
static inline TfLiteStatus signal_begin(TfLiteContext *context, signal_state *state, size_t count, size_t size) {
  size_t bytes;
  OP_CHECK(context, checked_mul(count, size, &bytes), "the state is too large");
  if (state->room < bytes) {
    state->memory = op_persistent(context, bytes);
    OP_CHECK(context, state->memory, "out of memory");
    state->room = bytes;
  }
  if (bytes > 0) memset(state->memory, 0, bytes);
  return kTfLiteOk;
}

#endif
