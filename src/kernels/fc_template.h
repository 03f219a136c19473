// SPDX-License-Identifier: Apache-2.0
// The walk of a fully connected layer, included by fc.c once for each type. No include guard. Parameters, undefined again at the
// end:
//   FC_FUNCTION, FC_ARGS             the function's name and its arguments' type
//   FC_INPUT, FC_FILTER, FC_OUTPUT   element types;  FC_OUT  the output pointer
//   FC_SUMS                          type that holds DOT_ROWS sums, all bits zero meaning 0
//   FC_DOT(x, w, stride, n, rows, sums)  adds `rows` dot products; a (arguments) and batch are in scope
//   FC_STORE(r, unit, sums)          the finished number of sum r
// Weights of DOT_ROWS units stay in the cache while all batches go by.

void FC_FUNCTION(const fc_shape *s, const FC_ARGS *a, size_t unit0, size_t unit1) {
  int rows;
  for (size_t unit = unit0; unit < unit1; unit += (size_t)rows) {
    rows = unit1 - unit < DOT_ROWS ? (int)(unit1 - unit) : DOT_ROWS;
    const FC_FILTER *filter = a->filter + unit * s->depth;
    for (size_t batch = 0; batch < s->batches; batch++) {
      const FC_INPUT *input = a->input + batch * s->depth;
      FC_OUTPUT *out = FC_OUT + batch * s->units + unit;
      FC_SUMS sums;
      memset(&sums, 0, sizeof sums);
      FC_DOT(input, filter, s->depth, s->depth, rows, &sums);
      for (int r = 0; r < rows; r++) out[r] = (FC_OUTPUT)FC_STORE(r, unit + (size_t)r, &sums);
    }
  }
}

#undef FC_FUNCTION
#undef FC_ARGS
#undef FC_INPUT
#undef FC_FILTER
#undef FC_OUTPUT
#undef FC_OUT
#undef FC_SUMS
#undef FC_DOT
#undef FC_STORE
