// SPDX-License-Identifier: Apache-2.0
// Fourier transforms: the plan, and the four number types of fft_template.h.
#include "kernels/fft.h"

#include <math.h>

#define FFT_PI 3.14159265358979323846

// Fours first, then twos, threes, fives: the order that KISS FFT takes, which fixes where fixed-point results round.
bool fft_plan_init(fft_plan *plan, int real_length, bool inverse) {
  if (real_length < 4 || real_length % 2 != 0) return false;
  *plan = (fft_plan){.half = real_length / 2, .inverse = inverse};
  static const int8_t radices[] = {4, 2, 3, 5};
  int rest = plan->half;
  for (size_t i = 0; i < BASE_COUNT(radices); i++) {
    for (; rest % radices[i] == 0 && plan->stages < FFT_MAX_STAGES; rest /= radices[i]) plan->radix[plan->stages++] = radices[i];
  }
  return rest == 1;
}

#define FFT(name) name##_f32
#define FFT_REAL float
#define FFT_CX fft_complex_f32
#define FFT_FIXED 0
#include "kernels/fft_template.h"

#define FFT(name) name##_f64
#define FFT_REAL double
#define FFT_CX fft_complex_f64
#define FFT_FIXED 0
#include "kernels/fft_template.h"

#define FFT(name) name##_s16
#define FFT_REAL int16_t
#define FFT_CX fft_complex_s16
#define FFT_FIXED 1
#define FFT_WIDE uint32_t
#define FFT_SIGNED_WIDE int32_t
#define FFT_BITS 15
#define FFT_ONE 32767
#include "kernels/fft_template.h"
#undef FFT_WIDE
#undef FFT_SIGNED_WIDE
#undef FFT_BITS
#undef FFT_ONE

#define FFT(name) name##_s32
#define FFT_REAL int32_t
#define FFT_CX fft_complex_s32
#define FFT_FIXED 1
#define FFT_WIDE uint64_t
#define FFT_SIGNED_WIDE int64_t
#define FFT_BITS 31
#define FFT_ONE 2147483647
#include "kernels/fft_template.h"
#undef FFT_WIDE
#undef FFT_SIGNED_WIDE
#undef FFT_BITS
#undef FFT_ONE
