// SPDX-License-Identifier: Apache-2.0
// The parts of op.h that are not inline: checks, shapes, quantisation in both tensor layouts. Operators call them, nothing else does.
#include "ops/op.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/checked.h"

TfLiteStatus op_check_counts(TfLiteContext *context, const TfLiteNode *node, int low, int high, int output_count) {
  int inputs = op_input_count(node), outputs = op_output_count(node);
  OP_CHECK(context, inputs >= low && inputs <= high, "takes %d to %d inputs, the model gives %d", low, high, inputs);
  OP_CHECK(context, outputs == output_count, "has %d outputs, the model gives %d", output_count, outputs);
  for (int i = 0; i < low; i++) OP_CHECK(context, op_input(context, node, i), "input %d is required, the model leaves it out", i);
  for (int i = 0; i < outputs; i++) OP_CHECK(context, op_output(context, node, i), "output %d is required, the model leaves it out", i);
  return kTfLiteOk;
}

TfLiteStatus op_check_type(TfLiteContext *context, const TfLiteTensor *t, const char *what, uint32_t type_bits) {
  (void)what;
  OP_CHECK(context, (unsigned)t->type < 32 && (type_bits & OP_TYPE(t->type)), "%s is of type %s, which this operator does not take there",
           what, op_type_name((TfLiteType)t->type));
  return kTfLiteOk;
}

TfLiteStatus op_check_inputs(TfLiteContext *context, const TfLiteNode *node, const op_descriptor *op) {
  for (int i = 0; i < op_input_count(node); i++) {
    const TfLiteTensor *t = op_input(context, node, i);
    if (!t) continue;
    OP_CHECK(context, op_rank(t) <= OP_MAX_RANK, "input %d has rank %d, the limit is %d", i, op_rank(t), OP_MAX_RANK);
    for (int d = 0; d < op_rank(t); d++) OP_CHECK(context, op_dim(t, d) >= 0, "dimension %d of input %d is open", d, i);
    OP_CHECK(context, !op_is_sparse(t) || (i < 8 && (op->sparse_inputs >> i & 1)),
             "input %d is a sparse constant, which it does not take", i);
  }
  return kTfLiteOk;
}

// ---- Types. ----
typedef struct type_facts {
  const char *name;
  uint8_t bytes;  // 0: no whole number of bytes an element
  uint8_t bits;   // of packed types
} type_facts;

static const type_facts types[] = {
    [kTfLiteNoType] = {"NOTYPE", 0, 0},         [kTfLiteFloat32] = {"FLOAT32", 4, 0},     [kTfLiteInt32] = {"INT32", 4, 0},
    [kTfLiteUInt8] = {"UINT8", 1, 0},           [kTfLiteInt64] = {"INT64", 8, 0},         [kTfLiteString] = {"STRING", 0, 0},
    [kTfLiteBool] = {"BOOL", 1, 0},             [kTfLiteInt16] = {"INT16", 2, 0},         [kTfLiteComplex64] = {"COMPLEX64", 8, 0},
    [kTfLiteInt8] = {"INT8", 1, 0},             [kTfLiteFloat16] = {"FLOAT16", 2, 0},     [kTfLiteFloat64] = {"FLOAT64", 8, 0},
    [kTfLiteComplex128] = {"COMPLEX128", 16, 0}, [kTfLiteUInt64] = {"UINT64", 8, 0},      [kTfLiteResource] = {"RESOURCE", 0, 0},
    [kTfLiteVariant] = {"VARIANT", 0, 0},       [kTfLiteUInt32] = {"UINT32", 4, 0},       [kTfLiteUInt16] = {"UINT16", 2, 0},
    [kTfLiteInt4] = {"INT4", 0, 4},             [kTfLiteBFloat16] = {"BFLOAT16", 2, 0},   [kTfLiteInt2] = {"INT2", 0, 2},
    [kTfLiteUInt4] = {"UINT4", 0, 4},           [kTfLiteFloat8E4M3FN] = {"FLOAT8E4M3FN", 1, 0},
    [kTfLiteFloat8E5M2] = {"FLOAT8E5M2", 1, 0},
};

size_t op_type_size(TfLiteType type) { return (size_t)type < BASE_COUNT(types) ? types[type].bytes : 0; }

const char *op_type_name(TfLiteType type) { return (size_t)type < BASE_COUNT(types) ? types[type].name : "Unknown type"; }

// The most elements that a string tensor's int32 offsets can describe.
enum { MOST_STRINGS = INT32_MAX / 4 - 2 };

bool op_bytes_of(TfLiteType type, int rank, const int *dims, size_t *bytes) {
  size_t n = 1;
  bool empty = false;
  for (int i = 0; i < rank; i++) {
    if (dims[i] < 0 || (dims[i] > 0 && !checked_mul(n, (size_t)dims[i], &n))) return false;
    empty |= dims[i] == 0;
  }
  if (type == kTfLiteString && n > MOST_STRINGS) return false;
  if (empty) {
    *bytes = 0;
    return n <= INT32_MAX;  // kernels may walk over the dimensions around the 0
  }
  const type_facts *facts = (size_t)type < BASE_COUNT(types) ? &types[type] : &types[kTfLiteNoType];
  if (facts->bits) {
    *bytes = n / (8u / facts->bits) + (n % (8u / facts->bits) != 0);
    return true;
  }
  return checked_mul(n, facts->bytes, bytes);
}

// ---- Shapes. ----
TfLiteStatus op_broadcast_shape(TfLiteContext *context, const TfLiteTensor *a, const TfLiteTensor *b, int *rank, int *dims) {
  int n = op_rank(a) > op_rank(b) ? op_rank(a) : op_rank(b);
  OP_CHECK(context, n <= OP_MAX_RANK, "rank %d is over the limit of %d", n, OP_MAX_RANK);
  for (int i = 1; i <= n; i++) {
    int da = i <= op_rank(a) ? op_dim(a, op_rank(a) - i) : 1, db = i <= op_rank(b) ? op_dim(b, op_rank(b) - i) : 1;
    OP_CHECK(context, da == db || da == 1 || db == 1, "shapes do not broadcast: %d against %d, dimension %d from the last", da, db, i);
    dims[n - i] = da == 1 ? db : da;
  }
  *rank = n;
  return kTfLiteOk;
}

TfLiteStatus op_read_ints(TfLiteContext *context, const TfLiteTensor *t, const char *what, int room, int *values, int *count) {
  (void)what;
  OP_CHECK(context, op_rank(t) <= 1, "%s must have rank 0 or 1, has %d", what, op_rank(t));
  size_t n = op_count(t);
  OP_CHECK(context, n <= (size_t)room, "%s has %d values, at most %d make sense", what, (int)n, room);
  OP_CHECK(context, n == 0 || t->data.raw, "%s has no data", what);
  for (size_t i = 0; i < n; i++) {
    if (t->type == kTfLiteInt32) {
      memcpy(&values[i], t->data.i32 + i, sizeof values[i]);
    } else if (t->type == kTfLiteInt64) {
      int64_t wide;
      memcpy(&wide, t->data.i64 + i, sizeof wide);
      values[i] = wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int)wide;
    } else if (t->type == kTfLiteInt16) {
      values[i] = t->data.i16[i];
    } else {
      OP_FAIL(context, "%s is of type %s, INT32 or INT64 is needed", what, op_type_name((TfLiteType)t->type));
    }
  }
  *count = (int)n;
  return kTfLiteOk;
}

// ---- Quantisation. ----
#if ARENITE_MICRO
static fb_table quantization_record(const TfLiteTensor *t) { return Tensor_quantization((fb_table){t->record, 0}); }

int op_scale_count(const TfLiteTensor *t) { return (int)QuantizationParameters_scale(quantization_record(t)).count; }
float op_channel_scale(const TfLiteTensor *t, int channel) {
  fb_vector scales = QuantizationParameters_scale(quantization_record(t));
  return scales.count == 0 ? 0.0f : fb_vector_f32(scales, scales.count == 1 ? 0 : (uint32_t)channel);
}
int32_t op_channel_zero_point(const TfLiteTensor *t, int channel) {
  fb_vector zeros = QuantizationParameters_zero_point(quantization_record(t));
  return zeros.count == 0 ? 0 : (int32_t)fb_vector_i64(zeros, zeros.count == 1 ? 0 : (uint32_t)channel);
}
int op_quantized_dimension(const TfLiteTensor *t) { return QuantizationParameters_quantized_dimension(quantization_record(t)); }
#else
static const TfLiteAffineQuantization *affine(const TfLiteTensor *t) {
  return t->quantization.type == kTfLiteAffineQuantization ? t->quantization.params : NULL;
}
int op_scale_count(const TfLiteTensor *t) {
  const TfLiteAffineQuantization *q = affine(t);
  return q && q->scale ? q->scale->size : t->params.scale != 0.0f;
}
float op_channel_scale(const TfLiteTensor *t, int channel) {
  const TfLiteAffineQuantization *q = affine(t);
  return q && q->scale && q->scale->size > 1 ? q->scale->data[channel] : t->params.scale;
}
int32_t op_channel_zero_point(const TfLiteTensor *t, int channel) {
  const TfLiteAffineQuantization *q = affine(t);
  return q && q->zero_point && q->zero_point->size > 1 ? q->zero_point->data[channel] : t->params.zero_point;
}
int op_quantized_dimension(const TfLiteTensor *t) {
  const TfLiteAffineQuantization *q = affine(t);
  return q ? q->quantized_dimension : 0;
}
#endif
float op_scale(const TfLiteTensor *t) { return op_channel_scale(t, 0); }
int32_t op_zero_point(const TfLiteTensor *t) { return op_channel_zero_point(t, 0); }

void op_activation_range_f32(TfLiteFusedActivation activation, float *low, float *high) {
  *low = activation == kTfLiteActRelu || activation == kTfLiteActRelu6 ? 0.0f : activation == kTfLiteActReluN1To1 ? -1.0f : -FLT_MAX;
  *high = activation == kTfLiteActRelu6 ? 6.0f : activation == kTfLiteActReluN1To1 ? 1.0f : FLT_MAX;
}

// round(real / scale) + zero_point, saturated to int32: the quantised number nearest to a real bound.
static int32_t quantize_bound(const TfLiteTensor *t, float real) {
  float steps = roundf(real / op_scale(t));
  double shifted = (double)steps + op_zero_point(t);
  return shifted > INT32_MAX ? INT32_MAX : shifted < INT32_MIN ? INT32_MIN : (int32_t)shifted;
}

TfLiteStatus op_activation_range(TfLiteContext *context, TfLiteFusedActivation activation, const TfLiteTensor *output, int32_t *low, int32_t *high) {
  switch (output->type) {
    case kTfLiteInt8: *low = INT8_MIN, *high = INT8_MAX; break;
    case kTfLiteUInt8: *low = 0, *high = UINT8_MAX; break;
    case kTfLiteInt16: *low = INT16_MIN, *high = INT16_MAX; break;
    default: OP_FAIL(context, "output type %s has no quantised activation range", op_type_name((TfLiteType)output->type));
  }
  if (activation == kTfLiteActNone) return kTfLiteOk;
  OP_CHECK(context, op_scale(output) > 0, "the output has a fused activation and no scale");
  float real_low, real_high;
  op_activation_range_f32(activation, &real_low, &real_high);
  // A bound outside the type's range clamps to it; the reference tests both bounds for the activations it knows and ignores others.
  if (real_low != -FLT_MAX) {
    int32_t bound = quantize_bound(output, real_low);
    if (bound > *low) *low = bound;
  }
  if (real_high != FLT_MAX) {
    int32_t bound = quantize_bound(output, real_high);
    if (bound < *high) *high = bound;
  }
  OP_CHECK(context, *low <= *high, "the fused activation leaves no value: its range is outside the output's quantised range");
  return kTfLiteOk;
}

TfLitePadding op_padding(int8_t schema_padding) {
  return schema_padding == Padding_SAME ? kTfLitePaddingSame : schema_padding == Padding_VALID ? kTfLitePaddingValid : kTfLitePaddingUnknown;
}

TfLiteFusedActivation op_activation(int8_t schema_activation) {
  switch (schema_activation) {
    case ActivationFunctionType_RELU: return kTfLiteActRelu;
    case ActivationFunctionType_RELU_N1_TO_1: return kTfLiteActReluN1To1;
    case ActivationFunctionType_RELU6: return kTfLiteActRelu6;
    case ActivationFunctionType_TANH: return kTfLiteActTanh;
    case ActivationFunctionType_SIGN_BIT: return kTfLiteActSignBit;
    default: return kTfLiteActNone;
  }
}

TfLiteType op_type(int8_t schema_type) {
  static const uint8_t published[] = {
      [TensorType_FLOAT32] = kTfLiteFloat32,     [TensorType_FLOAT16] = kTfLiteFloat16,   [TensorType_INT32] = kTfLiteInt32,
      [TensorType_UINT8] = kTfLiteUInt8,         [TensorType_INT64] = kTfLiteInt64,       [TensorType_STRING] = kTfLiteString,
      [TensorType_BOOL] = kTfLiteBool,           [TensorType_INT16] = kTfLiteInt16,       [TensorType_COMPLEX64] = kTfLiteComplex64,
      [TensorType_INT8] = kTfLiteInt8,           [TensorType_FLOAT64] = kTfLiteFloat64,   [TensorType_COMPLEX128] = kTfLiteComplex128,
      [TensorType_UINT64] = kTfLiteUInt64,       [TensorType_RESOURCE] = kTfLiteResource, [TensorType_VARIANT] = kTfLiteVariant,
      [TensorType_UINT32] = kTfLiteUInt32,       [TensorType_UINT16] = kTfLiteUInt16,     [TensorType_INT4] = kTfLiteInt4,
      [TensorType_BFLOAT16] = kTfLiteBFloat16,   [TensorType_INT2] = kTfLiteInt2,         [TensorType_UINT4] = kTfLiteUInt4,
      [TensorType_FLOAT8_E4M3FN] = kTfLiteFloat8E4M3FN, [TensorType_FLOAT8_E5M2] = kTfLiteFloat8E5M2,
  };
  return schema_type >= 0 && (size_t)schema_type < BASE_COUNT(published) ? (TfLiteType)published[schema_type] : kTfLiteNoType;
}

// ---- Sharing memory. ----
void op_share_of(const TfLiteContext *context, const TfLiteNode *node, const op_descriptor *op, op_share *share) {
  *share = (op_share){.kind = (op_in_place)op->in_place, .inputs = op->in_place == OP_JOIN ? UINT32_MAX : 1};
  if (op->share) {
    op->share(context, node, share);
  } else if (share->kind == OP_ELEMENTWISE) {
    const TfLiteTensor *output = op_output(context, node, 0);
    share->inputs = 0;
    for (int i = 0; i < op_input_count(node) && i < 32; i++) {
      const TfLiteTensor *t = op_input(context, node, i);
      size_t width = t ? op_type_size((TfLiteType)t->type) : 0;
      if (width && width >= op_type_size((TfLiteType)output->type) && op_same_shape(t, output)) share->inputs |= 1u << i;
    }
  }
}

void op_share_rows(op_share *share, const TfLiteTensor *input, const TfLiteTensor *output, int stride, int pad, int taps, int dilation) {
  if (op_rank(input) != 4 || op_rank(output) != 4 || op_dim(input, 0) != 1 || op_dim(input, 1) < 1 || op_dim(output, 1) < 1) {
    share->kind = OP_SEPARATE;
    return;
  }
  *share = (op_share){.kind = OP_ROWS,
                      .inputs = 1,
                      .input_row = op_bytes(input) / (size_t)op_dim(input, 1),
                      .output_row = op_bytes(output) / (size_t)op_dim(output, 1),
                      .stride = stride,
                      .pad = pad,
                      .taps = (taps - 1) * dilation + 1,
                      .input_rows = op_dim(input, 1),
                      .output_rows = op_dim(output, 1)};
}

op_row_walk op_walk_rows(const TfLiteTensor *input, const TfLiteTensor *output, int rows) {
  uintptr_t in = (uintptr_t)input->data.raw, out = (uintptr_t)output->data.raw;
  bool downwards = out > in && out - in < op_bytes(input);
  return (op_row_walk){.first = downwards ? rows : 0, .end = rows, .downwards = downwards};
}

bool op_next_rows(op_row_walk *walk) {
  if (!walk->downwards) {
    bool more = !walk->started && walk->end > 0;
    walk->started = true;
    return more;
  }
  walk->end = walk->first--;
  return walk->end > 0;
}

// ---- Memory. ----
size_t op_bytes(const TfLiteTensor *t) {
#if !ARENITE_MICRO
  if (op_type_size(t->type) == 0) return t->bytes;  // strings and packed types: what the runtime says
#endif
  size_t bytes = 0;
  return op_bytes_of((TfLiteType)t->type, t->dims->size, t->dims->data, &bytes) ? bytes : 0;
}

void *op_persistent(TfLiteContext *context, size_t bytes) {
  void *memory = context->AllocatePersistentBuffer(context, bytes);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

TfLiteStatus op_resize(TfLiteContext *context, TfLiteTensor *t, int rank, const int *dims) {
  size_t bytes;
  OP_CHECK(context, rank >= 0 && rank <= OP_MAX_RANK, "an output of rank %d is over the limit of %d", rank, OP_MAX_RANK);
  OP_CHECK(context, op_bytes_of((TfLiteType)t->type, rank, dims, &bytes), "an output's shape is negative or too large");
#if ARENITE_MICRO
  if (TfLiteIntArrayEqualsArray(t->dims, rank, dims)) return kTfLiteOk;
  struct {
    int size;
    int data[OP_MAX_RANK];
  } shape = {.size = rank};
  memcpy(shape.data, dims, (size_t)rank * sizeof *dims);
  return context->ResizeTensor(context, t, (TfLiteIntArray *)(void *)&shape);
#else
  TfLiteIntArray *shape = TfLiteIntArrayCreate(rank);
  OP_CHECK(context, shape, "no memory for an output's shape");
  if (rank) memcpy(shape->data, dims, (size_t)rank * sizeof *dims);
  return context->ResizeTensor(context, t, shape);
#endif
}

#if ARENITE_MICRO
TfLiteStatus op_make_dynamic(TfLiteContext *context, TfLiteTensor *t) {
  (void)t;
  OP_FAIL(context, "an output's shape depends on data: a micro build has no dynamic tensors");
}
TfLiteStatus op_resize_persistent(TfLiteContext *context, TfLiteTensor *t, int rank, const int *dims) {
  OP_TRY(op_resize(context, t, rank, dims));
  size_t bytes = op_bytes(t);
  if (bytes) {
    t->data.raw = op_persistent(context, bytes);
    OP_CHECK(context, t->data.raw, "no memory for an output computed ahead of time");
  }
  t->allocation_type = kTfLitePersistentRo;
  return kTfLiteOk;
}
TfLiteStatus op_realloc(TfLiteContext *context, TfLiteTensor *t, size_t bytes) {
  (void)t, (void)bytes;
  OP_FAIL(context, "a micro build has no dynamic tensors");
}
#else
TfLiteStatus op_make_dynamic(TfLiteContext *context, TfLiteTensor *t) {
  (void)context;
  if (t->allocation_type != kTfLiteDynamic) {
    TfLiteTensorDataFree(t);  // memory of its own goes, borrowed memory is let go
    t->allocation_type = kTfLiteDynamic;
    t->data.raw = NULL;
  }
  return kTfLiteOk;
}
TfLiteStatus op_resize_persistent(TfLiteContext *context, TfLiteTensor *t, int rank, const int *dims) {
  if (t->allocation_type != kTfLitePersistentRo) {
    TfLiteTensorDataFree(t);
    t->allocation_type = kTfLitePersistentRo;
    t->data.raw = NULL;
  }
  OP_TRY(op_resize(context, t, rank, dims));  // ResizeTensor gives memory to kTfLitePersistentRo, as it does to kTfLiteDynamic
  OP_CHECK(context, t->data.raw || op_bytes(t) == 0, "no memory for an output computed ahead of time");
  return kTfLiteOk;
}
TfLiteStatus op_realloc(TfLiteContext *context, TfLiteTensor *t, size_t bytes) {
  OP_CHECK(context, t->allocation_type == kTfLiteDynamic, "only a dynamic tensor's bytes can be set");
  return op_services_of(context)->realloc_tensor(context, t, bytes);
}
#endif
