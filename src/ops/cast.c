// SPDX-License-Identifier: Apache-2.0
// CAST. Source of the rules: TFLite kernels/cast.cc. The types are the tensors' own: options are not looked at, as in the
// reference.
#include "kernels/affine.h"
#include "kernels/convert.h"
#include "ops/elementwise_common.h"

enum { PACKED_TYPES = OP_I2 | OP_I4 | (int)OP_TYPE(kTfLiteUInt4), CAST_RUN = 64 };
enum { WHOLE_TYPES = OP_TYPES_CAST & ~PACKED_TYPES };

static bool is_packed(const TfLiteTensor *t) { return (OP_TYPE(t->type) & PACKED_TYPES) != 0; }
static int bits_of(const TfLiteTensor *t) { return t->type == kTfLiteInt2 ? 2 : 4; }

static convert_type kind(TfLiteType type) {
  switch (type) {
    case kTfLiteInt8: return CONVERT_I8;
    case kTfLiteUInt8: return CONVERT_U8;
    case kTfLiteInt16: return CONVERT_I16;
    case kTfLiteUInt16: return CONVERT_U16;
    case kTfLiteInt32: return CONVERT_I32;
    case kTfLiteUInt32: return CONVERT_U32;
    case kTfLiteInt64: return CONVERT_I64;
    case kTfLiteBool: return CONVERT_BOOL;
    case kTfLiteFloat16: return CONVERT_F16;
    case kTfLiteBFloat16: return CONVERT_BF16;
    case kTfLiteFloat64: return CONVERT_F64;
    case kTfLiteComplex64: return CONVERT_C64;
    default: return CONVERT_F32;
  }
}

static void cast_from_packed(const TfLiteTensor *input, float *out) {
  int8_t run[CAST_RUN];
  size_t n = op_count(input);
  for (size_t i = 0; i < n; i += CAST_RUN) {
    size_t count = n - i < CAST_RUN ? n - i : CAST_RUN;
    affine_unpack(input->data.uint8, bits_of(input), input->type != kTfLiteUInt4, i, count, run);
    convert_array(CONVERT_I8, run, CONVERT_F32, out + i, count);
  }
}

// Clamped to the type's range, then cut off towards zero.
static void cast_to_packed(const float *in, TfLiteTensor *output) {
  const float low = output->type == kTfLiteUInt4 ? 0.0f : output->type == kTfLiteInt4 ? -8.0f : -2.0f;
  const float high = output->type == kTfLiteUInt4 ? 15.0f : output->type == kTfLiteInt4 ? 7.0f : 1.0f;
  int8_t run[CAST_RUN];
  size_t n = op_count(output), per_byte = 8u / (unsigned)bits_of(output);
  for (size_t i = 0; i < n; i += CAST_RUN) {
    size_t count = n - i < CAST_RUN ? n - i : CAST_RUN;
    for (size_t k = 0; k < count; k++) {
      float x = in[i + k];
      run[k] = (int8_t)(x < high ? x > low ? x : low : high);
    }
    affine_pack(run, count, bits_of(output), output->data.uint8 + i / per_byte);
  }
}

static TfLiteStatus cast_eval(TfLiteContext *context, TfLiteNode *node) {
  if (*(const bool *)node->user_data) return kTfLiteOk;
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  if (is_packed(input)) {
    cast_from_packed(input, output->data.f);
  } else if (is_packed(output)) {
    cast_to_packed(input->data.f, output);
  } else {
    convert_array(kind((TfLiteType)input->type), input->data.raw, kind((TfLiteType)output->type), output->data.raw,
                  op_count(input));
  }
  return kTfLiteOk;
}

static TfLiteStatus cast_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteTensor *input = op_input(context, node, 0);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(op_check_type(context, input, "the input", is_packed(output) ? OP_F32 : OP_TYPES_CAST));
  OP_TRY(op_check_type(context, output, "the output", is_packed(input) ? OP_F32 : OP_TYPES_CAST));
  OP_TRY(op_resize_like(context, output, input));
  return elementwise_fold(context, node, cast_eval, node->user_data);  // the state is whether prepare did it all
}

const op_descriptor arn_op_cast = {OP_ROW(CAST), .state_size = sizeof(bool), .in_place = OP_ELEMENTWISE, .prepare = cast_prepare,
                                   .eval = cast_eval};
