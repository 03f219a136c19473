// SPDX-License-Identifier: Apache-2.0
// The transforms for one number type; no include guard. Before including it, fft.c defines
//   FFT(name)          the name with the type's suffix
//   FFT_REAL, FFT_CX   the real and the complex type
//   FFT_FIXED          1: fixed point
// and for fixed point FFT_WIDE, the unsigned type of products, FFT_BITS, fraction bits (15 or 31), FFT_ONE, the largest number.
// Sums of fixed-point numbers wrap at the type's width.

#if FFT_FIXED
// A product, or a sum of products, back to the type: rounded, ties up.
static inline FFT_REAL FFT(fft_round)(FFT_WIDE x) {
  return (FFT_REAL)((FFT_SIGNED_WIDE)(x + ((FFT_WIDE)1 << (FFT_BITS - 1))) >> FFT_BITS);
}
static inline FFT_REAL FFT(fft_times)(FFT_REAL a, FFT_REAL b) {
  return FFT(fft_round)((FFT_WIDE)(FFT_SIGNED_WIDE)a * (FFT_WIDE)(FFT_SIGNED_WIDE)b);
}
static inline FFT_CX FFT(fft_multiply)(FFT_CX a, FFT_CX b) {
  FFT_WIDE ar = (FFT_WIDE)(FFT_SIGNED_WIDE)a.re, ai = (FFT_WIDE)(FFT_SIGNED_WIDE)a.im;
  FFT_WIDE br = (FFT_WIDE)(FFT_SIGNED_WIDE)b.re, bi = (FFT_WIDE)(FFT_SIGNED_WIDE)b.im;
  return (FFT_CX){FFT(fft_round)(ar * br - ai * bi), FFT(fft_round)(ar * bi + ai * br)};
}
static inline FFT_CX FFT(fft_shrink)(FFT_CX a, int by) {
  return (FFT_CX){FFT(fft_times)(a.re, FFT_ONE / by), FFT(fft_times)(a.im, FFT_ONE / by)};
}
static inline FFT_REAL FFT(fft_plus)(FFT_REAL a, FFT_REAL b) { return (FFT_REAL)((uint32_t)a + (uint32_t)b); }
static inline FFT_REAL FFT(fft_minus)(FFT_REAL a, FFT_REAL b) { return (FFT_REAL)((uint32_t)a - (uint32_t)b); }
// Half of a sum or difference that may have one bit more than 16-bit numbers; 32-bit ones wrap first.
static inline FFT_REAL FFT(fft_half_sum)(FFT_REAL a, FFT_REAL b) { return (FFT_REAL)((int32_t)((uint32_t)a + (uint32_t)b) >> 1); }
static inline FFT_REAL FFT(fft_half_difference)(FFT_REAL a, FFT_REAL b) {
  return (FFT_REAL)((int32_t)((uint32_t)a - (uint32_t)b) >> 1);
}
static inline FFT_REAL FFT(fft_twiddle_part)(double x) { return (FFT_REAL)floor(0.5 + (double)FFT_ONE * x); }
#else
static inline FFT_REAL FFT(fft_times)(FFT_REAL a, FFT_REAL b) { return a * b; }
static inline FFT_CX FFT(fft_multiply)(FFT_CX a, FFT_CX b) {
  return (FFT_CX){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline FFT_CX FFT(fft_shrink)(FFT_CX a, int by) {
  (void)by;
  return a;
}
static inline FFT_REAL FFT(fft_plus)(FFT_REAL a, FFT_REAL b) { return a + b; }
static inline FFT_REAL FFT(fft_minus)(FFT_REAL a, FFT_REAL b) { return a - b; }
static inline FFT_REAL FFT(fft_half_sum)(FFT_REAL a, FFT_REAL b) { return (a + b) * (FFT_REAL)0.5; }
static inline FFT_REAL FFT(fft_half_difference)(FFT_REAL a, FFT_REAL b) { return (a - b) * (FFT_REAL)0.5; }
static inline FFT_REAL FFT(fft_twiddle_part)(double x) { return (FFT_REAL)x; }
#endif

static inline FFT_CX FFT(fft_add)(FFT_CX a, FFT_CX b) { return (FFT_CX){FFT(fft_plus)(a.re, b.re), FFT(fft_plus)(a.im, b.im)}; }
static inline FFT_CX FFT(fft_sub)(FFT_CX a, FFT_CX b) { return (FFT_CX){FFT(fft_minus)(a.re, b.re), FFT(fft_minus)(a.im, b.im)}; }
// a + i b, a - i b.
static inline FFT_CX FFT(fft_add_turned)(FFT_CX a, FFT_CX b) {
  return (FFT_CX){FFT(fft_minus)(a.re, b.im), FFT(fft_plus)(a.im, b.re)};
}
static inline FFT_CX FFT(fft_sub_turned)(FFT_CX a, FFT_CX b) {
  return (FFT_CX){FFT(fft_plus)(a.re, b.im), FFT(fft_minus)(a.im, b.re)};
}
static inline FFT_CX FFT(fft_conjugate)(FFT_CX a) { return (FFT_CX){a.re, FFT(fft_minus)(0, a.im)}; }

static FFT_CX FFT(fft_twiddle)(double phase) {
  return (FFT_CX){FFT(fft_twiddle_part)(cos(phase)), FFT(fft_twiddle_part)(sin(phase))};
}

void FFT(fft_twiddles)(const fft_plan *plan, FFT_CX *twiddles) {
  double turn = plan->inverse ? 1.0 : -1.0;
  for (int i = 0; i < plan->half; i++) twiddles[i] = FFT(fft_twiddle)(turn * 2 * FFT_PI * i / plan->half);
  for (int i = 0; i < plan->half / 2; i++)
    twiddles[plan->half + i] = FFT(fft_twiddle)(turn * FFT_PI * ((double)(i + 1) / plan->half + 0.5));
}

// Butterflies: `radix` interleaved transforms of length m become one, in place. Twiddles are `step` apart.
static void FFT(fft_radix2)(FFT_CX *x, const FFT_CX *twiddles, size_t step, size_t m) {
  for (size_t k = 0; k < m; k++) {
    FFT_CX a = FFT(fft_shrink)(x[k], 2), b = FFT(fft_multiply)(FFT(fft_shrink)(x[k + m], 2), twiddles[k * step]);
    x[k] = FFT(fft_add)(a, b);
    x[k + m] = FFT(fft_sub)(a, b);
  }
}

static void FFT(fft_radix3)(FFT_CX *x, const FFT_CX *twiddles, size_t step, size_t m) {
  FFT_REAL third = twiddles[step * m].im;  // sine of a third of a turn
  for (size_t k = 0; k < m; k++) {
    FFT_CX a = FFT(fft_shrink)(x[k], 3);
    FFT_CX b = FFT(fft_multiply)(FFT(fft_shrink)(x[k + m], 3), twiddles[k * step]);
    FFT_CX c = FFT(fft_multiply)(FFT(fft_shrink)(x[k + 2 * m], 3), twiddles[2 * k * step]);
    FFT_CX sum = FFT(fft_add)(b, c), difference = FFT(fft_sub)(b, c);
    FFT_CX middle = {FFT(fft_minus)(a.re, FFT(fft_half_sum)(sum.re, 0)), FFT(fft_minus)(a.im, FFT(fft_half_sum)(sum.im, 0))};
    FFT_CX turned = {FFT(fft_times)(difference.re, third), FFT(fft_times)(difference.im, third)};
    x[k] = FFT(fft_add)(a, sum);
    x[k + m] = FFT(fft_add_turned)(middle, turned);
    x[k + 2 * m] = FFT(fft_sub_turned)(middle, turned);
  }
}

static void FFT(fft_radix4)(FFT_CX *x, const FFT_CX *twiddles, size_t step, size_t m, bool inverse) {
  for (size_t k = 0; k < m; k++) {
    FFT_CX a = FFT(fft_shrink)(x[k], 4);
    FFT_CX b = FFT(fft_multiply)(FFT(fft_shrink)(x[k + m], 4), twiddles[k * step]);
    FFT_CX c = FFT(fft_multiply)(FFT(fft_shrink)(x[k + 2 * m], 4), twiddles[2 * k * step]);
    FFT_CX d = FFT(fft_multiply)(FFT(fft_shrink)(x[k + 3 * m], 4), twiddles[3 * k * step]);
    FFT_CX even = FFT(fft_add)(a, c), odd = FFT(fft_sub)(a, c), sum = FFT(fft_add)(b, d), difference = FFT(fft_sub)(b, d);
    x[k] = FFT(fft_add)(even, sum);
    x[k + 2 * m] = FFT(fft_sub)(even, sum);
    x[k + m] = inverse ? FFT(fft_add_turned)(odd, difference) : FFT(fft_sub_turned)(odd, difference);
    x[k + 3 * m] = inverse ? FFT(fft_sub_turned)(odd, difference) : FFT(fft_add_turned)(odd, difference);
  }
}

// a + x p + y q, by parts.
static inline FFT_CX FFT(fft_blend)(FFT_CX a, FFT_CX x, FFT_REAL p, FFT_CX y, FFT_REAL q) {
  return (FFT_CX){FFT(fft_plus)(FFT(fft_plus)(a.re, FFT(fft_times)(x.re, p)), FFT(fft_times)(y.re, q)),
                  FFT(fft_plus)(FFT(fft_plus)(a.im, FFT(fft_times)(x.im, p)), FFT(fft_times)(y.im, q))};
}

static void FFT(fft_radix5)(FFT_CX *x, const FFT_CX *twiddles, size_t step, size_t m) {
  FFT_CX one = twiddles[step * m], two = twiddles[2 * step * m];  // a fifth of a turn and twice that
  for (size_t k = 0; k < m; k++) {
    FFT_CX a = FFT(fft_shrink)(x[k], 5), v[4];
    for (size_t j = 0; j < 4; j++) v[j] = FFT(fft_multiply)(FFT(fft_shrink)(x[k + (j + 1) * m], 5), twiddles[(j + 1) * k * step]);
    FFT_CX outer = FFT(fft_add)(v[0], v[3]), outer_difference = FFT(fft_sub)(v[0], v[3]);
    FFT_CX inner = FFT(fft_add)(v[1], v[2]), inner_difference = FFT(fft_sub)(v[1], v[2]);
    x[k] = FFT(fft_add)(a, FFT(fft_add)(outer, inner));
    FFT_CX near = FFT(fft_blend)(a, outer, one.re, inner, two.re);
    FFT_CX far = FFT(fft_blend)(a, outer, two.re, inner, one.re);
    FFT_CX od = outer_difference, id = inner_difference;
    FFT_CX near_turned = {FFT(fft_plus)(FFT(fft_times)(od.im, one.im), FFT(fft_times)(id.im, two.im)),
                          FFT(fft_minus)(FFT(fft_minus)(0, FFT(fft_times)(od.re, one.im)), FFT(fft_times)(id.re, two.im))};
    FFT_CX far_turned = {FFT(fft_minus)(FFT(fft_times)(id.im, one.im), FFT(fft_times)(od.im, two.im)),
                         FFT(fft_minus)(FFT(fft_times)(od.re, two.im), FFT(fft_times)(id.re, one.im))};
    x[k + m] = FFT(fft_sub)(near, near_turned);
    x[k + 4 * m] = FFT(fft_add)(near, near_turned);
    x[k + 2 * m] = FFT(fft_add)(far, far_turned);
    x[k + 3 * m] = FFT(fft_sub)(far, far_turned);
  }
}

// Sorts the input by its digits in the mixed base of the radices, read backwards; then combines from the shortest transforms to
// the whole.
static void FFT(fft_complex_run)(const fft_plan *plan, const FFT_CX *in, FFT_CX *out) {
  int digits[FFT_MAX_STAGES] = {0};
  size_t weights[FFT_MAX_STAGES], n = (size_t)plan->half, from = 0;
  weights[0] = 1;
  for (int s = 1; s < plan->stages; s++) weights[s] = weights[s - 1] * (size_t)plan->radix[s - 1];
  for (size_t to = 0; to < n; to++) {
    out[to] = in[from];
    for (int s = plan->stages - 1; s >= 0; s--) {  // adds one to the number whose last digit is that of the last stage
      from += weights[s];
      if (++digits[s] < plan->radix[s]) break;
      from -= weights[s] * (size_t)plan->radix[s];
      digits[s] = 0;
    }
  }
  size_t m = 1;
  for (int s = plan->stages - 1; s >= 0; s--) {
    size_t radix = (size_t)plan->radix[s], step = n / (m * radix);
    for (FFT_CX *x = out; x < out + n; x += m * radix) {
      switch (radix) {
        case 2: FFT(fft_radix2)(x, plan->twiddles, step, m); break;
        case 3: FFT(fft_radix3)(x, plan->twiddles, step, m); break;
        case 4: FFT(fft_radix4)(x, plan->twiddles, step, m, plan->inverse); break;
        default: FFT(fft_radix5)(x, plan->twiddles, step, m); break;
      }
    }
    m *= radix;
  }
}

// The signal's even and odd values are real and imaginary parts of one complex signal; its spectrum's even and odd parts are put
// apart.
void FFT(fft_real)(const fft_plan *plan, const FFT_REAL *signal, FFT_CX *spectrum, FFT_CX *scratch) {
  size_t n = (size_t)plan->half;
  const FFT_CX *apart = (const FFT_CX *)plan->twiddles + n;
  FFT(fft_complex_run)(plan, (const FFT_CX *)signal, scratch);
  FFT_CX first = FFT(fft_shrink)(scratch[0], 2);
  spectrum[0] = (FFT_CX){FFT(fft_plus)(first.re, first.im), 0};
  spectrum[n] = (FFT_CX){FFT(fft_minus)(first.re, first.im), 0};
  for (size_t k = 1; k <= n / 2; k++) {
    FFT_CX a = FFT(fft_shrink)(scratch[k], 2), b = FFT(fft_shrink)(FFT(fft_conjugate)(scratch[n - k]), 2);
    FFT_CX even = FFT(fft_add)(a, b), odd = FFT(fft_multiply)(FFT(fft_sub)(a, b), apart[k - 1]);
    spectrum[k] = (FFT_CX){FFT(fft_half_sum)(even.re, odd.re), FFT(fft_half_sum)(even.im, odd.im)};
    spectrum[n - k] = (FFT_CX){FFT(fft_half_difference)(even.re, odd.re), FFT(fft_half_difference)(odd.im, even.im)};
  }
}

void FFT(fft_real_inverse)(const fft_plan *plan, const FFT_CX *spectrum, FFT_REAL *signal, FFT_CX *scratch) {
  size_t n = (size_t)plan->half;
  const FFT_CX *apart = (const FFT_CX *)plan->twiddles + n;
  FFT_CX ends = {FFT(fft_plus)(spectrum[0].re, spectrum[n].re), FFT(fft_minus)(spectrum[0].re, spectrum[n].re)};
  scratch[0] = FFT(fft_shrink)(ends, 2);
  for (size_t k = 1; k <= n / 2; k++) {
    FFT_CX a = FFT(fft_shrink)(spectrum[k], 2), b = FFT(fft_shrink)(FFT(fft_conjugate)(spectrum[n - k]), 2);
    FFT_CX even = FFT(fft_add)(a, b), odd = FFT(fft_multiply)(FFT(fft_sub)(a, b), apart[k - 1]);
    scratch[k] = FFT(fft_add)(even, odd);
    scratch[n - k] = FFT(fft_conjugate)(FFT(fft_sub)(even, odd));
  }
  FFT(fft_complex_run)(plan, scratch, (FFT_CX *)signal);
}

#undef FFT
#undef FFT_REAL
#undef FFT_CX
#undef FFT_FIXED
