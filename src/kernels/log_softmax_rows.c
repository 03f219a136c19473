// SPDX-License-Identifier: Apache-2.0
// Logarithm of softmax in portable C.
#include <float.h>
#include <math.h>

#include "kernels/softmax_rows.h"
#include "quant/fixed_point.h"

void log_softmax_f32(size_t depth, const float *input, float *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const float *in = input + row * depth;
    float *out = output + row * depth;
    float top = -FLT_MAX, sum = 0;
    for (size_t c = 0; c < depth; c++) top = in[c] > top ? in[c] : top;
    for (size_t c = 0; c < depth; c++) sum += expf(in[c] - top);
    float log_sum = logf(sum);
    for (size_t c = 0; c < depth; c++) out[c] = in[c] - top - log_sum;
  }
}

bool log_softmax_scale_from_real(double input_scale, log_softmax_scale *scale) {
  if (!softmax_scale_from_real(1.0, input_scale, &scale->forward)) return false;
  quant_multiplier m = scale->forward.multiplier;
  double real = (double)(INT64_C(1) << (31 - m.shift)) / (double)m.mantissa;
  if (!(real > 0 && real < 1)) return false;
  scale->backward = quant_from_real(real);
  return true;
}

static int32_t log_softmax_scaled(const log_softmax_scale *s, int32_t difference) {
  return quant_high_mul(quant_shift_left(difference, s->forward.multiplier.shift), s->forward.multiplier.mantissa);
}

// log of the row's sum of exps in Q5.26; *least becomes the difference that, and below which, the output is the lowest number.
static int32_t log_softmax_sum(const log_softmax_scale *s, uint64_t sum, int32_t *least) {
  int32_t log_sum = fixed_log_q12(sum > INT32_MAX ? INT32_MAX : (int32_t)sum);
  int32_t reach = quant_scale(log_sum + INT32_MIN, s->backward);  // INT32_MIN and the log of the sum still fit Q5.26 there
  int32_t bound = s->forward.least_difference - 1;
  *least = reach > bound ? reach : bound;
  return log_sum;
}

#define LOG_SOFTMAX_QUANTISED(suffix, type, low, high)                                                                      \
  void log_softmax_##suffix(size_t depth, const log_softmax_scale *scale, const type *input, type *output, size_t row0,     \
                            size_t row1) {                                                                                  \
    for (size_t row = row0; row < row1; row++) {                                                                            \
      const type *in = input + row * depth;                                                                                 \
      type *out = output + row * depth;                                                                                     \
      type top = low;                                                                                                       \
      uint64_t sum = 0;                                                                                                     \
      int32_t least;                                                                                                        \
      for (size_t c = 0; c < depth; c++) top = in[c] > top ? in[c] : top;                                                   \
      for (size_t c = 0; c < depth; c++) {                                                                                  \
        int32_t difference = in[c] - top;                                                                                   \
        if (difference >= scale->forward.least_difference)                                                                  \
          sum += (uint32_t)quant_rounding_shift(fixed_exp_q5(log_softmax_scaled(scale, difference)), 12);                   \
      }                                                                                                                     \
      int32_t log_sum = log_softmax_sum(scale, sum, &least);                                                                \
      for (size_t c = 0; c < depth; c++) {                                                                                  \
        int32_t difference = in[c] - top;                                                                                   \
        int32_t share = (int32_t)((uint32_t)log_softmax_scaled(scale, difference) - (uint32_t)log_sum);                     \
        out[c] = (type)(difference > least ? quant_clamp(quant_rounding_shift(share, 22) + (high), (low), (high)) : (low)); \
      }                                                                                                                     \
    }                                                                                                                       \
  }
LOG_SOFTMAX_QUANTISED(s8, int8_t, INT8_MIN, INT8_MAX)
LOG_SOFTMAX_QUANTISED(u8, uint8_t, 0, UINT8_MAX)
