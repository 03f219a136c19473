// SPDX-License-Identifier: Apache-2.0
// BUCKETIZE: how many boundaries are at or below each element. Source of the rules: TFLite kernels/bucketize.cc.
#include "ops/op.h"

typedef struct bucketize_state {
  int count;
  float *boundaries;  // sorted
} bucketize_state;

static void bucketize_parse(fb_table options, void *params) {
  TfLiteBucketizeParams *p = params;
  fb_vector boundaries = BucketizeOptions_boundaries(options);
  p->num_boundaries = (int)boundaries.count;
  p->boundaries = (const float *)(const void *)boundaries.data;  // in the file, at any alignment
}

static TfLiteStatus bucketize_prepare(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteBucketizeParams *options = node->builtin_data;
  bucketize_state *s = node->user_data;
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_BUCKETIZE));
  s->count = options->num_boundaries;
  if (!s->boundaries && s->count > 0) {
    s->boundaries = op_persistent(context, (size_t)s->count * sizeof *s->boundaries);
    OP_CHECK(context, s->boundaries, "no memory for %d boundaries", s->count);
    for (int i = 0; i < s->count; i++)
      s->boundaries[i] = fb_load_f32((const uint8_t *)(const void *)options->boundaries + 4 * (size_t)i);
  }
  for (int i = 1; i < s->count; i++)
    OP_CHECK(context, !(s->boundaries[i] < s->boundaries[i - 1]), "boundary %d is below the one before", i);
  output->type = kTfLiteInt32;
  return op_resize_like(context, output, input);
}

// The first boundary above x; a NaN is above all of them.
#define BUCKETIZE_AS(type, wide)                                  \
  {                                                               \
    const type *xs = (const type *)(const void *)input->data.raw; \
    for (size_t i = 0; i < n; i++) {                              \
      const wide x = (wide)xs[i];                                 \
      int low = 0, high = s->count;                               \
      while (low < high) {                                        \
        int middle = low + (high - low) / 2;                      \
        if (x < (wide)s->boundaries[middle]) {                    \
          high = middle;                                          \
        } else {                                                  \
          low = middle + 1;                                       \
        }                                                         \
      }                                                           \
      out[i] = low;                                               \
    }                                                             \
    return kTfLiteOk;                                             \
  }

static TfLiteStatus bucketize_eval(TfLiteContext *context, TfLiteNode *node) {
  const bucketize_state *s = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  int32_t *out = op_output(context, node, 0)->data.i32;
  size_t n = op_count(input);
  switch (input->type) {  // integers are compared as floats, as in the reference
    case kTfLiteFloat64: BUCKETIZE_AS(double, double)
    case kTfLiteInt32: BUCKETIZE_AS(int32_t, float)
    case kTfLiteInt64: BUCKETIZE_AS(int64_t, float)
    default: BUCKETIZE_AS(float, float)
  }
}

const op_descriptor arn_op_bucketize = {OP_ROW(BUCKETIZE),
                                        .state_size = sizeof(bucketize_state),
                                        .params_size = sizeof(TfLiteBucketizeParams),
                                        .in_place = OP_ELEMENTWISE,
                                        .parse = bucketize_parse,
                                        .prepare = bucketize_prepare,
                                        .eval = bucketize_eval};
