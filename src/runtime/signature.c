// SPDX-License-Identifier: Apache-2.0
// Signatures: named inputs and outputs of a subgraph, and running it by them.
#include "runtime/subgraph.h"

// Sorted by name, each name once (the last entry of a name counts): what the reference's map of names gives.
static int insert_name(runtime_signature_name *names, int count, const char *name, int tensor) {
  int at = count;
  while (at > 0 && strcmp(names[at - 1].name, name) > 0) at--;
  if (at > 0 && strcmp(names[at - 1].name, name) == 0) return names[at - 1].tensor = tensor, count;
  memmove(names + at + 1, names + at, (size_t)(count - at) * sizeof *names);
  names[at] = (runtime_signature_name){name, tensor};
  return count + 1;
}

static arn_status fill_names(arn_signature_runner *runner, fb_offsets maps, const char *what, runtime_signature_name *names,
                             int *count) {
  for (uint32_t i = 0; i < maps.count; i++) {
    fb_table map = fb_table_at(maps, i);
    uint32_t tensor = TensorMap_tensor_index(map);
    if (tensor >= runner->subgraph->context.tensors_size) {
      return runtime_fail(runner->subgraph, -1, -1, ARN_INVALID_MODEL,
                          "signature \"%.80s\": %s \"%.80s\" names tensor %u, there are %zu", runner->key, what,
                          fb_text(TensorMap_name(map)), (unsigned)tensor, runner->subgraph->context.tensors_size);
    }
    *count = insert_name(names, *count, fb_text(TensorMap_name(map)), (int)tensor);
  }
  return ARN_OK;
}

static arn_status make_signature(arn_interpreter *in, fb_table file, arn_signature_runner *runner) {
  runner->key = fb_text(SignatureDef_signature_key(file));
  uint32_t subgraph = SignatureDef_subgraph_index(file);
  if (subgraph >= (uint32_t)in->subgraph_count) {
    return runtime_fail(&in->subgraphs[0], -1, -1, ARN_INVALID_MODEL, "signature \"%.80s\" names subgraph %u, there are %d",
                        runner->key, (unsigned)subgraph, in->subgraph_count);
  }
  runner->subgraph = &in->subgraphs[subgraph];
  fb_offsets inputs = SignatureDef_inputs(file), outputs = SignatureDef_outputs(file);
  runner->inputs = runtime_take(in, inputs.count, sizeof *runner->inputs);
  runner->outputs = runtime_take(in, outputs.count, sizeof *runner->outputs);
  if (!runner->inputs || !runner->outputs) return ARN_OUT_OF_MEMORY;
  arn_status status = fill_names(runner, inputs, "input", runner->inputs, &runner->input_count);
  return status == ARN_OK ? fill_names(runner, outputs, "output", runner->outputs, &runner->output_count) : status;
}

arn_status runtime_make_signatures(arn_interpreter *in) {
  fb_offsets signatures = Model_signature_defs(in->model->root);
  if (signatures.count == 0) return ARN_OK;
  if (signatures.count > INT32_MAX / 2) return ARN_OUT_OF_MEMORY;
  in->signatures = runtime_take(in, signatures.count, sizeof *in->signatures);
  if (!in->signatures) return ARN_OUT_OF_MEMORY;
  in->signature_count = (int)signatures.count;
  for (uint32_t i = 0; i < signatures.count; i++) {
    arn_status status = make_signature(in, fb_table_at(signatures, i), &in->signatures[i]);
    if (status != ARN_OK) return status;
  }
  return ARN_OK;
}

void runtime_free_signatures(arn_interpreter *in) {
  fb_offsets signatures = Model_signature_defs(in->model->root);
  for (int i = 0; i < in->signature_count; i++) {
    fb_table file = fb_table_at(signatures, (uint32_t)i);
    runtime_give(in, in->signatures[i].inputs, SignatureDef_inputs(file).count, sizeof(runtime_signature_name));
    runtime_give(in, in->signatures[i].outputs, SignatureDef_outputs(file).count, sizeof(runtime_signature_name));
  }
  runtime_give(in, in->signatures, (size_t)in->signature_count, sizeof *in->signatures);
}

int arn_interpreter_signature_count(const arn_interpreter *in) { return in->signature_count; }

const char *arn_interpreter_signature_key(const arn_interpreter *in, int signature) {
  return signature >= 0 && signature < in->signature_count ? in->signatures[signature].key : NULL;
}

arn_signature_runner *arn_interpreter_signature_runner(arn_interpreter *in, const char *key) {
  if (!key) return in->signature_count == 1 ? &in->signatures[0] : NULL;
  for (int i = 0; i < in->signature_count; i++) {
    if (strcmp(in->signatures[i].key, key) == 0) return &in->signatures[i];
  }
  return NULL;
}

int arn_signature_input_count(const arn_signature_runner *runner) { return runner->input_count; }
int arn_signature_output_count(const arn_signature_runner *runner) { return runner->output_count; }

const char *arn_signature_input_name(const arn_signature_runner *runner, int input) {
  return input >= 0 && input < runner->input_count ? runner->inputs[input].name : NULL;
}

const char *arn_signature_output_name(const arn_signature_runner *runner, int output) {
  return output >= 0 && output < runner->output_count ? runner->outputs[output].name : NULL;
}

static int find_name(const runtime_signature_name *names, int count, const char *name) {
  for (int i = 0; name && i < count; i++) {
    if (strcmp(names[i].name, name) == 0) return names[i].tensor;
  }
  return -1;
}

TfLiteTensor *arn_signature_input(arn_signature_runner *runner, const char *name) {
  return runtime_tensor(runner->subgraph, find_name(runner->inputs, runner->input_count, name));
}

const TfLiteTensor *arn_signature_output(arn_signature_runner *runner, const char *name) {
  return runtime_tensor(runner->subgraph, find_name(runner->outputs, runner->output_count, name));
}

arn_status runtime_resize_signature(arn_signature_runner *runner, const char *name, const int *dims, int rank, bool strict,
                                    arn_error *error) {
  arn_interpreter *in = runner->subgraph->interpreter;
  runtime_begin(in);
  int tensor = find_name(runner->inputs, runner->input_count, name);
  arn_status status;
  if (tensor < 0) {
    status = runtime_fail(runner->subgraph, -1, -1, ARN_NOT_FOUND, "signature \"%.80s\" has no input \"%.80s\"", runner->key,
                          name ? name : "");
  } else {
    status = strict ? runtime_check_strict(runner->subgraph, tensor, dims, rank) : ARN_OK;
    if (status == ARN_OK) status = runtime_resize_input(runner->subgraph, tensor, dims, rank);
  }
  return runtime_end(in, status, error);
}

arn_status arn_signature_resize_input(arn_signature_runner *runner, const char *name, const int *dims, int rank,
                                      arn_error *error) {
  return runtime_resize_signature(runner, name, dims, rank, false, error);
}

arn_status arn_signature_allocate(arn_signature_runner *runner, arn_error *error) {
  arn_interpreter *in = runner->subgraph->interpreter;
  runtime_begin(in);
  return runtime_end(in, runtime_allocate(runner->subgraph), error);
}

arn_status arn_signature_invoke(arn_signature_runner *runner, arn_error *error) {
  arn_interpreter *in = runner->subgraph->interpreter;
  runtime_begin(in);
  arn_status status = runtime_invoke(runner->subgraph);
  atomic_store_explicit(&in->cancelled, false, memory_order_relaxed);
  return runtime_end(in, status, error);
}
