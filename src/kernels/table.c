// SPDX-License-Identifier: Apache-2.0
// Building and reading tables of quantised functions.
#include "kernels/table.h"

#include <math.h>

static int32_t saturate(float x, int32_t low, int32_t high) {
  // A NaN is taken for the lowest value, as a conversion to integer on x86 followed by a clamp makes of it.
  return x >= (float)high ? high : x > (float)low ? (int32_t)x : low;
}

void table_build_8(uint8_t *table, bool is_signed, const table_scales *scales, table_function f, const void *params) {
  const int32_t low = is_signed ? INT8_MIN : 0, high = is_signed ? INT8_MAX : UINT8_MAX;
  const float inverse_scale = 1 / scales->out;
  for (int32_t q = low; q <= high; q++) {
    float real = scales->in * (float)(q - scales->zero_point_in);
    float steps = roundf(f(real, params) * inverse_scale);
    table[(uint8_t)q] = (uint8_t)saturate(steps + (float)scales->zero_point_out, low, high);
  }
}

void table_build_16(int16_t *points, const table_scales *scales, table_function f, const void *params) {
  enum { STEPS = TABLE_POINTS_16 - 1 };
  const float in_low = scales->in * (float)(INT16_MIN - scales->zero_point_in),
              in_high = scales->in * (float)(INT16_MAX - scales->zero_point_in);
  const float out_low = scales->out * (float)(INT16_MIN - scales->zero_point_out);
  const float out_high = scales->out * (float)(INT16_MAX - scales->zero_point_out);
  const float step = (in_high - in_low) / STEPS, half_step = step / 2;
  const float quanta = 65536.0f / (out_high - out_low);  // per unit of the output
  for (int i = 0; i < STEPS; i++) {
    float here = f(in_low + (float)i * step, params);
    float middle = f(in_low + (float)i * step + half_step, params);
    float next = f(in_low + (float)(i + 1) * step, params);
    float point = roundf(here * quanta);
    float line_middle = roundf((next * quanta + point) / 2);
    float bias = roundf((line_middle - roundf(middle * quanta)) / 2);
    points[i] = (int16_t)saturate(point - bias, INT16_MIN, INT16_MAX);
  }
  points[STEPS] = (int16_t)saturate(roundf(f(in_high, params) * quanta), INT16_MIN, INT16_MAX);
}

static void row_table_8(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  const uint8_t *table = params, *xs = in[0];
  uint8_t *rs = out;
  (void)step;
  for (size_t i = 0; i < n; i++) rs[i] = table[xs[i]];
}
const broadcast_row table_row_8 = row_table_8;

static void row_table_16(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  const int16_t *points = params, *xs = in[0];
  int16_t *rs = out;
  (void)step;
  for (size_t i = 0; i < n; i++) {
    const int16_t *point = points + 256 + (xs[i] >> 7);
    int16_t slope = (int16_t)(point[1] - point[0]);  // wraps where points are more than 2^15 apart
    rs[i] = (int16_t)(point[0] + ((slope * (xs[i] & 127) + 64) >> 7));
  }
}
const broadcast_row table_row_16 = row_table_16;

// 65536 / (1 + e^(-i / 24)), raised by half the error of a straight line in the middle between neighbours; the last one is the
// largest number.
static const uint16_t sigmoid_points[256] = {
    32768, 33451, 34133, 34813, 35493, 36169, 36843, 37513, 38180, 38841, 39498, 40149, 40794, 41432, 42064, 42688, 43304, 43912,
    44511, 45102, 45683, 46255, 46817, 47369, 47911, 48443, 48964, 49475, 49975, 50464, 50942, 51409, 51865, 52311, 52745, 53169,
    53581, 53983, 54374, 54755, 55125, 55485, 55834, 56174, 56503, 56823, 57133, 57433, 57724, 58007, 58280, 58544, 58800, 59048,
    59288, 59519, 59743, 59959, 60168, 60370, 60565, 60753, 60935, 61110, 61279, 61441, 61599, 61750, 61896, 62036, 62172, 62302,
    62428, 62549, 62666, 62778, 62886, 62990, 63090, 63186, 63279, 63368, 63454, 63536, 63615, 63691, 63765, 63835, 63903, 63968,
    64030, 64090, 64148, 64204, 64257, 64308, 64357, 64405, 64450, 64494, 64536, 64576, 64614, 64652, 64687, 64721, 64754, 64786,
    64816, 64845, 64873, 64900, 64926, 64950, 64974, 64997, 65019, 65039, 65060, 65079, 65097, 65115, 65132, 65149, 65164, 65179,
    65194, 65208, 65221, 65234, 65246, 65258, 65269, 65280, 65291, 65301, 65310, 65319, 65328, 65337, 65345, 65352, 65360, 65367,
    65374, 65381, 65387, 65393, 65399, 65404, 65410, 65415, 65420, 65425, 65429, 65433, 65438, 65442, 65445, 65449, 65453, 65456,
    65459, 65462, 65465, 65468, 65471, 65474, 65476, 65479, 65481, 65483, 65485, 65488, 65489, 65491, 65493, 65495, 65497, 65498,
    65500, 65501, 65503, 65504, 65505, 65507, 65508, 65509, 65510, 65511, 65512, 65513, 65514, 65515, 65516, 65517, 65517, 65518,
    65519, 65520, 65520, 65521, 65522, 65522, 65523, 65523, 65524, 65524, 65525, 65525, 65526, 65526, 65526, 65527, 65527, 65528,
    65528, 65528, 65529, 65529, 65529, 65529, 65530, 65530, 65530, 65530, 65531, 65531, 65531, 65531, 65531, 65532, 65532, 65532,
    65532, 65532, 65532, 65533, 65533, 65533, 65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534, 65534,
    65534, 65534, 65534, 65535,
};

// The positive half of the curve at magnitude = |x| * 3 * 4096 of the logistic function's scale, with `fraction` bits between
// points; 16 + fraction bits.
static inline uint32_t interpolate(uint32_t magnitude, int fraction) {
  uint32_t i = magnitude >> fraction;
  if (i >= 255) return UINT32_MAX;
  uint32_t a = sigmoid_points[i], b = sigmoid_points[i + 1];
  return (a << fraction) + (magnitude & ((1u << fraction) - 1)) * (b - a);
}

static inline int32_t scaled_input(int16_t x, table_sigmoid p, int32_t round) {
  int64_t steps = ((int64_t)x * p.multiplier + round) >> p.shift;
  return (int32_t)(steps > 1 << 20 ? 1 << 20 : steps < -(1 << 20) ? -(1 << 20) : steps);  // far behind the last point
}

static void row_logistic_16(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  const table_sigmoid p = *(const table_sigmoid *)params;
  const int32_t round = p.shift > 0 ? 1 << (p.shift - 1) : 0;
  const int16_t *xs = in[0];
  int16_t *rs = out;
  (void)step;
  for (size_t i = 0; i < n; i++) {
    int32_t x = scaled_input(xs[i], p, round);
    uint32_t r = interpolate((uint32_t)(x < 0 ? -x : x), 9);
    if (r == UINT32_MAX) r = 0x7FFFu << 10;
    r = x >= 0 ? r + (1u << 9) : (1u << 25) - r + (1u << 9) - 1;
    rs[i] = (int16_t)(r >> 10);
  }
}
const broadcast_row table_row_logistic_16 = row_logistic_16;

// tanh x = 2 logistic(2 x) - 1: the same points, half as far apart.
static void row_tanh_16(const void *params, const void *const *in, const size_t *step, void *out, size_t n) {
  const table_sigmoid p = *(const table_sigmoid *)params;
  const int32_t round = p.shift > 0 ? 1 << (p.shift - 1) : 0;
  const int16_t *xs = in[0];
  int16_t *rs = out;
  (void)step;
  for (size_t i = 0; i < n; i++) {
    int32_t x = scaled_input(xs[i], p, round);
    uint32_t positive = interpolate((uint32_t)(x < 0 ? -x : x), 8);
    int32_t r = (int32_t)(positive == UINT32_MAX ? 0xFFFFu << 8 : positive);
    r = x >= 0 ? r - (1 << 23) + (1 << 7) : -r + (1 << 23) + (1 << 7) - 1;
    rs[i] = (int16_t)(r >> 8);
  }
}
const broadcast_row table_row_tanh_16 = row_tanh_16;

table_sigmoid table_sigmoid_of_scale(float scale, int doublings) {
  float exact = logf(scale) * (1.0f / logf(2.0f)), rounded = roundf(exact);
  int left = 12 + (int)rounded;
  if (fabsf(exact - rounded) < 1e-3f && left >= 0 && left <= doublings) return (table_sigmoid){3 << left, 0};
  double multiplier = (double)scale * 4096.0 * 3.0;
  int shift = 0;
  for (; multiplier <= 32767.0 / 2.0 && shift <= 30; shift++) multiplier *= 2.0;
  if (multiplier > INT32_MAX) multiplier = INT32_MAX;
  return (table_sigmoid){(int32_t)multiplier, shift};
}
