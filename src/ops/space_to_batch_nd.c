// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND on (batch, height, [width,] depth): pixel (y, x) of the padded image goes to batch
// (y % block_y * block_x + x % block_x) * batches + b, row y / block_y, column x / block_x; the other way round with crops for
// paddings.
#include "ops/move_common.h"

// Both operators as moves between a wide image and a stack of small ones.
typedef struct space_to_batch_plan {
  int32_t block[2];   // rows, columns; 1 column block for rank 3
  int32_t before[2];  // padding or crop above and to the left
  int32_t after[2];
} space_to_batch_plan;

static TfLiteStatus space_to_batch_read(TfLiteContext *context, TfLiteNode *node, space_to_batch_plan *plan) {
  const TfLiteTensor *input = op_input(context, node, 0), *block = op_input(context, node, 1),
                     *margins = op_input(context, node, 2);
  int spatial = op_rank(input) - 2, before[2], after[2];
  *plan = (space_to_batch_plan){{1, 1}, {0, 0}, {0, 0}};
  OP_CHECK(context, op_rank(block) == 1 && op_dim(block, 0) == spatial && block->data.raw, "block_shape must have %d entries",
           spatial);
  OP_TRY(move_read_paddings(context, margins, OP_I32, spatial, before, after));
  for (int i = 0; i < spatial; i++) {
    plan->block[i] = (int32_t)move_int_at(block, (size_t)i);
    OP_CHECK(context, plan->block[i] > 0, "block_shape %d is %d", i, (int)plan->block[i]);
    plan->before[i] = before[i];
    plan->after[i] = after[i];
  }
  return kTfLiteOk;
}

static TfLiteStatus space_to_batch_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  space_to_batch_plan plan;
  OP_TRY(space_to_batch_read(context, node, &plan));
  int rank = op_rank(input), dims[4];
  int64_t batches = op_dim(input, 0);
  for (int i = 0; i < rank - 2; i++) {
    int64_t size = (int64_t)op_dim(input, i + 1) + plan.before[i] + plan.after[i];
    OP_CHECK(context, size % plan.block[i] == 0, "dimension %d, padded to %lld, is no whole number of blocks of %d", i + 1,
             (long long)size, (int)plan.block[i]);
    OP_CHECK(context, size / plan.block[i] <= INT32_MAX, "dimension %d becomes too large", i + 1);
    dims[i + 1] = (int)(size / plan.block[i]);
    batches *= plan.block[i];
    OP_CHECK(context, batches <= INT32_MAX, "the batch becomes too large");
  }
  dims[0] = (int)batches;
  dims[rank - 1] = op_dim(input, rank - 1);
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus batch_to_space_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  space_to_batch_plan plan;
  OP_TRY(space_to_batch_read(context, node, &plan));
  int rank = op_rank(input), dims[4];
  dims[0] = op_dim(input, 0);
  for (int i = 0; i < rank - 2; i++) {
    OP_CHECK(context, dims[0] % plan.block[i] == 0, "a batch of %d does not divide by %d", dims[0], (int)plan.block[i]);
    dims[0] /= plan.block[i];
    int64_t size = (int64_t)op_dim(input, i + 1) * plan.block[i] - plan.before[i] - plan.after[i];
    OP_CHECK(context, size >= 0 && size <= INT32_MAX, "dimension %d becomes %lld", i + 1, (long long)size);
    dims[i + 1] = (int)size;
  }
  dims[rank - 1] = op_dim(input, rank - 1);
  return op_resize(context, op_output(context, node, 0), rank, dims);
}

static TfLiteStatus space_to_batch_check(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SPACE_TO_BATCH_ND));
  OP_TRY(move_same_type(context, output, input));
  OP_TRY(op_check_type(context, op_input(context, node, 1), "block_shape", OP_I32));
  OP_TRY(op_check_type(context, op_input(context, node, 2), "paddings or crops", OP_I32));
  OP_CHECK(context, op_rank(input) == 3 || op_rank(input) == 4, "the input must have rank 3 or 4, it has %d", op_rank(input));
  if (input->type == kTfLiteUInt8 || input->type == kTfLiteInt8 || input->type == kTfLiteInt16) {
    OP_CHECK(context, move_same_quantisation(input, output), "input and output differ in scale or zero point");
  }
  OP_CHECK(context, input->type != kTfLiteInt16 || op_zero_point(input) == 0, "a 16-bit input has the zero point %d, not 0",
           (int)op_zero_point(input));
  return kTfLiteOk;
}

static TfLiteStatus space_to_batch_nd_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(space_to_batch_check(context, node));
  bool known = op_is_constant(op_input(context, node, 1)) && op_is_constant(op_input(context, node, 2));
  return known ? space_to_batch_resize(context, node) : op_make_dynamic(context, op_output(context, node, 0));
}
static TfLiteStatus batch_to_space_nd_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(space_to_batch_check(context, node));
  bool known = op_is_constant(op_input(context, node, 1)) && op_is_constant(op_input(context, node, 2));
  return known ? batch_to_space_resize(context, node) : op_make_dynamic(context, op_output(context, node, 0));
}

// Of the small image's rows (or columns), those whose pixel `shift` of the block lies inside the wide image: first..first + count
// - 1; *at is the wide coordinate of the first.
static int space_to_batch_span(int block, int before, int shift, int wide, int small, int *first, int *at) {
  int64_t low = (int64_t)before - shift;  // wide coordinate = small * block + shift - before
  int64_t from = low > 0 ? (low + block - 1) / block : 0;
  int64_t past = ((int64_t)wide + low + block - 1) / block;  // the first small one beyond the wide image
  if (wide + low <= 0) past = 0;
  if (past > small) past = small;
  *first = (int)from;
  *at = (int)(from * block - low);
  return past > from ? (int)(past - from) : 0;
}

static void space_to_batch_move(const TfLiteTensor *wide, const TfLiteTensor *stack, const space_to_batch_plan *plan,
                                bool to_stack, TfLiteTensor *output) {
  int four = op_rank(wide) == 4, depth = op_dim(wide, op_rank(wide) - 1), batches = op_dim(wide, 0);
  int wide_h = op_dim(wide, 1), wide_w = four ? op_dim(wide, 2) : 1, small_h = op_dim(stack, 1),
      small_w = four ? op_dim(stack, 2) : 1;
  size_t bytes = op_type_size((TfLiteType)wide->type);
  ptrdiff_t wide_line = (ptrdiff_t)wide_w * depth, small_line = (ptrdiff_t)small_w * depth;
  ptrdiff_t wide_image = wide_line * wide_h, small_image = small_line * small_h;
  for (int y = 0; y < plan->block[0]; y++) {
    for (int x = 0; x < plan->block[1]; x++) {
      int row, column, top, left;
      int rows = space_to_batch_span(plan->block[0], plan->before[0], y, wide_h, small_h, &row, &top);
      int columns = space_to_batch_span(plan->block[1], plan->before[1], x, wide_w, small_w, &column, &left);
      if (!rows || !columns) continue;
      ptrdiff_t in_wide = top * wide_line + (ptrdiff_t)left * depth;
      ptrdiff_t in_stack =
          (ptrdiff_t)(y * plan->block[1] + x) * batches * small_image + row * small_line + (ptrdiff_t)column * depth;
      const ptrdiff_t wide_step[4] = {wide_image, wide_line * plan->block[0], (ptrdiff_t)depth * plan->block[1], 1};
      const ptrdiff_t stack_step[4] = {small_image, small_line, depth, 1};
      const size_t size[4] = {(size_t)batches, (size_t)rows, (size_t)columns, (size_t)depth};
      move_view view = {0};
      for (int i = 0; i < 4; i++)
        move_add(&view, size[i], to_stack ? wide_step[i] : stack_step[i], to_stack ? stack_step[i] : wide_step[i]);
      const TfLiteTensor *source = to_stack ? wide : stack;
      move_copy(&view, bytes, source->data.uint8 + (size_t)(to_stack ? in_wide : in_stack) * bytes,
                output->data.uint8 + (size_t)(to_stack ? in_stack : in_wide) * bytes);
    }
  }
}

static TfLiteStatus space_to_batch_nd_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(space_to_batch_resize(context, node));
  space_to_batch_plan plan;
  OP_TRY(space_to_batch_read(context, node, &plan));
  if (op_count(output) == 0) return kTfLiteOk;
  // Padding is the output's zero point, byte by byte as in the reference: only 8-bit types may have one.
  if (plan.before[0] || plan.before[1] || plan.after[0] || plan.after[1]) {
    memset(output->data.raw, op_type_size((TfLiteType)output->type) == 1 ? op_zero_point(output) : 0, op_bytes(output));
  }
  if (op_count(op_input(context, node, 0))) space_to_batch_move(op_input(context, node, 0), output, &plan, true, output);
  return kTfLiteOk;
}

static TfLiteStatus batch_to_space_nd_eval(TfLiteContext *context, TfLiteNode *node) {
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(batch_to_space_resize(context, node));
  space_to_batch_plan plan;
  OP_TRY(space_to_batch_read(context, node, &plan));
  if (op_count(output)) space_to_batch_move(output, op_input(context, node, 0), &plan, false, output);
  return kTfLiteOk;
}

const op_descriptor arn_op_space_to_batch_nd = {OP_ROW(SPACE_TO_BATCH_ND), .prepare = space_to_batch_nd_prepare,
                                                .eval = space_to_batch_nd_eval, .cost = move_no_macs};
const op_descriptor arn_op_batch_to_space_nd = {OP_ROW(BATCH_TO_SPACE_ND), .prepare = batch_to_space_nd_prepare,
                                                .eval = batch_to_space_nd_eval, .cost = move_no_macs};
