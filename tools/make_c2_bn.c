// SPDX-License-Identifier: Apache-2.0
// Writes C2_BN, the worked-example model of the documentation: an int8 convolutional detector on a 160 x 120 grey picture (16 operators of 7
// kinds, 31 tensors, 35 buffers, 3 metadata entries). Weights come from a fixed seed; scales lie in the original's ranges.
//
//   make_c2_bn OUT.tflite
//
// The layout follows the original byte by byte where it is known (root at 32, vtable at 12, the vectors' places): so the order of building
// matters, and two lengths that the original leaves open (the input's name, the conversion metadata) are stretched until everything falls into place.
#include <stdio.h>
#include <string.h>

#include "arenite/allocator.h"
#include "model_parts.h"

enum { TENSORS = 31, OPERATORS = 16, BUFFERS = 35, DATA_ALIGNMENT = 8, FILE_BYTES = 257304 };
// Where the original has the start of its parts, counted from the file's end.
enum { DESCRIPTION_END = FILE_BYTES - 242256, BUFFERS_END = FILE_BYTES - 192 };
// The vtable of two 4-byte fields, which the slices' options and the metadata entries share, and what was built behind it.
enum { PAIR_VTABLE_END = FILE_BYTES - 243236, FIRST_SLICE = 8, LATE_TENSORS = 3 };

// Lengths that the original leaves open, and by how many bytes the places that they move miss the original's.
typedef struct stretches { uint32_t output_name, input_name, metadata; } stretches;
typedef struct misses { int32_t vtable, description, buffers; } misses;

static uint64_t random_state = 42;
static uint64_t draw(void) {  // splitmix64
  uint64_t z = random_state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}
static float draw_between(float low, float high) { return low + (high - low) * (float)(draw() >> 40) / 16777216.0f; }

#define SCOPE "StatefulPartitionedCall/c2_bn_detector/backbone/"

typedef struct conv_layer {
  const char *name;
  int32_t shape[4];  // filter: output channels, height, width, input channels
  int32_t filter, bias;
  float input_scale;
  float filter_low, filter_high;  // per-channel scales
} conv_layer;

// From the output side to the input side, as the tensors are numbered.
static const conv_layer layers[] = {
    {"conv5", {5, 1, 1, 128}, 6, 5, 0.036833f, 0.001745f, 0.004041f},
    {"conv4", {128, 3, 3, 128}, 8, 7, 0.041528f, 0.000332f, 0.001743f},
    {"conv3", {128, 3, 3, 64}, 10, 9, 0.070534f, 0.000442f, 0.001237f},
    {"conv2", {64, 3, 3, 32}, 12, 11, 0.035991f, 0.000660f, 0.002191f},
    {"conv1", {32, 3, 3, 1}, 14, 13, 0.003922f, 0.00572f, 0.04677f},
};
static const int32_t slice_bounds[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 4}, {0, 0, 0, 5}, {1, 1, 1, 1}};  // T1 begin, T2 end, T3 end, T4 strides

typedef struct activation {
  int32_t shape[4];
  float scale;
  int64_t zero_point;
} activation;
// The logistic's output scale, 0.003906 in the description, is 1/256: its kernels accept no other.
static const activation activations[] = {
    {{1, 120, 160, 32}, 0.035991f, -128}, {{1, 60, 80, 32}, 0.035991f, -128},  {{1, 60, 80, 64}, 0.070534f, -128},
    {{1, 30, 40, 64}, 0.070534f, -128},   {{1, 30, 40, 128}, 0.041528f, -128}, {{1, 15, 20, 128}, 0.041528f, -128},
    {{1, 15, 20, 128}, 0.036833f, -128},  {{1, 15, 20, 5}, 0.130216f, 73},     {{1, 15, 20, 4}, 0.130216f, 73},
    {{1, 15, 20, 4}, 1.0f / 256, -128},    {{1, 15, 20, 4}, 0.003918f, -128},   {{1, 15, 20, 1}, 0.130216f, 73},
    {{1, 15, 20, 1}, 1.0f / 256, -128},    {{1, 15, 20, 1}, 0.003918f, -128},   {{1, 15, 20, 5}, 0.003918f, -128},
    {{1, 15, 20, 5}, 0.0f, 0},
};
enum { FIRST_ACTIVATION = 15 };

static const enum BuiltinOperator codes[] = {BuiltinOperator_CONV_2D,  BuiltinOperator_MAX_POOL_2D,   BuiltinOperator_STRIDED_SLICE,
                                             BuiltinOperator_LOGISTIC, BuiltinOperator_QUANTIZE,      BuiltinOperator_CONCATENATION,
                                             BuiltinOperator_DEQUANTIZE};
static const int32_t versions[] = {3, 2, 2, 2, 1, 2, 2};
enum { CONV, POOL, SLICE, LOGISTIC, REQUANTIZE, CONCAT, DEQUANTIZE, CODES };

static const struct {
  uint8_t code, input_count;
  int32_t inputs[4], output;
} graph[OPERATORS] = {
    {CONV, 3, {0, 14, 13}, 15},      {POOL, 1, {15}, 16},          {CONV, 3, {16, 12, 11}, 17},    {POOL, 1, {17}, 18},
    {CONV, 3, {18, 10, 9}, 19},      {POOL, 1, {19}, 20},          {CONV, 3, {20, 8, 7}, 21},      {CONV, 3, {21, 6, 5}, 22},
    {SLICE, 4, {22, 1, 2, 4}, 23},   {LOGISTIC, 1, {23}, 24},      {REQUANTIZE, 1, {24}, 25},      {SLICE, 4, {22, 2, 3, 4}, 26},
    {LOGISTIC, 1, {26}, 27},         {REQUANTIZE, 1, {27}, 28},    {CONCAT, 2, {25, 28}, 29},      {DEQUANTIZE, 1, {29}, 30},
};

// ---- Constants, drawn once so that every build of the layout is alike. ----
static uint8_t constant_bytes[256 * 1024];
static struct { uint32_t at, size; } constants[TENSORS];
static float scales[TENSORS][128];
static uint32_t scale_counts[TENSORS];

static void *new_constant(int tensor, uint32_t size) {
  static uint32_t used;
  constants[tensor].at = used;
  constants[tensor].size = size;
  used += (size + 7u) & ~7u;
  return constant_bytes + constants[tensor].at;
}

static void draw_constants(void) {
  for (int i = 0; i < 4; i++) memcpy(new_constant(i + 1, sizeof slice_bounds[i]), slice_bounds[i], sizeof slice_bounds[i]);
  for (size_t l = 0; l < BASE_COUNT(layers); l++) {
    const conv_layer *layer = &layers[l];
    uint32_t channels = (uint32_t)layer->shape[0], each = (uint32_t)(layer->shape[1] * layer->shape[2] * layer->shape[3]);
    int32_t *bias = new_constant(layer->bias, channels * 4);
    int8_t *filter = new_constant(layer->filter, channels * each);
    scale_counts[layer->filter] = scale_counts[layer->bias] = channels;
    for (uint32_t c = 0; c < channels; c++) {
      scales[layer->filter][c] = draw_between(layer->filter_low, layer->filter_high);
      scales[layer->bias][c] = layer->input_scale * scales[layer->filter][c];
      bias[c] = (int32_t)(draw() % 2001) - 1000;
      for (uint32_t i = 0; i < each; i++) *filter++ = (int8_t)((int32_t)(draw() % 255) - 127);
    }
  }
}

// The tensor's name ends in `stretch` dots.
static fb_ref build_tensor(fb_builder *b, int t, uint32_t stretch) {
  static const int64_t zeros[128];
  char name[256];
  const activation input = {{1, 120, 160, 1}, 0.003922f, -128}, *act = NULL;
  int32_t one_dimension[1];
  tensor_part part = {.name = name, .buffer = (uint32_t)t + 1, .scales = scales[t], .scale_count = scale_counts[t], .zero_points = zeros};
  if (t == 0 || t >= FIRST_ACTIVATION) {
    act = t == 0 ? &input : &activations[t - FIRST_ACTIVATION];
    snprintf(name, sizeof name, t == 0 ? "serving_default_image:0" : SCOPE "activation_%d", t);
    part.type = act->scale > 0 ? TensorType_INT8 : TensorType_FLOAT32;
    part.shape = act->shape, part.rank = 4;
    part.scales = &act->scale, part.zero_points = &act->zero_point, part.scale_count = act->scale > 0;
  } else if (t <= 4) {
    snprintf(name, sizeof name, SCOPE "slice/bounds_%d", t);
    one_dimension[0] = 4;
    part.type = TensorType_INT32, part.shape = one_dimension, part.rank = 1;
  } else {
    const conv_layer *layer = &layers[(t - 5) / 2];
    bool is_filter = t == layer->filter;
    snprintf(name, sizeof name, SCOPE "%s/%s", layer->name, is_filter ? "kernel" : "bias");
    one_dimension[0] = layer->shape[0];
    part.type = is_filter ? TensorType_INT8 : TensorType_INT32;
    part.shape = is_filter ? layer->shape : one_dimension, part.rank = is_filter ? 4 : 1;
  }
  size_t length = strlen(name);
  for (uint32_t i = 0; i < stretch && length + 1 < sizeof name; i++) name[length++] = '.';
  name[length] = '\0';
  return model_part_tensor(b, &part);
}

static fb_ref build_options(fb_builder *b, int op, enum BuiltinOptions *type) {
  switch (graph[op].code) {
    case CONV:
      *type = BuiltinOptions_Conv2DOptions;
      return model_part_conv_2d(b, Padding_SAME, 1, op == 7 ? ActivationFunctionType_NONE : ActivationFunctionType_RELU6);
    case POOL:
      *type = BuiltinOptions_Pool2DOptions;
      return model_part_pool_2d(b, Padding_VALID, 2, 2);
    case SLICE:
      *type = BuiltinOptions_StridedSliceOptions;
      fb_build_table(b);
      fb_build_i32(b, StridedSliceOptions_end_mask_id, 7, 0);  // batch, rows and columns whole; channels by the bounds
      fb_build_i32(b, StridedSliceOptions_begin_mask_id, 7, 0);
      return fb_build_table_end(b);
    case CONCAT:
      *type = BuiltinOptions_ConcatenationOptions;
      fb_build_table(b);
      fb_build_i32(b, ConcatenationOptions_axis_id, 3, 0);
      return fb_build_table_end(b);
    case REQUANTIZE:
      *type = BuiltinOptions_QuantizeOptions;
      break;
    case DEQUANTIZE:
      *type = BuiltinOptions_DequantizeOptions;
      break;
    default:
      *type = BuiltinOptions_NONE;
      return 0;
  }
  fb_build_table(b);
  return fb_build_table_end(b);
}

static fb_ref build_subgraphs(fb_builder *b, const stretches *s, misses *miss) {
  static const int32_t inputs[] = {0}, outputs[] = {30};
  fb_ref refs[TENSORS], tensor_refs[TENSORS];
  for (int t = LATE_TENSORS; t < TENSORS; t++) tensor_refs[t] = build_tensor(b, t, t == TENSORS - 1 ? s->output_name : 0);
  for (int i = 0; i < OPERATORS; i++) {
    operator_part part = {.opcode_index = graph[i].code,
                          .inputs = graph[i].inputs,
                          .input_count = graph[i].input_count,
                          .outputs = &graph[i].output,
                          .output_count = 1};
    part.options = build_options(b, i, &part.options_type);
    if (i == FIRST_SLICE) miss->vtable = PAIR_VTABLE_END - (int32_t)b->vtables[b->vtable_count - 1];
    refs[i] = model_part_operator(b, &part);
  }
  fb_ref operators = fb_build_refs(b, refs, OPERATORS);
  for (int t = 0; t < LATE_TENSORS; t++) tensor_refs[t] = build_tensor(b, t, t == 0 ? s->input_name : 0);
  fb_ref tensors = fb_build_refs(b, tensor_refs, TENSORS);
  fb_ref name = fb_build_text(b, "main");
  fb_ref output_list = fb_build_vector(b, outputs, 1, 4, 0), input_list = fb_build_vector(b, inputs, 1, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, SubGraph_name_id, name);
  fb_build_ref(b, SubGraph_operators_id, operators);
  fb_build_ref(b, SubGraph_outputs_id, output_list);
  fb_build_ref(b, SubGraph_inputs_id, input_list);
  fb_build_ref(b, SubGraph_tensors_id, tensors);
  fb_ref subgraph = fb_build_table_end(b);
  return fb_build_refs(b, &subgraph, 1);
}

static fb_ref build_constant_buffer(fb_builder *b, int tensor) {
  return model_part_buffer(b, constant_bytes + constants[tensor].at, constants[tensor].size, DATA_ALIGNMENT);
}

static fb_ref build_model(fb_builder *b, const stretches *s, misses *miss) {
  static const char conversion[4096] = "Arenite make_c2_bn: weights from a fixed seed, BatchNorm folded, ReLU6 fused. ";
  fb_ref refs[BUFFERS];
  // The file ends with the operator codes; then come the small constants, so that the large ones and the empty buffers fill what lies in front.
  for (int i = 0; i < CODES; i++) refs[i] = model_part_operator_code(b, codes[i], versions[i]);
  fb_ref operator_codes = fb_build_refs(b, refs, CODES);
  fb_ref early[7];
  for (int t = 1; t <= 6; t++) early[t] = build_constant_buffer(b, t);
  fb_ref subgraphs = build_subgraphs(b, s, miss);
  fb_ref description = fb_build_text(b, "MLIR Converted.");
  miss->description = DESCRIPTION_END - (int32_t)b->used;

  for (int i = BUFFERS - 1; i-- > 0;) {
    int tensor = i - 1;
    if (i >= BUFFERS - 3) refs[i] = model_part_buffer(b, "1.14.0\0\0\0\0\0\0\0\0\0", 16, DATA_ALIGNMENT);
    else if (tensor >= 1 && tensor <= 6) refs[i] = early[tensor];
    else if (tensor > 6 && tensor <= 14) refs[i] = build_constant_buffer(b, tensor);
    else refs[i] = model_part_buffer(b, NULL, 0, DATA_ALIGNMENT);
  }
  refs[BUFFERS - 1] = model_part_buffer(b, conversion, s->metadata, 4);  // last, for nothing that is aligned to more may follow
  fb_ref buffers = fb_build_refs(b, refs, BUFFERS);
  miss->buffers = BUFFERS_END - (int32_t)b->used;
  static const char *const entry_names[] = {"min_runtime_version", "min_runtime_version", "CONVERSION_METADATA"};
  for (uint32_t i = 0; i < 3; i++) refs[i] = model_part_metadata(b, entry_names[i], BUFFERS - 3 + i);
  fb_ref metadata = fb_build_refs(b, refs, 3);
  fb_ref signatures = fb_build_refs(b, NULL, 0);
  fb_build_table(b);
  fb_build_u32(b, Model_version_id, SCHEMA_VERSION, 0);
  fb_build_ref(b, Model_operator_codes_id, operator_codes);
  fb_build_ref(b, Model_subgraphs_id, subgraphs);
  fb_build_ref(b, Model_description_id, description);
  fb_build_ref(b, Model_buffers_id, buffers);
  fb_build_ref(b, Model_metadata_id, metadata);
  fb_build_ref(b, Model_signature_defs_id, signatures);
  return fb_build_table_end(b);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: make_c2_bn OUT.tflite\n");
    return 2;
  }
  draw_constants();
  // One length at a time, from the file's end on, for each moves what lies in front of it.
  stretches s = {.metadata = 64};
  for (int attempt = 0; attempt < 64; attempt++) {
    fb_builder b;
    misses miss;
    fb_build_init(&b, arn_heap());
    fb_ref root = build_model(&b, &s, &miss);
    bool fits = !miss.vtable && !miss.description && !miss.buffers;
    bool saved = fits && model_part_save(&b, root, argv[1]);
    fb_build_release(&b);
    if (fits) return saved ? 0 : 1;
    if (miss.vtable) s.output_name = (uint32_t)((int32_t)s.output_name + miss.vtable);
    else if (miss.description) s.input_name = (uint32_t)((int32_t)s.input_name + miss.description);
    else s.metadata = (uint32_t)((int32_t)s.metadata + miss.buffers);
  }
  fprintf(stderr, "make_c2_bn: no lengths give the original's layout\n");
  return 1;
}
