// SPDX-License-Identifier: Apache-2.0
// Activations fused into recurrent operators, on floats in place.
#ifndef KERNELS_ACTIVATE_H
#define KERNELS_ACTIVATE_H

#include "base/compiler.h"

// Numbered as TfLiteFusedActivation.
typedef enum activate_kind {
  ACTIVATE_NONE = 0,
  ACTIVATE_RELU,
  ACTIVATE_RELU_N1_TO_1,
  ACTIVATE_RELU6,
  ACTIVATE_TANH,
  ACTIVATE_SIGN_BIT,  // 1 for negative numbers (and -0), else 0
  ACTIVATE_SIGMOID,
} activate_kind;

void activate_f32(float *x, size_t n, activate_kind kind);

#endif
