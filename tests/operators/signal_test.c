// SPDX-License-Identifier: Apache-2.0
// The audio operators through the public API: single steps by hand, streams piece by piece, transforms of signals whose spectra
// are known, what they refuse.
#include <math.h>

#include "operators/flex_build.h"
#include "operators/op_cases.h"

#define ARG_U32(dims, ...) \
  { TensorType_UINT32, dims, (const uint32_t[]){__VA_ARGS__}, false, NULL }
#define ARG_U64(dims, ...) \
  { TensorType_UINT64, dims, (const uint64_t[]){__VA_ARGS__}, false, NULL }
#define OUT(type) \
  { type, ARG_D(1), "", false, NULL }

typedef struct signal_case {
  const char *name;
  flex_entry options[12];
  op_arg in[6], out[2];  // out may follow from more than one invocation: the last one's
  const char *refusal;
  int invocations;  // 0: one
} signal_case;

static void run_case(const signal_case *c) {
  static op_test t;
  uint8_t options[FLEX_BUILD_ROOM];
  op_test_list in = {0, {0}}, out = {0, {0}};
  int entries = 0;
  while (entries < 12 && c->options[entries].key) entries++;
  size_t size = flex_build(options, c->options, entries);
  op_test_begin(&t);
  for (; in.count < 6 && c->in[in.count].data; in.count++)
    in.values[in.count] = op_test_input(&t, c->in[in.count].type, c->in[in.count].dims);
  for (; out.count < 2 && c->out[out.count].data; out.count++)
    out.values[out.count] = op_test_output(&t, c->out[out.count].type, c->out[out.count].dims);
  op_test_custom(&t, c->name, 1, options, size, in, out);
  if (c->refusal) {
    op_test_expect_refusal(&t, c->refusal);
  } else {
    op_test_prepare(&t);
    for (int n = c->invocations ? c->invocations : 1; n > 0; n--) {
      for (int i = 0; i < in.count; i++) op_test_set(&t, in.values[i], c->in[i].data);
      op_test_invoke(&t);
    }
    for (int i = 0; i < out.count; i++) {
      const TfLiteTensor *got = op_test_at(&t, out.values[i]);
      op_test_expect_dims(&t, out.values[i], c->out[i].dims);
      if (got->type == kTfLiteFloat32) {
        op_test_expect_f32(&t, out.values[i], c->out[i].data, op_case_count(c->out[i].dims), 1e-5f);
      } else if (memcmp(got->data.raw, c->out[i].data, got->bytes)) {
        size_t at = 0;
        while (got->data.uint8[at] == ((const uint8_t *)c->out[i].data)[at]) at++;
        fail_msg("%s: output %d differs at byte %zu of %zu", c->name, i, at, got->bytes);
      }
    }
  }
  op_test_end(&t);
}

#define FILTERS \
  ARG_I16(ARG_D(4), 1, 2, 3, 4), ARG_I16(ARG_D(4), 10, 20, 30, 40), ARG_I16(ARG_D(3), 0, 1, 3), ARG_I16(ARG_D(3), 0, 1, 3)

static void single_steps(void **state) {
  (void)state;
  const signal_case cases[] = {
      {"SignalWindow",
       {FLEX_I("shift", 4)},
       {ARG_I16(ARG_D(2, 3), 16, -17, 32767, 1, 2, 3), ARG_I16(ARG_D(3), 1, 16, 4096)},
       {ARG_I16(ARG_D(2, 3), 1, -17, 32767, 0, 2, 768)},
       NULL,
       0},
      {"SignalFftAutoScale",
       {FLEX_I("unused", 0)},
       {ARG_I16(ARG_D(4), 1, -100, 0, 99)},
       {ARG_I16(ARG_D(4), 256, -25600, 0, 25344), ARG_I32(ARG_SCALAR, 8)},
       NULL,
       0},
      {"SignalEnergy",
       {FLEX_I("start_index", 1), FLEX_I("end_index", 3)},
       {ARG_I16(ARG_D(8), 9, 9, 3, -4, -32768, -32768, 9, 9)},
       {ARG_U32(ARG_D(4), 0, 25, 2147483648u, 0)},
       NULL,
       0},
      // Channel 0 only begins channel 1's slope: 10 * 5 + (2 * 6 + 3 * 7); then 20 * 6 + 30 * 7 + 4 * 8.
      {"SignalFilterBank",
       {FLEX_I("num_channels", 2)},
       {ARG_U32(ARG_D(4), 5, 6, 7, 8), FILTERS, ARG_I16(ARG_D(3), 1, 2, 1)},
       {ARG_U64(ARG_D(2), 83, 362)},
       NULL,
       0},
      {"SignalFilterBankSquareRoot",
       {FLEX_I("unused", 0)},
       {ARG_U64(ARG_D(6), 0, 1, 16, 17, 1ull << 40, UINT64_MAX), ARG_I32(ARG_SCALAR, 1)},
       {ARG_U32(ARG_D(6), 0, 0, 2, 2, 1u << 19, UINT32_MAX / 2)},
       NULL,
       0},
      // Estimates are twice as fine as the signal: a quarter of 2000; then 500 + a quarter of 1500. The second channel's rest is
      // smaller than the least, 1/4.
      {"SignalFilterBankSpectralSubtraction",
       {FLEX_I("smoothing", 4096), FLEX_I("one_minus_smoothing", 12288), FLEX_I("alternate_smoothing", 16384),
        FLEX_I("alternate_one_minus_smoothing", 0), FLEX_I("num_channels", 2), FLEX_I("smoothing_bits", 1),
        FLEX_I("min_signal_remaining", 4096), FLEX_I("spectral_subtraction_bits", 14), FLEX_B("clamping", 0)},
       {ARG_U32(ARG_D(2), 1000, 1000)},
       {ARG_U32(ARG_D(2), 750, 250), ARG_U32(ARG_D(2), 500, 2000)},
       NULL,
       1},
      {"SignalFilterBankSpectralSubtraction",
       {FLEX_I("smoothing", 4096), FLEX_I("one_minus_smoothing", 12288), FLEX_I("alternate_smoothing", 16384),
        FLEX_I("alternate_one_minus_smoothing", 0), FLEX_I("num_channels", 2), FLEX_I("smoothing_bits", 1),
        FLEX_I("min_signal_remaining", 4096), FLEX_I("spectral_subtraction_bits", 14), FLEX_B("clamping", 0)},
       {ARG_U32(ARG_D(2), 1000, 1000)},
       {ARG_U32(ARG_D(2), 562, 250), ARG_U32(ARG_D(2), 875, 2000)},
       NULL,
       2},
      {"SignalFilterBankLog",  // 64 ln 4, 64 ln 64
       {FLEX_I("output_scale", 64), FLEX_I("input_correction_bits", 2)},
       {ARG_U32(ARG_D(3), 0, 1, 16)},
       {ARG_I16(ARG_D(3), 0, 89, 266)},
       NULL,
       0},
      {"SignalRfft",
       {FLEX_I("fft_length", 4)},
       {ARG_F(ARG_D(2, 4), 1, 2, 3, 4, 0, 1, 0, -1)},
       {ARG_F(ARG_D(2, 6), 10, 0, -2, 2, -2, 0, 0, 0, 0, -2, 0, 0)},
       NULL,
       0},
      {"SignalRfft",  // filled up with zeros
       {FLEX_I("fft_length", 4)},
       {ARG_F(ARG_D(2), 1, 2)},
       {ARG_F(ARG_D(6), 3, 0, 1, -2, -1, 0)},
       NULL,
       0},
      {"SignalIrfft",
       {FLEX_I("fft_length", 4)},
       {ARG_F(ARG_D(2, 6), 10, 0, -2, 2, -2, 0, 0, 0, 0, -2, 0, 0)},
       {ARG_F(ARG_D(2, 4), 1, 2, 3, 4, 0, 1, 0, -1)},
       NULL,
       0},
      {"SignalRfft",  // divided by the length
       {FLEX_I("fft_length", 4)},
       {ARG_I16(ARG_D(4), 4000, 4000, 4000, 4000)},
       {ARG_I16(ARG_D(6), 4000, 0, 0, 0, 0, 0)},
       NULL,
       0},
      {"SignalRfft",
       {FLEX_I("fft_length", 4)},
       {ARG_I32(ARG_D(4), 4000000, -4000000, 4000000, -4000000)},
       {ARG_I32(ARG_D(6), 0, 0, 0, 0, 4000000, 0)},
       NULL,
       0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run_case(&cases[i]);
}

static void what_is_refused(void **state) {
  (void)state;
  const signal_case cases[] = {
      {"SignalWindow",
       {FLEX_I("shift", 32)},
       {ARG_I16(ARG_D(3), 0), ARG_I16(ARG_D(3), 0)},
       {OUT(TensorType_INT16)},
       "shift is 32",
       0},
      {"SignalWindow",
       {FLEX_I("shift", 1)},
       {ARG_I16(ARG_D(4), 0), ARG_I16(ARG_D(3), 0)},
       {OUT(TensorType_INT16)},
       "no multiple",
       0},
      {"SignalEnergy",
       {FLEX_I("start_index", 1), FLEX_I("end_index", 3)},
       {ARG_I16(ARG_D(4), 0)},
       {OUT(TensorType_UINT32)},
       "not within",
       0},
      {"SignalFilterBank",
       {FLEX_I("num_channels", 3)},
       {ARG_U32(ARG_D(4), 0), FILTERS, ARG_I16(ARG_D(3), 1, 2, 1)},
       {OUT(TensorType_UINT64)},
       "for 4 channels",
       0},
      {"SignalFilterBankLog", {FLEX_I("input_correction_bits", 40)}, {ARG_U32(ARG_D(4), 0)}, {OUT(TensorType_INT16)}, "is 40", 0},
      {"SignalPCAN",
       {FLEX_I("snr_shift", 6)},
       {ARG_U32(ARG_D(4), 0), ARG_U32(ARG_D(4), 0), ARG_I16(ARG_D(124), 0)},
       {OUT(TensorType_UINT32)},
       "124 values",
       0},
      {"SignalRfft", {FLEX_I("fft_length", 14)}, {ARG_F(ARG_D(4), 0)}, {OUT(TensorType_FLOAT32)}, "fft_length of 14", 0},
      {"SignalRfft", {FLEX_I("fft_length", 4)}, {ARG_F(ARG_D(5), 0)}, {OUT(TensorType_FLOAT32)}, "do not fit", 0},
      {"SignalIrfft", {FLEX_I("fft_length", 4)}, {ARG_F(ARG_D(4), 0)}, {OUT(TensorType_FLOAT32)}, "no spectra", 0},
      {"SignalDelay", {FLEX_I("delay_length", -1)}, {ARG_I16(ARG_D(4), 0)}, {OUT(TensorType_INT16)}, "is -1", 0},
      {"SignalFramer",
       {FLEX_I("frame_size", 3), FLEX_I("frame_step", 2)},
       {ARG_I16(ARG_D(3), 0)},
       {OUT(TensorType_INT16), OUT(TensorType_BOOL)},
       "no multiple",
       0},
      {"SignalOverlapAdd", {FLEX_I("frame_step", 4)}, {ARG_I16(ARG_D(1, 3), 0)}, {OUT(TensorType_INT16)}, "step is 4", 0},
      {"SignalStacker",
       {FLEX_I("num_channels", 2), FLEX_I("stacker_left_context", 1), FLEX_I("stacker_right_context", 1),
        FLEX_I("stacker_step", 4)},
       {ARG_I16(ARG_D(2), 0)},
       {OUT(TensorType_INT16), OUT(TensorType_BOOL)},
       "stacker_step is 4 of 3",
       0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run_case(&cases[i]);
}

// Where a filter bank's tensors point outside is only known when it runs.
static void filters_outside_the_spectrum(void **state) {
  (void)state;
  static const struct {
    int16_t frequency, weight, width;
  } bad[] = {{0, 0, -1}, {4, 0, 1}, {0, 4, 1}, {-1, 0, 1}, {32767, 32767, 32767}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    static op_test t;
    uint8_t options[FLEX_BUILD_ROOM];
    size_t size = FLEX_BUILD(options, FLEX_I("num_channels", 1));
    op_test_begin(&t);
    int in[6];
    in[0] = op_test_input(&t, TensorType_UINT32, OP_DIMS(4));
    for (int k = 1; k < 6; k++) {
      const int16_t values[] = {0, k == 3 ? bad[i].frequency : k == 4 ? bad[i].weight : k == 5 ? bad[i].width : 1, 1, 1};
      in[k] = op_test_constant(&t, TensorType_INT16, k < 3 ? OP_DIMS(4) : OP_DIMS(2), memcpy(options + 1024 + 8 * k, values, 8));
    }
    int y = op_test_output(&t, TensorType_UINT64, OP_DIMS(1));
    op_test_custom(&t, "SignalFilterBank", 1, options, size, OP_TENSORS(in[0], in[1], in[2], in[3], in[4], in[5]), OP_TENSORS(y));
    op_test_expect_refusal(&t, "is outside");
    op_test_end(&t);
  }
}

// ---- Streams: pieces go in and come out. ----
typedef struct stream_piece {
  int16_t in[8], out[12];
  bool valid;
} stream_piece;

static void run_stream(const char *name, const uint8_t *options, size_t size, op_test_list in, op_test_list out, bool has_valid,
                       const stream_piece *pieces, int count) {
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT16, in), y = op_test_output(&t, TensorType_INT16, out);
  int valid = has_valid ? op_test_output(&t, TensorType_BOOL, OP_SCALAR) : -1;
  op_test_custom(&t, name, 1, options, size, OP_TENSORS(x), has_valid ? OP_TENSORS(y, valid) : OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_expect_dims(&t, y, out);
  for (int i = 0; i < count; i++) {
    op_test_set(&t, x, pieces[i].in);
    op_test_invoke(&t);
    op_test_expect_i16(&t, y, pieces[i].out, op_case_count(out));
    if (has_valid) op_test_expect_bool(&t, valid, &pieces[i].valid, 1);
  }
  op_test_end(&t);
}

static void delayed_streams(void **state) {
  (void)state;
  uint8_t options[FLEX_BUILD_ROOM];
  static const stream_piece pieces[] = {
      // two rows
      {{1, 2, 101, 102}, {0, 0, 0, 0}, false},
      {{3, 4, 103, 104}, {0, 1, 0, 101}, false},
      {{5, 6, 105, 106}, {2, 3, 102, 103}, false},
  };
  run_stream("SignalDelay", options, FLEX_BUILD(options, FLEX_I("delay_length", 3)), OP_DIMS(2, 2), OP_DIMS(2, 2), false, pieces,
             3);
  static const stream_piece at_once[] = {{{1, 2, 3}, {0, 1, 2}, false}, {{4, 5, 6}, {3, 4, 5}, false}};
  run_stream("SignalDelay", options, FLEX_BUILD(options, FLEX_I("delay_length", 1)), OP_DIMS(3), OP_DIMS(3), false, at_once, 2);
  static const stream_piece same[] = {{{1, 2, 3}, {1, 2, 3}, false}};
  run_stream("SignalDelay", options, FLEX_BUILD(options, FLEX_I("delay_length", 0)), OP_DIMS(3), OP_DIMS(3), false, same, 1);
}

static void framed_streams(void **state) {
  (void)state;
  uint8_t options[FLEX_BUILD_ROOM];
  static const stream_piece pieces[] = {
      {{1, 2, 3, 4}, {0, 0, 0, 1, 2, 3}, false},
      {{5, 6, 7, 8}, {3, 4, 5, 5, 6, 7}, true},
  };
  run_stream("SignalFramer", options, FLEX_BUILD(options, FLEX_I("frame_size", 3), FLEX_I("frame_step", 2), FLEX_B("prefill", 0)),
             OP_DIMS(4), OP_DIMS(2, 3), true, pieces, 2);
  static const stream_piece prefilled[] = {
      {{1, 2, 11, 12}, {0, 1, 2, 0, 11, 12}, true},
      {{3, 4, 13, 14}, {2, 3, 4, 12, 13, 14}, true},
  };
  run_stream("SignalFramer", options, FLEX_BUILD(options, FLEX_I("frame_size", 3), FLEX_I("frame_step", 2), FLEX_B("prefill", 1)),
             OP_DIMS(2, 2), OP_DIMS(2, 1, 3), true, prefilled, 2);
}

static void stacked_frames(void **state) {
  (void)state;
  uint8_t options[FLEX_BUILD_ROOM];
  static const stream_piece pieces[] = {
      {{1, 10}, {0, 0, 0, 0, 0, 0}, false},
      {{2, 20}, {1, 10, 1, 10, 2, 20}, true},  // the first frame stands for the one before it
      {{3, 30}, {0, 0, 0, 0, 0, 0}, false},
      {{4, 40}, {2, 20, 3, 30, 4, 40}, true},
  };
  size_t size = FLEX_BUILD(options, FLEX_I("num_channels", 2), FLEX_I("stacker_left_context", 1),
                           FLEX_I("stacker_right_context", 1), FLEX_I("stacker_step", 2));
  run_stream("SignalStacker", options, size, OP_DIMS(2), OP_DIMS(6), true, pieces, 4);
}

static void overlapping_frames(void **state) {
  (void)state;
  uint8_t options[FLEX_BUILD_ROOM];
  static const stream_piece pieces[] = {
      {{1, 2, 3, 10, 20, 30000}, {1, 2, 13, 20}, false},
      {{30000, -5, -30000, -30000, 6, 7}, {32767, -5, -32768, 6}, false},
      {{0, 0, 0, 0, 0, 0}, {7, 0, 0, 0}, false},
  };
  run_stream("SignalOverlapAdd", options, FLEX_BUILD(options, FLEX_I("frame_step", 2)), OP_DIMS(2, 3), OP_DIMS(4), false, pieces,
             3);
}

// ---- Spectra of TensorFlow's operators. ----
static void two_dimensional_transforms(void **state) {
  (void)state;
  static const float image[] = {1, 2, 3, 4}, spectrum[] = {10, 0, -2, 0, -4, 0, 0, 0};
  static const int32_t length[] = {2, 2};
  static op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 2)), n = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), length);
  int y = op_test_output(&t, TensorType_COMPLEX64, OP_DIMS(2, 2)), back = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 2));
  op_test_node(&t, BuiltinOperator_RFFT2D, 1, OP_TENSORS(x, n), OP_TENSORS(y));
  op_test_custom(&t, "Irfft2d", 1, NULL, 0, OP_TENSORS(y, n), OP_TENSORS(back));
  op_test_prepare(&t);
  op_test_set(&t, x, image);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(2, 2));
  for (int i = 0; i < 8; i++) assert_float_equal(((const float *)op_test_at(&t, y)->data.raw)[i], spectrum[i], 1e-5f);
  op_test_expect_f32(&t, back, image, 4, 1e-5f);
  op_test_end(&t);

  static const int32_t odd[] = {2, 3};
  op_test_begin(&t);
  x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3));
  n = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), odd);
  y = op_test_output(&t, TensorType_COMPLEX64, OP_DIMS(2, 2));
  op_test_node(&t, BuiltinOperator_RFFT2D, 1, OP_TENSORS(x, n), OP_TENSORS(y));
  op_test_expect_refusal(&t, "2 x 3");
  op_test_end(&t);
}

static void spectrograms(void **state) {
  (void)state;
  // A constant under a Hann window of 8: the window's sum, 4, and a quarter of the length at the next frequency.
  static const float flat[] = {4, 2, 0, 0, 0}, squares[] = {16, 4, 0, 0, 0};
  for (int squared = 0; squared < 2; squared++) {
    static op_test t;
    uint8_t options[FLEX_BUILD_ROOM];
    size_t size = FLEX_BUILD(options, FLEX_I("window_size", 8), FLEX_I("stride", 4), FLEX_B("magnitude_squared", squared));
    float ones[20], expected[20];
    for (int i = 0; i < 20; i++) ones[i] = 1, expected[i] = (squared ? squares : flat)[i % 5];
    op_test_begin(&t);
    int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(20, 1)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 4, 5));
    op_test_custom(&t, "AudioSpectrogram", 1, options, size, OP_TENSORS(x), OP_TENSORS(y));
    op_test_prepare(&t);
    op_test_set(&t, x, ones);
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, OP_DIMS(1, 4, 5));
    op_test_expect_f32(&t, y, expected, 20, 1e-5f);
    op_test_end(&t);
  }
}

static void mel_coefficients(void **state) {
  (void)state;
  // Silence: every filter's logarithm is that of the least energy, 1e-12, so that only the first coefficient, sqrt(2 / n) times
  // their sum, differs from zero.
  static op_test t;
  uint8_t options[FLEX_BUILD_ROOM];
  static const int32_t rate = 8000;
  static const float silence[65];
  size_t size = FLEX_BUILD(options, FLEX_I("upper_frequency_limit", 4000), FLEX_I("lower_frequency_limit", 20),
                           FLEX_I("filterbank_channel_count", 8), FLEX_I("dct_coefficient_count", 4));
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 65)), r = op_test_input(&t, TensorType_INT32, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 4));
  op_test_custom(&t, "Mfcc", 1, options, size, OP_TENSORS(x, r), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, silence);
  op_test_set(&t, r, &rate);
  op_test_invoke(&t);
  const float expected[] = {0.5f * 8 * logf(1e-12f), 0, 0, 0};
  op_test_expect_dims(&t, y, OP_DIMS(1, 1, 4));
  op_test_expect_f32(&t, y, expected, 4, 1e-5f);
  op_test_end(&t);

  size = FLEX_BUILD(options, FLEX_I("filterbank_channel_count", 4), FLEX_I("dct_coefficient_count", 5));
  op_test_begin(&t);
  x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 65)), r = op_test_input(&t, TensorType_INT32, OP_DIMS(1));
  y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 1, 5));
  op_test_custom(&t, "Mfcc", 1, options, size, OP_TENSORS(x, r), OP_TENSORS(y));
  op_test_expect_refusal(&t, "5 of 4 filters");
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_steps),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(filters_outside_the_spectrum),
      cmocka_unit_test(delayed_streams),
      cmocka_unit_test(framed_streams),
      cmocka_unit_test(stacked_frames),
      cmocka_unit_test(overlapping_frames),
      cmocka_unit_test(two_dimensional_transforms),
      cmocka_unit_test(spectrograms),
      cmocka_unit_test(mel_coefficients),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
