// SPDX-License-Identifier: Apache-2.0
// arenite plan: where a model's memory goes, or how a file of buffers is placed. Each format is a row of plan_formats.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_view.h"

static const char plan_help[] =
    "Usage: arenite plan MODEL [OPTION...]\n"
    "       arenite plan --buffers FILE.csv [--pairs FILE] [--planner NAME] [--capacity N] [--json]\n"
    "\n"
    "Prepares a model and shows its memory: each tensor's and scratch buffer's size, first and last use (steps of the\n"
    "execution order; 'in' is before the first) and offset in the arena; the peak, what it would be without reuse, and the\n"
    "lower bound that no plan for these lifetimes can beat; where the peak is, what padding costs, and which large tensors\n"
    "wait unused. With --buffers it plans a file of lifetimes and sizes instead.\n"
    "\n"
    "How to plan:\n"
    "      --planner NAME         linear, greedy, slots or exact (default: the runtime's)\n"
    "      --alignment N          of every tensor, a power of two (default 64; with --buffers 1)\n"
    "      --memory LIST          ways to save memory: host (default), micro, none, or a list with commas of\n"
    "                             views, in-place, rows, joins, order, free-inputs (host and micro may be in it)\n"
    "      --limit N              the arena may take N bytes; if it cannot, say which operator is the peak and what would help\n"
    "      --shape NAME=1x96x96x3 resize an input first\n"
    "      --max-shape NAME=1x... the largest shape the input will have: memory is taken for it now\n"
    "  -s, --signature KEY        of this signature's subgraph\n"
    "      --keep-all             no reuse: every tensor stays readable\n"
    "\n"
    "What to show:\n"
    "      --compare              all planners and all ways to save memory side by side\n"
    "  -f, --format NAME          text (default), rows (comma-separated), json, csv, svg, html or dot\n"
    "  -j, --json                 everything, for programs\n"
    "      --csv                  the buffers as id,lower,upper,size, for --buffers and other planners\n"
    "      --svg                  a picture: steps to the right, offsets upwards\n"
    "      --html                 the picture with a table to filter and to sort, in one page\n"
    "      --dot                  the graph for Graphviz, tensors on the edges\n"
    "      --subgraph N           which one csv, svg, html and dot show\n"
    "  -o, --output FILE          write there\n"
    "      --all                  constants and unused tensors too\n"
    "      --sort KEY             file (default), size, offset, first or length (of life)\n"
    "\n"
    "Buffers:\n"
    "      --buffers FILE         lines id,lower,upper,size (upper exclusive), optionally alignment and offset, after such a "
    "header\n"
    "      --pairs FILE           lines a,b,D,E: which may overlap and how far; with a model: where to write those of the plan\n"
    "      --capacity N           bytes there are: exit code 1 if the plan takes more\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite plan model.tflite\n"
    "  arenite plan model.tflite --html --output plan.html\n"
    "  arenite plan model.tflite --memory micro --limit 65536\n"
    "  arenite plan model.tflite --compare\n"
    "  arenite plan model.tflite --csv --pairs x.pairs > x.csv; arenite plan --buffers x.csv --pairs x.pairs\n";

typedef struct plan_format {
  const char *name;
  int (*write)(const plan_view *view, FILE *out);
  bool study;  // shows suspicious lifetimes and alignments
} plan_format;

static const plan_format plan_formats[] = {
    {"text", plan_as_text, true}, {"json", plan_as_json, true}, {"rows", plan_as_rows, false}, {"csv", plan_as_csv, false},
    {"svg", plan_as_svg, false},  {"html", plan_as_html, true}, {"dot", plan_as_dot, false}};
enum {
  PLAN_FORMAT_COUNT = sizeof plan_formats / sizeof *plan_formats,
  PLAN_FORMAT_TEXT = 0,
  PLAN_FORMAT_JSON = 1,
  PLAN_FORMAT_CSV = 3
};

typedef struct plan_command {
  plan_request model;
  plan_buffers_request buffers;
} plan_command;

// ---- Options ----
static bool read_memory_list(char *text, unsigned *memory) {
  static const char *const words[] = {"views",       "in-place", "rows",  "joins", "order",
                                      "free-inputs", "host",     "micro", "none",  NULL};
  static const unsigned bits[] = {ARN_MEMORY_VIEWS, ARN_MEMORY_IN_PLACE, ARN_MEMORY_ROWS,
                                  ARN_MEMORY_JOINS, ARN_MEMORY_ORDER,    ARN_MEMORY_FREE_INPUTS,
                                  ARN_MEMORY_HOST,  ARN_MEMORY_MICRO,    ARN_MEMORY_SEPARATE};
  *memory = 0;
  while (text) {
    char *comma = strchr(text, ',');
    if (comma) *comma = '\0';
    int choice = command_choice("--memory", text, words);
    if (choice < 0) return false;
    *memory |= bits[choice];
    text = comma ? comma + 1 : NULL;
  }
  if (!(*memory & ARN_MEMORY_SEPARATE) || *memory == ARN_MEMORY_SEPARATE) return true;
  command_misused("--memory none goes with nothing else");
  return false;
}

static bool read_bytes(const char *option, const char *text, size_t *bytes) {
  long long number;
  if (!command_read_int(option, text, 1, INT64_MAX, &number)) return false;
  if ((unsigned long long)number > SIZE_MAX) return command_misused("%s is more than this machine can address", option), false;
  *bytes = (size_t)number;
  return true;
}

static bool read_plan_format(const char *name, plan_request *o) {
  const char *names[PLAN_FORMAT_COUNT + 1] = {0};
  for (int i = 0; i < PLAN_FORMAT_COUNT; i++) names[i] = plan_formats[i].name;
  return (o->format = command_choice("--format", name, names)) >= 0;
}

static bool read_plan_number(int option, const char *value, plan_command *o) {
  long long number;
  if (option == 'N') {
    if (!command_read_int("--subgraph", value, 0, INT32_MAX, &number)) return false;
    o->model.subgraph = (int)number;
    return true;
  }
  if (!command_read_int("--alignment", value, 1, 1 << 20, &number)) return false;
  if (number & (number - 1)) return command_misused("--alignment is a power of two, not %lld", number), false;
  o->model.session.alignment = (size_t)number;
  o->buffers.alignment = (uint32_t)number;
  return true;
}

static bool read_plan_option(int option, const char *name, char *value, plan_command *all) {
  plan_request *o = &all->model;
  int choice;
  switch (option) {
    case 'P':
      if ((choice = command_choice("--planner", value, plan_planner_names)) < 0) return false;
      o->session.planner = all->buffers.options.algorithm = plan_planners[choice];
      return true;
    case 'A':
    case 'N': return read_plan_number(option, value, all);
    case 'M': return read_memory_list(value, &o->session.memory);
    case 'l': return read_bytes("--limit", value, &o->limit);
    case 'c': return read_bytes("--capacity", value, &all->buffers.options.capacity);
    case 'O': return (o->order = command_choice("--sort", value, plan_order_names)) >= 0;
    case 'f': return read_plan_format(value, o);
    case 'j': return read_plan_format("json", o);
    case 'F': return read_plan_format(name, o);
    case 'S': return shape_option_read(&o->shapes, value);
    case 'X': return shape_option_read_as(&o->max_shapes, "--max-shape", value);
    case 's': o->session.signature = value; return true;
    case 'o': o->output = value; return true;
    case 'B': all->buffers.file = value; return true;
    case 'p': o->pairs = all->buffers.pairs = value; return true;
    case 'K': o->session.keep_all = true; return true;
    case 'L': o->all = true; return true;
    default: o->compare = true; return true;
  }
}

static int check_plan_options(const plan_command *o, int operands) {
  const plan_request *m = &o->model;
  if (o->buffers.file) {
    if (operands) return command_misused("give a model or --buffers, not both");
    if (m->format != PLAN_FORMAT_TEXT && m->format != PLAN_FORMAT_JSON)
      return command_misused("--buffers is shown as text or as --json");
    bool foreign = m->compare || m->limit || m->session.memory || m->session.signature || m->session.keep_all ||
                   m->shapes.count || m->max_shapes.count || m->all || m->order || m->subgraph >= 0;
    return foreign ? command_misused("--buffers goes with --pairs, --planner, --alignment, --capacity, --json and --output only")
                   : COMMAND_OK;
  }
  if (operands != 1) return command_misused("give one model: arenite plan MODEL");
  if (o->buffers.options.capacity) return command_misused("--capacity goes with --buffers; a model has --limit");
  if (m->pairs && m->format != PLAN_FORMAT_CSV) return command_misused("--pairs goes with --csv or --buffers");
  if (m->compare && m->format != PLAN_FORMAT_TEXT && m->format != PLAN_FORMAT_JSON)
    return command_misused("--compare is shown as text or as --json");
  if (m->compare && m->limit) return command_misused("--limit does not go with --compare");
  return COMMAND_OK;
}

// ---- The command ----
static int plan_model(const plan_request *o, FILE *out) {
  session s;
  plan_view view;
  failure why;
  if (o->compare) return plan_compare(o, o->format == PLAN_FORMAT_JSON, out);
  if (!plan_view_open(&view, &s, o, &o->session, &why)) return command_failed("%s", why.text);
  if (plan_formats[o->format].study) plan_view_study(&view, &o->session);
  int code = plan_formats[o->format].write(&view, out);
  if (code == COMMAND_OK && o->pairs && !plan_write_pairs(&view, o->pairs, &why)) code = command_failed("%s", why.text);
  plan_view_close(&view);
  return code;
}

// The file is written when all is known, so that a failure leaves what was there.
static int plan_run(const plan_command *o) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = o->model.output ? open_memstream(&text, &size) : stdout;
  if (!out) return command_failed("out of memory");
  int code = o->buffers.file ? plan_buffers(&o->buffers, out) : plan_model(&o->model, out);
  if (out == stdout) return code;
  bool good = !ferror(out);
  good = fclose(out) == 0 && good;
  failure why;
  if (!good)
    code = command_failed("out of memory");
  else if (size && !command_write_file(o->model.output, text, size, &why))
    code = command_failed("%s", why.text);
  free(text);
  return code;
}

int cmd_plan(int argc, char **argv) {
  static const struct option options[] = {{"planner", required_argument, NULL, 'P'},
                                          {"alignment", required_argument, NULL, 'A'},
                                          {"memory", required_argument, NULL, 'M'},
                                          {"limit", required_argument, NULL, 'l'},
                                          {"compare", no_argument, NULL, 'C'},
                                          {"shape", required_argument, NULL, 'S'},
                                          {"max-shape", required_argument, NULL, 'X'},
                                          {"signature", required_argument, NULL, 's'},
                                          {"keep-all", no_argument, NULL, 'K'},
                                          {"all", no_argument, NULL, 'L'},
                                          {"sort", required_argument, NULL, 'O'},
                                          {"format", required_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"csv", no_argument, NULL, 'F'},
                                          {"svg", no_argument, NULL, 'F'},
                                          {"html", no_argument, NULL, 'F'},
                                          {"dot", no_argument, NULL, 'F'},
                                          {"subgraph", required_argument, NULL, 'N'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"buffers", required_argument, NULL, 'B'},
                                          {"pairs", required_argument, NULL, 'p'},
                                          {"capacity", required_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  plan_command o = {.model = {.subgraph = -1}, .buffers = {.alignment = 1}};
  int option, which = 0, code = COMMAND_OK;
  while (code == COMMAND_OK && (option = getopt_long(argc, argv, "s:f:o:jh", options, &which)) != -1) {
    if (option == 'h') {
      fputs(plan_help, stdout);
      goto done;
    }
    if (option == '?')
      code = command_misused_option();
    else if (!read_plan_option(option, options[which].name, optarg, &o))
      code = COMMAND_MISUSED;
  }
  if (code == COMMAND_OK) code = check_plan_options(&o, argc - optind);
  o.model.model = argv[optind];
  o.buffers.json = o.model.format == PLAN_FORMAT_JSON;
  if (code == COMMAND_OK) code = plan_run(&o);
done:
  shape_option_free(&o.model.shapes);
  shape_option_free(&o.model.max_shapes);
  return code;
}
