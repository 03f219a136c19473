// SPDX-License-Identifier: Apache-2.0
// Fuzz target: verification, opening and everything that can be read of a model afterwards; for small inputs also the byte walk.
#include <stdint.h>
#include <stdlib.h>

#include "arenite/model.h"
#include "arenite/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A sum over what was read, so that no read can be left out.
static volatile uint64_t fuzz_sum;

static void read_bytes(const void *data, uint64_t size) {
  const uint8_t *bytes = data;
  if (bytes && size) fuzz_sum += (uint64_t)bytes[0] + bytes[size / 2] + bytes[size - 1];
}
static void read_text(const char *text) {
  for (; *text; ++text) fuzz_sum += (uint8_t)*text;
}
static void read_ints(arn_view view) {
  for (uint32_t i = 0; i < view.count; ++i) fuzz_sum += (uint64_t)arn_view_int(view, i);
}
static void read_floats(arn_view view) {
  for (uint32_t i = 0; i < view.count; ++i) fuzz_sum += arn_view_float(view, i) > 0;
}

static void read_options(const arn_model *model, uint32_t subgraph, uint32_t op) {
  arn_option_info option;
  for (uint32_t field = 0; arn_model_operator_option(model, subgraph, op, field, &option) == ARN_OK; ++field) {
    read_text(option.name);
    read_text(option.value_name);
    read_text(option.text);
    if (option.kind == ARN_OPTION_INTS) read_ints(option.elements);
    if (option.kind == ARN_OPTION_FLOATS) read_floats(option.elements);
  }
}

static void read_subgraph(const arn_model *model, uint32_t subgraph) {
  arn_subgraph_info graph;
  if (arn_model_subgraph(model, subgraph, &graph) != ARN_OK) abort();
  read_text(graph.name);
  read_ints(graph.inputs);
  read_ints(graph.outputs);
  for (uint32_t i = 0; i < graph.tensors; ++i) {
    arn_tensor_info tensor;
    if (arn_model_tensor(model, subgraph, i, &tensor) != ARN_OK) abort();
    read_text(tensor.name);
    read_ints(tensor.shape);
    read_ints(tensor.shape_signature);
    read_floats(tensor.scales);
    read_ints(tensor.zero_points);
    read_bytes(tensor.data, tensor.size);
  }
  for (uint32_t i = 0; i < graph.operators; ++i) {
    arn_operator_info op;
    if (arn_model_operator(model, subgraph, i, &op) != ARN_OK) abort();
    read_text(op.kind.custom_name);
    read_ints(op.inputs);
    read_ints(op.outputs);
    read_ints(op.intermediates);
    read_bytes(op.custom_options, op.custom_options_size);
    read_options(model, subgraph, i);
  }
}

static void read_model(const arn_model *model) {
  arn_model_info info;
  arn_model_describe(model, &info);
  read_text(info.description);
  read_text(info.min_runtime_version);
  for (uint32_t i = 0; i < info.subgraphs; ++i) read_subgraph(model, i);
  for (uint32_t i = 0; i < info.buffers; ++i) {
    arn_buffer_info buffer;
    if (arn_model_buffer(model, i, &buffer) != ARN_OK) abort();
    read_bytes(buffer.data, buffer.size);
  }
  for (uint32_t i = 0; i < info.signatures; ++i) {
    arn_signature_info signature;
    const char *name;
    uint32_t tensor;
    if (arn_model_signature(model, i, &signature) != ARN_OK) abort();
    read_text(signature.key);
    for (uint32_t k = 0; arn_model_signature_input(model, i, k, &name, &tensor) == ARN_OK; ++k) read_text(name);
    for (uint32_t k = 0; arn_model_signature_output(model, i, k, &name, &tensor) == ARN_OK; ++k) read_text(name);
  }
  for (uint32_t i = 0; i < info.metadata_entries; ++i) {
    arn_metadata_info entry;
    if (arn_model_metadata(model, i, &entry) != ARN_OK) abort();
    read_text(entry.name);
    read_bytes(entry.data, entry.size);
  }
}

static bool read_event(void *user, const arn_walk_event *event) {
  (void)user;
  read_text(event->path);
  read_text(event->type);
  read_text(event->text);
  read_bytes(event->raw, event->size);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { WALK_MOST = 1 << 16 };
  arn_model *model;
  arn_error error = {.status = ARN_OK};
  arn_status status = arn_model_open_buffer(data, size, 0, arn_heap(), &model, &error);
  if (status == ARN_OK) read_model(model);
  else if (error.status != status || error.message[0] == '\0') abort();  // an error says what it is
  arn_model_close(model);
  if (size <= WALK_MOST) arn_walk(data, size, ARN_WALK_METADATA, read_event, NULL, NULL);
  return 0;
}
