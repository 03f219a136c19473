// SPDX-License-Identifier: Apache-2.0
// Real multipliers to fixed point.
#include "quant/quant.h"

#include <math.h>

quant_multiplier quant_from_real(double real) {
  if (real == 0.0) return (quant_multiplier){0, 0};
  int shift;
  double fraction = frexp(real, &shift);
  int64_t mantissa = (int64_t)round(fraction * 2147483648.0);
  if (mantissa == INT64_C(1) << 31) {
    mantissa /= 2;
    shift++;
  }
  if (shift < -31) return (quant_multiplier){0, 0};
  if (shift > 30) return (quant_multiplier){INT32_MAX, 30};
  return (quant_multiplier){(int32_t)mantissa, shift};
}
