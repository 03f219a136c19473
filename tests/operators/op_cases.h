// SPDX-License-Identifier: Apache-2.0
// Tables of small operator cases with exact results. Each case runs with its constants constant, with every input a graph input
// (shapes are then known in eval only) and with every input constant (what can be computed ahead is), and must give the same each
// time.
#ifndef OPERATORS_OP_CASES_H
#define OPERATORS_OP_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "operators/op_harness.h"

enum { OP_CASE_INPUTS = 6, OP_CASE_OUTPUTS = 4 };

typedef struct op_arg {
  enum TensorType type;
  op_test_list dims;
  const void *data;  // NULL: there is no such argument
  bool constant;
  const char *const *text;  // STRING: the elements, data must not be NULL either
} op_arg;

typedef struct op_case {
  const char *name;
  enum BuiltinOperator code;
  int version;
  enum BuiltinOptions options_type;  // with options
  op_test_options_writer options;
  const void *options_data;
  op_arg in[OP_CASE_INPUTS], out[OP_CASE_OUTPUTS];
  float scale;  // of every tensor of in[0]'s type; 0: none
  int32_t zero_point;
  bool as_given;        // run it only as it stands
  const char *refusal;  // part of the message; out holds types only
} op_case;

// Arguments: a shape and the values. ARG_C_...: constant.
#define ARG_D(...)                              \
  {                                             \
    OP_TEST_COUNT(__VA_ARGS__), { __VA_ARGS__ } \
  }
#define ARG_SCALAR \
  {                \
    0, { 0 }       \
  }
#define ARG_F(dims, ...) \
  { TensorType_FLOAT32, dims, (const float[]){__VA_ARGS__}, false, NULL }
#define ARG_I8(dims, ...) \
  { TensorType_INT8, dims, (const int8_t[]){__VA_ARGS__}, false, NULL }
#define ARG_I4(dims, ...) \
  { TensorType_INT4, dims, (const uint8_t[]){__VA_ARGS__}, false, NULL }  // packed bytes
#define ARG_U8(dims, ...) \
  { TensorType_UINT8, dims, (const uint8_t[]){__VA_ARGS__}, false, NULL }
#define ARG_I16(dims, ...) \
  { TensorType_INT16, dims, (const int16_t[]){__VA_ARGS__}, false, NULL }
#define ARG_I32(dims, ...) \
  { TensorType_INT32, dims, (const int32_t[]){__VA_ARGS__}, false, NULL }
#define ARG_I64(dims, ...) \
  { TensorType_INT64, dims, (const int64_t[]){__VA_ARGS__}, false, NULL }
#define ARG_BOOL(dims, ...) \
  { TensorType_BOOL, dims, (const bool[]){__VA_ARGS__}, false, NULL }
#define ARG_TEXT(dims, ...)                                                   \
  {                                                                           \
    TensorType_STRING, dims, "", false, (const char *const[]) { __VA_ARGS__ } \
  }
#define ARG_C_F(dims, ...) \
  { TensorType_FLOAT32, dims, (const float[]){__VA_ARGS__}, true, NULL }
#define ARG_C_I8(dims, ...) \
  { TensorType_INT8, dims, (const int8_t[]){__VA_ARGS__}, true, NULL }
#define ARG_C_U8(dims, ...) \
  { TensorType_UINT8, dims, (const uint8_t[]){__VA_ARGS__}, true, NULL }
#define ARG_C_I16(dims, ...) \
  { TensorType_INT16, dims, (const int16_t[]){__VA_ARGS__}, true, NULL }
#define ARG_C_I32(dims, ...) \
  { TensorType_INT32, dims, (const int32_t[]){__VA_ARGS__}, true, NULL }
#define ARG_C_I64(dims, ...) \
  { TensorType_INT64, dims, (const int64_t[]){__VA_ARGS__}, true, NULL }
#define ARG_EMPTY(type, dims)                           \
  {                                                     \
    type, dims, "", false, (const char *const[]) { "" } \
  }  // a shape with a 0

static inline size_t op_case_count(op_test_list dims) {
  size_t n = 1;
  for (int i = 0; i < dims.count; i++) n *= (size_t)dims.values[i];
  return n;
}

typedef enum op_case_variant { OP_CASE_GIVEN, OP_CASE_OPEN, OP_CASE_CONSTANT, OP_CASE_VARIANTS } op_case_variant;

static inline void op_case_describe(op_test *t, const op_case *c, op_case_variant variant, op_test_list *in, op_test_list *out) {
  in->count = out->count = 0;
  for (int i = 0; i < OP_CASE_INPUTS && c->in[i].data; i++) {
    const op_arg *a = &c->in[i];
    bool constant = variant == OP_CASE_CONSTANT || (variant == OP_CASE_GIVEN && a->constant);
    int tensor = !constant                      ? op_test_input(t, a->type, a->dims)
                 : a->type == TensorType_STRING ? op_test_strings(t, a->dims, a->text, (int)op_case_count(a->dims))
                                                : op_test_constant(t, a->type, a->dims, a->data);
    if (c->scale != 0 && a->type == c->in[0].type) op_test_quantize(t, tensor, c->scale, c->zero_point);
    in->values[in->count++] = tensor;
  }
  for (int i = 0; i < OP_CASE_OUTPUTS && c->out[i].data; i++) {
    int tensor = op_test_output(t, c->out[i].type, OP_DIMS(1));
    if (c->scale != 0 && c->out[i].type == c->in[0].type) op_test_quantize(t, tensor, c->scale, c->zero_point);
    out->values[out->count++] = tensor;
  }
  op_test_node(t, c->code, c->version ? c->version : 1, *in, *out);
  if (c->options) op_test_options(t, c->options_type, c->options, c->options_data);
}

static inline void op_case_run(const op_case *c, op_case_variant variant) {
  static op_test t;
  op_test_list in, out;
  op_test_begin(&t);
  op_case_describe(&t, c, variant, &in, &out);
  if (c->refusal) {
    op_test_expect_refusal(&t, c->refusal);
    op_test_end(&t);
    return;
  }
  op_test_prepare(&t);
  for (int repeat = 0; repeat < 2; repeat++) {
    for (int i = 0; i < in.count; i++) {
      const op_arg *a = &c->in[i];
      if (variant == OP_CASE_CONSTANT || (variant == OP_CASE_GIVEN && a->constant)) continue;
      if (a->type == TensorType_STRING)
        op_test_set_strings(&t, in.values[i], a->text, (int)op_case_count(a->dims));
      else
        op_test_set(&t, in.values[i], a->data);
    }
    op_test_invoke(&t);
    for (int i = 0; i < out.count; i++) {
      const op_arg *a = &c->out[i];
      const TfLiteTensor *got = op_test_at(&t, out.values[i]);
      op_test_expect_dims(&t, out.values[i], a->dims);
      if (a->type == TensorType_STRING) {
        op_test_expect_strings(&t, out.values[i], a->text, (int)op_case_count(a->dims));
      } else if (got->bytes && memcmp(got->data.raw, a->data, got->bytes)) {
        size_t at = 0;
        while (got->data.uint8[at] == ((const uint8_t *)a->data)[at]) at++;
        fail_msg("%s, variant %d: output %d differs at byte %zu of %zu", c->name, (int)variant, i, at, got->bytes);
      }
    }
  }
  op_test_end(&t);
}

static inline void op_cases_run(const op_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    print_message("  %s\n", cases[i].name);
    int variants = cases[i].as_given || cases[i].refusal ? 1 : OP_CASE_VARIANTS;
    for (int v = 0; v < variants; v++) op_case_run(&cases[i], (op_case_variant)v);
  }
}

// A cmocka test that runs a table.
#define OP_CASES_TEST(table)                                 \
  static void table##_hold(void **state) {                   \
    (void)state;                                             \
    op_cases_run(table, sizeof(table) / sizeof((table)[0])); \
  }

// Options that are a single int32 or int8 field: data points to a struct of field id and value.
typedef struct op_field {
  int id, value;
} op_field;
typedef struct op_fields {
  int count;
  op_field field[8];
} op_fields;
static inline fb_ref op_fields_i32(fb_builder *b, const void *data) {
  const op_fields *f = data;
  fb_build_table(b);
  for (int i = 0; i < f->count; i++) fb_build_i32(b, (uint32_t)f->field[i].id, f->field[i].value, INT32_MIN);
  return fb_build_table_end(b);
}
static inline fb_ref op_fields_i8(fb_builder *b, const void *data) {
  const op_fields *f = data;
  fb_build_table(b);
  for (int i = 0; i < f->count; i++) fb_build_i8(b, (uint32_t)f->field[i].id, (int8_t)f->field[i].value, INT8_MIN);
  return fb_build_table_end(b);
}
#define OP_FIELDS(...) (&(const op_fields){(int)(sizeof((op_field[]){__VA_ARGS__}) / sizeof(op_field)), {__VA_ARGS__}})

#endif
