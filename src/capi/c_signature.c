// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite C API: signature runners.
#include "capi/capi.h"

int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter *interpreter) {
  return arn_interpreter_signature_count(interpreter->interpreter);
}

const char *TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter *interpreter, int32_t signature_index) {
  return arn_interpreter_signature_key(interpreter->interpreter, signature_index);
}

TfLiteSignatureRunner *TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter *interpreter, const char *signature_key) {
  arn_signature_runner *runner = arn_interpreter_signature_runner(interpreter->interpreter, signature_key);
  TfLiteSignatureRunner *wrapped =
      runner ? base_allocate_array(arn_heap(), 1, sizeof *wrapped, _Alignof(TfLiteSignatureRunner)) : NULL;
  if (wrapped) *wrapped = (TfLiteSignatureRunner){.runner = runner, .interpreter = interpreter};
  return wrapped;
}

void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner *signature_runner) { base_release(arn_heap(), signature_runner); }

size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner *signature_runner) {
  return (size_t)arn_signature_input_count(signature_runner->runner);
}

const char *TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner *signature_runner, int32_t input_index) {
  return arn_signature_input_name(signature_runner->runner, input_index);
}

size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner *signature_runner) {
  return (size_t)arn_signature_output_count(signature_runner->runner);
}

const char *TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner *signature_runner, int32_t output_index) {
  return arn_signature_output_name(signature_runner->runner, output_index);
}

TfLiteTensor *TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner *signature_runner, const char *input_name) {
  return arn_signature_input(signature_runner->runner, input_name);
}

const TfLiteTensor *TfLiteSignatureRunnerGetOutputTensor(const TfLiteSignatureRunner *signature_runner, const char *output_name) {
  return arn_signature_output(signature_runner->runner, output_name);
}

TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner *signature_runner, const char *input_name,
                                                    const int *input_dims, int32_t input_dims_size) {
  return capi_status(runtime_resize_signature(signature_runner->runner, input_name, input_dims, input_dims_size, true, NULL));
}

TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner *signature_runner) {
  return capi_status(arn_signature_allocate(signature_runner->runner, NULL));
}

TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner *signature_runner) {
  capi_clear_cancel(signature_runner->interpreter);
  return capi_status(arn_signature_invoke(signature_runner->runner, NULL));
}

TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner *signature_runner) {
  return TfLiteInterpreterCancel(signature_runner->interpreter);
}
