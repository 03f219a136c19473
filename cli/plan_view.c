// SPDX-License-Identifier: Apache-2.0
// Collecting what a plan looks like: rows, boxes, steps, the peak, lifetimes that look wrong.
#include "plan_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const arn_plan_algorithm plan_planners[4] = {ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS, ARN_PLAN_EXACT};
const char *const plan_planner_names[5] = {"linear", "greedy", "slots", "exact", NULL};

static const size_t plan_alignments[PLAN_ALIGNMENTS] = {16, 64, 256};

const char *plan_kind_name(arn_memory_kind kind) {
  static const char *const names[] = {"constant", "planned", "persistent", "scratch", "dynamic", "none"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

double plan_reuse(const arn_memory_totals *totals) {
  return totals->arena ? (double)totals->planned_sum / (double)totals->arena : 1;
}

const char *plan_step_text(const plan_view *view, int step, char text[PLAN_STEP_TEXT]) {
  if (step < 0) return "in";
  if (step >= view->steps) return "end";
  snprintf(text, PLAN_STEP_TEXT, "%d", step);
  return text;
}

char *plan_row_name(const arn_memory_row *row) {
  return row->tensor < 0 ? command_text("scratch of node %d", row->node) : text_copy(row->name, strlen(row->name), 1);
}

bool plan_what_if(const plan_view *view, arn_plan_algorithm planner, size_t alignment, unsigned memory,
                  arn_memory_totals *totals) {
  arn_memory_options options = {.planner = planner, .alignment = alignment, .memory = memory};
  return arn_memory_what_if(view->session->interpreter, &options, totals, NULL) == ARN_OK;
}

// ---- Orders ----
static int plan_rising(int64_t a, int64_t b) { return a < b ? -1 : a > b; }
static int plan_by_size(const void *a, const void *b) {
  return -plan_rising((int64_t)((const arn_memory_row *)a)->bytes, (int64_t)((const arn_memory_row *)b)->bytes);
}
static int plan_by_offset(const void *a, const void *b) {
  return plan_rising(((const arn_memory_row *)a)->offset, ((const arn_memory_row *)b)->offset);
}
static int plan_by_first(const void *a, const void *b) {
  return plan_rising(((const arn_memory_row *)a)->first_use, ((const arn_memory_row *)b)->first_use);
}
static int plan_by_length(const void *a, const void *b) {
  const arn_memory_row *x = a, *y = b;
  return -plan_rising((int64_t)x->last_use - x->first_use, (int64_t)y->last_use - y->first_use);
}
static int (*const plan_orders[])(const void *, const void *) = {NULL, plan_by_size, plan_by_offset, plan_by_first,
                                                                 plan_by_length};
const char *const plan_order_names[] = {"file", "size", "offset", "first", "length", NULL};

// Roots before aliases, then the largest area first, so that a picture draws small boxes over large ones.
static int plan_by_area(const void *a, const void *b) {
  const arn_memory_row *x = a, *y = b;
  if ((x->shares < 0) != (y->shares < 0)) return x->shares < 0 ? -1 : 1;
  int64_t larger = (int64_t)y->bytes * (y->last_use - y->first_use + 1),
          large = (int64_t)x->bytes * (x->last_use - x->first_use + 1);
  if (larger != large) return plan_rising(larger, large);
  return x->tensor != y->tensor ? plan_rising(x->tensor, y->tensor) : plan_rising(x->offset, y->offset);
}

// ---- Rows and boxes ----
static void plan_add_row(arn_memory_row **rows, int *count, const arn_memory_row *row) {
  if ((*count & (*count - 1)) == 0) *rows = command_grow(*rows, *count ? 2 * (size_t)*count : 1, sizeof **rows);
  (*rows)[(*count)++] = *row;
}

static bool plan_is_box(const arn_memory_row *row) { return row->offset >= 0 && row->bytes > 0; }

// The wanted subgraph; else the signature's, recognised by its inputs and outputs; else the first in which something is planned.
static int plan_choose_subgraph(const plan_view *view) {
  const session *s = view->session;
  if (view->request->subgraph >= 0) return view->request->subgraph;
  int chosen = -1;
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(s->interpreter, i, &row); i++) {
    if (row.tensor < 0) continue;
    const TfLiteTensor *tensor = arn_interpreter_tensor(s->interpreter, row.subgraph, row.tensor);
    for (int o = 0; s->runner && o < s->output_count; o++)
      if (session_output(s, o) == tensor) return row.subgraph;
    if (chosen < 0 && plan_is_box(&row)) chosen = row.subgraph;
  }
  return chosen < 0 ? 0 : chosen;
}

static void plan_collect_rows(plan_view *view) {
  const plan_request *o = view->request;
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(view->session->interpreter, i, &row); i++) {
    if (row.subgraph == view->subgraph && plan_is_box(&row)) plan_add_row(&view->boxes, &view->box_count, &row);
    bool wanted = o->all || (row.kind != ARN_MEMORY_CONSTANT && row.kind != ARN_MEMORY_NONE);
    if (wanted) plan_add_row(&view->rows, &view->row_count, &row);
  }
  // qsort is not stable where sizes agree, but glibc's is as long as memory lasts; equal rows may come in any order.
  if (plan_orders[o->order] && view->row_count)
    qsort(view->rows, (size_t)view->row_count, sizeof *view->rows, plan_orders[o->order]);
  if (view->box_count) qsort(view->boxes, (size_t)view->box_count, sizeof *view->boxes, plan_by_area);
  while (view->root_count < view->box_count && view->boxes[view->root_count].shares < 0) view->root_count++;
}

static void plan_collect_steps(plan_view *view) {
  const arn_interpreter *in = view->session->interpreter;
  view->steps = arn_interpreter_node_count(in, view->subgraph);
  view->nodes = command_alloc((size_t)view->steps + 1, sizeof *view->nodes);
  for (int n = 0; n < view->steps; n++) {
    arn_node_info info;
    if (arn_interpreter_node(in, view->subgraph, n, &info) && info.position >= 0 && info.position < view->steps)
      view->nodes[info.position] = info;
  }
}

// The totals are of all subgraphs together; where only this one has an arena they are its own.
static void plan_collect_arena(plan_view *view) {
  size_t top = 0, alignment = view->totals.alignment;
  bool alone = true;
  arn_memory_row row;
  for (int i = 0; i < view->root_count; i++) {
    size_t end = (size_t)view->boxes[i].offset + view->boxes[i].bytes;
    if (end > top) top = end;
  }
  for (int i = 0; arn_memory_row_at(view->session->interpreter, i, &row); i++)
    alone = alone && (row.subgraph == view->subgraph || !plan_is_box(&row));
  view->arena = alone ? view->totals.arena : (top + alignment - 1) / alignment * alignment;
  view->bound = alone ? view->totals.lower_bound : 0;
  if (!arn_memory_peak_of(view->session->interpreter, view->subgraph, &view->peak)) view->peak = (arn_memory_peak){-1, -1, 0};
}

size_t plan_live_at(const plan_view *view, int step) {
  size_t live = 0;
  for (int i = 0; i < view->root_count; i++) {
    const arn_memory_row *row = &view->boxes[i];
    if (row->first_use <= step && step <= row->last_use) live += row->bytes;
  }
  return live;
}

// ---- Suspicious lifetimes ----
static bool plan_row_holds(const plan_view *view, const arn_memory_row *root, int tensor) {
  if (tensor < 0) return false;
  if (tensor == root->tensor) return true;
  for (int i = view->root_count; i < view->box_count; i++)
    if (view->boxes[i].tensor == tensor) return view->boxes[i].shares == root->tensor;
  return false;
}

static bool plan_uses(const plan_view *view, int step, const arn_memory_row *root) {
  const arn_node_info *node = &view->nodes[step];
  for (int i = 0; i < node->inputs; i++)
    if (plan_row_holds(view, root, node->input_tensors[i])) return true;
  for (int i = 0; i < node->outputs; i++)
    if (plan_row_holds(view, root, node->output_tensors[i])) return true;
  return false;
}

// The longest stretch of a root's life in which no operator uses it.
static int plan_longest_gap(const plan_view *view, const arn_memory_row *root, plan_suspect *gap) {
  int longest = 0, used = root->first_use;
  *gap = (plan_suspect){.row = root, .written = root->first_use};
  for (int step = root->first_use + 1; step <= root->last_use; step++) {
    if (step < view->steps && !plan_uses(view, step, root)) continue;
    if (step - used - 1 > longest) longest = step - used - 1, gap->used = used, gap->next = step;
    used = step;
  }
  return longest;
}

typedef struct plan_remedies {
  arn_memory_totals free_inputs, order;
  bool freed, ordered;  // would lower the peak
} plan_remedies;

static plan_remedies plan_ask_remedies(const plan_view *view, const session_options *settings) {
  plan_remedies r = {0};
  unsigned memory = settings->memory ? settings->memory : ARN_MEMORY_HOST;
  unsigned on = memory & ~(unsigned)ARN_MEMORY_SEPARATE;
  if (!(memory & ARN_MEMORY_FREE_INPUTS))
    r.freed = plan_what_if(view, settings->planner, settings->alignment, on | ARN_MEMORY_FREE_INPUTS, &r.free_inputs);
  if (!(memory & ARN_MEMORY_ORDER))
    r.ordered = plan_what_if(view, settings->planner, settings->alignment, on | ARN_MEMORY_ORDER, &r.order);
  r.freed = r.freed && r.free_inputs.arena < view->totals.arena;
  r.ordered = r.ordered && r.order.arena < view->totals.arena;
  return r;
}

static void plan_explain(const plan_view *view, const plan_remedies *r, plan_suspect *gap) {
  char count[TEXT_NUMBER];
  bool kept = gap->next >= view->steps, input = gap->written < 0;
  if (input && kept) {
    snprintf(gap->why, sizeof gap->why, "a graph input, kept after its last use so that it need not be set again");
    if (r->freed)
      snprintf(gap->help, sizeof gap->help, "--memory with free-inputs: the arena would take %s bytes",
               text_count(count, r->free_inputs.arena));
    else
      snprintf(gap->help, sizeof gap->help, "nothing needed: giving it back would not lower the peak");
    return;
  }
  if (kept)
    snprintf(gap->why, sizeof gap->why, "an output of the model, written early");
  else if (input && gap->used < 0)
    snprintf(gap->why, sizeof gap->why, "a graph input that node %d (%s) reads late", view->nodes[gap->next].node,
             view->nodes[gap->next].name);
  else
    snprintf(gap->why, sizeof gap->why, "a skip connection to node %d (%s)", view->nodes[gap->next].node,
             view->nodes[gap->next].name);
  if (r->ordered)
    snprintf(gap->help, sizeof gap->help, "--memory with order: the arena would take %s bytes",
             text_count(count, r->order.arena));
  else if (kept)
    snprintf(gap->help, sizeof gap->help, "in the model: compute it last, or make it an output of a model of its own");
  else if (view->peak.position <= gap->used || view->peak.position >= gap->next)
    snprintf(gap->help, sizeof gap->help, "nothing needed: it waits while the peak is elsewhere");
  else
    snprintf(gap->help, sizeof gap->help, "in the model: a narrower tensor, fewer bits, or computing it again where it is read");
}

static int plan_by_waste(const void *a, const void *b) {
  const plan_suspect *x = a, *y = b;
  return -plan_rising((int64_t)x->row->bytes * (x->next - x->used), (int64_t)y->row->bytes * (y->next - y->used));
}

static void plan_collect_suspects(plan_view *view, const session_options *settings) {
  int eighth = view->steps / 8, least = eighth < 3 ? 3 : eighth > 8 ? 8 : eighth;
  plan_remedies remedies;
  view->suspects = command_alloc((size_t)view->root_count + 1, sizeof *view->suspects);
  for (int i = 0; i < view->root_count; i++) {
    const arn_memory_row *row = &view->boxes[i];
    plan_suspect gap;
    if (row->tensor < 0 || row->bytes < view->arena / 20 || plan_longest_gap(view, row, &gap) < least) continue;
    if (view->suspect_count == 0) remedies = plan_ask_remedies(view, settings);
    plan_explain(view, &remedies, &gap);
    view->suspects[view->suspect_count++] = gap;
  }
  if (view->suspect_count) qsort(view->suspects, (size_t)view->suspect_count, sizeof *view->suspects, plan_by_waste);
}

// ---- Opening ----
static bool plan_keep_limit(const plan_request *o, const session_options *settings, session *s, failure *why) {
  arn_memory_options options = {
      .planner = settings->planner, .alignment = settings->alignment, .memory = settings->memory, .limit = o->limit};
  arn_error error = {.byte = -1};
  if (!o->limit) return true;
  arn_status status = arn_interpreter_replan(s->interpreter, &options, &error);
  if (status == ARN_OK) return true;
  failure_from(why, status, &error);
  return failure_prefix(why, "%s: ", o->model);
}

bool plan_view_open(plan_view *view, session *s, const plan_request *o, const session_options *settings, failure *why) {
  *view = (plan_view){.request = o, .session = s};
  if (!session_open(s, o->model, settings, why)) return false;
  int subgraphs = arn_interpreter_subgraph_count(s->interpreter);
  bool good = shape_option_apply_max(&o->max_shapes, s, why) && shape_option_apply(&o->shapes, s, why) &&
              session_allocate(s, why) && plan_keep_limit(o, settings, s, why);
  if (good && o->subgraph >= subgraphs)
    good = failure_set(why, "%s has no subgraph %d, only %d", o->model, o->subgraph, subgraphs);
  if (good && arn_memory_report(s->interpreter, &view->totals) != ARN_OK) good = failure_set(why, "the memory report failed");
  if (!good) {
    session_close(s);
    return false;
  }
  view->subgraph = plan_choose_subgraph(view);
  plan_collect_rows(view);
  plan_collect_steps(view);
  plan_collect_arena(view);
  return true;
}

void plan_view_study(plan_view *view, const session_options *settings) {
  plan_collect_suspects(view, settings);
  for (int a = 0; a < PLAN_ALIGNMENTS; a++)
    if (plan_what_if(view, settings->planner, plan_alignments[a], settings->memory, &view->aligned[view->aligned_count]))
      view->aligned_count++;
}

void plan_view_close(plan_view *view) {
  free(view->rows);
  free(view->boxes);
  free(view->nodes);
  free(view->suspects);
  session_close(view->session);
}
