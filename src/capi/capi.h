// SPDX-License-Identifier: Apache-2.0
// The records behind the TensorFlow Lite C API's handles.
#ifndef CAPI_CAPI_H
#define CAPI_CAPI_H

#include <stdarg.h>
#include <stdatomic.h>

#include "runtime/subgraph.h"
#include "tensorflow/lite/core/c/c_api.h"

// Models are shared: an interpreter keeps its model when the program deletes it.
struct TfLiteModel {
  arn_model *model;
  atomic_int references;
};

typedef struct capi_reporter {
  void (*report)(void *user_data, const char *format, va_list arguments);  // NULL: standard error
  void *user_data;
} capi_reporter;

struct TfLiteInterpreterOptions {
  int32_t threads;
  capi_reporter reporter;
  arn_resolver *resolver;  // NULL: nothing was added to the built-in operators
  int delegates;
  bool cancellation;
  arn_status status;  // what went wrong while options were set
  atomic_int references;
};

struct TfLiteInterpreter {
  arn_interpreter *interpreter;
  TfLiteModel *model;
  TfLiteInterpreterOptions *options;  // a reference: the resolver and the reporter are used while the interpreter lives
};

struct TfLiteSignatureRunner {
  arn_signature_runner *runner;
  const TfLiteInterpreter *interpreter;
};

void capi_report(const capi_reporter *reporter, const char *line);
TfLiteStatus capi_status(arn_status status);  // of a native call, which has reported what is wrong
// As published, cancelling before an inference starts has no effect on it.
void capi_clear_cancel(const TfLiteInterpreter *interpreter);
void capi_release_model(TfLiteModel *model);
void capi_release_options(TfLiteInterpreterOptions *options);

#endif
