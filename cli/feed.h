// SPDX-License-Identifier: Apache-2.0
// Filling one input of a session from a source: a picture, a sound, an array, raw bytes, numbers, texts, zeros or noise.
// In three steps, for a source may set the input's shape: load, shape (before allocate), fill (after it).
#ifndef CLI_FEED_H
#define CLI_FEED_H

#include "front_end.h"
#include "image.h"
#include "npy.h"
#include "session.h"
#include "sound.h"

enum { FEED_CHANNELS = 4 };

typedef enum feed_layout { FEED_LAYOUT_AUTO, FEED_LAYOUT_NHWC, FEED_LAYOUT_NCHW } feed_layout;

typedef struct feed_options {
  double mean[FEED_CHANNELS], std[FEED_CHANNELS];  // real = (pixel - mean) / std
  int mean_count, std_count;                       // 0: from the metadata or the quantisation
  image_fit fit;
  feed_layout layout;
  bool bgr;
  int rate;               // of sounds, samples a second; 0: the metadata's, else the file's own
  double start;           // of sounds, seconds
  double step;            // seconds between the windows that feed_windows counts
  const char *front_end;  // model that makes features of sounds; NULL: the samples are the input
  int hop;                // samples between the front end's windows; 0: its own
  uint64_t seed;
} feed_options;

typedef enum feed_kind {
  FEED_PICTURE,
  FEED_SOUND,
  FEED_ARRAY,
  FEED_RAW,
  FEED_NUMBERS,
  FEED_TEXTS,
  FEED_ZEROS,
  FEED_RANDOM
} feed_kind;

typedef struct feed {
  const char *source;  // as the user wrote it
  feed_kind kind;
  image picture;          // upright, in RGB or RGBA
  image_mapping mapping;  // input pixels to picture pixels, after fill
  int width, height;      // of the input picture, after fill
  sound sound;            // from --start on, at the wanted rate
  features features;      // of the sound, when a front end makes them
  bool prepared;
  npy array;
  uint8_t *bytes;  // raw
  size_t size;
  double *numbers;
  int number_count;
  char **texts;
  int text_count;
} feed;

// Sources: a file (told by its content or name: PNG, JPEG, sound, .npy, .txt with one string a line; anything else is raw bytes
// of the tensor), or "zeros", "random", "value:1,2,3", "text:HELLO". A file of such a name is given as ./zeros.
bool feed_load(feed *f, const char *source, failure *why);
void feed_free(feed *f);

// Gives dimensions that the file leaves open the source's; *resized is set when an allocate is needed. Prepares sounds:
// resamples them and runs the front end.
bool feed_shape(feed *f, session *s, int input, const feed_options *options, bool *resized, failure *why);
// window: of a sound, from 0; otherwise 0.
bool feed_fill(feed *f, session *s, int input, const feed_options *options, int window, failure *why);
// How many inputs' worth a sound holds, options->step seconds apart; 1 without a step and for everything else. After feed_shape.
int feed_windows(const feed *f, const session *s, int input, const feed_options *options);

// Where a picture's pixels go in a tensor.
typedef struct feed_place {
  int height, width, channels;
  int height_axis, width_axis;  // -1: a flat vector
  size_t row, column, channel;  // element distances
} feed_place;
// False when the shape is none of [n,h,w,c], [n,c,h,w], [h,w,c], [1,h,w], [h,w], [1,side*side] with n = 1 and c of 1, 3, 4.
bool feed_picture_place(const TfLiteTensor *tensor, feed_layout layout, feed_place *place);

// Pseudo-random numbers (splitmix64) for inputs of noise: the same on every machine.
uint64_t feed_random(uint64_t *state);
// Noise in the whole input: floats in -1..1, all values of 8- and 16-bit integers, 0..9 in wider ones, either bool.
void feed_noise(TfLiteTensor *tensor, uint64_t *state);

#endif
