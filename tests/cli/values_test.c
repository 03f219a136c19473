// SPDX-License-Identifier: Apache-2.0
// Tensor elements as numbers: quantisation, packed types, half floats, arrays; and resampled sound.
#include "cli_test.h"

#include <math.h>

#include "sound.h"
#include "values.h"

// A tensor with room for what it points to; the arrays have the layout of TfLiteIntArray and TfLiteFloatArray.
typedef struct holder {
  TfLiteTensor tensor;
  int dims[8];
  struct {
    int size;
    float data[7];
  } scales;
  int zeros[8];
  TfLiteAffineQuantization quantisation;
  uint8_t data[64];
} holder;

// A tensor of `rank` dims; scales may be NULL.
static void hold(holder *h, TfLiteType type, const int *dims, int rank, const float *scales, const int *zeros, int channels,
                 int axis) {
  memset(h, 0, sizeof *h);
  h->tensor.type = type;
  h->tensor.dims = (TfLiteIntArray *)h->dims;
  h->dims[0] = rank;
  memcpy(h->dims + 1, dims, (size_t)rank * sizeof *dims);
  h->tensor.data.data = h->data;
  h->tensor.bytes = sizeof h->data;
  if (!scales) return;
  h->scales.size = h->zeros[0] = channels;
  memcpy(h->scales.data, scales, (size_t)channels * sizeof *scales);
  memcpy(h->zeros + 1, zeros, (size_t)channels * sizeof *zeros);
  h->quantisation = (TfLiteAffineQuantization){(TfLiteFloatArray *)&h->scales, (TfLiteIntArray *)h->zeros, axis};
  h->tensor.quantization = (TfLiteQuantization){kTfLiteAffineQuantization, &h->quantisation};
}

static void quantised_values(void **state) {
  (void)state;
  static const int dims[] = {2, 3};
  static const float scales[] = {0.5f, 2, 4};
  static const int zeros[] = {10, 0, -1};
  holder h;
  hold(&h, kTfLiteInt8, dims, 2, scales, zeros, 1, 0);
  values_set_real(&h.tensor, 0, 1);
  assert_int_equal(h.tensor.data.int8[0], 12);
  assert_true(values_real(&h.tensor, 0) == 1);
  values_set_real(&h.tensor, 1, 1e9);
  values_set_real(&h.tensor, 2, -1e9);
  values_set_real(&h.tensor, 3, (double)NAN);
  assert_int_equal(h.tensor.data.int8[1], 127);
  assert_int_equal(h.tensor.data.int8[2], -128);
  assert_int_equal(h.tensor.data.int8[3], 0);
  hold(&h, kTfLiteInt8, dims, 2, scales, zeros, 3, 1);  // per channel along the last axis
  for (size_t i = 0; i < 6; i++) values_set_real(&h.tensor, i, 8);
  static const int8_t expected[] = {26, 4, 1, 26, 4, 1};
  assert_memory_equal(h.data, expected, 6);
  for (size_t i = 0; i < 6; i++) assert_true(values_real(&h.tensor, i) == 8);
}

static void packed_integers(void **state) {
  (void)state;
  static const int dims[] = {5};
  static const struct {
    TfLiteType type;
    int low, high, bytes;
  } cases[] = {{kTfLiteInt4, -8, 7, 3}, {kTfLiteUInt4, 0, 15, 3}, {kTfLiteInt2, -2, 1, 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    holder h;
    hold(&h, cases[k].type, dims, 1, NULL, NULL, 0, 0);
    assert_int_equal(values_bytes(&h.tensor), cases[k].bytes);
    for (int value = cases[k].low; value <= cases[k].high; value++) {
      values_set_stored(&h.tensor, 3, value);
      values_set_stored(&h.tensor, 4, cases[k].high);
      assert_true(values_stored(&h.tensor, 3) == value);
      assert_true(values_stored(&h.tensor, 4) == cases[k].high && values_stored(&h.tensor, 2) == 0);
    }
    values_set_stored(&h.tensor, 0, 100);
    assert_true(values_stored(&h.tensor, 0) == cases[k].high);
  }
  // Low bits first.
  holder h;
  hold(&h, kTfLiteInt4, dims, 1, NULL, NULL, 0, 0);
  values_set_stored(&h.tensor, 0, 3);
  values_set_stored(&h.tensor, 1, -1);
  assert_int_equal(h.data[0], 0xF3);
}

static void wide_integers_saturate(void **state) {
  (void)state;
  static const int dims[] = {2};
  holder h;
  hold(&h, kTfLiteInt64, dims, 1, NULL, NULL, 0, 0);
  values_set_stored(&h.tensor, 0, 1e30);
  values_set_stored(&h.tensor, 1, -1e30);
  assert_true(h.tensor.data.i64[0] == INT64_MAX && h.tensor.data.i64[1] == INT64_MIN);
  hold(&h, kTfLiteUInt64, dims, 1, NULL, NULL, 0, 0);
  values_set_stored(&h.tensor, 0, 1e30);
  values_set_stored(&h.tensor, 1, -5);
  assert_true((uint64_t)h.tensor.data.i64[0] == UINT64_MAX && h.tensor.data.i64[1] == 0);
  hold(&h, kTfLiteInt32, dims, 1, NULL, NULL, 0, 0);
  values_set_stored(&h.tensor, 0, -2.5);
  values_set_stored(&h.tensor, 1, 2147483647.0);
  assert_true(h.tensor.data.i32[0] == -3 && h.tensor.data.i32[1] == INT32_MAX);
}

// Every half float reads back as itself, and what lies between two is rounded to the nearer, ties to even.
static void half_floats(void **state) {
  (void)state;
  static const int dims[] = {1};
  holder h;
  hold(&h, kTfLiteFloat16, dims, 1, NULL, NULL, 0, 0);
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    uint16_t half = (uint16_t)bits, again;
    memcpy(h.data, &half, 2);
    double value = values_stored(&h.tensor, 0);
    values_set_stored(&h.tensor, 0, value);
    memcpy(&again, h.data, 2);
    if (isnan(value))
      assert_true((again & 0x7C00) == 0x7C00 && (again & 0x3FF));
    else
      assert_int_equal(again, half);
  }
  static const struct {
    double value;
    uint16_t half;
  } cases[] = {{65519.9, 0x7BFF}, {65520, 0x7C00},       {-1e9, 0xFC00},         {0x1p-25, 0},
               {0x1.8p-25, 1},    {1 + 0x1p-11, 0x3C00}, {1 + 0x1.8p-10, 0x3C02}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint16_t got;
    values_set_stored(&h.tensor, 0, cases[i].value);
    memcpy(&got, h.data, 2);
    assert_int_equal(got, cases[i].half);
  }
}

static void arrays_into_tensors(void **state) {
  (void)state;
  static const int dims[] = {1, 3};
  static const float scale = 0.1f;
  static const int zero = 5;
  float real[3] = {0, 0.5f, -0.5f};
  int32_t whole[3] = {1, 2, -3};
  npy floats = {.kind = 'f', .item = 4, .rank = 1, .dims = {3}, .count = 3, .data = real};
  npy integers = {.kind = 'i', .item = 4, .rank = 1, .dims = {3}, .count = 3, .data = whole}, out;
  holder h;
  failure why;
  hold(&h, kTfLiteInt8, dims, 2, &scale, &zero, 1, 0);
  assert_good(values_from_npy(&h.tensor, &floats, &why), why);
  static const int8_t quantised[] = {5, 10, 0};
  assert_memory_equal(h.data, quantised, 3);
  assert_good(values_to_npy(&h.tensor, true, &out, &why), why);
  assert_true(out.kind == 'f' && out.item == 4 && out.rank == 2 && fabs(npy_real(&out, 2) + 0.5) < 1e-6);
  npy_free(&out);
  assert_good(values_from_npy(&h.tensor, &integers, &why), why);  // integers are stored values
  static const int8_t stored[] = {1, 2, -3};
  assert_memory_equal(h.data, stored, 3);
  assert_good(values_to_npy(&h.tensor, false, &out, &why), why);
  assert_true(out.kind == 'i' && out.item == 1 && !memcmp(out.data, stored, 3));
  npy_free(&out);
  floats.count = 2;
  assert_refused(values_from_npy(&h.tensor, &floats, &why), why, "2 elements, the tensor 3 (1x3)");
}

static void malformed_string_buffers(void **state) {
  (void)state;
  static const int dims[] = {1};
  holder h;
  size_t length;
  hold(&h, kTfLiteString, dims, 1, NULL, NULL, 0, 0);
  h.tensor.bytes = 20;
  const int32_t good[] = {2, 16, 18, 19};
  memcpy(h.data, good, sizeof good);
  memcpy(h.data + 16, "hi!", 3);
  assert_int_equal(values_string_count(&h.tensor), 2);
  assert_memory_equal(values_string(&h.tensor, 0, &length), "hi", 2);
  assert_int_equal(length, 2);
  assert_null(values_string(&h.tensor, 2, &length));
  const int32_t beyond[] = {2, 16, 18, 900};
  memcpy(h.data, beyond, sizeof beyond);
  assert_null(values_string(&h.tensor, 1, &length));
  const int32_t many[] = {1 << 30, 16, 18, 19};
  memcpy(h.data, many, sizeof many);
  assert_int_equal(values_string_count(&h.tensor), 0);
}

static void resampling_keeps_a_tone(void **state) {
  (void)state;
  static const int rates[][2] = {{8000, 16000}, {44100, 16000}, {48000, 16000}, {16000, 16000}};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
    sound s = {.rate = rates[k][0], .count = (size_t)rates[k][0]};
    s.samples = command_alloc(s.count, sizeof *s.samples);
    for (size_t i = 0; i < s.count; i++) s.samples[i] = (float)sin(2 * 3.14159265358979 * 440 * (double)i / s.rate);
    sound_resample(&s, rates[k][1]);
    assert_int_equal(s.rate, rates[k][1]);
    assert_in_range(s.count, 15999, 16001);
    for (size_t i = 1000; i < 15000; i++)
      assert_true(fabs((double)s.samples[i] - sin(2 * 3.14159265358979 * 440 * (double)i / 16000)) < 2e-3);
    sound_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantised_values),        cmocka_unit_test(packed_integers),
      cmocka_unit_test(wide_integers_saturate),  cmocka_unit_test(half_floats),
      cmocka_unit_test(arrays_into_tensors),     cmocka_unit_test(malformed_string_buffers),
      cmocka_unit_test(resampling_keeps_a_tone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
