// SPDX-License-Identifier: Apache-2.0
// The part of the TensorFlow Lite C API that was published as experimental and is used widely: kernels of the program's own,
// variables.
#ifndef TENSORFLOW_LITE_CORE_C_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_LITE_CORE_C_C_API_EXPERIMENTAL_H_

#include "tensorflow/lite/core/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Kernels for interpreters made with these options; they override the library's. The registration is copied.
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions *options, TfLiteBuiltinOperator op,
                                                          const TfLiteRegistration *registration, int32_t min_version,
                                                          int32_t max_version);
TFL_CAPI_EXPORT void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions *options, const char *name,
                                                         const TfLiteRegistration *registration, int32_t min_version,
                                                         int32_t max_version);

// Variables: to zero, or the zero point of int8 ones.
TFL_CAPI_EXPORT TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter *interpreter);
TFL_CAPI_EXPORT TfLiteTensor *TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter *interpreter, int32_t variable_index);

// A position among the inputs or outputs as an index into the main graph's tensors; -1 when out of range.
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter *interpreter, int32_t input_index);
TFL_CAPI_EXPORT int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter *interpreter, int32_t output_index);

#ifdef __cplusplus
}
#endif
#endif
