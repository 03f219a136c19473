// SPDX-License-Identifier: Apache-2.0
// Fully connected layers of packed weights in portable C.
#include "kernels/fc_packed.h"

#include "base/half.h"
#include "kernels/dot.h"
#include "kernels/unpack.h"

enum { FC_SHUFFLE_UNITS = 4, FC_SHUFFLE_COLUMNS = 16 };

void fc_shuffled(const fc_shape *s, const fc_shuffled_args *a) {
  uint8_t *to = a->workspace;
  for (size_t k = 0; k < s->depth; k += FC_SHUFFLE_COLUMNS) {
    for (size_t batch = 0; batch < s->batches; batch++) {
      for (size_t i = 0; i < FC_SHUFFLE_COLUMNS; i++) *to++ = a->input[batch * s->depth + k + i] ^ 0x80;
    }
  }
  const int8_t *input = (const int8_t *)a->workspace;  // the flipped top bits make signed numbers of it, less 128
  for (size_t unit = 0; unit < s->units; unit += FC_SHUFFLE_UNITS) {
    const int8_t *weights = (const int8_t *)a->weights + unit * s->depth;
    for (size_t batch = 0; batch < s->batches; batch++) {
      uint32_t sums[DOT_ROWS] = {0};
      for (size_t k = 0; k < s->depth; k += FC_SHUFFLE_COLUMNS)
        dot_s8(input + k * s->batches + batch * FC_SHUFFLE_COLUMNS, 0, weights + k * FC_SHUFFLE_UNITS, 0, FC_SHUFFLE_COLUMNS,
               FC_SHUFFLE_COLUMNS, FC_SHUFFLE_UNITS, sums);
      for (size_t r = 0; r < FC_SHUFFLE_UNITS; r++) {
        uint32_t sum = a->bias ? sums[r] + (uint32_t)a->bias[unit + r] : sums[r];
        a->output[batch * s->units + unit + r] = (int16_t)requant_sum(&a->out, (int32_t)sum, 0);
      }
    }
  }
}

void fc_blockwise(const fc_shape *s, const fc_blockwise_args *a, size_t unit0, size_t unit1) {
  size_t blocks = s->depth / a->block;
  for (size_t unit = unit0; unit < unit1; unit++) {
    float weight_sum = 0;  // of the unit's weights: what the input's zero point adds to its product
    for (size_t batch = 0; batch < s->batches; batch++) a->output[batch * s->units + unit] = 0;
    for (size_t b = 0; b < blocks; b++) {
      size_t first = unit * s->depth + b * a->block;
      float scale = half_to_float(a->scales[unit * blocks + b]);
      int32_t sum = 0;
      unpack_s4_from(a->weights, first, a->block, a->unpacked);
      for (size_t i = 0; i < a->block; i++) sum += a->unpacked[i];
      weight_sum += scale * (float)sum;
      for (size_t batch = 0; batch < s->batches; batch++) {
        uint32_t product = 0;
        dot_s8(a->input + batch * s->depth + b * a->block, 0, a->unpacked, 0, 0, a->block, 1, &product);
        a->output[batch * s->units + unit] += (float)(int32_t)product * scale;
      }
    }
    for (size_t batch = 0; batch < s->batches; batch++) {
      float *out = &a->output[batch * s->units + unit];
      *out = (*out - (float)a->input_zero_points[batch] * weight_sum) * a->input_scales[batch] + (a->bias ? a->bias[unit] : 0.0f);
    }
  }
}
