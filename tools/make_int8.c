// SPDX-License-Identifier: Apache-2.0
// Quantises a small trained network to int8 and writes it as a .tflite file with the project's own builder.
//
//   make_int8 NETWORK.txt OUT.tflite
//
// NETWORK.txt is what the training scripts under tools/ write, one item a line:
//   tensor NAME RANK DIMS...                    then its values, one a line, in the order of the file format
//   input NAME RANK DIMS... LOW HIGH            LOW..HIGH: the range of real values
//   conv_2d FILTER BIAS relu|none LOW HIGH      stride 1, SAME; LOW..HIGH: the output's range as seen in training
//   max_pool_2d SIZE                            stride SIZE, VALID
//   fully_connected WEIGHTS BIAS relu|none LOW HIGH
//   softmax
// Quantisation follows the int8 specification of TensorFlow Lite: activations asymmetric with one scale, convolution filters symmetric with a scale
// for each output channel, other weights symmetric with one scale, biases int32 at input scale x weight scale.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arenite/allocator.h"
#include "model_parts.h"

enum { MAX_ITEMS = 32, MAX_CHANNELS = 256, MAX_RANK = 4, MAX_NAME = 64 };

typedef struct trained {
  char name[MAX_NAME];
  int32_t shape[MAX_RANK];
  uint32_t rank, count;
  float *values;
} trained;

typedef struct written {  // one tensor of the file
  char name[MAX_NAME];
  int32_t shape[MAX_RANK];
  uint32_t rank;
  enum TensorType type;
  float scales[MAX_CHANNELS];
  int64_t zero_points[MAX_CHANNELS];
  uint32_t scale_count, buffer;
} written;

static trained weights[MAX_ITEMS];
static written tensors[MAX_ITEMS];
static fb_ref buffers[MAX_ITEMS], operators[MAX_ITEMS];
static uint32_t weight_count, tensor_count, buffer_count, operator_count;
static enum BuiltinOperator codes[MAX_ITEMS];
static uint32_t code_count;
static int32_t current;  // index of the tensor that the next layer reads
static fb_builder builder;

static void stop(const char *what, const char *detail) {
  fprintf(stderr, "make_int8: %s %s\n", what, detail);
  exit(1);
}

static uint32_t read_shape(FILE *file, int32_t *shape, uint32_t *count) {
  unsigned rank;
  if (fscanf(file, "%u", &rank) != 1 || rank == 0 || rank > MAX_RANK) stop("a rank is missing or above", "4");
  *count = 1;
  for (unsigned i = 0; i < rank; i++) {
    if (fscanf(file, "%d", &shape[i]) != 1 || shape[i] <= 0 || shape[i] > 1 << 20) stop("bad dimension in", "a shape");
    *count *= (uint32_t)shape[i];
    if (*count > 1 << 24) stop("too many elements in", "a shape");
  }
  return rank;
}

static void read_tensor(FILE *file) {
  if (weight_count == MAX_ITEMS) stop("too many", "tensors");
  trained *t = &weights[weight_count++];
  if (fscanf(file, "%63s", t->name) != 1) stop("a tensor without", "a name");
  t->rank = read_shape(file, t->shape, &t->count);
  t->values = malloc(t->count * sizeof *t->values);
  if (!t->values) stop("no memory for", t->name);
  for (uint32_t i = 0; i < t->count; i++) {
    if (fscanf(file, "%f", &t->values[i]) != 1) stop("too few values for", t->name);
  }
}

static const trained *read_weight_name(FILE *file) {
  char name[MAX_NAME];
  if (fscanf(file, "%63s", name) != 1) stop("a layer without", "weights");
  for (uint32_t i = 0; i < weight_count; i++) {
    if (strcmp(weights[i].name, name) == 0) return &weights[i];
  }
  stop("no such tensor:", name);
  return NULL;
}

static written *new_tensor(const char *name, enum TensorType type, const int32_t *shape, uint32_t rank) {
  if (tensor_count == MAX_ITEMS) stop("too many", "layers");
  written *t = &tensors[tensor_count++];
  *t = (written){.type = type, .rank = rank};
  snprintf(t->name, sizeof t->name, "%s", name);
  memcpy(t->shape, shape, rank * sizeof *shape);
  return t;
}

// One scale over low..high, widened to hold zero, which maps to a whole number.
static void set_range(written *t, float low, float high) {
  low = fminf(low, 0.0f), high = fmaxf(high, 0.0f);
  t->scale_count = 1;
  t->scales[0] = (high - low) / 255.0f;
  t->zero_points[0] = (int64_t)lrintf(-128.0f - low / t->scales[0]);
}

static void add_constant(written *t, const void *data, size_t size) {
  t->buffer = buffer_count;
  buffers[buffer_count++] = model_part_buffer(&builder, data, (uint32_t)size, 16);
}

// Weights as int8: a scale for each of `channels` equal slices. Returns their tensor's index.
static int32_t add_weights(const trained *w, uint32_t channels) {
  written *t = new_tensor(w->name, TensorType_INT8, w->shape, w->rank);
  int8_t *q = malloc(w->count);
  if (!q || channels > MAX_CHANNELS) stop("no room for", w->name);
  uint32_t each = w->count / channels;
  t->scale_count = channels;
  for (uint32_t c = 0; c < channels; c++) {
    float largest = 1e-6f;
    for (uint32_t i = c * each; i < (c + 1) * each; i++) largest = fmaxf(largest, fabsf(w->values[i]));
    t->scales[c] = largest / 127.0f;
    for (uint32_t i = c * each; i < (c + 1) * each; i++) q[i] = (int8_t)lrintf(w->values[i] / t->scales[c]);
  }
  add_constant(t, q, w->count);
  free(q);
  return (int32_t)(t - tensors);
}

static int32_t add_bias(const trained *bias, const written *w, float input_scale) {
  written *t = new_tensor(bias->name, TensorType_INT32, bias->shape, bias->rank);
  int32_t q[MAX_CHANNELS];
  if (bias->count > MAX_CHANNELS) stop("too many channels in", bias->name);
  t->scale_count = w->scale_count;
  for (uint32_t c = 0; c < w->scale_count; c++) t->scales[c] = input_scale * w->scales[c];
  for (uint32_t c = 0; c < bias->count; c++) q[c] = (int32_t)lrintf(bias->values[c] / t->scales[w->scale_count > 1 ? c : 0]);
  add_constant(t, q, bias->count * sizeof *q);
  return (int32_t)(t - tensors);
}

static void add_operator(enum BuiltinOperator code, const int32_t *inputs, uint32_t input_count, int32_t output, enum BuiltinOptions type, fb_ref options) {
  uint32_t index = 0;
  while (index < code_count && codes[index] != code) index++;
  if (index == code_count) codes[code_count++] = code;
  operators[operator_count++] = model_part_operator(&builder, &(operator_part){.opcode_index = index,
                                                                               .inputs = inputs,
                                                                               .input_count = input_count,
                                                                               .outputs = &output,
                                                                               .output_count = 1,
                                                                               .options_type = type,
                                                                               .options = options});
  current = output;
}

static void read_input(FILE *file) {
  char name[MAX_NAME];
  int32_t shape[MAX_RANK];
  uint32_t count;
  float low, high;
  if (fscanf(file, "%63s", name) != 1) stop("an input without", "a name");
  uint32_t rank = read_shape(file, shape, &count);
  if (fscanf(file, "%f %f", &low, &high) != 2) stop("no range for", name);
  set_range(new_tensor(name, TensorType_INT8, shape, rank), low, high);
  current = (int32_t)tensor_count - 1;
}

static void read_weighted_layer(FILE *file, bool is_conv) {
  const trained *w = read_weight_name(file), *bias = read_weight_name(file);
  char activation_name[8];
  float low, high;
  if (fscanf(file, "%7s %f %f", activation_name, &low, &high) != 3) stop("no activation and range behind", w->name);
  enum ActivationFunctionType activation = strcmp(activation_name, "relu") == 0 ? ActivationFunctionType_RELU : ActivationFunctionType_NONE;
  uint32_t channels = (uint32_t)w->shape[0];
  if (w->rank != (is_conv ? 4u : 2u) || bias->count != channels) stop("wrong shape:", w->name);
  int32_t inputs[3] = {current};
  inputs[1] = add_weights(w, is_conv ? channels : 1);
  inputs[2] = add_bias(bias, &tensors[inputs[1]], tensors[current].scales[0]);
  const written *in = &tensors[current];
  int32_t shape[4] = {1, in->shape[1], in->shape[2], (int32_t)channels};
  char name[MAX_NAME];
  snprintf(name, sizeof name, "%.48s_output", w->name);
  if (!is_conv) shape[1] = (int32_t)channels;
  set_range(new_tensor(name, TensorType_INT8, shape, is_conv ? 4 : 2), low, high);
  int32_t output = (int32_t)tensor_count - 1;
  if (is_conv) {
    fb_ref options = model_part_conv_2d(&builder, Padding_SAME, 1, activation);
    add_operator(BuiltinOperator_CONV_2D, inputs, 3, output, BuiltinOptions_Conv2DOptions, options);
    return;
  }
  fb_build_table(&builder);
  fb_build_i8(&builder, FullyConnectedOptions_fused_activation_function_id, (int8_t)activation, 0);
  fb_ref options = fb_build_table_end(&builder);
  add_operator(BuiltinOperator_FULLY_CONNECTED, inputs, 3, output, BuiltinOptions_FullyConnectedOptions, options);
}

static void read_pool(FILE *file) {
  int size;
  if (fscanf(file, "%d", &size) != 1 || size <= 0) stop("max_pool_2d without", "a size");
  const written *in = &tensors[current];
  int32_t shape[4] = {1, in->shape[1] / size, in->shape[2] / size, in->shape[3]}, input = current;
  written *out = new_tensor("pool_output", TensorType_INT8, shape, 4);
  out->scale_count = 1, out->scales[0] = in->scales[0], out->zero_points[0] = in->zero_points[0];
  fb_ref options = model_part_pool_2d(&builder, Padding_VALID, size, size);
  add_operator(BuiltinOperator_MAX_POOL_2D, &input, 1, (int32_t)tensor_count - 1, BuiltinOptions_Pool2DOptions, options);
}

static void add_softmax(void) {
  int32_t input = current;
  written *out = new_tensor("probabilities", TensorType_INT8, tensors[input].shape, tensors[input].rank);
  out->scale_count = 1, out->scales[0] = 1.0f / 256.0f, out->zero_points[0] = -128;  // fixed by the specification
  fb_build_table(&builder);
  fb_build_f32(&builder, SoftmaxOptions_beta_id, 1.0f, 0.0f);
  fb_ref options = fb_build_table_end(&builder);
  add_operator(BuiltinOperator_SOFTMAX, &input, 1, (int32_t)tensor_count - 1, BuiltinOptions_SoftmaxOptions, options);
}

static int32_t int8_version(enum BuiltinOperator code) {
  return code == BuiltinOperator_CONV_2D ? 3 : code == BuiltinOperator_FULLY_CONNECTED ? 4 : 2;
}

static fb_ref finish(void) {
  fb_ref refs[MAX_ITEMS];
  for (uint32_t i = 0; i < tensor_count; i++) {
    const written *t = &tensors[i];
    refs[i] = model_part_tensor(&builder, &(tensor_part){.name = t->name,
                                                         .type = t->type,
                                                         .shape = t->shape,
                                                         .rank = t->rank,
                                                         .buffer = t->buffer,
                                                         .scales = t->scales,
                                                         .zero_points = t->zero_points,
                                                         .scale_count = t->scale_count});
  }
  int32_t first = 0;
  fb_ref tensor_list = fb_build_refs(&builder, refs, tensor_count), operator_list = fb_build_refs(&builder, operators, operator_count);
  fb_ref input_list = fb_build_vector(&builder, &first, 1, 4, 0), output_list = fb_build_vector(&builder, &current, 1, 4, 0);
  fb_ref name = fb_build_text(&builder, "main");
  fb_build_table(&builder);
  fb_build_ref(&builder, SubGraph_tensors_id, tensor_list);
  fb_build_ref(&builder, SubGraph_inputs_id, input_list);
  fb_build_ref(&builder, SubGraph_outputs_id, output_list);
  fb_build_ref(&builder, SubGraph_operators_id, operator_list);
  fb_build_ref(&builder, SubGraph_name_id, name);
  fb_ref subgraph = fb_build_table_end(&builder);
  fb_ref subgraphs = fb_build_refs(&builder, &subgraph, 1), buffer_list = fb_build_refs(&builder, buffers, buffer_count);
  for (uint32_t i = 0; i < code_count; i++) refs[i] = model_part_operator_code(&builder, codes[i], int8_version(codes[i]));
  fb_ref code_list = fb_build_refs(&builder, refs, code_count), description = fb_build_text(&builder, "Arenite make_int8");
  fb_build_table(&builder);
  fb_build_u32(&builder, Model_version_id, SCHEMA_VERSION, 0);
  fb_build_ref(&builder, Model_operator_codes_id, code_list);
  fb_build_ref(&builder, Model_subgraphs_id, subgraphs);
  fb_build_ref(&builder, Model_description_id, description);
  fb_build_ref(&builder, Model_buffers_id, buffer_list);
  return fb_build_table_end(&builder);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: make_int8 NETWORK.txt OUT.tflite\n");
    return 2;
  }
  FILE *file = fopen(argv[1], "r");
  if (!file) {
    perror(argv[1]);
    return 1;
  }
  fb_build_init(&builder, arn_heap());
  buffers[buffer_count++] = model_part_buffer(&builder, NULL, 0, 16);  // buffer 0 is empty by convention
  char item[32];
  while (fscanf(file, "%31s", item) == 1) {
    if (strcmp(item, "tensor") == 0) read_tensor(file);
    else if (strcmp(item, "input") == 0) read_input(file);
    else if (tensor_count == 0) stop("no input before", item);
    else if (strcmp(item, "conv_2d") == 0) read_weighted_layer(file, true);
    else if (strcmp(item, "fully_connected") == 0) read_weighted_layer(file, false);
    else if (strcmp(item, "max_pool_2d") == 0) read_pool(file);
    else if (strcmp(item, "softmax") == 0) add_softmax();
    else stop("unknown item", item);
  }
  fclose(file);
  if (operator_count == 0) stop("no layers in", argv[1]);
  bool saved = model_part_save(&builder, finish(), argv[2]);
  fb_build_release(&builder);
  for (uint32_t i = 0; i < weight_count; i++) free(weights[i].values);
  return saved ? 0 : 1;
}
