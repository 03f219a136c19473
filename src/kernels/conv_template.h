// SPDX-License-Identifier: Apache-2.0
// The walk of a direct convolution, included by conv.c once for each type. No include guard. Parameters, undefined again at the
// end:
//   CONV_FUNCTION  the function's name, and CONV_ARGS its arguments' type, with input, filter and output
//   CONV_INPUT, CONV_FILTER, CONV_OUTPUT  element types
//   CONV_SUMS      type that holds DOT_ROWS sums, all bits zero meaning 0
//   CONV_DOT(x, w, stride, n, rows, sums)   adds `rows` dot products; a (arguments) and batch are in scope
//   CONV_STORE(r, channel, sums)            the finished number of sum r
// Weights of DOT_ROWS channels stay in the cache while a whole row of pixels goes by.

void CONV_FUNCTION(const conv_shape *s, const CONV_ARGS *a, int row0, int row1) {
  const window_axis *ya = &s->y, *xa = &s->x;
  size_t in_c = (size_t)s->in_c, depth = (size_t)s->filter_c, line = (size_t)xa->in * in_c;
  size_t filter_line = (size_t)xa->taps * depth, filter_size = (size_t)ya->taps * filter_line;
  int group_out = s->out_c / (s->in_c / s->filter_c);
  // Without groups and dilation, neighbouring taps lie side by side in input and filter: one long product a filter row.
  bool joined = depth == in_c && xa->dilation == 1;
  for (int row = row0; row < row1; row++) {
    int batch = row / ya->out;
    window_taps y = window_taps_at(ya, row % ya->out);
    const CONV_INPUT *image = a->input + (size_t)batch * (size_t)ya->in * line;
    CONV_OUTPUT *out_row = a->output + (size_t)row * (size_t)xa->out * (size_t)s->out_c;
    int rows;
    for (int c = 0; c < s->out_c; c += rows) {
      int group = c / group_out, rest = group_out - c % group_out;
      rows = rest < DOT_ROWS ? rest : DOT_ROWS;
      const CONV_FILTER *filter = a->filter + (size_t)c * filter_size;
      for (int i = 0; i < xa->out; i++) {
        window_taps x = window_taps_at(xa, i);
        CONV_SUMS sums;
        memset(&sums, 0, sizeof sums);
        if (x.first < x.last) {
          for (int ky = y.first; ky < y.last; ky++) {
            const CONV_INPUT *in = image + (size_t)(y.origin + ky * ya->dilation) * line +
                                   (size_t)(x.origin + x.first * xa->dilation) * in_c + (size_t)group * depth;
            const CONV_FILTER *w = filter + (size_t)ky * filter_line + (size_t)x.first * depth;
            if (joined) {
              CONV_DOT(in, w, filter_size, (size_t)(x.last - x.first) * depth, rows, &sums);
            } else {
              for (int kx = x.first; kx < x.last; kx++, in += (size_t)xa->dilation * in_c, w += depth)
                CONV_DOT(in, w, filter_size, depth, rows, &sums);
            }
          }
        }
        CONV_OUTPUT *out = out_row + (size_t)i * (size_t)s->out_c + c;
        for (int r = 0; r < rows; r++) out[r] = (CONV_OUTPUT)CONV_STORE(r, (size_t)(c + r), &sums);
      }
    }
  }
}

// Output pixel i takes tap k where i + pad - k is a multiple q of the stride, from input pixel q.
void CONV_TRANSPOSED(const conv_shape *s, const CONV_ARGS *a, int row0, int row1) {
  const window_axis *ya = &s->y, *xa = &s->x;
  size_t depth = (size_t)s->in_c, line = (size_t)xa->out * depth;
  size_t filter_line = (size_t)xa->taps * depth, filter_size = (size_t)ya->taps * filter_line;
  for (int row = row0; row < row1; row++) {
    int batch = row / ya->in, y = row % ya->in + ya->pad;
    const CONV_INPUT *image = a->input + (size_t)batch * (size_t)ya->out * line;
    CONV_OUTPUT *out_row = a->output + (size_t)row * (size_t)xa->in * (size_t)s->out_c;
    int rows;
    for (int c = 0; c < s->out_c; c += rows) {
      rows = s->out_c - c < DOT_ROWS ? s->out_c - c : DOT_ROWS;
      const CONV_FILTER *filter = a->filter + (size_t)c * filter_size;
      for (int i = 0; i < xa->in; i++) {
        int x = i + xa->pad;
        CONV_SUMS sums;
        memset(&sums, 0, sizeof sums);
        for (int ky = conv_first_tap(ya, y); ky < ya->taps && ky <= y; ky += ya->stride) {
          const CONV_INPUT *in = image + (size_t)((y - ky) / ya->stride) * line;
          const CONV_FILTER *w = filter + (size_t)ky * filter_line;
          for (int kx = conv_first_tap(xa, x); kx < xa->taps && kx <= x; kx += xa->stride)
            CONV_DOT(in + (size_t)((x - kx) / xa->stride) * depth, w + (size_t)kx * depth, filter_size, depth, rows, &sums);
        }
        CONV_OUTPUT *out = out_row + (size_t)i * (size_t)s->out_c + c;
        for (int r = 0; r < rows; r++) out[r] = (CONV_OUTPUT)CONV_STORE(r, (size_t)(c + r), &sums);
      }
    }
  }
}

#undef CONV_FUNCTION
#undef CONV_TRANSPOSED
#undef CONV_ARGS
#undef CONV_INPUT
#undef CONV_FILTER
#undef CONV_OUTPUT
#undef CONV_SUMS
#undef CONV_DOT
#undef CONV_STORE
