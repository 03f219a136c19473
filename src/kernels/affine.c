// SPDX-License-Identifier: Apache-2.0
// Quantising and dequantising arrays.
#include "kernels/affine.h"

#include <math.h>
#include <string.h>

#include "base/half.h"
#include "kernels/rows.h"

// To the nearest integer, ties away from zero; |x| < 2^31. The largest float below 1/2 is added: 1/2 itself would lift 0.49999997
// to 1.
static inline int32_t round_away(float x) {
  float half = half_bits_float((half_float_bits(x) & 0x80000000u) | 0x3EFFFFFFu);
  return (int32_t)(x + half);
}

static inline int32_t quantize_one(float x, const affine_real *p) {
  float steps = x / p->scale;
  steps = steps > -1e9f ? steps : -1e9f;  // a NaN too
  steps = steps < 1e9f ? steps : 1e9f;
  return quant_clamp(round_away(steps) + p->zero_point, p->low, p->high);
}
ROW1(row_quantize_i8, float, int8_t, ROW_PARAMS(affine_real), quantize_one(x, &p))
ROW1(row_quantize_u8, float, uint8_t, ROW_PARAMS(affine_real), quantize_one(x, &p))
ROW1(row_quantize_i16, float, int16_t, ROW_PARAMS(affine_real), quantize_one(x, &p))
const broadcast_row affine_to_i8 = row_quantize_i8, affine_to_u8 = row_quantize_u8, affine_to_i16 = row_quantize_i16;

// The reference multiplies in double and rounds once; so does this: differences of 8-bit and 16-bit numbers are exact floats.
#define DEQUANTIZED (float)((int32_t)((uint32_t)x - (uint32_t)p.zero_point)) * p.scale
ROW1(row_dequantize_i8, int8_t, float, ROW_PARAMS(affine_real), DEQUANTIZED)
ROW1(row_dequantize_u8, uint8_t, float, ROW_PARAMS(affine_real), DEQUANTIZED)
ROW1(row_dequantize_i16, int16_t, float, ROW_PARAMS(affine_real), DEQUANTIZED)
const broadcast_rows affine_to_f32 = {.i8 = row_dequantize_i8, .u8 = row_dequantize_u8, .i16 = row_dequantize_i16};

static inline int32_t rescale_one(int32_t q, const affine_ratio *p) {
  int32_t scaled = quant_scale((int32_t)((uint32_t)q - (uint32_t)p->zero_point_in), p->ratio);
  return quant_clamp((int32_t)((uint32_t)scaled + (uint32_t)p->zero_point_out), p->low, p->high);
}
#define RESCALE ROW_PARAMS(affine_ratio)
ROW1(row_rescale_i8_i8, int8_t, int8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_u8_i8, uint8_t, int8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i16_i8, int16_t, int8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i32_i8, int32_t, int8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i8_u8, int8_t, uint8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_u8_u8, uint8_t, uint8_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i8_i16, int8_t, int16_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_u8_i16, uint8_t, int16_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i16_i16, int16_t, int16_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i32_i16, int32_t, int16_t, RESCALE, rescale_one(x, &p))
ROW1(row_rescale_i16_i32, int16_t, int32_t, RESCALE, rescale_one(x, &p))
const broadcast_rows affine_rescale_to_i8 = {
    .i8 = row_rescale_i8_i8, .u8 = row_rescale_u8_i8, .i16 = row_rescale_i16_i8, .i32 = row_rescale_i32_i8};
const broadcast_rows affine_rescale_to_u8 = {.i8 = row_rescale_i8_u8, .u8 = row_rescale_u8_u8};
const broadcast_rows affine_rescale_to_i16 = {
    .i8 = row_rescale_i8_i16, .u8 = row_rescale_u8_i16, .i16 = row_rescale_i16_i16, .i32 = row_rescale_i32_i16};
const broadcast_rows affine_rescale_to_i32 = {.i16 = row_rescale_i16_i32};

static inline float fake_one(float x, float inverse_scale, const affine_fake *p) {
  float clamped = p->low < x ? x : p->low;
  clamped = clamped < p->high ? clamped : p->high;
  return (float)round_away((clamped - p->low) * inverse_scale) * p->scale + p->low;
}
static void row_fake_quantize(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  const affine_fake p = *(const affine_fake *)params;
  const float inverse_scale = 1.0f / p.scale, *xs = in[0];
  float *rs = out;
  (void)step;
  for (size_t i = 0; i < n; i++) rs[i] = fake_one(xs[i], inverse_scale, &p);
}
const broadcast_row affine_fake_quantize = row_fake_quantize;

affine_fake affine_nudge(float low, float high, int num_bits) {
  float most = (float)((1 << num_bits) - 1);
  float scale = (high - low) / most;
  float exact = 0.0f - low / scale;  // where 0 would lie
  float zero_point = exact < 0.0f ? 0.0f : exact > most ? most : roundf(exact);
  return (affine_fake){.low = (0.0f - zero_point) * scale, .high = (most - zero_point) * scale, .scale = scale};
}

ROW1(row_half_to_f32, uint16_t, float, ROW_PLAIN, half_to_float(x))
const broadcast_row affine_half_to_f32 = row_half_to_f32;

void affine_unpack(const uint8_t *packed, int bits, bool is_signed, size_t first, size_t n, int8_t *out) {
  const unsigned per_byte = 8u / (unsigned)bits, mask = (1u << bits) - 1, sign = is_signed ? 1u << (bits - 1) : 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = first + i;
    unsigned value = packed[at / per_byte] >> (at % per_byte * (unsigned)bits) & mask;
    out[i] = (int8_t)((int)(value ^ sign) - (int)sign);
  }
}

void affine_pack(const int8_t *in, size_t n, int bits, uint8_t *packed) {
  const unsigned per_byte = 8u / (unsigned)bits, mask = (1u << bits) - 1;
  for (size_t i = 0; i < n; i += per_byte) {
    unsigned byte = 0;
    for (unsigned k = 0; k < per_byte && i + k < n; k++) byte |= ((unsigned)in[i + k] & mask) << (k * (unsigned)bits);
    packed[i / per_byte] = (uint8_t)byte;
  }
}
