// SPDX-License-Identifier: Apache-2.0
// The walks of a matrix product, included by matmul.c once for each type. No include guard. Parameters, undefined again at the
// end:
//   MATMUL_FUNCTION(...)           the function's name and parameters, of which s, left, right, output, row0 and row1 are used
//   here MATMUL_LEFT, MATMUL_RIGHT, MATMUL_OUTPUT, MATMUL_SUM   element types and that of a sum MATMUL_BLOCK type that holds
//   DOT_ROWS sums, all bits zero meaning 0 MATMUL_DOT(x, w, stride, n, rows, sums)   adds `rows` dot products; row (of the
//   output) is in scope MATMUL_BLOCK_SUM(sums, r)      sum r of a block, as a MATMUL_SUM MATMUL_PRODUCT(l, r)           one
//   product, as a MATMUL_SUM; row is in scope MATMUL_STORE(sum, row, col)    the finished number

MATMUL_FUNCTION {
  size_t depth = s->depth, cols = s->cols, rows = s->rows;
  if (s->right_transposed && !s->left_transposed) {  // both run along depth: dot products
    for (size_t col = 0; col < cols; col += DOT_ROWS) {
      int block = cols - col < DOT_ROWS ? (int)(cols - col) : DOT_ROWS;
      for (size_t row = row0; row < row1; row++) {
        MATMUL_BLOCK sums;
        memset(&sums, 0, sizeof sums);
        MATMUL_DOT(left + row * depth, right + col * depth, depth, depth, block, &sums);
        for (int r = 0; r < block; r++)
          output[row * cols + col + (size_t)r] = (MATMUL_OUTPUT)MATMUL_STORE(MATMUL_BLOCK_SUM(sums, r), row, col + (size_t)r);
      }
    }
    return;
  }
  if (!s->right_transposed) {  // a tile of a row gathers rows of right, each times one number of left
    size_t row_step = s->left_transposed ? 1 : depth, step = s->left_transposed ? rows : 1;
    for (size_t col = 0; col < cols; col += MATMUL_TILE) {
      size_t count = cols - col < MATMUL_TILE ? cols - col : MATMUL_TILE;
      for (size_t row = row0; row < row1; row++) {
        MATMUL_SUM sums[MATMUL_TILE] = {0};
        const MATMUL_LEFT *l = left + row * row_step;
        const MATMUL_RIGHT *r = right + col;
        for (size_t k = 0; k < depth; k++, l += step, r += cols) {
          MATMUL_LEFT v = *l;
          for (size_t i = 0; i < count; i++) sums[i] += MATMUL_PRODUCT(v, r[i]);
        }
        for (size_t i = 0; i < count; i++) output[row * cols + col + i] = (MATMUL_OUTPUT)MATMUL_STORE(sums[i], row, col + i);
      }
    }
    return;
  }
  for (size_t first = row0; first < row1; first += MATMUL_TILE) {  // both transposed: the same by columns, rows of left gathered
    size_t count = row1 - first < MATMUL_TILE ? row1 - first : MATMUL_TILE;
    for (size_t col = 0; col < cols; col++) {
      MATMUL_SUM sums[MATMUL_TILE] = {0};
      const MATMUL_LEFT *l = left + first;
      for (size_t k = 0; k < depth; k++, l += rows) {
        MATMUL_RIGHT v = right[col * depth + k];
        for (size_t i = 0, row = first; i < count; i++, row++) sums[i] += MATMUL_PRODUCT(l[i], v);
      }
      for (size_t i = 0; i < count; i++) output[(first + i) * cols + col] = (MATMUL_OUTPUT)MATMUL_STORE(sums[i], first + i, col);
    }
  }
}

#undef MATMUL_FUNCTION
#undef MATMUL_LEFT
#undef MATMUL_RIGHT
#undef MATMUL_OUTPUT
#undef MATMUL_SUM
#undef MATMUL_BLOCK
#undef MATMUL_DOT
#undef MATMUL_BLOCK_SUM
#undef MATMUL_PRODUCT
#undef MATMUL_STORE
