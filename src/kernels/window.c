// SPDX-License-Identifier: Apache-2.0
// Output sizes and padding of windowed operators.
#include "kernels/window.h"

bool window_fit(window_axis *axis, bool same, int *odd_pad) {
  if (axis->in < 0 || axis->taps < 1 || axis->stride < 1 || axis->dilation < 1) return false;
  int64_t in = axis->in, stride = axis->stride, span = ((int64_t)axis->taps - 1) * axis->dilation + 1;  // of the dilated filter
  if (in + span > INT32_MAX) return false;
  // The VALID size divides towards zero, as the reference does: a window that misses up to a stride gives no output rather than
  // an error.
  int64_t out = same ? (in + stride - 1) / stride : (in + stride - span) / stride;
  if (out < 0) return false;
  int64_t padding = (out - 1) * stride + span - in;
  if (padding < 0) padding = 0;
  axis->out = (int)out;
  axis->pad = (int)(padding / 2);
  if (odd_pad) *odd_pad = (int)(padding % 2);
  return true;
}
