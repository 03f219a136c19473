// SPDX-License-Identifier: Apache-2.0
// Opening a model and reaching its inputs and outputs by number or name.
#include "session.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arenite/model.h"
#include "values.h"

static void session_report(void *data, const char *line) {
  (void)data;
  command_note("%s", line);
}

// What the machine has: a model that wants more is refused with a message, in place of being killed. 0: not known, no limit.
static size_t session_memory_limit(void) {
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0 && (size_t)pages <= SIZE_MAX / (size_t)bytes) return (size_t)pages * (size_t)bytes;
#endif
  return 0;
}

// Makes the interpreter, and the runner of the signature that is asked for.
static bool session_create(session *s, failure *why) {
  arn_error error = {.byte = -1};
  uint64_t began = arn_clock_ns();
  arn_interpreter_options settings = {.threads = s->options.threads,
                                      .alignment = s->options.alignment,
                                      .planner = s->options.planner,
                                      .memory = s->options.memory,
                                      .keep_all_tensors = s->options.keep_all,
                                      .memory_limit = session_memory_limit()};
  if (s->options.verbose) settings.report = session_report;
  arn_status status = arn_interpreter_create(s->model, &settings, &s->interpreter, &error);
  s->create_ns = arn_clock_ns() - began;
  if (status != ARN_OK) {
    failure_from(why, status, &error);
    return failure_prefix(why, "%s: ", s->path);
  }
  if (!s->options.signature) return true;
  s->runner = arn_interpreter_signature_runner(s->interpreter, s->options.signature);
  if (s->runner) return true;
  int count = arn_interpreter_signature_count(s->interpreter);
  if (count == 0) return failure_set(why, "%s has no signatures", s->path);
  failure_set(why, "%s has no signature '%s'; it has", s->path, s->options.signature);
  for (int i = 0; i < count; i++) {
    size_t length = strlen(why->text);
    snprintf(why->text + length, sizeof why->text - length, " '%s'", arn_interpreter_signature_key(s->interpreter, i));
  }
  return false;
}

bool session_open(session *s, const char *path, const session_options *options, failure *why) {
  *s = (session){.path = path, .options = *options};
  arn_error error = {.byte = -1};
  uint64_t began = arn_clock_ns();
  arn_status status = arn_model_open_file(path, 0, &s->model, &error);
  s->open_ns = arn_clock_ns() - began;
  if (status != ARN_OK) {
    failure_from(why, status, &error);
    return failure_prefix(why, "%s: ", path);
  }
  if (!session_create(s, why)) {
    session_close(s);
    return false;
  }
  s->input_count = s->runner ? arn_signature_input_count(s->runner) : arn_interpreter_input_count(s->interpreter);
  s->output_count = s->runner ? arn_signature_output_count(s->runner) : arn_interpreter_output_count(s->interpreter);
  arn_metadata_info record;
  failure ignored;
  if (arn_model_metadata_find(s->model, "TFLITE_METADATA", &record) == ARN_OK &&
      !packed_parse(record.data, (size_t)record.size, &s->about, &ignored))
    command_note("%s: %s", path, ignored.text);
  return true;
}

// Whether the model has operators whose state arn_interpreter_reset_variables does not reach: resources, and the audio front
// end's.
static bool session_stateful(const session *s) {
  arn_node_info node;
  for (int g = 0; g < arn_interpreter_subgraph_count(s->interpreter); g++)
    for (int n = 0; arn_interpreter_node(s->interpreter, g, n, &node); n++)
      if (!strcmp(node.name, "VAR_HANDLE") || !strncmp(node.name, "Signal", 6)) return true;
  return false;
}

bool session_forget(session *s, bool *restarted, failure *why) {
  *restarted = session_stateful(s);
  if (!*restarted) return arn_interpreter_reset_variables(s->interpreter) == ARN_OK;
  arn_interpreter_destroy(s->interpreter);
  s->interpreter = NULL;
  s->runner = NULL;
  return session_create(s, why);
}

void session_close(session *s) {
  packed_release(&s->about);
  arn_interpreter_destroy(s->interpreter);
  arn_model_close(s->model);
  *s = (session){0};
}

TfLiteTensor *session_input(const session *s, int input) {
  return s->runner ? arn_signature_input(s->runner, arn_signature_input_name(s->runner, input))
                   : arn_interpreter_input(s->interpreter, input);
}

const TfLiteTensor *session_output(const session *s, int output) {
  return s->runner ? arn_signature_output(s->runner, arn_signature_output_name(s->runner, output))
                   : arn_interpreter_output(s->interpreter, output);
}

bool session_constant(const session *s, int input) { return session_input(s, input)->allocation_type == kTfLiteMmapRo; }

const char *session_input_name(const session *s, int input) {
  const char *name = s->runner ? arn_signature_input_name(s->runner, input) : session_input(s, input)->name;
  return name ? name : "";
}

const char *session_output_name(const session *s, int output) {
  const char *name = s->runner ? arn_signature_output_name(s->runner, output) : session_output(s, output)->name;
  return name ? name : "";
}

// The metadata describes the first subgraph's tensors by position; a signature may order them otherwise, so go by tensor.
static int about_index(const session *s, const TfLiteTensor *tensor, bool input) {
  int count = input ? arn_interpreter_input_count(s->interpreter) : arn_interpreter_output_count(s->interpreter);
  for (int i = 0; i < count; i++)
    if (tensor == (input ? arn_interpreter_input(s->interpreter, i) : arn_interpreter_output(s->interpreter, i))) return i;
  return -1;
}

const packed_tensor *session_about_input(const session *s, int input) {
  int index = about_index(s, session_input(s, input), true);
  return index >= 0 && index < s->about.input_count ? &s->about.inputs[index] : NULL;
}

const packed_tensor *session_about_output(const session *s, int output) {
  int index = about_index(s, session_output(s, output), false);
  return index >= 0 && index < s->about.output_count ? &s->about.outputs[index] : NULL;
}

static bool same_text(const char *a, const char *b) { return a && b && !strcmp(a, b); }

static int session_find(const session *s, const char *wanted, bool input, failure *why) {
  int count = input ? s->input_count : s->output_count;
  for (int i = 0; i < count; i++)
    if (same_text(wanted, input ? session_input_name(s, i) : session_output_name(s, i))) return i;
  for (int i = 0; i < count; i++) {
    const packed_tensor *about = input ? session_about_input(s, i) : session_about_output(s, i);
    const TfLiteTensor *tensor = input ? session_input(s, i) : session_output(s, i);
    if (same_text(wanted, tensor->name) || (about && same_text(wanted, about->name))) return i;
  }
  char *end;
  long number = strtol(wanted, &end, 10);
  if (end != wanted && *end == '\0' && number >= 0 && number < count) return (int)number;
  failure_set(why, "%s has no %s '%s'; it has", s->path, input ? "input" : "output", wanted);
  for (int i = 0; i < count; i++) {
    size_t length = strlen(why->text);
    snprintf(why->text + length, sizeof why->text - length, " %d '%s'", i,
             input ? session_input_name(s, i) : session_output_name(s, i));
  }
  return -1;
}

int session_find_input(const session *s, const char *name, failure *why) { return session_find(s, name, true, why); }
int session_find_output(const session *s, const char *name, failure *why) { return session_find(s, name, false, why); }

static bool session_result(const session *s, arn_status status, const arn_error *error, const char *step, failure *why) {
  if (status == ARN_OK) return true;
  failure_from(why, status, error);
  return failure_prefix(why, "%s: %s: ", s->path, step);
}

bool session_resize(session *s, int input, const int *dims, int rank, failure *why) {
  arn_error error = {.byte = -1};
  arn_status status = s->runner ? arn_signature_resize_input(s->runner, session_input_name(s, input), dims, rank, &error)
                                : arn_interpreter_resize_input(s->interpreter, input, dims, rank, false, &error);
  return session_result(s, status, &error, "resizing the input", why);
}

bool session_allocate(session *s, failure *why) {
  arn_error error = {.byte = -1};
  uint64_t began = arn_clock_ns();
  arn_status status = s->runner ? arn_signature_allocate(s->runner, &error) : arn_interpreter_allocate(s->interpreter, &error);
  s->allocate_ns = arn_clock_ns() - began;
  return session_result(s, status, &error, "preparing", why);
}

bool session_invoke(session *s, failure *why) {
  arn_error error = {.byte = -1};
  arn_status status = s->runner ? arn_signature_invoke(s->runner, &error) : arn_interpreter_invoke(s->interpreter, &error);
  return session_result(s, status, &error, "running", why);
}

static bool session_node_of(const session *s, const TfLiteTensor *tensor, bool reader, arn_node_info *node) {
  int count = arn_interpreter_node_count(s->interpreter, 0);
  for (int n = 0; n < count; n++) {
    if (!arn_interpreter_node(s->interpreter, 0, n, node)) continue;
    const int *tensors = reader ? node->input_tensors : node->output_tensors;
    for (int i = 0; i < (reader ? node->inputs : node->outputs); i++)
      if (tensors[i] >= 0 && arn_interpreter_tensor(s->interpreter, 0, tensors[i]) == tensor) return true;
  }
  return false;
}

bool session_reader(const session *s, const TfLiteTensor *tensor, arn_node_info *node) {
  return session_node_of(s, tensor, true, node);
}

bool session_writer(const session *s, const TfLiteTensor *tensor, arn_node_info *node) {
  return session_node_of(s, tensor, false, node);
}

char *session_describe_inputs(const session *s) {
  char *text = command_text("%s", "");
  for (int i = 0; i < s->input_count; i++) {
    const TfLiteTensor *tensor = session_input(s, i);
    char *shape = values_shape_text(tensor, true);
    char *longer = command_text("%s%s%d '%s' (%s %s)", text, i ? ", " : "", i, session_input_name(s, i),
                                values_type_name(tensor->type), shape);
    free(shape);
    free(text);
    text = longer;
  }
  return text;
}
