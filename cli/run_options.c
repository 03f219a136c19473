// SPDX-License-Identifier: Apache-2.0
// Reading the options of `arenite run`, and its help.
#include "run_options.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char run_help[] =
    "Usage: arenite run MODEL [INPUT...] [OPTION...]\n"
    "\n"
    "Runs a model and shows what it says. An INPUT is\n"
    "  a PNG or JPEG picture, scaled to the model's input;\n"
    "  a WAV, FLAC or OGG sound, resampled and cut to it;\n"
    "  a .npy array; a .txt file with one string a line; any other file as the tensor's bytes;\n"
    "  zeros, random, value:1,2,3 or text:HELLO.\n"
    "A model of one input runs once for each INPUT; a model of several takes that many INPUTs a run, in its order.\n"
    "\n"
    "Inputs:\n"
    "  -i, --input NAME=INPUT     this input, by name or number; the others come from the command line's INPUTs\n"
    "      --shape NAME=1x96x96x3 resize an input first\n"
    "      --fill INPUT           for inputs that are not given: zeros, random, ...\n"
    "      --seed N               of random inputs (default 1)\n"
    "      --keep-state           keep variables, resources and the like from one run to the next\n"
    "Pictures: a pixel p of 0..255 becomes (p - MEAN) / STD, from these options, else from the model's metadata, else\n"
    "          p itself for 8-bit inputs and p / 255 for float ones.\n"
    "      --mean M[,M,M]         for all channels or each\n"
    "      --std S[,S,S]\n"
    "      --resize HOW           stretch (default), letterbox (whole picture, black borders) or crop (centre)\n"
    "      --layout ORDER         auto (default), nhwc or nchw\n"
    "      --bgr                  blue first\n"
    "Sounds:\n"
    "      --rate HZ              the rate that the model wants (default: its metadata, else the file's)\n"
    "      --start SECONDS        begin there\n"
    "      --stream SECONDS       run on window after window, so far apart; variables keep their values within a sound\n"
    "      --front-end MODEL      makes features of overlapping windows of samples, which are the input\n"
    "      --hop N                samples from one such window to the next (default: two thirds of a window)\n"
    "Answers:\n"
    "  -l, --labels FILE          class names, one a line (default: those packed with the model)\n"
    "      --locale NAME          which of the packed labels, e.g. de\n"
    "      --label-offset N       class c has label c + N (default: 1 where the labels begin with a background\n"
    "                             class that detections do not count, else 0)\n"
    "  -k, --top-k N              show the N best classes (default 5; 0: values instead)\n"
    "      --threshold P          least score of detections (default: metadata, else 0.5)\n"
    "      --values               show every value of every output\n"
    "  -o, --output NAME=FILE     write an output, by name or number: .npy, .png, or else its bytes\n"
    "      --dequantize           .npy files hold real values instead of quantised ones\n"
    "  -d, --draw KIND=FILE.png   draw onto the picture: boxes, points (body), mask (classes), heatmap\n"
    "      --map NAME             the output that mask and heatmap show (default: the first that can be)\n"
    "      --channel N            of the heat map (default: the largest value over the channels)\n"
    "      --expect dir|name      the right class of each INPUT is the name of its folder, or the part of its file name\n"
    "                             before '_', '-' or '.'; shows how many were right\n"
    "                             With several runs, {} in FILE stands for the INPUT's name.\n"
    "Running:\n"
    "  -s, --signature KEY        run a signature instead of the first subgraph\n"
    "  -t, --threads N            (default 1)\n"
    "  -p, --profile              show the time of each operator\n"
    "  -j, --json                 print JSON\n"
    "  -q, --quiet                no notes on stderr\n"
    "  -v, --verbose              the runtime's warnings on stderr\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite run mobilenet.tflite cat.jpg --labels imagenet.txt\n"
    "  arenite run ssd.tflite street.jpg --draw boxes=out.png\n"
    "  arenite run digits.tflite samples/*.png --expect name --json\n"
    "  arenite run style.tflite photo.jpg style.npy --output 0=painted.png\n"
    "  arenite run keywords.tflite talk.wav --front-end features.tflite --rate 16000 --stream 0.25\n";

enum {
  OPTION_SHAPE = 256,
  OPTION_FILL,
  OPTION_SEED,
  OPTION_KEEP,
  OPTION_MEAN,
  OPTION_STD,
  OPTION_RESIZE,
  OPTION_LAYOUT,
  OPTION_BGR,
  OPTION_RATE,
  OPTION_HOP,
  OPTION_FRONT_END,
  OPTION_STREAM,
  OPTION_START,
  OPTION_LOCALE,
  OPTION_OFFSET,
  OPTION_THRESHOLD,
  OPTION_VALUES,
  OPTION_REAL,
  OPTION_MAP,
  OPTION_CHANNEL,
  OPTION_EXPECT
};

static const struct option run_long_options[] = {{"input", required_argument, NULL, 'i'},
                                                 {"shape", required_argument, NULL, OPTION_SHAPE},
                                                 {"fill", required_argument, NULL, OPTION_FILL},
                                                 {"seed", required_argument, NULL, OPTION_SEED},
                                                 {"keep-state", no_argument, NULL, OPTION_KEEP},
                                                 {"mean", required_argument, NULL, OPTION_MEAN},
                                                 {"std", required_argument, NULL, OPTION_STD},
                                                 {"resize", required_argument, NULL, OPTION_RESIZE},
                                                 {"layout", required_argument, NULL, OPTION_LAYOUT},
                                                 {"bgr", no_argument, NULL, OPTION_BGR},
                                                 {"rate", required_argument, NULL, OPTION_RATE},
                                                 {"start", required_argument, NULL, OPTION_START},
                                                 {"stream", required_argument, NULL, OPTION_STREAM},
                                                 {"front-end", required_argument, NULL, OPTION_FRONT_END},
                                                 {"hop", required_argument, NULL, OPTION_HOP},
                                                 {"labels", required_argument, NULL, 'l'},
                                                 {"locale", required_argument, NULL, OPTION_LOCALE},
                                                 {"label-offset", required_argument, NULL, OPTION_OFFSET},
                                                 {"top-k", required_argument, NULL, 'k'},
                                                 {"threshold", required_argument, NULL, OPTION_THRESHOLD},
                                                 {"values", no_argument, NULL, OPTION_VALUES},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"dequantize", no_argument, NULL, OPTION_REAL},
                                                 {"draw", required_argument, NULL, 'd'},
                                                 {"map", required_argument, NULL, OPTION_MAP},
                                                 {"channel", required_argument, NULL, OPTION_CHANNEL},
                                                 {"expect", required_argument, NULL, OPTION_EXPECT},
                                                 {"signature", required_argument, NULL, 's'},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"profile", no_argument, NULL, 'p'},
                                                 {"json", no_argument, NULL, 'j'},
                                                 {"quiet", no_argument, NULL, 'q'},
                                                 {"verbose", no_argument, NULL, 'v'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {0}};

static bool add_pair(run_pairs *pairs, const char *option, char *text) {
  run_pair pair;
  if (!command_split(option, text, &pair.name, &pair.value)) return false;
  pairs->items = command_grow(pairs->items, (size_t)pairs->count + 1, sizeof *pairs->items);
  pairs->items[pairs->count++] = pair;
  return true;
}

static bool read_choice(const char *option, const char *text, const char *const *choices, int *value) {
  int choice = command_choice(option, text, choices);
  if (choice >= 0) *value = choice;
  return choice >= 0;
}

static bool read_whole(const char *option, const char *text, long long low, long long high, int *value) {
  long long number;
  if (!command_read_int(option, text, low, high, &number)) return false;
  *value = (int)number;
  return true;
}

static bool read_deviations(const char *text, feed_options *to) {
  if (!command_read_reals("--std", text, FEED_CHANNELS, to->std, &to->std_count)) return false;
  for (int i = 0; i < to->std_count; i++)
    if (to->std[i] == 0) {
      command_misused("--std cannot be 0");
      return false;
    }
  return true;
}

static bool read_picture_option(int option, char *value, run_options *o) {
  static const char *const fits[] = {"stretch", "letterbox", "crop", NULL}, *const layouts[] = {"auto", "nhwc", "nchw", NULL};
  int choice;
  switch (option) {
    case OPTION_MEAN: return command_read_reals("--mean", value, FEED_CHANNELS, o->feed.mean, &o->feed.mean_count);
    case OPTION_STD: return read_deviations(value, &o->feed);
    case OPTION_RESIZE:
      if (!read_choice("--resize", value, fits, &choice)) return false;
      o->feed.fit = (image_fit)choice;
      return true;
    case OPTION_LAYOUT:
      if (!read_choice("--layout", value, layouts, &choice)) return false;
      o->feed.layout = (feed_layout)choice;
      return true;
    case OPTION_RATE: return read_whole("--rate", value, 1, 1000000, &o->feed.rate);
    case OPTION_HOP: return read_whole("--hop", value, 1, 10000000, &o->feed.hop);
    case OPTION_FRONT_END: o->feed.front_end = value; return true;
    case OPTION_STREAM:
      if (!command_read_real("--stream", value, &o->feed.step)) return false;
      return o->feed.step > 0 || (command_misused("--stream wants more than 0 seconds"), false);
    case OPTION_START:
      if (!command_read_real("--start", value, &o->feed.start)) return false;
      return o->feed.start >= 0 || (command_misused("--start cannot be negative"), false);
    default: o->feed.bgr = true; return true;
  }
}

static bool read_answer_option(int option, char *value, run_options *o) {
  static const char *const expectations[] = {"dir", "name", NULL};
  int choice;
  switch (option) {
    case OPTION_LOCALE: o->locale = value; return true;
    case OPTION_OFFSET:
      o->offset_given = true;
      return read_whole("--label-offset", value, -1000000, 1000000, &o->answer.label_offset);
    case OPTION_THRESHOLD: return command_read_real("--threshold", value, &o->answer.threshold);
    case OPTION_VALUES: o->answer.all_values = true; return true;
    case OPTION_REAL: o->real_outputs = true; return true;
    case OPTION_MAP: o->map_output = value; return true;
    case OPTION_CHANNEL: return read_whole("--channel", value, 0, INT_MAX, &o->overlay.channel);
    case 'k': return read_whole("--top-k", value, 0, 100000, &o->answer.top_k);
    case 'l': o->labels_path = value; return true;
    case 'o': return add_pair(&o->outputs, "--output", value);
    case 'd':
      return add_pair(&o->drawings, "--draw", value) &&
             command_choice("--draw", o->drawings.items[o->drawings.count - 1].name, overlay_names) >= 0;
    default:
      if (!read_choice("--expect", value, expectations, &choice)) return false;
      o->expect = choice == 0 ? RUN_EXPECT_DIR : RUN_EXPECT_NAME;
      return true;
  }
}

static bool read_run_option(int option, char *value, run_options *o) {
  long long number;
  switch (option) {
    case 'i': return add_pair(&o->inputs, "--input", value);
    case OPTION_SHAPE: return shape_option_read(&o->shapes, value);
    case OPTION_FILL: o->fill = value; return true;
    case OPTION_SEED:
      if (!command_read_int("--seed", value, 0, LLONG_MAX, &number)) return false;
      o->feed.seed = (uint64_t)number;
      return true;
    case OPTION_KEEP: o->keep_state = true; return true;
    case 's': o->session.signature = value; return true;
    case 't': return read_whole("--threads", value, 1, 1024, &o->session.threads);
    case 'p': o->profile = true; return true;
    case 'j': o->json = true; return true;
    case 'q': o->quiet = true; return true;
    case 'v': o->session.verbose = true; return true;
    default: break;
  }
  bool picture = option >= OPTION_MEAN && option <= OPTION_START;
  return picture ? read_picture_option(option, value, o) : read_answer_option(option, value, o);
}

int run_options_read(int argc, char **argv, run_options *o, bool *done) {
  *o = (run_options){
      .answer = {.top_k = 5, .threshold = (double)NAN}, .overlay = {.output = -1, .channel = -1}, .feed = {.seed = 1}};
  *done = false;
  int option;
  while ((option = getopt_long(argc, argv, "i:l:k:o:d:s:t:pjqvh", run_long_options, NULL)) != -1) {
    if (option == '?') return command_misused_option();
    if (option == 'h') {
      fputs(run_help, stdout);
      *done = true;
      return COMMAND_OK;
    }
    if (!read_run_option(option, optarg, o)) return COMMAND_MISUSED;
  }
  if (optind == argc) return command_misused("give a model: arenite run MODEL [INPUT...]");
  o->model = argv[optind];
  o->sources = argv + optind + 1;
  o->source_count = argc - optind - 1;
  if (o->expect != RUN_EXPECT_NOTHING && o->source_count == 0)
    return command_misused("--expect needs INPUT files to take names from");
  if (o->feed.step > 0 && (o->expect != RUN_EXPECT_NOTHING || o->outputs.count))
    return command_misused("--stream runs the model many times for an INPUT: not with --expect or --output");
  if (o->quiet) command_quiet();
  return COMMAND_OK;
}

void run_options_free(run_options *o) {
  free(o->inputs.items);
  shape_option_free(&o->shapes);
  free(o->outputs.items);
  free(o->drawings.items);
}
