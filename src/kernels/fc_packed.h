// SPDX-License-Identifier: Apache-2.0
// Fully connected layers whose weights are stored in an order or a precision of their own.
#ifndef KERNELS_FC_PACKED_H
#define KERNELS_FC_PACKED_H

#include "kernels/fc.h"

// uint8 layers with weights shuffled into blocks of 4 units x 16 columns, their top bits flipped; both zero points are 128.
// batches is 1 or 4, units a multiple of 4, depth of 16. workspace: batches * depth bytes, becomes the input in the same order.
// Source of the format: TFLite reference, fully_connected.h (ShuffledFullyConnected).
typedef struct fc_shuffled_args {
  const uint8_t *input, *weights;
  const int32_t *bias;  // may be NULL
  int16_t *output;
  uint8_t *workspace;
  requant out;
} fc_shuffled_args;
void fc_shuffled(const fc_shape *s, const fc_shuffled_args *a);

// Float activations quantised batch by batch, int4 weights with a scale for each `block` columns of a unit. depth is even and a
// multiple of block. Source of the arithmetic: TFLite, fully_connected.cc (EvalBlockwise4Bit).
typedef struct fc_blockwise_args {
  const int8_t *input;               // quantised
  const float *input_scales;         // [batches]
  const int32_t *input_zero_points;  // [batches]
  const uint8_t *weights;            // [units, depth], two an byte, the first in the low bits
  const uint16_t *scales;            // [units, depth / block], half precision
  size_t block;
  const float *bias;  // may be NULL
  float *output;      // without activation
  int8_t *unpacked;   // [block], scratch
} fc_blockwise_args;
void fc_blockwise(const fc_shape *s, const fc_blockwise_args *a, size_t unit0, size_t unit1);

#endif
