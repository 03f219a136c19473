// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_DEPTH and DEPTH_TO_SPACE: blocks of block x block pixels become one pixel with all their channels, (b, h, w, c) <->
// (b, h / block, w / block, block * block * c); within a pixel the channels run by block row, block column, channel.
#include "ops/move_common.h"

typedef struct space_to_depth_state {
  int32_t block;
} space_to_depth_state;

static void space_to_depth_parse(fb_table options, void *params) {
  ((TfLiteSpaceToDepthParams *)params)->block_size = SpaceToDepthOptions_block_size(options);
}
static void depth_to_space_parse(fb_table options, void *params) {
  ((TfLiteDepthToSpaceParams *)params)->block_size = DepthToSpaceOptions_block_size(options);
}

static TfLiteStatus space_to_depth_check(TfLiteContext *context, TfLiteNode *node, int block) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "input", OP_TYPES_SPACE_TO_DEPTH));
  OP_TRY(move_same_type(context, op_output(context, node, 0), input));
  OP_CHECK(context, op_rank(input) == 4, "the input must have rank 4, it has %d", op_rank(input));
  OP_CHECK(context, block > 0 && block <= 46340, "block_size is %d", block);  // its square fits 31 bits
  ((space_to_depth_state *)node->user_data)->block = block;
  return kTfLiteOk;
}

static TfLiteStatus space_to_depth_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteSpaceToDepthParams *params = node->builtin_data;
  int block = params->block_size;
  OP_TRY(space_to_depth_check(context, node, block));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_CHECK(context, op_dim(input, 1) % block == 0 && op_dim(input, 2) % block == 0,
           "%d x %d pixels are no whole number of blocks of %d", op_dim(input, 1), op_dim(input, 2), block);
  int64_t depth = (int64_t)op_dim(input, 3) * block * block;
  OP_CHECK(context, depth <= INT32_MAX, "the depth becomes too large");
  int dims[4] = {op_dim(input, 0), op_dim(input, 1) / block, op_dim(input, 2) / block, (int)depth};
  return op_resize(context, op_output(context, node, 0), 4, dims);
}

static TfLiteStatus depth_to_space_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteDepthToSpaceParams *params = node->builtin_data;
  int block = params->block_size;
  OP_TRY(space_to_depth_check(context, node, block));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_CHECK(context, op_dim(input, 3) % (block * block) == 0, "%d channels are no whole number of blocks of %d", op_dim(input, 3),
           block * block);
  int64_t height = (int64_t)op_dim(input, 1) * block, width = (int64_t)op_dim(input, 2) * block;
  OP_CHECK(context, height <= INT32_MAX && width <= INT32_MAX, "the image becomes too large");
  int dims[4] = {op_dim(input, 0), (int)height, (int)width, op_dim(input, 3) / (block * block)};
  return op_resize(context, op_output(context, node, 0), 4, dims);
}

// deep: the tensor with few pixels and many channels. Dimensions visited: b, h, w, block row, block column, c of the deep tensor,
// or b, h, block row, w, block column, c of the wide one, whichever is written in order.
static TfLiteStatus space_to_depth_run(TfLiteContext *context, TfLiteNode *node, const TfLiteTensor *deep, bool to_deep) {
  size_t block = (size_t)((const space_to_depth_state *)node->user_data)->block;
  size_t rows = (size_t)op_dim(deep, 1), columns = (size_t)op_dim(deep, 2), channels = (size_t)op_dim(deep, 3) / (block * block);
  ptrdiff_t pixel = (ptrdiff_t)channels, line = (ptrdiff_t)(columns * block * channels),
            packed = (ptrdiff_t)(block * block * channels);
  // {size, step in the wide tensor, step in the deep one}; the third and fourth change places for DEPTH_TO_SPACE
  const size_t size[6] = {(size_t)op_dim(deep, 0), rows, columns, block, block, channels};
  const ptrdiff_t wide_step[6] = {
      line * (ptrdiff_t)(rows * block), line * (ptrdiff_t)block, pixel * (ptrdiff_t)block, line, pixel, 1};
  const ptrdiff_t deep_step[6] = {
      packed * (ptrdiff_t)(rows * columns), packed * (ptrdiff_t)columns, packed, pixel * (ptrdiff_t)block, pixel, 1};
  static const uint8_t order[2][6] = {{0, 1, 3, 2, 4, 5}, {0, 1, 2, 3, 4, 5}};
  move_view view = {0};
  for (int i = 0; i < 6; i++) {
    int d = order[to_deep][i];
    move_add(&view, size[d], to_deep ? wide_step[d] : deep_step[d], to_deep ? deep_step[d] : wide_step[d]);
  }
  return move_tensor(context, &view, op_input(context, node, 0), 0, op_output(context, node, 0));
}

static TfLiteStatus space_to_depth_eval(TfLiteContext *context, TfLiteNode *node) {
  return space_to_depth_run(context, node, op_output(context, node, 0), true);
}
static TfLiteStatus depth_to_space_eval(TfLiteContext *context, TfLiteNode *node) {
  return space_to_depth_run(context, node, op_input(context, node, 0), false);
}

const op_descriptor arn_op_space_to_depth = {
    OP_ROW(SPACE_TO_DEPTH),        .state_size = sizeof(space_to_depth_state), .params_size = sizeof(TfLiteSpaceToDepthParams),
    .parse = space_to_depth_parse, .prepare = space_to_depth_prepare,          .eval = space_to_depth_eval,
    .cost = move_no_macs,
};
const op_descriptor arn_op_depth_to_space = {
    OP_ROW(DEPTH_TO_SPACE),        .state_size = sizeof(space_to_depth_state), .params_size = sizeof(TfLiteDepthToSpaceParams),
    .parse = depth_to_space_parse, .prepare = depth_to_space_prepare,          .eval = depth_to_space_eval,
    .cost = move_no_macs,
};
