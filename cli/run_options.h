// SPDX-License-Identifier: Apache-2.0
// The options of `arenite run`.
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "answer.h"
#include "feed.h"
#include "overlay.h"
#include "shape_option.h"

// NAME=VALUE as given: an input's source, an output's file, a drawing's file.
typedef struct run_pair {
  char *name, *value;
} run_pair;

typedef struct run_pairs {
  run_pair *items;
  int count;
} run_pairs;

typedef enum run_expect { RUN_EXPECT_NOTHING, RUN_EXPECT_DIR, RUN_EXPECT_NAME } run_expect;

typedef struct run_options {
  const char *model;
  char **sources;  // positional inputs
  int source_count;
  run_pairs inputs, outputs, drawings;
  shape_options shapes;
  const char *fill;  // source of inputs that are not given; NULL: that is an error
  const char *labels_path, *locale;
  bool offset_given;  // of labels; otherwise answer.label_offset is found out
  run_expect expect;
  const char *map_output;  // drawn as mask or heat map; NULL: the first that can be
  overlay_options overlay;
  feed_options feed;
  answer_options answer;
  session_options session;
  bool real_outputs, keep_state, profile, json, quiet;
} run_options;

// COMMAND_OK and *done for --help; COMMAND_MISUSED after a message.
int run_options_read(int argc, char **argv, run_options *options, bool *done);
void run_options_free(run_options *options);

#endif
