// SPDX-License-Identifier: Apache-2.0
// Outputs drawn over the picture that was the input: boxes, key points, class masks, heat maps.
#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "answer.h"

typedef enum overlay_kind { OVERLAY_BOXES, OVERLAY_POINTS, OVERLAY_MASK, OVERLAY_HEATMAP } overlay_kind;
extern const char *const overlay_names[];  // by kind, ends with NULL

typedef struct overlay_options {
  int output;   // which one holds the map; -1: the first that can
  int channel;  // of a heat map; -1: the largest value over the channels
} overlay_options;

// Draws on a copy of the picture and writes it as PNG. Fails when no output is of the kind.
bool overlay_write(const char *path, overlay_kind kind, const session *s, const feed *picture, const answer_options *answers,
                   const overlay_options *options, failure *why);

#endif
