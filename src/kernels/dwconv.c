// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution in portable C: sums of a tile of channels, side by side, tap after tap.
#include "kernels/dwconv.h"

#include <string.h>

enum { DWCONV_CHANNELS = 64 };  // of a tile: its sums are on the stack

static inline int32_t dwconv_biased(uint32_t sum, const int32_t *bias, size_t channel) {
  return (int32_t)(bias ? sum + (uint32_t)bias[channel] : sum);
}

#define DWCONV_FUNCTION dwconv_f32
#define DWCONV_TILE dwconv_tile_f32
#define DWCONV_ARGS conv_f32_args
#define DWCONV_INPUT float
#define DWCONV_FILTER float
#define DWCONV_OUTPUT float
#define DWCONV_SUM float
#define DWCONV_OFFSET 0
#define DWCONV_FILTER_OFFSET 0
#define DWCONV_PRODUCT(x, w) ((x) * (w))
#define DWCONV_STORE(sum, channel) requant_clamp_f32((sum) + (a->bias ? a->bias[channel] : 0.0f), a->low, a->high)
#include "kernels/dwconv_template.h"

#define DWCONV_FUNCTION dwconv_s8
#define DWCONV_TILE dwconv_tile_s8
#define DWCONV_ARGS conv_s8_args
#define DWCONV_INPUT int8_t
#define DWCONV_FILTER int8_t
#define DWCONV_OUTPUT int8_t
#define DWCONV_SUM uint32_t
#define DWCONV_OFFSET -a->input_zero_point
#define DWCONV_FILTER_OFFSET 0
#define DWCONV_PRODUCT(x, w) ((uint32_t)((int16_t)((x) + x_offset) * (int16_t)(w)))
#define DWCONV_STORE(sum, channel) requant_sum(&a->out, dwconv_biased((sum), a->bias, (channel)), (channel))
#include "kernels/dwconv_template.h"

#define DWCONV_FUNCTION dwconv_u8
#define DWCONV_TILE dwconv_tile_u8
#define DWCONV_ARGS conv_u8_args
#define DWCONV_INPUT uint8_t
#define DWCONV_FILTER uint8_t
#define DWCONV_OUTPUT uint8_t
#define DWCONV_SUM uint32_t
#define DWCONV_OFFSET -a->input_zero_point
#define DWCONV_FILTER_OFFSET -a->filter_zero_point
#define DWCONV_PRODUCT(x, w) ((uint32_t)((int16_t)((x) + x_offset) * (int16_t)((w) + w_offset)))
#define DWCONV_STORE(sum, channel) requant_sum(&a->out, dwconv_biased((sum), a->bias, (channel)), (channel))
#include "kernels/dwconv_template.h"

#define DWCONV_FUNCTION dwconv_s16_wide
#define DWCONV_TILE dwconv_tile_s16_wide
#define DWCONV_ARGS conv_s16_wide_args
#define DWCONV_INPUT int16_t
#define DWCONV_FILTER int8_t
#define DWCONV_OUTPUT int16_t
#define DWCONV_SUM int64_t
#define DWCONV_OFFSET 0
#define DWCONV_FILTER_OFFSET 0
#define DWCONV_PRODUCT(x, w) ((x) * (w))
#define DWCONV_STORE(sum, channel) \
  requant_sum64(&a->out, (int64_t)((uint64_t)(sum) + (a->bias ? (uint64_t)a->bias[channel] : 0)), (channel))
#include "kernels/dwconv_template.h"

#define DWCONV_FUNCTION dwconv_hybrid_rows
#define DWCONV_TILE dwconv_tile_hybrid
#define DWCONV_ARGS conv_hybrid_args
#define DWCONV_INPUT int8_t
#define DWCONV_FILTER int8_t
#define DWCONV_OUTPUT float
#define DWCONV_SUM uint32_t
#define DWCONV_OFFSET -a->input_zero_points[batch]
#define DWCONV_FILTER_OFFSET 0
#define DWCONV_PRODUCT(x, w) ((uint32_t)((int16_t)((x) + x_offset) * (int16_t)(w)))
#define DWCONV_STORE(sum, channel)                                                                                  \
  requant_clamp_f32((float)(int32_t)(sum) * (a->filter_scales[(channel)*a->filter_step] * a->input_scales[batch]) + \
                        (a->bias ? a->bias[channel] : 0.0f),                                                        \
                    a->low, a->high)
#include "kernels/dwconv_template.h"
