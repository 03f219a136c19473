// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution: input [batches, y.in, x.in, in_c], filter [1, y.taps, x.taps, out_c], output [batches, y.out, x.out,
// out_c]. Output channel c sees input channel c / (out_c / in_c) alone; in_c divides out_c. Pixels outside the image count as
// zero. A call makes rows row0..row1-1 of batches * y.out; calls on different rows may run at the same time. The arguments are
// those of a convolution (conv.h). Sources of the arithmetic: TFLite reference, depthwiseconv_float.h, depthwiseconv_uint8.h,
// integer_ops/depthwise_conv.h.
#ifndef KERNELS_DWCONV_H
#define KERNELS_DWCONV_H

#include "kernels/conv.h"

// filter_c of the shape is not used.
void dwconv_f32(const conv_shape *s, const conv_f32_args *a, int row0, int row1);
void dwconv_s8(const conv_shape *s, const conv_s8_args *a, int row0, int row1);
void dwconv_u8(const conv_shape *s, const conv_u8_args *a, int row0, int row1);
void dwconv_s16_wide(const conv_shape *s, const conv_s16_wide_args *a, int row0, int row1);
void dwconv_hybrid_rows(const conv_shape *s, const conv_hybrid_args *a, int row0, int row1);

#endif
