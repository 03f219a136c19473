// SPDX-License-Identifier: Apache-2.0
// arenite bench: how long loading, the first and later inferences take, and how much memory.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "arenite/profile.h"
#include "arenite/report.h"
#include "feed.h"
#include "json.h"
#include "shape_option.h"
#include "term.h"
#include "text.h"
#include "timing.h"

static const char bench_help[] =
    "Usage: arenite bench MODEL [OPTION...]\n"
    "\n"
    "Measures how long it takes to open the file (with its verification), to bind the operators, to prepare and plan, the\n"
    "first inference, and the later ones; and the memory. Inputs are noise, the same on every machine.\n"
    "\n"
    "  -r, --runs N               inferences measured (default: as many as fit into --seconds, at least 10)\n"
    "      --seconds S            (default 1)\n"
    "  -w, --warmup N             inferences before (default 3)\n"
    "  -t, --threads N            (default 1)\n"
    "      --fill INPUT           all inputs: random (default), zeros, value:0.5\n"
    "      --seed N               of random inputs (default 1)\n"
    "      --shape NAME=1x96x96x3 resize an input first\n"
    "  -s, --signature KEY        run a signature instead of the first subgraph\n"
    "  -p, --profile              the time of each operator, measured in runs of their own\n"
    "      --most N               operators shown by --profile (default 20, 0: all)\n"
    "  -j, --json                 print JSON\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite bench model.tflite\n"
    "  arenite bench model.tflite --runs 200 --threads 2 --profile\n";

typedef struct bench_request {
  const char *model, *fill;
  session_options session;
  shape_options shapes;
  feed_options feed;
  double seconds;
  int runs, warmup, most;  // runs 0: by time
  bool profile, json;
} bench_request;

typedef struct bench_result {
  timing steady;
  uint64_t first_ns;
  arn_memory_totals memory;
  uint64_t macs;
  arn_profile *profile;
  int profile_runs;
} bench_result;

enum { BENCH_LEAST_RUNS = 10, BENCH_MOST_RUNS = 1000000 };

static bool bench_inputs(const bench_request *o, session *s, failure *why) {
  for (int i = 0; i < s->input_count; i++) {
    feed source;
    if (!feed_load(&source, o->fill ? o->fill : "random", why)) return false;
    bool good = feed_fill(&source, s, i, &o->feed, 0, why);
    feed_free(&source);
    if (!good) return false;
  }
  return true;
}

static bool bench_once(session *s, uint64_t *took, failure *why) {
  uint64_t began = arn_clock_ns();
  bool good = session_invoke(s, why);
  *took = arn_clock_ns() - began;
  return good;
}

// Measures until `runs` are done or, with runs 0, the time is up.
static bool bench_steady(const bench_request *o, session *s, bench_result *result, failure *why) {
  int room = o->runs ? o->runs : 1024, count = 0;
  uint64_t *samples = command_alloc((size_t)room, sizeof *samples), began = arn_clock_ns();
  double budget = o->seconds * 1e9;
  term_progress bar;
  term_progress_begin(&bar, "measuring", o->runs ? (uint64_t)o->runs : (uint64_t)budget);
  bool good = true;
  for (;;) {
    uint64_t past = arn_clock_ns() - began;
    if (o->runs ? count == o->runs : count >= BENCH_LEAST_RUNS && ((double)past >= budget || count == BENCH_MOST_RUNS)) break;
    term_progress_step(&bar, o->runs ? (uint64_t)count : (double)past < budget ? past : (uint64_t)budget);
    if (count == room) {
      room *= 2;
      samples = command_grow(samples, (size_t)room, sizeof *samples);
    }
    if (!(good = bench_once(s, &samples[count], why))) break;
    count++;
  }
  term_progress_end(&bar);
  if (good) result->steady = timing_of(samples, count);
  free(samples);
  return good;
}

static bool bench_profile(const bench_request *o, session *s, bench_result *result, failure *why) {
  if (!o->profile) return true;
  if (arn_profile_create(&result->profile) != ARN_OK) return failure_set(why, "out of memory");
  arn_interpreter_set_profiler(s->interpreter, arn_profile_hooks(result->profile));
  result->profile_runs = result->steady.count < 50 ? result->steady.count : 50;
  bool good = true;
  uint64_t took;
  for (int i = 0; i < result->profile_runs && good; i++) good = bench_once(s, &took, why);
  arn_interpreter_set_profiler(s->interpreter, NULL);
  return good;
}

static uint64_t model_macs(const session *s) {
  uint64_t sum = 0;
  arn_node_info node;
  for (int n = 0; n < arn_interpreter_node_count(s->interpreter, 0); n++)
    if (arn_interpreter_node(s->interpreter, 0, n, &node)) sum += node.macs;
  return sum;
}

static size_t most_resident(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

static void time_line(const char *what, double nanoseconds, const char *remark) {
  char text[TEXT_NUMBER];
  printf("  %-16s %12s%s%s\n", what, text_time(text, nanoseconds), *remark ? "  " : "", remark);
}

static void memory_line(const char *what, size_t bytes, const char *remark) {
  char text[TEXT_NUMBER];
  printf("  %-16s %14s  %s\n", what, text_count(text, bytes), remark);
}

static void bench_text(const bench_request *o, const session *s, const bench_result *r) {
  const char *bold = term_begin(stdout, TERM_BOLD), *end = term_end(stdout, TERM_BOLD);
  char remark[96];
  printf("%s%s%s\n", bold, o->model, end);
  printf("%sLoading%s\n", bold, end);
  time_line("open", (double)s->open_ns, "map and verify the file");
  time_line("bind", (double)s->create_ns, "find the operators");
  time_line("prepare", (double)s->allocate_ns, "prepare the operators, plan and take the memory");
  printf("%sInference%s (%d run%s after %d, %d thread%s)\n", bold, end, r->steady.count, r->steady.count == 1 ? "" : "s",
         o->warmup, o->session.threads ? o->session.threads : 1, o->session.threads > 1 ? "s" : "");
  time_line("first", (double)r->first_ns, "");
  snprintf(remark, sizeof remark, "standard deviation %.2f%%",
           r->steady.mean > 0 ? 100 * r->steady.deviation / r->steady.mean : 0);
  time_line("mean", r->steady.mean, remark);
  time_line("least", r->steady.least, "");
  remark[0] = '\0';
  if (r->macs) snprintf(remark, sizeof remark, "%.2f GMAC/s", (double)r->macs / r->steady.median);
  time_line("median", r->steady.median, remark);
  time_line("90 %", r->steady.p90, "");
  time_line("95 %", r->steady.p95, "");
  time_line("99 %", r->steady.p99, "");
  time_line("largest", r->steady.largest, "");
  printf("%sMemory%s (bytes)\n", bold, end);
  memory_line("arena", r->memory.arena, "activations and scratch");
  memory_line("heap", r->memory.heap, "all that the interpreter holds");
  memory_line("constants", r->memory.constants, "in the file");
  memory_line("process", most_resident(), "largest resident size");
  if (r->profile) timing_profile_text(stdout, s, r->profile, r->profile_runs, o->most);
}

static int bench_json(const bench_request *o, const session *s, const bench_result *r) {
  cJSON *document = json_object();
  json_add_text(document, "model", o->model);
  json_add_int(document, "threads", o->session.threads ? o->session.threads : 1);
  json_add_size(document, "open_ns", s->open_ns);
  json_add_size(document, "bind_ns", s->create_ns);
  json_add_size(document, "prepare_ns", s->allocate_ns);
  json_add_size(document, "first_ns", r->first_ns);
  json_add_int(document, "warmup", o->warmup);
  timing_json(document, "steady", &r->steady);
  json_add_size(document, "macs", r->macs);
  cJSON *memory = json_add_object(document, "memory");
  json_add_size(memory, "arena", r->memory.arena);
  json_add_size(memory, "persistent", r->memory.persistent);
  json_add_size(memory, "dynamic", r->memory.dynamic);
  json_add_size(memory, "packed", r->memory.packed);
  json_add_size(memory, "overhead", r->memory.overhead);
  json_add_size(memory, "heap", r->memory.heap);
  json_add_size(memory, "constants", r->memory.constants);
  json_add_size(memory, "process", most_resident());
  if (r->profile) timing_profile_json(document, s, r->profile, r->profile_runs);
  return json_print(document);
}

static int bench_model(const bench_request *o) {
  session s;
  failure why;
  bench_result result = {0};
  uint64_t took;
  if (!session_open(&s, o->model, &o->session, &why)) return command_failed("%s", why.text);
  bool good = shape_option_apply(&o->shapes, &s, &why) && session_allocate(&s, &why) && bench_inputs(o, &s, &why) &&
              bench_once(&s, &result.first_ns, &why);
  for (int i = 0; i < o->warmup && good; i++) good = bench_once(&s, &took, &why);
  good = good && bench_steady(o, &s, &result, &why);
  if (good && arn_memory_report(s.interpreter, &result.memory) != ARN_OK) good = failure_set(&why, "the memory report failed");
  good = good && bench_profile(o, &s, &result, &why);
  result.macs = model_macs(&s);
  int code = COMMAND_OK;
  if (!good)
    code = command_failed("%s", why.text);
  else if (o->json)
    code = bench_json(o, &s, &result);
  else
    bench_text(o, &s, &result);
  arn_profile_destroy(result.profile);
  session_close(&s);
  return code;
}

static bool bench_whole(const char *option, const char *text, long long low, long long high, int *value) {
  long long number;
  if (!command_read_int(option, text, low, high, &number)) return false;
  *value = (int)number;
  return true;
}

static bool read_bench_option(int option, char *value, bench_request *o) {
  int seed;
  switch (option) {
    case 'r': return bench_whole("--runs", value, 1, BENCH_MOST_RUNS, &o->runs);
    case 'w': return bench_whole("--warmup", value, 0, BENCH_MOST_RUNS, &o->warmup);
    case 't': return bench_whole("--threads", value, 1, 1024, &o->session.threads);
    case 'm': return bench_whole("--most", value, 0, BENCH_MOST_RUNS, &o->most);
    case 'D':
      if (!bench_whole("--seed", value, 0, 0x7FFFFFFF, &seed)) return false;
      o->feed.seed = (uint64_t)seed;
      return true;
    case 'T':
      if (!command_read_real("--seconds", value, &o->seconds)) return false;
      if (o->seconds > 0 && o->seconds <= 86400) return true;
      return command_misused("--seconds wants more than 0 and at most 86400, not '%s'", value), false;
    case 'F': o->fill = value; return true;
    case 'S': return shape_option_read(&o->shapes, value);
    case 's': o->session.signature = value; return true;
    case 'p': o->profile = true; return true;
    default: o->json = true; return true;
  }
}

int cmd_bench(int argc, char **argv) {
  static const struct option options[] = {{"runs", required_argument, NULL, 'r'},
                                          {"seconds", required_argument, NULL, 'T'},
                                          {"warmup", required_argument, NULL, 'w'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"fill", required_argument, NULL, 'F'},
                                          {"seed", required_argument, NULL, 'D'},
                                          {"shape", required_argument, NULL, 'S'},
                                          {"signature", required_argument, NULL, 's'},
                                          {"profile", no_argument, NULL, 'p'},
                                          {"most", required_argument, NULL, 'm'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  bench_request o = {.seconds = 1, .warmup = 3, .most = 20, .feed = {.seed = 1}};
  int option, code = COMMAND_OK;
  while (code == COMMAND_OK && (option = getopt_long(argc, argv, "r:w:t:s:pjh", options, NULL)) != -1) {
    if (option == 'h') {
      fputs(bench_help, stdout);
      goto done;
    }
    if (option == '?')
      code = command_misused_option();
    else if (!read_bench_option(option, optarg, &o))
      code = COMMAND_MISUSED;
  }
  if (code == COMMAND_OK && optind != argc - 1) code = command_misused("give one model: arenite bench MODEL");
  o.model = argv[optind];
  if (code == COMMAND_OK) code = bench_model(&o);
done:
  shape_option_free(&o.shapes);
  return code;
}
