// SPDX-License-Identifier: Apache-2.0
// Sound files as mono floats, and resampling.
#ifndef CLI_SOUND_H
#define CLI_SOUND_H

#include "command.h"

typedef struct sound {
  int rate;  // samples a second
  size_t count;
  float *samples;  // -1..1, channels averaged; sound_free
} sound;

// Whether the name ends in .wav, .flac, .ogg, .aiff or another suffix that libsndfile reads.
bool sound_is_sound(const char *path);
bool sound_read(const char *path, sound *out, failure *why);
// A windowed-sinc low pass at the lower of the two rates (Hann window, 16 zero crossings a side).
void sound_resample(sound *in, int rate);
void sound_free(sound *in);

#endif
