// SPDX-License-Identifier: Apache-2.0
// The options structs behind TfLiteNode.builtin_data, one for each built-in operator that has options: field order and types as
// TensorFlow Lite published them, because delegates read them.
#ifndef TENSORFLOW_LITE_CORE_C_BUILTIN_OP_DATA_H_
#define TENSORFLOW_LITE_CORE_C_BUILTIN_OP_DATA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCHES_COUNT 20

typedef struct { char dummy; } EmptyStructPlaceholder;  // an options struct without options

typedef enum { kTfLitePaddingUnknown = 0, kTfLitePaddingSame, kTfLitePaddingValid } TfLitePadding;

typedef enum {
  kTfLiteMirrorPaddingUnknown = 0,
  kTfLiteMirrorPaddingReflect,
  kTfLiteMirrorPaddingSymmetric
} TfLiteMirrorPaddingMode;

typedef enum {
  kTfLiteActNone = 0,
  kTfLiteActRelu,
  kTfLiteActReluN1To1,
  kTfLiteActRelu6,
  kTfLiteActTanh,
  kTfLiteActSignBit,
  kTfLiteActSigmoid
} TfLiteFusedActivation;

// Rows and columns added before the input; the offsets are one more row or column behind it when the total is odd.
typedef struct { int width, height, width_offset, height_offset; } TfLitePaddingValues;

// Convolution, pooling, matrix products.
typedef struct {
  TfLitePadding padding;
  int stride_width, stride_height;
  TfLiteFusedActivation activation;
  int dilation_width_factor, dilation_height_factor;
  TfLiteType quantized_bias_type;
} TfLiteConvParams;

typedef struct {
  TfLitePadding padding;
  int stride_width, stride_height, stride_depth;
  int dilation_width_factor, dilation_height_factor, dilation_depth_factor;
  TfLiteFusedActivation activation;
} TfLiteConv3DParams;
typedef TfLiteConv3DParams TfLiteConv3DTransposeParams;

typedef struct {
  TfLitePadding padding;
  int stride_width, stride_height;
  int depth_multiplier;
  TfLiteFusedActivation activation;
  int dilation_width_factor, dilation_height_factor;
} TfLiteDepthwiseConvParams;

typedef struct {
  TfLitePadding padding;
  int stride_width, stride_height;
  TfLiteFusedActivation activation;
  TfLiteType quantized_bias_type;
} TfLiteTransposeConvParams;

typedef struct {
  TfLitePadding padding;
  int stride_width, stride_height;
  int filter_width, filter_height;
  TfLiteFusedActivation activation;
  struct { TfLitePaddingValues padding; } computed;  // set by prepare
} TfLitePoolParams;

typedef enum {
  kTfLiteFullyConnectedWeightsFormatDefault = 0,
  kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8 = 1
} TfLiteFullyConnectedWeightsFormat;

typedef struct {
  TfLiteFusedActivation activation;
  TfLiteFullyConnectedWeightsFormat weights_format;
  bool keep_num_dims;
  bool asymmetric_quantize_inputs;
  TfLiteType quantized_bias_type;
} TfLiteFullyConnectedParams;

typedef struct { bool adj_x, adj_y, asymmetric_quantize_inputs; } TfLiteBatchMatMulParams;

// Recurrent networks.
typedef struct { int rank; TfLiteFusedActivation activation; bool asymmetric_quantize_inputs; } TfLiteSVDFParams;
typedef struct { TfLiteFusedActivation activation; bool asymmetric_quantize_inputs; } TfLiteRNNParams;
typedef struct { bool time_major; TfLiteFusedActivation activation; bool asymmetric_quantize_inputs; } TfLiteSequenceRNNParams;
typedef struct {
  bool time_major;
  TfLiteFusedActivation activation;
  bool merge_outputs, asymmetric_quantize_inputs;
} TfLiteBidirectionalSequenceRNNParams;
typedef enum { kTfLiteLSTMFullKernel = 0, kTfLiteLSTMBasicKernel } TfLiteLSTMKernelType;
typedef struct {
  TfLiteFusedActivation activation;
  float cell_clip, proj_clip;
  TfLiteLSTMKernelType kernel_type;
  bool asymmetric_quantize_inputs;
} TfLiteLSTMParams;
typedef struct {
  TfLiteFusedActivation activation;
  float cell_clip, proj_clip;
  bool time_major, asymmetric_quantize_inputs, diagonal_recurrent_tensors;
} TfLiteUnidirectionalSequenceLSTMParams;
typedef struct {
  TfLiteFusedActivation activation;
  float cell_clip, proj_clip;
  bool merge_outputs, time_major, asymmetric_quantize_inputs;
} TfLiteBidirectionalSequenceLSTMParams;

// Element-wise, normalisation, reductions.
typedef struct { TfLiteFusedActivation activation; bool pot_scale_int16; } TfLiteAddParams;
typedef struct { TfLiteFusedActivation activation; bool pot_scale_int16; } TfLiteSubParams;
typedef struct { TfLiteFusedActivation activation; } TfLiteMulParams;
typedef struct { TfLiteFusedActivation activation; } TfLiteDivParams;
typedef struct { TfLiteFusedActivation activation; } TfLiteL2NormParams;
typedef struct { int radius; float bias, alpha, beta; } TfLiteLocalResponseNormParams;
typedef struct { float beta; } TfLiteSoftmaxParams;
typedef struct { float alpha; } TfLiteLeakyReluParams;
typedef struct { bool approximate; } TfLiteGeluParams;
typedef struct { bool keep_dims; } TfLiteReducerParams;
typedef struct { TfLiteType output_type; } TfLiteArgMaxParams;
typedef struct { TfLiteType output_type; } TfLiteArgMinParams;
typedef struct { bool exclusive, reverse; } TfLiteCumsumParams;
typedef struct { TfLiteType in_data_type, out_data_type; } TfLiteCastParams;
typedef struct { float min, max; int num_bits; bool narrow_range; } TfLiteFakeQuantParams;

// Moving data.
typedef struct { int axis; TfLiteFusedActivation activation; } TfLiteConcatenationParams;
typedef struct { int32_t shape[TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT]; int num_dimensions; } TfLiteReshapeParams;
typedef struct { int32_t squeeze_dims[8]; int num_squeeze_dims; } TfLiteSqueezeParams;
typedef struct { TfLiteMirrorPaddingMode mode; } TfLiteMirrorPaddingParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLitePadParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLitePadV2Params;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteTransposeParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteSpaceToBatchNDParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteBatchToSpaceNDParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteRankParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteMatrixDiagParams;
typedef struct { EmptyStructPlaceholder placeholder; } TfLiteMatrixSetDiagParams;
typedef struct { int block_size; } TfLiteSpaceToDepthParams;
typedef struct { int block_size; } TfLiteDepthToSpaceParams;
typedef struct { int axis, batch_dims; } TfLiteGatherParams;
typedef struct { int num_splits; } TfLiteSplitParams;
typedef struct { int num_splits; } TfLiteSplitVParams;
typedef struct {
  int begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
  bool offset;
} TfLiteStridedSliceParams;
typedef struct { bool align_corners, half_pixel_centers; } TfLiteResizeBilinearParams;
typedef struct { bool align_corners, half_pixel_centers; } TfLiteResizeNearestNeighborParams;
typedef struct { bool validate_indices; } TfLiteSparseToDenseParams;
typedef struct { TfLiteType out_type; } TfLiteShapeParams;
typedef struct { int values_count, axis; } TfLitePackParams;
typedef struct { int num, axis; } TfLiteUnpackParams;
typedef struct { int axis; } TfLiteOneHotParams;
typedef struct { TfLiteType index_out_type; } TfLiteUniqueParams;
typedef struct { int seq_dim, batch_dim; } TfLiteReverseSequenceParams;

// Embeddings, hashing, text, random numbers.
typedef enum {
  kTfLiteLshProjectionUnknown = 0,
  kTfLiteLshProjectionSparse = 1,
  kTfLiteLshProjectionDense = 2
} TfLiteLSHProjectionType;
typedef struct { TfLiteLSHProjectionType type; } TfLiteLSHProjectionParams;
typedef enum { kTfLiteCombinerTypeSum = 0, kTfLiteCombinerTypeMean = 1, kTfLiteCombinerTypeSqrtn = 2 } TfLiteCombinerType;
typedef struct { TfLiteCombinerType combiner; } TfLiteEmbeddingLookupSparseParams;
typedef struct { int ngram_size, max_skip_size; bool include_all_ngrams; } TfLiteSkipGramParams;
typedef struct { int table_id; TfLiteType key_dtype, value_dtype; } TfLiteHashtableParams;
typedef struct { int seed, seed2; } TfLiteRandomParams;
typedef struct { int num_boundaries; const float *boundaries; } TfLiteBucketizeParams;

// Control flow and state.
typedef struct { int then_subgraph_index, else_subgraph_index; } TfLiteIfParams;
typedef struct { int cond_subgraph_index, body_subgraph_index; } TfLiteWhileParams;
typedef struct { int init_subgraph_index; } TfLiteCallOnceParams;
typedef struct { const char *container, *shared_name; } TfLiteVarHandleParams;

// StableHLO.
typedef struct { int64_t dimension; } TfLiteStablehloConcatenateParams;
typedef struct {
  bool indices_are_sorted;
  int64_t update_window_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
  int num_update_window_dims;
  int64_t inserted_window_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
  int num_inserted_window_dims;
  int64_t scatter_dims_to_operand_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
  int num_scatter_dims_to_operand_dims;
  int64_t index_vector_dim;
  bool unique_indices;
  int update_computation_subgraph_index;
} TfLiteStablehloScatterParams;
typedef struct {
  int64_t offset_dims[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
  int num_offset_dims;
  int64_t collapsed_slice_dims[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
  int num_collapsed_slice_dims;
  int64_t start_index_map[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
  int num_start_index_map;
  int64_t index_vector_dim;
  int64_t slice_sizes[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
  int num_slice_sizes;
  bool indices_are_sorted;
} TfLiteStablehloGatherParams;
typedef struct {
  int64_t window_dimensions[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
  int64_t window_strides[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
  int64_t base_dilations[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
  int64_t window_dilations[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
  int64_t padding[2 * TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
  int body_subgraph_index;
} TfLiteStablehloReduceWindowParams;
enum TfLiteReduceWindowFunction {
  TfLiteReduceWindowFunctionUnsupported,
  TfLiteReduceWindowFunctionAdd,
  TfLiteReduceWindowFunctionMul,
  TfLiteReduceWindowFunctionMin,
  TfLiteReduceWindowFunctionMax,
  TfLiteReduceWindowFunctionAll,
  TfLiteReduceWindowFunctionAny
};
typedef struct { enum TfLiteReduceWindowFunction reduce_function; } TfLiteReduceWindowParams;
typedef enum {
  kTfLiteRngAlgorithmUnknown = 0,
  kTfLiteRngAlgorithmDefault,
  kTfLiteRngAlgorithmPhilox,
  kTfLiteRngAlgorithmThreefry
} TfLiteRngAlgorithm;
typedef struct { TfLiteRngAlgorithm algorithm; } TfLiteStablehloRngBitGeneratorParams;
typedef struct {
  int64_t edge_padding_low[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
  int64_t edge_padding_high[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
  int64_t interior_padding[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
} TfLiteStablehloPadParams;
typedef struct {
  const char *name;
  int32_t subgraph_index;
  int32_t version;
  const uint8_t *attributes;
  size_t attributes_size;
} TfLiteStablehloCompositeParams;
typedef struct {
  int32_t branch_subgraph_indices[TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCHES_COUNT];
  uint32_t num_branches;
} TfLiteStablehloCaseParams;

#ifdef __cplusplus
}
#endif
#endif
