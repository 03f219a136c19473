// SPDX-License-Identifier: Apache-2.0
// kernels/matvec and kernels/svdf: against formulas in wider arithmetic; SVDF against a memory of the inputs themselves.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "kernels/matvec.h"
#include "kernels/svdf_filter.h"

static uint64_t seed = 27182818;
static uint32_t draw(uint32_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}
static float draw_float(void) { return (float)draw(20001) / 10000.0f - 1.0f; }

static void dots(void **state) {
  (void)state;
  for (size_t n = 0; n < 100; n++) {
    float a[100], b[100];
    int8_t c[100], d[100];
    int16_t e[100];
    double f32 = 0, mixed = 0;
    int64_t s8 = 0, s8_s16 = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
      a[i] = draw_float(), b[i] = draw_float();
      c[i] = (int8_t)draw(256), d[i] = (int8_t)draw(256), e[i] = (int16_t)draw(65536);
      f32 += (double)a[i] * b[i], mixed += (double)c[i] * b[i];
      s8 += c[i] * d[i], s8_s16 += c[i] * e[i], sum += c[i];
    }
    assert_true(fabs(matvec_dot_f32(a, b, n) - f32) < 1e-5);
    assert_true(fabs(matvec_dot_s8_f32(c, b, n) - mixed) < 1e-2);
    assert_int_equal(matvec_dot_s8(c, d, n), s8);
    assert_int_equal(matvec_dot_s8_s16(c, e, n), s8_s16);
    assert_int_equal(matvec_sum_s8(c, n), sum);
  }
}

static void quantised_vectors(void **state) {
  (void)state;
  int8_t q[4];
  const float symmetric[4] = {-2.0f, 0.5f, 1.0f, 0.0f};
  matvec_quantized s = matvec_quantize(symmetric, 4, false, q);
  assert_true(s.zero_point == 0 && fabsf(s.scale - 2.0f / 127) < 1e-9f);
  assert_memory_equal(q, ((int8_t[]){-127, 32, 64, 0}), 4);  // 31.75, 63.5 away from zero
  const float positive[4] = {0.0f, 1.0f, 2.0f, 2.55f};
  s = matvec_quantize(positive, 4, true, q);
  assert_true(s.zero_point == -128 && fabsf(s.scale - 0.01f) < 1e-8f);
  assert_memory_equal(q, ((int8_t[]){-128, -28, 72, 127}), 4);
  const float zeros[4] = {0};
  s = matvec_quantize(zeros, 4, true, q);
  assert_true(s.scale == 1.0f && s.zero_point == 0 && q[0] == 0 && q[3] == 0);
  const float infinite[4] = {0, INFINITY, 1, 2};
  s = matvec_quantize(infinite, 4, false, q);
  float out = 1;
  matvec_add_hybrid(q, 1, 4, q, s.scale, s.zero_point, NULL, &out);
  assert_true(isnan(out));
}

static void hybrid_product(void **state) {
  (void)state;
  enum { ROWS = 7, COLS = 37 };
  int8_t matrix[ROWS * COLS], q[COLS];
  int32_t sums[ROWS];
  for (int round = 0; round < 50; round++) {
    float vector[COLS], out[ROWS] = {0};
    for (size_t i = 0; i < ROWS * COLS; i++) matrix[i] = (int8_t)((int)draw(255) - 127);
    for (size_t i = 0; i < COLS; i++) vector[i] = draw_float() + 0.5f;
    matvec_row_sums_s8(matrix, ROWS, COLS, sums);
    matvec_quantized in = matvec_quantize(vector, COLS, round & 1, q);
    matvec_add_hybrid(matrix, ROWS, COLS, q, in.scale * 0.01f, in.zero_point, sums, out);
    for (size_t r = 0; r < ROWS; r++) {
      double exact = 0, slack = 1e-3;
      for (size_t c = 0; c < COLS; c++) {
        exact += (double)matrix[r * COLS + c] * 0.01 * vector[c];
        slack += fabs(matrix[r * COLS + c] * 0.01) * in.scale * 0.51;  // half a step of every value
      }
      assert_true(fabs(out[r] - exact) <= slack);
    }
  }
}

enum { BATCHES = 2, INPUTS = 5, FILTERS = 6, MEMORY = 4, RANK = 2, UNITS = 3, STEPS = 9 };
static const svdf_shape shape = {BATCHES, INPUTS, FILTERS, MEMORY, RANK};

// The definition: unit u = bias + sum over its filters and the last MEMORY inputs of time weight * (feature weights . input).
static void svdf_floats_follow_the_definition(void **state) {
  (void)state;
  float input[STEPS][BATCHES][INPUTS], feature[FILTERS][INPUTS], time[FILTERS][MEMORY], bias[UNITS];
  int8_t q[INPUTS], feature8[FILTERS][INPUTS], time8[FILTERS][MEMORY];
  int32_t sums[FILTERS];
  for (size_t i = 0; i < sizeof input / sizeof(float); i++) (&input[0][0][0])[i] = draw_float();
  for (size_t i = 0; i < FILTERS * INPUTS; i++)
    (&feature[0][0])[i] = (float)((&feature8[0][0])[i] = (int8_t)((int)draw(255) - 127)) / 128;
  for (size_t i = 0; i < FILTERS * MEMORY; i++)
    (&time[0][0])[i] = (float)((&time8[0][0])[i] = (int8_t)((int)draw(255) - 127)) / 64;
  for (size_t i = 0; i < UNITS; i++) bias[i] = draw_float();
  matvec_row_sums_s8(&feature8[0][0], FILTERS, INPUTS, sums);
  float memory[BATCHES * FILTERS * MEMORY] = {0}, hybrid_memory[2][BATCHES * FILTERS * MEMORY] = {{0}};
  for (int t = 0; t < STEPS; t++) {
    float out[BATCHES][UNITS], hybrid[2][BATCHES][UNITS];
    svdf_f32(&shape, &input[t][0][0], &feature[0][0], &time[0][0], bias, ACTIVATE_RELU, memory, &out[0][0]);
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
      svdf_hybrid_weights w = {&feature8[0][0], &time8[0][0], 1.0f / 128, 1.0f / 64, sums, asymmetric};
      svdf_hybrid(&shape, &input[t][0][0], &w, bias, ACTIVATE_RELU, q, hybrid_memory[asymmetric], &hybrid[asymmetric][0][0]);
    }
    for (int b = 0; b < BATCHES; b++) {
      for (int u = 0; u < UNITS; u++) {
        double sum = bias[u];
        for (int f = u * RANK; f < (u + 1) * RANK; f++) {
          for (int m = 0; m < MEMORY; m++) {
            int from = t - (MEMORY - 1) + m;
            for (int i = 0; from >= 0 && i < INPUTS; i++) sum += (double)time[f][m] * feature[f][i] * input[from][b][i];
          }
        }
        double expected = sum > 0 ? sum : 0;
        assert_true(fabs(out[b][u] - expected) < 1e-5);
        assert_true(fabs(hybrid[0][b][u] - expected) < 0.1);
        assert_true(fabs(hybrid[1][b][u] - expected) < 0.1);
      }
    }
  }
}

// int8: the same definition, with the state rounded and saturated in between.
static void svdf_integers_follow_the_definition(void **state) {
  (void)state;
  const quant_multiplier to_state = quant_from_real(0.37), to_output = quant_from_real(0.0021),
                         to_state8 = quant_from_real(0.005), to_output8 = quant_from_real(0.01);
  int8_t feature[FILTERS][INPUTS], time8[FILTERS][MEMORY];
  int16_t time16[FILTERS][MEMORY];
  int32_t bias[UNITS], folded[FILTERS];
  for (size_t i = 0; i < FILTERS * INPUTS; i++) (&feature[0][0])[i] = (int8_t)draw(256);
  for (size_t i = 0; i < FILTERS * MEMORY; i++) (&time8[0][0])[i] = (int8_t)draw(256), (&time16[0][0])[i] = (int16_t)draw(200);
  for (size_t i = 0; i < UNITS; i++) bias[i] = (int32_t)draw(2000) - 1000;
  const int zero_point = 11, state_zero = -7, out_zero = 5;
  for (int f = 0; f < FILTERS; f++) folded[f] = -zero_point * matvec_sum_s8(feature[f], INPUTS);
  int16_t state16[BATCHES * FILTERS * MEMORY] = {0};
  int8_t state8[BATCHES * FILTERS * MEMORY];
  memset(state8, state_zero, sizeof state8);
  int32_t past16[STEPS][BATCHES][FILTERS], past8[STEPS][BATCHES][FILTERS];
  svdf_quantized p16 = {to_state, to_output, folded, 0, out_zero}, p8 = {to_state8, to_output8, folded, state_zero, out_zero};
  for (int t = 0; t < STEPS; t++) {
    int8_t input[BATCHES][INPUTS], out16[BATCHES][UNITS], out8[BATCHES][UNITS];
    for (size_t i = 0; i < BATCHES * INPUTS; i++) (&input[0][0])[i] = (int8_t)draw(256);
    svdf_s8_state16(&shape, &p16, &input[0][0], &feature[0][0], &time16[0][0], bias, state16, &out16[0][0]);
    svdf_s8_state8(&shape, &p8, &input[0][0], &feature[0][0], &time8[0][0], bias, state8, &out8[0][0]);
    for (int b = 0; b < BATCHES; b++) {
      for (int f = 0; f < FILTERS; f++) {
        int32_t sum = 0;
        for (int i = 0; i < INPUTS; i++) sum += feature[f][i] * (input[b][i] - zero_point);
        past16[t][b][f] = quant_clamp(quant_scale(sum, to_state), -32768, 32767);
        past8[t][b][f] = (int8_t)(quant_clamp(quant_scale(sum, to_state8), -128, 127) + state_zero) - state_zero;
      }
      for (int u = 0; u < UNITS; u++) {
        int32_t sum16 = bias[u], sum8 = bias[u];
        for (int f = u * RANK; f < (u + 1) * RANK; f++) {
          for (int m = 0; m < MEMORY; m++) {
            int from = t - (MEMORY - 1) + m;
            if (from < 0) continue;
            sum16 += time16[f][m] * past16[from][b][f];
            sum8 += time8[f][m] * past8[from][b][f];
          }
        }
        assert_int_equal(out16[b][u], quant_clamp(quant_scale(sum16, to_output) + out_zero, -128, 127));
        assert_int_equal(out8[b][u], quant_clamp(quant_scale(sum8, to_output8) + out_zero, -128, 127));
      }
    }
  }
}

int main(void) {
  print_message("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots),
      cmocka_unit_test(quantised_vectors),
      cmocka_unit_test(hybrid_product),
      cmocka_unit_test(svdf_floats_follow_the_definition),
      cmocka_unit_test(svdf_integers_follow_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
