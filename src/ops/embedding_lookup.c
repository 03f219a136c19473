// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP: the rows of a table (input 1) that input 0 lists. A quantised table may be given out as floats: int8, int4 or
// int2 times a scale for the table, for each row, or for each block of a row.
#include "base/half.h"
#include "ops/move_common.h"

typedef enum embedding_kind { EMBEDDING_COPY, EMBEDDING_EXPAND, EMBEDDING_EXPAND_BLOCKS } embedding_kind;

typedef struct embedding_lookup_state {
  embedding_kind kind;
  int32_t block;   // elements that share a scale
  int32_t scales;  // tensor with the scales of the blocks, (rows, blocks) of float16
} embedding_lookup_state;

#define EMBEDDING_INTEGERS (OP_I8 | OP_U8 | OP_I4 | OP_I2)

#if ARENITE_MICRO
static TfLiteStatus embedding_lookup_find_blocks(TfLiteContext *context, const TfLiteTensor *table,
                                                 embedding_lookup_state *state) {
  (void)context, (void)table, (void)state;
  return kTfLiteOk;  // micro tensors have no blockwise scales
}
static const TfLiteTensor *embedding_lookup_scales(const TfLiteContext *context, const embedding_lookup_state *state) {
  (void)context, (void)state;
  return NULL;
}
#else
static const TfLiteTensor *embedding_lookup_scales(const TfLiteContext *context, const embedding_lookup_state *state) {
  return &context->tensors[state->scales];
}

// Sets the state where the table is quantised by blocks.
static TfLiteStatus embedding_lookup_find_blocks(TfLiteContext *context, const TfLiteTensor *table,
                                                 embedding_lookup_state *state) {
  if (table->quantization.type != kTfLiteBlockwiseQuantization) return kTfLiteOk;
  const TfLiteBlockwiseQuantization *blockwise = table->quantization.params;
  *state = (embedding_lookup_state){EMBEDDING_EXPAND_BLOCKS, blockwise->blocksize, blockwise->scale};
  OP_TRY(op_check_type(context, table, "a table quantised by blocks", OP_I4 | OP_I2));
  OP_CHECK(context, op_rank(table) == 2 && state->block > 0 && op_dim(table, 1) % state->block == 0,
           "rows of %d elements are no whole number of blocks of %d", op_dim(table, 1), (int)state->block);
  OP_CHECK(context, state->scales >= 0 && (size_t)state->scales < context->tensors_size, "the scales' tensor %d does not exist",
           (int)state->scales);
  const TfLiteTensor *scales = embedding_lookup_scales(context, state);
  OP_TRY(op_check_type(context, scales, "the scales' tensor", OP_F16));
  OP_CHECK(context, op_is_constant(scales) && op_count(scales) >= op_count(table) / (size_t)state->block,
           "the scales must be constants, one for each block");
  return kTfLiteOk;
}
#endif

static TfLiteStatus embedding_lookup_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  embedding_lookup_state *state = node->user_data;
  const TfLiteTensor *wanted = op_input(context, node, 0), *table = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, wanted, "input 0", OP_I32));
  OP_TRY(op_check_type(context, table, "table", OP_TYPES_EMBEDDING_LOOKUP));
  int rank = op_rank(table), dims[OP_MAX_RANK] = {0}, scales = op_scale_count(table);
  OP_CHECK(context, op_rank(wanted) == 1 && rank >= 2 && rank <= OP_MAX_RANK, "input and table have ranks %d and %d",
           op_rank(wanted), rank);
  bool as_floats = output->type != table->type && (output->type == kTfLiteFloat32 || output->type == kTfLiteFloat16);
  *state = (embedding_lookup_state){as_floats ? EMBEDDING_EXPAND : EMBEDDING_COPY, 0, 0};
  OP_TRY(embedding_lookup_find_blocks(context, table, state));
  if (state->kind != EMBEDDING_COPY) {
    OP_TRY(op_check_type(context, table, "a table given out as floats", EMBEDDING_INTEGERS));
    OP_TRY(op_check_type(context, output, "output", OP_F32 | OP_F16));
  }
  if (state->kind == EMBEDDING_EXPAND) {
    OP_CHECK(context, op_zero_point(table) == 0, "the table's zero point is %d, not 0", (int)op_zero_point(table));
    OP_CHECK(context, scales <= 1 || (op_quantized_dimension(table) == 0 && scales == op_dim(table, 0)),
             "the table has %d scales along dimension %d", scales, op_quantized_dimension(table));
  }
  OP_CHECK(context,
           state->kind != EMBEDDING_COPY || output->type == table->type ||
               (op_type_size((TfLiteType)output->type) == op_type_size((TfLiteType)table->type) &&
                op_type_size((TfLiteType)table->type)),
           "the output is of type %s, the table of type %s", op_type_name((TfLiteType)output->type),
           op_type_name((TfLiteType)table->type));
  OP_CHECK(context, state->kind != EMBEDDING_COPY || scales <= 1,
           "a table with a scale for each row must be given out as floats");
  dims[0] = op_dim(wanted, 0);
  for (int i = 1; i < rank; i++) dims[i] = op_dim(table, i);
  return op_resize(context, output, rank, dims);
}

// Element i of a table of small integers times its scale. TFLite reference: embedding_lookup.cc, where packed elements are
// shifted to the top of a byte and the scale is divided accordingly.
static float embedding_lookup_value(const TfLiteTensor *table, size_t i, float scale) {
  const uint8_t *data = table->data.uint8;
  switch (table->type) {
    case kTfLiteInt4: return (float)(int8_t)(uint8_t)(data[i / 2] >> (i % 2 * 4) << 4) * (scale / 16);
    case kTfLiteInt2: return (float)(int8_t)(uint8_t)(data[i / 4] >> (i % 4 * 2) << 6) * (scale / 64);
    default: return (float)(int8_t)data[i] * scale;  // uint8 too
  }
}

static void embedding_lookup_expand(const TfLiteTensor *table, size_t from, float scale, TfLiteTensor *output, size_t to,
                                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    float value = embedding_lookup_value(table, from + i, scale);
    if (output->type == kTfLiteFloat32)
      output->data.f[to + i] = value;
    else
      output->data.ui16[to + i] = half_from_float(value);
  }
}

static void embedding_lookup_copy(const TfLiteTensor *table, size_t from, TfLiteTensor *output, size_t to, size_t count) {
  size_t bytes = op_type_size((TfLiteType)table->type);
  if (bytes) {
    memcpy(output->data.uint8 + to * bytes, table->data.uint8 + from * bytes, count * bytes);
    return;
  }
  size_t share = table->type == kTfLiteInt2 ? 4 : 2, bits = 8 / share;  // packed: element by element
  for (size_t i = 0; i < count; i++) {
    unsigned mask = (1u << bits) - 1,
             value = (unsigned)table->data.uint8[(from + i) / share] >> ((from + i) % share * bits) & mask;
    uint8_t *target = &output->data.uint8[(to + i) / share];
    unsigned shift = (unsigned)((to + i) % share * bits);
    *target = (uint8_t)((*target & ~(mask << shift)) | value << shift);
  }
}

static TfLiteStatus embedding_lookup_eval(TfLiteContext *context, TfLiteNode *node) {
  const embedding_lookup_state *state = node->user_data;
  const TfLiteTensor *wanted = op_input(context, node, 0), *table = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_count(output) == 0) return kTfLiteOk;
  size_t width = op_count_between(table, 1, op_rank(table)), bytes = op_bytes(output);
  if (op_type_size((TfLiteType)output->type) == 0) output->data.uint8[bytes - 1] = 0;  // packed: the padding of an odd count
  int scales = op_scale_count(table);
  for (int i = 0; i < op_dim(wanted, 0); i++) {
    int32_t row = wanted->data.i32[i];
    OP_CHECK(context, row >= 0 && row < op_dim(table, 0), "row %d is wanted, the table has %d", (int)row, op_dim(table, 0));
    size_t from = (size_t)row * width, to = (size_t)i * width;
    if (state->kind == EMBEDDING_COPY) {
      embedding_lookup_copy(table, from, output, to, width);
    } else if (state->kind == EMBEDDING_EXPAND) {
      embedding_lookup_expand(table, from, scales > 1 ? op_channel_scale(table, row) : op_scale(table), output, to, width);
    } else {
      const uint16_t *block_scales = embedding_lookup_scales(context, state)->data.ui16;
      size_t block = (size_t)state->block;
      for (size_t k = 0; k < width; k += block) {
        embedding_lookup_expand(table, from + k, half_to_float(block_scales[(from + k) / block]), output, to + k, block);
      }
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_embedding_lookup = {OP_ROW(EMBEDDING_LOOKUP), .state_size = sizeof(embedding_lookup_state),
                                               .prepare = embedding_lookup_prepare, .eval = embedding_lookup_eval};
