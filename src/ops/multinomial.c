// SPDX-License-Identifier: Apache-2.0
// MULTINOMIAL: draws num_samples (input 1) classes for each row of logits (input 0); a class's share is exp(logit). The custom
// operator of that name differs in its generator only.
#include <float.h>
#include <math.h>

#include "ops/random_common.h"

typedef struct multinomial_state {
  philox_state random;
  uint32_t minimal;  // of the custom operator
  int32_t scratch;   // a row of cumulated shares, double
} multinomial_state;

static TfLiteStatus multinomial_resize(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *logits = op_input(context, node, 0), *samples = op_input(context, node, 1);
  OP_CHECK(context, samples->data.raw && move_int_at(samples, 0) >= 0, "num_samples has no value or a negative one");
  int dims[2] = {op_dim(logits, 0), (int)move_int_at(samples, 0)};
  return op_resize(context, op_output(context, node, 0), 2, dims);
}

static TfLiteStatus multinomial_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 2, 2, 1));
  multinomial_state *state = node->user_data;
  const TfLiteTensor *logits = op_input(context, node, 0), *samples = op_input(context, node, 1);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, logits, "logits", node->builtin_data ? OP_F32 : OP_F32 | OP_F64));
  OP_TRY(op_check_type(context, samples, "num_samples", OP_I32));
  OP_TRY(op_check_type(context, output, "output", OP_I32 | OP_I64));
  OP_CHECK(context, op_rank(logits) == 2 && op_dim(logits, 1) > 0, "logits must be a matrix with columns, they have rank %d",
           op_rank(logits));
  OP_CHECK(context, op_rank(samples) == 0, "num_samples must be a scalar, it has rank %d", op_rank(samples));
  if (node->builtin_data) random_seed(node, &state->random);
  int index;
  OP_TRY(op_request_scratch(context, (size_t)op_dim(logits, 1) * sizeof(double), &index));
  state->scratch = index;
  return op_is_constant(samples) ? multinomial_resize(context, node) : op_make_dynamic(context, output);
}

static double multinomial_logit(const TfLiteTensor *logits, size_t i) {
  return logits->type == kTfLiteFloat64 ? logits->data.f64[i] : (double)logits->data.f[i];
}

// Cumulates the shares of a row; classes whose logit is not finite get none. Returns the sum.
static double multinomial_shares(const TfLiteTensor *logits, size_t first, size_t classes, double *shares) {
  double most = -DBL_MAX, sum = 0;
  for (size_t i = 0; i < classes; i++) {
    double logit = multinomial_logit(logits, first + i);
    if (isfinite(logit) && logit > most) most = logit;
  }
  for (size_t i = 0; i < classes; i++) {
    double logit = multinomial_logit(logits, first + i);
    if (isfinite(logit)) sum += exp(logit - most);
    shares[i] = sum;
  }
  return sum;
}

// The first class whose cumulated share is above x; the last one where rounding leaves none.
static size_t multinomial_find(const double *shares, size_t classes, double x) {
  size_t low = 0, high = classes;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (shares[middle] > x)
      high = middle;
    else
      low = middle + 1;
  }
  return low < classes ? low : classes - 1;
}

static TfLiteStatus multinomial_run(TfLiteContext *context, TfLiteNode *node, bool custom) {
  multinomial_state *state = node->user_data;
  const TfLiteTensor *logits = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (op_is_dynamic(output)) OP_TRY(multinomial_resize(context, node));
  size_t rows = (size_t)op_dim(output, 0), samples = (size_t)op_dim(output, 1), classes = (size_t)op_dim(logits, 1);
  double *shares = op_scratch(context, state->scratch);
  OP_CHECK(context, shares, "no scratch memory");
  philox_state random = state->random;
  uint32_t words[4];
  int used = 4;
  for (size_t r = 0; r < rows; r++) {
    double sum = multinomial_shares(logits, r * classes, classes, shares);
    for (size_t k = 0; k < samples; k++) {
      if (!custom && used == 4) {
        philox_next(&random, words);
        used = 0;
      }
      double u =
          custom ? (double)(random_minimal(&state->minimal) - 1) / 2147483646.0 : philox_double(words[used], words[used + 1]);
      used += 2;
      int64_t found = (int64_t)multinomial_find(shares, classes, u * sum);
      if (output->type == kTfLiteInt32)
        output->data.i32[r * samples + k] = (int32_t)found;
      else
        output->data.i64[r * samples + k] = found;
    }
  }
  // The next inference starts behind all that this one may have used: 256 words for each sample, rounded up, twice (TFLite
  // reference: random_ops).
  philox_skip(&state->random, (uint64_t)rows * ((samples + 3) / 4 * 4) * 2 * 256);
  return kTfLiteOk;
}

static TfLiteStatus multinomial_eval(TfLiteContext *context, TfLiteNode *node) { return multinomial_run(context, node, false); }
static TfLiteStatus multinomial_custom_eval(TfLiteContext *context, TfLiteNode *node) {
  return multinomial_run(context, node, true);
}

const op_descriptor arn_op_multinomial = {
    OP_ROW(MULTINOMIAL),   .state_size = sizeof(multinomial_state), .params_size = sizeof(TfLiteRandomParams),
    .parse = random_parse, .prepare = multinomial_prepare,          .eval = multinomial_eval,
};
const op_descriptor arn_op_multinomial_custom = {OP_CUSTOM_ROW(Multinomial), .state_size = sizeof(multinomial_state),
                                                 .prepare = multinomial_prepare, .eval = multinomial_custom_eval};
