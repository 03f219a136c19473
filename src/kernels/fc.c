// SPDX-License-Identifier: Apache-2.0
// Fully connected layers in portable C.
#include "kernels/fc.h"

#include <math.h>

#include "kernels/dot.h"

typedef struct fc_sums32 {
  uint32_t sum[DOT_ROWS];
} fc_sums32;
typedef struct fc_sums64 {
  int64_t sum[DOT_ROWS];
} fc_sums64;

static int32_t fc_rescaled(const fc_rescale *r, double sum, size_t unit) {
  double scaled = round(sum * r->scales[unit * r->step]) + r->zero_point;
  return scaled <= r->low ? r->low : scaled >= r->high ? r->high : (int32_t)scaled;
}
static int32_t fc_rescaled32(const fc_rescale *r, uint32_t sum, const int32_t *bias, size_t unit) {
  if (bias) sum += (uint32_t)bias[unit];
  return fc_rescaled(r, (double)(int32_t)sum, unit);
}
static int64_t fc_biased64(int64_t sum, const int32_t *bias32, const int64_t *bias64, size_t unit) {
  return (int64_t)((uint64_t)sum + (bias64 ? (uint64_t)bias64[unit] : bias32 ? (uint64_t)(int64_t)bias32[unit] : 0));
}

#define FC_FUNCTION fc_f32
#define FC_ARGS fc_f32_args
#define FC_INPUT float
#define FC_FILTER float
#define FC_OUTPUT float
#define FC_OUT a->output
#define FC_SUMS dot_f32_sums
#define FC_DOT dot_f32
#define FC_STORE(r, unit, sums) requant_clamp_f32(dot_f32_fold((sums), (r)) + (a->bias ? a->bias[unit] : 0.0f), a->low, a->high)
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_s8
#define FC_ARGS fc_s8_args
#define FC_INPUT int8_t
#define FC_FILTER int8_t
#define FC_OUTPUT int8_t
#define FC_OUT a->output
#define FC_SUMS fc_sums32
#define FC_DOT(x, w, stride, n, rows, sums) \
  dot_s8((x), -a->input_zero_point, (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) fc_rescaled32(&a->out, (sums)->sum[r], a->bias, (unit))
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_u8
#define FC_ARGS fc_u8_args
#define FC_INPUT uint8_t
#define FC_FILTER uint8_t
#define FC_OUTPUT uint8_t
#define FC_OUT a->output
#define FC_SUMS fc_sums32
#define FC_DOT(x, w, stride, n, rows, sums) \
  dot_u8((x), -a->input_zero_point, (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) fc_rescaled32(&a->out, (sums)->sum[r], a->bias, (unit))
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_u8_s16
#define FC_ARGS fc_u8_args
#define FC_INPUT uint8_t
#define FC_FILTER uint8_t
#define FC_OUTPUT int16_t
#define FC_OUT a->output_s16
#define FC_SUMS fc_sums32
#define FC_DOT(x, w, stride, n, rows, sums) \
  dot_u8((x), -a->input_zero_point, (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) fc_rescaled32(&a->out, (sums)->sum[r], a->bias, (unit))
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_s16_narrow
#define FC_ARGS fc_s16_args
#define FC_INPUT int16_t
#define FC_FILTER int8_t
#define FC_OUTPUT int16_t
#define FC_OUT a->output
#define FC_SUMS fc_sums32
#define FC_DOT(x, w, stride, n, rows, sums) dot_s16_s8((x), 0, (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) fc_rescaled32(&a->out, (sums)->sum[r], a->bias32, (unit))
static
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_s16_wide
#define FC_ARGS fc_s16_args
#define FC_INPUT int16_t
#define FC_FILTER int8_t
#define FC_OUTPUT int16_t
#define FC_OUT a->output
#define FC_SUMS fc_sums64
#define FC_DOT(x, w, stride, n, rows, sums) dot_s16_s8_wide((x), (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) fc_rescaled(&a->out, (double)fc_biased64((sums)->sum[r], NULL, a->bias64, (unit)), (unit))
    static
#include "kernels/fc_template.h"

    void
    fc_s16(const fc_shape *s, const fc_s16_args *a, size_t unit0, size_t unit1) {
  if (a->bias32)
    fc_s16_narrow(s, a, unit0, unit1);
  else
    fc_s16_wide(s, a, unit0, unit1);
}

#define FC_FUNCTION fc_s16_s16
#define FC_ARGS fc_s16_s16_args
#define FC_INPUT int16_t
#define FC_FILTER int16_t
#define FC_OUTPUT int16_t
#define FC_OUT a->output
#define FC_SUMS fc_sums64
#define FC_DOT(x, w, stride, n, rows, sums) dot_s16_s16((x), (w), -a->filter_zero_point, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums) requant_sum64(&a->out, fc_biased64((sums)->sum[r], a->bias32, a->bias64, (unit)), (unit))
#include "kernels/fc_template.h"

#define FC_FUNCTION fc_hybrid
#define FC_ARGS fc_hybrid_args
#define FC_INPUT int8_t
#define FC_FILTER int8_t
#define FC_OUTPUT float
#define FC_OUT a->output
#define FC_SUMS fc_sums32
#define FC_DOT(x, w, stride, n, rows, sums) dot_s8((x), -a->input_zero_points[batch], (w), 0, (stride), (n), (rows), (sums)->sum)
#define FC_STORE(r, unit, sums)       \
  ((a->bias ? a->bias[unit] : 0.0f) + \
   (float)(int32_t)(sums)->sum[r] * (a->input_scales[batch] * a->filter_scales[(unit)*a->filter_step]))
#include "kernels/fc_template.h"
