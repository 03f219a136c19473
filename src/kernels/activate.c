// SPDX-License-Identifier: Apache-2.0
// Activations on floats.
#include "kernels/activate.h"

#include <math.h>

static void activate_clamp(float *x, size_t n, float low, float high) {
  for (size_t i = 0; i < n; i++) {
    float v = x[i] < low ? low : x[i];
    x[i] = v > high ? high : v;
  }
}

void activate_f32(float *x, size_t n, activate_kind kind) {
  switch (kind) {
    case ACTIVATE_NONE: break;
    case ACTIVATE_RELU: activate_clamp(x, n, 0.0f, INFINITY); break;
    case ACTIVATE_RELU_N1_TO_1: activate_clamp(x, n, -1.0f, 1.0f); break;
    case ACTIVATE_RELU6: activate_clamp(x, n, 0.0f, 6.0f); break;
    case ACTIVATE_TANH:
      for (size_t i = 0; i < n; i++) x[i] = tanhf(x[i]);
      break;
    case ACTIVATE_SIGN_BIT:
      for (size_t i = 0; i < n; i++) x[i] = signbit(x[i]) ? 1.0f : 0.0f;
      break;
    case ACTIVATE_SIGMOID:
      for (size_t i = 0; i < n; i++) x[i] = 1.0f / (1.0f + expf(-x[i]));
      break;
  }
}
