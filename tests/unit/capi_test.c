// SPDX-License-Identifier: Apache-2.0
// The TensorFlow Lite C API as a program uses it, and the shared library as a language binding loads it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "operators/op_harness.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "unit/test_kernels.h"

static char reported[4096];
static void keep_report(void *user_data, const char *format, va_list args) {
  assert_string_equal(user_data, "mine");
  size_t used = strlen(reported);
  vsnprintf(reported + used, sizeof reported - used, format, args);
}
static char mine[] = "mine";

static const int32_t minus_one = -1;

// y = reshape(x[2, 3]) to [6], then Double.
static void describe(op_test *t, int *x, int *z) {
  reported[0] = '\0';
  op_test_begin(t);
  *x = op_test_input(t, TensorType_FLOAT32, OP_DIMS(2, -1));
  int shape = op_test_constant(t, TensorType_INT32, OP_DIMS(1), &minus_one),
      y = op_test_between(t, TensorType_FLOAT32, OP_DIMS(6));
  *z = op_test_output(t, TensorType_FLOAT32, OP_DIMS(6));
  op_test_quantize(t, *z, 0.5f, 3);
  op_test_node(t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(*x, shape), OP_TENSORS(y));
  op_test_custom(t, "Double", 2, NULL, 0, OP_TENSORS(y), OP_TENSORS(*z));
  t->signature = "serve";
  op_test_build(t);
}

static TfLiteInterpreterOptions *options_with_double(void) {
  TfLiteInterpreterOptions *options = TfLiteInterpreterOptionsCreate();
  assert_non_null(options);
  const TfLiteRegistration kernel = {.prepare = double_prepare, .invoke = double_invoke};
  TfLiteInterpreterOptionsAddCustomOp(options, "Double", &kernel, 1, 2);
  TfLiteInterpreterOptionsSetNumThreads(options, 2);
  TfLiteInterpreterOptionsSetErrorReporter(options, keep_report, mine);
  return options;
}

static void a_model_runs_from_load_to_answer(void **state) {
  (void)state;
  op_test t;
  int x, z;
  describe(&t, &x, &z);
  TfLiteModel *model = TfLiteModelCreate(t.bytes, t.size);
  assert_non_null(model);
  TfLiteInterpreterOptions *options = options_with_double();
  TfLiteInterpreter *interpreter = TfLiteInterpreterCreate(model, options);
  assert_non_null(interpreter);
  TfLiteInterpreterOptionsDelete(options);  // both may go before the interpreter
  TfLiteModelDelete(model);

  assert_int_equal(TfLiteInterpreterGetInputTensorCount(interpreter), 1);
  assert_int_equal(TfLiteInterpreterGetOutputTensorCount(interpreter), 1);
  assert_int_equal(TfLiteInterpreterInputTensorIndices(interpreter)[0], x);
  assert_int_equal(TfLiteInterpreterOutputTensorIndices(interpreter)[0], z);
  assert_int_equal(TfLiteInterpreterGetInputTensorIndex(interpreter, 0), x);
  assert_int_equal(TfLiteInterpreterGetOutputTensorIndex(interpreter, 1), -1);
  assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, (int[]){2, 3}, 2), kTfLiteOk);
  assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);

  TfLiteTensor *input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  assert_ptr_equal(input, TfLiteInterpreterGetTensor(interpreter, x));
  assert_null(TfLiteInterpreterGetTensor(interpreter, 100));
  assert_int_equal(TfLiteTensorType(input), kTfLiteFloat32);
  assert_int_equal(TfLiteTensorNumDims(input), 2);
  assert_int_equal(TfLiteTensorDim(input, 1), 3);
  assert_int_equal(TfLiteTensorByteSize(input), 24);
  assert_string_equal(TfLiteTensorName(input), "t0");
  const float values[] = {1, 2, 3, 4, 5, 6};
  assert_int_equal(TfLiteTensorCopyFromBuffer(input, values, 20), kTfLiteError);
  assert_int_equal(TfLiteTensorCopyFromBuffer(input, values, 24), kTfLiteOk);
  assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);

  const TfLiteTensor *output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  assert_int_equal(TfLiteTensorNumDims(output), 1);
  assert_true(TfLiteTensorQuantizationParams(output).scale == 0.5f);
  assert_int_equal(TfLiteTensorQuantizationParams(output).zero_point, 3);
  float got[6];
  assert_int_equal(TfLiteTensorCopyToBuffer(output, got, 6), kTfLiteError);
  assert_int_equal(TfLiteTensorCopyToBuffer(output, got, 24), kTfLiteOk);
  for (int i = 0; i < 6; i++) assert_true(got[i] == 2 * values[i]);
  assert_ptr_equal(TfLiteTensorData(output), output->data.raw);
  assert_string_equal(reported, "");
  TfLiteInterpreterDelete(interpreter);
  op_test_end(&t);
}

static void what_is_missing_is_reported(void **state) {
  (void)state;
  op_test t;
  int x, z;
  describe(&t, &x, &z);
  TfLiteModel *model = TfLiteModelCreate(t.bytes, t.size);
  TfLiteInterpreterOptions *options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(options, keep_report, mine);
  assert_null(TfLiteInterpreterCreate(model, options));
  assert_non_null(strstr(reported, "no kernel for Double (code 32) version 2 of node 1"));
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  assert_null(TfLiteInterpreterCreate(NULL, NULL));
  TfLiteInterpreterDelete(NULL);
  TfLiteModelDelete(NULL);
  op_test_end(&t);
}

static void a_malformed_model_is_refused_with_the_reason(void **state) {
  (void)state;
  reported[0] = '\0';
  const char text[64] = "this is no model, whatever its name may say";
  assert_null(TfLiteModelCreateWithErrorReporter(text, sizeof text, keep_report, mine));
  assert_non_null(strstr(reported, "TFL3"));
  reported[0] = '\0';
  assert_null(TfLiteModelCreateFromFileWithErrorReporter("/nowhere/model.tflite", keep_report, mine));
  assert_non_null(strstr(reported, "/nowhere/model.tflite"));
}

static void a_file_runs(void **state) {
  (void)state;
  TfLiteModel *model = TfLiteModelCreateFromFile("models/sine.tflite");
  assert_non_null(model);
  TfLiteInterpreter *interpreter = TfLiteInterpreterCreate(model, NULL);
  assert_non_null(interpreter);
  assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);  // not allocated
  assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
  assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}

static void delegates_are_refused_with_a_message(void **state) {
  (void)state;
  op_test t;
  int x, z;
  describe(&t, &x, &z);
  TfLiteModel *model = TfLiteModelCreate(t.bytes, t.size);
  TfLiteInterpreterOptions *options = options_with_double();
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  TfLiteInterpreterOptionsAddDelegate(options, &delegate);
  assert_null(TfLiteInterpreterCreate(model, options));
  assert_non_null(strstr(reported, "delegates"));
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  op_test_end(&t);
}

static void signature_runners_go_by_names(void **state) {
  (void)state;
  op_test t;
  int x, z;
  describe(&t, &x, &z);
  TfLiteModel *model = TfLiteModelCreate(t.bytes, t.size);
  TfLiteInterpreterOptions *options = options_with_double();
  assert_int_equal(TfLiteInterpreterOptionsEnableCancellation(options, true), kTfLiteOk);
  TfLiteInterpreter *interpreter = TfLiteInterpreterCreate(model, options);
  assert_int_equal(TfLiteInterpreterGetSignatureCount(interpreter), 1);
  assert_string_equal(TfLiteInterpreterGetSignatureKey(interpreter, 0), "serve");
  assert_null(TfLiteInterpreterGetSignatureRunner(interpreter, "none"));
  TfLiteSignatureRunner *runner = TfLiteInterpreterGetSignatureRunner(interpreter, "serve");
  assert_int_equal(TfLiteSignatureRunnerGetInputCount(runner), 1);
  assert_int_equal(TfLiteSignatureRunnerGetOutputCount(runner), 1);
  assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 0), "in0");
  assert_string_equal(TfLiteSignatureRunnerGetOutputName(runner, 0), "out0");
  assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(runner, "in0", (int[]){3, 1}, 2), kTfLiteError);  // 2 is fixed
  assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(runner, "in0", (int[]){2, 1}, 2), kTfLiteOk);
  assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
  memcpy(TfLiteTensorData(TfLiteSignatureRunnerGetInputTensor(runner, "in0")), (float[]){1, 5}, 8);
  assert_int_equal(TfLiteSignatureRunnerCancel(runner), kTfLiteOk);  // before the start: no effect
  assert_int_equal(TfLiteSignatureRunnerInvoke(runner), kTfLiteOk);
  assert_true(((float *)TfLiteTensorData(TfLiteSignatureRunnerGetOutputTensor(runner, "out0")))[1] == 10);
  assert_null(TfLiteSignatureRunnerGetOutputTensor(runner, "in0"));
  TfLiteSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  op_test_end(&t);
}

static void variables_are_found_and_reset(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  int v = op_test_variable(&t, TensorType_INT8, OP_DIMS(2));
  op_test_quantize(&t, v, 1, -4);
  int shape = op_test_constant(&t, TensorType_INT32, OP_DIMS(1), (int32_t[]){2});
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x, shape), OP_TENSORS(y));
  op_test_build(&t);
  TfLiteModel *model = TfLiteModelCreate(t.bytes, t.size);
  TfLiteInterpreter *interpreter = TfLiteInterpreterCreate(model, NULL);
  assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
  assert_int_equal(TfLiteInterpreterGetVariableTensorCount(interpreter), 1);
  assert_null(TfLiteInterpreterGetVariableTensor(interpreter, 1));
  TfLiteTensor *variable = TfLiteInterpreterGetVariableTensor(interpreter, 0);
  variable->data.int8[1] = 9;
  assert_int_equal(TfLiteInterpreterResetVariableTensors(interpreter), kTfLiteOk);
  assert_int_equal(variable->data.int8[1], -4);
  assert_int_equal(TfLiteInterpreterCancel(interpreter), kTfLiteError);  // not enabled
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
  op_test_end(&t);
}

// ---- common.h. ----
static void arrays_and_tensors_own_what_they_say(void **state) {
  (void)state;
  TfLiteIntArray *a = TfLiteIntArrayCreate(3), *copy;
  memcpy(a->data, (int[]){1, 2, 3}, 12);
  copy = TfLiteIntArrayCopy(a);
  assert_true(TfLiteIntArrayEqual(a, copy));
  assert_true(TfLiteIntArrayEqualsArray(a, 3, (int[]){1, 2, 3}));
  copy->data[2] = 4;
  assert_false(TfLiteIntArrayEqual(a, copy));
  assert_false(TfLiteIntArrayEqual(a, NULL));
  assert_true(TfLiteIntArrayEqual(NULL, NULL));
  assert_null(TfLiteIntArrayCreate(-1));
  assert_null(TfLiteIntArrayCopy(NULL));
  assert_int_equal(TfLiteIntArrayGetSizeInBytes(3), 16);
  assert_string_equal(TfLiteTypeGetName(kTfLiteInt8), "INT8");
  assert_string_equal(TfLiteTypeGetName((TfLiteType)99), "Unknown type");

  TfLiteTensor source = {0}, target = {0};
  TfLiteTensorReset(kTfLiteInt32, "source", a, (TfLiteQuantizationParams){0}, NULL, 0, kTfLiteDynamic, NULL, false, &source);
  assert_int_equal(TfLiteTensorRealloc(12, &source), kTfLiteOk);
  memcpy(source.data.i32, (int32_t[]){7, 8, 9}, 12);
  assert_int_equal(TfLiteTensorRealloc(4000, &source), kTfLiteOk);
  assert_int_equal(source.data.i32[2], 9);  // kept
  assert_int_equal(TfLiteTensorRealloc(12, &source), kTfLiteOk);
  TfLiteTensorReset(kTfLiteInt32, "target", copy, (TfLiteQuantizationParams){0}, NULL, 0, kTfLiteDynamic, NULL, false, &target);
  assert_int_equal(TfLiteTensorCopy(&source, &target), kTfLiteError);  // other sizes
  assert_int_equal(TfLiteTensorRealloc(12, &target), kTfLiteOk);
  assert_int_equal(TfLiteTensorCopy(&source, &target), kTfLiteOk);
  assert_int_equal(target.data.i32[1], 8);
  assert_true(TfLiteIntArrayEqual(source.dims, target.dims));
  TfLiteTensorFree(&source);
  TfLiteTensorFree(&target);
  assert_null(target.dims);
}

// ---- The library file. ----
static void the_library_exports_what_bindings_ask_for(void **state) {
  (void)state;
  static const char *const names[] = {"TfLiteVersion",
                                      "TfLiteModelCreate",
                                      "TfLiteModelCreateFromFile",
                                      "TfLiteModelDelete",
                                      "TfLiteInterpreterOptionsCreate",
                                      "TfLiteInterpreterOptionsDelete",
                                      "TfLiteInterpreterOptionsSetNumThreads",
                                      "TfLiteInterpreterOptionsAddDelegate",
                                      "TfLiteInterpreterOptionsSetErrorReporter",
                                      "TfLiteInterpreterCreate",
                                      "TfLiteInterpreterDelete",
                                      "TfLiteInterpreterAllocateTensors",
                                      "TfLiteInterpreterInvoke",
                                      "TfLiteInterpreterGetInputTensorCount",
                                      "TfLiteInterpreterGetInputTensor",
                                      "TfLiteInterpreterResizeInputTensor",
                                      "TfLiteInterpreterGetOutputTensorCount",
                                      "TfLiteInterpreterGetOutputTensor",
                                      "TfLiteTensorType",
                                      "TfLiteTensorNumDims",
                                      "TfLiteTensorDim",
                                      "TfLiteTensorByteSize",
                                      "TfLiteTensorData",
                                      "TfLiteTensorName",
                                      "TfLiteTensorQuantizationParams",
                                      "TfLiteTensorCopyFromBuffer",
                                      "TfLiteTensorCopyToBuffer",
                                      "TfLiteIntArrayCreate",
                                      "TfLiteTensorRealloc",
                                      "TfLiteInterpreterResetVariableTensors"};
  void *library = dlopen(CAPI_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail_msg("%s", dlerror());
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (!dlvsym(library, names[i], "VERS_1.0")) fail_msg("%s@VERS_1.0: %s", names[i], dlerror());
  }
  assert_null(dlsym(library, "arn_interpreter_create"));
  const char *(*version)(void);
  *(void **)&version = dlvsym(library, "TfLiteVersion", "VERS_1.0");
  assert_string_equal(version(), "2.18.0");
  dlclose(library);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_runs_from_load_to_answer),
      cmocka_unit_test(what_is_missing_is_reported),
      cmocka_unit_test(a_malformed_model_is_refused_with_the_reason),
      cmocka_unit_test(a_file_runs),
      cmocka_unit_test(delegates_are_refused_with_a_message),
      cmocka_unit_test(signature_runners_go_by_names),
      cmocka_unit_test(variables_are_found_and_reset),
      cmocka_unit_test(arrays_and_tensors_own_what_they_say),
      cmocka_unit_test(the_library_exports_what_bindings_ask_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
