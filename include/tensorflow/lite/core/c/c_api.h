// SPDX-License-Identifier: Apache-2.0
// The TensorFlow Lite C API: load a model, make an interpreter, run it. Names, types and behaviour as published, so that programs
// and language bindings built for libtensorflowlite_c run on Arenite unchanged.
//
//   TfLiteModel *model = TfLiteModelCreateFromFile("model.tflite");
//   TfLiteInterpreter *interpreter = TfLiteInterpreterCreate(model, NULL);
//   TfLiteInterpreterAllocateTensors(interpreter);
//   TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), input, sizeof input);
//   TfLiteInterpreterInvoke(interpreter);
//   TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), output, sizeof output);
//   TfLiteInterpreterDelete(interpreter);
//   TfLiteModelDelete(model);
#ifndef TENSORFLOW_LITE_CORE_C_C_API_H_
#define TENSORFLOW_LITE_CORE_C_C_API_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteModel TfLiteModel;
typedef struct TfLiteInterpreterOptions TfLiteInterpreterOptions;
typedef struct TfLiteInterpreter TfLiteInterpreter;
typedef struct TfLiteTensor TfLiteTensor;
typedef struct TfLiteSignatureRunner TfLiteSignatureRunner;

// The version of TensorFlow Lite whose interface this library has, and of the schema it reads.
TFL_CAPI_EXPORT const char *TfLiteVersion(void);
TFL_CAPI_EXPORT int TfLiteSchemaVersion(void);

// ---- Models. ----
// From bytes that stay unchanged as long as the model or an interpreter made from it; from a file, which is mapped. The file is
// verified. NULL when it is malformed or cannot be read; the reason goes to the reporter (standard error without one).
TFL_CAPI_EXPORT TfLiteModel *TfLiteModelCreate(const void *model_data, size_t model_size);
TFL_CAPI_EXPORT TfLiteModel *TfLiteModelCreateWithErrorReporter(const void *model_data, size_t model_size,
                                                                void (*reporter)(void *user_data, const char *format,
                                                                                 va_list args),
                                                                void *user_data);
TFL_CAPI_EXPORT TfLiteModel *TfLiteModelCreateFromFile(const char *model_path);
TFL_CAPI_EXPORT TfLiteModel *TfLiteModelCreateFromFileWithErrorReporter(
    const char *model_path, void (*reporter)(void *user_data, const char *format, va_list args), void *user_data);
// Interpreters made from it stay usable. NULL is allowed.
TFL_CAPI_EXPORT void TfLiteModelDelete(TfLiteModel *model);

// ---- Options of interpreters; NULL from Create when out of memory. ----
TFL_CAPI_EXPORT TfLiteInterpreterOptions *TfLiteInterpreterOptionsCreate(void);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions *options);  // may go before the interpreter
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions *options,
                                                           int32_t num_threads);  // -1: the runtime's choice
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions *options, TfLiteOpaqueDelegate *delegate);
// Called with every warning and error.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsSetErrorReporter(TfLiteInterpreterOptions *options,
                                                              void (*reporter)(void *user_data, const char *format, va_list args),
                                                              void *user_data);
// Lets TfLiteInterpreterCancel work.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterOptionsEnableCancellation(TfLiteInterpreterOptions *options, bool enable);

// ---- Interpreters: one thread at a time each. ----
// NULL when the model needs an operator that is not there or out of memory; the reason goes to the reporter. optional_options may
// be NULL.
TFL_CAPI_EXPORT TfLiteInterpreter *TfLiteInterpreterCreate(const TfLiteModel *model,
                                                           const TfLiteInterpreterOptions *optional_options);
TFL_CAPI_EXPORT void TfLiteInterpreterDelete(TfLiteInterpreter *interpreter);

TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT const int *TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter *interpreter);  // input count entries
TFL_CAPI_EXPORT TfLiteTensor *TfLiteInterpreterGetInputTensor(const TfLiteInterpreter *interpreter, int32_t input_index);
// TfLiteInterpreterAllocateTensors must follow.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter *interpreter, int32_t input_index,
                                                                const int *input_dims, int32_t input_dims_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT const int *TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter *interpreter);
// Its shape may only be known after an inference.
TFL_CAPI_EXPORT const TfLiteTensor *TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter *interpreter, int32_t output_index);
// Any tensor of the main graph, by its index in the file; NULL when out of range. Only inputs, outputs and variables keep their
// data.
TFL_CAPI_EXPORT TfLiteTensor *TfLiteInterpreterGetTensor(const TfLiteInterpreter *interpreter, int index);
// Makes a running Invoke return kTfLiteCancelled before its next node; from any thread.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter *interpreter);

// ---- Tensors. ----
TFL_CAPI_EXPORT TfLiteType TfLiteTensorType(const TfLiteTensor *tensor);
TFL_CAPI_EXPORT int32_t TfLiteTensorNumDims(const TfLiteTensor *tensor);
TFL_CAPI_EXPORT int32_t TfLiteTensorDim(const TfLiteTensor *tensor, int32_t dim_index);
TFL_CAPI_EXPORT size_t TfLiteTensorByteSize(const TfLiteTensor *tensor);
TFL_CAPI_EXPORT void *TfLiteTensorData(const TfLiteTensor *tensor);  // NULL before allocation
TFL_CAPI_EXPORT const char *TfLiteTensorName(const TfLiteTensor *tensor);
TFL_CAPI_EXPORT TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor *tensor);
// The sizes must be the tensor's.
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor *tensor, const void *input_data, size_t input_data_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor *output_tensor, void *output_data,
                                                      size_t output_data_size);

// ---- Signatures: named inputs and outputs of a subgraph. ----
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT const char *TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter *interpreter, int32_t signature_index);
// NULL when there is no such signature. Delete it before the interpreter.
TFL_CAPI_EXPORT TfLiteSignatureRunner *TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter *interpreter,
                                                                           const char *signature_key);
TFL_CAPI_EXPORT size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner *signature_runner);
TFL_CAPI_EXPORT const char *TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner *signature_runner, int32_t input_index);
// Only dimensions that the model leaves open may change.
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner *signature_runner,
                                                                    const char *input_name, const int *input_dims,
                                                                    int32_t input_dims_size);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner *signature_runner);
TFL_CAPI_EXPORT TfLiteTensor *TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner *signature_runner,
                                                                  const char *input_name);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner *signature_runner);
TFL_CAPI_EXPORT size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner *signature_runner);
TFL_CAPI_EXPORT const char *TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner *signature_runner,
                                                               int32_t output_index);
TFL_CAPI_EXPORT const TfLiteTensor *TfLiteSignatureRunnerGetOutputTensor(const TfLiteSignatureRunner *signature_runner,
                                                                         const char *output_name);
TFL_CAPI_EXPORT TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner *signature_runner);
TFL_CAPI_EXPORT void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner *signature_runner);

#ifdef __cplusplus
}
#endif
#endif
