// SPDX-License-Identifier: Apache-2.0
// arenite plan: where a model's memory goes. The table is one of several formats: each is a row of plan_formats.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arenite/report.h"
#include "json.h"
#include "shape_option.h"
#include "table.h"
#include "term.h"
#include "text.h"

static const char plan_help[] =
    "Usage: arenite plan MODEL [OPTION...]\n"
    "\n"
    "Prepares a model and shows its memory: each tensor's and scratch buffer's size, first and last use (steps of the\n"
    "execution order; 'in' is before the first) and offset in the arena; the peak, what it would be without reuse, and the\n"
    "lower bound that no plan for these lifetimes can beat.\n"
    "\n"
    "      --planner NAME         linear, greedy, slots or exact (default: the runtime's)\n"
    "      --alignment N          of every tensor, a power of two (default 64)\n"
    "      --compare              a line for each planner instead\n"
    "      --shape NAME=1x96x96x3 resize an input first\n"
    "  -s, --signature KEY        of this signature's subgraph\n"
    "      --keep-all             no reuse: every tensor stays readable\n"
    "      --all                  constants and unused tensors too\n"
    "      --sort KEY             file (default), size, offset, first or length (of life)\n"
    "  -f, --format NAME          text (default), csv or json\n"
    "  -j, --json                 the same as --format json\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite plan model.tflite\n"
    "  arenite plan model.tflite --planner greedy --alignment 16 --sort offset\n"
    "  arenite plan model.tflite --compare\n";

typedef struct plan_view {
  const char *model;
  arn_memory_totals totals;
  arn_memory_row *rows;  // as wanted: filtered and sorted
  int count;
} plan_view;

static const char *const memory_kind_names[] = {"constant", "planned", "persistent", "scratch", "dynamic", "none"};

static const char *memory_kind_name(arn_memory_kind kind) {
  return (unsigned)kind < sizeof memory_kind_names / sizeof *memory_kind_names ? memory_kind_names[kind] : "?";
}

// How many bytes would be needed without reuse for each byte that is.
static double reuse_of(const arn_memory_totals *totals) {
  return totals->arena ? (double)totals->planned_sum / (double)totals->arena : 1;
}

// ---- Formats ----
static void step_cell(table *t, int step, int other) {
  if (step < 0 && other < 0)
    table_cell(t, "%s", "");
  else if (step < 0)
    table_cell(t, "in");
  else
    table_cell(t, "%d", step);
}

static void print_total(const char *what, size_t bytes, const char *remark) {
  char count[TEXT_NUMBER];
  printf("%-18s %14s  %s\n", what, text_count(count, bytes), remark);
}

static int plan_as_text(const plan_view *view) {
  static const char *const headers[] = {">tensor", "kind", ">bytes", ">first", ">last", ">offset", "name"};
  table *t = table_create(7, headers);
  for (int i = 0; i < view->count; i++) {
    const arn_memory_row *row = &view->rows[i];
    char count[TEXT_NUMBER], offset[TEXT_NUMBER];
    if (row->tensor < 0)
      table_cell(t, "%s", "");
    else if (row->subgraph)
      table_cell(t, "%d:%d", row->subgraph, row->tensor);
    else
      table_cell(t, "%d", row->tensor);
    table_cell(t, "%s", memory_kind_name(row->kind));
    table_cell(t, "%s", text_count(count, row->bytes));
    step_cell(t, row->first_use, row->last_use);
    step_cell(t, row->last_use, row->last_use);
    table_cell(t, "%s", row->offset < 0 ? "" : text_count(offset, (uint64_t)row->offset));
    if (row->tensor < 0)
      table_cell(t, "scratch of node %d", row->node);
    else
      table_cell(t, "%s", row->name);
    table_end_row(t);
  }
  table_print(t, stdout);
  table_destroy(t);
  const arn_memory_totals *sum = &view->totals;
  char remark[128];
  const char *planner = arn_plan_algorithm_name(sum->planner);
  snprintf(remark, sizeof remark, "planner %s, alignment %zu", planner ? planner : "?", sum->alignment);
  putchar('\n');
  print_total("arena (peak)", sum->arena, remark);
  snprintf(remark, sizeof remark, "%s", sum->proven ? "the plan is optimal for these lifetimes" : "no plan can need less");
  print_total("lower bound", sum->lower_bound, remark);
  snprintf(remark, sizeof remark, "reuse efficiency %.2f", reuse_of(sum));
  print_total("without reuse", sum->planned_sum, remark);
  print_total("padding", sum->padding, "lost to alignment");
  print_total("persistent", sum->persistent, "variables");
  print_total("dynamic", sum->dynamic, "tensors whose size is known at run time only");
  print_total("packed", sum->packed, "operators' own memory");
  print_total("overhead", sum->overhead, "tensor and node records");
  print_total("heap", sum->heap, "all of the above that is allocated");
  print_total("constants", sum->constants, "in the file, used in place");
  return COMMAND_OK;
}

static int plan_as_csv(const plan_view *view) {
  puts("subgraph,tensor,node,kind,bytes,first_use,last_use,offset,name");
  for (int i = 0; i < view->count; i++) {
    const arn_memory_row *row = &view->rows[i];
    printf("%d,%d,%d,%s,%zu,%d,%d,%lld,\"", row->subgraph, row->tensor, row->node, memory_kind_name(row->kind), row->bytes,
           row->first_use, row->last_use, (long long)row->offset);
    char *name = text_copy(row->name, strlen(row->name), 1);
    for (const char *s = name; *s; s++) printf(*s == '"' ? "\"\"" : "%c", *s);
    free(name);
    puts("\"");
  }
  return COMMAND_OK;
}

static void totals_json(cJSON *parent, const arn_memory_totals *sum) {
  cJSON *item = json_add_object(parent, "totals");
  json_add_text(item, "planner", arn_plan_algorithm_name(sum->planner));
  json_add_size(item, "alignment", sum->alignment);
  json_add_size(item, "arena", sum->arena);
  json_add_size(item, "lower_bound", sum->lower_bound);
  json_add_bool(item, "proven", sum->proven);
  json_add_size(item, "planned_sum", sum->planned_sum);
  json_add_real(item, "reuse_efficiency", reuse_of(sum));
  json_add_size(item, "padding", sum->padding);
  json_add_size(item, "persistent", sum->persistent);
  json_add_size(item, "dynamic", sum->dynamic);
  json_add_size(item, "packed", sum->packed);
  json_add_size(item, "overhead", sum->overhead);
  json_add_size(item, "heap", sum->heap);
  json_add_size(item, "constants", sum->constants);
}

static int plan_as_json(const plan_view *view) {
  cJSON *document = json_object();
  json_add_text(document, "model", view->model);
  totals_json(document, &view->totals);
  cJSON *rows = json_add_array(document, "rows");
  for (int i = 0; i < view->count; i++) {
    const arn_memory_row *row = &view->rows[i];
    cJSON *item = json_add_object(rows, NULL);
    json_add_int(item, "subgraph", row->subgraph);
    json_add_int(item, "tensor", row->tensor);
    json_add_int(item, "node", row->node);
    json_add_text(item, "kind", memory_kind_name(row->kind));
    json_add_size(item, "bytes", row->bytes);
    json_add_int(item, "first_use", row->first_use);
    json_add_int(item, "last_use", row->last_use);
    json_add_int(item, "offset", row->offset);
    json_add_text(item, "name", row->name);
  }
  return json_print(document);
}

typedef struct plan_format {
  const char *name;
  int (*print)(const plan_view *view);
} plan_format;

static const plan_format plan_formats[] = {{"text", plan_as_text}, {"csv", plan_as_csv}, {"json", plan_as_json}};
enum { PLAN_FORMAT_COUNT = sizeof plan_formats / sizeof *plan_formats, PLAN_FORMAT_JSON = 2 };

// ---- Orders ----
static int rising(int64_t a, int64_t b) { return a < b ? -1 : a > b; }
static int by_size(const void *a, const void *b) {
  return -rising((int64_t)((const arn_memory_row *)a)->bytes, (int64_t)((const arn_memory_row *)b)->bytes);
}
static int by_offset(const void *a, const void *b) {
  return rising(((const arn_memory_row *)a)->offset, ((const arn_memory_row *)b)->offset);
}
static int by_first(const void *a, const void *b) {
  return rising(((const arn_memory_row *)a)->first_use, ((const arn_memory_row *)b)->first_use);
}
static int by_length(const void *a, const void *b) {
  const arn_memory_row *x = a, *y = b;
  return -rising((int64_t)x->last_use - x->first_use, (int64_t)y->last_use - y->first_use);
}
static int (*const plan_orders[])(const void *, const void *) = {NULL, by_size, by_offset, by_first, by_length};
static const char *const plan_order_names[] = {"file", "size", "offset", "first", "length", NULL};

// ---- The command ----
typedef struct plan_request {
  const char *model;
  session_options session;
  shape_options shapes;
  bool compare, all;
  int order, format;
} plan_request;

static bool plan_prepare(const plan_request *o, const session_options *settings, session *s, plan_view *view, failure *why) {
  *view = (plan_view){.model = o->model};
  if (!session_open(s, o->model, settings, why)) return false;
  bool good = shape_option_apply(&o->shapes, s, why) && session_allocate(s, why);
  if (good && arn_memory_report(s->interpreter, &view->totals) != ARN_OK) good = failure_set(why, "the memory report failed");
  int room = 0;
  arn_memory_row row;
  for (int i = 0; good && arn_memory_row_at(s->interpreter, i, &row); i++) {
    if (!o->all && (row.kind == ARN_MEMORY_CONSTANT || row.kind == ARN_MEMORY_NONE)) continue;
    if (view->count == room) {
      room = room ? room * 2 : 64;
      view->rows = command_grow(view->rows, (size_t)room, sizeof *view->rows);
    }
    view->rows[view->count++] = row;
  }
  // qsort is not stable where sizes agree, but glibc's is as long as memory lasts; equal rows may come in any order.
  if (plan_orders[o->order] && view->count) qsort(view->rows, (size_t)view->count, sizeof *view->rows, plan_orders[o->order]);
  if (!good) session_close(s);
  return good;
}

static int plan_compare(const plan_request *o) {
  static const char *const headers[] = {"planner", ">arena", ">of bound", ">reuse", ">padding", ">prepared in", ""};
  static const arn_plan_algorithm planners[] = {ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS, ARN_PLAN_EXACT};
  table *t = table_create(7, headers);
  cJSON *document = json_object(), *array = json_add_array(document, "planners");
  json_add_text(document, "model", o->model);
  int code = COMMAND_OK;
  for (size_t i = 0; i < sizeof planners / sizeof *planners && code == COMMAND_OK; i++) {
    session s;
    plan_view view;
    failure why;
    session_options settings = o->session;
    settings.planner = planners[i];
    if (!plan_prepare(o, &settings, &s, &view, &why)) {
      code = command_failed("%s", why.text);
      free(view.rows);
      break;
    }
    char text[TEXT_NUMBER];
    const arn_memory_totals *sum = &view.totals;
    table_cell(t, "%s", arn_plan_algorithm_name(planners[i]));
    table_cell(t, "%s", text_count(text, sum->arena));
    table_cell(t, "%.3f", sum->lower_bound ? (double)sum->arena / (double)sum->lower_bound : 1);
    table_cell(t, "%.2f", reuse_of(sum));
    table_cell(t, "%s", text_count(text, sum->padding));
    table_cell(t, "%s", text_time(text, (double)s.allocate_ns));
    table_cell(t, "%s", sum->proven ? "optimal" : "");
    table_end_row(t);
    cJSON *item = json_add_object(array, NULL);
    json_add_size(item, "prepare_ns", s.allocate_ns);
    totals_json(item, sum);
    free(view.rows);
    session_close(&s);
  }
  if (code == COMMAND_OK && o->format != PLAN_FORMAT_JSON) table_print(t, stdout);
  table_destroy(t);
  if (code == COMMAND_OK && o->format == PLAN_FORMAT_JSON) return json_print(document);
  cJSON_Delete(document);
  return code;
}

static bool read_plan_option(int option, char *value, plan_request *o) {
  static const char *const planners[] = {"linear", "greedy", "slots", "exact", NULL};
  static const arn_plan_algorithm numbers[] = {ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS, ARN_PLAN_EXACT};
  const char *formats[PLAN_FORMAT_COUNT + 1] = {0};
  long long number;
  int choice;
  for (int i = 0; i < PLAN_FORMAT_COUNT; i++) formats[i] = plan_formats[i].name;
  switch (option) {
    case 'P':
      if ((choice = command_choice("--planner", value, planners)) < 0) return false;
      o->session.planner = numbers[choice];
      return true;
    case 'A':
      if (!command_read_int("--alignment", value, 1, 1 << 20, &number)) return false;
      if (number & (number - 1)) return command_misused("--alignment is a power of two, not %lld", number), false;
      o->session.alignment = (size_t)number;
      return true;
    case 'O': return (o->order = command_choice("--sort", value, plan_order_names)) >= 0;
    case 'f': return (o->format = command_choice("--format", value, formats)) >= 0;
    case 'S': return shape_option_read(&o->shapes, value);
    case 's': o->session.signature = value; return true;
    case 'K': o->session.keep_all = true; return true;
    case 'L': o->all = true; return true;
    case 'C': o->compare = true; return true;
    default: o->format = PLAN_FORMAT_JSON; return true;
  }
}

static int plan_model(const plan_request *o) {
  session s;
  plan_view view;
  failure why;
  if (o->compare) return plan_compare(o);
  if (!plan_prepare(o, &o->session, &s, &view, &why)) {
    free(view.rows);
    return command_failed("%s", why.text);
  }
  int code = plan_formats[o->format].print(&view);
  free(view.rows);
  session_close(&s);
  return code;
}

int cmd_plan(int argc, char **argv) {
  static const struct option options[] = {{"planner", required_argument, NULL, 'P'},
                                          {"alignment", required_argument, NULL, 'A'},
                                          {"compare", no_argument, NULL, 'C'},
                                          {"shape", required_argument, NULL, 'S'},
                                          {"signature", required_argument, NULL, 's'},
                                          {"keep-all", no_argument, NULL, 'K'},
                                          {"all", no_argument, NULL, 'L'},
                                          {"sort", required_argument, NULL, 'O'},
                                          {"format", required_argument, NULL, 'f'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  plan_request o = {0};
  int option, code = COMMAND_OK;
  while (code == COMMAND_OK && (option = getopt_long(argc, argv, "s:f:jh", options, NULL)) != -1) {
    if (option == 'h') {
      fputs(plan_help, stdout);
      goto done;
    }
    if (option == '?')
      code = command_misused_option();
    else if (!read_plan_option(option, optarg, &o))
      code = COMMAND_MISUSED;
  }
  if (code == COMMAND_OK && optind != argc - 1) code = command_misused("give one model: arenite plan MODEL");
  o.model = argv[optind];
  if (code == COMMAND_OK) code = plan_model(&o);
done:
  shape_option_free(&o.shapes);
  return code;
}
