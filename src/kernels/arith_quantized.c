// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic on quantised 8-bit and 16-bit integers, bit for bit as the reference.
#include "kernels/arith.h"
#include "kernels/rows.h"
#include "quant/fixed_point.h"

static inline int32_t add_wrapped(int32_t x, int32_t y) { return (int32_t)((uint32_t)x + (uint32_t)y); }
static inline int32_t sub_wrapped(int32_t x, int32_t y) { return (int32_t)((uint32_t)x - (uint32_t)y); }
static inline int32_t mul_wrapped(int32_t x, int32_t y) { return (int32_t)((uint32_t)x * (uint32_t)y); }

static inline int32_t finish(int32_t x, const arith_quantized *p) {
  return quant_clamp(add_wrapped(quant_scale(x, p->out), p->offset_out), p->low, p->high);
}
static inline int32_t operand_x(int32_t q, const arith_quantized *p) {
  return quant_scale(quant_shift_left(add_wrapped(q, p->offset_x), p->left_shift), p->x);
}
static inline int32_t operand_y(int32_t q, const arith_quantized *p) {
  return quant_scale(quant_shift_left(add_wrapped(q, p->offset_y), p->left_shift), p->y);
}
static inline int32_t squared_difference(int32_t x, int32_t y, const arith_quantized *p) {
  int32_t difference = sub_wrapped(operand_x(x, p), operand_y(y, p));
  return finish(mul_wrapped(difference, difference), p);
}
static inline int32_t product(int32_t x, int32_t y, const arith_quantized *p) {
  return finish(mul_wrapped(add_wrapped(x, p->offset_x), add_wrapped(y, p->offset_y)), p);
}

#define ROW_QUANTIZED ROW_PARAMS(arith_quantized)
#define ROW_SUM finish(add_wrapped(operand_x(x, &p), operand_y(y, &p)), &p)
#define ROW_DIFFERENCE finish(sub_wrapped(operand_x(x, &p), operand_y(y, &p)), &p)

ROW2(row_add_q8, int8_t, int8_t, ROW_QUANTIZED, ROW_SUM)
ROW2(row_add_qu8, uint8_t, uint8_t, ROW_QUANTIZED, ROW_SUM)
ROW2(row_add_q16, int16_t, int16_t, ROW_QUANTIZED, ROW_SUM)
const broadcast_rows arith_add_quantized = {.i8 = row_add_q8, .u8 = row_add_qu8, .i16 = row_add_q16};

ROW2(row_sub_q8, int8_t, int8_t, ROW_QUANTIZED, ROW_DIFFERENCE)
ROW2(row_sub_qu8, uint8_t, uint8_t, ROW_QUANTIZED, ROW_DIFFERENCE)
ROW2(row_sub_q16, int16_t, int16_t, ROW_QUANTIZED, ROW_DIFFERENCE)
const broadcast_rows arith_sub_quantized = {.i8 = row_sub_q8, .u8 = row_sub_qu8, .i16 = row_sub_q16};

ROW2_SLOW(row_squared_difference_q8, int8_t, int8_t, ROW_QUANTIZED, squared_difference(x, y, &p))
const broadcast_rows arith_squared_difference_quantized = {.i8 = row_squared_difference_q8};

ROW2(row_mul_q8, int8_t, int8_t, ROW_QUANTIZED, product(x, y, &p))
ROW2(row_mul_qu8, uint8_t, uint8_t, ROW_QUANTIZED, product(x, y, &p))
ROW2(row_mul_q16, int16_t, int16_t, ROW_QUANTIZED, product(x, y, &p))
const broadcast_rows arith_mul_quantized = {.i8 = row_mul_q8, .u8 = row_mul_qu8, .i16 = row_mul_q16};

// (x / 2^15) * (y / 2^15) in steps of 2^-7: a 16-bit doubling high multiply, then a rounding shift.
static inline int32_t fraction_product(int16_t x, int16_t y) {
  if (x == INT16_MIN && y == INT16_MIN) return quant_rounding_shift(INT16_MAX, 8);
  int32_t exact = x * y, nudge = exact >= 0 ? 1 << 14 : 1 - (1 << 14);
  return quant_rounding_shift((exact + nudge) / (1 << 15), 8);
}
ROW2_SLOW(row_mul_q16_to_q8, int16_t, int8_t, ROW_QUANTIZED, quant_clamp(fraction_product(x, y) + p.offset_out, p.low, p.high))
ROW2_SLOW(row_mul_q16_to_qu8, int16_t, uint8_t, ROW_QUANTIZED, quant_clamp(fraction_product(x, y) + p.offset_out, p.low, p.high))
const broadcast_row arith_mul_i16_to_i8 = row_mul_q16_to_q8;
const broadcast_row arith_mul_i16_to_u8 = row_mul_q16_to_qu8;

#define SHIFTS ROW_PARAMS(arith_shifts)
ROW2_SLOW(row_add_shifted, int16_t, int16_t, SHIFTS,
          quant_clamp(quant_rounding_shift(x, p.right_x) + quant_rounding_shift(y, p.right_y), p.low, p.high))
ROW2_SLOW(row_sub_shifted, int16_t, int16_t, SHIFTS,
          quant_clamp(quant_rounding_shift(x, p.right_x) - quant_rounding_shift(y, p.right_y), p.low, p.high))
const broadcast_rows arith_add_shifted = {.i16 = row_add_shifted};
const broadcast_rows arith_sub_shifted = {.i16 = row_sub_shifted};

// How often x can be doubled: its copies of the sign bit, less one; 31 for 0.
static inline int sign_copies(int32_t x) {
  uint32_t magnitude = (uint32_t)(x < 0 ? ~x : x);
  int n = 31;
  for (; magnitude; magnitude >>= 1) n--;
  return n;
}

int32_t arith_divide_quantized(int32_t x, int32_t y, quant_multiplier out) {
  if (y < 0) {
    x = -x;
    y = -y;
  }
  int shift, headroom = sign_copies(x);
  int32_t inverse = fixed_reciprocal(y, &shift);
  int32_t quotient = quant_high_mul(quant_shift_left(x, headroom), inverse);
  // Where the reference would shift by more than a word or to the left (scales far apart) it is not defined; the true value is.
  int right = shift + headroom - out.shift;
  if (right < 0) return quant_high_mul(quotient, out.mantissa) == 0 ? 0 : quotient < 0 ? INT32_MIN : INT32_MAX;
  return right > 31 ? 0 : quant_rounding_shift(quant_high_mul(quotient, out.mantissa), right);
}

static inline int32_t quotient(int32_t x, int32_t y, const arith_quantized *p) {
  int64_t shifted =
      (int64_t)arith_divide_quantized(add_wrapped(x, p->offset_x), add_wrapped(y, p->offset_y), p->out) + p->offset_out;
  return (int32_t)(shifted < p->low ? p->low : shifted > p->high ? p->high : shifted);
}
ROW2_SLOW(row_div_q8, int8_t, int8_t, ROW_QUANTIZED, quotient(x, y, &p))
ROW2_SLOW(row_div_qu8, uint8_t, uint8_t, ROW_QUANTIZED, quotient(x, y, &p))
ROW2_SLOW(row_div_q16, int16_t, int16_t, ROW_QUANTIZED, quotient(x, y, &p))
const broadcast_rows arith_div_quantized = {.i8 = row_div_q8, .u8 = row_div_qu8, .i16 = row_div_q16};

static inline int32_t prelu(int32_t x, int32_t y, const arith_prelu_params *p) {
  x += p->offset_x;
  int32_t r = x >= 0 ? quant_scale(x, p->positive) : quant_scale(mul_wrapped(x, y + p->offset_y), p->negative);
  return quant_clamp(add_wrapped(r, p->offset_out), p->low, p->high);
}
#define ROW_PRELU ROW_PARAMS(arith_prelu_params)
ROW2_SLOW(row_prelu_q8, int8_t, int8_t, ROW_PRELU, prelu(x, y, &p))
ROW2_SLOW(row_prelu_qu8, uint8_t, uint8_t, ROW_PRELU, prelu(x, y, &p))
ROW2_MIXED(row_prelu_q16, int16_t, int8_t, int16_t, ROW_PRELU, prelu(x, y, &p))
const broadcast_rows arith_prelu_quantized = {.i8 = row_prelu_q8, .u8 = row_prelu_qu8, .i16 = row_prelu_q16};
