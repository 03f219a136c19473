// SPDX-License-Identifier: Apache-2.0
// Functions of quantised numbers by table: 256 bytes for 8-bit types, 513 interpolation points for 16-bit ones.
// Source of the rules: TFLite internal/common.h (LUTPopulate, LUTLookup).
#ifndef KERNELS_TABLE_H
#define KERNELS_TABLE_H

#include "kernels/broadcast.h"

enum { TABLE_SIZE_8 = 256, TABLE_POINTS_16 = 513 };

typedef float (*table_function)(float x, const void *params);

typedef struct table_scales {
  float in, out;  // > 0
  int32_t zero_point_in, zero_point_out;
} table_scales;

// table[byte of q] = byte of round(f(real value of q) / scale) + zero point, saturated; signed 8-bit numbers or unsigned ones.
void table_build_8(uint8_t *table, bool is_signed, const table_scales *scales, table_function f, const void *params);
// Points 128 quanta apart, each moved by half the error that a straight line would have in the middle.
void table_build_16(int16_t *points, const table_scales *scales, table_function f, const void *params);

// Rows; params is the table. An element is its byte, signed or not.
extern const broadcast_row table_row_8, table_row_16;

// The logistic function and tanh of 16-bit numbers from one table with interpolation, as rows on i16.
typedef struct table_sigmoid {
  int32_t multiplier;  // (input * multiplier) >> shift is in steps of 1 / (3 * 4096)
  int shift;           // 0..31
} table_sigmoid;
extern const broadcast_row table_row_logistic_16, table_row_tanh_16;
// How an input scale > 0 is brought to those steps. doublings: how often an input of a power-of-two scale may be doubled (0 or
// 1).
table_sigmoid table_sigmoid_of_scale(float scale, int doublings);

#endif
