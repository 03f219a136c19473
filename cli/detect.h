// SPDX-License-Identifier: Apache-2.0
// Detections out of a model's outputs: the four outputs of TFLite_Detection_PostProcess, or the raw boxes and scores of
// MediaPipe's single-shot detectors (faces, palms, poses), whose anchors follow from their number.
#ifndef CLI_DETECT_H
#define CLI_DETECT_H

#include "session.h"

enum { DETECT_MAX_POINTS = 16 };

// Coordinates are fractions of the model's input picture, from its top left corner.
typedef struct detection {
  int class_number;  // from 0, without a background class; -1: the model has one class
  double score;
  double left, top, right, bottom;
  int point_count;
  double points[DETECT_MAX_POINTS][2];
} detection;

typedef struct detections {
  detection *items;  // by falling score
  int count;
} detections;

// False when the outputs are of neither kind. Detections below the threshold are left out.
bool detect_read(const session *s, double threshold, detections *out);
void detect_free(detections *in);

#endif
