// SPDX-License-Identifier: Apache-2.0
// How the window of a convolution or a pool slides along one axis of an image. Used by the windowed kernels and by their
// operators' prepare.
#ifndef KERNELS_WINDOW_H
#define KERNELS_WINDOW_H

#include "base/compiler.h"

typedef struct window_axis {
  int in, out;  // pixels
  int taps;     // of the filter
  int stride, dilation;
  int pad;  // pixels before the first one; those behind the last follow from the rest
} window_axis;

// Sets out and pad from the other fields; *odd_pad (may be NULL) becomes 1 where the padding behind is a pixel longer, else 0.
// False when no output makes sense: sizes below 1, VALID windows larger than the image, or sums that leave 31 bits. On success
// every undilated output has at least one tap inside the image, and positions computed by window_taps do not overflow. Source of
// the rule: TFLite reference, ComputeOutSizeChecked and ComputePaddingWithOffsetChecked.
bool window_fit(window_axis *axis, bool same, int *odd_pad);

// The taps [first, last) of output `at` that lie inside the image; tap t reads pixel origin + t * dilation.
typedef struct window_taps {
  int origin, first, last;
} window_taps;

static inline window_taps window_taps_at(const window_axis *axis, int at) {
  int origin = at * axis->stride - axis->pad, room = axis->in - origin;
  window_taps taps = {origin, 0, axis->taps};
  if (axis->dilation == 1) {
    if (origin < 0) taps.first = -origin;
    if (room < taps.last) taps.last = room;
  } else {
    if (origin < 0) taps.first = (-origin + axis->dilation - 1) / axis->dilation;
    if (room < (taps.last - 1) * axis->dilation + 1) taps.last = (room + axis->dilation - 1) / axis->dilation;
  }
  if (taps.last < taps.first) taps.last = taps.first;  // none
  return taps;
}

#endif
