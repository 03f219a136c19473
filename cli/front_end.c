// SPDX-License-Identifier: Apache-2.0
// Running a front end window by window.
#include "front_end.h"

#include <stdlib.h>

#include "session.h"
#include "values.h"

static bool is_integer(const TfLiteTensor *tensor) { return tensor->type != kTfLiteFloat32 && !values_quantised(tensor); }

// Samples as the tensor wants them: 16-bit integers, or -1..1.
static void fill_window(TfLiteTensor *tensor, const sound *in, size_t first, size_t count) {
  bool integer = is_integer(tensor);
  for (size_t i = 0; i < count; i++) {
    double sample = first + i < in->count ? (double)in->samples[first + i] : 0;
    if (integer)
      values_set_stored(tensor, i, sample * 32768);
    else
      values_set_real(tensor, i, sample);
  }
}

static bool run_windows(session *s, const sound *in, int hop, features *out, failure *why) {
  TfLiteTensor *input = session_input(s, 0);
  size_t window = values_count(input), width = values_count(session_output(s, 0));
  if (window < 2 || window > in->count * 1000 || width < 1 || values_bits(input->type) == 0)
    return failure_set(why, "%s takes no window of samples", s->path);
  out->hop = hop ? hop : (int)(window * 2 / 3);
  out->rate = in->rate;
  out->width = (int)width;
  out->windows = in->count <= window ? 1 : (in->count - window + (size_t)out->hop - 1) / (size_t)out->hop + 1;
  out->values = command_alloc(out->windows * width, sizeof *out->values);
  out->stored = is_integer(session_output(s, 0));
  for (size_t w = 0; w < out->windows; w++) {
    fill_window(input, in, w * (size_t)out->hop, window);
    if (!session_invoke(s, why)) return false;
    const TfLiteTensor *output = session_output(s, 0);
    if (values_count(output) != width) return failure_set(why, "%s: the number of features changes", s->path);
    for (size_t i = 0; i < width; i++) out->values[w * width + i] = values_real(output, i);
  }
  return true;
}

bool front_end_run(const char *path, const sound *in, int hop, features *out, failure *why) {
  session s;
  session_options options = {0};
  *out = (features){0};
  if (!session_open(&s, path, &options, why)) return false;
  bool good = s.input_count == 1 && s.output_count >= 1;
  if (!good) failure_set(why, "%s is no front end: it has %d inputs and %d outputs", path, s.input_count, s.output_count);
  good = good && session_allocate(&s, why) && run_windows(&s, in, hop, out, why);
  if (!good) front_end_free(out);
  session_close(&s);
  return good;
}

void front_end_free(features *in) {
  free(in->values);
  *in = (features){0};
}
