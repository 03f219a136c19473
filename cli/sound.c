// SPDX-License-Identifier: Apache-2.0
// Reading through libsndfile, and a resampler.
#include "sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sndfile.h>

static const double sound_pi = 3.14159265358979323846;
enum { SOUND_MAX_SAMPLES = 1 << 28, SINC_CROSSINGS = 16 };

bool sound_is_sound(const char *path) {
  static const char *const suffixes[] = {".wav", ".flac", ".ogg", ".aiff", ".aif", ".au", ".mp3"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
    if (!strcasecmp(dot, suffixes[i])) return true;
  return false;
}

bool sound_read(const char *path, sound *out, failure *why) {
  *out = (sound){0};
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return failure_set(why, "%s: %s", path, sf_strerror(NULL));
  if (info.channels < 1 || info.frames < 0 || info.frames > SOUND_MAX_SAMPLES / info.channels) {
    sf_close(file);
    return failure_set(why, "%s: the sound is too long", path);
  }
  out->rate = info.samplerate;
  out->samples = command_alloc((size_t)info.frames, sizeof *out->samples);
  float *block = command_alloc((size_t)info.channels * 4096, sizeof *block);
  sf_count_t got;
  while ((got = sf_readf_float(file, block, 4096)) > 0 && out->count < (size_t)info.frames)
    for (sf_count_t i = 0; i < got && out->count < (size_t)info.frames; i++) {
      float sum = 0;
      for (int c = 0; c < info.channels; c++) sum += block[i * info.channels + c];
      out->samples[out->count++] = sum / (float)info.channels;
    }
  free(block);
  sf_close(file);
  if (out->count == 0) {
    sound_free(out);
    return failure_set(why, "%s: no samples", path);
  }
  return true;
}

void sound_resample(sound *in, int rate) {
  if (rate == in->rate || rate < 1) return;
  double step = (double)in->rate / rate;    // source samples a target sample
  double cutoff = step > 1 ? 1 / step : 1;  // of the source's Nyquist frequency
  double reach = SINC_CROSSINGS / cutoff;   // source samples to each side
  size_t count = (size_t)((double)in->count / step);
  if (count == 0) count = 1;
  float *samples = command_alloc(count, sizeof *samples);
  for (size_t i = 0; i < count; i++) {
    double centre = (double)i * step, sum = 0, weights = 0;
    long long first = (long long)ceil(centre - reach), last = (long long)floor(centre + reach);
    for (long long j = first; j <= last; j++) {
      double x = ((double)j - centre) * cutoff * sound_pi;
      double sinc = fabs(x) < 1e-9 ? 1 : sin(x) / x;
      double weight = sinc * (0.5 + 0.5 * cos(((double)j - centre) / reach * sound_pi));
      weights += weight;
      if (j >= 0 && j < (long long)in->count) sum += weight * (double)in->samples[j];
    }
    samples[i] = (float)(sum / weights);
  }
  free(in->samples);
  in->samples = samples;
  in->count = count;
  in->rate = rate;
}

void sound_free(sound *in) {
  free(in->samples);
  *in = (sound){0};
}
