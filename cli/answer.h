// SPDX-License-Identifier: Apache-2.0
// What came out of a session, for people and for programs: best classes, detections, values.
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include <stdio.h>

#include "detect.h"
#include "feed.h"
#include "json.h"
#include "labels.h"
#include "session.h"

typedef struct answer_options {
  int top_k;            // best classes shown; 0: values instead
  double threshold;     // of detections; NaN: the metadata's, else 0.5
  bool all_values;      // every value of every output
  const labels *names;  // NULL or empty: none
  int label_offset;     // added to a class before its name is looked up
} answer_options;

// One class and its score, best first.
typedef struct answer_class {
  int class_number;
  double score;
} answer_class;

// Whether an output is a vector of two or more numbers, that is, whether its largest elements may be read as classes.
bool answer_is_vector(const TfLiteTensor *tensor);
// The best of a vector's elements; equal scores in the order of the classes. Returns how many were written.
int answer_best(const TfLiteTensor *tensor, int most, answer_class *best);
// The output whose best class is the model's answer: the first vector, -1 for none.
int answer_class_output(const session *s);

double answer_threshold(const session *s, const answer_options *options);
const char *answer_label(const answer_options *options, int class_number);  // NULL: none

// picture: what the first picture input was fed with, to give boxes in its pixels; NULL for none.
void answer_text(FILE *out, const session *s, const feed *picture, const answer_options *options);
void answer_json(cJSON *parent, const session *s, const feed *picture, const answer_options *options);

// A detection's fractions of the input picture in pixels of the picture that was read.
void answer_to_pixels(const feed *picture, double *x, double *y);

#endif
