// SPDX-License-Identifier: Apache-2.0
// The plain recurrent cell.
#include "kernels/rnn_cell.h"

#include <string.h>

#include "kernels/matvec.h"

size_t rnn_cell_scratch(const rnn_cell *cell) {
  if (!cell->hybrid) return 0;
  size_t most = cell->inputs > cell->aux_inputs ? cell->inputs : cell->aux_inputs;
  return most > cell->units ? most : cell->units;
}

static void rnn_add(const rnn_cell *cell, const rnn_matrix *m, const float *vector, size_t n, int8_t *q, float *out) {
  if (!cell->hybrid) {
    matvec_add_f32(m->weights, cell->units, n, vector, 1, out);
    return;
  }
  matvec_quantized v = matvec_quantize(vector, n, cell->asymmetric, q);
  matvec_add_hybrid(m->weights, cell->units, n, q, v.scale * m->scale, v.zero_point, m->row_sums, out);
}

void rnn_cell_step(const rnn_cell *cell, size_t batches, const float *input, const float *aux, float *state, int8_t *scratch,
                   float *output, size_t output_stride) {
  for (size_t b = 0; b < batches; b++) {
    float *out = output + b * output_stride, *own = state + b * cell->units;
    memcpy(out, cell->bias, cell->units * sizeof *out);
    rnn_add(cell, &cell->input, input + b * cell->inputs, cell->inputs, scratch, out);
    if (aux) rnn_add(cell, &cell->aux, aux + b * cell->aux_inputs, cell->aux_inputs, scratch, out);
    rnn_add(cell, &cell->recurrent, own, cell->units, scratch, out);
    activate_f32(out, cell->units, cell->activation);
    memcpy(own, out, cell->units * sizeof *out);
  }
}
