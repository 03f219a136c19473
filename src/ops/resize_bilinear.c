// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR: float and uint8 by float arithmetic, int8 and int16 by fixed point.
#include "ops/resize_common.h"

static void resize_bilinear_parse(fb_table options, void *params) {
  TfLiteResizeBilinearParams *p = params;
  p->align_corners = ResizeBilinearOptions_align_corners(options);
  p->half_pixel_centers = ResizeBilinearOptions_half_pixel_centers(options);
}

static TfLiteStatus resize_bilinear_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteResizeBilinearParams *p = node->builtin_data;
  OP_CHECK(context, !(p->align_corners && p->half_pixel_centers), "align_corners and half_pixel_centers exclude each other");
  *(resize_state *)node->user_data = (resize_state){p->align_corners, p->half_pixel_centers};
  return resize_prepare(context, node, OP_TYPES_RESIZE_BILINEAR);
}

static TfLiteStatus resize_bilinear_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(resize_set_output(context, node));
  resize_shape s;
  if (!resize_shape_of(context, node, &s)) return kTfLiteOk;
  int rows = s.batches * s.out_h;
  switch (input->type) {
    case kTfLiteFloat32: resize_bilinear_f32(&s, input->data.f, output->data.f, 0, rows); break;
    case kTfLiteUInt8: resize_bilinear_u8(&s, input->data.uint8, output->data.uint8, 0, rows); break;
    case kTfLiteInt8: resize_bilinear_s8(&s, input->data.int8, output->data.int8, 0, rows); break;
    default: resize_bilinear_s16(&s, input->data.i16, output->data.i16, 0, rows); break;
  }
  return kTfLiteOk;
}

static void resize_bilinear_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost) {
  cost->macs = 4 * (uint64_t)op_count(op_output(context, node, 0));
}

const op_descriptor arn_op_resize_bilinear = {
    OP_ROW(RESIZE_BILINEAR),        .state_size = sizeof(resize_state), .params_size = sizeof(TfLiteResizeBilinearParams),
    .parse = resize_bilinear_parse, .prepare = resize_bilinear_prepare, .eval = resize_bilinear_eval,
    .cost = resize_bilinear_cost,
};
