// SPDX-License-Identifier: Apache-2.0
// One model ready to run: opened, bound, its inputs and outputs by number whether they come from a signature or from the first
// subgraph, and what its metadata says. Shared by run, bench and plan.
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "arenite/interpreter.h"
#include "command.h"
#include "packed.h"

typedef struct session_options {
  const char *signature;  // key; NULL: the first subgraph
  int threads;
  arn_plan_algorithm planner;  // 0: the default
  size_t alignment;            // 0: the default
  unsigned memory;             // ARN_MEMORY_* bits; 0: the default
  bool keep_all;               // every tensor can be read afterwards
  bool verbose;                // the runtime's warnings go to stderr
} session_options;

typedef struct session {
  const char *path;
  session_options options;
  arn_model *model;
  arn_interpreter *interpreter;
  arn_signature_runner *runner;  // NULL: the first subgraph
  packed about;                  // of the first subgraph; empty with a signature of another one
  int input_count, output_count;
  uint64_t open_ns, create_ns, allocate_ns;  // how long the three steps took
} session;

// On failure nothing is left to close.
bool session_open(session *s, const char *path, const session_options *options, failure *why);
void session_close(session *s);

TfLiteTensor *session_input(const session *s, int input);
const TfLiteTensor *session_output(const session *s, int output);
bool session_constant(const session *s, int input);           // part of the model: it has its value
const char *session_input_name(const session *s, int input);  // never NULL
const char *session_output_name(const session *s, int output);
// By the signature's name, the tensor's, the metadata's, or by number; -1 with a list of what there is in `why`.
int session_find_input(const session *s, const char *name, failure *why);
int session_find_output(const session *s, const char *name, failure *why);
const packed_tensor *session_about_input(const session *s, int input);  // NULL: no metadata
const packed_tensor *session_about_output(const session *s, int output);

bool session_resize(session *s, int input, const int *dims, int rank, failure *why);
bool session_allocate(session *s, failure *why);
bool session_invoke(session *s, failure *why);
// Forgets what earlier runs left behind: variables, resources, operators' own state. *restarted is set when the interpreter had to be
// made anew for that: shapes, the profiler and tensor pointers are then gone, and an allocate is needed.
bool session_forget(session *s, bool *restarted, failure *why);

// The node of subgraph 0 that reads (or writes) the tensor; false: none. `tensor` is one that the session handed out.
bool session_reader(const session *s, const TfLiteTensor *tensor, arn_node_info *node);
bool session_writer(const session *s, const TfLiteTensor *tensor, arn_node_info *node);

// "name: float32 1x224x224x3" for each input, one a line, for messages; the caller frees.
char *session_describe_inputs(const session *s);

#endif
