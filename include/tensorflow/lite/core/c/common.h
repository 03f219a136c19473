// SPDX-License-Identifier: Apache-2.0
// Tensors, nodes, contexts, registrations and delegates: the one kernel interface of Arenite, with the names and the binary
// layouts that TensorFlow Lite published (sizes and offsets: checked by tests/unit/abi_test.c), so that kernels and delegates built for
// TensorFlow Lite bind unchanged. Under ARENITE_MICRO the records are compact: see the micro section.
#ifndef TENSORFLOW_LITE_CORE_C_COMMON_H_
#define TENSORFLOW_LITE_CORE_C_COMMON_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/c_api_types.h"

#ifndef ARENITE_MICRO
#define ARENITE_MICRO 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TfLiteExternalContextType {
  kTfLiteEigenContext = 0,
  kTfLiteGemmLowpContext = 1,
  kTfLiteEdgeTpuContext = 2,
  kTfLiteCpuBackendContext = 3,
  kTfLiteLiteRtBufferContext = 4,
  kTfLiteMaxExternalContexts = 5
} TfLiteExternalContextType;

struct TfLiteContext;
struct TfLiteDelegate;
struct TfLiteRegistration;
struct TfLiteOpaqueDelegateBuilder;
struct TfLiteAsyncKernel;

// State that several kernels or a delegate share through the interpreter; its owner embeds this record first.
typedef struct TfLiteExternalContext {
  TfLiteExternalContextType type;
  TfLiteStatus (*Refresh)(struct TfLiteContext *context);
} TfLiteExternalContext;

#define kTfLiteOptionalTensor (-1)  // an operator's input that the model leaves out

// A counted array of ints, elements behind the count. A FlatBuffers vector of int32 has the same bytes: micro builds point into
// the file.
typedef struct TfLiteIntArray {
  int size;
  int data[];
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
  int size;
  float data[];
} TfLiteFloatArray;

size_t TfLiteIntArrayGetSizeInBytes(int size);
int TfLiteIntArrayEqual(const TfLiteIntArray *a, const TfLiteIntArray *b);  // NULL equals NULL only
int TfLiteIntArrayEqualsArray(const TfLiteIntArray *a, int b_size, const int b_data[]);
int TfLiteFloatArrayGetSizeInBytes(int size);
#if !ARENITE_MICRO
// From malloc, elements not set, NULL when out of memory; the caller frees.
TfLiteIntArray *TfLiteIntArrayCreate(int size);
TfLiteIntArray *TfLiteIntArrayCopy(const TfLiteIntArray *source);
void TfLiteIntArrayFree(TfLiteIntArray *array);  // NULL is allowed
TfLiteFloatArray *TfLiteFloatArrayCreate(int size);
TfLiteFloatArray *TfLiteFloatArrayCopy(const TfLiteFloatArray *source);
void TfLiteFloatArrayFree(TfLiteFloatArray *array);
#endif

#define TF_LITE_KERNEL_LOG(context, ...) (context)->ReportError((context), __VA_ARGS__)
#define TF_LITE_ENSURE(context, condition)                                                        \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s was not true.", __FILE__, __LINE__, #condition);    \
      return kTfLiteError;                                                                        \
    }                                                                                             \
  } while (0)
#define TF_LITE_ENSURE_MSG(context, condition, ...)   \
  do {                                                \
    if (!(condition)) {                               \
      TF_LITE_KERNEL_LOG((context), __VA_ARGS__);     \
      return kTfLiteError;                            \
    }                                                 \
  } while (0)
#define TF_LITE_ENSURE_STATUS(expression)                      \
  do {                                                         \
    const TfLiteStatus ensure_status_ = (expression);          \
    if (ensure_status_ != kTfLiteOk) return ensure_status_;    \
  } while (0)
#define TF_LITE_ENSURE_OK(context, expression) TF_LITE_ENSURE_STATUS(expression)
#define TF_LITE_ENSURE_EQ(context, a, b)                                                                        \
  do {                                                                                                          \
    if ((a) != (b)) {                                                                                           \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s != %s (%d != %d)", __FILE__, __LINE__, #a, #b, (int)(a), (int)(b)); \
      return kTfLiteError;                                                                                      \
    }                                                                                                           \
  } while (0)
#define TF_LITE_ENSURE_TYPES_EQ(context, a, b)                                                                     \
  do {                                                                                                             \
    if ((a) != (b)) {                                                                                              \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s != %s (%s != %s)", __FILE__, __LINE__, #a, #b, TfLiteTypeGetName(a), \
                         TfLiteTypeGetName(b));                                                                    \
      return kTfLiteError;                                                                                         \
    }                                                                                                              \
  } while (0)

typedef struct TfLiteComplex64 {
  float re, im;
} TfLiteComplex64;
typedef struct TfLiteComplex128 {
  double re, im;
} TfLiteComplex128;
typedef struct TfLiteFloat16 {
  uint16_t data;  // IEEE 754 binary16
} TfLiteFloat16;
typedef struct TfLiteBFloat16 {
  uint16_t data;  // the upper half of a binary32
} TfLiteBFloat16;

const char *TfLiteTypeGetName(TfLiteType type);  // "FLOAT32"; "Unknown type" for numbers outside the enum; static storage

typedef enum TfLiteQuantizationType {
  kTfLiteNoQuantization = 0,
  kTfLiteAffineQuantization = 1,
  kTfLiteBlockwiseQuantization = 2,
  kTfLiteMultiAxisQuantization = 3,
} TfLiteQuantizationType;

typedef struct TfLiteQuantization {
  TfLiteQuantizationType type;
  void *params;  // a struct of the kind that type names, owned by the tensor (malloc); NULL for none
} TfLiteQuantization;

// One scale and zero point for the tensor, or one pair for each slice along quantized_dimension.
typedef struct TfLiteAffineQuantization {
  TfLiteFloatArray *scale;
  TfLiteIntArray *zero_point;
  int32_t quantized_dimension;
} TfLiteAffineQuantization;

// Scales and zero points are tensors of their own (indices), one for each block of blocksize elements.
typedef struct TfLiteBlockwiseQuantization {
  int32_t scale;
  int32_t zero_point;
  int32_t blocksize;
  int32_t quantized_dimension;
} TfLiteBlockwiseQuantization;

typedef struct TfLiteMultiAxisQuantization {
  int32_t scales;
  int32_t zero_points;
  int32_t blocksize;
  TfLiteIntArray *quantized_dimensions;
} TfLiteMultiAxisQuantization;

typedef union TfLitePtrUnion {
  int32_t *i32;
  uint32_t *u32;
  int64_t *i64;
  uint64_t *u64;
  float *f;
  TfLiteFloat16 *f16;
  TfLiteBFloat16 *bf16;
  double *f64;
  char *raw;
  const char *raw_const;
  uint8_t *uint8;
  bool *b;
  int16_t *i16;
  uint16_t *ui16;
  TfLiteComplex64 *c64;
  TfLiteComplex128 *c128;
  int8_t *int8;
  void *data;
} TfLitePtrUnion;

// Where a tensor's bytes live.
typedef enum TfLiteAllocationType {
  kTfLiteMemNone = 0,
  kTfLiteMmapRo,             // in the model file; never written
  kTfLiteArenaRw,            // in the planned arena; valid within an inference
  kTfLiteArenaRwPersistent,  // in the planned arena; kept between inferences (variables)
  kTfLiteDynamic,            // malloc; its shape may change during an inference
  kTfLitePersistentRo,       // computed once during preparation, then constant
  kTfLiteCustom,             // the caller's memory
  kTfLiteVariantObject,
  kTfLiteNonCpu,
} TfLiteAllocationType;

typedef enum TfLiteAllocationStrategy {
  kTfLiteAllocationStrategyUnknown,
  kTfLiteAllocationStrategyNone,
  kTfLiteAllocationStrategyMMap,
  kTfLiteAllocationStrategyArena,
  kTfLiteAllocationStrategyMalloc,
  kTfLiteAllocationStrategyNew
} TfLiteAllocationStrategy;
typedef enum TfLiteRunStability {
  kTfLiteRunStabilityUnknown,
  kTfLiteRunStabilityUnstable,
  kTfLiteRunStabilitySingleRun,
  kTfLiteRunStabilityAcrossRuns
} TfLiteRunStability;
typedef enum TfLiteRunStep {
  kTfLiteRunStepUnknown,
  kTfLiteRunStepInit,
  kTfLiteRunStepPrepare,
  kTfLiteRunStepEval
} TfLiteRunStep;

typedef int TfLiteBufferHandle;
enum { kTfLiteNullBufferHandle = -1 };

typedef struct TfLiteDimensionMetadata {
  TfLiteDimensionType format;
  int dense_size;
  TfLiteIntArray *array_segments;
  TfLiteIntArray *array_indices;
} TfLiteDimensionMetadata;

// How a sparse constant's values are laid out: traversal of the (blocked) dimensions, dense or compressed rows for each.
typedef struct TfLiteSparsity {
  TfLiteIntArray *traversal_order;
  TfLiteIntArray *block_map;
  TfLiteDimensionMetadata *dim_metadata;
  int dim_metadata_size;
} TfLiteSparsity;

typedef struct TfLiteCustomAllocation {
  void *data;
  size_t bytes;
} TfLiteCustomAllocation;
typedef enum TfLiteCustomAllocationFlags {
  kTfLiteCustomAllocationFlagsNone = 0,
  kTfLiteCustomAllocationFlagsSkipAlignCheck = 1,
} TfLiteCustomAllocationFlags;

#if !ARENITE_MICRO
typedef struct TfLiteTensor {
  TfLiteType type;
  TfLitePtrUnion data;
  TfLiteIntArray *dims;             // malloc; never NULL once the interpreter exists
  TfLiteQuantizationParams params;  // the first scale and zero point, zeros when not quantised per tensor
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const void *allocation;
  const char *name;                 // in the model file
  struct TfLiteDelegate *delegate;  // who holds the current contents behind buffer_handle; NULL: data does
  TfLiteBufferHandle buffer_handle;
  bool data_is_stale;
  bool is_variable;
  TfLiteQuantization quantization;
  TfLiteSparsity *sparsity;
  const TfLiteIntArray *dims_signature;  // the file's shape with -1 for unknown dimensions; may be NULL
} TfLiteTensor;

typedef struct TfLiteNode {
  TfLiteIntArray *inputs;
  TfLiteIntArray *outputs;
  TfLiteIntArray *intermediates;
  TfLiteIntArray *temporaries;
  void *user_data;     // what init returned, or the operator's state
  void *builtin_data;  // the options struct of builtin_op_data.h; built-in operators only
  const void *custom_initial_data;
  int custom_initial_data_size;
  struct TfLiteDelegate *delegate;
  bool might_have_side_effect;
} TfLiteNode;
#else
// Micro: shape and quantisation are read in place from the file's Tensor table. Kernels use the accessors of ops/op.h, which
// serve both layouts.
typedef struct TfLiteTensor {
  TfLitePtrUnion data;
  TfLiteIntArray *dims;     // the file's shape vector, or a copy in the arena when an operator computed another one
  const uint8_t *record;    // the Tensor table in the file
  uint8_t type;             // TfLiteType
  uint8_t allocation_type;  // TfLiteAllocationType
  bool is_variable;
  uint8_t reserved;
} TfLiteTensor;

// Micro: built on the stack for each call; the arrays lie in the file.
typedef struct TfLiteNode {
  const TfLiteIntArray *inputs;
  const TfLiteIntArray *outputs;
  const TfLiteIntArray *intermediates;
  void *user_data;
  void *builtin_data;  // valid during prepare only
  const void *custom_initial_data;
  int custom_initial_data_size;
} TfLiteNode;
#endif

typedef struct TfLiteEvalTensor {
  TfLitePtrUnion data;
  TfLiteIntArray *dims;
  TfLiteType type;
} TfLiteEvalTensor;

#if !ARENITE_MICRO
void TfLiteTensorDataFree(TfLiteTensor *tensor);                  // frees the bytes of a dynamic tensor
void TfLiteQuantizationFree(TfLiteQuantization *quantization);    // and resets it to kTfLiteNoQuantization
void TfLiteSparsityFree(TfLiteSparsity *sparsity);
void TfLiteTensorFree(TfLiteTensor *tensor);                      // everything a tensor owns, not the record itself
void TfLiteTensorReset(TfLiteType type, const char *name, TfLiteIntArray *dims, TfLiteQuantizationParams quantization,
                       char *buffer, size_t size, TfLiteAllocationType allocation_type, const void *allocation,
                       bool is_variable, TfLiteTensor *tensor);
TfLiteStatus TfLiteTensorCopy(const TfLiteTensor *source, TfLiteTensor *target);  // shape and bytes; sizes must agree
TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t bytes, TfLiteTensor *tensor, bool preserve_data);
TfLiteStatus TfLiteTensorRealloc(size_t bytes, TfLiteTensor *tensor);  // dynamic tensors only; keeps the data; others are left alone
const TfLiteIntArray *TfLiteTensorGetDimsSignature(const TfLiteTensor *tensor);
#endif

// What init of a delegate's kernel is given: the nodes it takes over and the tensors at the border.
typedef struct TfLiteDelegateParams {
  struct TfLiteDelegate *delegate;
  TfLiteIntArray *nodes_to_replace;
  TfLiteIntArray *input_tensors;
  TfLiteIntArray *output_tensors;
} TfLiteDelegateParams;

typedef struct TfLiteOpaqueDelegateParams {
  TfLiteOpaqueDelegate *delegate;
  void *delegate_data;
  TfLiteIntArray *nodes_to_replace;
  TfLiteIntArray *input_tensors;
  TfLiteIntArray *output_tensors;
} TfLiteOpaqueDelegateParams;

typedef struct TfLiteContext {
  size_t tensors_size;
  TfLiteStatus (*GetExecutionPlan)(struct TfLiteContext *context, TfLiteIntArray **execution_plan);
  TfLiteTensor *tensors;  // one contiguous array; moves when tensors are added
  void *impl_;
  // Takes new_size (malloc). In a micro build the array stays the caller's and is only read.
  TfLiteStatus (*ResizeTensor)(struct TfLiteContext *, TfLiteTensor *tensor, TfLiteIntArray *new_size);
  void (*ReportError)(struct TfLiteContext *, const char *message, ...);
  TfLiteStatus (*AddTensors)(struct TfLiteContext *, int tensors_to_add, int *first_new_tensor_index);
  TfLiteStatus (*GetNodeAndRegistration)(struct TfLiteContext *, int node_index, TfLiteNode **node,
                                         struct TfLiteRegistration **registration);
  TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(struct TfLiteContext *, struct TfLiteRegistration registration,
                                                        const TfLiteIntArray *nodes_to_replace,
                                                        struct TfLiteDelegate *delegate);
  int recommended_num_threads;
  TfLiteExternalContext *(*GetExternalContext)(struct TfLiteContext *, TfLiteExternalContextType);
  void (*SetExternalContext)(struct TfLiteContext *, TfLiteExternalContextType, TfLiteExternalContext *);
  bool allow_fp32_relax_to_fp16;
  void *profiler;
  // Lives as long as the node; during init or prepare only.
  void *(*AllocatePersistentBuffer)(struct TfLiteContext *context, size_t bytes);
  TfLiteStatus (*AllocateBufferForEval)(struct TfLiteContext *context, size_t bytes, void **pointer);
  // Bytes that the planner places for this node's evaluation; prepare asks, invoke gets.
  TfLiteStatus (*RequestScratchBufferInArena)(struct TfLiteContext *context, size_t bytes, int *buffer_index);
  void *(*GetScratchBuffer)(struct TfLiteContext *context, int buffer_index);
  TfLiteStatus (*ResizeTensorExplicit)(struct TfLiteContext *context, TfLiteTensor *tensor, int dims, const int *shape);
  TfLiteStatus (*PreviewDelegatePartitioning)(struct TfLiteContext *context, const TfLiteIntArray *nodes_to_replace,
                                              TfLiteDelegateParams **partition_params_array, int *num_partitions);
  TfLiteTensor *(*GetTensor)(const struct TfLiteContext *context, int tensor_index);
  TfLiteEvalTensor *(*GetEvalTensor)(const struct TfLiteContext *context, int tensor_index);
  TfLiteStatus (*GetModelMetadata)(const struct TfLiteContext *context, const char *name, const char **pointer, size_t *bytes);
  TfLiteStatus (*AcquireSubgraphContext)(struct TfLiteContext *context, int subgraph_index,
                                         struct TfLiteContext **acquired_context);
  TfLiteStatus (*ReleaseSubgraphContext)(struct TfLiteContext *context, int subgraph_index);
} TfLiteContext;

typedef struct TfLiteOperator TfLiteOperator;
typedef TfLiteOperator TfLiteRegistrationExternal;

// Bits of TfLiteRegistration.inplace_operator.
typedef enum {
  kTfLiteInplaceOpNone = 0,
  kTfLiteInplaceOpDataUnmodified = 1,  // the output's bytes are input 0's (reshape)
  kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput = 2,
  kTfLiteInplaceOpInput0Shared = 4,
  kTfLiteInplaceOpInput1Shared = 8,
  kTfLiteInplaceOpInput2Shared = 16,
} TfLiteInPlaceOp;

typedef struct TfLiteRegistration {
  void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
  void (*free)(TfLiteContext *context, void *buffer);
  TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
  TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
  const char *(*profiling_string)(const TfLiteContext *context, const TfLiteNode *node);
  int32_t builtin_code;
  const char *custom_name;
  int version;
  TfLiteOperator *registration_external;
  struct TfLiteAsyncKernel *(*async_kernel)(TfLiteContext *context, TfLiteNode *node);
  uint64_t inplace_operator;
} TfLiteRegistration;

typedef enum TfLiteDelegateFlags {
  kTfLiteDelegateFlagsNone = 0,
  kTfLiteDelegateFlagsAllowDynamicTensors = 1,
  kTfLiteDelegateFlagsRequirePropagatedShapes = 2,
  kTfLiteDelegateFlagsPerOperatorProfiling = 4,
  kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate = 8,
} TfLiteDelegateFlags;

typedef struct TfLiteDelegate {
  void *data_;
  TfLiteStatus (*Prepare)(TfLiteContext *context, struct TfLiteDelegate *delegate);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate,
                                       TfLiteBufferHandle buffer_handle, TfLiteTensor *tensor);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate,
                                     TfLiteBufferHandle buffer_handle, TfLiteTensor *tensor);
  void (*FreeBufferHandle)(TfLiteContext *context, struct TfLiteDelegate *delegate, TfLiteBufferHandle *handle);
  int64_t flags;
  struct TfLiteOpaqueDelegateBuilder *opaque_delegate_builder;  // read only where Prepare is NULL (older ones end before it)
} TfLiteDelegate;

TfLiteDelegate TfLiteDelegateCreate(void);

typedef struct TfLiteOpaqueDelegateBuilder {
  void *data;
  TfLiteStatus (*Prepare)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data,
                                       TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor *tensor);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data,
                                     TfLiteBufferHandle buffer_handle, TfLiteOpaqueTensor *tensor);
  void (*FreeBufferHandle)(TfLiteOpaqueContext *context, TfLiteOpaqueDelegate *delegate, void *data,
                           TfLiteBufferHandle *handle);
  int64_t flags;
} TfLiteOpaqueDelegateBuilder;

#ifdef __cplusplus
}
#endif
#endif
