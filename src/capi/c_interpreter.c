// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite C API: interpreters and tensors.
#include "capi/capi.h"
#include "tensorflow/lite/core/c/c_api_experimental.h"

static void report_line(void *data, const char *line) {
  capi_report(&((const TfLiteInterpreter *)data)->options->reporter, line);
}

static void capi_refuse(const TfLiteInterpreter *interpreter, const char *line) {
  capi_report(&interpreter->options->reporter, line);
}

static arn_status make_interpreter(TfLiteInterpreter *interpreter) {
  const TfLiteInterpreterOptions *options = interpreter->options;
  if (options->status != ARN_OK)
    return capi_refuse(interpreter, "an operator could not be added to the options"), options->status;
  if (options->threads < -1) return capi_refuse(interpreter, "the number of threads must be -1 or more"), ARN_INVALID_ARGUMENT;
  if (options->delegates) {
    capi_refuse(interpreter, "this build runs every node itself and takes no delegates: make the interpreter without");
    return ARN_UNSUPPORTED;
  }
  arn_interpreter_options native = {.resolver = options->resolver,
                                    .threads = options->threads > 0 ? options->threads : 0,
                                    .report = report_line,
                                    .report_data = interpreter};
  return arn_interpreter_create(interpreter->model->model, &native, &interpreter->interpreter,
                                NULL);  // which reports what is wrong
}

TfLiteInterpreter *TfLiteInterpreterCreate(const TfLiteModel *model, const TfLiteInterpreterOptions *optional_options) {
  if (!model) return NULL;
  TfLiteInterpreterOptions *options = (TfLiteInterpreterOptions *)(uintptr_t)optional_options;
  if (options)
    atomic_fetch_add(&options->references, 1);
  else
    options = TfLiteInterpreterOptionsCreate();
  if (!options) return NULL;
  TfLiteInterpreter *interpreter = base_allocate_array(arn_heap(), 1, sizeof *interpreter, _Alignof(TfLiteInterpreter));
  if (!interpreter) return capi_release_options(options), NULL;
  interpreter->options = options;
  interpreter->model = (TfLiteModel *)(uintptr_t)model;
  atomic_fetch_add(&interpreter->model->references, 1);
  if (make_interpreter(interpreter) != ARN_OK) return TfLiteInterpreterDelete(interpreter), NULL;
  return interpreter;
}

void TfLiteInterpreterDelete(TfLiteInterpreter *interpreter) {
  if (!interpreter) return;
  arn_interpreter_destroy(interpreter->interpreter);
  capi_release_model(interpreter->model);
  capi_release_options(interpreter->options);
  base_release(arn_heap(), interpreter);
}

static const runtime_subgraph *main_graph(const TfLiteInterpreter *interpreter) {
  return &interpreter->interpreter->subgraphs[0];
}

int32_t TfLiteInterpreterGetInputTensorCount(const TfLiteInterpreter *interpreter) {
  return main_graph(interpreter)->inputs->size;
}
int32_t TfLiteInterpreterGetOutputTensorCount(const TfLiteInterpreter *interpreter) {
  return main_graph(interpreter)->outputs->size;
}
const int *TfLiteInterpreterInputTensorIndices(const TfLiteInterpreter *interpreter) {
  return main_graph(interpreter)->inputs->data;
}
const int *TfLiteInterpreterOutputTensorIndices(const TfLiteInterpreter *interpreter) {
  return main_graph(interpreter)->outputs->data;
}

TfLiteTensor *TfLiteInterpreterGetInputTensor(const TfLiteInterpreter *interpreter, int32_t input_index) {
  return arn_interpreter_input(interpreter->interpreter, input_index);
}

const TfLiteTensor *TfLiteInterpreterGetOutputTensor(const TfLiteInterpreter *interpreter, int32_t output_index) {
  return arn_interpreter_output(interpreter->interpreter, output_index);
}

TfLiteTensor *TfLiteInterpreterGetTensor(const TfLiteInterpreter *interpreter, int index) {
  return arn_interpreter_tensor(interpreter->interpreter, 0, index);
}

static int32_t index_at(const TfLiteIntArray *list, int32_t position) {
  return position >= 0 && position < list->size ? list->data[position] : -1;
}

int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter *interpreter, int32_t input_index) {
  return index_at(main_graph(interpreter)->inputs, input_index);
}

int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter *interpreter, int32_t output_index) {
  return index_at(main_graph(interpreter)->outputs, output_index);
}

void capi_clear_cancel(const TfLiteInterpreter *interpreter) { atomic_store(&interpreter->interpreter->cancelled, false); }

TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter *interpreter, int32_t input_index, const int *input_dims,
                                                int32_t input_dims_size) {
  return capi_status(
      arn_interpreter_resize_input(interpreter->interpreter, input_index, input_dims, input_dims_size, false, NULL));
}

TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter *interpreter) {
  return capi_status(arn_interpreter_allocate(interpreter->interpreter, NULL));
}

TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter *interpreter) {
  capi_clear_cancel(interpreter);
  return capi_status(arn_interpreter_invoke(interpreter->interpreter, NULL));
}

TfLiteStatus TfLiteInterpreterCancel(const TfLiteInterpreter *interpreter) {
  if (!interpreter->options->cancellation)
    return capi_refuse(interpreter, "cancellation was not enabled in the options"), kTfLiteError;
  arn_interpreter_cancel(interpreter->interpreter);
  return kTfLiteOk;
}

// ---- Variables. ----
TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter *interpreter) {
  return capi_status(arn_interpreter_reset_variables(interpreter->interpreter));
}

int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter *interpreter) {
  const runtime_subgraph *sg = main_graph(interpreter);
  int32_t count = 0;
  for (size_t i = 0; i < sg->context.tensors_size; i++) count += sg->context.tensors[i].is_variable;
  return count;
}

TfLiteTensor *TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter *interpreter, int32_t variable_index) {
  const runtime_subgraph *sg = main_graph(interpreter);
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    if (sg->context.tensors[i].is_variable && variable_index-- == 0) return &sg->context.tensors[i];
  }
  return NULL;
}

// ---- Tensors. ----
TfLiteType TfLiteTensorType(const TfLiteTensor *tensor) { return tensor->type; }
int32_t TfLiteTensorNumDims(const TfLiteTensor *tensor) { return tensor->dims ? tensor->dims->size : -1; }

int32_t TfLiteTensorDim(const TfLiteTensor *tensor, int32_t dim_index) {
  return tensor->dims && dim_index >= 0 && dim_index < tensor->dims->size ? tensor->dims->data[dim_index] : -1;
}

size_t TfLiteTensorByteSize(const TfLiteTensor *tensor) { return tensor->bytes; }
void *TfLiteTensorData(const TfLiteTensor *tensor) { return tensor->data.raw; }
const char *TfLiteTensorName(const TfLiteTensor *tensor) { return tensor->name; }
TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor *tensor) { return tensor->params; }

TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor *tensor, const void *input_data, size_t input_data_size) {
  if (tensor->bytes != input_data_size || tensor->allocation_type == kTfLiteMmapRo) return kTfLiteError;
  if (input_data_size == 0) return kTfLiteOk;
  if (!tensor->data.raw || !input_data) return kTfLiteError;
  memcpy(tensor->data.raw, input_data, input_data_size);
  return kTfLiteOk;
}

TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor *output_tensor, void *output_data, size_t output_data_size) {
  if (output_tensor->bytes != output_data_size) return kTfLiteError;
  if (output_data_size == 0) return kTfLiteOk;
  if (!output_tensor->data.raw || !output_data) return kTfLiteError;
  memcpy(output_data, output_tensor->data.raw, output_data_size);
  return kTfLiteOk;
}
