// SPDX-License-Identifier: Apache-2.0
// Softmax of rows: output[row, c] = exp(beta * input[row, c]) / sum over c of exp(beta * input[row, c]).
// A call makes rows row0..row1-1; input and output may be the same memory when their types are.
// Sources of the arithmetic: TFLite reference, softmax.h and quantization_util.cc.
#ifndef KERNELS_SOFTMAX_ROWS_H
#define KERNELS_SOFTMAX_ROWS_H

#include "quant/quant.h"

void softmax_f32(size_t depth, float beta, const float *input, float *output, size_t row0, size_t row1);
// Half precision, summed in single.
void softmax_f16(size_t depth, float beta, const uint16_t *input, uint16_t *output, size_t row0, size_t row1);

// 8-bit inputs: differences from the row's largest number become Q5.26.
typedef struct softmax_scale {
  quant_multiplier multiplier;
  int32_t least_difference;  // smaller ones count as exp = 0
  const int32_t *exps;       // [256] or NULL: exp of difference -i in Q0.31, 0 below the least difference
} softmax_scale;

// False when beta * input_scale is out of range (not above 2^-26, or not finite).
bool softmax_scale_from_real(double beta, double input_scale, softmax_scale *scale);
void softmax_fill_exps(const softmax_scale *scale, int32_t exps[256]);

void softmax_s8(size_t depth, const softmax_scale *scale, const int8_t *input, int8_t *output, size_t row0, size_t row1);
void softmax_u8(size_t depth, const softmax_scale *scale, const uint8_t *input, uint8_t *output, size_t row0, size_t row1);
void softmax_s8_s16(size_t depth, const softmax_scale *scale, const int8_t *input, int16_t *output, size_t row0, size_t row1);
void softmax_u8_s16(size_t depth, const softmax_scale *scale, const uint8_t *input, int16_t *output, size_t row0, size_t row1);

// 16-bit inputs: exp and reciprocal from tables with linear interpolation. The multiplier takes differences to -65535..0 for
// exp(-10)..1.
enum { SOFTMAX_TABLE = 513 };
typedef struct softmax_tables {
  int16_t exp[SOFTMAX_TABLE];         // exp(x) for x in -10..0
  int16_t reciprocal[SOFTMAX_TABLE];  // 1 / (1 + x) for x in 0..1
} softmax_tables;
void softmax_fill_tables(softmax_tables *tables);
void softmax_s16(size_t depth, quant_multiplier multiplier, const softmax_tables *tables, const int16_t *input, int16_t *output,
                 size_t row0, size_t row1);

// ---- Logarithm of softmax. Source: TFLite reference, log_softmax.h and integer_ops/log_softmax.h. ----
void log_softmax_f32(size_t depth, const float *input, float *output, size_t row0, size_t row1);

// 8-bit outputs have scale 1/16 and the type's largest number as zero point.
typedef struct log_softmax_scale {
  softmax_scale forward;
  quant_multiplier backward;  // from Q5.26 to differences
} log_softmax_scale;
// False when input_scale is out of range.
bool log_softmax_scale_from_real(double input_scale, log_softmax_scale *scale);
void log_softmax_s8(size_t depth, const log_softmax_scale *scale, const int8_t *input, int8_t *output, size_t row0, size_t row1);
void log_softmax_u8(size_t depth, const log_softmax_scale *scale, const uint8_t *input, uint8_t *output, size_t row0,
                    size_t row1);

#endif
