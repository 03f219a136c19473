// SPDX-License-Identifier: Apache-2.0
// Softmax in portable C.
#include "kernels/softmax_rows.h"

#include <float.h>
#include <math.h>

#include "base/half.h"
#include "kernels/math_f32.h"
#include "quant/fixed_point.h"

void softmax_f32(size_t depth, float beta, const float *input, float *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const float *in = input + row * depth;
    float *out = output + row * depth;
    float top = -FLT_MAX, sum = 0;
    for (size_t c = 0; c < depth; c++) top = in[c] > top ? in[c] : top;
    for (size_t c = 0; c < depth; c++) out[c] = math_exp_f32((in[c] - top) * beta);
    for (size_t c = 0; c < depth; c++) sum += out[c];
    for (size_t c = 0; c < depth; c++) out[c] /= sum;
  }
}

void softmax_f16(size_t depth, float beta, const uint16_t *input, uint16_t *output, size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const uint16_t *in = input + row * depth;
    uint16_t *out = output + row * depth;
    float top = -65504.0f, sum = 0;  // the lowest half
    for (size_t c = 0; c < depth; c++) top = half_to_float(in[c]) > top ? half_to_float(in[c]) : top;
    for (size_t c = 0; c < depth; c++) {
      float e = expf((half_to_float(in[c]) - top) * beta);
      out[c] = half_from_float(e);
      sum += e;
    }
    for (size_t c = 0; c < depth; c++) out[c] = half_from_float(half_to_float(out[c]) / sum);
  }
}

bool softmax_scale_from_real(double beta, double input_scale, softmax_scale *scale) {
  double real = beta * input_scale * (1 << 26);
  if (!(real > 1.0) || !isfinite(real)) return false;
  scale->multiplier = quant_from_real(real < 2147483647.0 ? real : 2147483647.0);
  // The difference that would just leave Q5.26.
  scale->least_difference = -(int32_t)floor(31.0 * (1 << 26) / (double)(INT64_C(1) << scale->multiplier.shift));
  return true;
}

static int32_t softmax_exp(const softmax_scale *s, int32_t difference) {
  if (s->exps) return s->exps[-difference];
  if (difference < s->least_difference) return 0;
  return fixed_exp_q5(quant_high_mul(quant_shift_left(difference, s->multiplier.shift), s->multiplier.mantissa));
}

void softmax_fill_exps(const softmax_scale *scale, int32_t exps[256]) {
  softmax_scale direct = *scale;
  direct.exps = NULL;
  for (int i = 0; i < 256; i++) exps[i] = softmax_exp(&direct, -i);
}

// 1 / sum as mantissa * 2^-(bits) for a sum of exps in Q12.19; long rows may leave 32 bits.
static int32_t softmax_reciprocal(uint64_t sum, int *bits) {
  int spill = 0;
  for (; sum > UINT32_MAX; sum >>= 1) spill++;
  int zeros = fixed_leading_zeros((uint32_t)sum);
  *bits = 12 - zeros + spill;
  return fixed_one_over_one_plus((int32_t)(((uint32_t)sum << zeros) - (UINT32_C(1) << 31)));
}

// exp * reciprocal in numbers of `width` bits from 0 up.
static int32_t softmax_share(int32_t exp, int32_t reciprocal, int bits, int width) {
  int exponent = bits + 31 - width;
  return exponent > 31 ? 0 : quant_rounding_shift(quant_high_mul(reciprocal, exp), exponent);
}

#define SOFTMAX_QUANTISED(suffix, in_type, in_low, out_type, low, high)                                                \
  void softmax_##suffix(size_t depth, const softmax_scale *scale, const in_type *input, out_type *output, size_t row0, \
                        size_t row1) {                                                                                 \
    for (size_t row = row0; row < row1; row++) {                                                                       \
      const in_type *in = input + row * depth;                                                                         \
      out_type *out = output + row * depth;                                                                            \
      in_type top = in_low;                                                                                            \
      uint64_t sum = 0;                                                                                                \
      for (size_t c = 0; c < depth; c++) top = in[c] > top ? in[c] : top;                                              \
      for (size_t c = 0; c < depth; c++) sum += (uint32_t)quant_rounding_shift(softmax_exp(scale, in[c] - top), 12);   \
      int bits;                                                                                                        \
      int32_t reciprocal = softmax_reciprocal(sum, &bits);                                                             \
      for (size_t c = 0; c < depth; c++) {                                                                             \
        int32_t share = softmax_share(softmax_exp(scale, in[c] - top), reciprocal, bits, 8 * (int)sizeof(out_type));   \
        out[c] = (out_type)quant_clamp(share + (low), (low), (high));                                                  \
      }                                                                                                                \
    }                                                                                                                  \
  }
SOFTMAX_QUANTISED(s8, int8_t, INT8_MIN, int8_t, INT8_MIN, INT8_MAX)
SOFTMAX_QUANTISED(u8, uint8_t, 0, uint8_t, 0, UINT8_MAX)
SOFTMAX_QUANTISED(s8_s16, int8_t, INT8_MIN, int16_t, INT16_MIN, INT16_MAX)
SOFTMAX_QUANTISED(u8_s16, uint8_t, 0, int16_t, INT16_MIN, INT16_MAX)

// ---- 16 bits. ----

static double softmax_table_reciprocal(double x) { return 1.0 / (1.0 + x); }

// 512 steps over [first, last] and the end, in 2^-15: the ends of each step are moved by half of what linear interpolation misses
// at its middle.
static void softmax_fill_table(double (*f)(double), double first, double last, int16_t *table) {
  const double unit = 65536.0 / 2.0;
  double step = (last - first) / 512;
  for (int i = 0; i < 512; i++) {
    double here = round(f(first + i * step) * unit), next = f(first + (i + 1) * step) * unit;
    double middle = round(f(first + i * step + step / 2) * unit), interpolated = round((next + here) / 2);
    double value = here - round((interpolated - middle) / 2);
    table[i] = (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
  }
  double end = round(f(last) * unit);
  table[512] = (int16_t)(end > INT16_MAX ? INT16_MAX : end);
}

void softmax_fill_tables(softmax_tables *tables) {
  softmax_fill_table(exp, 10.0 / 65535 * (INT16_MIN - INT16_MAX), 0.0, tables->exp);
  softmax_fill_table(softmax_table_reciprocal, 0.0, 1.0 / 65535 * (INT16_MAX - INT16_MIN), tables->reciprocal);
}

// The table at -32768..32767: 9 bits choose the step, 7 interpolate in it.
static int32_t softmax_look_up(const int16_t *table, int32_t x) {
  x = quant_clamp(x, INT16_MIN, INT16_MAX);
  int step = 256 + (x >> 7);
  return (int16_t)(table[step] + (((table[step + 1] - table[step]) * (x & 127) + 64) >> 7));
}

void softmax_s16(size_t depth, quant_multiplier multiplier, const softmax_tables *tables, const int16_t *input, int16_t *output,
                 size_t row0, size_t row1) {
  for (size_t row = row0; row < row1; row++) {
    const int16_t *in = input + row * depth;
    int16_t *out = output + row * depth;
    int16_t top = INT16_MIN;
    int64_t total = 0;
    for (size_t c = 0; c < depth; c++) top = in[c] > top ? in[c] : top;
    for (size_t c = 0; c < depth; c++) {
      int32_t scaled = quant_scale(in[c] - top, multiplier);
      out[c] = (int16_t)softmax_look_up(tables->exp, scaled < -65535 ? INT16_MIN : scaled + INT16_MAX);
      total += out[c];
    }
    int32_t sum = total < 1           ? 1
                  : total > INT32_MAX ? INT32_MAX
                                      : (int32_t)total;  // Q16.15; the largest number alone gives almost 1
    int zeros = fixed_leading_zeros((uint32_t)sum);
    // The sum as 1 + x, x in 0..65535; the table takes x - 32768.
    int32_t fraction = (int32_t)((((int64_t)sum << (zeros - 1)) + (1 << 13)) >> 14) - (1 << 15) - (1 << 16);
    int32_t reciprocal = softmax_look_up(tables->reciprocal, fraction);
    int shift = 31 - zeros;
    int64_t half = shift > 0 ? INT64_C(1) << (shift - 1) : 0;
    for (size_t c = 0; c < depth; c++) {
      int64_t share = ((int64_t)out[c] * reciprocal + half) >> shift;
      out[c] = (int16_t)(share < 0 ? 0 : share > INT16_MAX ? INT16_MAX : share);
    }
  }
}
