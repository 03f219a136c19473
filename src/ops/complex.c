// SPDX-License-Identifier: Apache-2.0
// REAL, IMAG, COMPLEX_ABS. Source of the rules: TFLite kernels/complex_support.cc.
#include <math.h>

#include "ops/op.h"

static TfLiteStatus prepare_complex(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", OP_TYPES_REAL));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "the output", input->type == kTfLiteComplex64 ? OP_F32 : OP_F64));
  return op_resize_like(context, op_output(context, node, 0), input);
}

// expression: of the parts re and im, for both precisions.
#define COMPLEX_OPERATOR(NAME, name, expression_f32, expression_f64)           \
  static TfLiteStatus name##_eval(TfLiteContext *context, TfLiteNode *node) {  \
    const TfLiteTensor *input = op_input(context, node, 0);                    \
    TfLiteTensor *output = op_output(context, node, 0);                        \
    size_t n = op_count(input);                                                \
    if (input->type == kTfLiteComplex64) {                                     \
      for (size_t i = 0; i < n; i++) {                                         \
        const float re = input->data.c64[i].re, im = input->data.c64[i].im;    \
        (void)re, (void)im;                                                    \
        output->data.f[i] = expression_f32;                                    \
      }                                                                        \
    } else {                                                                   \
      for (size_t i = 0; i < n; i++) {                                         \
        const double re = input->data.c128[i].re, im = input->data.c128[i].im; \
        (void)re, (void)im;                                                    \
        output->data.f64[i] = expression_f64;                                  \
      }                                                                        \
    }                                                                          \
    return kTfLiteOk;                                                          \
  }                                                                            \
  const op_descriptor arn_op_##name = {OP_ROW(NAME), .in_place = OP_ELEMENTWISE, .prepare = prepare_complex, .eval = name##_eval};

COMPLEX_OPERATOR(REAL, real, re, re)
COMPLEX_OPERATOR(IMAG, imag, im, im)
COMPLEX_OPERATOR(COMPLEX_ABS, complex_abs, hypotf(re, im), hypot(re, im))
