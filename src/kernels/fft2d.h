// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real images whose height and width are powers of two, in place, without tables: each sine is computed
// once for all rows or columns that need it.
#ifndef KERNELS_FFT2D_H
#define KERNELS_FFT2D_H

#include "base/compiler.h"

// The transform of slices [in_h, in_w], cut or filled up with zeros to [h, w]; out: [slices, h, w / 2 + 1] complex numbers (re,
// im).
void fft2d_real(const float *in, size_t slices, size_t in_h, size_t in_w, size_t h, size_t w, float *out);
// The way back, from spectra [in_h, in_w] of complex numbers, cut or filled up to [h, w / 2 + 1]; out: [slices, h, w]. Of the two
// columns that mirror themselves it looks at half: the first column's rows 0 to h / 2, the last one's rows h / 2 to h - 1 and 0.
void fft2d_real_inverse(const float *in, size_t slices, size_t in_h, size_t in_w, size_t h, size_t w, float *out);

#endif
