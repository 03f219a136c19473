// SPDX-License-Identifier: Apache-2.0
// Direct and transposed convolution in portable C.
#include "kernels/conv.h"

#include "kernels/dot.h"

typedef struct conv_sums32 {
  uint32_t sum[DOT_ROWS];
} conv_sums32;
typedef struct conv_sums64 {
  int64_t sum[DOT_ROWS];
} conv_sums64;

// Adds the bias, wrapping.
static inline int32_t conv_biased(uint32_t sum, const int32_t *bias, size_t channel) {
  return (int32_t)(bias ? sum + (uint32_t)bias[channel] : sum);
}

// The first tap, at or above 0, that leads from output position `at` (padding included) to an input pixel of a transposed
// convolution.
static inline int conv_first_tap(const window_axis *axis, int at) {
  int last = (axis->out - 1) * axis->stride;  // where the last input pixel's first tap lies
  return at > last ? at - last : at % axis->stride;
}

#define CONV_FUNCTION conv_f32
#define CONV_TRANSPOSED conv_transposed_f32
#define CONV_ARGS conv_f32_args
#define CONV_INPUT float
#define CONV_FILTER float
#define CONV_OUTPUT float
#define CONV_SUMS dot_f32_sums
#define CONV_DOT dot_f32
#define CONV_STORE(r, channel, sums) \
  requant_clamp_f32(dot_f32_fold((sums), (r)) + (a->bias ? a->bias[channel] : 0.0f), a->low, a->high)
#include "kernels/conv_template.h"

#define CONV_FUNCTION conv_s8
#define CONV_TRANSPOSED conv_transposed_s8
#define CONV_ARGS conv_s8_args
#define CONV_INPUT int8_t
#define CONV_FILTER int8_t
#define CONV_OUTPUT int8_t
#define CONV_SUMS conv_sums32
#define CONV_DOT(x, w, stride, n, rows, sums) dot_s8((x), -a->input_zero_point, (w), 0, (stride), (n), (rows), (sums)->sum)
#define CONV_STORE(r, channel, sums) requant_sum(&a->out, conv_biased((sums)->sum[r], a->bias, (channel)), (channel))
#include "kernels/conv_template.h"

#define CONV_FUNCTION conv_u8
#define CONV_TRANSPOSED conv_transposed_u8
#define CONV_ARGS conv_u8_args
#define CONV_INPUT uint8_t
#define CONV_FILTER uint8_t
#define CONV_OUTPUT uint8_t
#define CONV_SUMS conv_sums32
#define CONV_DOT(x, w, stride, n, rows, sums) \
  dot_u8((x), -a->input_zero_point, (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define CONV_STORE(r, channel, sums) requant_sum(&a->out, conv_biased((sums)->sum[r], a->bias, (channel)), (channel))
#include "kernels/conv_template.h"

#define CONV_FUNCTION conv_s16
#define CONV_TRANSPOSED conv_transposed_s16
#define CONV_ARGS conv_s16_args
#define CONV_INPUT int16_t
#define CONV_FILTER int8_t
#define CONV_OUTPUT int16_t
#define CONV_SUMS conv_sums32
#define CONV_DOT(x, w, stride, n, rows, sums) dot_s16_s8((x), 0, (w), 0, (stride), (n), (rows), (sums)->sum)
#define CONV_STORE(r, channel, sums) requant_sum(&a->out, conv_biased((sums)->sum[r], a->bias, (channel)), (channel))
#include "kernels/conv_template.h"

#define CONV_FUNCTION conv_s16_wide
#define CONV_TRANSPOSED conv_transposed_s16_wide
#define CONV_ARGS conv_s16_wide_args
#define CONV_INPUT int16_t
#define CONV_FILTER int8_t
#define CONV_OUTPUT int16_t
#define CONV_SUMS conv_sums64
#define CONV_DOT(x, w, stride, n, rows, sums) dot_s16_s8_wide((x), (w), 0, (stride), (n), (rows), (sums)->sum)
#define CONV_STORE(r, channel, sums) \
  requant_sum64(&a->out, (int64_t)((uint64_t)(sums)->sum[r] + (a->bias ? (uint64_t)a->bias[channel] : 0)), (channel))
#include "kernels/conv_template.h"

#define CONV_FUNCTION conv_hybrid_rows
#define CONV_TRANSPOSED conv_transposed_hybrid_rows
#define CONV_ARGS conv_hybrid_args
#define CONV_INPUT int8_t
#define CONV_FILTER int8_t
#define CONV_OUTPUT float
#define CONV_SUMS conv_sums32
#define CONV_DOT(x, w, stride, n, rows, sums) \
  dot_s8((x), -a->input_zero_points[batch], (w), 0, (stride), (n), (rows), (sums)->sum)
#define CONV_STORE(r, channel, sums)                                                                                       \
  requant_clamp_f32((float)(int32_t)(sums)->sum[r] * a->filter_scales[(channel)*a->filter_step] * a->input_scales[batch] + \
                        (a->bias ? a->bias[channel] : 0.0f),                                                               \
                    a->low, a->high)
#include "kernels/conv_template.h"
