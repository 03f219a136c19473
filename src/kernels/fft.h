// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of lengths 2^a 3^b 5^c, in floats and in fixed point of 16 and 32 bits. The fixed-point ones divide by the
// radix in every stage, and round where KISS FFT (version 1.3.0) rounds, so that results agree with TFLite Micro's bit for bit. A
// spectrum of a real signal of n values holds n / 2 + 1 numbers, from 0 to half the sampling rate.
#ifndef KERNELS_FFT_H
#define KERNELS_FFT_H

#include "base/compiler.h"

typedef struct fft_complex_s16 {
  int16_t re, im;
} fft_complex_s16;
typedef struct fft_complex_s32 {
  int32_t re, im;
} fft_complex_s32;
typedef struct fft_complex_f32 {
  float re, im;
} fft_complex_f32;
typedef struct fft_complex_f64 {
  double re, im;
} fft_complex_f64;

enum { FFT_MAX_STAGES = 20 };

// How a real signal of 2 * half values is transformed: as `half` complex numbers, then put apart.
typedef struct fft_plan {
  int half;
  bool inverse;
  int stages;
  int radix[FFT_MAX_STAGES];  // 2, 3, 4 or 5; their product is half
  const void *twiddles;       // of the complex transform [half], then those of putting apart [half / 2]
} fft_plan;

// Fills all but the twiddles; false for lengths that there is no transform for. real_length: even, at least 4.
bool fft_plan_init(fft_plan *plan, int real_length, bool inverse);
// Numbers of complex type behind plan->twiddles.
static inline size_t fft_twiddle_count(const fft_plan *plan) { return (size_t)plan->half + (size_t)plan->half / 2; }
void fft_twiddles_s16(const fft_plan *plan, fft_complex_s16 *twiddles);
void fft_twiddles_s32(const fft_plan *plan, fft_complex_s32 *twiddles);
void fft_twiddles_f32(const fft_plan *plan, fft_complex_f32 *twiddles);

// signal [2 * half] to spectrum [half + 1]; scratch: half complex numbers. Fixed point: the result is divided by 2 * half.
void fft_real_s16(const fft_plan *plan, const int16_t *signal, fft_complex_s16 *spectrum, fft_complex_s16 *scratch);
void fft_real_s32(const fft_plan *plan, const int32_t *signal, fft_complex_s32 *spectrum, fft_complex_s32 *scratch);
void fft_real_f32(const fft_plan *plan, const float *signal, fft_complex_f32 *spectrum, fft_complex_f32 *scratch);
void fft_twiddles_f64(const fft_plan *plan, fft_complex_f64 *twiddles);
void fft_real_f64(const fft_plan *plan, const double *signal, fft_complex_f64 *spectrum, fft_complex_f64 *scratch);
// The way back, with a plan made for it. Floats: the result is multiplied by 2 * half.
void fft_real_inverse_s16(const fft_plan *plan, const fft_complex_s16 *spectrum, int16_t *signal, fft_complex_s16 *scratch);
void fft_real_inverse_s32(const fft_plan *plan, const fft_complex_s32 *spectrum, int32_t *signal, fft_complex_s32 *scratch);
void fft_real_inverse_f32(const fft_plan *plan, const fft_complex_f32 *spectrum, float *signal, fft_complex_f32 *scratch);
void fft_real_inverse_f64(const fft_plan *plan, const fft_complex_f64 *spectrum, double *signal, fft_complex_f64 *scratch);

#endif
