// SPDX-License-Identifier: Apache-2.0
// arenite run: from a model and inputs to an answer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arenite/profile.h"
#include "export.h"
#include "run_options.h"
#include "table.h"
#include "term.h"
#include "timing.h"
#include "values.h"

// A run of the model on one set of inputs.
typedef struct run_job {
  const run_options *o;
  session s;
  labels names;
  answer_options answer;
  overlay_options overlay;
  feed *feeds;      // by input
  bool *fixed;      // by input: comes from --input or --fill, for every run
  bool *constant;   // by input: part of the model, takes no value
  int free_inputs;  // inputs that the positional INPUTs fill
  int groups;       // of positional INPUTs, each of one run or, with --stream, of several
  int runs;         // done so far
  int *output_of;   // by --output: which output
  arn_profile *profile;
  table *lines;  // one line a run, when there are several runs with a short answer
  cJSON *results;
  int right;  // runs whose best class was the expected one
  bool allocated;
} run_job;

// One run: which group of inputs, and where in a sound.
typedef struct run_place {
  int group, window;
  double seconds;
} run_place;

// ---- Labels ----
static bool packed_labels(run_job *job, failure *why) {
  const run_options *o = job->o;
  for (int i = 0; i < job->s.output_count; i++) {
    const packed_tensor *about = session_about_output(&job->s, i);
    const char *file = about ? packed_label_file(about, o->locale) : NULL;
    if (!file) continue;
    uint8_t *bytes;
    size_t size;
    if (!packed_extract(o->model, file, &bytes, &size, why)) return false;
    bool good = labels_parse((const char *)bytes, size, &job->names, why);
    free(bytes);
    return good || failure_prefix(why, "packed file '%s': ", file);
  }
  return true;
}

// Label files of detectors often begin with a class for "nothing", which the detector's class numbers leave out.
static int found_offset(const run_job *job) {
  const char *first = labels_name(&job->names, 0);
  arn_node_info node;
  bool detector = job->s.output_count > 0 && session_writer(&job->s, session_output(&job->s, 0), &node) &&
                  !strcmp(node.name, "TFLite_Detection_PostProcess");
  bool background = first && (!strcmp(first, "???") || !strcasecmp(first, "background") || !strcasecmp(first, "unlabeled"));
  return detector && background ? 1 : 0;
}

static bool read_labels(run_job *job, failure *why) {
  const run_options *o = job->o;
  bool good = o->labels_path ? labels_read(o->labels_path, &job->names, why) : packed_labels(job, why);
  job->answer = o->answer;
  job->answer.names = job->names.count ? &job->names : NULL;
  if (!o->offset_given) job->answer.label_offset = found_offset(job);
  return good;
}

// ---- Inputs ----
static bool load_fixed(run_job *job, failure *why) {
  const run_options *o = job->o;
  for (int i = 0; i < o->inputs.count; i++) {
    int input = session_find_input(&job->s, o->inputs.items[i].name, why);
    if (input < 0) return false;
    if (job->fixed[input]) return failure_set(why, "input '%s' is given twice", session_input_name(&job->s, input));
    if (!feed_load(&job->feeds[input], o->inputs.items[i].value, why)) return false;
    job->fixed[input] = true;
  }
  for (int i = 0; i < job->s.input_count; i++) {
    job->constant[i] = session_constant(&job->s, i);
    if (job->constant[i] && job->fixed[i])
      return failure_set(why, "input '%s' is a constant of the model and takes no value", session_input_name(&job->s, i));
    job->free_inputs += !job->fixed[i] && !job->constant[i];
  }
  return true;
}

// Says which positional INPUT goes where, or how many are missing.
static bool share_sources(run_job *job, failure *why) {
  const run_options *o = job->o;
  int given = o->source_count, wanted = job->free_inputs;
  if (given == 0 && o->fill) {
    for (int i = 0; i < job->s.input_count; i++) {
      if (job->fixed[i] || job->constant[i]) continue;
      if (!feed_load(&job->feeds[i], o->fill, why)) return false;
      job->fixed[i] = true;
    }
    job->free_inputs = wanted = 0;
  }
  job->groups = wanted ? given / wanted : 1;
  if (wanted ? given > 0 && given % wanted == 0 : given == 0) return true;
  char *inputs = session_describe_inputs(&job->s);
  if (job->s.input_count == 0)
    failure_set(why, "%s takes no inputs", o->model);
  else if (wanted == 0)
    failure_set(why, "'%s' is one INPUT too many: all inputs are given (%s)", o->sources[0], inputs);
  else if (given == 0)
    failure_set(why, "the model wants %s: name a file for each, or give --fill random", inputs);
  else
    failure_set(why, "%d INPUTs cannot be shared out: a run takes %d (%s)", given, wanted, inputs);
  free(inputs);
  return false;
}

// A fresh start for the next group, unless the model's state is to be kept.
static bool forget_group(run_job *job, failure *why) {
  bool restarted;
  if (!job->allocated || job->o->keep_state) return true;
  if (!session_forget(&job->s, &restarted, why)) return false;
  if (!restarted) return true;
  job->allocated = false;
  if (job->profile) arn_interpreter_set_profiler(job->s.interpreter, arn_profile_hooks(job->profile));
  return shape_option_apply(&job->o->shapes, &job->s, why);
}

// Loads the positional inputs of a group and gives the inputs their shapes.
static bool load_group(run_job *job, int group, failure *why) {
  const run_options *o = job->o;
  if (!forget_group(job, why)) return false;
  int next = group * job->free_inputs;
  bool resized = !job->allocated;
  for (int i = 0; i < job->s.input_count; i++) {
    if (job->constant[i]) continue;
    if (!job->fixed[i]) {
      feed_free(&job->feeds[i]);
      if (!feed_load(&job->feeds[i], o->sources[next++], why)) return false;
    }
    if (!feed_shape(&job->feeds[i], &job->s, i, &o->feed, &resized, why)) return false;
  }
  if (resized && !session_allocate(&job->s, why)) return false;
  job->allocated = true;
  return true;
}

// How many windows the sounds of a group have: the one with the most decides, others begin again with silence.
static int group_windows(const run_job *job) {
  int windows = 1;
  for (int i = 0; i < job->s.input_count; i++) {
    int own = job->constant[i] ? 1 : feed_windows(&job->feeds[i], &job->s, i, &job->o->feed);
    if (own > windows) windows = own;
  }
  return windows;
}

// ---- Answers ----
// What the path says the right class is: the caller frees.
static char *expected_class(run_expect how, const char *path) {
  const char *slash = strrchr(path, '/');
  if (how == RUN_EXPECT_NAME) {
    const char *base = slash ? slash + 1 : path;
    return command_text("%.*s", (int)strcspn(base, "_-."), base);
  }
  if (!slash) return command_text("%s", "");
  const char *begin = slash;
  while (begin > path && begin[-1] != '/') begin--;
  return command_text("%.*s", (int)(slash - begin), begin);
}

static const feed *picture_of(const run_job *job) {
  for (int i = 0; i < job->s.input_count; i++)
    if (job->feeds[i].kind == FEED_PICTURE && job->feeds[i].width > 0) return &job->feeds[i];
  return NULL;
}

static const char *group_name(const run_job *job, int group) {
  return job->free_inputs ? job->o->sources[group * job->free_inputs] : job->o->model;
}

// The classes agree when the number does, or the label.
static bool class_matches(const run_job *job, int found, const char *expected) {
  const char *label = answer_label(&job->answer, found);
  if (label && !strcasecmp(label, expected)) return true;
  int wanted = job->names.count ? labels_find(&job->names, expected) : -1;
  if (wanted >= 0) return wanted == found + job->answer.label_offset;
  char number[24];
  snprintf(number, sizeof number, "%d", found);
  return !strcmp(number, expected);
}

static bool write_files(const run_job *job, int group, failure *why) {
  const run_options *o = job->o;
  const char *source = group_name(job, group);
  for (int i = 0; i < o->outputs.count; i++) {
    char *path = export_path(o->outputs.items[i].value, source);
    bool good = export_output(path, &job->s, job->output_of[i], o->real_outputs, why);
    free(path);
    if (!good) return false;
  }
  const feed *picture = picture_of(job);
  if (o->drawings.count && !picture) return failure_set(why, "--draw needs a picture as an input");
  for (int i = 0; i < o->drawings.count; i++) {
    char *path = export_path(o->drawings.items[i].value, source);
    overlay_kind kind = OVERLAY_BOXES;
    while (strcmp(overlay_names[kind], o->drawings.items[i].name)) kind++;
    bool good = overlay_write(path, kind, &job->s, picture, &job->answer, &job->overlay, why);
    free(path);
    if (!good) return false;
  }
  return true;
}

// The short answer of a run: its best class, or its only number.
static void line_of_run(run_job *job, const run_place *place, const answer_class *best, const char *expected, bool right) {
  const char *label = best->class_number >= 0 ? answer_label(&job->answer, best->class_number) : NULL;
  table_cell(job->lines, "%s", group_name(job, place->group));
  if (job->o->feed.step > 0) table_cell(job->lines, "%.2f", place->seconds);
  if (best->class_number >= 0)
    table_cell(job->lines, "%d", best->class_number);
  else
    table_cell(job->lines, "%s", "");
  table_cell(job->lines, "%.4f", best->score);
  table_cell(job->lines, "%s", label ? label : "");
  if (expected) table_cell(job->lines, "%s%s", right ? "" : "wrong: ", right ? "right" : expected);
  table_end_row(job->lines);
}

// The best class of the classifying output, else the first output's first number (class -1).
static answer_class short_answer(const run_job *job) {
  answer_class best = {-1, 0};
  int classes = answer_class_output(&job->s);
  if (classes >= 0)
    answer_best(session_output(&job->s, classes), 1, &best);
  else if (job->s.output_count > 0 && values_count(session_output(&job->s, 0)) > 0)
    best.score = values_real(session_output(&job->s, 0), 0);
  return best;
}

static void show_run(run_job *job, const run_place *place, uint64_t took) {
  const run_options *o = job->o;
  const char *name = group_name(job, place->group);
  answer_class best = short_answer(job);
  char *expected = o->expect ? expected_class(o->expect, name) : NULL;
  bool right = expected && best.class_number >= 0 && class_matches(job, best.class_number, expected);
  job->right += right;
  if (o->json) {
    cJSON *item = json_add_object(job->results, NULL);
    if (job->free_inputs) json_add_text(item, "input", name);
    if (o->feed.step > 0) json_add_real(item, "seconds", place->seconds);
    json_add_size(item, "time_ns", took);
    if (expected) {
      json_add_text(item, "expected", expected);
      json_add_bool(item, "right", right);
    }
    answer_json(item, &job->s, picture_of(job), &job->answer);
  } else if (job->lines) {
    line_of_run(job, place, &best, expected, right);
  } else {
    if (job->groups > 1) printf("%s%s:\n", job->runs > 1 ? "\n" : "", name);
    if (o->feed.step > 0) printf("%.2f s:\n", place->seconds);
    answer_text(stdout, &job->s, picture_of(job), &job->answer);
    if (expected) printf("%s (expected %s)\n", right ? "right" : "wrong", expected);
  }
  free(expected);
}

// Several runs with a short answer (a classifier's, or one number) are one table; everything else is shown run by run.
static void begin_lines(run_job *job) {
  static const char *const plain[] = {"input", ">class", ">score", "label", ""};
  static const char *const timed[] = {"input", ">second", ">class", ">score", "label"};
  const run_options *o = job->o;
  detections found;
  bool several = job->groups > 1 || o->feed.step > 0;
  if (o->json || !several || o->answer.all_values || o->answer.top_k == 0) return;
  if (answer_class_output(&job->s) < 0 && (job->s.output_count != 1 || values_count(session_output(&job->s, 0)) != 1)) return;
  if (detect_read(&job->s, 1, &found)) {
    detect_free(&found);
    return;
  }
  job->lines = o->feed.step > 0 ? table_create(5, timed) : table_create(o->expect ? 5 : 4, plain);
}

static bool run_window(run_job *job, const run_place *place, failure *why) {
  for (int i = 0; i < job->s.input_count; i++)
    if (!job->constant[i] && !feed_fill(&job->feeds[i], &job->s, i, &job->o->feed, place->window, why)) return false;
  if (job->runs == 0 && job->profile) arn_interpreter_set_profiler(job->s.interpreter, arn_profile_hooks(job->profile));
  uint64_t began = arn_clock_ns();
  if (!session_invoke(&job->s, why)) return false;
  uint64_t took = arn_clock_ns() - began;
  if (job->runs++ == 0) begin_lines(job);
  show_run(job, place, took);
  return write_files(job, place->group, why);
}

static bool run_all(run_job *job, failure *why) {
  const run_options *o = job->o;
  term_progress progress;
  term_progress_begin(&progress, "running", (uint64_t)job->groups * 1000);
  bool good = true;
  for (int group = 0; group < job->groups && good; group++) {
    if (!load_group(job, group, why)) return term_progress_end(&progress), false;
    int windows = group_windows(job);
    for (int window = 0; window < windows && good; window++) {
      run_place place = {group, window, o->feed.start + window * o->feed.step};
      // Answers that are printed at once take the bar's place.
      if (o->json || job->lines)
        term_progress_step(&progress, (uint64_t)group * 1000 + (uint64_t)window * 1000 / (uint64_t)windows);
      else
        term_progress_end(&progress);
      good = run_window(job, &place, why);
    }
  }
  term_progress_end(&progress);
  return good;
}

static int finish_run(run_job *job) {
  const run_options *o = job->o;
  if (o->json) {
    cJSON *document = json_object();
    json_add_text(document, "model", o->model);
    json_add(document, "results", job->results);
    job->results = NULL;
    if (o->expect) {
      cJSON *accuracy = json_add_object(document, "accuracy");
      json_add_int(accuracy, "right", job->right);
      json_add_int(accuracy, "of", job->runs);
      json_add_real(accuracy, "share", (double)job->right / job->runs);
    }
    if (job->profile) timing_profile_json(document, &job->s, job->profile, job->runs);
    return json_print(document);
  }
  if (job->lines) table_print(job->lines, stdout);
  if (o->expect) printf("accuracy %d/%d = %.2f%%\n", job->right, job->runs, 100.0 * job->right / job->runs);
  if (job->profile) timing_profile_text(stdout, &job->s, job->profile, job->runs, 0);
  return COMMAND_OK;
}

// Finds named outputs and checks file patterns, before anything is run.
static bool check_files(run_job *job, failure *why) {
  const run_options *o = job->o;
  job->output_of = command_alloc((size_t)o->outputs.count, sizeof *job->output_of);
  for (int i = 0; i < o->outputs.count; i++) {
    job->output_of[i] = session_find_output(&job->s, o->outputs.items[i].name, why);
    if (job->output_of[i] < 0) return false;
  }
  job->overlay = o->overlay;
  if (o->map_output && (job->overlay.output = session_find_output(&job->s, o->map_output, why)) < 0) return false;
  for (int i = 0; i < o->outputs.count + o->drawings.count; i++) {
    const char *path = i < o->outputs.count ? o->outputs.items[i].value : o->drawings.items[i - o->outputs.count].value;
    if (job->groups > 1 && !strstr(path, "{}"))
      return failure_set(why, "every run would overwrite %s: put {} into the name, it stands for the INPUT's", path);
  }
  return true;
}

static int run_model(run_job *job) {
  failure why;
  const run_options *o = job->o;
  if (!session_open(&job->s, o->model, &o->session, &why)) return command_failed("%s", why.text);
  job->feeds = command_alloc((size_t)job->s.input_count, sizeof *job->feeds);
  job->fixed = command_alloc((size_t)job->s.input_count, sizeof *job->fixed);
  job->constant = command_alloc((size_t)job->s.input_count, sizeof *job->constant);
  job->results = o->json ? json_array() : NULL;
  if (o->profile && arn_profile_create(&job->profile) != ARN_OK) return command_failed("out of memory");
  bool good = read_labels(job, &why) && load_fixed(job, &why) && share_sources(job, &why) && check_files(job, &why) &&
              shape_option_apply(&o->shapes, &job->s, &why) && run_all(job, &why);
  if (good) return finish_run(job);
  if (job->lines) table_print(job->lines, stdout);
  return command_failed("%s", why.text);
}

int cmd_run(int argc, char **argv) {
  run_options o;
  bool done;
  int code = run_options_read(argc, argv, &o, &done);
  if (code == COMMAND_OK && !done) {
    run_job job = {.o = &o};
    code = run_model(&job);
    for (int i = 0; job.feeds && i < job.s.input_count; i++) feed_free(&job.feeds[i]);
    free(job.feeds);
    free(job.fixed);
    free(job.constant);
    free(job.output_of);
    table_destroy(job.lines);
    cJSON_Delete(job.results);
    labels_free(&job.names);
    session_close(&job.s);
    arn_profile_destroy(job.profile);
  }
  run_options_free(&o);
  return code;
}
