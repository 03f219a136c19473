// SPDX-License-Identifier: Apache-2.0
// The micro interpreter on the host: the project's own models in one arena, exact sizes, refusals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arenite/micro.h"
#include "arenite/model.h"

typedef struct file {
  uint8_t *data;
  size_t size;
} file;

static file read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  file result = {.size = (size_t)ftell(f)};
  rewind(f);
  result.data = aligned_alloc(16, (result.size + 15) & ~(size_t)15);
  assert_int_equal(fread(result.data, 1, result.size, f), result.size);
  fclose(f);
  return result;
}

static const arn_op *const ops[] = {&arn_op_conv_2d, &arn_op_max_pool_2d, &arn_op_fully_connected, &arn_op_softmax};
enum { OPS = sizeof ops / sizeof ops[0], ROOM = 1 << 16 };
static _Alignas(16) uint8_t memory[ROOM];

static void sine_follows_the_sine(void **state) {
  (void)state;
  file model = read_file("models/sine.tflite");
  arn_micro *micro;
  arn_error error;
  assert_int_equal(arn_micro_create(model.data, model.size, 0, ops, OPS, memory, sizeof memory, &micro, &error), ARN_OK);
  assert_int_equal(arn_micro_input_count(micro), 1);
  assert_null(arn_micro_input(micro, 1));
  double worst = 0;
  for (int q = -128; q < 128; q++) {
    arn_micro_input(micro, 0)->data.int8[0] = (int8_t)q;
    assert_int_equal(arn_micro_invoke(micro, &error), ARN_OK);
    // Input scale 2 pi / 255 from -128; the output spans about -1.02..1.02 in 255 steps.
    double y = sin((q + 128) * 6.283185 / 255), raw = arn_micro_output(micro, 0)->data.int8[0];
    double fitted = raw / 124.0;
    if (fabs(fitted - y) > worst) worst = fabs(fitted - y);
  }
  assert_true(worst < 0.15);
  free(model.data);
}

// With exactly the bytes it asked for it runs and touches nothing behind; with any less it refuses cleanly.
static void the_arena_is_exact(void **state) {
  (void)state;
  static const char *const paths[] = {"models/sine.tflite", "models/digits/digits.tflite"};
  for (size_t p = 0; p < 2; p++) {
    file model = read_file(paths[p]);
    arn_micro *micro;
    arn_error error;
    assert_int_equal(arn_micro_create(model.data, model.size, ARN_MODEL_TRUSTED, ops, OPS, memory, sizeof memory, &micro, &error), ARN_OK);
    size_t needed = arn_micro_arena_used(micro);
    assert_true(arn_micro_activations(micro) > 0 && arn_micro_activations(micro) < needed);
    int8_t first[16], again[16];
    TfLiteTensor *input = arn_micro_input(micro, 0);
    memset(input->data.raw, 37, 1);
    assert_int_equal(arn_micro_invoke(micro, &error), ARN_OK);
    memcpy(first, arn_micro_output(micro, 0)->data.int8, 1);
    for (size_t size = 0; size < needed; size += size < 256 || needed - size < 64 ? 1 : 61) {
      micro = (arn_micro *)memory;
      memset(&error, 0, sizeof error);
      assert_int_equal(arn_micro_create(model.data, model.size, ARN_MODEL_TRUSTED, ops, OPS, memory, size, &micro, &error), ARN_ARENA_TOO_SMALL);
      assert_null(micro);
      assert_int_equal(error.status, ARN_ARENA_TOO_SMALL);
    }
    for (size_t shift = 0; shift < 16; shift++) {  // an odd start costs what it takes to reach the next multiple of 16
      memset(memory, 0x5A, sizeof memory);
      size_t skip = (16 - shift) % 16;
      assert_int_equal(arn_micro_create(model.data, model.size, ARN_MODEL_TRUSTED, ops, OPS, memory + shift, needed + skip, &micro, &error), ARN_OK);
      memset(arn_micro_input(micro, 0)->data.raw, 37, 1);
      assert_int_equal(arn_micro_invoke(micro, &error), ARN_OK);
      memcpy(again, arn_micro_output(micro, 0)->data.int8, 1);
      if (p == 0) assert_int_equal(first[0], again[0]);
      for (size_t i = shift + skip + needed; i < sizeof memory; i++) assert_int_equal(memory[i], 0x5A);
    }
    free(model.data);
  }
}

static void a_missing_operator_is_named_by_its_node(void **state) {
  (void)state;
  file model = read_file("models/digits/digits.tflite");
  arn_micro *micro;
  arn_error error;
  assert_int_equal(arn_micro_create(model.data, model.size, 0, ops, 1, memory, sizeof memory, &micro, &error), ARN_UNRESOLVED_OP);
  assert_null(micro);
  assert_int_equal(error.node, 1);  // the first MAX_POOL_2D
  free(model.data);
}

static void a_damaged_or_misaligned_model_is_refused(void **state) {
  (void)state;
  file model = read_file("models/sine.tflite");
  arn_micro *micro;
  arn_error error;
  for (size_t size = 0; size < model.size; size += 37) {
    assert_int_not_equal(arn_micro_create(model.data, size, 0, ops, OPS, memory, sizeof memory, &micro, &error), ARN_OK);
    assert_null(micro);
  }
  assert_int_equal(arn_micro_create(model.data + 1, model.size - 1, 0, ops, OPS, memory, sizeof memory, &micro, &error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_micro_create(NULL, 0, 0, ops, OPS, memory, sizeof memory, &micro, &error), ARN_INVALID_ARGUMENT);
  free(model.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sine_follows_the_sine),
      cmocka_unit_test(the_arena_is_exact),
      cmocka_unit_test(a_missing_operator_is_named_by_its_node),
      cmocka_unit_test(a_damaged_or_misaligned_model_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
