// SPDX-License-Identifier: Apache-2.0
// Comparisons of two arrays, as rows for broadcast_run; results are bytes, 0 or 1. x > y is y < x.
#ifndef KERNELS_COMPARE_H
#define KERNELS_COMPARE_H

#include "kernels/broadcast.h"
#include "quant/quant.h"

extern const broadcast_rows compare_equal, compare_not_equal, compare_less, compare_less_equal;  // no params

// Quantised numbers of different scales, brought to one: ((q + offset) << 8) * scale. Source of the rule: TFLite
// kernels/comparisons.cc.
typedef struct compare_quantized {
  int32_t offset_x, offset_y;
  quant_multiplier x, y;
} compare_quantized;
extern const broadcast_rows compare_equal_quantized, compare_not_equal_quantized, compare_less_quantized,
    compare_less_equal_quantized;  // params: compare_quantized; i8, u8, i16

#endif
