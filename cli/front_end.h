// SPDX-License-Identifier: Apache-2.0
// Features of a sound, made by a model of its own: the audio front end of a keyword spotter. It takes a window of samples and
// gives a vector; the vectors of overlapping windows, one after the other, are what the spotter takes.
#ifndef CLI_FRONT_END_H
#define CLI_FRONT_END_H

#include "sound.h"

typedef struct features {
  int width;  // numbers of a window
  size_t windows;
  double *values;  // windows * width
  bool stored;     // integers without a quantisation, which the next model takes as they are; otherwise real values
  int hop;         // samples from one window to the next
  int rate;        // of the samples
} features;

// Runs the model at `path` over the sound. hop 0: two thirds of the window (20 of 30 ms, as TFLite Micro's front end does). The
// sound is followed by silence to fill its last window.
bool front_end_run(const char *path, const sound *in, int hop, features *out, failure *why);
void front_end_free(features *in);

#endif
