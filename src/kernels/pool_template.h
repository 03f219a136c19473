// SPDX-License-Identifier: Apache-2.0
// The walk of a pool, included by pool.c once for each kind and type. No include guard. Parameters, undefined again at the end:
//   POOL_FUNCTION, POOL_ELEMENT, POOL_LIMIT   name, element type, type of low and high
//   POOL_SUM, POOL_START                      type of what is gathered over a window, and where it starts
//   POOL_STEP(sum, x)                         sum with one more pixel
//   POOL_FINISH(sum, count)                   the result of `count` pixels, not yet clamped

void POOL_FUNCTION(const pool_shape *s, const POOL_ELEMENT *input, POOL_ELEMENT *output, POOL_LIMIT low, POOL_LIMIT high,
                   int row0, int row1) {
  size_t channels = (size_t)s->channels, line = (size_t)s->x.in * channels, plane = (size_t)s->y.in * line;
  for (int row = row0; row < row1; row++) {
    int slice = row / s->y.out;
    window_taps y = window_taps_at(&s->y, row % s->y.out), z = window_taps_at(&s->z, slice % s->z.out);
    const POOL_ELEMENT *image = input + (size_t)(slice / s->z.out) * (size_t)s->z.in * plane;
    POOL_ELEMENT *out = output + (size_t)row * (size_t)s->x.out * channels;
    for (int i = 0; i < s->x.out; i++, out += channels) {
      window_taps x = window_taps_at(&s->x, i);
      int32_t pixels = (z.last - z.first) * (y.last - y.first) * (x.last - x.first);
      size_t count;
      (void)pixels;
      for (size_t c = 0; c < channels; c += count) {
        POOL_SUM sums[POOL_CHANNELS];
        count = channels - c < POOL_CHANNELS ? channels - c : POOL_CHANNELS;
        for (size_t k = 0; k < count; k++) sums[k] = POOL_START;
        for (int kz = z.first; kz < z.last; kz++) {
          for (int ky = y.first; ky < y.last; ky++) {
            const POOL_ELEMENT *pixel = image + (size_t)(z.origin + kz) * plane + (size_t)(y.origin + ky) * line +
                                        (size_t)(x.origin + x.first) * channels + c;
            for (int kx = x.first; kx < x.last; kx++, pixel += channels) {
              for (size_t k = 0; k < count; k++) sums[k] = POOL_STEP(sums[k], pixel[k]);
            }
          }
        }
        for (size_t k = 0; k < count; k++) {
          POOL_LIMIT result = POOL_FINISH(sums[k], pixels);
          out[c + k] = (POOL_ELEMENT)(result < low ? low : result > high ? high : result);
        }
      }
    }
  }
}

#undef POOL_FUNCTION
#undef POOL_ELEMENT
#undef POOL_LIMIT
#undef POOL_SUM
#undef POOL_START
#undef POOL_STEP
#undef POOL_FINISH
