// SPDX-License-Identifier: Apache-2.0
// The binary layout of the published records (x86-64 and other LP64 targets): delegates and kernels built for TensorFlow Lite
// depend on every byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tensorflow/lite/c/common.h"

#define ASSERT_OFFSET(type, field, offset) assert_int_equal(offsetof(type, field), (offset))

static void sizes_are_the_published_ones(void **state) {
  (void)state;
  assert_int_equal(sizeof(TfLiteTensor), 112);
  assert_int_equal(sizeof(TfLiteNode), 80);
  assert_int_equal(sizeof(TfLiteContext), 200);
  assert_int_equal(sizeof(TfLiteRegistration), 88);
  assert_int_equal(sizeof(TfLiteDelegate), 56);
  assert_int_equal(sizeof(TfLiteOpaqueDelegateBuilder), 48);
  assert_int_equal(sizeof(TfLiteOpaqueDelegateParams), 40);
  assert_int_equal(sizeof(TfLiteDelegateParams), 32);
  assert_int_equal(sizeof(TfLiteQuantization), 16);
  assert_int_equal(sizeof(TfLiteAffineQuantization), 24);
  assert_int_equal(sizeof(TfLiteQuantizationParams), 8);
}

static void tensor_fields_lie_where_published(void **state) {
  (void)state;
  ASSERT_OFFSET(TfLiteTensor, type, 0);
  ASSERT_OFFSET(TfLiteTensor, data, 8);
  ASSERT_OFFSET(TfLiteTensor, dims, 16);
  ASSERT_OFFSET(TfLiteTensor, params, 24);
  ASSERT_OFFSET(TfLiteTensor, allocation_type, 32);
  ASSERT_OFFSET(TfLiteTensor, bytes, 40);
  ASSERT_OFFSET(TfLiteTensor, allocation, 48);
  ASSERT_OFFSET(TfLiteTensor, name, 56);
  ASSERT_OFFSET(TfLiteTensor, delegate, 64);
  ASSERT_OFFSET(TfLiteTensor, buffer_handle, 72);
  ASSERT_OFFSET(TfLiteTensor, data_is_stale, 76);
  ASSERT_OFFSET(TfLiteTensor, is_variable, 77);
  ASSERT_OFFSET(TfLiteTensor, quantization, 80);
  ASSERT_OFFSET(TfLiteTensor, sparsity, 96);
  ASSERT_OFFSET(TfLiteTensor, dims_signature, 104);
}

static void context_fields_lie_where_published(void **state) {
  (void)state;
  ASSERT_OFFSET(TfLiteContext, tensors_size, 0);
  ASSERT_OFFSET(TfLiteContext, GetExecutionPlan, 8);
  ASSERT_OFFSET(TfLiteContext, tensors, 16);
  ASSERT_OFFSET(TfLiteContext, impl_, 24);
  ASSERT_OFFSET(TfLiteContext, ResizeTensor, 32);
  ASSERT_OFFSET(TfLiteContext, ReportError, 40);
  ASSERT_OFFSET(TfLiteContext, AddTensors, 48);
  ASSERT_OFFSET(TfLiteContext, GetNodeAndRegistration, 56);
  ASSERT_OFFSET(TfLiteContext, ReplaceNodeSubsetsWithDelegateKernels, 64);
  ASSERT_OFFSET(TfLiteContext, recommended_num_threads, 72);
  ASSERT_OFFSET(TfLiteContext, GetExternalContext, 80);
  ASSERT_OFFSET(TfLiteContext, SetExternalContext, 88);
  ASSERT_OFFSET(TfLiteContext, allow_fp32_relax_to_fp16, 96);
  ASSERT_OFFSET(TfLiteContext, profiler, 104);
  ASSERT_OFFSET(TfLiteContext, AllocatePersistentBuffer, 112);
  ASSERT_OFFSET(TfLiteContext, AllocateBufferForEval, 120);
  ASSERT_OFFSET(TfLiteContext, RequestScratchBufferInArena, 128);
  ASSERT_OFFSET(TfLiteContext, GetScratchBuffer, 136);
  ASSERT_OFFSET(TfLiteContext, ResizeTensorExplicit, 144);
  ASSERT_OFFSET(TfLiteContext, PreviewDelegatePartitioning, 152);
  ASSERT_OFFSET(TfLiteContext, GetTensor, 160);
  ASSERT_OFFSET(TfLiteContext, GetEvalTensor, 168);
  ASSERT_OFFSET(TfLiteContext, GetModelMetadata, 176);
  ASSERT_OFFSET(TfLiteContext, AcquireSubgraphContext, 184);
  ASSERT_OFFSET(TfLiteContext, ReleaseSubgraphContext, 192);
}

// What was appended to a record over the years must stay behind what older headers know.
static void later_fields_come_last(void **state) {
  (void)state;
  ASSERT_OFFSET(TfLiteNode, might_have_side_effect, 72);
  ASSERT_OFFSET(TfLiteRegistration, version, 56);
  ASSERT_OFFSET(TfLiteRegistration, registration_external, 64);
  ASSERT_OFFSET(TfLiteRegistration, async_kernel, 72);
  ASSERT_OFFSET(TfLiteRegistration, inplace_operator, 80);
  ASSERT_OFFSET(TfLiteDelegate, flags, 40);
  ASSERT_OFFSET(TfLiteDelegate, opaque_delegate_builder, 48);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_the_published_ones),
      cmocka_unit_test(tensor_fields_lie_where_published),
      cmocka_unit_test(context_fields_lie_where_published),
      cmocka_unit_test(later_fields_come_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
