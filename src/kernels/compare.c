// SPDX-License-Identifier: Apache-2.0
// Comparison rows.
#include "kernels/compare.h"

#include "base/half.h"
#include "kernels/rows.h"

static inline int32_t comparable(int32_t q, int32_t offset, quant_multiplier scale) {
  return quant_scale(quant_shift_left((int32_t)((uint32_t)q + (uint32_t)offset), 8), scale);
}

// All rows of one comparison.
#define COMPARISON(name, operator)                                                                             \
  ROW2(row_##name##_f32, float, uint8_t, ROW_PLAIN, x operator y)                                              \
  ROW2(row_##name##_i32, int32_t, uint8_t, ROW_PLAIN, x operator y)                                            \
  ROW2_SLOW(row_##name##_f16, uint16_t, uint8_t, ROW_PLAIN, half_to_float(x) operator half_to_float(y))        \
  ROW2_SLOW(row_##name##_bf16, uint16_t, uint8_t, ROW_PLAIN, half_from_bfloat(x) operator half_from_bfloat(y)) \
  ROW2_SLOW(row_##name##_i8, int8_t, uint8_t, ROW_PLAIN, x operator y)                                         \
  ROW2_SLOW(row_##name##_u8, uint8_t, uint8_t, ROW_PLAIN, x operator y)                                        \
  ROW2_SLOW(row_##name##_i16, int16_t, uint8_t, ROW_PLAIN, x operator y)                                       \
  ROW2_SLOW(row_##name##_i64, int64_t, uint8_t, ROW_PLAIN, x operator y)                                       \
  ROW2_SLOW(row_##name##_bool, uint8_t, uint8_t, ROW_PLAIN, (x != 0) operator (y != 0))                         \
  ROW2_SLOW(row_##name##_q8, int8_t, uint8_t, ROW_PARAMS(compare_quantized),                                   \
            comparable(x, p.offset_x, p.x) operator comparable(y, p.offset_y, p.y))                            \
  ROW2_SLOW(row_##name##_qu8, uint8_t, uint8_t, ROW_PARAMS(compare_quantized),                                 \
            comparable(x, p.offset_x, p.x) operator comparable(y, p.offset_y, p.y))                            \
  ROW2_SLOW(row_##name##_q16, int16_t, uint8_t, ROW_PARAMS(compare_quantized),                                 \
            comparable(x, p.offset_x, p.x) operator comparable(y, p.offset_y, p.y))                            \
  const broadcast_rows compare_##name = {.f32 = row_##name##_f32,                                              \
                                         .f16 = row_##name##_f16,                                              \
                                         .bf16 = row_##name##_bf16,                                            \
                                         .i8 = row_##name##_i8,                                                \
                                         .u8 = row_##name##_u8,                                                \
                                         .i16 = row_##name##_i16,                                              \
                                         .i32 = row_##name##_i32,                                              \
                                         .i64 = row_##name##_i64,                                              \
                                         .boolean = row_##name##_bool};                                        \
  const broadcast_rows compare_##name##_quantized = {.i8 = row_##name##_q8, .u8 = row_##name##_qu8, .i16 = row_##name##_q16};

COMPARISON(equal, ==)
COMPARISON(not_equal, !=)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
