// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: matrices in the last two dimensions, the others broadcast. float32; int8 (to int8 or int32); int16 by int16 or
// int8; hybrid (float by int8). Source of the rules: TFLite reference, batch_matmul.cc.
#include "kernels/matmul.h"
#include "ops/conv_common.h"

enum { BATCH_MATMUL_DIMS = 3 };  // batch dimensions of rank 5 tensors

typedef struct batch_matmul_state {
  matmul_shape shape;
  size_t batches[BATCH_MATMUL_DIMS], left_step[BATCH_MATMUL_DIMS],
      right_step[BATCH_MATMUL_DIMS];  // steps in matrices; 0: broadcast
  quant_multiplier multiplier;
  requant out;
  conv_hybrid hybrid;
  int transposed;  // scratch: left with rows along depth, for hybrid products
  bool asymmetric;
} batch_matmul_state;

static void batch_matmul_parse(fb_table options, void *params) {
  *(TfLiteBatchMatMulParams *)params = (TfLiteBatchMatMulParams){
      .adj_x = BatchMatMulOptions_adj_x(options),
      .adj_y = BatchMatMulOptions_adj_y(options),
      .asymmetric_quantize_inputs = BatchMatMulOptions_asymmetric_quantize_inputs(options),
  };
}

// Dimension i counted from the last, 1 where the tensor has fewer.
static int batch_matmul_dim(const TfLiteTensor *t, int i) { return i < op_rank(t) ? op_dim(t, op_rank(t) - 1 - i) : 1; }

static TfLiteStatus batch_matmul_set_shape(TfLiteContext *context, const TfLiteBatchMatMulParams *p, const TfLiteTensor *left,
                                           const TfLiteTensor *right, TfLiteTensor *output, batch_matmul_state *state) {
  int rank = op_rank(left) > op_rank(right) ? op_rank(left) : op_rank(right), dims[5];
  int rows = batch_matmul_dim(left, p->adj_x ? 0 : 1), depth = batch_matmul_dim(left, p->adj_x ? 1 : 0);
  int cols = batch_matmul_dim(right, p->adj_y ? 1 : 0), right_depth = batch_matmul_dim(right, p->adj_y ? 0 : 1);
  OP_CHECK(context, depth == right_depth, "the first matrix has %d columns, the second %d rows", depth, right_depth);
  state->shape = (matmul_shape){(size_t)rows, (size_t)depth, (size_t)cols, p->adj_x, p->adj_y};
  size_t left_step = 1, right_step = 1;
  for (int i = 0; i < BATCH_MATMUL_DIMS; i++) {
    int a = batch_matmul_dim(left, i + 2), b = batch_matmul_dim(right, i + 2), at = BATCH_MATMUL_DIMS - 1 - i;
    OP_CHECK(context, a == b || a == 1 || b == 1, "batch dimensions %d and %d do not broadcast", a, b);
    state->batches[at] = (size_t)(a == 1 ? b : a);
    state->left_step[at] = a == 1 ? 0 : left_step;
    state->right_step[at] = b == 1 ? 0 : right_step;
    left_step *= (size_t)a;
    right_step *= (size_t)b;
    if (i + 2 < rank) dims[rank - 3 - i] = (int)state->batches[at];
  }
  dims[rank - 2] = rows;
  dims[rank - 1] = cols;
  return op_resize(context, output, rank, dims);
}

static TfLiteStatus batch_matmul_prepare_quantized(TfLiteContext *context, const TfLiteTensor *left, const TfLiteTensor *right,
                                                   const TfLiteTensor *output, batch_matmul_state *state) {
  if (left->type == kTfLiteInt16) {
    OP_CHECK(context, op_zero_point(left) == 0 && op_zero_point(right) == 0 && op_zero_point(output) == 0,
             "16-bit products must have zero points 0");
  } else {
    OP_TRY(conv_check_zero_point(context, left, "first input"));
    OP_TRY(conv_check_zero_point(context, right, "second input"));
  }
  // A second input with a scale a channel has no scale of its own in the reference: its products come out as zero.
  double real = 0;
  if (op_scale_count(right) <= 1 && op_scale_count(left) <= 1)
    OP_TRY(conv_single_multiplier(context, left, right, output, &real));
  state->multiplier = quant_from_real(real);
  OP_CHECK(context, left->type == kTfLiteInt8 || state->multiplier.shift <= 7, "the scales give a multiplier of 2^7 or more");
  state->out = (requant){.multipliers = &state->multiplier, .zero_point = op_zero_point(output)};
  return op_activation_range(context, kTfLiteActNone, output, &state->out.low, &state->out.high);
}

static TfLiteStatus batch_matmul_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  const TfLiteBatchMatMulParams *p = node->builtin_data;
  const TfLiteTensor *left = op_input(context, node, 0), *right = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  batch_matmul_state *state = node->user_data;
  OP_TRY(op_check_type(context, left, "first input", OP_F32 | OP_I8 | OP_I16));
  OP_TRY(op_check_type(context, right, "second input", OP_TYPE(left->type) | (left->type == kTfLiteInt8 ? 0 : OP_I8)));
  OP_TRY(op_check_type(context, output, "output", OP_TYPE(left->type) | (left->type == kTfLiteInt8 ? OP_I32 : 0)));
  OP_CHECK(context, op_rank(left) >= 2 && op_rank(left) <= 5 && op_rank(right) >= 2 && op_rank(right) <= 5,
           "the inputs have ranks %d and %d, 2 to 5 are possible", op_rank(left), op_rank(right));
  OP_TRY(batch_matmul_set_shape(context, p, left, right, output, state));
  if (left->type == kTfLiteFloat32 && right->type == kTfLiteInt8) {
    state->asymmetric = p->asymmetric_quantize_inputs;
    size_t rows = state->shape.rows * op_count_between(left, 0, op_rank(left) - 2);
    if (p->adj_x) OP_TRY(op_request_scratch(context, op_bytes(left), &state->transposed));
    return conv_prepare_hybrid(context, left, right, rows, (int)state->shape.cols, &state->hybrid);
  }
  if (left->type == kTfLiteFloat32 || output->type == kTfLiteInt32) return kTfLiteOk;
  return batch_matmul_prepare_quantized(context, left, right, output, state);
}

// Quantises the rows of all left matrices, after writing transposed ones the other way.
static void batch_matmul_quantize(TfLiteContext *context, const TfLiteTensor *left, const batch_matmul_state *state) {
  const matmul_shape *s = &state->shape;
  const float *values = left->data.f;
  size_t matrix = s->rows * s->depth, matrices = matrix ? op_count(left) / matrix : 0;
  if (s->left_transposed) {
    float *turned = op_scratch(context, state->transposed);
    for (size_t m = 0; m < matrices; m++)
      for (size_t row = 0; row < s->rows; row++)
        for (size_t k = 0; k < s->depth; k++) turned[m * matrix + row * s->depth + k] = values[m * matrix + k * s->rows + row];
    values = turned;
  }
  conv_quantize_input(context, values, op_count(left), matrices * s->rows, state->asymmetric, &state->hybrid);
}

static void batch_matmul_hybrid(TfLiteContext *context, const batch_matmul_state *state, size_t l, const int8_t *right,
                                float *output) {
  const conv_hybrid *q = &state->hybrid;
  matmul_shape s = state->shape;
  s.left_transposed = false;
  matmul_hybrid h = {
      .left_scales = (const float *)op_scratch(context, q->scales) + l * s.rows,
      .left_zero_points = (const int32_t *)op_scratch(context, q->zero_points) + l * s.rows,
      .right_scales = q->filter_scales,
      .right_step = q->filter_step,
  };
  matmul_hybrid_rows(&s, &h, (const int8_t *)op_scratch(context, q->quantized) + l * s.rows * s.depth, right, output, 0, s.rows);
}

// One product: left matrix number l, right matrix number r, output matrix number o.
static void batch_matmul_one(TfLiteContext *context, const TfLiteTensor *left, const TfLiteTensor *right, TfLiteTensor *output,
                             const batch_matmul_state *state, size_t l, size_t r, size_t o) {
  const matmul_shape *s = &state->shape;
  size_t left_at = l * s->rows * s->depth, right_at = r * s->depth * s->cols, at = o * s->rows * s->cols;
  matmul_zeros zeros = {op_zero_point(left), op_zero_point(right)};
  if (left->type == kTfLiteFloat32) {
    if (right->type == kTfLiteInt8)
      batch_matmul_hybrid(context, state, l, right->data.int8 + right_at, output->data.f + at);
    else
      matmul_f32(s, left->data.f + left_at, right->data.f + right_at, output->data.f + at, 0, s->rows);
  } else if (left->type == kTfLiteInt8) {
    const int8_t *a = left->data.int8 + left_at, *b = right->data.int8 + right_at;
    if (output->type == kTfLiteInt8)
      matmul_s8(s, zeros, &state->out, a, b, output->data.int8 + at, 0, s->rows);
    else
      matmul_s8_s32(s, a, b, output->data.i32 + at, 0, s->rows);
  } else if (right->type == kTfLiteInt16) {
    matmul_s16(s, &state->out, left->data.i16 + left_at, right->data.i16 + right_at, output->data.i16 + at, 0, s->rows);
  } else {
    matmul_s16_s8(s, &state->out, left->data.i16 + left_at, right->data.int8 + right_at, output->data.i16 + at, 0, s->rows);
  }
}

static TfLiteStatus batch_matmul_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *left = op_input(context, node, 0), *right = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  const batch_matmul_state *state = node->user_data;
  if (op_count(output) == 0) return kTfLiteOk;
  if (left->type == kTfLiteFloat32 && right->type == kTfLiteInt8) batch_matmul_quantize(context, left, state);
  size_t o = 0;
  for (size_t i = 0; i < state->batches[0]; i++) {
    for (size_t j = 0; j < state->batches[1]; j++) {
      for (size_t k = 0; k < state->batches[2]; k++, o++) {
        size_t l = i * state->left_step[0] + j * state->left_step[1] + k * state->left_step[2];
        size_t r = i * state->right_step[0] + j * state->right_step[1] + k * state->right_step[2];
        batch_matmul_one(context, left, right, output, state, l, r, o);
      }
    }
  }
  return kTfLiteOk;
}

static void batch_matmul_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  const batch_matmul_state *state = node->user_data;
  cost->macs = (uint64_t)op_count(op_output(context, node, 0)) * state->shape.depth;
}

const op_descriptor arn_op_batch_matmul = {
    OP_ROW(BATCH_MATMUL),        .state_size = sizeof(batch_matmul_state), .params_size = sizeof(TfLiteBatchMatMulParams),
    .parse = batch_matmul_parse, .prepare = batch_matmul_prepare,          .eval = batch_matmul_eval,
    .cost = batch_matmul_cost,
};
