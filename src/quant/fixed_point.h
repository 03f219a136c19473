// SPDX-License-Identifier: Apache-2.0
// Functions of fixed-point numbers: 1 / x and 1 / sqrt(x) as quantised kernels of the reference compute them, bit for bit.
// Source of the rules: TFLite internal/common.h (GetReciprocal, GetInvSqrtQuantizedMultiplierExp) over gemmlowp's fixedpoint.h. Qn below is a number with
// n integer bits: raw / 2^(31 - n). The product of Qa and Qb is Q(a + b), rounded and saturated (quant_high_mul).
#ifndef QUANT_FIXED_POINT_H
#define QUANT_FIXED_POINT_H

#include "quant/quant.h"

// 1 / x for x > 0: returns r in Q0, and *shift such that 1 / x = r / 2^31 / 2^shift.
int32_t fixed_reciprocal(int32_t x, int *shift);

// 1 / sqrt(x) for x >= 0 (0 counts as 1): a multiplier for quant_scale.
quant_multiplier fixed_inverse_sqrt(int32_t x);

#endif
