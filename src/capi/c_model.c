// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite C API: versions, models, interpreter options.
#include "base/console.h"
#include "capi/capi.h"
#include "tensorflow/lite/core/c/c_api_experimental.h"

// TfLiteXNNPackDelegateOptions and the other records that are passed by value have the layout of 2.17 to 2.19.
const char *TfLiteVersion(void) { return "2.18.0"; }
int TfLiteSchemaVersion(void) { return SCHEMA_VERSION; }

// ---- Reporting. ----
static void call_reporter(const capi_reporter *reporter, const char *format, ...) BASE_PRINTF(2, 3);
static void call_reporter(const capi_reporter *reporter, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reporter->report(reporter->user_data, format, arguments);
  va_end(arguments);
}

void capi_report(const capi_reporter *reporter, const char *line) {
  if (reporter->report)
    call_reporter(reporter, "%s", line);
  else
    console_complain(line);
}

TfLiteStatus capi_status(arn_status status) {
  switch (status) {
    case ARN_OK: return kTfLiteOk;
    case ARN_CANCELLED: return kTfLiteCancelled;
    case ARN_UNRESOLVED_OP: return kTfLiteUnresolvedOps;
    default: return kTfLiteError;
  }
}

// ---- Models. ----
static TfLiteModel *wrap_model(arn_model *model, arn_status status, const arn_error *error, const capi_reporter *reporter) {
  if (status != ARN_OK) return capi_report(reporter, error->message[0] ? error->message : arn_status_text(status)), NULL;
  TfLiteModel *wrapped = base_allocate_array(arn_heap(), 1, sizeof *wrapped, _Alignof(TfLiteModel));
  if (!wrapped) {
    arn_model_close(model);
    return capi_report(reporter, arn_status_text(ARN_OUT_OF_MEMORY)), NULL;
  }
  wrapped->model = model;
  atomic_init(&wrapped->references, 1);
  return wrapped;
}

TfLiteModel *TfLiteModelCreateWithErrorReporter(const void *model_data, size_t model_size,
                                                void (*reporter)(void *user_data, const char *format, va_list args),
                                                void *user_data) {
  capi_reporter to = {reporter, user_data};
  arn_model *model = NULL;
  arn_error error = {0};
  arn_status status = arn_model_open_buffer(model_data, model_size, 0, arn_heap(), &model, &error);
  return wrap_model(model, status, &error, &to);
}

TfLiteModel *TfLiteModelCreateFromFileWithErrorReporter(const char *model_path,
                                                        void (*reporter)(void *user_data, const char *format, va_list args),
                                                        void *user_data) {
  capi_reporter to = {reporter, user_data};
  arn_model *model = NULL;
  arn_error error = {0};
  arn_status status = arn_model_open_file(model_path, 0, &model, &error);
  return wrap_model(model, status, &error, &to);
}

TfLiteModel *TfLiteModelCreate(const void *model_data, size_t model_size) {
  return TfLiteModelCreateWithErrorReporter(model_data, model_size, NULL, NULL);
}

TfLiteModel *TfLiteModelCreateFromFile(const char *model_path) {
  return TfLiteModelCreateFromFileWithErrorReporter(model_path, NULL, NULL);
}

void capi_release_model(TfLiteModel *model) {
  if (!model || atomic_fetch_sub(&model->references, 1) > 1) return;
  arn_model_close(model->model);
  base_release(arn_heap(), model);
}

void TfLiteModelDelete(TfLiteModel *model) { capi_release_model(model); }

// ---- Options. ----
TfLiteInterpreterOptions *TfLiteInterpreterOptionsCreate(void) {
  TfLiteInterpreterOptions *options = base_allocate_array(arn_heap(), 1, sizeof *options, _Alignof(TfLiteInterpreterOptions));
  if (!options) return NULL;
  options->threads = -1;
  atomic_init(&options->references, 1);
  return options;
}

void capi_release_options(TfLiteInterpreterOptions *options) {
  if (!options || atomic_fetch_sub(&options->references, 1) > 1) return;
  arn_resolver_destroy(options->resolver);
  base_release(arn_heap(), options);
}

void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions *options) { capi_release_options(options); }

void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions *options, int32_t num_threads) {
  options->threads = num_threads;
}

void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions *options, TfLiteOpaqueDelegate *delegate) {
  if (delegate) options->delegates++;
}

void TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions *options,
                                              void (*reporter)(void *user_data, const char *format, va_list args),
                                              void *user_data) {
  options->reporter = (capi_reporter){reporter, user_data};
}

TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions *options, bool enable) {
  options->cancellation = enable;
  return kTfLiteOk;
}

// The resolver of added kernels, before the built-in ones. A failure shows when an interpreter is made: these calls have no
// result.
static arn_resolver *resolver_to_add_to(TfLiteInterpreterOptions *options) {
  if (!options->resolver && options->status == ARN_OK)
    options->status = arn_resolver_create(arn_resolver_builtin(), &options->resolver);
  return options->resolver;
}

static void keep_status(TfLiteInterpreterOptions *options, arn_status status) {
  if (options->status == ARN_OK) options->status = status;
}

void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions *options, TfLiteBuiltinOperator op,
                                          const TfLiteRegistration *registration, int32_t min_version, int32_t max_version) {
  arn_resolver *resolver = resolver_to_add_to(options);
  if (resolver) keep_status(options, arn_resolver_add_builtin(resolver, (int32_t)op, registration, min_version, max_version));
}

void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions *options, const char *name,
                                         const TfLiteRegistration *registration, int32_t min_version, int32_t max_version) {
  arn_resolver *resolver = resolver_to_add_to(options);
  if (resolver) keep_status(options, arn_resolver_add_custom(resolver, name, registration, min_version, max_version));
}
