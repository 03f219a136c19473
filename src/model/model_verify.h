// SPDX-License-Identifier: Apache-2.0
// Full verification of a model: the FlatBuffer's structure, then its meaning. The runtime trusts what passes: every index,
// length and order that it would otherwise have to check on each use.
//
// What is checked of the meaning: indices (buffers, tensors, operator codes, subgraphs, signatures, metadata); constants as
// long as shape and type ask, string tensors well-formed; quantisation arrays against shape; sparsity against shape and data;
// each tensor written once, before it is read; subgraphs that do not call themselves. Not checked: whether an operator exists,
// and what an operator alone can know about its tensors; its prepare does that.
#ifndef MODEL_MODEL_VERIFY_H
#define MODEL_MODEL_VERIFY_H

#include "model/model.h"

// scratch: for one byte a tensor of the largest subgraph and one a subgraph, released before returning.
// ARN_INVALID_MODEL with path and byte, ARN_BUDGET, ARN_OUT_OF_MEMORY, or ARN_UNSUPPORTED (another schema version).
arn_status model_verify(const void *data, size_t size, const base_allocator *scratch, arn_error *error);

// ---- between the files of the verifier

typedef struct model_check {
  const arn_model *model;
  const base_allocator *scratch;
  arn_error *error;
  uint64_t work;      // array elements that may still be looked at
  int32_t subgraph;   // where the verifier is: -1 outside
  int32_t node, tensor;
} model_check;

// Fills the error: `field` and `index` (-1: none) complete the path, `at` is the offending byte's address in the file.
#if ARENITE_MESSAGES
arn_status model_check_fail(model_check *c, const char *field, int64_t index, const uint8_t *at, const char *format, ...)
    BASE_PRINTF(5, 6);
#else
arn_status check_fail_code(model_check *c, const uint8_t *at);
#define model_check_fail(c, field, index, at, ...) ((void)(field), (void)(index), check_fail_code((c), (at)))
#endif

// Takes `elements` from the work budget; files whose tables share huge vectors run out of it.
arn_status model_check_work(model_check *c, const char *field, const uint8_t *at, uint64_t elements);

// Where a field is stored (the table itself when it is absent): the byte that errors name.
static inline const uint8_t *check_byte(fb_table t, uint32_t id) {
  const uint8_t *at = fb_field_at(t, id);
  return at ? at : t.base + t.pos;
}
static inline const uint8_t *check_element(fb_vector v, uint32_t index, uint32_t width) { return v.data + (size_t)index * width; }

// tensor_verify.c, sparsity_verify.c: one tensor of c->subgraph, which has `tensors` tensors.
arn_status tensor_verify(model_check *c, fb_table tensor, uint32_t tensors);
// *elements: how many values the sparse tensor stores.
arn_status sparsity_verify(model_check *c, fb_table tensor, size_t *elements);

#endif
