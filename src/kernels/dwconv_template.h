// SPDX-License-Identifier: Apache-2.0
// The walk of a depthwise convolution, included by dwconv.c once for each type. No include guard. Parameters, undefined again at
// the end:
//   DWCONV_FUNCTION, DWCONV_ARGS    the function's name and its arguments' type, with input, filter and output
//   DWCONV_TILE                     static function that adds one tap of a tile of channels
//   DWCONV_INPUT, DWCONV_FILTER, DWCONV_OUTPUT, DWCONV_SUM  element types, type of a sum
//   DWCONV_OFFSET, DWCONV_FILTER_OFFSET  added to inputs and weights; a (arguments) and batch are in scope
//   DWCONV_PRODUCT(x, w)            of one input and one weight; their offsets are in scope as x_offset and w_offset
//   DWCONV_STORE(sum, channel)      the finished number; a and batch are in scope

static inline void DWCONV_TILE(const DWCONV_INPUT *x, int x_offset, const DWCONV_FILTER *w, int w_offset, size_t multiplier,
                               size_t channel, size_t count, DWCONV_SUM *sums) {
  (void)x_offset, (void)w_offset;
  if (multiplier == 1) {
    x += channel;
    for (size_t i = 0; i < count; i++) sums[i] += DWCONV_PRODUCT(x[i], w[i]);
    return;
  }
  for (size_t i = 0; i < count;) {
    size_t stop = i + multiplier - (channel + i) % multiplier;  // the end of this input channel's outputs
    if (stop > count) stop = count;
    DWCONV_INPUT v = x[(channel + i) / multiplier];
    for (; i < stop; i++) sums[i] += DWCONV_PRODUCT(v, w[i]);
  }
}

void DWCONV_FUNCTION(const conv_shape *s, const DWCONV_ARGS *a, int row0, int row1) {
  const window_axis *ya = &s->y, *xa = &s->x;
  size_t in_c = (size_t)s->in_c, out_c = (size_t)s->out_c, line = (size_t)xa->in * in_c, multiplier = out_c / in_c;
  for (int row = row0; row < row1; row++) {
    int batch = row / ya->out;
    window_taps y = window_taps_at(ya, row % ya->out);
    const DWCONV_INPUT *image = a->input + (size_t)batch * (size_t)ya->in * line;
    DWCONV_OUTPUT *out = a->output + (size_t)row * (size_t)xa->out * out_c;
    for (int i = 0; i < xa->out; i++, out += out_c) {
      window_taps x = window_taps_at(xa, i);
      size_t count;
      for (size_t c = 0; c < out_c; c += count) {
        DWCONV_SUM sums[DWCONV_CHANNELS];
        count = out_c - c < DWCONV_CHANNELS ? out_c - c : DWCONV_CHANNELS;
        memset(sums, 0, count * sizeof *sums);
        for (int ky = y.first; ky < y.last; ky++) {
          for (int kx = x.first; kx < x.last; kx++) {
            const DWCONV_INPUT *pixel =
                image + (size_t)(y.origin + ky * ya->dilation) * line + (size_t)(x.origin + kx * xa->dilation) * in_c;
            const DWCONV_FILTER *w = a->filter + ((size_t)ky * (size_t)xa->taps + (size_t)kx) * out_c + c;
            DWCONV_TILE(pixel, DWCONV_OFFSET, w, DWCONV_FILTER_OFFSET, multiplier, c, count, sums);
          }
        }
        for (size_t k = 0; k < count; k++) out[c + k] = (DWCONV_OUTPUT)DWCONV_STORE(sums[k], c + k);
      }
    }
  }
}

#undef DWCONV_FUNCTION
#undef DWCONV_ARGS
#undef DWCONV_TILE
#undef DWCONV_INPUT
#undef DWCONV_FILTER
#undef DWCONV_OUTPUT
#undef DWCONV_SUM
#undef DWCONV_OFFSET
#undef DWCONV_FILTER_OFFSET
#undef DWCONV_PRODUCT
#undef DWCONV_STORE
