// SPDX-License-Identifier: Apache-2.0
// What an operator is (op_descriptor), and how its prepare and eval see tensors. Every file of ops/ includes this. The accessors serve hosted and
// micro builds alike: an operator uses only them, t->type, t->data and t->dims, never the other fields of TfLiteTensor.
//
// The rules of an operator:
// - node->builtin_data may be read in prepare only (a micro build frees it afterwards); what eval needs goes into node->user_data, the
//   descriptor's state_size bytes, cleared when the node is created and kept across preparations. prepare may run again after a resize.
// - memory that outlives prepare comes from op_persistent, scratch for eval from op_request_scratch / op_scratch. Eval allocates nothing.
// - prepare sets every output's shape (op_resize), or op_make_dynamic where it depends on data that is not constant; eval then calls op_resize.
// - prepare checks everything eval relies on: counts, types, ranks, shapes, quantisation. A failed check says what and where through OP_CHECK.
#ifndef OPS_OP_H
#define OPS_OP_H

#include "base/compiler.h"
#include "flatbuffer/fb_read.h"
#include "schema/schema.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tensorflow/lite/c/common.h"

enum { OP_MAX_RANK = 8 };

// Bits of op_descriptor.types.
#define OP_TYPE(type) (1u << (type))
#define OP_F32 OP_TYPE(kTfLiteFloat32)
#define OP_F16 OP_TYPE(kTfLiteFloat16)
#define OP_BF16 OP_TYPE(kTfLiteBFloat16)
#define OP_F64 OP_TYPE(kTfLiteFloat64)
#define OP_I2 OP_TYPE(kTfLiteInt2)
#define OP_I4 OP_TYPE(kTfLiteInt4)
#define OP_I8 OP_TYPE(kTfLiteInt8)
#define OP_U8 OP_TYPE(kTfLiteUInt8)
#define OP_I16 OP_TYPE(kTfLiteInt16)
#define OP_U16 OP_TYPE(kTfLiteUInt16)
#define OP_I32 OP_TYPE(kTfLiteInt32)
#define OP_U32 OP_TYPE(kTfLiteUInt32)
#define OP_I64 OP_TYPE(kTfLiteInt64)
#define OP_U64 OP_TYPE(kTfLiteUInt64)
#define OP_BOOL OP_TYPE(kTfLiteBool)
#define OP_STRING OP_TYPE(kTfLiteString)
#define OP_C64 OP_TYPE(kTfLiteComplex64)
#define OP_C128 OP_TYPE(kTfLiteComplex128)
#define OP_RESOURCE OP_TYPE(kTfLiteResource)
#define OP_VARIANT OP_TYPE(kTfLiteVariant)
#define OP_ANY 0xFFFFFEu
// Elements of 1, 2, 4 or 8 whole bytes: what operators that only move data take.
#define OP_BYTEWISE                                                                                                         \
  (OP_F32 | OP_F16 | OP_BF16 | OP_F64 | OP_I8 | OP_U8 | OP_I16 | OP_U16 | OP_I32 | OP_U32 | OP_I64 | OP_U64 | OP_BOOL | OP_C64)

// How outputs and inputs of one node may share memory.
typedef enum op_in_place {
  OP_SEPARATE = 0,  // outputs and inputs must not overlap
  OP_VIEW,          // output 0 has input 0's bytes (reshape); eval copies only where the pointers differ
  OP_ELEMENTWISE,   // element i of output 0 depends on element i of its inputs only; first elements first, each written after it was read
  OP_ROWS,          // output 0 is made row by row from a window of input 0's rows, upwards or downwards (op_row_walk)
  OP_JOIN,          // output 0 is its inputs' bytes, one after the other; eval leaves alone what is in place
  OP_PARTS,         // the outputs are the data input's bytes, one after the other; eval leaves alone what is in place
} op_in_place;

// The rule for one prepared node.
typedef struct op_share {
  op_in_place kind;
  uint32_t inputs;  // bit i: input i takes part (OP_ELEMENTWISE: same shape as the output, no narrower elements)
  // OP_ROWS: bytes of a row, and the window: output row y reads input rows y * stride - pad ... + taps - 1 (taps: dilated), those inside.
  size_t input_row, output_row;
  int stride, pad, taps, input_rows, output_rows;
} op_share;

typedef struct op_cost {
  uint64_t macs;   // multiply-adds of one evaluation; element-wise operations count as one each
} op_cost;

typedef struct op_descriptor {  // public name: arn_op (include/arenite/resolver.h)
  int32_t code;              // BuiltinOperator; BuiltinOperator_CUSTOM for custom ones
  const char *name;          // schema name ("CONV_2D") or custom name
  uint16_t min_version, max_version;
  uint32_t types;            // element types of its main tensors, OP_TYPE bits
  uint16_t state_size;       // bytes of node->user_data
  uint16_t params_size;      // bytes of node->builtin_data; 0: no options
  uint8_t in_place;          // op_in_place, what its nodes allow
  uint8_t sparse_inputs;     // bit i: input i may be a sparse constant (the runtime refuses others: their data are too short for their shape)
  void (*share)(const TfLiteContext *context, const TfLiteNode *node, op_share *share);  // NULL: kind in_place says it all
  void (*parse)(fb_table options, void *params);  // options may be absent: accessors then give defaults
  TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
  TfLiteStatus (*eval)(TfLiteContext *context, TfLiteNode *node);
  void (*cost)(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost);  // NULL: the outputs' element count
} op_descriptor;

// The rows of ops.def as constants, for OP_ROW and OP_CUSTOM_ROW below.
enum {
#define OP_BUILTIN(NAME, suffix, low, high, type_bits) OP_LOW_##NAME = (low), OP_HIGH_##NAME = (high), OP_TYPES_##NAME = (int)(type_bits),
#define OP_CUSTOM(NAME, suffix, low, high, type_bits) OP_BUILTIN(NAME, suffix, low, high, type_bits)
#include "ops/ops.def"
#undef OP_BUILTIN
#undef OP_CUSTOM
  OP_ROWS_END
};
#define OP_BUILTIN(NAME, suffix, low, high, type_bits) extern const op_descriptor arn_op_##suffix;
#define OP_CUSTOM(NAME, suffix, low, high, type_bits) extern const op_descriptor arn_op_##suffix;
#include "ops/ops.def"
#undef OP_BUILTIN
#undef OP_CUSTOM

#define OP_ROW_FIELDS(NAME) \
  .name = #NAME, .min_version = OP_LOW_##NAME, .max_version = OP_HIGH_##NAME, .types = (uint32_t)OP_TYPES_##NAME
// The head of a descriptor: const op_descriptor arn_op_add = {OP_ROW(ADD), .prepare = ..., .eval = ...};
#define OP_ROW(NAME) .code = BuiltinOperator_##NAME, OP_ROW_FIELDS(NAME)
#define OP_CUSTOM_ROW(NAME) .code = BuiltinOperator_CUSTOM, OP_ROW_FIELDS(NAME)

// Fails the call with a message unless condition holds. The runtime prepends node, operator and version: say only what is wrong
// and with which values ("filter has %d input channels, the input %d").
#if ARENITE_MESSAGES
#define OP_REPORT(context, ...) (context)->ReportError((context), __VA_ARGS__)
#else
#define OP_REPORT(context, ...) ((void)(context))
#endif
#define OP_CHECK(context, condition, ...)   \
  do {                                      \
    if (!(condition)) {                     \
      OP_REPORT((context), __VA_ARGS__);    \
      return kTfLiteError;                  \
    }                                       \
  } while (0)
#define OP_FAIL(context, ...)            \
  do {                                   \
    OP_REPORT((context), __VA_ARGS__);   \
    return kTfLiteError;                 \
  } while (0)
#define OP_TRY(expression)                              \
  do {                                                  \
    TfLiteStatus op_status_ = (expression);             \
    if (op_status_ != kTfLiteOk) return op_status_;     \
  } while (0)

// ---- A node's tensors. ----
static inline int op_input_count(const TfLiteNode *node) { return node->inputs->size; }
static inline int op_output_count(const TfLiteNode *node) { return node->outputs->size; }
// NULL where the model leaves the input out (index -1) or has fewer inputs.
static inline const TfLiteTensor *op_input(const TfLiteContext *context, const TfLiteNode *node, int i) {
  if (i >= node->inputs->size || node->inputs->data[i] < 0) return NULL;
  return &context->tensors[node->inputs->data[i]];
}
// An input that the operator writes: a variable.
static inline TfLiteTensor *op_variable(const TfLiteContext *context, const TfLiteNode *node, int i) {
  TfLiteTensor *t = i < node->inputs->size && node->inputs->data[i] >= 0 ? &context->tensors[node->inputs->data[i]] : NULL;
  return t && t->is_variable ? t : NULL;
}
// NULL where the model has fewer outputs or leaves the output out.
static inline TfLiteTensor *op_output(const TfLiteContext *context, const TfLiteNode *node, int i) {
  if (i >= node->outputs->size || node->outputs->data[i] < 0) return NULL;
  return &context->tensors[node->outputs->data[i]];
}
// Fails unless low <= inputs <= high and outputs == output_count, and every required input (the first `low`) and output is there.
TfLiteStatus op_check_counts(TfLiteContext *context, const TfLiteNode *node, int low, int high, int output_count);
// What every operator may count on, checked before its prepare: no input has an open dimension or a rank over OP_MAX_RANK, none is sparse but
// those that op->sparse_inputs names. (The hosted runtime says the same in its own words.)
TfLiteStatus op_check_inputs(TfLiteContext *context, const TfLiteNode *node, const op_descriptor *op);
// Fails unless t->type is among type_bits; `what` names the tensor in the message ("filter").
TfLiteStatus op_check_type(TfLiteContext *context, const TfLiteTensor *t, const char *what, uint32_t type_bits);

// ---- Shape. ----
static inline int op_rank(const TfLiteTensor *t) { return t->dims->size; }
static inline int op_dim(const TfLiteTensor *t, int i) { return t->dims->data[i]; }
static inline bool op_same_shape(const TfLiteTensor *a, const TfLiteTensor *b) { return TfLiteIntArrayEqual(a->dims, b->dims) != 0; }
// Elements (1 for a scalar). Shapes were checked when they were set: the product fits.
static inline size_t op_count(const TfLiteTensor *t) {
  size_t n = 1;
  for (int i = 0; i < t->dims->size; i++) n *= (size_t)t->dims->data[i];
  return n;
}
// Product of dimensions first..last-1.
static inline size_t op_count_between(const TfLiteTensor *t, int first, int last) {
  size_t n = 1;
  for (int i = first; i < last; i++) n *= (size_t)t->dims->data[i];
  return n;
}
size_t op_type_size(TfLiteType type);  // bytes of one element; 0: string, resource, variant and packed types
// Bytes of a shape, packed types included (0 for strings and the like); false where a dimension is negative, the size does not fit, or a shape
// without elements has dimensions whose product is over INT32_MAX.
bool op_bytes_of(TfLiteType type, int rank, const int *dims, size_t *bytes);
size_t op_bytes(const TfLiteTensor *t);  // bytes of the data, packed types (int4, int2) included
const char *op_type_name(TfLiteType type);  // "INT8"
// Sets an output's shape. dims: rank ints >= 0. For dynamic tensors it also (re)allocates the data, during eval too.
TfLiteStatus op_resize(TfLiteContext *context, TfLiteTensor *t, int rank, const int *dims);
static inline TfLiteStatus op_resize_like(TfLiteContext *context, TfLiteTensor *t, const TfLiteTensor *like) {
  return op_resize(context, t, like->dims->size, like->dims->data);
}
// The broadcast of two shapes (numpy rules) into dims[OP_MAX_RANK]; fails where they do not fit.
TfLiteStatus op_broadcast_shape(TfLiteContext *context, const TfLiteTensor *a, const TfLiteTensor *b, int *rank, int *dims);

// ---- Data. ----
static inline bool op_is_constant(const TfLiteTensor *t) {
  return t->allocation_type == kTfLiteMmapRo || t->allocation_type == kTfLitePersistentRo;
}
static inline bool op_is_sparse(const TfLiteTensor *t) {  // ops/sparse_common.h makes such constants dense
#if ARENITE_MICRO
  return fb_present(Tensor_sparsity((fb_table){t->record, 0}));
#else
  return t->sparsity != NULL;
#endif
}
static inline bool op_is_dynamic(const TfLiteTensor *t) { return t->allocation_type == kTfLiteDynamic; }
// Says that the shape is only known in eval. A micro build refuses with a message.
TfLiteStatus op_make_dynamic(TfLiteContext *context, TfLiteTensor *t);
// Sets the shape of an output whose values prepare computes itself, all that they depend on being constant: t->data then has room, kept as long as
// the interpreter, for prepare to fill. The output counts as constant from then on (op_is_constant), so that a shape computed by
// SHAPE and friends is known to the operators behind; eval leaves such an output alone.
TfLiteStatus op_resize_persistent(TfLiteContext *context, TfLiteTensor *t, int rank, const int *dims);
// Gives a dynamic tensor (a string) room for bytes; the shape stays.
TfLiteStatus op_realloc(TfLiteContext *context, TfLiteTensor *t, size_t bytes);
// Reads a rank 0 or 1 int32/int64 tensor (axes, paddings, shapes) of at most `room` values; `what` names it in messages.
TfLiteStatus op_read_ints(TfLiteContext *context, const TfLiteTensor *t, const char *what, int room, int *values, int *count);

// ---- Quantisation. ----
float op_scale(const TfLiteTensor *t);         // the first scale; 0 when not quantised
int32_t op_zero_point(const TfLiteTensor *t);  // the first zero point
int op_scale_count(const TfLiteTensor *t);     // 0: not quantised, 1: per tensor, n: per channel
float op_channel_scale(const TfLiteTensor *t, int channel);  // channel is taken modulo nothing: a per-tensor scale serves every channel
int32_t op_channel_zero_point(const TfLiteTensor *t, int channel);
int op_quantized_dimension(const TfLiteTensor *t);
// The clamp of a fused activation: in floats, and in the output's quantised numbers (fails on types without a rule).
void op_activation_range_f32(TfLiteFusedActivation activation, float *low, float *high);
TfLiteStatus op_activation_range(TfLiteContext *context, TfLiteFusedActivation activation, const TfLiteTensor *output, int32_t *low, int32_t *high);
// File enum values to the published ones; out-of-range values (a hostile file) become kTfLitePaddingUnknown / kTfLiteActNone / kTfLiteNoType.
TfLitePadding op_padding(int8_t schema_padding);
TfLiteFusedActivation op_activation(int8_t schema_activation);
TfLiteType op_type(int8_t schema_type);

// ---- Sharing memory. ----
// What a prepared node allows.
void op_share_of(const TfLiteContext *context, const TfLiteNode *node, const op_descriptor *op, op_share *share);

// Fills the OP_ROWS rule of a window that slides over the rows of NHWC images; more than one image are kept apart.
void op_share_rows(op_share *share, const TfLiteTensor *input, const TfLiteTensor *output, int stride, int pad, int taps, int dilation);

// The order in which an OP_ROWS operator makes its rows: all in one call, unless the output overlaps the input from above; then one by one from the
// last, so that no input row is overwritten before it was read.
//   for (op_row_walk w = op_walk_rows(input, output, rows); op_next_rows(&w);) conv_s8(shape, args, w.first, w.end);
typedef struct op_row_walk {
  int first, end;
  bool downwards, started;
} op_row_walk;
op_row_walk op_walk_rows(const TfLiteTensor *input, const TfLiteTensor *output, int rows);
bool op_next_rows(op_row_walk *walk);

// ---- Memory. ----
// Cleared bytes that live as long as the node; NULL when out of memory. prepare may run again: keep the pointer in the state, and ask
// again only when more is needed.
void *op_persistent(TfLiteContext *context, size_t bytes);
// Scratch for eval, placed by the planner (64-byte aligned); *index goes into the state.
static inline TfLiteStatus op_request_scratch(TfLiteContext *context, size_t bytes, int *index) {
  return context->RequestScratchBufferInArena(context, bytes, index);
}
static inline void *op_scratch(TfLiteContext *context, int index) { return context->GetScratchBuffer(context, index); }

// ---- Services of the runtime, for control flow and resources. context->impl_ points to a record that begins with op_services *. ----
typedef struct op_services {
  // Number of subgraphs, and a subgraph's context (its tensors), inputs and outputs; NULL when the index is out of range.
  int (*subgraph_count)(TfLiteContext *context);
  TfLiteContext *(*subgraph)(TfLiteContext *context, int index, const TfLiteIntArray **inputs, const TfLiteIntArray **outputs);
  // Sets the element type of a called subgraph's input; fails once the subgraph was prepared with another one.
  TfLiteStatus (*subgraph_set_input_type)(TfLiteContext *context, int index, int input, TfLiteType type);
  // Shapes of a called subgraph's inputs are set by op_resize on its tensors through subgraph_resize_input; then allocate, then invoke.
  TfLiteStatus (*subgraph_resize_input)(TfLiteContext *context, int index, int input, int rank, const int *dims);
  TfLiteStatus (*subgraph_allocate)(TfLiteContext *context, int index);
  TfLiteStatus (*subgraph_invoke)(TfLiteContext *context, int index);
  bool (*subgraph_has_dynamic_outputs)(TfLiteContext *context, int index);  // after allocate
  const struct arn_model *(*model)(TfLiteContext *context);  // model/model.h: for what an operator must know of a subgraph it calls
  // True the first time it is asked for this subgraph of the interpreter (CALL_ONCE).
  bool (*first_call)(TfLiteContext *context, int index);
  // Resources live as long as the interpreter, shared by its subgraphs. The id of a name is made at the first request (>= 0; -1 out of memory).
  int (*resource_id)(TfLiteContext *context, const char *container, const char *name);
  void *(*resource)(TfLiteContext *context, int id);  // NULL: nothing was put
  // destroy is called with the context of the interpreter's first subgraph when the interpreter goes or the object is replaced.
  TfLiteStatus (*put_resource)(TfLiteContext *context, int id, void *object, void (*destroy)(TfLiteContext *context, void *object));
  // Memory behind resources (eval may use it: a table's size is data). 16-byte aligned, not cleared; NULL when out of memory.
  void *(*allocate)(TfLiteContext *context, size_t bytes);
  void (*release)(TfLiteContext *context, void *memory);
  // Hosted only: behind op_realloc.
  TfLiteStatus (*realloc_tensor)(TfLiteContext *context, TfLiteTensor *t, size_t bytes);
} op_services;
static inline const op_services *op_services_of(const TfLiteContext *context) { return *(const op_services *const *)context->impl_; }

#endif
