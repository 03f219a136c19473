// SPDX-License-Identifier: Apache-2.0
// What CONV_3D and CONV_3D_TRANSPOSE share.
#ifndef OPS_CONV_3D_COMMON_H
#define OPS_CONV_3D_COMMON_H

#include "kernels/conv3d.h"
#include "ops/op.h"

typedef struct conv_3d_state {
  conv3d_shape shape;
  float low, high;
} conv_3d_state;

static inline void conv_3d_parse(fb_table options, void *params) {
  *(TfLiteConv3DParams *)params = (TfLiteConv3DParams){
      .padding = op_padding(Conv3DOptions_padding(options)),
      .stride_width = Conv3DOptions_stride_w(options),
      .stride_height = Conv3DOptions_stride_h(options),
      .stride_depth = Conv3DOptions_stride_d(options),
      .dilation_width_factor = Conv3DOptions_dilation_w_factor(options),
      .dilation_height_factor = Conv3DOptions_dilation_h_factor(options),
      .dilation_depth_factor = Conv3DOptions_dilation_d_factor(options),
      .activation = op_activation(Conv3DOptions_fused_activation_function(options)),
  };
}

// Sets the three axes over images of the given depth, height and width.
static inline TfLiteStatus conv_3d_set_axes(TfLiteContext *context, const TfLiteConv3DParams *p, const TfLiteTensor *filter,
                                            const int *image, conv3d_shape *s) {
  bool same = p->padding == kTfLitePaddingSame;
  OP_CHECK(context, same || p->padding == kTfLitePaddingValid, "unknown padding");
  s->z =
      (window_axis){.in = image[0], .taps = op_dim(filter, 0), .stride = p->stride_depth, .dilation = p->dilation_depth_factor};
  s->y =
      (window_axis){.in = image[1], .taps = op_dim(filter, 1), .stride = p->stride_height, .dilation = p->dilation_height_factor};
  s->x =
      (window_axis){.in = image[2], .taps = op_dim(filter, 2), .stride = p->stride_width, .dilation = p->dilation_width_factor};
  OP_CHECK(context, window_fit(&s->z, same, NULL) && window_fit(&s->y, same, NULL) && window_fit(&s->x, same, NULL),
           "the filter, strides and dilations do not fit a %d x %d x %d image", image[0], image[1], image[2]);
  return kTfLiteOk;
}

// Checks types and ranks of image, filter and bias (may be NULL); channels: dimensions of the filter.
static inline TfLiteStatus conv_3d_check(TfLiteContext *context, const TfLiteTensor *image, const TfLiteTensor *filter,
                                         const TfLiteTensor *bias, const TfLiteTensor *output, int in_dimension,
                                         int out_dimension) {
  OP_TRY(op_check_type(context, image, "input", OP_F32));
  OP_TRY(op_check_type(context, filter, "filter", OP_F32));
  OP_TRY(op_check_type(context, output, "output", OP_F32));
  OP_CHECK(context, op_rank(image) == 5 && op_rank(filter) == 5, "input and filter have ranks %d and %d, 5 is needed",
           op_rank(image), op_rank(filter));
  for (int i = 0; i < 5; i++)
    OP_CHECK(context, (i == 0 || op_dim(image, i) > 0) && op_dim(filter, i) > 0, "dimension %d of input or filter is empty", i);
  OP_CHECK(context, op_dim(image, 4) == op_dim(filter, in_dimension), "the input has %d channels, the filter %d",
           op_dim(image, 4), op_dim(filter, in_dimension));
  if (!bias) return kTfLiteOk;
  OP_TRY(op_check_type(context, bias, "bias", OP_F32));
  OP_CHECK(context, op_count(bias) == (size_t)op_dim(filter, out_dimension),
           "bias has %d elements, the filter %d output channels", (int)op_count(bias), op_dim(filter, out_dimension));
  return kTfLiteOk;
}

#endif
